"""Supplies and their domains: the worked figures of the power rules."""

from __future__ import annotations

from typing import Any

import pytest

from facts.test_nodes import node_of
from placement.builders import chassis, cpu, gpu, line, part, slot
from rackwright.catalog import Part
from rackwright.facts.psus import efficiency_at_full_load, is_voltage_in_range, output_w, psus_spare


def supply(watts: float = 2000.0, name: str = "psu", **data: Any) -> Part:
    ranges = [{"voltage_min_v": 200.0, "voltage_max_v": 240.0, "output_w": watts}]
    return part(
        "psu", name, **{"output_w": watts, "output": ranges, "efficiency_class": "titanium", "inlet": "C14", **data}
    )


TWO_RANGES = [
    {"voltage_min_v": 100.0, "voltage_max_v": 127.0, "output_w": 1000.0},
    {"voltage_min_v": 200.0, "voltage_max_v": 240.0, "output_w": 1600.0},
    {"voltage_min_v": 240.0, "voltage_max_v": 240.0, "output_w": 1500.0, "current": "dc"},
]


@pytest.mark.parametrize(
    ("voltage_v", "expected_w", "is_in_range"),
    [
        (120.0, 1000.0, True),
        (127.5, 1000.0, True),
        (128.0, None, False),
        (199.4, None, False),
        (199.5, 1600.0, True),
        (230.94, 1600.0, True),
        (240.5, 1600.0, True),
        (240.6, None, False),
        (None, None, None),
    ],
)
def test_output_depends_on_the_voltage(
    voltage_v: float | None, expected_w: float | None, is_in_range: bool | None
) -> None:
    psu = supply(name="two", output=TWO_RANGES)
    assert (output_w(psu, voltage_v), is_voltage_in_range(psu, voltage_v)) == (expected_w, is_in_range)


def test_without_ranges_nothing_is_known() -> None:
    psu = part("psu", "plain", output_w=2000.0)
    assert (output_w(psu, 230.0), is_voltage_in_range(psu, 230.0)) == (None, None)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"efficiency_class": "titanium"}, 0.91),
        ({"efficiency_class": "platinum"}, 0.91),
        ({"efficiency_class": "gold"}, 0.88),
        ({"efficiency_class": "silver"}, 0.85),
        ({"efficiency_class": "bronze"}, 0.81),
        ({}, None),
        ({"efficiency_class": "gold", "efficiency": [{"load_ratio": 0.5, "efficiency_ratio": 0.95}]}, 0.88),
        ({"efficiency_class": "gold", "efficiency": [{"load_ratio": 1.0, "efficiency_ratio": 0.93}]}, 0.93),
    ],
)
def test_efficiency_is_the_makers_or_that_of_the_class(data: dict[str, Any], expected: float | None) -> None:
    assert efficiency_at_full_load(part("psu", "psu", **data)) == expected


@pytest.mark.parametrize(
    ("output", "voltage_v", "region", "inlet", "expected_a", "limit_a"),
    [
        (2200.0, 230.0, "eu", "C14", 10.51, 10.0),
        (2200.0, 230.0, "na", "C14", 10.51, 15.0),
        (2700.0, 208.0, "na", "C20", 14.26, 20.0),
        (3000.0, 208.0, "other", "C20", 15.85, 16.0),
        (2000.0, 230.0, "jp", "C14", 9.56, None),
        (2000.0, 230.0, None, "C14", 9.56, None),
        (2000.0, 230.0, "eu", None, 9.56, None),
    ],
)
def test_the_inlet_current_and_its_limit(
    *, output: float, voltage_v: float, region: str | None, inlet: str | None, expected_a: float, limit_a: float | None
) -> None:
    psu = supply(output, **({} if inlet == "C14" else {"inlet": inlet}))
    site = {"voltage_v": voltage_v, **({"region": region} if region else {})}
    found = node_of([chassis(psu={"bays": 1}), psu], [line(psu)], site)["psus"][0]
    assert found["inlet_a"] == pytest.approx(expected_a, abs=0.005)
    assert found.get("inlet_max_a") == limit_a


@pytest.mark.parametrize(
    ("redundancy", "count", "spare"),
    [
        ("none", 1, 0),
        ("N+1", 6, 1),
        ("N+1", 1, None),
        ("N+N", 6, 3),
        ("N+N", 3, None),
        ("N+N", 0, None),
        ("3+1", 4, 1),
        ("3+1", 3, None),
        ("2+2", 4, 2),
        ("3+3", 6, 3),
        (None, 2, None),
    ],
)
def test_how_many_supplies_may_fail(redundancy: str | None, count: int, spare: int | None) -> None:
    assert psus_spare(redundancy, count) == spare


def domain(count: int, output: float, redundancy: str | None, feeds: int = 2) -> dict[str, Any]:
    psu = supply(output)
    feed = {"pdu": "test/pdu", "breaker_a": 32.0, "voltage_ll_v": 400.0, "wiring": "wye"}
    site = {"racks": [{"id": "R1", "part": "test/rack", "feeds": dict.fromkeys("AB"[:feeds], feed)}]}
    extra = {"redundancy": redundancy} if redundancy else {}
    node = node_of([chassis(psu={"bays": count}), psu], [line(psu, count)], site, rack="R1", **extra)
    found: dict[str, Any] = node["psu_domains"][0]
    return found


