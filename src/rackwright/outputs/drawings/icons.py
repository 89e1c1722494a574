"""Marks of state: a shape of its own for each, so that they differ in grey print."""

from __future__ import annotations

from rackwright.outputs.drawings.svg import BAD, GOOD, MM_PER_UNIT, SLATE, TEAL, WARN, WHITE, Drawing

# name -> (outline, colour, sign) on a field of 24 by 24; what is unknown has no colour.
_CIRCLE = "M12 1.5A10.5 10.5 0 1 0 12 22.5A10.5 10.5 0 1 0 12 1.5Z"
_TRIANGLE = "M12 1.6L23.2 21.4Q23.6 22.4 22.6 22.4L1.4 22.4Q0.4 22.4 0.8 21.4Z"
_OCTAGON = "M7.4 1H16.6L23 7.4V16.6L16.6 23H7.4L1 16.6V7.4Z"
_SQUARE = "M4 2H20A2 2 0 0 1 22 4V20A2 2 0 0 1 20 22H4A2 2 0 0 1 2 20V4A2 2 0 0 1 4 2Z"
_CHECK = "M6.4 12.4L10.4 16.4L17.8 8.2"
_CROSS = "M7.8 7.8L16.2 16.2M16.2 7.8L7.8 16.2"
_MARK = "M12 8.6V15M12 17.4V19.6"
_QUESTION = "M8.4 9.4Q8.6 5.8 12 5.8Q15.6 5.8 15.6 8.9Q15.6 10.8 13.6 11.9Q12 12.8 12 14.6M12 16.6V18.9"
_LETTER_I = "M12 10.8V17.6M12 6.2V8.6"
_MARKS: dict[str, tuple[str, str, str]] = {
    "valid": (_CIRCLE, GOOD, _CHECK),
    "open": (_TRIANGLE, WARN, _MARK),
    "invalid": (_OCTAGON, BAD, _CROSS),
    "pass": (_CIRCLE, GOOD, _CHECK),
    "error": (_OCTAGON, BAD, _CROSS),
    "warning": (_TRIANGLE, WARN, _MARK),
    "advice": (_CIRCLE, TEAL, _LETTER_I),
    "unknown": (_SQUARE, "", _QUESTION),
}


def icon(name: str, title: str, size_units: float = 9.0) -> str:
    """Return the mark `name` (valid, open, invalid, pass, error, warning, advice, unknown) as SVG."""
    outline, colour, sign = _MARKS[name]
    drawing = Drawing(24, 24, title, MM_PER_UNIT * size_units / 24)
    if colour:
        drawing.path(outline, colour)
        drawing.path(sign, "none", WHITE, 2.6)
    else:
        drawing.path(outline, WHITE, SLATE, 2.2)
        drawing.path(sign, "none", SLATE, 2.4)
    return str(drawing)
