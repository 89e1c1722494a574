"""The German sample: a valid order of four servers in two racks, with long names everywhere."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

from rackwright.proposal.labels import LABELS
from rackwright.proposal.model import (
    BarView,
    FailureRow,
    NodeView,
    Proposal,
    PsuView,
    RackItem,
    RackView,
    SlotView,
    TopologyView,
)
from rackwright.proposal.money_model import Labelled
from rackwright.verdict import Status

from .sample import ABOUT, CHECKS, CONFIGURATION, S, bill, finding, head, money, row
from .sample_words import GERMAN

PDU = "Server Technology PRO3X-C3WG36RL-DQJE2NT2 Rack-PDU, 400 V, 32 A, dreiphasig"


def _tree(cpu: int, chassis_cards: int, gpu: str) -> TopologyView:
    cards = [
        TopologyView(
            f"Switch P{cpu}{n}",
            "",
            "switch",
            "",
            (
                TopologyView(f"Slot {cpu}{n}", gpu, "gpu", "Gen5 x16"),
                TopologyView(
                    f"Slot {30 + cpu * 4 + n}", "ConnectX-7 400Gb/s NDR InfiniBand OSFP, 1 Port", "nic", "Gen5 x16"
                ),
            ),
        )
        for n in range(1, chassis_cards + 1)
    ]
    direct = TopologyView("OCP", "BCM57414 25GbE 2-Port OCP 3.0", "nic", "Gen4 x8")
    return TopologyView(
        f"CPU {cpu}", "Xeon Platinum 8592+, 64 Kerne", "cpu", "", (*cards, direct) if cpu == 1 else tuple(cards)
    )


def _changfan(gpu: str) -> NodeView:
    """Eight double-width cards in neighbouring single slots, two bridged groups."""
    slots: list[SlotView] = []
    for n in range(8):
        cpu, first = str(1 + n // 4), f"{2 * n + 1}"
        slots.append(SlotView(first, "hinten", "Gen5 x16", cpu, gpu, "gpu", 1, "belegt", 1 + n // 4))
        slots.append(SlotView(f"{2 * n + 2}", "hinten", "Gen5 x16", cpu, "", "", 1, "verdeckt", covered_by=first))
    slots += [
        SlotView("17", "hinten", "Gen5 x16", "1", "ConnectX-7 400Gb/s NDR InfiniBand OSFP, 1 Port", "nic", 1, "belegt"),
        SlotView("18", "hinten", "Gen5 x16", "2", "", "", 1, "frei"),
    ]
    psus = tuple(
        PsuView(
            f"PSU {n}", "ThinkSystem 2600 W 230V Titanium CRPS Premium Hot-Swap v1.4", f"PS{n}", "AABB"[n - 1], "node"
        )
        for n in range(1, 5)
    )
    name = "NVIDIA RTX PRO 6000 Blackwell Server Edition 96 GB"
    return NodeView(
        id="training",
        title="Trainingsserver mit acht RTX PRO 6000 Blackwell Server Edition",
        count=4,
        chassis="Lenovo ThinkSystem SR680a V3 mit Hochleistungslüftern",
        mode="Acht doppelt breite Steckplätze hinter zwei Switches",
        figures=(
            Labelled("CPU", "2 × Intel Xeon Platinum 8592+"),
            Labelled("Arbeitsspeicher", f"32 × 64 GB DDR5-5600 RDIMM = 2.048{S}GB"),
            Labelled("GPU", f"8 × {name}"),
            Labelled("NVLink", "2 verbundene Gruppen"),
            Labelled("Netzteile", "4 × Lenovo ThinkSystem 2600 W 230V Titanium CRPS Premium Hot-Swap v1.4, 2+2"),
            Labelled("Höchste Leistungsaufnahme", f"6.856{S}W"),
            Labelled("Abwärme", f"7.293{S}W = 24.884{S}BTU/h"),
            Labelled("Höheneinheiten", f"8{S}HE"),
        ),
        slots=tuple(slots),
        slot_note="",
        modules=(),
        power=(
            BarView(
                "Domäne Hauptplatine und Lüfter",
                1650.0,
                f"1.650{S}W",
                2600.0,
                f"2.600{S}W",
                5200.0,
                f"5.200{S}W",
                f"63,5{S}%",
            ),
            BarView("Domäne GPU", 4944.0, f"4.944{S}W", 5200.0, f"5.200{S}W", 10400.0, f"10,4{S}kW", f"95,1{S}%"),
        ),
        power_lines=(
            (name, "8", f"600{S}W", f"4.800{S}W"),
            ("Intel Xeon Platinum 8592+", "2", f"350{S}W", f"700{S}W"),
            ("64 GB DDR5-5600 RDIMM", "32", f"10{S}W", f"320{S}W"),
            ("7,68 TB NVMe U.2", "8", f"20{S}W", f"160{S}W"),
            ("Gehäuse: Platine, Lüfter, Verwaltung", "1", f"876{S}W", f"876{S}W"),
            ("Summe", "", "", f"6.856{S}W"),
        ),
        power_note=f"bei 230{S}V Eingang",
        psus=psus,
        topology=(_tree(1, 4, f"{name[7:]}"), _tree(2, 4, f"{name[7:]}")),
    )


def _rack(rack: str) -> RackView:
    items = [
        RackItem(f"training {n + 1}", 3 + n * 9, 8, "Lenovo ThinkSystem SR680a V3 mit Hochleistungslüftern", "training")
        for n in range(2)
    ]
    items += [
        RackItem("Mgmt-Switch", 42, 1, "48 × 1GbE"),
        RackItem("Leaf", 40, 1, "64 × 400G, RoCE und InfiniBand, zwei Netzteile"),
    ]
    phases = tuple(
        BarView(
            f"{rack}/{pdu} L{n}",
            value,
            f"{str(value).replace('.', ',')}{S}A",
            25.6,
            f"25,6{S}A",
            None,
            "",
            f"{value / 25.6 * 100:.0f}{S}%",
        )
        for pdu, values in (("A1", (18.7, 18.7, 24.9)), ("B1", (18.6, 18.7, 18.7)))
        for n, value in enumerate(values, 1)
    )
    columns = ("A1 L1", "A1 L2", "A1 L3", "B1 L1", "B1 L2", "B1 L3", "Netzteile")
    failures = (
        FailureRow(
            "Einspeisung A",
            ("–", "–", "–", f"73{S}%", f"73{S}%", f"73{S}%", f"95{S}%"),
            (None, None, None, 0.73, 0.73, 0.73, 0.951),
            6,
        ),
        FailureRow(
            "Einspeisung B",
            (f"73{S}%", f"73{S}%", f"97{S}%", "–", "–", "–", f"95{S}%"),
            (0.73, 0.73, 0.97, None, None, None, 0.951),
            2,
        ),
        FailureRow(
            "PSU 1 von training 1",
            (f"37{S}%", f"37{S}%", f"49{S}%", f"37{S}%", f"37{S}%", f"37{S}%", f"64{S}%"),
            (0.37, 0.37, 0.49, 0.37, 0.37, 0.37, 0.64),
            6,
        ),
    )
    return RackView(
        id=rack,
        title="Rittal VX IT 800 × 1200 mm, 42 HE",
        height_u=42,
        items=tuple(items),
        figures=(
            Labelled("Leistung bei Volllast", f"14,59{S}kW"),
            Labelled("Abwärme", f"14,59{S}kW"),
            Labelled("Gewicht der Server und PDUs", f"286{S}kg"),
            Labelled("belegte Höheneinheiten", f"18{S}HE"),
        ),
        phases=phases,
        feeds=(
            ("A", f"1 × {PDU}", f"400{S}V, 32{S}A, dreiphasig Stern"),
            ("B", f"1 × {PDU}", f"400{S}V, 32{S}A, dreiphasig Stern"),
        ),
        failure_columns=columns,
        failures=failures,
    )


def german_valid() -> Proposal:
    """Four nodes with eight cards each in two racks; long names everywhere."""
    name = "NVIDIA RTX PRO 6000 Blackwell Server Edition 96 GB"
    lines = [
        ("1.1", "Lenovo ThinkSystem SR680a V3 mit Hochleistungslüftern", "7DHECTO1WW", 1, "18250.00", "0.18"),
        ("1.2", "Intel Xeon Platinum 8592+", "4XG7A90123", 2, "11600.00", "0.18"),
        ("1.3", "64 GB DDR5-5600 RDIMM", "4X77A88087", 32, "690.00", "0.12"),
        ("1.4", name, "900-2G153-0000-000", 8, "9950.00", "0.10"),
        ("1.5", "NVLink-Brücke, zwei Karten", "900-53651-2500-000", 4, "", ""),
        (
            "1.6",
            "ConnectX-7 400Gb/s NDR InfiniBand OSFP, 1 Port, PCIe Gen5 x16",
            "MCX75310AAS-NEAT-N",
            9,
            "2890.00",
            "0.20",
        ),
        (
            "1.7",
            "Lenovo ThinkSystem 2600 W 230V Titanium CRPS Premium Hot-Swap v1.4",
            "4P57A87750",
            4,
            "780.00",
            "0.18",
        ),
        (
            "1.8",
            "HPE ProLiant Compute 27C Maximum Recommended Ambient Temperature Configuration Tracking",
            "P81234-B21",
            1,
            "1.00",
            "",
        ),
    ]
    rows = [
        row(pos, title, mpn, count, price or "310.00", groups=4, language="de", discount=discount)
        for pos, title, mpn, count, price, discount in lines
    ]
    total = sum((r.net_total for r in rows if r.net_total is not None), Decimal(0))
    rows.insert(
        0,
        head(
            "1",
            "Trainingsserver mit acht RTX PRO 6000 Blackwell Server Edition",
            "training",
            4,
            total_text=money(total, "de"),
            total=total,
        ),
    )
    pdu = row(
        "2.1",
        PDU,
        "PRO3X-C3WG36RL-DQJE2NT2",
        4,
        "1180.00",
        groups=1,
        language="de",
        discount="0.15",
    )
    rows += [head("2", "Rack-Ausstattung", "", 1, total_text=pdu.net_total_text, total=pdu.net_total), pdu]
    bom = bill(rows, "de", "Alle Positionen haben einen Preis.", f"USt. 19{S}%", complete=True)
    warning = finding(
        "PWR011",
        "warning",
        "fail",
        "Nach dem Ausfall einer Einspeisung bleiben 10 % Reserve",
        severity_label="Warnung",
        subject="training",
        message=f"mit zwei von vier Netzteilen liegt die Last bei 95,1{S}% ihrer Leistung; "
        f"die Regel verlangt 10{S}% Reserve, es bleiben 4,9{S}%",
        fix="Leistung der GPUs auf 560 W begrenzen (etwa 3 % weniger Durchsatz) oder größere Netzteile wählen.",
        place="angebote/training.yaml:22:5",
        arithmetic=("draw_peak_w / capacity_after_feed_loss_w = 4944 W / 5200 W = 0.951",),
        sources=("Lenovo Press LP1909, ThinkSystem SR680a V3, S. 41 (gelesen am 2026-11-12)",),
        grade="im Text des Herstellers gelesen",
    )
    passed = [
        finding(f"FIT{n:03d}", "error", "pass", title, subject=f"gpu {g}")
        for n, title in enumerate(CHECKS, 1)
        for g in range(1, 9)
    ]
    passed = [dataclasses.replace(view, outcome_label="bestanden") for view in passed]
    return Proposal(
        language="de",
        labels={**LABELS, **GERMAN},
        number="Q-2026-0118 Rev. 1",
        title="Trainingscluster mit 32 GPUs für die Dokumentenverarbeitung",
        customer="Musterwerk Datenverarbeitungsgesellschaft mbH & Co. KG",
        project="Rechenzentrum Leipzig, Bauabschnitt 2",
        issuer="Beispiel Integrator GmbH",
        contact="angebote@example.com",
        date_text="1. Dezember 2026",
        date_iso="2026-12-01",
        valid_until_text="15. Januar 2027",
        status=Status.VALID,
        status_label="gültig",
        status_sentence="81 Prüfungen bestanden, keine durchgefallen, 1 Warnung.",
        is_draft=False,
        draft_reason="",
        summary=(
            Labelled("Server", "4"),
            Labelled("GPUs", "32", f"3.072{S}GB Grafikspeicher"),
            Labelled("Eingangsleistung bei Volllast", f"29,17{S}kW"),
            Labelled("Gesamtpreis", bom.total_text),
        ),
        needs_attention=(f"PWR011: {warning.message}",),
        nodes=(_changfan(name[7:]),),
        racks=(_rack("R1"), _rack("R2")),
        findings=(warning,),
        open_points=(),
        checks=(*passed, dataclasses.replace(warning, outcome_label="durchgefallen")),
        waivers=(),
        bom=bom,
        terms=(
            "Frei Verwendungsstelle Leipzig (DAP, Incoterms 2020)",
            f"30{S}Tage netto, 2{S}% Skonto innerhalb von 10{S}Tagen",
            "Bindefrist bis 15. Januar 2027, danach freibleibend",
        ),
        sources=(
            "Lenovo Press LP1909, ThinkSystem SR680a V3, S. 41 (gelesen am 2026-11-12)",
            "NVIDIA RTX PRO 6000 Blackwell Server Edition, Produktblatt, S. 2 (gelesen am 2026-11-14)",
        ),
        about=dataclasses.replace(ABOUT, weakest_grade="im Text des Herstellers gelesen"),
        configuration_text=CONFIGURATION,
    )
