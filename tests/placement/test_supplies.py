"""Power supplies: bays, domains, feeds and the voltage at their inlets."""

from __future__ import annotations

from typing import Any

import pytest

from placement.builders import chassis, line, part, placed
from rackwright.configuration import Feed
from rackwright.placement.supplies import inlet_voltage_v

PSU = part("psu", "psu", output_w=2000.0)


def site(*feeds: str, **data: Any) -> dict[str, Any]:
    feed = {"pdu": "test/pdu", "breaker_a": 32.0, **data}
    return {"racks": [{"id": "R1", "part": "test/rack", "feeds": dict.fromkeys(feeds, feed)}]}


def places(node) -> list[tuple[str | None, str, str | None]]:  # type: ignore[no-untyped-def]
    return [(psu.bay, psu.domain, psu.feed) for psu in node.psus]


@pytest.mark.parametrize(
    ("feed", "voltage_v"),
    [
        ({"wiring": "wye", "voltage_ll_v": 400.0}, 230.94),
        ({"wiring": "wye", "voltage_ln_v": 230.0, "voltage_ll_v": 400.0}, 230.0),
        ({"wiring": "delta", "voltage_ll_v": 208.0}, 208.0),
        ({"wiring": "single", "voltage_ln_v": 230.0}, 230.0),
        ({"wiring": "single", "voltage_ll_v": 208.0}, 208.0),
        ({"wiring": "wye"}, None),
        ({"wiring": "delta", "voltage_ln_v": 120.0}, None),
    ],
)
def test_the_voltage_of_a_feed_follows_its_wiring(feed: dict[str, Any], voltage_v: float | None) -> None:
    found = inlet_voltage_v(Feed(pdu="test/pdu", breaker_a=16.0, **feed))
    assert found == (None if voltage_v is None else pytest.approx(voltage_v, abs=0.005))


def test_supplies_fill_the_bays_and_each_feed_gets_half() -> None:
    box = chassis(psu={"bays": 4})
    node, _ = placed([box, PSU], [line(PSU, 4)], site("A", "B", voltage_ln_v=230.0), rack="R1")
    assert places(node) == [("1", "node", "A"), ("2", "node", "A"), ("3", "node", "B"), ("4", "node", "B")]
    assert node.input_voltage_v == 230.0


def test_an_odd_number_gives_the_first_feed_one_more() -> None:
    box = chassis(psu={"bays": 3})
    node, _ = placed([box, PSU], [line(PSU, 3)], site("A", "B"), rack="R1")
    assert [psu.feed for psu in node.psus] == ["A", "A", "B"]


def test_each_domain_is_spread_over_the_feeds_on_its_own() -> None:
    domains = {"board": {"bays": ["1", "2"], "feeds": ["fans"]}, "gpu": {"bays": ["3", "4"], "feeds": ["cards"]}}
    box = chassis(psu={"bays": 4, "domains": domains})
    node, _ = placed([box, PSU], [line(PSU, 4)], site("A", "B"), rack="R1")
    assert places(node) == [("1", "board", "A"), ("2", "board", "B"), ("3", "gpu", "A"), ("4", "gpu", "B")]


def test_a_supply_beyond_the_bays_has_none() -> None:
    node, _ = placed([chassis(psu={"bays": 1}), PSU], [line(PSU, 2)])
    assert [(psu.has_bay, psu.domain) for psu in node.psus] == [(True, "node"), (False, "")]


def test_unknown_bays_are_not_known() -> None:
    node, _ = placed([chassis(), PSU], [line(PSU, 2)], {"voltage_v": 230.0})
    assert [(psu.bay, psu.has_bay, psu.domain) for psu in node.psus] == [(None, None, "node")] * 2
    assert [psu.input_voltage_v for psu in node.psus] == [230.0, 230.0]


def test_the_user_chooses_feed_and_bay() -> None:
    box = chassis(psu={"bays": 2})
    lines = [line(PSU, 1, feed="B", bay="2"), line(PSU, 1)]
    node, _ = placed([box, PSU], lines, site("A", "B"), rack="R1")
    assert places(node) == [("2", "node", "B"), ("1", "node", "B")]


def test_unequal_voltages_leave_the_node_without_one() -> None:
    feeds = {
        "A": {"pdu": "test/pdu", "breaker_a": 16.0, "voltage_ln_v": 230.0},
        "B": {"pdu": "test/pdu", "breaker_a": 16.0, "voltage_ln_v": 208.0},
    }
    where = {"racks": [{"id": "R1", "part": "test/rack", "feeds": feeds}]}
    node, _ = placed([chassis(psu={"bays": 2}), PSU], [line(PSU, 2)], where, racks=["R1"])
    assert [psu.input_voltage_v for psu in node.psus] == [230.0, 208.0]
    assert node.input_voltage_v is None


def test_a_node_without_supplies_has_the_voltage_of_its_feeds() -> None:
    node, _ = placed([chassis()], [], site("A", voltage_ln_v=230.0), rack="R1")
    assert node.input_voltage_v == 230.0
