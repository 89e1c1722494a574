"""Proposals as a quote would make them: here the open English one; the others stand beside it."""

from __future__ import annotations

import dataclasses
import hashlib
from decimal import Decimal

from rackwright.diagnostic import Severity
from rackwright.proposal.labels import LABELS
from rackwright.proposal.model import (
    About,
    BarView,
    BomRow,
    BomView,
    FindingView,
    NodeView,
    OpenPoint,
    Proposal,
    PsuView,
    SlotView,
    WaiverView,
)
from rackwright.proposal.money_model import Labelled
from rackwright.verdict import Outcome, Status

S = "\u202f"
NOT_KNOWN = "not decided, because these figures are not known: "
CONFIGURATION = "quote:\n  number: Q-2026-0117\nnodes:\n  - id: inference\n"
ABOUT = About(
    version="0.1.0",
    configuration_sha256=hashlib.sha256(CONFIGURATION.encode()).hexdigest(),
    catalog_digest="4f1c9ae2b7d80316",
    rules_digest="90be17aa54c2f6d1",
    date="2026-12-01",
    parts=11,
    rules=96,
    verdicts=61,
    weakest_grade="press or reseller",
)


def finding(code: str, severity: str, outcome: str, title: str, **more: object) -> FindingView:
    values: dict[str, object] = {"subject": "inference", "message": "", **more}
    return FindingView(
        code=code,
        severity=Severity(severity),
        severity_label=str(more.get("severity_label", severity)),
        outcome=Outcome(outcome),
        outcome_label={"pass": "passed", "fail": "failed", "unknown": "not decided"}[outcome],
        title=title,
        **{key: value for key, value in values.items() if key != "severity_label"},  # type: ignore[arg-type]
    )


def money(amount: Decimal, language: str) -> str:
    text = f"{amount:,.2f}"
    if language == "de":
        return text.translate(str.maketrans(",.", ".,")) + "\u00a0€"
    return f"€{text}"


def row(
    position: str,
    title: str,
    mpn: str,
    count: int,
    price: str,
    *,
    groups: int,
    language: str = "en",
    discount: str = "",
    lifecycle: str = "",
    note: str = "",
) -> BomRow:
    unit = Decimal(price) if price else None
    ratio = Decimal(discount or 0)
    net = None if unit is None else (unit * (1 - ratio)).quantize(Decimal("0.01"))
    total = None if net is None else net * count * groups
    on_request = "on request" if language == "en" else "auf Anfrage"

    def shown(amount: Decimal | None) -> str:
        return on_request if amount is None else money(amount, language)

    return BomRow(
        position=position,
        is_group=False,
        title=title,
        note=note,
        maker="",
        mpn=mpn,
        part_id="",
        kind_label="",
        count=count,
        group_count=groups,
        total=count * groups,
        list_unit=unit,
        discount_ratio=ratio,
        net_unit=net,
        net_total=total,
        list_unit_text=shown(unit),
        discount_text=f"{ratio * 100:.0f}{S}%" if ratio else "",
        net_unit_text=shown(net),
        net_total_text=shown(total),
        lifecycle=lifecycle,
    )


def head(position: str, title: str, note: str, count: int, *, total_text: str, total: Decimal | None) -> BomRow:
    return BomRow(
        position=position,
        is_group=True,
        title=title,
        note=note,
        maker="",
        mpn="",
        part_id="",
        kind_label="",
        count=1,
        group_count=count,
        total=count,
        list_unit=None,
        discount_ratio=Decimal(0),
        net_unit=None,
        net_total=total,
        list_unit_text="",
        discount_text="",
        net_unit_text="",
        net_total_text=total_text,
    )


def bill(rows: list[BomRow], language: str, completeness: str, vat_label: str, *, complete: bool) -> BomView:
    net = sum((r.net_total for r in rows if not r.is_group and r.net_total is not None), Decimal("0.00"))
    vat = (net * Decimal("0.19")).quantize(Decimal("0.01"))
    return BomView(
        rows=tuple(rows),
        currency="EUR",
        subtotal=net,
        subtotal_text=money(net, language),
        vat_ratio=Decimal("0.19"),
        vat_label=vat_label,
        vat=vat,
        vat_text=money(vat, language),
        total=net + vat,
        total_text=money(net + vat, language),
        is_complete=complete,
        has_prices=True,
        completeness_text=completeness,
    )


