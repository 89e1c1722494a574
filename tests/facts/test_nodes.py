"""The records of nodes: they keep to the vocabulary, and every figure is what a person gets with a calculator."""

from __future__ import annotations

from typing import Any

import pytest

from placement.builders import at, catalog_of, chassis, configured, cpu, gpu, line, nic, part, placed, slot
from rackwright.catalog import Part
from rackwright.expression import Flag, ListOf, Number, Record, Text
from rackwright.facts.chassis import inlet_max_c
from rackwright.facts.nodes import build_nodes
from rackwright.facts.shapes import shapes
from rackwright.placement.model import NodePlacement, Placement
from rackwright.placement.needs import draw_max_w
from rackwright.placement.nodes import place_node

SHAPES = shapes()


def order_of(
    parts: list[Part], lines: list[dict[str, Any]], site: dict[str, Any] | None = None, **node: Any
) -> dict[str, Any]:
    configuration = configured(parts[0], lines, site, **node)
    catalog = catalog_of(*parts)
    found, findings = place_node(configuration.nodes[0], ("nodes", 0), catalog, configuration.site, at)
    assert found is not None
    assert findings == []
    return build_nodes(Placement(configuration, (found,)), catalog)


def node_of(*arguments: Any, **node: Any) -> dict[str, Any]:
    result: dict[str, Any] = order_of(*arguments, **node)["nodes"][0]
    return result


def problems(value: Any, shape: Any, where: str, seen: set[int]) -> list[str]:
    """Return where a value leaves the type that the vocabulary gives it."""
    if isinstance(shape, Record):
        if id(value) in seen or shape.name.endswith(" part") or shape.name.startswith("part:"):
            return []
        seen.add(id(value))
        unknown = [f"{where}.{key}" for key in value if not key.startswith("_") and key not in shape.fields]
        known = [key for key in value if key in shape.fields]
        return unknown + [
            p for key in known for p in problems(value[key], shape.fields[key].shape, f"{where}.{key}", seen)
        ]
    if isinstance(shape, ListOf):
        return [p for i, item in enumerate(value) for p in problems(item, shape.element, f"{where}[{i}]", seen)]
    wanted: dict[type, Any] = {
        Text: str,
        Flag: bool,
        Number: int if getattr(shape, "is_integer", False) else (int, float),
    }
    kind = wanted[type(shape)]
    is_right = isinstance(value, kind) and (isinstance(shape, Flag) or not isinstance(value, bool))
    return [] if is_right else [f"{where}: {value!r} is no {shape}"]


def rich_order() -> dict[str, Any]:
    """An order that uses every kind of record that a node has."""
    joined = gpu(
        "joined", nvlink={"is_supported": True, "link_gb_s": 600.0, "groups": [{"cards": 2, "bridge": "test/bridge"}]}
    )
    box = chassis(
        slot("1", "2", switch="S", is_gpu=True, cpu=None),
        slot("3", "4", width_slots=1),
        slot("OCP", form_factor="ocp3", cpu=None),
        rows=[["3", "4"]],
        switches={"S": {"uplink": {"cpu": 1, "generation": 5, "lanes": 16}}},
        bridges={"groups": [["1", "2"]]},
        bays=[{"name": "front", "count": 4, "form_factors": ["2.5in"], "protocols": ["nvme"]}],
        psu={"bays": 2, "models": ["test/psu"]},
        inlet={"min_c": 10.0, "max_c": 35.0},
        gpu_power=[{"connector": "eps-8pin", "count": 4}],
        qualified_gpus=[{"gpu": "test/joined"}],
    )
    psu = part("psu", "psu", output=[{"voltage_min_v": 200.0, "voltage_max_v": 240.0, "output_w": 2000.0}], inlet="C20")
    drive = part("drive", "drive", form_factor="u2", protocol="nvme", lanes=4, power={"max_w": 12.0})
    others = [
        part(kind, kind) for kind in ("cable", "cord", "fan_kit", "heatsink", "riser", "rail", "option", "licence")
    ]
    dimm, raid = part("memory", "dimm", capacity_gb=64.0), part("storage_adapter", "raid", form_factor="internal")
    ocp, bridge = nic("ocp", form_factor="ocp3"), part("nvlink_bridge", "bridge", cards=2)
    parts = [box, joined, psu, drive, *others, dimm, raid, ocp, bridge, nic(), cpu()]
    lines = [line(cpu(), 2), line(joined, 2), *(line(item) for item in (*others, raid, ocp, bridge, nic()))]
    lines += [line(drive, 2), line(dimm, 16), line(psu, 2)]
    site = {"region": "eu", "inlet_c": 25.0, "altitude_m": 100.0, "voltage_v": 230.0, "is_data_centre": True}
    workload = {"task": "llm-inference", "memory_gb": 100.0, "users": 20}
    return order_of(parts, lines, site, redundancy="N+1", workload=workload, allowance_w=200.0, count=3)


