"""A small SVG writer: escapes every text, measures it, and keeps one scale for all drawings."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from xml.sax.saxutils import escape

from rackwright.outputs.drawings.metrics import fit, wrap

# One unit is 0.33 mm on paper in every drawing, so that texts of one size look alike everywhere.
MM_PER_UNIT = 0.33
PAGE_WIDTH = 527.0
SMALL = 6.6
NORMAL = 7.2

INK = "#15232D"
DEEP = "#0E3B4C"
TEAL = "#1D7A8C"
AMBER = "#E9A23B"
SLATE = "#5B6B77"
PALE = "#F1F5F8"
LINE = "#C9D3DA"
TRACK = "#DFE6EA"
WHITE = "#FFFFFF"
GOOD = "#1F7A46"
WARN = "#A8640F"
BAD = "#B3261E"


def number(value: float) -> str:
    """Write a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """Escape a text for XML and drop the control characters that XML forbids."""
    return escape("".join(char for char in text if char >= " " or char == "\t"))


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Pen:
    """How a text is written."""

    fill: str = INK
    weight: int = 400
    size: float = SMALL


PLAIN = Pen()


class Drawing:
    """Collects shapes; `title` is the alternative text and must say what the drawing shows."""

    def __init__(self, width: float, height: float, title: str, mm_per_unit: float = MM_PER_UNIT) -> None:
        self.width = width
        self.height = height
        self._title = title
        self._mm_per_unit = mm_per_unit
        self._shapes: list[str] = []

    def __str__(self) -> str:
        width, height = number(self.width), number(self.height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
            f'width="{number(self.width * self._mm_per_unit)}mm" height="{number(self.height * self._mm_per_unit)}mm" '
            f'font-family="Inter"><title>{clean(self._title)}</title>{"".join(self._shapes)}</svg>'
        )

    def rect(
        self, box: Box, fill: str, stroke: str = "", *, line: float = 0.8, radius: float = 1.6, dash: str = ""
    ) -> None:
        """Draw a box: left, top, width, height."""
        x, y, width, height = box
        extra = f' stroke="{stroke}" stroke-width="{number(line)}"' if stroke else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        self._shapes.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'rx="{number(radius)}" fill="{fill}"{extra}/>'
        )

    def line(self, points: list[tuple[float, float]], stroke: str, line: float = 0.8, dash: str = "") -> None:
        """Draw a line through points."""
        path = " ".join(f"{'M' if index == 0 else 'L'}{number(x)} {number(y)}" for index, (x, y) in enumerate(points))
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self._shapes.append(f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{number(line)}"{extra}/>')

    def path(self, data: str, fill: str, stroke: str = "", line: float = 0.8) -> None:
        """Draw a path from ready path data."""
        extra = f' stroke="{stroke}" stroke-width="{number(line)}"' if stroke else ""
        self._shapes.append(f'<path d="{data}" fill="{fill}"{extra}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        pen: Pen = PLAIN,
        *,
        anchor: str = "start",
        width: float | None = None,
        turn: bool = False,
        slant: int = 0,
    ) -> None:
        """Draw a line of text with its baseline at `y`, shortened to `width`; the full text stays as its title.

        `turn` reads upwards; `width` is then the height that is free. `slant` turns about the middle of the drawing.
        """
        room = self._room(x, anchor) if width is None and not (turn or slant) else width
        shown = fit(text, room, pen.size, pen.weight) if room is not None else text
        if not shown:
            return
        attributes = f' text-anchor="{anchor}"' if anchor != "start" else ""
        attributes += f' font-weight="{pen.weight}"' if pen.weight != 400 else ""
        attributes += f' transform="rotate(-90 {number(x)} {number(y)})"' if turn else ""
        if slant:
            attributes += f' transform="rotate({slant} {number(self.width / 2)} {number(self.height / 2)})"'
        element = (
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(pen.size)}" fill="{pen.fill}"{attributes}>'
            f"{clean(shown)}</text>"
        )
        if shown != text:
            element = f"<g><title>{clean(text)}</title>{element}</g>"
        self._shapes.append(element)

    def lines(
        self,
        x: float,
        y: float,
        text: str,
        width: float,
        pen: Pen = PLAIN,
        *,
        anchor: str = "start",
        most: int = 3,
        step: float = 1.22,
    ) -> float:
        """Draw a text on up to `most` lines from baseline `y` on; return the baseline that would follow."""
        rows = wrap(text, width, pen.size, pen.weight, most=most)
        if rows and rows[-1].endswith("…") and not text.endswith("…"):
            self._shapes.append(f"<g><title>{clean(text)}</title>")
        else:
            self._shapes.append("<g>")
        for row in rows:
            self.text(x, y, row, pen, anchor=anchor, width=width + 0.5)
            y += pen.size * step
        self._shapes.append("</g>")
        return y

    def hatch(self, box: Box, stroke: str) -> None:
        """Draw slanted lines inside a box, so that a colour is not the only difference."""
        x, y, width, height = box
        for step in itertools.count(1):
            start = step * 4.0
            if start >= width + height:
                return
            x0, y0 = (x + start, y) if start <= width else (x + width, y + start - width)
            x1, y1 = (x, y + start) if start <= height else (x + start - height, y + height)
            self.line([(x0, y0), (x1, y1)], stroke, 0.7)

    def _room(self, x: float, anchor: str) -> float:
        if anchor == "middle":
            return 2 * min(x, self.width - x)
        return x if anchor == "end" else self.width - x
