"""What computed facts rest on: for the derivation of a verdict only, never for its value.

A fact that needs an algorithm has no formula that could be printed. This table names, as expressions of the rule
language on the fact's own record, the figures that went into it, so that a derivation reaches the catalog.
"""

from __future__ import annotations

_LINK = ("{0}.part.pcie.generation", "{0}.part.pcie.lanes", "{0}.slot.generation", "{0}.slot.lanes")


def _card(name: str) -> dict[str, tuple[str, ...]]:
    """The entries that all kinds of cards share."""
    link = tuple(text.format(name) for text in _LINK)
    return {
        f"{name}.link_generation": (link[0], link[2]),
        f"{name}.link_lanes": (link[1], link[3]),
        f"{name}.link_gb_s": link,
        f"{name}.link_gbit_s": link,
        f"{name}.card_gb_s": link[:2],
        f"{name}.width_slots": (f"{name}.part.card.width_slots",),
        f"{name}.cables_needed": (f"sum(i.count for i in {name}.part.power_inputs)",),
        f"{name}.length_rank": (f"{name}.part.card.length_class",),
        f"{name}.height_rank": (f"{name}.part.card.height_class",),
    }


# record.field -> expressions on that record
BASIS: dict[str, tuple[str, ...]] = {
    **_card("gpu"),
    **_card("nic"),
    **_card("card"),
    "gpu.cpu": ("gpu.slot.cpu",),
    "psu.output_w": ("psu.input_voltage_v", "sum(r.output_w for r in psu.part.output)"),
    "psu.is_voltage_in_range": ("psu.input_voltage_v", "sum(r.output_w for r in psu.part.output)"),
    "psu.efficiency_ratio": ("psu.part.efficiency_class", "sum(p.efficiency_ratio for p in psu.part.efficiency)"),
    "psu.inlet_a": ("psu.output_w", "psu.efficiency_ratio", "psu.input_voltage_v"),
    "psu_domain.capacity_w": ("sum(p.output_w for p in psu_domain.psus)",),
    "psu_domain.capacity_after_psu_loss_w": (
        "psu_domain.redundancy",
        "psu_domain.psus_spare",
        "sum(p.output_w for p in psu_domain.psus)",
    ),
    "psu_domain.capacity_after_feed_loss_w": ("sum(p.output_w for p in psu_domain.psus)",),
    "psu_domain.redundancy": ("psu_domain.node.redundancy",),
    "psu_domain.psus_spare": ("psu_domain.redundancy", "len(psu_domain.psus)"),
    "bridge_group.bridges_needed": ("sum(sum(n.bridges for n in g.part.nvlink.groups) for g in bridge_group.gpus)",),
    "bridge_group.link_gb_s": ("sum(g.part.nvlink.link_gb_s for g in bridge_group.gpus)",),
    "bridge_group.cpus": ("sum(g.cpu for g in bridge_group.gpus)",),
    "cpu.is_family_listed": ("cpu.part.family", "cpu.node.chassis.part.cpu.families"),
    "cpu.memory_speed_mt_s": (
        "cpu.part.memory_speed_mt_s",
        "cpu.node.chassis.part.memory.speed_max_mt_s",
        "sum(d.part.speed_mt_s for d in cpu.node.dimms)",
    ),
    "chassis.inlet_max_c": ("chassis.part.inlet.max_c", "chassis.part.inlet.derate_c_per_m"),
    "chassis.gpu_outlets": ("sum(o.count for o in chassis.part.gpu_power)",),
    "node.gpu_memory_gb": ("sum(g.part.memory.capacity_gb for g in node.gpus)",),
    "workload.need_gib": ("workload.weights_gib", "workload.cache_gib", "workload.other_gib"),
    "phase.load_worst_a": ("phase.worst_failure", "phase.load_normal_a"),
}