def test_all_records_keep_to_the_vocabulary() -> None:
    assert problems(rich_order(), SHAPES["order"], "order", set()) == []


def test_sparse_records_keep_to_the_vocabulary_too() -> None:
    bare = gpu("bare", None, power={}, pcie={}, power_inputs=None, memory={})
    order = order_of(
        [chassis(), bare, part("psu", "psu"), part("memory", "dimm")], [line(bare), line(part("psu", "psu"), 2)]
    )
    assert problems(order, SHAPES["order"], "order", set()) == []


def test_records_of_a_rich_node_have_the_figures_of_a_calculator() -> None:
    node = rich_order()["nodes"][0]
    assert [card["id"] for card in node["cards"]] == ["n/gpu1", "n/gpu2", "n/nic1", "n/nic2"]
    assert [card["id"] for card in node["storage_adapters"]] == ["n/adapter1"]
    assert node["lanes_used"] == 16 + 16 + 16 + 2 * 4  # uplink of the switch, NIC, OCP card, two drives
    assert node["gpu_memory_gb"] == 160.0
    assert (node["dimms_per_cpu"], node["is_dimm_count_even"]) == (8, True)
    assert (node["input_voltage_v"], node["redundancy"], node["count"]) == (230.0, "N+1", 3)
    assert node["cords_count"] == 1
    assert not node["has_gpu_fan_module"]
    assert [(bays["name"], bays["used"]) for bays in node["bays"]] == [("front", 2)]
    switch = node["switches"][0]
    assert (switch["lanes_down"], switch["uplink_lanes"]) == (32, 16)
    assert switch["down_gb_s"] == pytest.approx(126.03, abs=0.005)
    assert switch["uplink_gb_s"] == pytest.approx(63.02, abs=0.005)
    group = node["bridge_groups"][0]
    assert (group["cards"], group["bridges"], group["is_adjacent"], group["cpus"]) == (2, 1, True, 1)
    assert (group["is_bridge_for_gpus"], group["link_gb_s"]) == (True, 600.0)
    assert "bridges_needed" not in group
    assert node["chassis"]["platform_lanes"] == 160
    assert node["chassis"]["gpu_outlets"] == 4
    assert node["chassis"]["bridges_allowed"] is True


def test_every_record_knows_its_node_and_its_place() -> None:
    node = rich_order()["nodes"][0]
    for name in (
        "cards",
        "gpus",
        "nics",
        "storage_adapters",
        "cpus",
        "drives",
        "psus",
        "psu_domains",
        "bridge_groups",
        "switches",
    ):
        assert node[name]
        for record in node[name]:
            assert record["node"] is node
            assert record["_path"][:2] == ("nodes", 0)


def test_a_link_is_what_both_ends_support() -> None:
    box, card = chassis(slot("1", generation=4, lanes=8)), gpu()
    found = node_of([box, card], [line(card)])["gpus"][0]
    assert (found["link_generation"], found["link_lanes"]) == (4, 8)
    assert found["link_gb_s"] == pytest.approx(15.754, abs=0.0005)
    assert found["card_gb_s"] == pytest.approx(63.015, abs=0.0005)


def test_a_link_is_not_known_if_one_end_is_not() -> None:
    box, card = chassis(slot("1", generation=None)), gpu()
    found = node_of([box, card], [line(card)])["gpus"][0]
    assert "link_generation" not in found
    assert "link_gb_s" not in found
    assert found["link_lanes"] == 16
    assert found["_because"].get("link_gb_s") == [(found["slot"], "generation")]
    assert found["slot"]["_because"].get("generation") == [(box.data, "slots.1.generation")]


