"""Processors, memory, drives and network adapters of a node."""

from __future__ import annotations

import math
from typing import Any

from rackwright.assembly.need import Adapters, NodeNeed
from rackwright.assembly.stock import Stock, closeness
from rackwright.catalog import Part
from rackwright.configuration import PartLine
from rackwright.placement.slots import is_in_mode
from rackwright.placement.storage import fits

# Stands for bays that are not known: enough of them, in the form of most NVMe drives for servers.
_COMMON_BAYS: dict[str, Any] = {"name": "", "count": 24, "form_factors": ["u2"], "protocols": ["nvme"]}


def cpu_count(chassis: Part) -> int:
    """Return the processors that are fitted: two where the maker allows two, else the fewest that he allows."""
    sockets = chassis.get("cpu.sockets") or 1
    counts = sorted(chassis.get("cpu.counts") or (sockets,))
    return 2 if 2 in counts else int(counts[0])


def choose_cpu(need: NodeNeed, chassis: Part, stock: Stock, only: tuple[str, ...] = ()) -> Part | None:
    """Return the processor with the fewest cores that suffice, then the least power; None if the board takes none.

    Only processors of the families that the board's maker lists, made for so many sockets, within his power limit and
    for a kind of memory that the board takes; `only` narrows the families. A clock below the wanted one comes last.
    """
    count, limit = cpu_count(chassis), chassis.get("cpu.tdp_max_w")
    families, types = only or chassis.get("cpu.families") or (), chassis.get("memory.types")

    def is_taken(cpu: Part) -> bool:
        power, own = cpu.get("power.max_w"), cpu.get("memory_types")
        return (
            cpu.get("family") in families
            and (cpu.get("sockets_max") or 1) >= count
            and power is not None
            and cpu.get("cores") is not None
            and (limit is None or power <= limit)
            and (types is None or own is None or not set(types).isdisjoint(own))
        )

    def key(cpu: Part) -> tuple[Any, ...]:
        lacking = max(0, need.cores - count * cpu.get("cores"))
        is_slow = (cpu.get("clock_base_ghz") or 0) < need.clock_min_ghz
        return lacking, is_slow, cpu.get("cores"), cpu.get("power.max_w"), cpu.id

    return min(filter(is_taken, stock.of("cpu")), key=key, default=None)


def choose_memory(need: NodeNeed, chassis: Part, cpu: Part, stock: Stock) -> PartLine | None:
    """Return equal modules that make up the memory with the least to spare, one or two in each channel.

    None if neither board nor processor says which kind of module fits, or the channels are not known.
    """
    cpus, channels = cpu_count(chassis), cpu.get("memory_channels")
    types = _types(chassis, cpu)
    if not channels or not types:
        return None
    best: tuple[Any, ...] | None = None
    for per_cpu in _populations(chassis, channels, cpus):
        for module in stock.of("memory"):
            total = per_cpu * cpus * module.get("capacity_gb")
            if module.get("type") not in types or total > (chassis.get("memory.capacity_max_gb") or math.inf):
                continue
            enough = max(0.0, need.memory_gb - total), closeness(module, chassis), total, per_cpu
            key = (*enough, *_memory_key(cpu, module), types.index(module.get("type")), module.id)
            if best is None or key < best[0]:
                best = (key, PartLine(part=module.id, count=per_cpu * cpus))
    return best[1] if best is not None else None


def _types(chassis: Part, cpu: Part) -> list[str]:
    board, own = chassis.get("memory.types"), cpu.get("memory_types")
    if board is None:
        return list(own or ())
    return [name for name in board if own is None or name in own]


def _populations(chassis: Part, channels: int, cpus: int) -> list[int]:
    """Return numbers of modules a processor, one a channel first, as the maker allows and the board has sockets."""
    dimms = chassis.get("memory.dimms")
    most = dimms // cpus if dimms is not None else 2 * channels
    allowed = chassis.get("memory.counts_per_cpu")
    wanted = [n for n in (channels, 2 * channels) if n <= most and (allowed is None or n in allowed)]
    return wanted or [max((n for n in allowed or () if n <= most), default=min(most, channels))]


