"""Bars against limits: supplies against the draw, phases against their breaker."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.outputs.drawings.metrics import text_width
from rackwright.outputs.drawings.svg import (
    BAD,
    DEEP,
    INK,
    LINE,
    PAGE_WIDTH,
    SLATE,
    SMALL,
    TRACK,
    WHITE,
    Drawing,
    Pen,
)
from rackwright.proposal.model import BarView, FailureRow

_BAR = 10.0


def bars(
    items: Sequence[BarView], title: str, names: tuple[str, str] = ("", ""), width: float = PAGE_WIDTH / 2 - 10
) -> str:
    """Draw bars below each other on one scale; each with its value above and its limits below.

    `names` say what the two limits are.
    """
    if not items:
        return ""
    step = 43.0 if any(item.limit is not None or item.second_limit is not None for item in items) else 30.0
    drawing = Drawing(width, step * len(items), title)
    top = max((length for item in items for length in (item.value, item.limit, item.second_limit) if length), default=1)
    for index, item in enumerate(items):
        _draw(drawing, item, index * step, width / top, names)
    return str(drawing)


def _draw(drawing: Drawing, item: BarView, y: float, scale: float, names: tuple[str, str]) -> None:
    colour = BAD if item.is_over else DEEP
    value = " · ".join(text for text in (item.value_text, item.ratio_text) if text)
    room = min(text_width(value, SMALL, 600), drawing.width * 0.6)
    drawing.text(0, y + 8, item.label, Pen(INK, 600), width=drawing.width - room - 8)
    drawing.text(drawing.width, y + 8, value, Pen(colour, 600), anchor="end", width=room + 1)
    bar = y + 13
    drawing.rect((0, bar, drawing.width, _BAR), TRACK, radius=1)
    if item.second_limit is not None:
        drawing.rect((0, bar, item.second_limit * scale, _BAR), LINE, radius=1)
    if item.value is not None:
        drawing.rect((0, bar, item.value * scale, _BAR), colour, radius=1)
        if item.is_over:
            drawing.hatch((0, bar, item.value * scale, _BAR), WHITE)
    _limits(drawing, item, bar, scale, names)


def _limits(drawing: Drawing, item: BarView, bar: float, scale: float, names: tuple[str, str]) -> None:
    """Write the limits below their ticks; where they would meet, the second one goes to the right edge."""
    y = bar + _BAR + 9.5
    end = drawing.width
    if item.second_limit is not None:
        x = item.second_limit * scale
        drawing.line([(x - 0.6, bar - 1), (x - 0.6, bar + _BAR + 2)], SLATE, 1.2, "1.6 1.2")
        text = f"{names[1]} {item.second_limit_text}".strip()
        width = min(text_width(text, SMALL), drawing.width / 2 - 4)
        left = min(max(0.0, x - width), drawing.width - width)
        drawing.text(left + width, y, text, Pen(SLATE, 400), anchor="end", width=width + 0.5)
        end = left - 8
    if item.limit is not None:
        x = item.limit * scale
        drawing.line([(x - 0.8, bar - 3), (x - 0.8, bar + _BAR + 3)], BAD, 1.6)
        text = f"{names[0]} {item.limit_text}".strip()
        width = min(text_width(text, SMALL, 600), max(end, 40.0))
        left = min(max(0.0, x - width / 2), end - width)
        drawing.text(max(0.0, left), y, text, Pen(BAD, 600), width=width + 0.5)


def failure_bar(row: FailureRow, title: str) -> str:
    """Draw the load of the tightest element after a loss; the tick is its limit."""
    if row.worst is None:
        return ""
    ratio = row.ratios[row.worst]
    if ratio is None:
        return ""
    drawing = Drawing(90, 11, title)
    drawing.rect((0, 2, 90, 7), TRACK, radius=1)
    is_over = ratio > 1
    length = min(ratio, 1.2) * 72
    drawing.rect((0, 2, length, 7), BAD if is_over else DEEP, radius=1)
    if is_over:
        drawing.hatch((0, 2, length, 7), WHITE)
    drawing.line([(72, 0), (72, 11)], BAD, 1.4)
    return str(drawing)