def test_a_weak_cable_limits_its_card_and_a_line_is_limited_only_if_all_its_cards_are() -> None:
    power = {"max_w": 350.0, "by_cable_level_w": {"300": 310.0, "450": 350.0}}
    card = gpu(power=power, power_inputs=[{"connector": "pcie-16pin", "count": 1}])
    weak = part("cable", "weak", purpose="gpu-power", to_connector="pcie-16pin", level_w=300.0)
    strong = part("cable", "strong", purpose="gpu-power", to_connector="pcie-16pin", level_w=450.0)
    box = chassis(slot("1", "2"))
    mixed = node_of([box, card, weak, strong], [line(card, 2), line(weak), line(strong)])
    held = node_of([box, card, weak], [line(card, 2), line(weak, 2)])
    assert sorted(entry.get("cable_limit_w", 0) for entry in mixed["gpus"]) == [0, 310.0]
    assert [entry["cable_limit_w"] for entry in held["gpus"]] == [310.0, 310.0]
    assert [node["lines"][0].get("cable_limit_w") for node in (mixed, held)] == [None, 310.0]
    assert [row["is_powered"] for row in held["lines"]] == [True, False]


@pytest.mark.parametrize(
    ("level_w", "cap_w", "expected_w"),
    [(None, None, 350.0), (300.0, None, 310.0), (450.0, None, 350.0), (600.0, None, 350.0), (300.0, 250.0, 250.0)],
)
def test_the_draw_follows_cable_level_and_cap(level_w: float | None, cap_w: float | None, expected_w: float) -> None:
    card = gpu(power={"max_w": 350.0, "by_cable_level_w": {"300": 310.0, "450": 350.0}})
    cable = part("cable", "cable", purpose="gpu-power", level_w=level_w) if level_w else None
    assert draw_max_w(card, cable, cap_w) == expected_w
    assert draw_max_w(gpu(power={}), cable, cap_w) is None


def test_cable_facts_of_a_card() -> None:
    card = gpu(power_inputs=[{"connector": "pcie-16pin", "count": 1}])
    eps = part("cable", "eps", purpose="gpu-power", to_connector="eps-8pin")
    found = node_of([chassis(slot("1")), card, eps], [line(card), line(eps)])["gpus"][0]
    assert (found["card_connector"], found["cable_connector"]) == ("pcie-16pin", "eps-8pin")
    assert (found["cables_needed"], found["cables_fitted"], found["is_powered_by_cable"]) == (1, 1, True)
    assert "cable_level_w" not in found
    silent = node_of([chassis(slot("1")), gpu(power_inputs=None)], [line(gpu())])["gpus"][0]
    assert "is_powered_by_cable" not in silent


def test_slots_count_the_free_ones_beside_them() -> None:
    box = chassis(
        slot("1", "2", "3", "4", width_slots=1),
        slot("5", width_slots=1),
        slot("6", width_slots=None),
        rows=[["1", "2", "3", "4"]],
    )
    card = gpu()
    node = node_of([box, card, nic()], [line(card, slot="1"), line(nic(), slot="4")])
    assert [entry.get("slots_free_beside") for entry in node["slots"]] == [3, 2, 1, 1, 1, None]
    assert [entry["name"] for entry in node["gpus"][0]["slots_covered"]] == ["2"]


def test_cpu_lanes_and_gpus_need_to_know_the_slots_cpu() -> None:
    box = chassis(slot("1"), slot("2", cpu=2), slot("3", cpu=None))
    both = node_of([box, gpu(), cpu()], [line(cpu(), 2), line(gpu(), 2)])
    assert [(entry["lanes_used"], entry["gpus"]) for entry in both["cpus"]] == [(16, 1), (16, 1)]
    lost = node_of([box, gpu(), cpu()], [line(cpu(), 2), line(gpu(), slot="3")])
    assert ["gpus" in entry or "lanes_used" in entry for entry in lost["cpus"]] == [False, False]
    alone = node_of([chassis(slot("3", cpu=None)), gpu(), cpu()], [line(cpu()), line(gpu())])
    assert [(entry["lanes_used"], entry["gpus"]) for entry in alone["cpus"]] == [(16, 1)]


