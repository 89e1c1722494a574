"""The facts about nodes: one plain record a node, with everything below it, exactly as the vocabulary names it.

Records are plain dicts. A fact that is not known is absent. Names that start with `_` cannot be read by rules:
`_path` is the place in the configuration that the record comes from. Records refer to each other, so they are cyclic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Catalog
from rackwright.configuration import Site
from rackwright.facts.cards import (
    card_record,
    cpu_records,
    group_record_of,
    lanes_used,
    slot_records,
    switch_records,
)
from rackwright.facts.chassis import chassis_record
from rackwright.facts.licensing import licensing_facts, users_of
from rackwright.facts.lines import line_record
from rackwright.facts.psus import cord_connectors, domain_records, has_domain_loads, psu_record
from rackwright.facts.records import Context, Make, Needs, Record, known, merged, plain, total, without
from rackwright.facts.workloads import workload_facts
from rackwright.placement.lines import list_gaps
from rackwright.placement.model import NodePlacement, PlacedDrive, Placement
from rackwright.placement.slots import is_in_mode
from rackwright.workloads.shape import Workload


def build_nodes(
    placement: Placement, catalog: Catalog, make: Make = plain, policy: Mapping[str, Any] | None = None
) -> Record:
    """Return the record of the whole order with all nodes and licences; its `racks` are empty and filled by the caller.

    `make` finishes each record as one of its kind, e.g. so that quantities are computed when they are read.
    """
    site = make("site", build_site(placement.configuration.site))
    nodes = [_node(Context(placed, catalog, site, make, policy or {})) for placed in placement.nodes]
    order = known(
        _path=(),
        id="order",
        site=site,
        nodes=nodes,
        racks=[],
        nodes_unracked=sum(rack.unplaced for rack in placement.racks),
        extras=[line_record(line, make) for line in placement.extras],
        licences=[make("licence", record) for record in _licences(placement, nodes)],
    )
    return make("order", order)


def build_site(site: Site) -> Record:
    """Return what the configuration says about the site."""
    return known(
        _path=("site",),
        id="site",
        region=site.region,
        country=site.country,
        inlet_c=site.inlet_c,
        altitude_m=site.altitude_m,
        temperature_rise_c=site.temperature_rise_c,
        is_data_centre=site.is_data_centre,
    )


def _licences(placement: Placement, nodes: Sequence[Record]) -> list[Record]:
    """Return the licences of the nodes, then those of the order. A board with several GPUs counts each (A16: four)."""
    records = []
    for placed, own in zip(placement.nodes, nodes, strict=True):
        node = placed.node
        users = users_of(node.workload)
        lines = [line for line in placed.lines if line.part.kind == "licence"]
        for number, line in enumerate(lines, 1):
            name, count, gpus = f"{node.id}/licence{number}", line.count * node.count, _gpus(placed) * node.count
            facts = {"id": name, "count": count, "gpus": gpus, "users": users, "boards": own["gpus"]}
            records.append(known(_path=line.path, part=line.part.data, **facts))
    gpus = sum(_gpus(placed) * placed.node.count for placed in placement.nodes)
    needs = [users_of(placed.node.workload) for placed in placement.nodes]
    boards = [gpu for own in nodes for gpu in own["gpus"]]
    extras = [line for line in placement.extras if line.part.kind == "licence"]
    for number, line in enumerate(extras, 1):
        name, data = f"licence{number}", line.part.data
        facts = {"id": name, "count": line.count, "gpus": gpus, "users": total(needs), "boards": boards}
        records.append(known(_path=line.path, part=data, **facts))
    return records


def _gpus(placed: NodePlacement) -> int:
    return sum(card.part.get("gpus_per_board") or 1 for card in placed.cards if card.part.kind == "gpu")


def _node(context: Context) -> Record:
    # Longer than most functions because it lists the fields of the largest record, one a line.
    placed, node, make = context.placed, context.placed.node, context.make
    slots = slot_records(context)
    groups = {card: group.id for group in placed.groups for card in group.cards}
    every = [card_record(card, context, slots, groups.get(card.id, "")) for card in placed.cards]
    gpus = [card for card in every if card["kind"] == "gpu"]
    lines = [line_record(line, make, placed.cards) for line in placed.lines]
    cords = cord_connectors(placed)
    psus = [psu_record(psu, context, cord) for psu, cord in zip(placed.psus, cords, strict=True)]
    cpus = cpu_records(context, every)
    domains = domain_records(context, psus, lines, every)
    voltage, gaps = placed.input_voltage_v, list_gaps(node, placed.lines)
    record = known(
        lambda: {
            "input_voltage_v": [(context.site, "voltage_v")],
            "gpu_memory_gb": [need for gpu in gpus for need in without(gpu["part"], "memory.capacity_gb")],
            "redundancy": [(context.placed_id, "redundancy")],
            "is_list_complete": [(context.placed_id, gap) for gap in gaps],
        },
        _path=placed.path,
        id=node.id,
        count=node.count,
        site=context.site,
        chassis=chassis_record(context),
        cpus=cpus,
        gpus=gpus,
        cards=[card for card in every if not card["is_module"] and card["part"].get("form_factor") != "internal"],
        nics=[card for card in every if card["kind"] == "nic"],
        storage_adapters=[card for card in every if card["kind"] == "storage_adapter"],
        drives=_drives(context),
        bays=_bays(context),
        bridges_left=placed.bridges_left,
        bridge_groups=[group_record_of(group, gpus, context) for group in placed.groups],
        psus=psus,
        psu_domains=domains,
        has_domain_loads=has_domain_loads(domains),
        gpu_cables_left=placed.gpu_cables_left,
        lines=lines,
        slots=[slots[slot.name] for slot in placed.slots if slot.is_in_mode],
        switches=switch_records(context, every),
        lanes_used=lanes_used(placed, every, with_drives=True),
        redundancy=node.redundancy,
        is_redundancy_stated=node.redundancy is not None,
        input_voltage_v=voltage,
        allowance_w=node.allowance_w,
        has_allowance=node.allowance_w is not None,
        memory_stated_gb=node.memory_gb,
        has_memory_stated=node.memory_gb is not None,
        is_racked=node.rack is not None or bool(node.racks),
        is_list_complete=None if gaps else True,
        gpu_memory_gb=total([gpu["part"].get("memory", {}).get("capacity_gb") for gpu in gpus]),
        **_memory(context),
        **_by_kind(lines, placed),
        **_workload(context),
    )
    record = make("node", record)
    _own(record, every, "cpus", "psus", "drives", "bridge_groups", "psu_domains", "switches")
    return record


def _own(node: Record, cards: Sequence[Record], *lists: str) -> None:
    """Let everything that a rule can be about know its node."""
    for record in (*cards, *(record for name in lists for record in node[name])):
        record["node"] = node


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


def _memory(context: Context) -> Record:
    placed = context.placed
    cpus = max(1, sum(line.count for line in placed.cpus))
    return {
        "dimms": [
            context.make("dimm", known(_path=dimm.path, part=dimm.part.data, cpu=dimm.cpu, channel=dimm.channel))
            for dimm in placed.dimms
        ],
        "dimms_per_cpu": len(placed.dimms) // cpus if placed.is_dimm_count_even else None,
        "is_dimm_count_even": placed.is_dimm_count_even,
    }


def _workload(context: Context) -> Record:
    workload = context.placed.node.workload
    if workload is None:
        return {"has_workload": False}
    facts = known(
        task=workload.task,
        memory_gb=workload.memory_gb,
        memory_per_gpu_gb=workload.memory_per_gpu_gb,
        has_memory=workload.memory_gb is not None,
        has_memory_per_gpu=workload.memory_per_gpu_gb is not None,
        attention_heads=workload.attention_heads,
        has_attention_heads=workload.attention_heads is not None,
        is_split_over_gpus=workload.is_split_over_gpus,
        users=users_of(workload),
    )
    whole = merged(
        _need(context, workload),
        facts,  # what the user states stands above what is worked out
        workload_facts(workload),
        licensing_facts(context.placed, context.catalog, context.make),
    )
    return {"has_workload": True, "workload": context.make("workload", whole)}


def _need(context: Context, workload: Workload) -> Record:
    """Return the facts on the computed need; it is not worked out where the user states one."""
    if workload.memory_gb is not None:
        return {"has_need": False}
    from rackwright.facts.needs import need_facts

    return need_facts(context.placed, context.catalog, context.policy)


def _drives(context: Context) -> list[Record]:
    return [_drive(drive, context) for drive in context.placed.drives]


def _drive(drive: PlacedDrive, context: Context) -> Record:
    data = drive.part.data

    def reasons() -> dict[str, Needs]:
        no_bay = without(data, "form_factor") if "form_factor" not in data else without(context.chassis.data, "bays")
        return {"is_placed": no_bay, "bay": no_bay}

    record = known(
        reasons,
        _path=drive.path,
        id=drive.id,
        part=data,
        is_placed=drive.is_placed,
        bay=drive.bays,
        has_option=drive.has_option,
        option=drive.option,
    )
    return context.make("drive", record)


def _bays(context: Context) -> list[Record]:
    placed = context.placed
    records = []
    for group in context.chassis.get("bays") or ():
        name = str(group["name"])
        used = sum(drive.bays == name for drive in placed.drives)
        record = {"_path": placed.path, "name": name, "count": group["count"], "used": used}
        records.append(context.make("bays", {**record, "is_in_mode": is_in_mode(group, placed.mode)}))
    return records
