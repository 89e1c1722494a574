"""Facts about racks, with figures that can be checked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placement.racking import POLICY, WYE_32, configuration, in_racks, node_record, placed, psu, rack
from rackwright.facts.conversion import efficiency_at
from rackwright.facts.losses import NOTHING, Loss
from rackwright.facts.rack_loads import DomainPower, RackLoads, domain_powers, rack_loads
from rackwright.facts.racks import build_racks
from rackwright.placement.model import NodePlacement, Placement
from rackwright.quantities import Book, Quantity

AB = {"A": WYE_32, "B": WYE_32}
NA_415 = {"pdu": "test/wye-24", "breaker_a": 30, "voltage_ll_v": 415, "wiring": "wye"}
NA_208 = {"pdu": "test/delta-48", "breaker_a": 60, "voltage_ll_v": 208, "wiring": "delta"}
NA_SINGLE = {"pdu": "test/single-24", "breaker_a": 30, "voltage_ll_v": 208}


def plain(name: str, data: dict[str, Any]) -> dict[str, Any]:
    return data


def build(
    power_w: float | None,
    plugs: str,
    *,
    feeds: dict[str, Any],
    count: int = 1,
    policy: dict[str, Any] | None = None,
    node: dict[str, Any] | None = None,
    region: str | None = "eu",
    chassis: dict[str, Any] | None = None,
    rack_part: str = "test/rack",
    rack_values: dict[str, Any] | None = None,
    **site: Any,
) -> dict[str, Any]:
    where = rack(part_id=rack_part, feeds=feeds, **(rack_values or {}))
    config = configuration([where], [{"id": "n", "rack": "R1", "count": count}], region=region, **site)
    one = placed(config, 0, plugs, chassis=chassis)
    placement = in_racks(config, one)
    record = node_record(one, power_w, **(node or {}))
    return build_racks(placement, [record], plain, policy or POLICY)[0]


def phases(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = [phase for feed in record["feeds"] for pdu in feed["pdus"] for phase in pdu["phases"]]
    return {phase["id"]: phase for phase in found}


def needs(record: dict[str, Any], field: str) -> list[tuple[str, str]]:
    return [(owner["id"], name) for owner, name in record["_because"][field]]


def test_pr_32_two_nodes_of_10200_w_on_32_a_iec_pdus() -> None:
    found = phases(build(10_200, "AAABBB", feeds=AB, count=2))
    assert list(found) == ["R1/A1/L1", "R1/A1/L2", "R1/A1/L3", "R1/B1/L1", "R1/B1/L2", "R1/B1/L3"]
    for phase in found.values():
        assert round(phase["load_normal_a"], 2) == 15.02
        assert round(phase["load_worst_a"], 2) == 30.05
        assert (phase["breaker_limit_a"], phase["pdu_limit_a"]) == (32, 32)
    assert found["R1/A1/L1"]["worst_failure"] == "feed B lost"
    assert found["R1/B1/L3"]["worst_failure"] == "feed A lost"


def test_pr_32_the_same_nodes_overload_24_a_at_415_v() -> None:
    phase = phases(build(10_200, "AAABBB", feeds={"A": NA_415, "B": NA_415}, count=2, region="na"))["R1/A1/L2"]
    assert round(phase["load_worst_a"], 2) == 28.96  # 20400 / (sqrt(3) x 415 x 0.98)
    assert (phase["breaker_limit_a"], phase["pdu_limit_a"]) == (24, 24)


def test_pr_32_the_same_nodes_overload_60_a_at_208_v() -> None:
    phase = phases(build(10_200, "AAABBB", feeds={"A": NA_208, "B": NA_208}, count=2, region="na"))["R1/B1/L1"]
    assert round(phase["load_worst_a"], 2) == 57.78  # 20400 / (sqrt(3) x 208 x 0.98)
    assert (phase["breaker_limit_a"], phase["pdu_limit_a"]) == (48, 48)


def test_pr_31_each_feed_of_30_a_in_north_america_carries_12_a_and_24_a_alone() -> None:
    feeds = {"A": NA_SINGLE, "B": NA_SINGLE}
    phase = phases(build(4992, "AB", feeds=feeds, region="na", policy=POLICY | {"power_factor_ratio": 1.0}))["R1/A1/L"]
    assert (phase["load_normal_a"], phase["load_worst_a"]) == (12, 24)
    assert (phase["breaker_limit_a"], phase["pdu_limit_a"]) == (24, 24)
    assert phase["name"] == "L"


def test_unequal_sections_of_a_delta_load_the_lines_by_vectors() -> None:
    # Two cords: one on L1-L2, one on L2-L3, each 2080 W / 208 V = 10 A at a power factor of 1 (PR-26).
    found = phases(build(2080, "A", feeds={"A": NA_208}, count=2, policy=POLICY | {"power_factor_ratio": 1.0}))
    assert [round(phase["load_normal_a"], 2) for phase in found.values()] == [10, 17.32, 10]


def test_a_lost_supply_can_be_the_worst_that_happens_to_a_line() -> None:
    # One feed, two cords on L1 and L2: nothing else can be lost that would add load.
    found = phases(build(4600, "AA", feeds={"A": WYE_32}))
    assert round(found["R1/A1/L1"]["load_normal_a"], 3) == round(2300 / (400 / math.sqrt(3)) / 0.98, 3)
    assert found["R1/A1/L1"]["load_worst_a"] == pytest.approx(2 * found["R1/A1/L1"]["load_normal_a"])
    assert found["R1/A1/L1"]["worst_failure"] == "n/psu2 lost"
    assert (found["R1/A1/L3"]["load_worst_a"], found["R1/A1/L3"]["worst_failure"]) == (0, "nothing lost")


def test_a_lost_pdu_is_carried_by_its_neighbour_on_the_feed() -> None:
    record = build(6000, "AA", feeds={"A": {**WYE_32, "count": 2}}, count=3)
    feed = record["feeds"][0]
    assert (feed["power_normal_w"], feed["power_worst_w"], feed["worst_failure"]) == (18_000, 18_000, "nothing lost")
    assert [(pdu["id"], pdu["cords"], pdu["power_worst_w"]) for pdu in feed["pdus"]] == [
        ("R1/A1", 3, 18_000),
        ("R1/A2", 3, 18_000),
    ]
    assert phases(record)["R1/A1/L1"]["worst_failure"] == "PDU R1/A2 lost"


def test_feed_and_pdu_records() -> None:
    record = build(2000, "AB", feeds=AB, count=2)
    feed = record["feeds"][1]
    pdu = feed["pdus"][0]
    assert {name: feed[name] for name in feed if name not in ("pdus", "part", "_because")} == {
        "_path": ("site", "racks", 0, "feeds", "B"),
        "id": "R1/B",
        "name": "B",
        "rack": "R1",
        "is_alone": False,
        "outlet_voltage_v": 400 / math.sqrt(3),
        "breaker_a": 32,
        "breaker_use_ratio": 1.0,
        "power_normal_w": 2000,
        "power_worst_w": 4000,
        "worst_failure": "feed A lost",
    }
    assert {name: pdu[name] for name in pdu if name not in ("phases", "part", "feed", "site", "_because")} == {
        "_path": ("site", "racks", 0, "feeds", "B", "pdu"),
        "id": "R1/B1",
        "outlets_missing": 0,
        "outlets_missing_type": "",
        "cords": 2,
        "is_phase_map_known": True,
        "power_worst_w": 4000,
        "power_max_w": 22000,
        "has_power_limit": True,
        "banks": [],
    }
    assert pdu["feed"] is feed


def test_cords_without_an_outlet_are_counted() -> None:
    pdu = build(1000, "A", feeds={"A": NA_SINGLE}, count=6)["feeds"][0]["pdus"][0]
    assert (pdu["cords"], pdu["outlets_missing"], pdu["outlets_missing_type"]) == (4, 2, "C19")


def test_rack_figures() -> None:
    record = build(
        3000,
        "AB",
        feeds=AB,
        count=3,
        node={"weight_kg": 40},
        rack_values={"cable_depth_mm": 120, "power_max_w": 15_000, "cooling_max_w": 12_000},
        temperature_rise_c=15,
        altitude_m=0,
    )
    airflow = {"air_rise_c": 15, "air_altitude_m": 0}
    plain_facts = {name: value for name, value in record.items() if name not in ("feeds", "part", "_because")}
    assert plain_facts.pop("airflow_m3_h") == pytest.approx(3600 / (1.2 * 1005) * 9000 / 15)
    assert plain_facts == {
        **airflow,
        "_path": ("site", "racks", 0),
        "id": "R1",
        "nodes": 3,
        "units_used_u": 12,
        "units_free_u": 42,
        "units_unplaced": 0,
        "depth_needed_mm": 920,
        "depth_available_mm": 900,
        "has_cable_depth": True,
        "weight_kg": 3 * 40 + 2 * 7,
        "heat_w": 9000,
        "power_w": 9000,
        "has_feeds": True,
        "power_worst_w": 9000,
        "worst_failure": "nothing lost",
        "has_power_limit": True,
        "power_limit_w": 15_000,
        "has_cooling_limit": True,
        "cooling_limit_w": 12_000,
        "airflows": ["front-to-back"],
    }


def test_outer_depth_less_the_room_of_the_front_door_counts_where_the_mounting_depth_is_not_known() -> None:
    assert build(1, "A", feeds={}, rack_part="test/low-rack")["depth_available_mm"] == 1000 - 64


def test_stated_free_units_count_before_the_height_of_the_rack() -> None:
    record = build(1, "A", feeds={}, count=3, rack_values={"free_u": 8})
    assert (record["units_free_u"], record["units_used_u"], record["units_unplaced"]) == (8, 8, 1)


def test_what_is_not_known_is_absent_and_says_what_it_needs() -> None:
    record = build(None, "AB", feeds=AB, region=None, chassis={"rack": {}, "airflow": None})
    unknown = {"units_used_u", "depth_needed_mm", "weight_kg", "heat_w", "power_w", "airflow_m3_h", "airflows"}
    assert not unknown & set(record)
    assert needs(record, "units_used_u") == [("test/chassis-n", "rack.height_u")]
    assert needs(record, "depth_needed_mm") == [("test/chassis-n", "rack.depth_mm")]
    assert needs(record, "weight_kg") == [("n", "weight_kg")]
    assert needs(record, "power_w") == needs(record, "heat_w") == [("n", "input_peak_w")]
    air = [("n", "input_peak_w"), ("site", "temperature_rise_c"), ("site", "altitude_m")]
    assert needs(record, "airflow_m3_h") == air
    assert needs(record, "airflows") == [("test/chassis-n", "airflow")]
    feed, phase = record["feeds"][0], phases(record)["R1/A1/L1"]
    assert not {"breaker_use_ratio", "power_normal_w", "power_worst_w", "worst_failure"} & set(feed)
    assert needs(feed, "breaker_use_ratio") == [("site", "region")]
    assert needs(feed, "power_worst_w") == [("n", "input_peak_w")]
    assert needs(phase, "load_worst_a") == [("n", "input_peak_w")]
    assert needs(phase, "breaker_limit_a") == [("R1/A", "breaker_use_ratio")]


def test_a_line_without_unknown_nodes_keeps_its_load() -> None:
    nodes = [{"id": "known", "rack": "R1", "unit": 1}, {"id": "open", "rack": "R1", "unit": 5}]
    config = configuration([rack(feeds={"A": WYE_32})], nodes, region="eu")
    both = [placed(config, 0, "A"), placed(config, 1, "A")]
    records = [node_record(both[0], 1000), node_record(both[1], None)]
    found = phases(build_racks(in_racks(config, *both), records, plain, POLICY)[0])
    assert round(found["R1/A1/L1"]["load_normal_a"], 3) == round(1000 / (400 / math.sqrt(3)) / 0.98, 3)
    assert "load_normal_a" not in found["R1/A1/L2"]
    assert found["R1/A1/L3"]["load_normal_a"] == 0


def test_an_unknown_phase_map_leaves_the_total_power_known() -> None:
    record = build(1000, "AB", feeds={"A": {**WYE_32, "pdu": "test/unmapped"}, "B": WYE_32})
    pdu = record["feeds"][0]["pdus"][0]
    assert (pdu["is_phase_map_known"], pdu["power_worst_w"], pdu["outlets_missing"]) == (False, 1000, 0)
    phase = phases(record)["R1/A1/L1"]
    assert "load_worst_a" not in phase
    assert needs(phase, "load_worst_a") == [("test/unmapped", "outlets.section")]
    assert "load_worst_a" in phases(record)["R1/B1/L1"]


def test_unlisted_outlets_and_ratings_of_a_pdu_are_not_known() -> None:
    record = build(1000, "A", feeds={"A": {**WYE_32, "pdu": "test/bare"}})
    pdu, phase = record["feeds"][0]["pdus"][0], phases(record)["R1/A1/L1"]
    assert not {"outlets_missing", "outlets_missing_type", "power_max_w"} & set(pdu)
    assert pdu["has_power_limit"] is False
    assert needs(pdu, "outlets_missing") == [("test/bare", "outlets")]
    assert needs(phase, "pdu_limit_a") == [("test/bare", "continuous_a")]


def test_a_feed_without_voltage_and_a_policy_without_power_factor() -> None:
    feeds = {"A": {"pdu": "test/single-24", "breaker_a": 30}}
    phase = phases(build(1000, "A", feeds=feeds, policy={"breaker_use_eu_ratio": 1.0}))["R1/A1/L"]
    assert needs(phase, "load_normal_a") == [("R1/A", "outlet_voltage_v"), ("policy", "power_factor_ratio")]


def test_the_derivation_of_a_load_reaches_the_missing_figure_of_the_node() -> None:
    quantity = Quantity("node", "input_peak_w", "W", "input", "node.draw_w / 0.9")
    book = Book([quantity], POLICY)
    config = configuration([rack(feeds=AB)], [{"id": "n", "rack": "R1"}], region="eu")
    one = placed(config, 0)
    node = book.make("node", node_record(one, None))
    record = build_racks(in_racks(config, one), [node], book.make, POLICY)[0]
    result = book.resolve(phases(record)["R1/A1/L1"], "load_worst_a")
    assert result is not None
    assert [(read.owner_id, read.field) for read in result.missing] == [("n", "draw_w")]
    air = book.resolve(record, "airflow_m3_h")
    assert air is not None
    assert [(read.owner_id, read.field) for read in air.missing] == [
        ("n", "draw_w"),
        ("site", "temperature_rise_c"),
        ("site", "altitude_m"),
    ]


def test_mixed_airflow_is_known_even_if_one_direction_is_not() -> None:
    names = ("front-to-back", "back-to-front", None)
    config = configuration([rack()], [{"id": f"n{i}", "rack": "R1"} for i in range(3)])
    nodes = [placed(config, i, chassis={"airflow": name}) for i, name in enumerate(names)]
    records = [node_record(node, 1) for node in nodes]
    record = build_racks(in_racks(config, *nodes), records, plain, POLICY)[0]
    assert record["airflows"] == ["back-to-front", "front-to-back"]


def test_racks_that_no_node_names_have_no_record() -> None:
    config = configuration([rack("R1"), rack("R2")], [{"id": "n", "rack": "R2"}])
    one = placed(config, 0)
    records = build_racks(in_racks(config, one), [node_record(one, 1)], plain, POLICY)
    assert [record["id"] for record in records] == ["R2"]


def test_each_domain_has_its_own_power_and_nothing_is_shared_out_by_guess() -> None:
    config = configuration([], [{"id": "n"}])
    node = placed(config, 0, "AAABBB", domains=["board", "gpu", "gpu", "board", "gpu", "gpu"])

    def powers(board: dict[str, float], gpu: dict[str, float]) -> dict[str, DomainPower]:
        domains = [{"name": "board", **board}, {"name": "gpu", **gpu}]
        return domain_powers(node, node_record(node, 9000, psu_domains=domains))

    assert powers({"draw_peak_w": 900, "input_peak_w": 1000}, {"draw_peak_w": 7200, "input_peak_w": 8000}) == {
        "board": DomainPower(900, 1000),
        "gpu": DomainPower(7200, 8000),
    }
    assert powers({"input_peak_w": 1000}, {}) == {"board": DomainPower(900, 1000), "gpu": DomainPower(None, None)}


def test_the_only_domain_has_the_power_of_the_node() -> None:
    config = configuration([], [{"id": "n"}])
    node = placed(config, 0, "AB")
    assert domain_powers(node, node_record(node, 4000)) == {"node": DomainPower(3600, 4000)}
    assert domain_powers(node, node_record(node, 4000, draw_peak_w=3700)) == {"node": DomainPower(3700, 4000)}
    assert domain_powers(node, node_record(node, None)) == {"node": DomainPower(None, None)}


def test_an_unknown_domain_asks_for_what_it_feeds() -> None:
    config = configuration([rack(feeds=AB)], [{"id": "n", "rack": "R1"}], region="eu")
    one = placed(config, 0, "AB", domains=["board", "gpu"])
    board = {"id": "n/board", "name": "board", "draw_peak_w": 900, "input_peak_w": 1000}
    domains = [board, {"id": "n/gpu", "name": "gpu"}]
    record = build_racks(in_racks(config, one), [node_record(one, 9000, psu_domains=domains)], plain, POLICY)[0]
    assert record["power_w"] == 9000
    assert phases(record)["R1/A1/L1"]["load_worst_a"] == pytest.approx(1000 / (400 / math.sqrt(3)) / 0.98)
    assert needs(phases(record)["R1/B1/L1"], "load_worst_a") == [("n/gpu", "draw_peak_w")]


KIND = st.tuples(st.integers(1, 4), st.floats(100, 9000), st.sampled_from(["AB", "AABB", "AAABBB"]))
KINDS = st.lists(KIND, min_size=1, max_size=4)


def several(kinds: list[tuple[int, float, str]], names: str = "AB") -> tuple[Placement, list[dict[str, Any]]]:
    feeds = {name: {**WYE_32, "count": 2} for name in names}
    nodes = [{"id": f"n{i}", "rack": "R1", "count": count} for i, (count, _, _) in enumerate(kinds)]
    config = configuration([rack(feeds=feeds)], nodes, region="eu")
    table = str.maketrans("AB", names)
    made: list[NodePlacement] = [
        placed(config, i, plugs.translate(table), supply=psu("C14")) for i, (_, _, plugs) in enumerate(kinds)
    ]
    placement = in_racks(config, *made)
    return placement, [node_record(node, power) for node, (_, power, _) in zip(made, kinds, strict=True)]


@given(KINDS)
def test_the_phases_of_a_wye_sum_to_the_total(kinds: list[tuple[int, float, str]]) -> None:
    placement, nodes = several(kinds)
    loads = rack_loads(placement.racks[0], placement, nodes, POLICY)
    for loss in (NOTHING, *loads.losses()):
        shares = loads.shares_w(loss)
        for pdu in loads.pdus:
            amps = sum(value for value in loads.line_loads_a(pdu, shares).values() if value is not None)
            assert amps * 400 / math.sqrt(3) * 0.98 == pytest.approx(loads.power_at_w(pdu, shares))


CURVE = ((0.1, 0.90), (0.2, 0.94), (0.5, 0.96), (1.0, 0.91))
DELTA = {"pdu": "test/delta-48", "breaker_a": 60, "voltage_ll_v": 208, "wiring": "delta", "count": 2}


def with_curves(kinds: list[tuple[int, float, str]], feed: dict[str, Any], names: str = "AB") -> RackLoads:
    """A rack whose supplies have outputs and efficiency by load."""
    nodes = [{"id": f"n{i}", "rack": "R1", "count": count} for i, (count, _, _) in enumerate(kinds)]
    config = configuration([rack(feeds=dict.fromkeys(names, feed))], nodes, region="eu")
    table = str.maketrans("AB", names)
    made = [placed(config, i, plugs.translate(table)) for i, (_, _, plugs) in enumerate(kinds)]
    records = []
    for node, (_, draw, _) in zip(made, kinds, strict=True):
        record = node_record(node, None, draw_peak_w=draw)
        for supply in record["psus"]:
            supply["_points"] = CURVE
        records.append(record)
    placement = in_racks(config, *made)
    return rack_loads(placement.racks[0], placement, records, POLICY)


@given(KINDS, st.sampled_from([DELTA, {**WYE_32, "count": 2}]))
def test_each_draw_is_delivered_once_whatever_is_lost(
    kinds: list[tuple[int, float, str]], feed: dict[str, Any]
) -> None:
    loads = with_curves(kinds, feed)
    for loss in (NOTHING, *loads.losses(is_whole=True)):
        shares = loads.shares_w(loss)
        for (node, _, domain), members in loads.groups.items():
            alive = [index for index in members if not loads.supplies[index].is_lost(loss)]
            draw = loads.powers[node, domain].draw_w
            assert draw is not None
            delivered = 0.0
            for index in alive:
                taken = shares[index]
                assert taken is not None
                delivered += taken * efficiency_at(CURVE, draw / len(alive) / 2800)
            assert delivered == pytest.approx(draw if alive else 0)
            assert all(shares[index] == 0 for index in members if index not in alive)


@given(KINDS)
def test_between_lines_the_power_is_that_of_the_sections(kinds: list[tuple[int, float, str]]) -> None:
    loads = with_curves(kinds, DELTA)
    for loss in (NOTHING, *loads.losses(is_whole=True)):
        shares = loads.shares_w(loss)
        for pdu in loads.pdus:
            amps = sum(value or 0 for value in loads.section_loads_a(pdu, shares).values())
            assert amps * 208 * 0.98 == pytest.approx(loads.power_at_w(pdu, shares))
            lines = [value or 0 for value in loads.line_loads_a(pdu, shares).values()]
            # Each cord is on two lines; a line carries at most the sum of its cords, at least that by the root of 3.
            assert amps * 2 / math.sqrt(3) * (1 - 1e-9) <= sum(lines) <= 2 * amps * (1 + 1e-9)


@given(KINDS, st.sampled_from([DELTA, {**WYE_32, "count": 2}]))
def test_swapping_the_feeds_swaps_every_row(kinds: list[tuple[int, float, str]], feed: dict[str, Any]) -> None:
    def rows(names: str) -> list[tuple[Any, ...]]:
        loads, table = with_curves(kinds, feed, names), str.maketrans("AB", "AB" if names == "AB" else "BA")
        states = (loads.state(loss) for loss in loads.losses(is_whole=True) if loss.kind != "psu")
        cells = (
            (s.loss.text, pdu, line, amps)
            for s in states
            for pdu, row in s.lines_a.items()
            for line, amps in row.items()
        )
        return sorted((text.translate(table), pdu.translate(table), line, amps) for text, pdu, line, amps in cells)

    assert rows("AB") == rows("BA")


@given(KINDS)
def test_a_state_after_a_loss_is_that_of_a_rack_worked_out_anew(kinds: list[tuple[int, float, str]]) -> None:
    loads = with_curves(kinds, {**WYE_32, "count": 2})
    for loss in loads.losses(is_whole=True):
        state, shares = loads.state(loss), loads.shares_w(loss)
        for pdu in loads.pdus:
            assert state.lines_a[pdu] == loads.line_loads_a(pdu, shares)
            assert state.power_w[pdu] == loads.power_at_w(pdu, shares)


@given(KINDS)
def test_survivors_carry_exactly_what_was_lost(kinds: list[tuple[int, float, str]]) -> None:
    placement, nodes = several(kinds)
    loads = rack_loads(placement.racks[0], placement, nodes, POLICY)
    before = [share or 0 for share in loads.shares_w()]
    for loss in loads.losses():
        after = [share or 0 for share in loads.shares_w(loss)]
        lost = [supply.is_lost(loss) for supply in loads.supplies]
        for server in {(s.node, s.number) for s in loads.supplies}:
            mine = [i for i, s in enumerate(loads.supplies) if (s.node, s.number) == server]
            assert all(after[i] == 0 for i in mine if lost[i])
            if not all(lost[i] for i in mine):
                gained = sum(after[i] - before[i] for i in mine if not lost[i])
                assert gained == pytest.approx(sum(before[i] for i in mine if lost[i]))


@given(KINDS)
def test_swapping_the_feeds_changes_nothing_but_their_names(kinds: list[tuple[int, float, str]]) -> None:
    def figures(names: str) -> list[tuple[Any, ...]]:
        placement, nodes = several(kinds, names)
        record = build_racks(placement, nodes, plain, POLICY)[0]
        table = str.maketrans("AB", "AB" if names == "AB" else "BA")
        found = phases(record).values()
        return sorted((one["id"].translate(table), one["load_normal_a"], one["load_worst_a"]) for one in found)

    assert figures("AB") == figures("BA")


def test_what_a_supply_takes_depends_on_its_share_of_the_load() -> None:
    # 2300 W on two supplies of 2800 W with 94 % at 20 %, 96 % at 50 % and 91 % at full load.
    # Both: 1150 W = 41.07 %, 94 + 2 x (41.07 - 20) / 30 = 95.405 %, 1205.39 W, 5.349 A at 230 V and 0.98.
    # One: 2300 W = 82.14 %, 96 - 5 x (82.14 - 50) / 50 = 92.786 %, 2478.83 W, 10.998 A.
    feeds = {name: {**WYE_32, "voltage_ln_v": 230} for name in "AB"}
    config = configuration([rack(feeds=feeds)], [{"id": "n", "rack": "R1"}], region="eu")
    one = placed(config, 0, "AB")
    record = node_record(one, 2410.78, draw_peak_w=2300)
    for supply in record["psus"]:
        supply["_points"] = ((0.1, 0.90), (0.2, 0.94), (0.5, 0.96), (1.0, 0.91))
    found = build_racks(in_racks(config, one), [record], plain, POLICY)[0]
    line = phases(found)["R1/A1/L1"]
    assert (round(line["load_normal_a"], 3), round(line["load_worst_a"], 3)) == (5.348, 10.997)
    assert round(found["power_worst_w"], 1) == 2478.8
    assert found["worst_failure"] == "feed A lost"


def test_banks_carry_the_cords_of_their_outlets() -> None:
    feeds = {"A": {"pdu": "test/banked", "breaker_a": 30, "voltage_ll_v": 208, "wiring": "delta"}}
    # Two servers of 2080 W with one cord each: 10.2 A in the banks L1-L2 and L2-L3.
    record = build(2080, "A", feeds=feeds, count=2, region="na")
    banks = record["feeds"][0]["pdus"][0]["banks"]
    assert [(bank["id"], round(bank["load_worst_a"], 2), bank["breaker_limit_a"]) for bank in banks] == [
        ("R1/A1/L1-L2", 10.2, 16),
        ("R1/A1/L2-L3", 10.2, 16),
        ("R1/A1/L3-L1", 0, 16),
    ]


def test_equally_plugged_servers_are_replayed_once() -> None:
    placement, nodes = several([(4, 1000.0, "AB")])
    loads = rack_loads(placement.racks[0], placement, nodes, POLICY)
    supplies = [loss for loss in loads.losses() if loss.kind == "psu"]
    plugged = {(s.psu, s.pdu, s.section) for s in loads.supplies}
    assert len(supplies) == len(plugged)
    assert loads.losses()[0] == Loss("feed", "A", 0, "feed A lost")
