"""The table of power failures."""

from __future__ import annotations

from typing import Any

import pytest

from placement.racking import POLICY, WYE_32, configuration, in_racks, node_record, placed, psu, rack
from rackwright.facts.failures import FailureRowData, FailureTable, replay
from rackwright.facts.racks import build_racks
from rackwright.placement.model import NodePlacement, Placement

SINGLE = {"pdu": "test/single-24", "breaker_a": 32, "voltage_ln_v": 230}
UNITY = POLICY | {"power_factor_ratio": 1.0}


def plain(name: str, data: dict[str, Any]) -> dict[str, Any]:
    return data


def tables(
    placement: Placement, nodes: list[dict[str, Any]], policy: dict[str, Any] | None = None
) -> tuple[FailureTable, ...]:
    used = UNITY | (policy or {})
    return replay(placement, nodes, build_racks(placement, nodes, plain, used), used)


def table(
    power_w: float | None,
    plugs: str,
    *,
    feeds: Any,
    count: int = 1,
    policy: dict[str, Any] | None = None,
    node: dict[str, Any] | None = None,
    **more: Any,
) -> FailureTable:
    config = configuration([rack(feeds=feeds)], [{"id": "n", "rack": "R1", "count": count}], region="eu")
    one: NodePlacement = placed(config, 0, plugs, **more)
    (found,) = tables(in_racks(config, one), [node_record(one, power_w, **(node or {}))], policy)
    return found


def row(found: FailureTable, *lost: str) -> FailureRowData:
    return next(item for item in found.rows if item.lost == lost)


def loads(found: FailureTable, *lost: str) -> dict[str, float | None]:
    return {element.id: load for element, load in zip(found.elements, row(found, *lost).loads, strict=True)}


def test_two_feeds_and_two_supplies() -> None:
    found = table(2300, "AB", feeds={"A": SINGLE, "B": SINGLE})
    assert found.rack == "R1"
    assert [(item.id, item.kind, item.unit, item.limit) for item in found.elements] == [
        ("R1/A1/L", "line", "A", 24),
        ("R1/A1", "pdu", "W", None),
        ("R1/B1/L", "line", "A", 24),
        ("R1/B1", "pdu", "W", None),
        ("n supplies", "supplies", "W", 2800),
    ]
    # 2300 W at the mains and an efficiency of 0.9: the supplies deliver 2070 W together.
    assert [(item.lost, item.loads, item.servers_down) for item in found.rows] == [
        (("nothing lost",), (5, 1150, 5, 1150, 1035), 0),
        (("feed A lost",), (0, 0, 10, 2300, 2070), 0),
        (("feed B lost",), (10, 2300, 0, 0, 2070), 0),
        (("PDU R1/A1 lost",), (0, 0, 10, 2300, 2070), 0),
        (("PDU R1/B1 lost",), (10, 2300, 0, 0, 2070), 0),
        (("n/psu1 lost in one server",), (0, 0, 10, 2300, 2070), 0),
        (("n/psu2 lost in one server",), (10, 2300, 0, 0, 2070), 0),
        (("a fan of n lost in one server",), (5, 1150, 5, 1150, 1035), 0),
    ]
    lost = row(found, "feed A lost")
    assert lost.ratios == (0, None, pytest.approx(10 / 24), None, pytest.approx(2070 / 2800))
    assert lost.worst == 4
    assert {state for item in found.rows[:-1] for _, state in item.nodes} == {"full"}
    assert found.rows[-1].nodes == (("n", "unknown"),)


@pytest.mark.parametrize("state", ["full", "throttled", "down"])
def test_without_a_fan_a_node_runs_as_its_maker_says(state: str) -> None:
    found = table(1000, "AB", feeds={"A": SINGLE, "B": SINGLE}, chassis={"fans": {"after_loss": state}})
    assert row(found, "a fan of n lost in one server").nodes == (("n", state),)


def test_a_supply_lost_in_one_of_several_servers_is_the_worst_of_them() -> None:
    found = table(2300, "AB", feeds={"A": SINGLE, "B": SINGLE}, count=2)
    assert row(found, "nothing lost").loads == (10, 2300, 10, 2300, 1035)
    assert row(found, "n/psu1 lost in one server").loads == (5, 1150, 15, 3450, 2070)


