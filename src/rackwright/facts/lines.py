"""Facts about part lines: what one piece draws, and whether it draws at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.facts.records import Make, Record, known, without
from rackwright.placement.model import Line, PlacedCard
from rackwright.placement.needs import draw_max_w

# Kinds that always draw power. Options are mostly metal; one that draws states it.
_POWERED = frozenset({"cpu", "memory", "drive", "gpu", "nic", "storage_adapter", "fan_kit"})


def line_record(line: Line, make: Make, cards: Sequence[PlacedCard] = ()) -> Record:
    """Return the facts of a part line. `cards` are the node's cards; those of this line tell its draw.

    Unknown: `draw_max_w` is absent if the maker states no draw; 0 for what draws nothing.
    """
    data = line.part.data
    is_powered = line.part.kind in _POWERED or (line.part.kind == "option" and bool(line.part.get("power")))
    record = known(
        lambda: {"draw_max_w": without(data, "power.max_w")},
        _path=line.path,
        part=data,
        kind=line.part.kind,
        count=line.count,
        is_powered=is_powered,
        is_capped=line.cap_w is not None,
        cap_w=line.cap_w,
        draw_max_w=(draw := _draw_w(line, cards) if is_powered else 0),
        has_draw=draw is not None,
    )
    return make("line", record)


def _draw_w(line: Line, cards: Sequence[PlacedCard]) -> float | None:
    """Return the draw of one piece in W; for cards that of the piece that draws most (their cables can differ)."""
    draws = [draw_max_w(card.part, card.cable, card.cap_w) for card in cards if card.path == line.path]
    stated = [draw for draw in draws if draw is not None]
    return max(stated) if stated else draw_max_w(line.part, None, line.cap_w)


def with_count(line: Mapping[str, Any], count: int, make: Make) -> Record:
    """Return a line of the same part with another number of pieces."""
    return make("line", {**line, "count": count})
