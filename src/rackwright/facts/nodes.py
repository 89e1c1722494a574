"""The facts about nodes: one plain record a node, with everything below it, exactly as the vocabulary names it.

Records are plain dicts. A fact that is not known is absent. Names that start with `_` cannot be read by rules:
`_path` is the place in the configuration that the record comes from. Records refer to each other, so they are cyclic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.configuration import Site, Workload
from rackwright.facts.cards import (
    card_record,
    cpu_records,
    group_record_of,
    lanes_used,
    slot_records,
    switch_records,
)
from rackwright.facts.lines import Record, known, line_record, total
from rackwright.facts.psus import domain_records, psu_record
from rackwright.placement.model import NodePlacement, Placement
from rackwright.placement.slots import is_in_mode

# Above this height air is thinner than every class of server is rated for without derating. Source: PR-44 of the fact
# pack (ASHRAE classes derate above 900 m, some makers above 950 m).
_RATED_ALTITUDE_M = 900


def build_nodes(placement: Placement) -> list[Record]:
    """Return the records of all nodes in the order of the configuration."""
    site = build_site(placement.configuration.site)
    return [_node(placed, site) for placed in placement.nodes]


def build_site(site: Site) -> Record:
    """Return what the configuration says about the site."""
    return known(
        _path=("site",),
        region=site.region,
        country=site.country,
        inlet_c=site.inlet_c,
        altitude_m=site.altitude_m,
        temperature_rise_c=site.temperature_rise_c,
        is_data_centre=site.is_data_centre,
    )


def build_order(placement: Placement, nodes: Sequence[Record], racks: Sequence[Record]) -> Record:
    """Return the record of the whole order; `nodes` and `racks` are its finished records."""
    return known(
        _path=(),
        site=build_site(placement.configuration.site),
        nodes=list(nodes),
        racks=list(racks),
        nodes_unracked=sum(rack.unplaced for rack in placement.racks),
        extras=[line_record(line) for line in placement.extras],
    )


def build_licences(placement: Placement) -> list[Record]:
    """Return the licences of the nodes, then those of the order. A board with several GPUs counts each (A16: four)."""
    records = []
    for placed in placement.nodes:
        node = placed.node
        users = node.workload.users if node.workload is not None else None
        lines = [line for line in placed.lines if line.part.kind == "licence"]
        for number, line in enumerate(lines, 1):
            records.append(
                known(
                    _path=line.path,
                    id=f"{node.id}/licence{number}",
                    part=line.part.data,
                    count=line.count * node.count,
                    gpus=_gpus(placed) * node.count,
                    users=users,
                )
            )
    gpus = sum(_gpus(placed) * placed.node.count for placed in placement.nodes)
    needs = [placed.node.workload.users if placed.node.workload is not None else None for placed in placement.nodes]
    extras = [line for line in placement.extras if line.part.kind == "licence"]
    for number, line in enumerate(extras, 1):
        records.append(
            known(
                _path=line.path,
                id=f"licence{number}",
                part=line.part.data,
                count=line.count,
                gpus=gpus,
                users=total(needs),
            )
        )
    return records


def _gpus(placed: NodePlacement) -> int:
    return sum(card.part.get("gpus_per_board") or 1 for card in placed.cards if card.part.kind == "gpu")


def _node(placed: NodePlacement, site: Record) -> Record:
    node = placed.node
    slots = slot_records(placed)
    groups = {card: group.id for group in placed.groups for card in group.cards}
    every = [card_record(card, placed, slots, groups.get(card.id, "")) for card in placed.cards]
    gpus = [card for card in every if card["kind"] == "gpu"]
    lines = [line_record(line, placed.cards) for line in placed.lines]
    psus = [psu_record(psu, placed, site.get("region")) for psu in placed.psus]
    parts = {card.id: card.part for card in placed.cards}
    cpus = cpu_records(placed, every)
    record = known(
        _path=placed.path,
        id=node.id,
        count=node.count,
        site=site,
        chassis=_chassis(placed, site),
        cpus=cpus,
        gpus=gpus,
        cards=[card for card in every if not card["is_module"] and card["part"].get("form_factor") != "internal"],
        nics=[card for card in every if card["kind"] == "nic"],
        storage_adapters=[card for card in every if card["kind"] == "storage_adapter"],
        drives=_drives(placed),
        bays=_bays(placed),
        bridges_left=placed.bridges_left,
        bridge_groups=[group_record_of(group, gpus, parts) for group in placed.groups],
        psus=psus,
        psu_domains=domain_records(placed, psus, lines, every),
        gpu_cables_left=placed.gpu_cables_left,
        lines=lines,
        slots=[slots[slot.name] for slot in placed.slots if slot.is_in_mode],
        switches=switch_records(placed, every),
        lanes_used=lanes_used(placed, every, with_drives=True),
        redundancy=node.redundancy,
        is_redundancy_stated=node.redundancy is not None,
        input_voltage_v=placed.input_voltage_v,
        allowance_w=node.allowance_w,
        has_allowance=node.allowance_w is not None,
        is_racked=node.rack is not None or bool(node.racks),
        gpu_memory_gb=total([gpu["part"].get("memory", {}).get("capacity_gb") for gpu in gpus]),
        **_memory(placed),
        **_by_kind(lines, placed),
        **_workload(node.workload),
    )
    for owned in (*every, *cpus, *psus, *record["drives"], *record["bridge_groups"], *record["psu_domains"]):
        owned["node"] = record
    for switch in record["switches"]:
        switch["node"] = record
    return record


# Fact of the node -> kind of the lines in it.
_LISTS = {
    "bridges": "nvlink_bridge",
    "cables": "cable",
    "cords": "cord",
    "fan_kits": "fan_kit",
    "heatsinks": "heatsink",
    "risers": "riser",
    "rails": "rail",
    "options": "option",
    "licences": "licence",
}


def _by_kind(lines: Sequence[Record], placed: NodePlacement) -> Record:
    facts: Record = {name: [line for line in lines if line["kind"] == kind] for name, kind in _LISTS.items()}
    module = placed.chassis.get("fans.gpu_module_part")
    facts["cords_count"] = sum(line["count"] for line in facts["cords"])
    facts["has_gpu_fan_module"] = any(
        line["part"]["id"] == module or line["part"].get("is_gpu_module") is True for line in facts["fan_kits"]
    ) or any(line["part"]["id"] == module for line in lines)
    return facts


def _memory(placed: NodePlacement) -> Record:
    cpus = max(1, sum(line.count for line in placed.cpus))
    return {
        "dimms": [{"_path": dimm.path, "part": dimm.part.data, "cpu": dimm.cpu} for dimm in placed.dimms],
        "dimms_per_cpu": len(placed.dimms) // cpus if placed.is_dimm_count_even else None,
        "is_dimm_count_even": placed.is_dimm_count_even,
    }


def _workload(workload: Workload | None) -> Record:
    if workload is None:
        return {"has_workload": False}
    facts = known(
        task=workload.task,
        memory_gb=workload.memory_gb,
        memory_per_gpu_gb=workload.memory_per_gpu_gb,
        has_memory=workload.memory_gb is not None,
        has_memory_per_gpu=workload.memory_per_gpu_gb is not None,
        is_split_over_gpus=workload.is_split_over_gpus,
        users=workload.users,
    )
    return {"has_workload": True, "workload": facts}


def _drives(placed: NodePlacement) -> list[Record]:
    return [
        known(
            _path=drive.path,
            id=drive.id,
            part=drive.part.data,
            is_placed=drive.is_placed,
            bay=drive.bays,
            has_option=drive.has_option,
            option=drive.option,
        )
        for drive in placed.drives
    ]


def _bays(placed: NodePlacement) -> list[Record]:
    return [
        {
            "_path": placed.path,
            "name": str(group["name"]),
            "count": group["count"],
            "used": sum(drive.bays == str(group["name"]) for drive in placed.drives),
            "is_in_mode": is_in_mode(group, placed.mode),
        }
        for group in placed.chassis.get("bays") or ()
    ]


def _chassis(placed: NodePlacement, site: Record) -> Record:
    chassis = placed.chassis
    has_modes = bool(chassis.get("modes"))
    outlets = chassis.get("gpu_power")
    counts = [entry.get("count") for entry in outlets] if outlets is not None else [None]
    return known(
        _path=(*placed.path, "chassis"),
        part=chassis.data,
        mode=placed.mode,
        has_mode=bool(placed.mode) or not has_modes,
        is_mode_known=placed.is_mode_known,
        bridges_allowed=_bridges_allowed(placed),
        has_slot_map=placed.has_slot_map,
        inlet_max_c=inlet_max_c(chassis.get("inlet") or {}, site.get("altitude_m")),
        gpu_outlets=total(counts),
        platform_lanes=_platform_lanes(placed),
    )


def _bridges_allowed(placed: NodePlacement) -> bool | None:
    """Say whether the chosen mode takes NVLink bridges: the mode's own word, else that of the chassis; None if neither."""
    mode = (placed.chassis.get("modes") or {}).get(placed.mode) or {}
    if "bridges_allowed" in mode:
        return bool(mode["bridges_allowed"])
    bridges: dict[str, Any] = placed.chassis.get("bridges") or {}
    modes = bridges.get("modes")
    if modes is not None and placed.mode and placed.mode not in modes:
        return False
    if "is_supported" in bridges:
        return bool(bridges["is_supported"])
    return True if bridges.get("groups") else None