@pytest.mark.parametrize(
    ("throttles", "state", "down"), [(True, "throttled", 0), (False, "down", 1), (None, "overloaded", 0)]
)
def test_too_much_for_the_survivors(throttles: bool | None, state: str, down: int) -> None:
    limits = {} if throttles is None else {"psu": {"is_throttled_after_loss": throttles}}
    found = table(3200, "AB", feeds={"A": SINGLE, "B": SINGLE}, chassis=limits)
    assert row(found, "nothing lost").nodes == (("n", "full"),)
    lost = row(found, "feed B lost")
    assert (lost.nodes, lost.servers_down) == ((("n", state),), down)


def test_a_node_on_one_feed_is_down_without_it() -> None:
    found = table(1000, "AA", feeds={"A": SINGLE, "B": SINGLE}, count=3, supply=psu("C14"))
    lost = row(found, "feed A lost")
    assert (lost.nodes, lost.servers_down, lost.loads) == ((("n", "down"),), 3, (0, 0, 0, 0, 0))


def test_a_domain_on_one_feed_is_down_without_it() -> None:
    domains = [{"name": name, "draw_peak_w": 1800, "input_peak_w": 2000} for name in ("board", "gpu")]
    found = table(4000, "AB", feeds={"A": SINGLE, "B": SINGLE}, domains=["board", "gpu"], node={"psu_domains": domains})
    lost = row(found, "feed B lost")
    assert (lost.nodes, lost.servers_down) == ((("n", "down"),), 1)
    assert loads(found, "feed B lost") == {
        "R1/A1/L": 2000 / 230,
        "R1/A1": 2000,
        "R1/B1/L": 0,
        "R1/B1": 0,
        "n/board supplies": 1800,
        "n/gpu supplies": 0,
    }


def test_unknown_power_leaves_cells_and_states_unknown() -> None:
    found = table(None, "AB", feeds={"A": SINGLE, "B": SINGLE})
    assert row(found, "feed B lost").loads == (None, None, 0, 0, None)
    assert row(found, "feed B lost").nodes == (("n", "unknown"),)
    assert row(found, "nothing lost").ratios == (None,) * 5
    assert row(found, "nothing lost").worst is None


def test_a_line_lost_takes_the_supplies_on_it() -> None:
    # Two servers: psu1 of each on L1 and L3 of feed A, psu2 on L1 and L3 of feed B (line to neutral, 230 V).
    feeds = {name: {**WYE_32, "voltage_ln_v": 230} for name in "AB"}
    found = table(2300, "AB", feeds=feeds, count=2)
    assert loads(found, "nothing lost")["R1/A1/L1"] == 5
    lost = loads(found, "line L1 of R1/A1 lost")
    assert (lost["R1/A1/L1"], lost["R1/A1/L2"], lost["R1/A1/L3"]) == (0, 5, 0)
    assert (lost["R1/B1/L1"], lost["R1/B1/L2"], lost["R1/B1/L3"]) == (10, 5, 0)


def test_a_line_lost_between_lines_takes_both_pairs_that_it_feeds() -> None:
    delta = {"pdu": "test/delta-48", "breaker_a": 60, "voltage_ll_v": 208, "wiring": "delta"}
    # Three servers with one cord each, 10 A in every pair; without L1 only L2-L3 is left.
    found = table(2080, "A", feeds={"A": delta}, count=3)
    assert [round(loads(found, "nothing lost")[f"R1/A1/L{line}"] or 0, 2) for line in (1, 2, 3)] == [17.32] * 3
    lost = row(found, "line L1 of R1/A1 lost")
    assert [round(load or 0, 9) for load in lost.loads[:3]] == [0, 10, 10]
    assert (lost.nodes, lost.servers_down) == ((("n", "down"),), 2)


def test_a_line_of_a_feed_is_lost_in_all_its_pdus() -> None:
    found = table(2300, "AA", feeds={"A": {**WYE_32, "count": 2}}, count=1)
    both = row(found, "line L1 of feed A lost")
    assert (both.nodes, both.servers_down) == ((("n", "down"),), 1)
    assert row(found, "line L1 of R1/A1 lost").nodes == (("n", "full"),)


def test_which_supply_a_line_feeds_may_not_be_known() -> None:
    found = table(2300, "AB", feeds={"A": {**WYE_32, "pdu": "test/unmapped"}, "B": WYE_32})
    lost = row(found, "line L1 of R1/A1 lost")
    assert lost.nodes == (("n", "unknown"),)
    assert loads(found, "line L1 of R1/A1 lost")["R1/B1/L1"] is None
    assert row(found, "feed B lost").nodes == (("n", "full"),)


