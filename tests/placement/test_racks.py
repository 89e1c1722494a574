"""Servers in racks and cords in outlets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.placement.model import RackPlacement
from rackwright.placement.outlets import outlet_kinds
from rackwright.placement.racks import place_racks

from .racking import CATALOG, WYE_32, at, configuration, in_racks, part, placed, psu, rack

AB = {"A": WYE_32, "B": WYE_32}


def one_rack(nodes: list[dict[str, Any]], plugs: str = "AB", supply: Any = None, **values: Any) -> RackPlacement:
    config = configuration([rack(**values)], [{"rack": "R1", **node} for node in nodes])
    return in_racks(config, *(placed(config, i, plugs, supply=supply) for i in range(len(nodes)))).racks[0]


def units(result: RackPlacement) -> list[tuple[str, int, int]]:
    return [(server.node, server.number, server.unit_low_u) for server in result.nodes]


def test_servers_stand_contiguously_from_the_bottom() -> None:
    result = one_rack([{"id": "n", "count": 3}])
    assert units(result) == [("n", 1, 1), ("n", 2, 5), ("n", 3, 9)]
    assert (result.units_used_u, result.unplaced) == (12, 0)


def test_heavier_nodes_stand_lower_if_all_weights_are_known() -> None:
    config = configuration([rack()], [{"id": "light", "rack": "R1"}, {"id": "heavy", "rack": "R1"}])
    light = placed(config, 0, chassis={"weight_kg": 30, "rack": {"height_u": 8}})
    heavy = placed(config, 1, chassis={"weight_kg": 60, "rack": {"height_u": 2}})
    assert units(in_racks(config, light, heavy).racks[0]) == [("heavy", 1, 1), ("light", 1, 3)]


def test_higher_nodes_stand_lower_if_a_weight_is_not_known() -> None:
    config = configuration([rack()], [{"id": "low", "rack": "R1"}, {"id": "high", "rack": "R1"}])
    low = placed(config, 0, chassis={"weight_kg": 30, "rack": {"height_u": 2}})
    high = placed(config, 1, chassis={"rack": {"height_u": 8}})
    assert units(in_racks(config, low, high).racks[0]) == [("high", 1, 1), ("low", 1, 9)]


def test_a_stated_unit_is_kept_and_the_rest_stands_around_it() -> None:
    result = one_rack([{"id": "free", "count": 2}, {"id": "pinned", "count": 2, "unit": 3}])
    assert units(result) == [("pinned", 1, 3), ("pinned", 2, 7), ("free", 1, 11), ("free", 2, 15)]


def test_a_stated_unit_that_is_taken_or_not_there_leaves_the_server_unplaced() -> None:
    result = one_rack([{"id": "a", "unit": 3}, {"id": "b", "unit": 5}, {"id": "c", "unit": 40}])
    assert (units(result), result.unplaced) == ([("a", 1, 3)], 2)


def test_servers_without_contiguous_units_are_counted() -> None:
    result = one_rack([{"id": "n", "count": 12}])
    assert (len(result.nodes), result.unplaced, result.units_used_u) == (10, 2, 40)


def test_free_units_limit_nodes_and_pdus_together() -> None:
    feeds = {"A": {"pdu": "test/single-24", "breaker_a": 30, "voltage_ll_v": 208}}
    result = one_rack([{"id": "n", "count": 3}], "A", feeds=feeds, free_u=10)
    assert (units(result), result.unplaced, result.units_used_u) == ([("n", 1, 1), ("n", 2, 5)], 1, 10)


def test_pdus_with_units_stand_at_the_top() -> None:
    feeds = {"A": {"pdu": "test/single-24", "breaker_a": 30, "voltage_ll_v": 208}}
    assert one_rack([{"id": "n", "unit": 37}], "A", feeds=feeds).unplaced == 0
    assert one_rack([{"id": "n", "unit": 38}], "A", feeds=feeds).unplaced == 1


def test_a_server_of_unknown_height_takes_no_units() -> None:
    config = configuration([rack()], [{"id": "n", "rack": "R1", "count": 2}])
    result = in_racks(config, placed(config, 0, chassis={"rack": {}})).racks[0]
    assert units(result) == [("n", 1, 0), ("n", 2, 0)]


def test_a_node_is_spread_over_its_racks() -> None:
    config = configuration([rack("R1"), rack("R2", "test/low-rack")], [{"id": "n", "racks": ["R1", "R2"], "count": 7}])
    first, second = in_racks(config, placed(config, 0)).racks
    assert units(first) == [("n", 1, 1), ("n", 2, 5), ("n", 3, 9), ("n", 4, 13), ("n", 5, 17)]
    assert units(second) == [("n", 6, 1), ("n", 7, 5)]


def test_a_rack_of_unknown_height_is_never_full() -> None:
    catalog = type(CATALOG)({**CATALOG.parts, "test/any": part("rack", "test/any")})
    config = configuration([rack(part_id="test/any")], [{"id": "n", "rack": "R1", "count": 100}])
    racks, _ = place_racks(config, (placed(config, 0),), catalog, at)
    assert (racks[0].unplaced, racks[0].nodes[-1].unit_low_u) == (0, 397)


def findings_of(config: Any) -> list[tuple[str, str, str]]:
    _, findings = place_racks(config, (), CATALOG, at)
    return [(item.code, str(item.message), str(item.fix)) for item in findings]


def test_unknown_rack_part_gets_the_nearest_names() -> None:
    code, message, fix = findings_of(configuration([rack(part_id="test/rak")], [{"id": "n"}]))[0]
    assert (code, message) == ("CFG020", "no part of the catalog is called test/rak")
    assert fix.startswith("did you mean test/rack")


def test_unknown_pdu_and_part_of_a_wrong_kind() -> None:
    feeds = {"A": {"pdu": "test/psu", "breaker_a": 16}, "B": {"pdu": "test/nothing-like-it", "breaker_a": 16}}
    codes = [code for code, _, _ in findings_of(configuration([rack(feeds=feeds)], [{"id": "n"}]))]
    assert codes == ["CFG021", "CFG020"]


def test_a_rack_that_the_site_does_not_have() -> None:
    config = configuration([rack("R1"), rack("R2")], [{"id": "n", "rack": "R9"}, {"id": "m", "racks": ["R1", "R8"]}])
    assert findings_of(config) == [
        ("CFG026", "the site has no rack R9", "racks of this site: R1, R2"),
        ("CFG026", "the site has no rack R8", "racks of this site: R1, R2"),
    ]


def test_a_feed_that_the_rack_does_not_have() -> None:
    line = {"part": "test/psu", "feed": "C"}
    found = findings_of(configuration([rack(feeds=AB)], [{"id": "n", "rack": "R1", "parts": [line]}]))
    assert found == [("CFG026", "the racks of n have no feed C", "feeds there: A, B")]


def test_a_feed_wired_in_another_way_than_its_pdu() -> None:
    feeds = {"A": {"pdu": "test/wye-32", "breaker_a": 32, "voltage_ll_v": 400}}
    code, message, _ = findings_of(configuration([rack(feeds=feeds)], [{"id": "n"}]))[0]
    assert (code, message) == ("CFG027", "the feed is wired single, but the outlets of test/wye-32 are wired wye")


def test_a_single_phase_pdu_may_stand_on_one_phase_of_a_wye() -> None:
    feeds = {"A": {"pdu": "test/single-24", "breaker_a": 32, "voltage_ll_v": 400, "wiring": "wye"}}
    assert findings_of(configuration([rack(feeds=feeds)], [{"id": "n"}])) == []


@pytest.mark.parametrize(
    ("inlet", "plug", "connector", "kinds"),
    [
        ("C14", None, None, ("C13", "C15", "C13-C19-combo")),
        ("C16", None, None, ("C13", "C15", "C13-C19-combo")),
        ("C20", None, None, ("C19", "C21", "C13-C19-combo")),
        ("C22", None, None, ("C19", "C21", "C13-C19-combo")),
        ("C14", "NEMA 5-15P", "C13", ("5-15R", "5-20R")),
        ("C14", "C20", "C19", ("C13", "C15", "C13-C19-combo")),  # that cord is for another inlet
        ("C22", "C14", "C19", ("C19", "C21", "C13-C19-combo")),  # C19 does not fit a C22 inlet
        ("fixed-dc", None, None, ()),
        (None, None, None, ()),
    ],
)
def test_kind_of_outlet(inlet: str | None, plug: str | None, connector: str | None, kinds: tuple[str, ...]) -> None:
    config = configuration([], [{"id": "n"}])
    cords = (part("cord", "test/cord", plug=plug, connector=connector),) if plug else ()
    assert outlet_kinds(psu(inlet), placed(config, 0, cords=cords).lines) == kinds


def test_cords_of_a_feed_spread_over_the_sections() -> None:
    result = one_rack([{"id": "n", "count": 3}], feeds=AB)
    assert [(cord.number, cord.pdu, cord.section) for cord in result.cords] == [
        (1, "R1/A1", "L1"),
        (2, "R1/A1", "L2"),
        (3, "R1/A1", "L3"),
        (1, "R1/B1", "L1"),
        (2, "R1/B1", "L2"),
        (3, "R1/B1", "L3"),
    ]
    assert {cord.outlet_type for cord in result.cords} == {"C19"}


def test_cords_of_one_server_are_never_in_one_section_where_another_is_free() -> None:
    result = one_rack([{"id": "n", "count": 4}], "AABB", feeds=AB)
    places = Counter((cord.number, cord.pdu, cord.section) for cord in result.cords)
    assert set(places.values()) == {1}


def test_larger_supplies_count_more_in_the_balance() -> None:
    nodes = [{"id": name, "rack": "R1"} for name in ("big", "small", "tiny", "last")]
    config = configuration([rack(feeds=AB)], nodes)
    sizes = (3000, 500, 500, 500)
    result = in_racks(config, *(placed(config, i, "A", supply=psu(output_w=sizes[i])) for i in range(4))).racks[0]
    by_name = {cord.node: cord.section for cord in result.cords}
    assert by_name["last"] != by_name["big"]
    assert Counter(by_name.values())[by_name["big"] or ""] == 1


def test_several_pdus_on_a_feed_share_the_cords() -> None:
    result = one_rack([{"id": "n", "count": 4}], "AAAA", feeds={"A": {**WYE_32, "count": 2}})
    places = Counter((cord.pdu, cord.section) for cord in result.cords)
    assert sorted(places.values()) == [2, 2, 3, 3, 3, 3]
    assert Counter(cord.pdu for cord in result.cords) == {"R1/A1": 8, "R1/A2": 8}


def test_cords_without_an_outlet_are_left() -> None:
    result = one_rack([{"id": "n", "count": 5}], "A", feeds={"A": {"pdu": "test/single-24", "breaker_a": 30}})
    assert len(result.cords) == 4
    assert result.cords_left == (("n/psu1", "R1/A1", "C19"),)


def test_a_combination_outlet_is_kept_for_the_cord_that_needs_it() -> None:
    nodes = [{"id": "small", "rack": "R1", "count": 2}, {"id": "large", "rack": "R1", "count": 2}]
    config = configuration([rack(feeds={"A": {"pdu": "test/combo", "breaker_a": 32}})], nodes)
    small, large = placed(config, 0, "A", supply=psu("C14")), placed(config, 1, "A", supply=psu("C20"))
    result = in_racks(config, small, large).racks[0]
    assert result.cords_left == ()
    assert sorted((cord.node, cord.outlet_type, cord.outlet_number) for cord in result.cords) == [
        ("large", "C13-C19-combo", 1),
        ("large", "C13-C19-combo", 2),
        ("small", "C13", 3),
        ("small", "C13", 4),
    ]


def test_a_pdu_without_listed_outlets_takes_every_cord_on_an_unknown_section() -> None:
    result = one_rack([{"id": "n", "count": 2}], "A", feeds={"A": {**WYE_32, "pdu": "test/bare"}})
    assert [(cord.outlet_type, cord.section) for cord in result.cords] == [("C19", None), ("C19", None)]
    assert result.cords_left == ()


def test_a_supply_of_unknown_inlet_is_plugged_in_without_outlet() -> None:
    result = one_rack([{"id": "n"}], "A", feeds=AB, supply=psu(None))
    cord = result.cords[0]
    assert (cord.pdu, cord.outlet_type, cord.outlet_number, cord.section) == ("R1/A1", "", 0, None)


def test_racks_whose_feeds_have_other_names_have_them_in_the_same_order() -> None:
    racks = [rack("R1", feeds=AB), rack("R2", feeds={"X": WYE_32, "Y": WYE_32})]
    config = configuration(racks, [{"id": "n", "racks": ["R1", "R2"], "count": 2}])
    second = in_racks(config, placed(config, 0)).racks[1]
    assert [(cord.psu, cord.pdu) for cord in second.cords] == [("n/psu1", "R2/X1"), ("n/psu2", "R2/Y1")]


KINDS = st.tuples(st.integers(1, 5), st.sampled_from(["C14", "C20"]), st.sampled_from(["A", "AB", "AABB"]))


@given(st.lists(KINDS, min_size=1, max_size=5), st.integers(1, 2))
def test_no_two_cords_share_an_outlet_and_none_disappears(kinds: list[tuple[int, str, str]], count: int) -> None:
    config = configuration(
        [rack(feeds={"A": {**WYE_32, "count": count}, "B": WYE_32})],
        [{"id": f"n{i}", "rack": "R1", "count": number} for i, (number, _, _) in enumerate(kinds)],
    )
    nodes = [placed(config, i, feeds, supply=psu(inlet)) for i, (_, inlet, feeds) in enumerate(kinds)]
    result = in_racks(config, *nodes).racks[0]
    outlets = [(cord.pdu, cord.outlet_number) for cord in result.cords]
    assert len(set(outlets)) == len(outlets)
    wanted = sum(len(nodes[int(server.node[1:])].psus) for server in result.nodes)
    assert len(outlets) + len(result.cords_left) == wanted
    for pdu in result.pdus:
        kinds_left = {kind for _, place, kind in result.cords_left if place == pdu.id}
        sold = Counter(cord.outlet_type for cord in result.cords if cord.pdu == pdu.id)
        there = {kind: sum(g["count"] for g in pdu.part.data["outlets"] if g["type"] == kind) for kind in kinds_left}
        assert {kind: sold[kind] for kind in kinds_left} == there
