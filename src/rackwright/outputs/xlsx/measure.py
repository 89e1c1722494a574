"""How many lines a text takes in a cell. Row heights are written, because not every program fits them on opening."""

from __future__ import annotations

from functools import lru_cache

from rackwright.outputs.xlsx.styles import Look

# Widths of the characters from space to `~` in thousandths of the font size.
# Source: Adobe font metrics of Helvetica, to which Arial and Liberation Sans are metric-compatible.
_ASCII = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_WIDTHS = {chr(32 + index): width for index, width in enumerate(_ASCII)}
_OTHER, _WIDE, _FIRST_WIDE = 600, 1000, 0x2E80
_BOLD = 1.07
_RESERVE = 1.05  # programs differ by a few hundredths

LINE_POINTS = 11.6
ROW_POINTS = 4.4
ROW_MAX_POINTS = 409.0  # the format's limit
_PIXELS_PER_CHARACTER = 7  # a digit of the default font on the screen: 9 points at 96 dots per inch
_PADDING_PIXELS = 5
_INDENT_PIXELS = 9
_SPACE = _WIDTHS[" "]


def row_height(lines: int, size: int) -> float:
    """The height of a row in points."""
    return min(lines * LINE_POINTS * max(1.0, size / 9) + ROW_POINTS, ROW_MAX_POINTS)


def line_count(text: str, look: Look, width: float) -> int:
    """The number of lines that a text takes in a column of that width; 1 where the cell does not wrap."""
    if not look.wraps:
        return 1
    room = _room(look, width)
    if len(text) * _WIDE <= room:
        return 1
    if "\n" not in text:
        return _wrapped(text, room)
    return sum(_wrapped(line, room) for line in text.split("\n"))


@lru_cache(maxsize=1024)
def _room(look: Look, width: float) -> float:
    """The width of a cell's content in thousandths of the font size."""
    pixels = width * _PIXELS_PER_CHARACTER - _PADDING_PIXELS - look.indent * _INDENT_PIXELS
    return pixels * 1000 / (look.size * 96 / 72) / _RESERVE / (_BOLD if look.bold else 1.0)


@lru_cache(maxsize=4096)
def _wrapped(line: str, room: float) -> int:
    lines, used = 1, 0.0
    for word in line.split(" "):
        length = float(sum(_WIDTHS.get(char) or (_WIDE if ord(char) >= _FIRST_WIDE else _OTHER) for char in word))
        if used and used + _SPACE + length > room:
            lines, used = lines + 1, length
        else:
            used += length + (_SPACE if used else 0)
        while used > room:
            lines, used = lines + 1, used - room
    return lines
