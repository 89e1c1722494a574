"""The frame of a rack, the same for its front and its back: units from 1 at the bottom, every second one numbered."""

from __future__ import annotations

from rackwright.outputs.drawings.svg import DEEP, LINE, PALE, SLATE, Drawing, Pen

UNIT = 9.6
_NUMBERS = 20.0


def framed(title: str, height_u: int, width: float) -> tuple[Drawing, float, float]:
    """Begin the drawing of a rack. Returns it with the left edge and the width of what goes into the units."""
    height = height_u * UNIT
    drawing = Drawing(width, height + 12, title)
    left, inner = _NUMBERS + 4, width - _NUMBERS - 8
    drawing.rect((_NUMBERS, 2, width - _NUMBERS - 1, height + 8), PALE, DEEP, line=1.6, radius=2)
    for unit in range(1, height_u + 1):
        y = top_of(height_u, unit)
        drawing.line([(left, y), (left + inner, y)], LINE, 0.4)
        if unit == 1 or unit % 2 == 0:
            drawing.text(_NUMBERS - 4, y + 7.2, str(unit), Pen(SLATE, 400), anchor="end")
    return drawing, left, inner


def top_of(height_u: int, unit: int) -> float:
    """The upper edge of a unit of a rack with `height_u` units."""
    return 6 + height_u * UNIT - unit * UNIT
