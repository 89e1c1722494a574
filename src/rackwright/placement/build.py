"""Cards and drives of a node in one mode of its chassis."""

from __future__ import annotations

from dataclasses import replace

from rackwright.catalog import Part
from rackwright.configuration import Node
from rackwright.diagnostic import Finding
from rackwright.frozen import frozen
from rackwright.placement.cards import Seating, needs_slot, seat_cards, with_collisions
from rackwright.placement.chains import Demand
from rackwright.placement.levels import Level, weight
from rackwright.placement.lines import At, list_gaps
from rackwright.placement.model import Line, PlacedCard, PlacedDrive, SlotState
from rackwright.placement.search import Solved
from rackwright.placement.slots import slot_states
from rackwright.placement.storage import place_drives


@frozen(slots=True)
class Order:
    """What is to be placed in one node, before a mode is chosen; `extra` are parts as if they were on the list."""

    node: Node
    chassis: Part
    lines: tuple[Line, ...]
    cards: tuple[PlacedCard, ...]
    cpus: int
    demands: list[Demand]
    at: At
    solved: Solved | None = None
    extra: frozenset[str] = frozenset()


@frozen(slots=True)
class Build:
    """A mode with cards and drives in it. `cost` counts what does not fit: pieces without a place, broken limits."""

    mode: str
    slots: tuple[SlotState, ...]
    seating: Seating
    drives: tuple[PlacedDrive, ...]
    findings: tuple[Finding, ...]
    cost: int


def build(order: Order, mode: str) -> Build:
    """Place cards and drives of a node in a mode of its chassis."""
    ordered = order.extra.union(line.part.id for line in order.lines)
    is_complete = not list_gaps(order.node, order.lines)
    slots = slot_states(order.chassis, mode, ordered, order.cpus, is_complete=is_complete)
    seating = _seat(order, slots)
    drives, problems = place_drives(order.node.id, order.chassis, mode, order.lines, order.at)
    homeless = sum(drive.is_placed is False for drive in drives)
    return Build(mode, slots, seating, drives, tuple(problems), seating.cost + weight(Level.HARD, homeless))


def _seat(order: Order, slots: tuple[SlotState, ...]) -> Seating:
    """Seat what needs a slot; settle modules and inner adapters without one. Without a slot map nothing is known."""
    known = {slot.name for slot in slots}
    forms = {str(slot.data.get("form_factor") or "pcie") for slot in slots}
    has_module_slots = not forms.isdisjoint(_MODULE_FORMS)
    cards = [replace(card, slot=card.slot if card.slot in known else None) for card in order.cards]
    cards = [replace(card, is_pinned=card.slot is not None) for card in cards]
    seated = [i for i, card in enumerate(cards) if slots and needs_slot(card, has_module_slots)]
    ordered = order.extra.union(line.part.id for line in order.lines)
    joined = frozenset(name for group in order.node.bridged or () for name in group)
    result = seat_cards(
        order.chassis, slots, [cards[i] for i in seated], order.demands, joined, ordered=ordered, solved=order.solved
    )
    for i, card in zip(seated, result.cards, strict=True):
        cards[i] = card
    for i in sorted(set(range(len(cards))) - set(seated)):
        cards[i] = _without_slot(cards[i], order.chassis)
    return Seating(with_collisions(cards) if slots else tuple(cards), result.cost, result.is_decided)


_MODULE_FORMS = frozenset({"sxm2", "sxm4", "sxm5", "sxm6", "oam"})


def _without_slot(card: PlacedCard, chassis: Part) -> PlacedCard:
    """Settle a card for which there are no slots: a module on the chassis's board, an adapter inside, or not known."""
    if card.is_module:
        return replace(card, slot=None, is_placed=_takes_module(card.part, chassis))
    is_internal = card.part.get("form_factor") == "internal"
    return replace(card, slot=None, is_placed=True if is_internal else None)


def _takes_module(module: Part, chassis: Part) -> bool | None:
    """Say whether a chassis's board carries a module; None if nothing says what kind of board it has.

    A chassis whose maker states slots or numbers of double-width cards, and no modules, is made for cards.
    """
    limits = chassis.get("gpu_limits") or {}
    board = limits.get("module_form_factor")
    if board is not None:
        return bool(board == module.get("form_factor"))
    is_for_cards = bool(chassis.get("slots")) or "double_width_max" in limits or "single_width_max" in limits
    return False if is_for_cards and "module_counts" not in limits else None
