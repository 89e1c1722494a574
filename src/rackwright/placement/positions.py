"""The slots that a chassis's maker prescribes for kinds of cards, and their order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rackwright.catalog import Part
from rackwright.frozen import frozen


@frozen(slots=True)
class Prescribed:
    """Slots for a card; with `is_only` all others are excluded. No slots: nothing is stated."""

    slots: tuple[str, ...] = ()
    is_only: bool = False
    is_in_order: bool = False

    def rank(self, slot: str) -> int:
        """Return how late a slot is used: by the maker's order if he states one; slots that he does not name last."""
        if slot not in self.slots:
            return len(self.slots) if self.is_in_order else bool(self.slots)
        return self.slots.index(slot) if self.is_in_order else 0

    def excludes(self, slot: str) -> bool:
        """Say whether the maker excludes a slot for the card."""
        return self.is_only and slot not in self.slots


def prescribed(card: Part, chassis: Part, ordered: Collection[str]) -> Prescribed:
    """Return what the maker prescribes for a card: the first entry of `positions` that fits it.

    `ordered` are the ids of the parts on the node's list. A figure of the card that is not known fits no entry that
    asks for it.
    """
    for entry in chassis.get("positions") or ():
        if _fits(entry, card) and not _is_elsewhere(entry.get("if_parts"), ordered):
            slots = tuple(map(str, entry["slots"]))
            return Prescribed(slots, bool(entry.get("is_only")), bool(entry.get("is_in_order")))
    return Prescribed()


def _fits(entry: dict[str, Any], card: Part) -> bool:
    names = {card.id, *card.data.get("aliases", ())}
    return (
        card.kind in entry.get("kinds", (card.kind,))
        and not names.isdisjoint(entry.get("parts", names))
        and all(card.get(field) == entry[name] for name, field in _FIGURES.items() if name in entry)
    )


_FIGURES = {"form_factor": "form_factor", "width_slots": "card.width_slots", "is_dpu": "is_dpu"}


def _is_elsewhere(parts: list[str] | None, ordered: Collection[str]) -> bool:
    return parts is not None and not any(part in ordered for part in parts)
