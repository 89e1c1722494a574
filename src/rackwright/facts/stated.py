"""What a maker states and what he leaves open: flags by which rules tell an absent limit from a missing figure.

A limit that a maker does not state is no missing figure for everything: a chassis without a list of memory counts takes
any count that its sockets take. Where silence does leave a question open, the fact itself is absent instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.facts.records import Record
from rackwright.placement.model import NodePlacement
from rackwright.source import Grade


def chassis_flags(chassis: Part) -> Record:
    """Return which limits the maker of a chassis states, and what he says about mixtures."""
    limits: Mapping[str, Any] = chassis.get("gpu_limits") or {}
    return {
        "has_cpu_counts": chassis.get("cpu.counts") is not None,
        "has_cpu_power_limit": chassis.get("cpu.tdp_max_w") is not None,
        "has_dimm_counts": chassis.get("memory.counts_per_cpu") is not None,
        "has_memory_limit": chassis.get("memory.capacity_max_gb") is not None,
        "has_double_width_limit": "double_width_max" in limits,
        "has_single_width_limit": "single_width_max" in limits,
        "has_card_power_limit": "card_power_max_w" in limits,
        "has_gpu_cooling_list": "cooling" in limits,
        "mixed_cpus": _allowed(chassis.get("cpu.is_mixed_allowed")),
        "mixed_dimms": _allowed(chassis.get("memory.is_mixed_allowed")),
        "mixed_gpus": _allowed(limits.get("is_mixed_allowed")),
        "pcie_gpus": _allowed(limits.get("is_pcie_gpu_allowed")),
    }


def _allowed(stated: bool | None) -> str:
    return "not stated" if stated is None else "allowed" if stated else "excluded"


def slot_flags(data: Mapping[str, Any]) -> Record:
    """Return what a maker says about GPUs and power in a slot."""
    is_gpu = data.get("is_gpu")
    use = "not stated" if is_gpu is None else "offered" if is_gpu else "excluded"
    return {"gpu_use": use, "has_power_limit": data.get("power_max_w") is not None}


def card_flags(slot: Mapping[str, Any] | None, box: Mapping[str, Any]) -> Record:
    """Return whether a card sits in a PCIe slot that is known, and which dimensions of its `box` can be compared there.

    Without a slot map that is false: that the slots are not known is one finding (FIT001), not one a rule.
    """
    beside: Mapping[str, Any] = slot or {}
    return {
        "is_in_pcie_slot": slot is not None and slot["form_factor"] == "pcie",
        "has_length_limit": "length_max_mm" in beside,
        "has_length_classes": "length_class" in box and "length_rank" in beside,
        "has_height_limit": "height_max_mm" in beside,
        "has_height_classes": "height_class" in box and "height_rank" in beside,
    }


def is_count_qualified(listed: Sequence[Mapping[str, Any]] | None, count: int, names: Sequence[str]) -> bool | None:
    """Say whether a number of GPUs is one that the chassis's maker lists; None if he lists the GPU without numbers.

    `names` are the ids by which the list may name the part. None too without a list, or if the part is not on it.
    """
    entries = [entry for entry in listed or () if entry["gpu"] in names]
    stated = [entry for entry in entries if "counts" in entry or "count_max" in entry]
    if not stated:
        return None
    return any(count in entry.get("counts", [count]) and count <= entry.get("count_max", count) for entry in stated)


def is_family_listed(cpu: Part, chassis: Part, catalog: Catalog) -> bool | None:
    """Say whether a board takes CPUs of the family of `cpu`.

    A maker's list, or a copy of it, is the whole list. Where the families are only those of systems that were seen
    running, another family of one of their sockets is open; one of another socket does not fit. Unknown: None then, and
    without a list.
    """
    families = chassis.get("cpu.families")
    if families is None:
        return None
    if cpu.get("family") in families:
        return True
    if chassis.evidence_of("cpu.families")[1] is not Grade.MEASURED:
        return False
    seen = {
        part.get("socket") for part in catalog.parts.values() if part.kind == "cpu" and part.get("family") in families
    }
    return None if cpu.get("socket") in seen else False


def memory_speed_mt_s(placed: NodePlacement, cpu: Part, dimms: int) -> float | None:
    """Return the speed of the memory at a CPU: the least of module, CPU and board at this number of modules a channel.

    Source: ARK and the makers' memory tables (at two modules a channel both often state less). Unknown: None if module
    or CPU does not state its speed or the channels are not known; and if the board's figure is missing and the CPU does
    not already hold the modules back.
    """
    channels = cpu.get("memory_channels")
    if not dimms or not channels:
        return None
    is_single = math.ceil(dimms / channels) == 1
    names = ("memory_speed_mt_s", "speed_max_mt_s") if is_single else ("memory_speed_2dpc_mt_s", "speed_2dpc_mt_s")
    modules = [dimm.part.get("speed_mt_s") for dimm in placed.dimms]
    own: float | None = cpu.get(names[0])
    if own is None or None in modules:
        return None
    board: float | None = placed.chassis.get(f"memory.{names[1]}")
    if board is None:
        return own if own < max(modules) else None
    return float(min(*modules, own, board))


def is_redundancy_offered(wanted: str | None, psus: int, offered: Sequence[str] | None) -> bool | None:
    """Say whether the maker offers a redundancy; `N+1` and `N+N` are read with the number of supplies at hand.

    None if he lists none, or if nothing is asked for.
    """
    if wanted is None or offered is None:
        return None
    names = {wanted}
    if wanted == "N+1":
        names.add(f"{psus - 1}+1")
    if wanted == "N+N":
        names.add(f"{psus // 2}+{psus // 2}")
    if "+" in wanted and wanted[0] != "N":
        active, spare = (int(text) for text in wanted.split("+"))
        names |= {"N+1"} if spare == 1 else set()
        names |= {"N+N"} if active == spare else set()
    return bool(names & set(offered))
