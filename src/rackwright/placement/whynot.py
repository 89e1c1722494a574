"""Why not all cards of a node fit, and what would make them fit: the fewest changes, root cause first.

Each change is tried: the node is placed again with it. What is told therefore holds: with the change (or with the two
changes together) no card is without a slot and no limit of a slot is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from rackwright.catalog import Part
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.frozen import frozen
from rackwright.placement.build import Build, Order, build
from rackwright.placement.model import Line, PlacedCard, SlotState
from rackwright.placement.needs import broken_limits, can_take, need_of
from rackwright.placement.slots import cpu_of, mode_names
from rackwright.source import Location, Path

# Changes that are tried, alone and in pairs. A choice: 12 of them are 66 pairs, which take less than a second.
_TRIED_MAX = 12


# The two sentences of each change: what is, and what it would bring.
WHY_NOT = {
    "cpus": "the slots {slots} of {chassis} hang at CPU {cpu}, and {cpus} of {sockets} CPUs are ordered",
    "cpus_fix": "with {sockets} CPUs these slots wake and all cards fit",
    "riser": "the slots {slots} of {chassis} need the riser {part}, which is not ordered",
    "riser_fix": "with {part} these slots are there ({number}) and all cards fit",
    "mode": "{chassis} is built in mode {mode}, which does not have the slots for these cards",
    "mode_fix": "in mode {other} all cards fit",
    "pinned": "{part} is meant for slot {slots}",
    "pinned_fix": "without a chosen slot for it all cards fit",
    "number": "{count} x {part} are more than {chassis} takes beside the other cards, as it is ordered",
    "number_fix": "take {number} off: with {left} all cards fit",
    "none_fix": "without them all other cards fit",
    "both_fix": "with this and the other change that is named here all cards fit",
}


@frozen(slots=True)
class _Change:
    """One thing that could be otherwise: the order and mode with it, and the two sentences that tell of it."""

    order: Order
    mode: str
    says: str
    fix: str
    at: Location
    figures: dict[str, float | str]
    related: tuple[tuple[Location, str], ...] = ()


def why_not(order: Order, built: Build, path: Path) -> list[Finding]:
    """Return advice (CFG040) on a node whose cards do not fit: what keeps them from it and what would change it.

    A card that no slot takes even alone is the root cause, and all that is told. Else each change that is enough by
    itself is told; if none is, the first two that are enough together. Nothing if even two are not enough.
    """
    hopeless = _hopeless(order, built)
    if hopeless:
        return hopeless
    changes = list(_changes(order, built, path))[:_TRIED_MAX]
    enough = [change for change in changes if _fits(change.order, change.mode)]
    enough += _fewer(order, built.mode)
    if enough:
        return [_told(change, change.fix, order) for change in enough]
    for one, other in combinations(changes, 2):
        both = _both(order, one, other)
        if both is not None and _fits(*both):
            return [_told(change, WHY_NOT["both_fix"], order) for change in (one, other)]
    return []


def _fits(order: Order, mode: str) -> bool:
    seating = build(order, mode).seating
    return not seating.cost and seating.is_decided


def _told(change: _Change, fix: str, order: Order) -> Finding:
    return finding(
        "CFG040",
        change.says,
        change.at,
        severity=Severity.ADVICE,
        fix=fix,
        subject=order.node.id,
        related=change.related,
        **change.figures,
    )


def _hopeless(order: Order, built: Build) -> list[Finding]:
    """Return a finding for each kind of card that breaks a limit of every slot even if it is alone in the chassis."""
    told: dict[str, Finding] = {}
    for card in order.cards:
        if card.part.id in told or card.is_module or card.part.get("form_factor") == "internal":
            continue
        need = need_of(card)
        slots = [slot for slot in built.slots if can_take(need, slot)]
        broken = [(broken_limits(need, slot), slot) for slot in slots]
        if any(not {*fields} - {"cpu", "riser"} for fields, _ in broken) or not broken:
            continue
        fields, slot = min(broken, key=lambda pair: len(pair[0]))
        field = next(name for name in fields if name not in ("cpu", "riser"))
        told[card.part.id] = finding(
            "CFG040",
            "no slot of {chassis} takes {part}; nearest is slot {slot}, where {field} is {limit}",
            order.at((*card.path, "part")),
            severity=Severity.ADVICE,
            fix="choose another card, or a chassis whose slots take this one",
            subject=order.node.id,
            related=((_slot_field(order.chassis, slot, field), "the limit"),),
            chassis=order.chassis.title,
            part=card.part.title,
            slot=slot.name,
            field=field,
            limit=_text(slot.data.get(field)),
        )
    return list(told.values())


def _changes(order: Order, built: Build, path: Path) -> Iterator[_Change]:
    """Yield what could be otherwise, nearest to the root first: CPUs, risers, mode, slots that the user chose."""
    yield from _more_cpus(order, built, path)
    yield from _more_risers(order, built, path)
    yield from _other_modes(order, built, path)
    yield from _unpinned(order, built)


def _more_cpus(order: Order, built: Build, path: Path) -> Iterator[_Change]:
    sockets = order.chassis.get("cpu.sockets")
    asleep = [slot for slot in built.slots if slot.is_in_mode and slot.has_cpu is False]
    if not asleep or sockets is None or sockets <= order.cpus:
        return
    line = next((line for line in order.lines if line.part.kind == "cpu"), None)
    yield _Change(
        replace(order, cpus=sockets),
        built.mode,
        WHY_NOT["cpus"],
        WHY_NOT["cpus_fix"],
        order.at((*line.path, "count") if line is not None else path),
        {
            "slots": _names(asleep),
            "chassis": order.chassis.title,
            "cpu": ", ".join(sorted({str(cpu_of(order.chassis, slot.data)) for slot in asleep})),
            "cpus": order.cpus,
            "sockets": sockets,
        },
        ((_slot_field(order.chassis, asleep[0], "cpu"), f"the CPU of slot {asleep[0].name}"),),
    )


def _more_risers(order: Order, built: Build, path: Path) -> Iterator[_Change]:
    """Yield each riser that is not ordered. Its slots may stand in other records of the chassis file than those now."""
    risers = order.chassis.get("risers") or {}
    ordered = {line.part.id for line in order.lines}
    for name, riser in risers.items():
        part = riser.get("part")
        if riser.get("is_standard") or part is None or part in ordered:
            continue
        slots = [
            str(slot)
            for record in order.chassis.get("slots") or ()
            if record.get("riser") == name and (not built.mode or built.mode in record.get("modes", [built.mode]))
            for slot in record["names"]
        ]
        if slots:
            yield _Change(
                replace(order, extra=order.extra | {part}),
                built.mode,
                WHY_NOT["riser"],
                WHY_NOT["riser_fix"],
                order.at((*path, "chassis")),
                {
                    "slots": ", ".join(slots),
                    "chassis": order.chassis.title,
                    "part": part,
                    "number": len(slots),
                },
                ((order.chassis.at(f"risers.{name}"), "the riser"),),
            )


def _other_modes(order: Order, built: Build, path: Path) -> Iterator[_Change]:
    if order.node.mode is None:
        return  # then the mode in which least is broken was chosen already
    for name in mode_names(order.chassis):
        if name != built.mode:
            yield _Change(
                order,
                name,
                WHY_NOT["mode"],
                WHY_NOT["mode_fix"],
                order.at((*path, "mode")),
                {"chassis": order.chassis.title, "mode": built.mode, "other": name},
                ((order.chassis.at(f"modes.{name}"), "the other mode"),),
            )


def _unpinned(order: Order, built: Build) -> Iterator[_Change]:
    """Yield for each line with chosen slots that its cards may sit anywhere."""
    for line in order.lines:
        if not line.slots or not any(card.path == line.path for card in order.cards):
            continue
        free = tuple(
            replace(card, slot=None, is_pinned=False) if card.path == line.path else card for card in order.cards
        )
        yield _Change(
            replace(order, cards=free),
            built.mode,
            WHY_NOT["pinned"],
            WHY_NOT["pinned_fix"],
            order.at((*line.path, "slot" if len(line.slots) == 1 else "slots")),
            {"part": line.part.title, "slots": ", ".join(line.slots)},
        )


def _fewer(order: Order, mode: str) -> list[_Change]:
    """Return for each line of cards the fewest pieces to take off so that all others fit, where that is enough."""
    found = []
    for line in order.lines:
        mine = [card for card in order.cards if card.path == line.path]
        without = _less(order, line, len(mine))
        if not mine or line.slots or not _fits(without, mode):
            continue
        low, high = 1, len(mine)  # a card less never breaks more
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if _fits(_less(order, line, middle), mode) else (middle + 1, high)
        found.append(
            _Change(
                _less(order, line, low),
                mode,
                WHY_NOT["number"],
                WHY_NOT["number_fix" if low < len(mine) else "none_fix"],
                order.at((*line.path, "count")),
                {
                    "count": len(mine),
                    "part": line.part.title,
                    "chassis": order.chassis.title,
                    "number": low,
                    "left": len(mine) - low,
                },
                ((order.chassis.at("slots"), "its slots"),),
            )
        )
    return found


def _less(order: Order, line: Line, number: int) -> Order:
    """Return the order without the last `number` cards of a line; groups to be bridged are formed from what is left."""
    mine = [card for card in order.cards if card.path == line.path]
    gone = {card.id for card in mine[len(mine) - number :]}
    return replace(order, cards=tuple(card for card in order.cards if card.id not in gone))


def _both(order: Order, one: _Change, other: _Change) -> tuple[Order, str] | None:
    """Return the order with two changes; None if they are about the same thing."""
    merged = replace(
        order,
        cpus=max(one.order.cpus, other.order.cpus),
        extra=one.order.extra | other.order.extra,
        cards=tuple(_looser(a, b) for a, b in zip(one.order.cards, other.order.cards, strict=True)),
    )
    modes = {change.mode for change in (one, other)}
    if len(modes) == 1:
        return merged, one.mode
    if order.node.mode not in modes:
        return None
    return merged, next(mode for mode in modes if mode != order.node.mode)


def _looser(one: PlacedCard, other: PlacedCard) -> PlacedCard:
    return other if one.is_pinned else one


def _slot_field(chassis: Part, slot: SlotState, field: str) -> Location:
    """Return the place of a field of a slot in the chassis file; of its record where the field is not stated."""
    for index, record in enumerate(chassis.get("slots") or ()):
        if slot.name in record["names"] and all(record.get(key) == value for key, value in slot.data.items()):
            return chassis.at(f"slots.{index}.{field}" if field in record else f"slots.{index}")
    return chassis.at("slots")


def _names(slots: Sequence[SlotState]) -> str:
    return ", ".join(slot.name for slot in slots)


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