def test_two_epyc_cpus_spend_lanes_on_each_other() -> None:
    epyc = cpu("epyc", family="epyc-9004", pcie_lanes=128)
    lanes = [
        node_of([chassis(cpu={"sockets": 2, **links}), epyc], [line(epyc, count)])["chassis"].get("platform_lanes")
        for links, count in (({"xgmi_links": 3}, 2), ({"xgmi_links": 4}, 2), ({}, 2), ({}, 1))
    ]
    assert lanes == [160, 128, None, 128]


@pytest.mark.parametrize(
    ("inlet", "altitude_m", "expected_c"),
    [
        ({"max_c": 35.0}, None, 35.0),
        ({"max_c": 35.0}, 900.0, 35.0),
        ({"max_c": 35.0}, 901.0, None),
        ({"max_c": 35.0, "altitude_max_m": 500.0}, 501.0, None),
        ({"max_c": 35.0, "derate_c_per_m": 1 / 300, "derate_above_m": 900.0}, 2000.0, 31.333),
        ({"max_c": 35.0, "derate_c_per_m": 1 / 300, "derate_above_m": 950.0}, 2000.0, 31.5),
        ({"max_c": 35.0, "derate_c_per_m": 1 / 300, "derate_above_m": 900.0}, 100.0, 35.0),
        ({"max_c": 35.0, "derate_c_per_m": 1 / 300}, 100.0, None),
        ({}, 100.0, None),
    ],
)
def test_the_inlet_limit_falls_with_height(
    inlet: dict[str, float], altitude_m: float | None, expected_c: float | None
) -> None:
    found = inlet_max_c(inlet, altitude_m)
    assert found == (None if expected_c is None else pytest.approx(expected_c, abs=0.001))


def test_licences_count_gpus_of_all_servers_and_boards() -> None:
    board, licence = gpu("a16", gpus_per_board=4), part("licence", "vws")
    workload = {"task": "vdi", "users": 64}
    order = order_of(
        [chassis(slot("1", "2")), board, licence], [line(board, 2), line(licence, 8)], count=3, workload=workload
    )
    record = order["licences"][0]
    assert (record["id"], record["count"], record["gpus"], record["users"]) == ("n/licence1", 24, 24, 64)


def test_an_alias_in_the_list_of_qualified_gpus_counts() -> None:
    card = gpu("new", aliases=["test/old"])
    box = chassis(slot("1"), qualified_gpus=[{"gpu": "test/old"}])
    assert node_of([box, card], [line(card)])["gpus"][0]["is_qualified"] is True
    assert node_of([box, gpu("other")], [line(gpu("other"))])["gpus"][0]["is_qualified"] is False
    assert "is_qualified" not in node_of([chassis(slot("1")), card], [line(card)])["gpus"][0]


def test_a_mode_that_excludes_bridges_says_so() -> None:
    modes = {"a": {"title": "A"}, "b": {"title": "B", "bridges_allowed": False}, "c": {"title": "C"}}
    box = chassis(slot("1"), modes=modes, bridges={"modes": ["a"], "groups": [["1", "2"]]})
    allowed = [node_of([box], [], mode=mode)["chassis"].get("bridges_allowed") for mode in "abc"]
    silent = node_of([chassis(slot("1"))], [])["chassis"]
    assert (allowed, "bridges_allowed" in silent) == ([True, False, False], False)


def test_fan_modules_are_known_by_their_own_word_or_the_chassis() -> None:
    own, named = part("fan_kit", "own", is_gpu_module=True), part("fan_kit", "named")
    box = chassis(fans={"gpu_module": "option", "gpu_module_part": "test/named"})
    found = [node_of([box, kit], [line(kit)])["has_gpu_fan_module"] for kit in (own, named, part("fan_kit", "other"))]
    assert found == [True, True, False]


def test_placement_is_not_changed_by_facts() -> None:
    node, _ = placed([chassis(slot("1")), gpu()], [line(gpu())])
    assert isinstance(node, NodePlacement)