def test_a_bank_lost_takes_the_supplies_behind_its_breaker() -> None:
    feed = {"pdu": "test/banked", "breaker_a": 30, "voltage_ll_v": 208, "wiring": "delta"}
    found = table(2080, "AB", feeds={"A": feed, "B": feed}, count=2)
    elements = {element.id: element for element in found.elements}
    assert elements["R1/A1 bank L1-L2"].limit == 20
    before, lost = loads(found, "nothing lost"), loads(found, "bank L1-L2 of R1/A1 lost")
    assert (before["R1/A1 bank L1-L2"], before["R1/B1 bank L1-L2"], before["R1/A1 bank L2-L3"]) == (5, 5, 5)
    assert (lost["R1/A1 bank L1-L2"], lost["R1/B1 bank L1-L2"], lost["R1/A1 bank L2-L3"]) == (0, 10, 5)


def test_pairs_on_request() -> None:
    feeds = {"A": SINGLE, "B": SINGLE}
    found = table(2300, "AB", feeds=feeds, policy={"replay_pairs": True})
    pairs = [item.lost for item in found.rows if len(item.lost) == 2]
    # Feed, PDU and supply on one side are the same loss here: only one of either side makes a pair.
    assert ("feed A lost", "feed B lost") in pairs
    assert ("feed A lost", "PDU R1/A1 lost") not in pairs
    assert {(item.nodes, item.servers_down) for item in found.rows if len(item.lost) == 2} == {((("n", "down"),), 1)}
    assert not [item for item in table(2300, "AB", feeds=feeds).rows if len(item.lost) == 2]


def test_the_sheet_shows_each_step() -> None:
    feeds = {name: {**WYE_32, "voltage_ln_v": 230} for name in "AB"}
    found = table(2300, "AB", feeds=feeds, count=2).sheet
    both, one = found.steps
    assert (both.alive, both.supplies, both.draw_w, both.output_w, both.rated_w) == (2, 2, 2070, 1035, 2800)
    assert (both.efficiency_ratio, both.input_w, both.apparent_va) == (0.9, 1150, 1150)
    assert (both.voltage_v, both.cord_a) == (230, 5)
    assert (one.alive, one.output_w, one.input_w, one.cord_a) == (1, 2070, 2300, 10)
    line = found.lines[0]
    assert (line.id, line.worst_loss, line.breaker_a, line.breaker_use_ratio) == ("R1/A1/L1", "feed B lost", 32, 1.0)
    assert [(item.section, item.cords, item.normal_a, item.worst_a) for item in line.sections] == [
        ("L1", ("n 1 psu1",), (5,), (10,))
    ]
    cord = found.cords[0]
    assert (cord.psu, cord.number, cord.pdu, cord.outlet, cord.section) == ("n/psu1", 1, "R1/A1", "C19 25", "L1")


def test_racks_without_pdus_have_no_table() -> None:
    config = configuration([rack()], [{"id": "n", "rack": "R1"}])
    one = placed(config, 0)
    assert tables(in_racks(config, one), [node_record(one, 1000)]) == ()


def test_sixty_racks_with_500_nodes_have_a_table_each() -> None:
    racks = [rack(f"R{i}", feeds={"A": {**WYE_32, "count": 2}, "B": {**WYE_32, "count": 2}}) for i in range(60)]
    nodes = [{"id": f"n{i}", "rack": f"R{i}", "count": 9 if i < 20 else 8} for i in range(60)]
    config = configuration(racks, nodes, region="eu")
    made = [placed(config, i, "AAABBB") for i in range(60)]
    placement = in_racks(config, *made)
    assert sum(len(item.nodes) for item in placement.racks) == 500
    records = [node_record(node, 6000) for node in made]
    assert len(tables(placement, records)) == 60


def test_400_kilowatts_and_a_busway_of_1000_a_do_not_overflow() -> None:
    feed = {**WYE_32, "breaker_a": 1000, "count": 12}
    found = table(100_000, "AAABBB", feeds={"A": feed, "B": feed}, count=4)
    left = loads(found, "feed B lost")
    assert sum(left[f"R1/A{number}"] or 0 for number in range(1, 13)) == pytest.approx(400_000)
