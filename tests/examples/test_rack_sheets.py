"""The printed work sheets of the rack examples: what an electrician redoes line by line, worked out by hand here."""

from __future__ import annotations

from functools import cache

from examples.running import EXAMPLES
from rackwright import api
from rackwright.api.documents import priced, proposal_of
from rackwright.proposal.model import RackView


@cache
def rack(name: str) -> RackView:
    run, findings = api.validate_file(EXAMPLES / name / "configuration.yaml", api.load_workshop())
    assert run is not None, findings
    return proposal_of(run, priced(run)[0], "2026-12-01", plain=True).racks[0]


def test_from_the_draw_to_the_cord() -> None:
    both, one = rack("rack-ab").sheets.steps
    # 2300 / 2 = 1150; / 2800 = 41.07 %; 94 + 2 x (41.0714 - 20) / 30 = 95.40 %; 1150 / 0.954048 = 1205.4; / 0.98 / 230
    assert (both.where, both.alive_text, both.draw_text, both.output_text) == (
        "infer",
        "2 of 2",
        "2 300.0 W",
        "1 150.0 W",
    )
    assert (both.rated_text, both.load_text, both.efficiency_text) == ("2 800 W", "41.07 %", "95.40 %")
    assert (both.input_text, both.apparent_text, both.voltage_text) == ("1 205.4 W", "1 230.0 VA", "230.0 V")
    assert (both.cord_text, both.limit_text, both.is_over) == ("5.348 A", "16.0 A", False)
    # 2300 / 2800 = 82.14 %; 96 - 5 x (82.1429 - 50) / 50 = 92.79 %; 2478.8 W; 2529.4 VA; 10.997 A
    assert (one.alive_text, one.load_text, one.efficiency_text) == ("1 of 2", "82.14 %", "92.79 %")
    assert (one.input_text, one.apparent_text, one.cord_text) == ("2 478.8 W", "2 529.4 VA", "10.997 A")


def test_from_the_cords_to_the_lines_of_a_wye() -> None:
    lines = {line.label: line for line in rack("rack-ab").sheets.lines}
    first = lines["R1/A1/L1"]
    assert first.cords == "infer 1 psu1, infer 4 psu1"
    assert (first.normal_text, first.worst_text) == ("2 × 5.348 = 10.70 A", "2 × 10.997 = 21.99 A")
    assert (first.worst_loss, first.limit_text) == ("feed B lost", "32.00 A × 100 % = 32.00 A; PDU 32.00 A")
    assert first.share_text == "68.7 %"  # 21.995 / 32
    # Two lines with 10.997 A, one with 21.995 A: the neutral carries their difference.
    assert lines["R1/A1/N"].worst_text == "11.00 A"


def test_from_the_cords_to_the_lines_of_a_delta() -> None:
    lines = {line.label: line for line in rack("rack-ab-us").sheets.lines}
    first = lines["R1/A1/L1"]
    assert first.cords == "L1-L2: infer 1 psu1, infer 4 psu1 · L3-L1: infer 3 psu1"
    assert first.worst_text == "L1-L2: 2 × 12.161 = 24.32 · L3-L1: 12.16 · √(24.32² + 12.16² + 24.32 × 12.16) = 32.17 A"
    assert first.limit_text == "60.00 A × 80 % = 48.00 A; PDU 48.00 A"
    assert first.share_text == "67 %"  # 32.174 / 48


def test_the_matrix_names_what_is_tightest() -> None:
    found = {row.lost: row for row in rack("rack-ab-us").failures}
    lost = found["line L1 of R1/A1 lost"]
    # Without L1 only the cord between L2 and L3 is left on A: 5.91 A. B carries the other three servers alone.
    assert lost.load_texts == ("lost", "5.91", "5.91", "1 205", "32.17", "27.75", "15.96", "8 642", "2 300")
    assert lost.cells == ("", "12.3 %", "12.3 %", "–", "67 %", "57.8 %", "33.3 %", "–", "82.1 %")
    assert (lost.worst, lost.nodes, lost.servers_down) == (8, "infer: full power", 0)
    assert found["a fan of infer lost in one server"].nodes == "infer: not known"