def r760xa() -> NodeView:
    gpu = "L40S 48 GB"
    slots = [SlotView(f"F{n}", "front", "Gen4 x16", "", gpu, "gpu", 2, "used") for n in range(1, 5)]
    slots += [
        SlotView("1", "rear", "x16", "", "", "", 1, "free"),
        SlotView("2", "rear", "x16", "", "", "", 1, "free"),
        SlotView("7", "rear", "x16", "2", "ConnectX-7 200GbE 2-port QSFP112", "nic", 1, "used"),
        SlotView("8", "rear", "x16", "", "", "", 1, "no riser"),
        SlotView("OCP", "", "", "", "BCM57414 25GbE 2-port OCP", "nic", 1, "used"),
    ]
    return NodeView(
        id="inference",
        title="Inference node, 4 × L40S",
        count=1,
        chassis="Dell PowerEdge R760xa",
        mode="Front with four x16 double-width slots",
        figures=(
            Labelled("CPU", "2 × Intel Xeon Gold 6548Y+"),
            Labelled("memory", f"16 × 32 GB DDR5-5600 RDIMM = 512{S}GB"),
            Labelled("GPU", "4 × NVIDIA L40S 48 GB PCIe"),
            Labelled("drives", "2 × 3.84 TB NVMe U.2, 2 × 480 GB SATA"),
            Labelled("network", "1 × NVIDIA ConnectX-7 200GbE 2-port QSFP112"),
            Labelled("power supplies", f"2 × Dell 2800{S}W Titanium, 1+1"),
            Labelled("peak draw", f"at least 2{S}252{S}W; some figures are not known"),
            Labelled("input power", "not known"),
            Labelled("rack units", f"2{S}U"),
        ),
        slots=tuple(slots),
        slot_note="The CPU of six slots is not stated by the maker; balance over the CPUs is not checked.",
        modules=(),
        power=(
            BarView(
                "all supplies",
                2252.0,
                f"at least 2{S}252{S}W",
                2800.0,
                f"2{S}800{S}W",
                5600.0,
                f"5{S}600{S}W",
                f"80.4{S}%",
            ),
        ),
        power_lines=(
            ("NVIDIA L40S 48 GB PCIe", "4", f"350{S}W", f"1{S}400{S}W"),
            ("Intel Xeon Gold 6548Y+", "2", f"250{S}W", f"500{S}W"),
            ("32 GB DDR5-5600 RDIMM", "16", f"10{S}W", f"160{S}W"),
            ("3.84 TB NVMe U.2", "2", f"20{S}W", f"40{S}W"),
            ("NVIDIA ConnectX-7 200GbE 2-port QSFP112", "1", "not known", "not known"),
            ("allowance stated in this configuration", "1", f"152{S}W", f"152{S}W"),
            ("sum", "", "", f"at least 2{S}252{S}W; some figures are not known"),
        ),
        power_note=f"at 230{S}V input",
        psus=tuple(PsuView(f"PSU {n}", "2800 W Titanium", str(n), feed, "node") for n, feed in ((1, "A"), (2, "B"))),
    )


