"""Facts about part lines: what one piece draws, and whether it draws at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.records import Make, Record, known
from rackwright.placement.model import Line, PlacedCard
from rackwright.placement.needs import cable_limit_w

# Kinds that always draw power. Options are mostly metal; one that draws states it.
_POWERED = frozenset({"cpu", "memory", "drive", "gpu", "nic", "storage_adapter", "fan_kit"})


def line_record(line: Line, make: Make, cards: Sequence[PlacedCard] = ()) -> Record:
    """Return the facts of a part line. `cards` are the node's cards; their cables may hold them back.

    What a piece draws is a quantity (rules/quantities/power.yaml): it can be explained down to the maker's figure.
    """
    data = line.part.data
    is_powered = line.part.kind in _POWERED or (line.part.kind == "option" and bool(line.part.get("power")))
    record = known(
        _path=line.path,
        part=data,
        kind=line.part.kind,
        count=line.count,
        is_powered=is_powered,
        has_ended=has_ended(line.part),
        is_capped=line.cap_w is not None,
        cap_w=line.cap_w,
        has_draw=not is_powered or line.part.get("power.max_w") is not None,
        has_cable_limit=(limit := _cable_limit_w(line, cards)) is not None,
        cable_limit_w=limit,
    )
    return make("line", record)


def has_ended(part: Part) -> bool:
    """Say whether the maker is known to have stopped selling a part; many part files say nothing about that."""
    return part.get("lifecycle.status") in ("end_of_sale", "end_of_life")


def _cable_limit_w(line: Line, cards: Sequence[PlacedCard]) -> float | None:
    """Return what the power cables let a card of this line draw, in W; None if one of them is not held back."""
    limits = [cable_limit_w(card.part, card.cable) for card in cards if card.path == line.path]
    stated = [limit for limit in limits if limit is not None]
    return max(stated) if stated and len(stated) == len(limits) else None


def with_count(line: Mapping[str, Any], count: int, make: Make) -> Record:
    """Return a line of the same part with another number of pieces."""
    return make("line", {**line, "count": count})