def inlet_max_c(inlet: dict[str, Any], altitude_m: float | None) -> float | None:
    """Return the highest inlet temperature in C at a height.

    With a stated derating: the maximum less the slope for every metre above its start. Without one the maximum holds
    up to 900 m (PR-44). Unknown: None without a maximum, for a slope without a start, and above 900 m or the stated
    limit without a derating. An unstated height is taken as one without derating.
    """
    maximum: float | None = inlet.get("max_c")
    if maximum is None or altitude_m is None:
        return maximum
    slope, start = inlet.get("derate_c_per_m"), inlet.get("derate_above_m")
    if slope is not None:
        return None if start is None else maximum - slope * max(0.0, altitude_m - start)
    limit = min(_RATED_ALTITUDE_M, inlet.get("altitude_max_m", _RATED_ALTITUDE_M))
    return maximum if altitude_m <= limit else None


def _platform_lanes(placed: NodePlacement) -> int | None:
    """Return the PCIe lanes that the fitted CPUs offer on this board.

    Two EPYC CPUs spend 16 lanes each on every xGMI link, which is a figure of the chassis: 2 x (128 - 16 x) (PR-64).
    All others: the sum over the sockets (PR-63). Unknown: None without the CPU's lanes or the number of links.
    """
    cpus = [line.part for line in placed.cpus for _ in range(line.count)]
    if len(cpus) >= 2 and any(str(cpu.get("family")).startswith("epyc") for cpu in cpus):
        links = placed.chassis.get("cpu.xgmi_links")
        return 2 * (128 - 16 * int(links)) if links is not None and len(cpus) == 2 else None
    lanes = [cpu.get("pcie_lanes") for cpu in cpus]
    return sum(lanes) if cpus and None not in lanes else None
