"""Bars against limits: supplies against the draw, phases against their breaker."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.outputs.drawings.metrics import capped, text_width
from rackwright.outputs.drawings.svg import (
    BAD,
    DEEP,
    INK,
    LINE,
    SLATE,
    SMALL,
    TRACK,
    WHITE,
    Box,
    Drawing,
    Pen,
)
from rackwright.proposal.model import BarView, FailureRow

_BAR = 10.0
_LINE = 8.8
_ROW = 15.0


def bars(items: Sequence[BarView], title: str, names: tuple[str, str] = ("", ""), width: float = 212.0) -> str:
    """Draw bars below each other on one scale; each with its value above and its limits below.

    `names` say what the two limits are.
    """
    if not items:
        return ""
    steps = [34.0 + _LINE * (bool(item.limit_text) + bool(item.second_limit_text)) for item in items]
    drawing = Drawing(width, sum(steps), title)
    scale = width / _longest(items)
    y = 0.0
    for item, step in zip(items, steps, strict=True):
        _draw(drawing, item, y, scale)
        _limits(drawing, item, y + 13, scale, names)
        y += step
    return str(drawing)


def short_bars(items: Sequence[BarView], title: str, width: float = 296.0) -> str:
    """Draw bars of one line each: name, bar with its limit as a tick, value and limit."""
    if not items:
        return ""
    drawing = Drawing(width, _ROW * len(items), title)
    texts = [_value_and_limit(item) for item in items]
    left = min(max(text_width(capped(item.label), SMALL, 600) for item in items) + 8, width * 0.3)
    right = min(max(text_width(text, SMALL, 600) for text in texts) + 8, width * 0.45)
    scale = (width - left - right) / _longest(items)
    for index, (item, text) in enumerate(zip(items, texts, strict=True)):
        y = index * _ROW
        colour = BAD if item.is_over else DEEP
        drawing.text(0, y + 9.4, capped(item.label), Pen(INK, 600), width=left - 4)
        drawing.rect((left, y + 3, width - left - right, 8), TRACK, radius=1)
        _fill(drawing, item, (left, y + 3, (item.value or 0) * scale, 8))
        if item.limit is not None:
            x = left + item.limit * scale
            _tick(drawing, x - 0.8, y + 1, y + 13)
        drawing.text(width, y + 9.4, text, Pen(colour, 600), anchor="end", width=right - 4)
    return str(drawing)


def _longest(items: Sequence[BarView]) -> float:
    """The length that fills the width; without any limit a bar ends short of it, for it says nothing of fullness."""
    limits = [length for item in items for length in (item.limit, item.second_limit) if length]
    values = [item.value for item in items if item.value]
    return max([*limits, *(value if limits else value * 1.5 for value in values)], default=1.0)


def _value_and_limit(item: BarView) -> str:
    value = f"{item.value_text} / {item.limit_text}" if item.limit_text else item.value_text
    return f"{value} · {item.ratio_text}" if item.ratio_text else value


def _fill(drawing: Drawing, item: BarView, box: Box) -> None:
    """Fill a bar; above its limit it is red and hatched."""
    if item.value is None:
        return
    drawing.rect(box, BAD if item.is_over else DEEP, radius=1)
    if item.is_over:
        drawing.hatch(box, WHITE)


def _draw(drawing: Drawing, item: BarView, y: float, scale: float) -> None:
    value = " · ".join(text for text in (item.value_text, item.ratio_text) if text)
    room = min(text_width(value, SMALL, 600), drawing.width * 0.62)
    drawing.text(0, y + 8, capped(item.label), Pen(INK, 600), width=drawing.width - room - 8)
    pen = Pen(BAD if item.is_over else INK, 600)
    drawing.text(drawing.width, y + 8, value, pen, anchor="end", width=room + 1)
    drawing.rect((0, y + 13, drawing.width, _BAR), TRACK, radius=1)
    if item.second_limit is not None:
        drawing.rect((0, y + 13, item.second_limit * scale, _BAR), LINE, radius=1)
    _fill(drawing, item, (0, y + 13, (item.value or 0) * scale, _BAR))


def _limits(drawing: Drawing, item: BarView, bar: float, scale: float, names: tuple[str, str]) -> None:
    """Write each limit on a line of its own below its tick, so that two of them never meet."""
    y = bar + _BAR + 9.5
    if item.limit is not None:
        _tick(drawing, item.limit * scale - 0.8, bar - 3, bar + _BAR + 3)
    if item.second_limit is not None:
        x = item.second_limit * scale - 0.6
        drawing.line([(x, bar - 1), (x, bar + _BAR + 2)], SLATE, 1.2, "1.6 1.2")
    if item.limit_text:
        _below(drawing, f"{names[0]} {item.limit_text}".strip(), (item.limit or 0) * scale, y, Pen(INK, 600))
        y += _LINE
    if item.second_limit_text:
        _below(drawing, f"{names[1]} {item.second_limit_text}".strip(), (item.second_limit or 0) * scale, y, Pen(SLATE))


def _below(drawing: Drawing, text: str, x: float, y: float, pen: Pen) -> None:
    width = min(text_width(text, SMALL, pen.weight), drawing.width)
    left = min(max(0.0, x - width / 2), drawing.width - width)
    drawing.text(left, y, text, pen, width=width + 0.5)


def _tick(drawing: Drawing, x: float, top: float, bottom: float) -> None:
    """Mark a limit: dark with a pale edge, so that it shows on any bar and in grey print."""
    drawing.line([(x, top), (x, bottom)], WHITE, 3.4)
    drawing.line([(x, top), (x, bottom)], INK, 1.6)


def failure_bar(row: FailureRow, title: str) -> str:
    """Draw the load of the tightest element after a loss; the tick is its limit."""
    if row.worst is None:
        return ""
    ratio = row.ratios[row.worst]
    if ratio is None:
        return ""
    drawing = Drawing(72, 11, title)
    drawing.rect((0, 2, 72, 7), TRACK, radius=1)
    is_over = ratio > 1
    length = min(ratio, 1.2) * 58
    drawing.rect((0, 2, length, 7), BAD if is_over else DEEP, radius=1)
    if is_over:
        drawing.hatch((0, 2, length, 7), WHITE)
    _tick(drawing, 58, 0, 11)
    return str(drawing)
