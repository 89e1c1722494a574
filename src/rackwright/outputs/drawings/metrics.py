"""How wide a text is, and how it is made to fit. All lengths are drawing units."""

from __future__ import annotations

from rackwright.outputs.drawings.widths import WIDTHS

# Kerning and hinting may widen a line a little beyond the sum of its advances.
_RESERVE = 1.02
_WIDEST = 1000
ELLIPSIS = "…"


def text_width(text: str, size: float, weight: int = 400) -> float:
    """Return the width of a text; a character that the table does not know counts as one em."""
    table = WIDTHS[600 if weight > 400 else 400]
    return sum(table.get(char, _WIDEST) for char in text) * size / 1000 * _RESERVE


def fit(text: str, width: float, size: float, weight: int = 400) -> str:
    """Shorten a text with an ellipsis until it fits; an empty text if not even one letter fits."""
    if text_width(text, size, weight) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, size, weight) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


def wrap(text: str, width: float, size: float, weight: int = 400, *, most: int = 3) -> list[str]:
    """Break a text at spaces into at most `most` lines; what does not fit ends in an ellipsis."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        if len(lines) == most - 1:
            lines.append(fit(" ".join(words), width, size, weight))
            break
        count = 1
        while count < len(words) and text_width(" ".join(words[: count + 1]), size, weight) <= width:
            count += 1
        lines.append(fit(" ".join(words[:count]), width, size, weight))
        words = words[count:]
    return [line for line in lines if line]


def capped(text: str) -> str:
    """Begin a text with a capital, as labels do that stand alone."""
    return text[:1].upper() + text[1:]
