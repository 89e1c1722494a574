"""Small synthetic racks for tests: parts, nodes as placement leaves them, and records of nodes."""

from __future__ import annotations

from typing import Any

from rackwright.catalog import Catalog, Part, index
from rackwright.configuration import Configuration, Node
from rackwright.placement.model import Line, NodePlacement, PlacedPsu, Placement
from rackwright.placement.racks import place_racks
from rackwright.placement.supplies import inlet_voltage_v
from rackwright.readers.configuration_file import configuration_of
from rackwright.source import Location

POLICY: dict[str, Any] = {
    "power_factor_ratio": 0.98,
    "breaker_use_eu_ratio": 1.0,
    "breaker_use_na_ratio": 0.8,
    "rack_front_gap_mm": 64,
}
WYE_32 = {"pdu": "test/wye-32", "breaker_a": 32, "voltage_ll_v": 400, "wiring": "wye"}


def at(path: Any) -> Location:
    return Location("configuration.yaml", len(path))


def part(kind: str, part_id: str, **data: Any) -> Part:
    return Part(part_id, kind, {"kind": kind, "id": part_id, "title": part_id, **data})


def outlets(kind: str, count: int, *sections: str) -> list[dict[str, Any]]:
    return [{"type": kind, "count": count, "section": section} for section in sections]


LEGS, PAIRS = ("L1", "L2", "L3"), ("L1-L2", "L2-L3", "L3-L1")
WYE_OUTLETS = [*outlets("C13", 8, *LEGS), *outlets("C19", 4, *LEGS)]
DELTA_OUTLETS = outlets("C19", 4, *PAIRS)
SINGLE_OUTLETS = [{"type": "C13", "count": 20}, {"type": "C19", "count": 4}]
PARTS = [
    part("rack", "test/rack", height_u=42, outer_depth_mm=1070, mounting_depth_max_mm=900),
    part("rack", "test/low-rack", height_u=10, outer_depth_mm=1000),
    part(
        "pdu",
        "test/wye-32",
        phases=3,
        wiring="wye",
        continuous_a=32,
        power_max_w=22000,
        mount="0U",
        weight_kg=7,
        outlets=WYE_OUTLETS,
    ),
    part("pdu", "test/wye-24", phases=3, wiring="wye", continuous_a=24, mount="1U", weight_kg=7, outlets=WYE_OUTLETS),
    part("pdu", "test/delta-48", phases=3, wiring="delta", continuous_a=48, outlets=DELTA_OUTLETS),
    part(
        "pdu",
        "test/banked",
        phases=3,
        wiring="delta",
        region="na",
        continuous_a=24,
        outlets=[{"type": "C19", "count": 4, "section": pair, "bank": pair} for pair in PAIRS],
        banks=[{"name": pair, "breaker_a": 20} for pair in PAIRS],
    ),
    part("pdu", "test/single-24", phases=1, continuous_a=24, mount="2U", weight_kg=5, outlets=SINGLE_OUTLETS),
    part("pdu", "test/unmapped", phases=3, wiring="wye", continuous_a=32, outlets=[{"type": "C19", "count": 12}]),
    part("pdu", "test/bare", phases=3, wiring="wye"),
    part(
        "pdu",
        "test/combo",
        phases=1,
        continuous_a=32,
        outlets=[{"type": "C13-C19-combo", "count": 2}, {"type": "C13", "count": 2}],
    ),
    part("psu", "test/psu", inlet="C20", output_w=2800),
]
CATALOG: Catalog = index(PARTS)


def psu(inlet: str | None = "C20", output_w: float = 2800) -> Part:
    data = {"output_w": output_w} | ({"inlet": inlet} if inlet else {})
    return part("psu", f"test/psu-{(inlet or 'none').lower()}", **data)


def configuration(racks: list[dict[str, Any]], nodes: list[dict[str, Any]], **site: Any) -> Configuration:
    filled = [{"chassis": "test/chassis", **node} for node in nodes]
    return configuration_of({"site": {"racks": racks, **site}, "nodes": filled})


def rack(name: str = "R1", part_id: str = "test/rack", **values: Any) -> dict[str, Any]:
    return {"id": name, "part": part_id, **values}


def placed(
    config: Configuration,
    number: int,
    feeds: str = "AB",
    *,
    supply: Part | None = None,
    domains: list[str] | None = None,
    cords: tuple[Part, ...] = (),
    chassis: dict[str, Any] | None = None,
) -> NodePlacement:
    """Node `number` of a configuration with one supply a letter of `feeds` (`-`: in none), in `domains`."""
    node: Node = config.nodes[number]
    data = {"rack": {"height_u": 4, "depth_mm": 800}, "airflow": "front-to-back"} | (chassis or {})
    names = [name for name in [node.rack, *(node.racks or ())] if name]
    racks = [entry for entry in config.site.racks if entry.id in names]
    psus = tuple(
        PlacedPsu(
            id=f"{node.id}/psu{index}",
            part=supply or psu(),
            path=("nodes", number, "parts", 0),
            bay=str(index),
            has_bay=True,
            domain=domains[index - 1] if domains else "node",
            feed=None if letter == "-" else letter,
            input_voltage_v=inlet_voltage_v(racks[0].feeds[letter]) if racks and letter in racks[0].feeds else None,
        )
        for index, letter in enumerate(feeds, 1)
    )
    return NodePlacement(
        node=node,
        path=("nodes", number),
        chassis=part("chassis", f"test/chassis-{node.id}", **data),
        mode="",
        is_mode_known=True,
        lines=tuple(Line(cord, 2, ("nodes", number, "parts", 1)) for cord in cords),
        cpus=(),
        slots=(),
        has_slot_map=False,
        cards=(),
        groups=(),
        bridges_left=0,
        drives=(),
        psus=psus,
        dimms=(),
        is_dimm_count_even=True,
        gpu_cables_left=0,
        input_voltage_v=None,
    )


def in_racks(config: Configuration, *nodes: NodePlacement) -> Placement:
    racks, findings = place_racks(config, nodes, CATALOG, at)
    assert [str(item.message) for item in findings] == []
    return Placement(config, nodes, racks)


def node_record(node: NodePlacement, power_w: float | None, **facts: Any) -> dict[str, Any]:
    """The record of a node as far as racks read it; supplies give their output at 0.9."""
    figures = {} if power_w is None else {"input_peak_w": power_w}
    psus = [
        {"id": item.id, "domain": item.domain, "output_w": item.part.data["output_w"], "efficiency_ratio": 0.9}
        for item in node.psus
    ]
    return {"id": node.node.id, "count": node.node.count, "psus": psus, "psu_domains": [], **figures, **facts}
