"""Panels, UPS and busways: the sums over racks, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from placement.racking import POLICY, WYE_32, at, configuration, in_racks, node_record, placed, rack
from rackwright.facts.sources import build_sources
from rackwright.placement.racks import place_racks

UNITY = POLICY | {"power_factor_ratio": 1.0}


def sources(limits: list[dict[str, Any]], power_w: float | None = 2300, racks: int = 3) -> list[dict[str, Any]]:
    feeds = {name: {**WYE_32, "voltage_ln_v": 230, "source": f"UPS-{name}"} for name in "AB"}
    nodes = [{"id": f"n{i}", "rack": f"R{i}", "count": 3} for i in range(racks)]
    config = configuration([rack(f"R{i}", feeds=feeds) for i in range(racks)], nodes, region="eu", sources=limits)
    made = [placed(config, i, "AB") for i in range(racks)]
    records = [node_record(node, power_w) for node in made]
    return build_sources(in_racks(config, *made), records, lambda _, data: data, UNITY)


def test_each_ups_carries_half_and_all_when_the_other_is_lost() -> None:
    one, other = sources([{"id": "UPS-A", "power_max_w": 25_000, "current_max_a": 100}, {"id": "UPS-B"}])
    # Three racks with three servers of 2300 W each: 20.7 kW. One server a line and rack: 3 x 10 A on one side.
    assert (one["power_normal_w"], one["power_worst_w"], one["worst_failure"]) == (10_350, 20_700, "UPS-B lost")
    assert one["line_worst_a"] == pytest.approx(30)
    assert (one["has_power_limit"], one["power_limit_w"], one["current_limit_a"]) == (True, 25_000, 100)
    assert (other["has_power_limit"], other["has_current_limit"]) == (False, False)


def test_unknown_power_is_unknown_for_what_carries_it() -> None:
    one, _ = sources([{"id": "UPS-A"}, {"id": "UPS-B"}], None)
    assert not {"power_normal_w", "power_worst_w", "worst_failure", "line_worst_a"} & set(one)
    assert [(node["id"], field) for node, field in one["_because"]["power_worst_w"]] == [
        (f"n{number}", "input_peak_w") for number in range(3)
    ]


def test_without_sources_there_are_no_records() -> None:
    config = configuration([rack(feeds={"A": WYE_32})], [{"id": "n", "rack": "R1"}])
    one = placed(config, 0, "A")
    assert build_sources(in_racks(config, one), [node_record(one, 1)], lambda _, data: data, UNITY) == []


def test_a_busway_of_1000_a_carries_400_kw_in_each_of_two_racks() -> None:
    feed = {**WYE_32, "voltage_ln_v": 230, "breaker_a": 1000, "count": 12, "source": "busway"}
    nodes = [{"id": f"n{i}", "rack": f"R{i}", "count": 6} for i in range(2)]
    racks = [rack(f"R{i}", feeds={"A": feed}) for i in range(2)]
    config = configuration(racks, nodes, region="eu", sources=[{"id": "busway", "current_max_a": 1000}])
    made = [placed(config, i, "AAAAAA") for i in range(2)]
    records = [node_record(node, 400_000 / 6) for node in made]
    (found,) = build_sources(in_racks(config, *made), records, lambda _, data: data, UNITY)
    assert found["power_worst_w"] == pytest.approx(800_000)
    # 800 kW over three lines of 230 V: 1159 A each, more than the busway carries.
    assert found["line_worst_a"] == pytest.approx(800_000 / 3 / 230)


def test_a_feed_on_a_source_that_the_site_does_not_have_is_told() -> None:
    from placement.racking import CATALOG

    config = configuration([rack(feeds={"A": {**WYE_32, "source": "UPS-X"}})], [{"id": "n", "rack": "R1"}])
    _, findings = place_racks(config, (placed(config, 0, "A"),), CATALOG, at)
    assert [(item.code, str(item.message)) for item in findings] == [("CFG026", "the site has no source UPS-X")]
