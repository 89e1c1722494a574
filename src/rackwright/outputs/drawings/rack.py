"""A rack: its front with every unit, and the way of the current from the circuit to the supplies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.outputs.drawings.frame import UNIT, framed, top_of
from rackwright.outputs.drawings.metrics import wrap
from rackwright.outputs.drawings.slots import feed_colour
from rackwright.outputs.drawings.svg import (
    AMBER,
    DEEP,
    INK,
    PAGE_WIDTH,
    SMALL,
    WHITE,
    Drawing,
    Pen,
)
from rackwright.proposal.model import NodeView, RackView

ELEVATION_WIDTH = 206.0
_FEED_ROW = 40.0
_FEED_BOX = 32.0


def elevation(rack: RackView, labels: Mapping[str, str]) -> str:
    """Draw the front of a rack, unit 1 at the bottom; an empty text if its height is not known."""
    if rack.height_u <= 0:
        return ""
    drawing, left, width = framed(f"{labels['elevation']}: {rack.title}", rack.height_u, ELEVATION_WIDTH)
    for item in rack.items:
        y = top_of(rack.height_u, item.unit_low_u + item.height_u - 1)
        box = item.height_u * UNIT
        drawing.rect((left + 2, y + 0.6, width - 4, box - 1.2), DEEP, radius=1.8)
        if item.height_u == 1:
            text = f"{item.label} · {item.detail}" if item.detail else item.label
            drawing.text(left + 7, y + 7.2, text, Pen(WHITE, 600), width=width - 14)
            continue
        middle = y + box / 2
        drawing.text(left + 7, middle - (2 if item.detail else -2.6), item.label, Pen(WHITE, 600), width=width - 14)
        drawing.text(left + 7, middle + 7.4, item.detail, Pen(WHITE, 400), width=width - 14)
    return str(drawing)


def feeds(rack: RackView, nodes: Sequence[NodeView], labels: Mapping[str, str], width: float = PAGE_WIDTH) -> str:
    """Draw each feed: circuit, PDU, and the supplies of the rack's nodes that hang on it."""
    if not rack.feeds:
        return ""
    there = {item.node for item in rack.items if item.node}
    supplies = [_supplies(feed, [node for node in nodes if node.id in there]) for feed, _, _ in rack.feeds]
    heights = [max(_FEED_ROW, 18.0 * len(rows) + 8) for rows in supplies]
    drawing = Drawing(width, sum(heights), f"{labels['feeds']}: {rack.title}")
    columns = _feed_columns(width, any(supplies))
    y = 0.0
    for feed, rows, height in zip(rack.feeds, supplies, heights, strict=True):
        _draw_feed(drawing, feed, labels["feed"], y + height / 2, columns)
        _draw_supplies(drawing, rows, y + height / 2, columns, feed_colour(feed[0]))
        y += height
    return str(drawing)


def _feed_columns(width: float, has_supplies: bool) -> list[tuple[float, float]]:
    if not has_supplies:
        return [(0.0, width * 0.42), (width * 0.5, width * 0.5)]
    return [(0.0, width * 0.25), (width * 0.29, width * 0.39), (width * 0.72, width * 0.28)]


def _supplies(feed: str, nodes: Sequence[NodeView]) -> list[tuple[str, str]]:
    """The supplies on a feed, one row a kind of server."""
    rows = []
    for node in nodes:
        names = [psu.name for psu in node.psus if psu.feed == feed]
        if names:
            rows.append((node.id, ", ".join(names)))
    return rows


def _draw_feed(
    drawing: Drawing, feed: tuple[str, str, str], word: str, middle: float, columns: list[tuple[float, float]]
) -> None:
    name, pdu, circuit = feed
    colour = feed_colour(name)
    ink = INK if colour == AMBER else WHITE
    (x, width), (pdu_x, pdu_width) = columns[0], columns[1]
    drawing.line([(x + width, middle), (pdu_x, middle)], colour, 2.2)
    top = middle - _FEED_BOX / 2
    drawing.rect((x, top, width, _FEED_BOX), colour, radius=2.4)
    drawing.text(x + 6, middle - 2.4, f"{word} {name}", Pen(ink, 600), width=width - 10)
    drawing.text(x + 6, middle + 7.4, circuit, Pen(ink, 400), width=width - 10)
    drawing.rect((pdu_x + 0.7, top + 0.7, pdu_width - 1.4, _FEED_BOX - 1.4), WHITE, colour, line=1.4, radius=2.4)
    rows = wrap(pdu, pdu_width - 12, SMALL, 500)
    start = middle + 2.4 - (len(rows) - 1) * 4.5
    drawing.lines(pdu_x + 6, start, pdu, pdu_width - 12, Pen(INK, 500), step=9 / SMALL)


def _draw_supplies(
    drawing: Drawing, rows: list[tuple[str, str]], middle: float, columns: list[tuple[float, float]], colour: str
) -> None:
    pdu_end = columns[1][0] + columns[1][1]
    top = middle - len(rows) * 9.0 + 9
    for index, (node, names) in enumerate(rows):
        y = top + index * 18
        sx, swidth = columns[2]
        bend = (pdu_end + sx) / 2
        drawing.line([(pdu_end, middle), (bend, middle), (bend, y), (sx, y)], colour, 1.4)
        drawing.rect((sx + 0.5, y - 7.5, swidth - 1, 15), WHITE, colour, radius=2)
        drawing.text(sx + 5, y + 2.4, f"{node}: {names}", Pen(INK, 400), width=swidth - 9)
