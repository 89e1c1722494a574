"""The word of a draft across a page."""

from __future__ import annotations

from rackwright.outputs.drawings.metrics import text_width
from rackwright.outputs.drawings.svg import Drawing, Pen

_WIDTH, _HEIGHT = 636.0, 900.0
_PALE = "#F7EAE8"


def watermark(text: str) -> str:
    """Draw a text across an A4 page, pale enough to read what stands on it."""
    drawing = Drawing(_WIDTH, _HEIGHT, text)
    size = min(190.0, 760 / max(1.0, text_width(text, 1, 600)))
    x, y = _WIDTH / 2, _HEIGHT / 2
    drawing.text(x, y + size / 3, text, Pen(_PALE, 600, size), anchor="middle", slant=-54)
    return str(drawing)
