"""The back of a rack: each server with its supplies, and the PDU, outlet and phase of each."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.outputs.drawings.frame import UNIT, framed, top_of
from rackwright.outputs.drawings.slots import feed_colour
from rackwright.outputs.drawings.svg import AMBER, DEEP, INK, WHITE, Box, Drawing, Pen
from rackwright.proposal.model import CordView, RackItem, RackView

_BADGE = 7.8
REAR_WIDTH = 250.0


def rear(rack: RackView, labels: Mapping[str, str]) -> str:
    """Draw the back of a rack, unit 1 at the bottom; an empty text without its height or without any cord."""
    if rack.height_u <= 0 or not rack.cords:
        return ""
    drawing, left, width = framed(f"{labels['rear']}: {rack.title}", rack.height_u, REAR_WIDTH)
    for item in rack.items:
        y = top_of(rack.height_u, item.unit_low_u + item.height_u - 1)
        cords = [cord for cord in rack.cords if cord.unit_low_u == item.unit_low_u and cord.server == item.label]
        _draw_server(drawing, item, cords, (left + 2, y + 0.6, width - 4, item.height_u * UNIT - 1.2))
    return str(drawing)


def _draw_server(drawing: Drawing, item: RackItem, cords: list[CordView], box: Box) -> None:
    """Draw a server with a badge a cord: beside its name in one unit, below it in more."""
    x, y, width, height = box
    drawing.rect(box, WHITE, DEEP, line=0.8, radius=1.8)
    if item.height_u == 1:
        drawing.text(x + 5, y + 6.6, item.label, Pen(INK, 600), width=52)
        places = [(x + 60 + column * 82.0, y + 0.3) for column in range(2)]
    else:
        drawing.text(x + 5, y + 7.4, item.label, Pen(INK, 600), width=width - 10)
        rows = int((height - 9.2) // (_BADGE + 0.6))
        places = [
            (x + 4 + column * (width - 6) / 2, y + 9.2 + row * (_BADGE + 0.6))
            for row in range(rows)
            for column in (0, 1)
        ]
    room = 80.0 if item.height_u == 1 else (width - 6) / 2 - 3
    for cord, (left, top) in zip(cords, places, strict=False):
        _draw_cord(drawing, cord, (left, top, room, _BADGE))
    if len(cords) > len(places):
        drawing.text(x + width - 3, y + height - 2, f"+{len(cords) - len(places)}", Pen(INK, 600), anchor="end")


def _draw_cord(drawing: Drawing, cord: CordView, box: Box) -> None:
    """Draw a badge: the feed as a letter on its colour, then supply, PDU, outlet and phase."""
    x, y, width, height = box
    colour = feed_colour(cord.feed)
    drawing.rect((x + 0.3, y + 0.3, width - 0.6, height - 0.6), WHITE, colour, line=0.7, radius=1.4)
    drawing.rect((x, y, 10, height), colour, radius=1.4)
    drawing.text(x + 5, y + 6, cord.feed, Pen(INK if colour == AMBER else WHITE, 600), anchor="middle", width=9)
    text = " · ".join(part for part in (cord.psu, cord.pdu, cord.outlet, cord.phase) if part)
    drawing.text(x + 13, y + 6, text, Pen(INK, 400), width=width - 15)