def english_open() -> Proposal:
    """One node with four cards; figures are missing, three lines have no price."""
    unknown = [
        finding(
            "PWR003",
            "error",
            "unknown",
            "The node keeps its peak load after one supply fails",
            message=NOT_KNOWN + "maximum power (NVIDIA ConnectX-7 200GbE 2-port QSFP112)",
        ),
        finding(
            "AIR004",
            "error",
            "unknown",
            "The inlet temperature is within the limits of this build",
            message=NOT_KNOWN
            + "highest inlet temperature with four 350 W cards (dell/poweredge-r760xa), unverified: 30 °C",
        ),
        finding(
            "PCI007",
            "warning",
            "unknown",
            "The cards are spread evenly over the CPUs",
            message=NOT_KNOWN + "CPU of slot F1; CPU of slot F2; CPU of slot F3; CPU of slot F4 and 2 more",
        ),
    ]
    warning = finding(
        "PCI003",
        "warning",
        "fail",
        "A card's link is as wide and fast as the card",
        subject="gpu",
        message=f"the card can use PCIe Gen5 x16, the slot gives Gen4 x16: 31.5 GB/s of 63.0 GB/s each way (50{S}%)",
        fix="Ask the maker for the riser that gives Gen5, or accept half of the host bandwidth: "
        "inference from video memory hardly uses it.",
        place="configurations/inference.yaml:14:7",
        arithmetic=(
            "link_gb_s = 16 × 16 GT/s × 128/130 / 8 = 31.5 GB/s",
            "card_gb_s = 16 × 32 GT/s × 128/130 / 8 = 63.0 GB/s",
        ),
        sources=("Dell PowerEdge R760xa Technical Guide, rev. A04, p. 21 (read on 2026-11-18)",),
        grade="read in the maker's text",
    )
    warnings = [dataclasses.replace(warning, subject=f"gpu {n}") for n in range(1, 5)]
    rows = [
        row(
            "1.1", "Dell PowerEdge R760xa", "210-BGRN", 1, "4890.00", groups=1, discount="0.18", lifecycle="end of sale"
        ),
        row("1.2", "Intel Xeon Gold 6548Y+", "338-CPBT", 2, "3726.00", groups=1, discount="0.18"),
        row("1.3", "32 GB DDR5-5600 RDIMM", "AC830716", 16, "389.00", groups=1, discount="0.12"),
        row("1.4", "NVIDIA L40S 48 GB PCIe", "900-2G133-0080-000", 4, "8120.00", groups=1, discount="0.10"),
        row("1.5", "3.84 TB NVMe U.2 read intensive", "400-BMTC", 2, "1290.00", groups=1, discount="0.15"),
        row("1.6", "NVIDIA ConnectX-7 200GbE 2-port QSFP112", "MCX755106AS-HEAT, 540-BCXR", 1, "", groups=1),
        row(
            "1.7", "Dell 2800 W Titanium power supply", "450-AMWX", 2, "", groups=1, note="added: the chassis needs it"
        ),
        row("1.8", "Power cord C19/C20, 2.5 m", "not stated", 2, "", groups=1),
    ]
    total = sum((r.net_total for r in rows if r.net_total is not None), Decimal(0))
    rows.insert(0, head("1", "Inference node, 4 × L40S", "inference", 1, total_text=money(total, "en"), total=None))
    rows += [
        head("2", "Services and other items", "", 1, total_text="€3,895.00", total=Decimal("3895.00")),
        row("2.1", "5-year on-site support, next business day", "SVC-5Y-NBD", 1, "4100.00", groups=1, discount="0.05"),
    ]
    passed = [
        finding(f"FIT{n:03d}", "error", "pass", title, subject=s)
        for n, title in enumerate(CHECKS, 1)
        for s in ("gpu 1", "gpu 2", "gpu 3", "gpu 4")
    ]
    return Proposal(
        language="en",
        labels=dict(LABELS),
        number="Q-2026-0117 rev 2",
        title="LLM inference server, 4 × 48 GB",
        customer="Musterwerk AG",
        project="70B model in INT8, 16 concurrent sessions",
        issuer="Beispiel Integrator GmbH",
        contact="quotes@example.com",
        date_text="1 December 2026",
        date_iso="2026-12-01",
        valid_until_text="15 January 2027",
        status=Status.OPEN,
        status_label="open",
        status_sentence="No check failed, 54 passed, 4 warnings; 7 figures must be confirmed before ordering.",
        is_draft=False,
        draft_reason="",
        summary=(
            Labelled("servers", "1"),
            Labelled("GPUs", "4", f"192{S}GB video memory"),
            Labelled("input power at full load", "not known"),
            Labelled("total price", "€60,591.90", "incomplete"),
        ),
        needs_attention=tuple(f"{v.code}: {v.message}" for v in (*warnings[:1], *unknown)),
        nodes=(r760xa(),),
        racks=(),
        findings=(*warnings, *unknown),
        open_points=(
            OpenPoint("NVIDIA ConnectX-7 200GbE 2-port QSFP112", "maximum power", "PWR003, PWR001", ""),
            OpenPoint("Dell PowerEdge R760xa", "highest inlet temperature with four 350 W cards", "AIR004", f"30{S}°C"),
            OpenPoint("Dell PowerEdge R760xa", "airflow of the high-performance fans", "AIR002"),
            OpenPoint("Dell PowerEdge R760xa", "CPU of slot F1", "PCI004"),
            OpenPoint("Dell PowerEdge R760xa", "CPU of slot F2", "PCI004"),
            OpenPoint("Dell PowerEdge R760xa", "CPU of slot F3", "PCI004"),
            OpenPoint("Dell PowerEdge R760xa", "CPU of slot F4", "PCI004"),
        ),
        checks=(*passed, *warnings, *unknown),
        waivers=(
            WaiverView(
                "PCI003",
                "inference",
                "Host bandwidth does not matter for this model",
                "Musterwerk AG, IT",
                "31 March 2027",
            ),
        ),
        bom=bill(rows, "en", "The total is incomplete: 3 of 9 items are on request.", f"VAT 19{S}%", complete=False),
        terms=(
            "DAP Leipzig, Incoterms 2020",
            f"30{S}days net, 2{S}% within 10{S}days",
            "5 years on site, next business day",
        ),
        sources=(
            *(
                f"Dell PowerEdge R760xa Technical Guide, rev. A04, p. {p} (read on 2026-11-18)"
                for p in (12, 21, 33, 57)
            ),
            "NVIDIA L40S product brief, PB-11675-001, p. 7 (read on 2026-11-20)",
        ),
        about=ABOUT,
        configuration_text=CONFIGURATION,
    )


CHECKS = (
    "A card is not longer than its slot",
    "A card is not higher than its slot",
    "A wide card has its neighbours free",
    "The chassis lists the card as qualified",
    "A passive card sits in the air of the chassis fans",
    "No more double-width cards than the chassis takes",
    "The slot exists in the chosen mode of the chassis",
    "The slot's riser is fitted",
    "The slot's CPU is fitted",
    "The node's GPU power cables fit the cards' connectors",
)
