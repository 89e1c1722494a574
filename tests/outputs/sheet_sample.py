"""Proposals for the tests of the spreadsheet and the csv file. Makers, parts, figures and prices are invented."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from rackwright.diagnostic import Severity
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.model import (
    About,
    BarView,
    BomRow,
    FailureRow,
    FindingView,
    NodeView,
    OpenPoint,
    Proposal,
    PsuView,
    RackItem,
    RackView,
    WaiverView,
)
from rackwright.proposal.money_model import Labelled
from rackwright.proposal.power_model import ElementHead
from rackwright.verdict import Outcome, Status

from .sheet_bill import Item, Translate, bill, group_rows, translator

SOURCES = ("NX-760 G5 technical guide, TG-760, table 14", "X100 NVL product brief, PB-0000-002, p. 9")


INFERENCE = (
    Item(
        "chassis",
        "Nordhain NX-760 G5, 2U, 12 × 2.5″, four dual-width slots",
        "Nordhain",
        "NX760-G5-12SFF",
        1,
        "4180.00",
        "0.22",
        "GPU configuration, no rear bays",
        21.4,
    ),
    Item("CPU", "Acme Server 6542, 24 cores, 2.9 GHz, 250 W", "Acme", "0012-6542", 2, "2878.95", "0.15", "", 0.09, 250),
    Item("heatsink", "Heatsink, high performance, for CPUs from 205 W", "Nordhain", "412-AB1E5", 2, "119.00", "0.22"),
    Item("memory", "64 GB DDR5-5600 RDIMM, dual rank x4", "Nordhain", "1E5", 16, "489.37", "0.225", "", 0.05, 10),
    Item(
        "GPU",
        "Vantage X100 NVL 94 GB, PCIe 5.0 x16, 400 W, passive, dual-width",
        "Vantage",
        "900-21010-0020-000",
        4,
        "28450.005",
        "0.125",
        "power cap 350 W",
        1.21,
        400,
    ),
    Item("NVLink bridge", "Vantage bridge, two slots", "Vantage", "900-53651-2500", 6, "212.50", "0.05", "", 0.1),
    Item(
        "cable",
        "GPU power cable, 16-pin, 600 W level",
        "Nordhain",
        "470-ATNX",
        4,
        "0.00",
        "0",
        "included with the chassis",
    ),
    Item("drive", "3.84 TB NVMe U.2, read intensive, 1 DWPD", "Kestrel", "MZ-3T84-U2", 4, None, "0", "", 0.16, 14),
    Item("network adapter", "2 × 100 GbE QSFP56, OCP 3.0", "Fjord", "FJ-OCP3-2x100", 1, "987.65", "0.1", "", 0.2, 22.5),
    Item(
        "power supply",
        "2,400 W, 200–240 V, Titanium, hot plug",
        "Nordhain",
        "PSU-2400-TI",
        2,
        "695.00",
        "0.22",
        "",
        1.3,
    ),
    Item("licence", "vGPU software, per GPU, five years", "Vantage", "711-VGP5", 4, None),
)
STORAGE = (
    Item("chassis", "Nordhain NX-640, 1U, 10 × NVMe", "Nordhain", "NX640-10NVME", 1, "2390.10", "0.22", "", 15.0),
    Item("CPU", "Acme Server 6526Y, 16 cores, 195 W", "Acme", "0012-6526Y", 1, "1667.00", "0.15", "", 0.09, 195),
    Item("drive", "15.36 TB NVMe U.2, read intensive", "Kestrel", "MZ-15T3-U2", 10, "2210.85", "0.175", "", 0.16, 20),
)
RACK = (
    Item(
        "rack", "Rack 42 U, 800 × 1200 mm, perforated doors", "Lindqvist", "LR-42-812", 1, "2150.00", "0.1", "", 138.0
    ),
    Item(
        "PDU",
        "PDU 32 A, 400 V three-phase, 24 × C13, 12 × C19, vertical",
        "Lindqvist",
        "PDU-32-3P-V",
        2,
        "1430.00",
        "0.1",
        "",
        9.2,
    ),
    Item(
        "service",
        "Installation and burn-in, on site, with protocol",
        "Beispiel Integrator GmbH",
        "SV-INST",
        1,
        "3200.00",
    ),
)


def sample(
    language: str = "en",
    *,
    nodes: int = 4,
    prices: str = "some",
    is_draft: bool = False,
    status: Status = Status.OPEN,
    vat: str | None = "0.19",
    items: tuple[Item, ...] = INFERENCE,
) -> Proposal:
    """A proposal for two kinds of nodes in a rack. `prices`: `all`, `some` or `none` of the lines have one."""
    text = translator(language)
    groups = (
        ("inference", "Inference server, 4 × X100 NVL", nodes, items, True),
        ("storage", "Storage server", 2, STORAGE, True),
        ("", text("Rack equipment"), 1, RACK, False),
    )
    rows: list[BomRow] = []
    for number, (node, title, count, lines, is_multiplied) in enumerate(groups, start=1):
        priced = [replace(line, price=_price(line, prices)) for line in lines]
        rows += group_rows(str(number), node, title, count, priced, text=text, is_multiplied=is_multiplied)
    return Proposal(
        language=language,
        labels={key: text(english) for key, english in SHEET_LABELS.items()},
        number="2026-004711",
        title=text("LLM inference cluster, four nodes"),
        customer="Musterwerk AG & Co. KG",
        project="Rechenzentrum Leipzig",
        issuer="Beispiel Integrator GmbH",
        contact="angebote@example.com",
        date_text="2026-12-01",
        date_iso="2026-12-01",
        valid_until_text="2027-01-15",
        status=status,
        status_label=text(status.value),
        status_sentence=text("No check failed, 61 passed, 2 warnings; 3 figures must be confirmed before ordering."),
        is_draft=is_draft,
        draft_reason=text("failed checks: PWR003, RCK004") if is_draft else "",
        summary=(
            Labelled(text("servers"), str(nodes + 2)),
            Labelled(text("GPUs"), str(nodes * 4), "1,504 GB"),
            Labelled(text("input power at full load"), "14.96 kW"),
        ),
        needs_attention=tuple(
            f"{view.code}: {view.message}" for view in _checks(text) if view.outcome is not Outcome.PASS
        ),
        nodes=(_node(nodes, text),),
        racks=(_rack(nodes, text),),
        findings=tuple(view for view in _checks(text) if view.outcome is not Outcome.PASS),
        open_points=(
            OpenPoint("Nordhain NX-760 G5", text("highest inlet temperature"), "AIR001", "35 °C"),
            OpenPoint("Lindqvist LR-42-812", text("load that the rack carries"), "RCK007"),
        ),
        checks=_checks(text),
        waivers=(WaiverView("NET002", "nodes.inference", text("one port is enough"), "J. Beispiel", "2027-03-31"),),
        bom=bill(rows, text, None if vat is None else Decimal(vat)),
        terms=(text("Delivery ten weeks after order, free to the point of use."), text("Payment 30 days net.")),
        sources=SOURCES,
        about=About("0.1.0", "5" * 64, "0123456789abcdef", "1e5", "2026-12-01", 17, 58, 6, text("press or reseller")),
        valid_until_iso="2027-01-15",
        source_urls=("https://docs.example.com/nx-760/technical-guide.pdf", ""),
    )


def _price(line: Item, prices: str) -> str | None:
    if prices == "none":
        return None
    return line.price if prices == "some" else line.price or "199.99"


def _check(
    code: str, outcome: Outcome, severity: Severity, subject: str, title: str, **more: str | tuple[str, ...]
) -> FindingView:
    """A verdict in English."""
    words = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.UNKNOWN: "not decided"}
    view = FindingView(code, severity, severity.value, outcome, words[outcome], subject, title, "")
    return replace(view, **more)  # type: ignore[arg-type]


def _checks(text: Translate) -> tuple[FindingView, ...]:
    guide, brief = SOURCES
    arithmetic = (
        "draw_peak_w = 2 × 250 W + 16 × 10 W + 4 × 400 W + 4 × 14 W + 22.5 W + 210 W = 2548.5 W",
        "capacity_after_psu_loss_w = 1 × 2400 W = 2400 W",
    )
    maker, press = "read in the maker's text", "press or reseller"
    views = (
        _check("AIR001", Outcome.UNKNOWN, Severity.ERROR, "inference", "The inlet air is cool enough",
               message="not decided, because these figures are not known: highest inlet temperature (Nordhain NX-760)"),
        _check("FIT001", Outcome.PASS, Severity.ERROR, "inference.gpu1", "The card fits its slot",
               sources=(guide, brief), grade=maker, place="configuration.yaml:14:7"),
        _check("NET002", Outcome.FAIL, Severity.WARNING, "inference", "The network adapter has two ports in use",
               message="one of two ports is in use", waived="one port is enough"),
        _check("PCI004", Outcome.FAIL, Severity.WARNING, "inference.nic1", "The adapter gets the lanes it was made for",
               message="the adapter gets 8 of its 16 lanes: half of its bandwidth", sources=(brief,),
               fix="use slot 3", grade=press, place="configuration.yaml:31:9"),
        _check("PWR003", Outcome.FAIL, Severity.ERROR, "inference", "The node keeps its load when a supply fails",
               message="peak draw 2,549 W, but 2,400 W remain after one of two supplies fails", grade=maker,
               arithmetic=arithmetic, sources=(guide, brief), fix="fit larger supplies or lower the power cap",
               place="configuration.yaml:22:5"),
        _check("RCK002", Outcome.PASS, Severity.ERROR, "rack1", "No phase is loaded beyond its breaker"),
    )  # fmt: skip
    return tuple(
        replace(
            view,
            severity_label=text(view.severity_label),
            outcome_label=text(view.outcome_label),
            title=text(view.title),
            message=text(view.message),
            fix=text(view.fix),
            grade=text(view.grade),
        )
        for view in views
    )


def _node(nodes: int, text: Translate) -> NodeView:
    return NodeView(
        id="inference",
        title="Inference server, 4 × X100 NVL",
        count=nodes,
        chassis="Nordhain NX-760 G5",
        mode="",
        figures=(
            Labelled(text("input power"), "2,712 W"),
            Labelled(text("heat"), "2,712 W = 9,254 BTU/h"),
            Labelled(text("rack units"), "2 U"),
        ),
        slots=(),
        slot_note="",
        modules=(),
        power=(
            BarView(text("all supplies"), 2548.5, "2,549 W", 2400.0, "2,400 W", 4800.0, "4,800 W", "106.2 %", True),
        ),
        power_lines=(
            ("Acme Server 6542", "2", "250 W", "500 W"),
            ("64 GB DDR5-5600 RDIMM", "16", "10 W", "160 W"),
            ("Vantage X100 NVL 94 GB", "4", "400 W", "1,600 W"),
            ("3.84 TB NVMe U.2", "4", "14 W", "56 W"),
            ("2 × 100 GbE QSFP56", "1", "22.5 W", "22.5 W"),
            (text("chassis: board, fans, management"), "1", "210 W", "210 W"),
            (text("sum"), "", "", "2,549 W"),
        ),
        power_note=text("at 230 V input"),
        psus=(
            PsuView("PSU 1", "2,400 W Titanium", "PSU1", "A"),
            PsuView("PSU 2", "2,400 W Titanium", "PSU2", "B"),
        ),
        power_numbers=(
            (2, 250, 500),
            (16, 10, 160),
            (4, 400, 1600),
            (4, 14, 56),
            (1, 22.5, 22.5),
            (1, 210, 210),
            (None, None, 2548.5),
        ),
    )


def _rack(nodes: int, text: Translate) -> RackView:
    loads = (("A L1", 14.2), ("A L2", 13.1), ("A L3", 26.9), ("B L1", 14.2), ("B L2", 13.1), ("B L3", None))
    bars = tuple(
        BarView(
            name, amps, "" if amps is None else f"{amps} A", 25.6, "25.6 A", is_over=amps is not None and amps > 25.6
        )
        for name, amps in loads
    )
    columns = ("A L1", "A L2", "A L3", "B L1", "B L2", "B L3")
    return RackView(
        id="rack1",
        title="Lindqvist LR-42-812",
        height_u=42,
        items=tuple(RackItem(f"inference {n}", 2 * n - 1, 2, "Nordhain NX-760 G5") for n in range(1, nodes + 1)),
        figures=(
            Labelled(text("power at full load"), "14.96 kW"),
            Labelled(text("weight of nodes and PDUs"), "243.2 kg"),
        ),
        phases=bars,
        feeds=(
            ("A", "1 × PDU 32 A", text("400 V, 32 A, three-phase with neutral")),
            ("B", "1 × PDU 32 A", text("400 V, 32 A, three-phase with neutral")),
        ),
        failure_columns=columns,
        elements=tuple(ElementHead(name, 25.6, "25.6", "A") for name in columns),
        failures=(
            FailureRow(
                text("nothing"),
                ("28 %",) * 6,
                (0.28, 0.26, 0.53, 0.28, 0.26, 0.5),
                2,
                loads=(7.168, 6.656, 13.568, 7.168, 6.656, 12.8),
                load_texts=("7.17", "6.66", "13.57", "7.17", "6.66", "12.80"),
            ),
            FailureRow(
                text("feed A"),
                ("", "", "–", "55 %", "51 %", "105 %"),
                (None, None, None, 0.55, 0.51, 1.05),
                5,
                "inference: 1",
                (None, None, None, 14.08, 13.056, 26.88),
                ("lost", "lost", "–", "14.08", "13.06", "26.88"),
                1,
            ),
        ),
    )
