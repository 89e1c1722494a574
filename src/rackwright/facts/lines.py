"""Facts about part lines: what one piece draws, and whether it draws at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.placement.model import Line, PlacedCard
from rackwright.placement.needs import draw_max_w

Record = dict[str, Any]

# Kinds that always draw power. Options are mostly metal; one that draws states it.
_POWERED = frozenset({"cpu", "memory", "drive", "gpu", "nic", "storage_adapter", "fan_kit"})


def known(**facts: Any) -> Record:
    """Return the facts that are known: a fact without a value is absent, never None."""
    return {name: value for name, value in facts.items() if value is not None}


def line_record(line: Line, cards: Sequence[PlacedCard] = ()) -> Record:
    """Return the facts of a part line. `cards` are the node's cards; those of this line tell its draw.

    Unknown: `draw_max_w` is absent if the maker states no draw; 0 for what draws nothing.
    """
    is_powered = line.part.kind in _POWERED or (line.part.kind == "option" and bool(line.part.get("power")))
    return known(
        _path=line.path,
        part=line.part.data,
        kind=line.part.kind,
        count=line.count,
        is_powered=is_powered,
        is_capped=line.cap_w is not None,
        cap_w=line.cap_w,
        draw_max_w=_draw_w(line, cards) if is_powered else 0,
    )


def _draw_w(line: Line, cards: Sequence[PlacedCard]) -> float | None:
    """Return the draw of one piece in W; for cards that of the piece that draws most (their cables can differ)."""
    draws = [draw_max_w(card.part, card.cable, card.cap_w) for card in cards if card.path == line.path]
    stated = [draw for draw in draws if draw is not None]
    return max(stated) if stated else draw_max_w(line.part, None, line.cap_w)


def with_count(line: Mapping[str, Any], count: int) -> Record:
    """Return a line of the same part with another number of pieces."""
    return {**line, "count": count}


def total(values: Sequence[float | None]) -> float | None:
    """Return the sum of figures, None if one of them is not known."""
    figures = [value for value in values if value is not None]
    return sum(figures) if len(figures) == len(values) else None


def total_count(values: Sequence[int | None]) -> int | None:
    """Return the sum of counts, None if one of them is not known."""
    figures = [value for value in values if value is not None]
    return sum(figures) if len(figures) == len(values) else None
