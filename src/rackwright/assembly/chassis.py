"""Which chassis can carry so many of a GPU, by what their files state, the most promising first.

Only what is known excludes. Whether a build really works is for the rules; this saves them the hopeless ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any

from rackwright.assembly.stock import Stock, has_ended
from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.slots import is_in_mode, mode_names, mode_parts


class Standing(IntEnum):
    """What the chassis's maker says of the GPU; better ones come first."""

    LISTED = 0
    NO_LIST = 1
    OTHER_COUNT = 2
    NOT_LISTED = 3


@frozen(slots=True)
class Offer:
    """A chassis, built in one mode, with the riser parts that its GPU slots need.

    `mode` is empty if the chassis has none, or if its file does not tell which of them suits. `gaps` counts groups of
    figures that its file lacks, `spare` the further GPUs that it could take.
    """

    chassis: Part
    mode: str
    parts: tuple[str, ...]
    standing: Standing
    gaps: int
    spare: int
    has_ended: bool

    @property
    def rank(self) -> tuple[bool, int, int, int, int, str]:
        """The order in which offers are tried, the most promising first."""
        height = int(self.chassis.get("rack.height_u") or 99)
        return self.has_ended, self.standing, self.gaps, self.spare, height, self.chassis.id


# Groups of figures without which checks stay undecided; each that is missing makes a chassis less promising.
_WANTED = ("slots", "bays", "psu.bays", "psu.redundancy", "memory.types", "memory.dimms", "inlet.max_c")
_WANTED_BY_AIR = ("fans.gpu_module", "airflow")


def offers(stock: Stock, gpu: Part, count: int, only: Sequence[str] = ()) -> list[Offer]:
    """Return every chassis that may carry `count` of `gpu`, the most promising first; `only` names chassis to look at.

    A chassis whose processors are not known is left out: no node can be completed in it.
    """
    found = (
        _offer(chassis, gpu, count, stock) for chassis in stock.catalog.of_kind("chassis") if _is_asked(chassis, only)
    )
    return sorted((offer for offer in found if offer is not None), key=lambda offer: offer.rank)


def _is_asked(chassis: Part, only: Sequence[str]) -> bool:
    return not only or chassis.id in only


def _offer(chassis: Part, gpu: Part, count: int, stock: Stock) -> Offer | None:
    if not chassis.get("cpu.families"):
        return None
    listed = _entry(chassis, gpu)
    is_module = gpu.get("form_factor") != "pcie"
    most = _modules_most(chassis, gpu, count, listed) if is_module else _cards_most(chassis, gpu, listed)
    if most is None or most < count:
        return None
    mode = _mode(chassis, gpu, count)
    if mode is None:
        return None
    parts = (*mode_parts(chassis, mode), *_riser_parts(chassis, gpu, count, mode))
    return Offer(
        chassis,
        mode,
        parts,
        _standing(chassis, count, listed),
        _gaps(chassis, gpu, stock),
        most - count,
        has_ended(chassis),
    )


def _gaps(chassis: Part, gpu: Part, stock: Stock) -> int:
    """Count what the checks of a build will miss: figures of the chassis, and of the supplies that belong to it."""
    is_passive = gpu.get("cooling.type") in (None, "passive") and gpu.get("form_factor") == "pcie"
    names = [*_WANTED, *(_WANTED_BY_AIR if is_passive else ())]
    if any(entry["connector"] != "none" for entry in gpu.get("power_inputs") or ()):
        names.append("gpu_power")
    units = [stock.catalog.find(unit) for unit in chassis.get("psu.models") or ()]
    is_rated = any(unit is not None and unit.get("output") and unit.get("inlet") for unit in units)
    return sum(chassis.get(name) is None for name in names) + (0 if is_rated else 1)


def _entry(chassis: Part, gpu: Part) -> dict[str, Any] | None:
    names = {gpu.id, *(gpu.get("aliases") or ())}
    return next((entry for entry in chassis.get("qualified_gpus") or () if entry["gpu"] in names), None)


def _standing(chassis: Part, count: int, listed: dict[str, Any] | None) -> Standing:
    if chassis.get("qualified_gpus") is None:
        return Standing.NO_LIST
    if listed is None:
        return Standing.NOT_LISTED
    counts, most = listed.get("counts"), listed.get("count_max")
    is_counted = (counts is None or count in counts) and (most is None or count <= most)
    return Standing.LISTED if is_counted else Standing.OTHER_COUNT