@pytest.mark.parametrize(
    ("count", "output", "redundancy", "all_w", "after_psu_w", "after_feed_w"),
    [
        (6, 900.0, "none", 5400.0, 5400.0, 2700.0),
        (6, 900.0, "N+1", 5400.0, 4500.0, 2700.0),
        (6, 900.0, "N+N", 5400.0, 2700.0, 2700.0),
        (4, 2700.0, "3+1", 10800.0, 8100.0, 5400.0),
        (4, 2700.0, "2+2", 10800.0, 5400.0, 5400.0),
        (3, 2000.0, "N+1", 6000.0, 4000.0, 2000.0),
        (3, 2000.0, "N+N", 6000.0, None, 2000.0),
        (2, 2000.0, None, 4000.0, None, 2000.0),
    ],
)
def test_what_is_left_after_a_loss(
    *, count: int, output: float, redundancy: str | None, all_w: float, after_psu_w: float | None, after_feed_w: float
) -> None:
    found = domain(count, output, redundancy)
    assert found["capacity_w"] == all_w
    assert found.get("capacity_after_psu_loss_w") == after_psu_w
    assert found["capacity_after_feed_loss_w"] == after_feed_w
    assert found["has_two_feeds"] is True
    assert found.get("is_redundancy_possible") == (None if redundancy is None else after_psu_w is not None)


def test_on_one_feed_nothing_is_left_after_its_loss() -> None:
    found = domain(2, 2000.0, "N+1", feeds=1)
    assert (found["has_two_feeds"], found["capacity_after_feed_loss_w"]) == (False, 0)


def test_the_largest_supply_is_the_one_that_fails() -> None:
    big, small = supply(2000.0, "big"), supply(1000.0, "small")
    box = chassis(psu={"bays": 3})
    lines = [line(small, 2), line(big)]
    found = node_of([box, big, small], lines, {"voltage_v": 230.0}, redundancy="N+1")["psu_domains"][0]
    assert (found["capacity_w"], found["capacity_after_psu_loss_w"]) == (4000.0, 2000.0)
    assert "capacity_after_feed_loss_w" not in found
    assert "has_two_feeds" not in found


def test_an_unknown_output_leaves_capacities_unknown_and_says_why() -> None:
    bare = part("psu", "bare", output_w=2000.0)
    node = node_of([chassis(psu={"bays": 1}), bare], [line(bare)], {"voltage_v": 230.0}, redundancy="none")
    found = node["psu_domains"][0]
    assert "capacity_w" not in found
    assert found["_because"].get("capacity_w") == [(node["psus"][0], "output_w")]
    assert node["psus"][0]["_because"].get("output_w") == [(bare.data, "output")]


def test_domains_feed_their_own_parts() -> None:
    domains = {
        "board": {"bays": ["1", "2"], "feeds": ["cpus", "memory", "drives", "fans"], "redundancy": "N+N"},
        "gpu-a": {"bays": ["3", "4"], "feeds": ["G1", "G2"]},
        "gpu-b": {"bays": ["5", "6"], "feeds": ["G3"]},
    }
    box = chassis(slot("G1", "G2", "G3", "4"), psu={"bays": 6, "domains": domains})
    psu, card, option = supply(), gpu(), part("option", "option", power={"max_w": 5.0})
    lines = [line(cpu(), 2), line(card, 4), line(option), line(psu, 6)]
    node = node_of([box, psu, card, cpu(), option], lines, {"voltage_v": 230.0}, redundancy="N+1")
    loads = [[(row["kind"], row["count"]) for row in entry["loads"]] for entry in node["psu_domains"]]
    assert loads == [[("cpu", 2), ("gpu", 1), ("option", 1)], [("gpu", 2)], [("gpu", 1)]]
    assert [entry["carries_base"] for entry in node["psu_domains"]] == [True, False, False]
    assert [entry["redundancy"] for entry in node["psu_domains"]] == ["N+N", "N+1", "N+1"]
    assert [entry["id"] for entry in node["psu_domains"]] == ["n/board", "n/gpu-a", "n/gpu-b"]


def test_the_only_domain_feeds_everything() -> None:
    psu, card = supply(), gpu()
    node = node_of([chassis(slot("1")), psu, card], [line(card), line(psu)], {"voltage_v": 230.0})
    found = node["psu_domains"][0]
    assert (found["name"], found["carries_base"], found["loads"]) == ("node", True, node["lines"])


def test_a_listed_supply_is_known_as_such() -> None:
    psu, other = supply(), supply(name="other")
    box = chassis(psu={"bays": 2, "models": ["test/psu"]})
    node = node_of([box, psu, other], [line(psu), line(other)], {"voltage_v": 230.0})
    assert [entry["is_listed"] for entry in node["psus"]] == [True, False]


def test_an_accepted_voltage_without_a_stated_output_is_no_wrong_voltage() -> None:
    psu = supply(name="wide", input_ranges=[{"voltage_min_v": 100.0, "voltage_max_v": 240.0}])
    assert (output_w(psu, 120.0), is_voltage_in_range(psu, 120.0)) == (None, True)
    assert (output_w(psu, 90.0), is_voltage_in_range(psu, 90.0)) == (None, False)
