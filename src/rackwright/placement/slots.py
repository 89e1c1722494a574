"""The slots of a chassis in one of its modes: which exist, which have their riser and their CPU."""

from __future__ import annotations

from typing import Any

from rackwright.catalog import Part
from rackwright.placement.model import SlotState


def mode_names(chassis: Part) -> tuple[str, ...]:
    """Return the modes of the chassis in file order; empty if it has none."""
    return tuple(chassis.get("modes") or ())


def mode_parts(chassis: Part, mode: str) -> tuple[str, ...]:
    """Return the ids of the parts that make a mode."""
    record = (chassis.get("modes") or {}).get(mode) or {}
    return tuple(record.get("parts") or ())


def is_in_mode(record: dict[str, Any], mode: str) -> bool:
    """Say whether a record with `modes` exists in `mode`; an absent list means in all modes."""
    modes = record.get("modes")
    return modes is None or not mode or mode in modes


def slot_names(chassis: Part) -> tuple[str, ...]:
    """Return the names of all slots in any mode, each once, in file order."""
    records = chassis.get("slots") or ()
    return tuple(dict.fromkeys(str(name) for record in records for name in record["names"]))


def slot_states(
    chassis: Part, mode: str, ordered: frozenset[str], cpus: int, *, is_complete: bool = True
) -> tuple[SlotState, ...]:
    """Return every slot once, in the maker's order.

    A name may stand in several records of the file, one a mode or riser: the first that exists in `mode` with its riser
    fitted counts, else the first of the mode, else the first.
    `ordered` are ids of the parts of the node, by which risers are found; `cpus` the number of CPUs (0 = not said). If
    the list of parts is not `is_complete`, a riser that it does not name may be there: of several the one for GPUs.
    """
    fitted = ordered | frozenset(mode_parts(chassis, mode))

    def rank(record: dict[str, Any]) -> tuple[bool, bool, bool]:
        is_guess = not is_complete and record.get("is_gpu") is True
        return is_in_mode(record, mode), _has_riser(chassis, record, fitted), is_guess

    chosen: dict[str, dict[str, Any]] = {}
    shared: dict[int, dict[str, Any]] = {}  # one object for all slots of a record
    for record in chassis.get("slots") or ():
        for name in map(str, record["names"]):
            if name not in chosen or rank(record) > rank(chosen[name]):
                chosen[name] = record
        shared[id(record)] = {key: value for key, value in record.items() if key != "names"}
    return tuple(
        SlotState(
            name=name,
            data=shared[id(record)],
            order=order,
            is_in_mode=is_in_mode(record, mode),
            has_riser=_has_riser(chassis, record, fitted) or (False if is_complete else None),
            has_cpu=_has_cpu(chassis, record, cpus),
        )
        for order, (name, record) in enumerate(chosen.items())
    )


def cpu_of(chassis: Part, record: dict[str, Any]) -> int | None:
    """Return the number of the CPU that feeds a slot: the slot's own, that of its switch, or that of its riser."""
    if "cpu" in record:
        return int(record["cpu"])
    switches = chassis.get("switches") or {}
    switch = switches.get(record.get("switch")) or {}
    if "above" in switch:
        switch = switches.get(switch["above"]) or switch
    riser = (chassis.get("risers") or {}).get(record.get("riser")) or {}
    number = (switch.get("uplink") or {}).get("cpu") or riser.get("cpu")
    return int(number) if number else None


def _has_riser(chassis: Part, record: dict[str, Any], fitted: frozenset[str]) -> bool:
    """A riser without an order number cannot be forgotten: it counts as fitted."""
    riser = (chassis.get("risers") or {}).get(record.get("riser"))
    if not riser or riser.get("is_standard"):
        return True
    part = riser.get("part")
    return part is None or part in fitted


def _has_cpu(chassis: Part, record: dict[str, Any], cpus: int) -> bool | None:
    """None if no CPU is listed at all: then the missing CPU is the finding, not every slot."""
    if not cpus:
        return None
    riser = (chassis.get("risers") or {}).get(record.get("riser")) or {}
    needed = [number for number in (cpu_of(chassis, record), riser.get("cpu")) if number]
    if needed:
        return max(needed) <= cpus
    sockets = chassis.get("cpu.sockets")
    return True if sockets is not None and cpus >= sockets else None
