"""Which GPU power cable feeds which card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rackwright.catalog import Part
from rackwright.placement.model import Line, PlacedCard


@dataclass(slots=True)
class _Supply:
    """Cable ends of one kind that are still free. A piece feeds `part.cards` cards, one if its file does not say."""

    part: Part
    ends_per_piece: int
    ends: int


def cables_needed(part: Part) -> int | None:
    """Return the number of auxiliary cables of a card; None if its connectors are not known."""
    inputs = part.get("power_inputs")
    if inputs is None:
        return None
    return sum(int(entry.get("count", 1)) for entry in inputs if entry["connector"] != "none")


def card_connector(part: Part) -> str | None:
    """Return the auxiliary connector of a card, `none` if it is known to have none; None if it is not known."""
    inputs = part.get("power_inputs")
    if inputs is None:
        return None
    return next((str(entry["connector"]) for entry in inputs if entry["connector"] != "none"), "none")


def assign_cables(cards: Sequence[PlacedCard], lines: Sequence[Line]) -> tuple[tuple[PlacedCard, ...], int]:
    """Give the ordered GPU power cables to the cards; return the cards and the number of pieces that are left.

    Cards with the highest level first take the weakest cable of their connector that still gives full power. Then
    GPUs whose connector is not known, then mismatching cables: so 'EPS cable for a 16-pin card' can be refused. Other
    cards take a cable only if they are known to need one.
    """
    supplies = [
        _Supply(line.part, ends, ends * line.count)
        for line in lines
        if line.part.kind == "cable" and line.part.get("purpose") == "gpu-power"
        for ends in [int(line.part.get("cards") if line.part.get("cards") is not None else 1)]
    ]
    fed: dict[int, tuple[Part, int]] = {}
    if not supplies:
        return tuple(cards), 0
    open_cards = [i for i, card in enumerate(cards) if not card.is_module and _wants_cable(card.part)]
    open_cards.sort(key=lambda i: (-_level(cards[i].part), cards[i].part.kind != "gpu"))
    for is_match, is_known in ((True, True), (False, False), (False, True)):
        for index in open_cards:
            part = cards[index].part
            if index in fed or (cables_needed(part) is not None) is not is_known:
                continue
            supply = _best(supplies, part, is_match)
            if supply is not None:
                count = min(cables_needed(part) or 1, supply.ends)
                supply.ends -= count
                fed[index] = (supply.part, count)
    left = sum(supply.ends // supply.ends_per_piece for supply in supplies if supply.ends_per_piece)
    result = [
        replace(card, cable=fed[index][0], cables_fitted=fed[index][1]) if index in fed else card
        for index, card in enumerate(cards)
    ]
    return tuple(result), left


def _wants_cable(part: Part) -> bool:
    needed = cables_needed(part)
    return part.kind == "gpu" if needed is None else needed > 0


def _level(part: Part) -> float:
    """Return the cable level in W that a card needs for full power; 0 where its maker does not state one."""
    return max((float(entry.get("level_full_w") or 0) for entry in part.get("power_inputs") or ()), default=0.0)


def _best(supplies: list[_Supply], part: Part, is_match: bool) -> _Supply | None:
    """Return the supply that suits a card best: enough ends, then enough level, then the lowest level."""
    wanted, needed, level = card_connector(part), cables_needed(part) or 1, _level(part)
    free = [
        supply for supply in supplies if supply.ends and (not is_match or supply.part.get("to_connector") == wanted)
    ]

    def key(supply: _Supply) -> tuple[bool, bool, float, str]:
        own = float(supply.part.get("level_w") or 0)
        return supply.ends < needed, own < level, own if own >= level else -own, supply.part.id

    return min(free, key=key, default=None)
