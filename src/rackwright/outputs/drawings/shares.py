"""What the money goes to: one bar in parts, with a legend of the same order. Tones differ in grey print too."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.outputs.drawings.metrics import capped
from rackwright.outputs.drawings.svg import AMBER, DEEP, INK, LINE, SLATE, TEAL, WHITE, Drawing, Pen
from rackwright.proposal.money_model import Share

# Neighbours differ clearly in lightness, for grey print.
_TONES = (DEEP, "#8FC6D6", TEAL, LINE, SLATE, AMBER, "#B9A3D6")
_BAR, _ROW, _COLUMNS = 16.0, 11.5, 2


def shares(items: Sequence[Share], title: str, width: float = 270.0) -> str:
    """Draw the bar and its legend; empty without items."""
    if not items:
        return ""
    rows = -(-len(items) // _COLUMNS)
    spoken = ", ".join(f"{item.label} {item.ratio_text}" for item in items)
    drawing = Drawing(width, _BAR + 6 + rows * _ROW, f"{title}: {spoken}")
    left = 0.0
    for index, item in enumerate(items):
        length = item.ratio * width
        drawing.rect((left, 0, max(length - 0.8, 0.4), _BAR), _TONES[index % len(_TONES)], radius=0)
        left += length
    for index, item in enumerate(items):
        x, y = (index // rows) * width / _COLUMNS, _BAR + 6 + (index % rows) * _ROW
        drawing.rect((x, y + 1, 7, 7), _TONES[index % len(_TONES)], WHITE, radius=0)
        text = f"{capped(item.label)}  {item.ratio_text}"
        drawing.text(x + 11, y + 7.2, text, Pen(INK), width=width / _COLUMNS - 13)
    return str(drawing)