def _modules_most(chassis: Part, gpu: Part, count: int, listed: dict[str, Any] | None) -> int | None:
    """Return the number of modules on the board, None if the board does not take this module or this number."""
    limits = chassis.get("gpu_limits") or {}
    form, board = gpu.get("form_factor"), limits.get("module_form_factor")
    forms = {slot.get("form_factor") for slot in chassis.get("slots") or ()}
    if board != form and form not in forms and listed is None:
        return None
    counts = (listed or {}).get("counts") or limits.get("module_counts")
    return count if counts is not None and count in counts else None


def _cards_most(chassis: Part, gpu: Part, listed: dict[str, Any] | None) -> int | None:
    """Return how many of a card the chassis takes at most as far as stated, None if it is none for such cards."""
    limits = chassis.get("gpu_limits") or {}
    width, draw = gpu.get("card.width_slots") or 2, gpu.get("power.max_w")
    cooling = gpu.get("cooling.type")
    if limits.get("is_pcie_gpu_allowed") is False:
        return None
    if draw is not None and draw > limits.get("card_power_max_w", draw):
        return None
    if limits.get("cooling") is not None and cooling is not None and cooling not in limits["cooling"]:
        return None
    by_width = limits.get("double_width_max")
    if width == 1:
        by_width = limits.get("single_width_max", by_width)
    by_slot = max((_places(chassis, gpu, mode) for mode in mode_names(chassis) or ("",)), default=0)
    stated = [by_width, (listed or {}).get("count_max"), max((listed or {}).get("counts") or (), default=None)]
    known = [number for number in stated if number is not None]
    if by_slot and (known or _has_gpu_slot(chassis)):
        known.append(by_slot)
    return min(known, default=None)


def _has_gpu_slot(chassis: Part) -> bool:
    return any(slot.get("is_gpu") is True for slot in chassis.get("slots") or ())


def _gpu_slots(chassis: Part, gpu: Part, mode: str) -> Iterable[dict[str, Any]]:
    """Yield the records of slots that the GPU may sit in; where the maker marks slots for GPUs, these alone."""
    form = gpu.get("form_factor")
    is_marked = _has_gpu_slot(chassis)
    for slot in chassis.get("slots") or ():
        is_offered = slot.get("is_gpu") is True or (not is_marked and slot.get("is_gpu") is not False)
        if (slot.get("form_factor") or "pcie") == form and is_in_mode(slot, mode) and is_offered:
            yield slot


def _places(chassis: Part, gpu: Part, mode: str) -> int:
    """Count the GPUs for which a mode has slots; a wide card in narrow slots takes as many as it is wide."""
    width = gpu.get("card.width_slots") or 1
    wide: set[str] = set()
    narrow: set[str] = set()
    for slot in _gpu_slots(chassis, gpu, mode):
        taken = slot.get("width_slots")
        (narrow if taken is not None and taken < width else wide).update(map(str, slot["names"]))
    return len(wide) + _narrow_places(chassis, narrow, width)


def _narrow_places(chassis: Part, names: set[str], width: int) -> int:
    """Count wide cards in slots at single pitch: along each row a card covers the next ones; without rows all count."""
    rows = [row for row in chassis.get("rows") or () if not names.isdisjoint(row)]
    if not rows:
        return len(names)
    places = 0
    for row in rows:
        free = 0
        for index, name in enumerate(row):
            if name in names and index >= free:
                places, free = places + 1, index + width
    return places


def _mode(chassis: Part, gpu: Part, count: int) -> str | None:
    """Return the mode with the fewest places that suffice, empty if that is not known; None if none has enough."""
    names = mode_names(chassis)
    if not names or not chassis.get("slots"):
        return ""
    enough = [(n, -_lanes(chassis, gpu, name)) for name in names if (n := _places(chassis, gpu, name)) >= count]
    if not enough:
        return None
    best = min(enough)
    return next(name for name in names if (_places(chassis, gpu, name), -_lanes(chassis, gpu, name)) == best)


def _lanes(chassis: Part, gpu: Part, mode: str) -> int:
    return max((int(slot.get("lanes") or 0) for slot in _gpu_slots(chassis, gpu, mode)), default=0)


def _riser_parts(chassis: Part, gpu: Part, count: int, mode: str) -> tuple[str, ...]:
    """Return the risers to order for the GPU slots: none while fixed slots suffice, then one after the other."""
    risers = chassis.get("risers") or {}
    places, parts = 0, []
    groups: dict[str | None, int] = {}
    for slot in _gpu_slots(chassis, gpu, mode):
        riser = risers.get(slot.get("riser")) or {}
        part = None if riser.get("is_standard") else riser.get("part")
        groups[part] = groups.get(part, 0) + len(slot["names"])
    for part in sorted(groups, key=lambda part: part is not None):
        if places >= count:
            break
        places += groups[part]
        parts += [part] if part is not None else []
    return tuple(parts)