def _memory_key(cpu: Part, module: Part) -> tuple[bool, float]:
    """Order equal modules by the speed that the processor uses: as fast, and not much faster."""
    wanted, speed = cpu.get("memory_speed_mt_s") or 0, module.get("speed_mt_s") or 0
    return speed < wanted, abs(speed - wanted)


def choose_drives(need: NodeNeed, chassis: Part, mode: str, stock: Stock) -> list[PartLine]:
    """Return two equal NVMe drives that each keep everything, more where one is too small; and their bays' option.

    Bays that need no option come first. Where the bays are not known, the common 2.5-inch form is taken.
    """
    groups: list[dict[str, Any]] | None = chassis.get("bays")
    known = groups if groups is not None else [_COMMON_BAYS]
    best: tuple[Any, ...] | None = None
    for group in known:
        if not is_in_mode(group, mode) or "nvme" not in (group.get("protocols") or ("nvme",)):
            continue
        for drive in stock.of("drive"):
            if drive.get("protocol") != "nvme" or not fits(drive, group) or not drive.get("capacity_gb"):
                continue
            capacity = drive.get("capacity_gb")
            count = 2 * math.ceil(max(need.storage_gb, 1) / capacity)
            if count > group["count"]:
                continue
            key = (
                group.get("option") is not None, group["form_factors"] == ["m2"], stock.distance(drive, chassis),
                len(group.get("protocols") or ()), count,
                drive.get("power.max_w") is None, capacity, -(drive.get("pcie_generation") or 0), drive.id,
            )  # fmt: skip
            if best is None or key < best[0]:
                best = (key, PartLine(part=drive.id, count=count), group.get("option"))
    if best is None:
        return []
    option = [PartLine(part=best[2], count=1)] if best[2] else []
    return [*option, best[1]]


def choose_adapters(wanted: Adapters, chassis: Part, mode: str, stock: Stock) -> PartLine | None:
    """Return the plainest adapters with these ports: no auxiliary power, no processor of its own, the least rate that
    suffices, of those whose size is known. A plug-in card where the chassis has PCIe slots beside those for GPUs, or
    its slots are not known.
    """
    slots = chassis.get("slots")
    free = [
        s for s in slots or () if is_in_mode(s, mode) and s.get("is_gpu") is not True and not _needs_riser(chassis, s)
    ]
    forms = {str(slot.get("form_factor") or "pcie") for slot in free} if slots else {"pcie"}
    form = "pcie" if "pcie" in forms or "ocp3" not in forms else "ocp3"

    def is_fit(nic: Part) -> bool:
        return (
            nic.get("form_factor") == form
            and (nic.get("ports") or 0) >= wanted.ports
            and (nic.get("port_gbit_s") or 0) >= wanted.port_gbit_s
            and not nic.get("is_dpu")
            and not nic.get("power_inputs")
        )

    def key(nic: Part) -> tuple[Any, ...]:
        gaps = sum(nic.get(name) is None for name in ("pcie.lanes", "card.width_slots", "card.length_class"))
        age = -(nic.get("pcie.generation") or 0)
        is_plain = (gaps if form == "pcie" else 0), nic.get("port_gbit_s"), nic.get("ports")
        return *is_plain, closeness(nic, chassis), age, nic.id

    best = min(filter(is_fit, stock.of("nic")), key=key, default=None)
    return PartLine(part=best.id, count=wanted.count) if best is not None else None


def _needs_riser(chassis: Part, slot: dict[str, Any]) -> bool:
    riser = (chassis.get("risers") or {}).get(slot.get("riser")) or {}
    return riser.get("part") is not None and not riser.get("is_standard")
