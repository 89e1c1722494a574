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


def tables(placement: Placement, nodes: list[dict[str, Any]]) -> tuple[FailureTable, ...]:
    return replay(placement, nodes, build_racks(placement, nodes, plain, UNITY), UNITY)


def table(power_w: float | None, plugs: str, *, feeds: Any, count: int = 1, **more: Any) -> FailureTable:
    config = configuration([rack(feeds=feeds)], [{"id": "n", "rack": "R1", "count": count}], region="eu")
    one: NodePlacement = placed(config, 0, plugs, **more)
    (found,) = tables(in_racks(config, one), [node_record(one, power_w)])
    return found


def row(found: FailureTable, lost: str) -> FailureRowData:
    return next(item for item in found.rows if item.lost == lost)


def test_two_feeds_and_two_supplies() -> None:
    found = table(2300, "AB", feeds={"A": SINGLE, "B": SINGLE})
    assert found.rack == "R1"
    assert found.columns == ("R1/A1/L", "R1/A1", "R1/B1/L", "R1/B1", "n supplies")
    assert found.units == ("A", "W", "A", "W", "W")
    assert [(item.lost, item.loads, item.servers_down) for item in found.rows] == [
        ("nothing lost", (5, 1150, 5, 1150, 1150), 0),
        ("feed A lost", (0, 0, 10, 2300, 2300), 0),
        ("feed B lost", (10, 2300, 0, 0, 2300), 0),
        ("PDU R1/A1 lost", (0, 0, 10, 2300, 2300), 0),
        ("PDU R1/B1 lost", (10, 2300, 0, 0, 2300), 0),
        ("n/psu1 lost in one server", (0, 0, 10, 2300, 2300), 0),
        ("n/psu2 lost in one server", (10, 2300, 0, 0, 2300), 0),
    ]
    assert row(found, "feed A lost").limits == (24, None, 24, None, 2800 / 0.9)
    assert row(found, "feed A lost").ratios == (0, None, pytest.approx(10 / 24), None, pytest.approx(2300 * 0.9 / 2800))
    assert {state for item in found.rows for _, state in item.nodes} == {"full"}


def test_a_supply_lost_in_one_of_several_servers_is_the_worst_of_them() -> None:
    found = table(2300, "AB", feeds={"A": SINGLE, "B": SINGLE}, count=2)
    assert row(found, "nothing lost").loads == (10, 2300, 10, 2300, 1150)
    assert row(found, "n/psu1 lost in one server").loads == (5, 1150, 15, 3450, 2300)


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
    found = table(4000, "AB", feeds={"A": SINGLE, "B": SINGLE}, domains=["board", "gpu"])
    lost = row(found, "feed B lost")
    assert (lost.nodes, lost.servers_down) == ((("n", "down"),), 1)
    assert row(found, "feed B lost").loads == (2000 / 230, 2000, 0, 0, 2000)


def test_unknown_power_leaves_cells_and_states_unknown() -> None:
    found = table(None, "AB", feeds={"A": SINGLE, "B": SINGLE})
    assert row(found, "feed B lost").loads == (None, None, 0, 0, None)
    assert row(found, "feed B lost").nodes == (("n", "unknown"),)
    assert row(found, "nothing lost").ratios == (None,) * 5


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
    cells = zip(found.columns, found.units, row(found, "feed B lost").loads, strict=True)
    watts = [load or 0 for column, unit, load in cells if column.startswith("R1/A") and unit == "W"]
    assert sum(watts) == pytest.approx(400_000)
