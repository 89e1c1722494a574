"""The slot map of a server: what sits where, at which CPU, joined by which bridge; and its power supplies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rackwright.outputs.drawings.metrics import capped, text_width, wrap
from rackwright.outputs.drawings.svg import (
    AMBER,
    DEEP,
    INK,
    LINE,
    NORMAL,
    PAGE_WIDTH,
    PALE,
    SLATE,
    SMALL,
    TEAL,
    WHITE,
    Box,
    Drawing,
    Pen,
)
from rackwright.proposal.model import NodeView, PsuView, SlotView

_GAP = 4.0
_BETWEEN = 16.0
_UPRIGHT = 38.0
_SINGLE = 33.0
_NARROWEST = 18.0
_BOX = 92.0
_EMPTY_BOX = 60.0
_HEAD = 13.0
_NAME = 12.0
_BRIDGE = 11.0
_PANEL_GAP = 8.0
_PSU_WIDTH = 132.0
_PSU_HEIGHT = 23.0
_TONES = (DEEP, TEAL, SLATE, INK)
FEED_COLOURS = (TEAL, AMBER, SLATE, DEEP)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A slot with the neighbours that its card covers."""

    slot: SlotView
    covers: tuple[SlotView, ...]

    @property
    def name(self) -> str:
        return self.slot.name if not self.covers else f"{self.slot.name}–{self.covers[-1].name}"

    @property
    def share(self) -> int:
        return max(1, self.slot.width_slots) + sum(max(1, slot.width_slots) for slot in self.covers)


@dataclass(frozen=True, slots=True)
class _Look:
    """Colour of each CPU's cards, and the words."""

    tones: Mapping[str, str]
    labels: Mapping[str, str]

    def cpu(self, slot: SlotView) -> str:
        return f"{self.labels['cpu']} {slot.cpu}" if slot.cpu else ""


@dataclass(frozen=True, slots=True)
class _Panel:
    """Slots of one side in one row. `levels` says how many bridges lie above each other."""

    side: str
    cells: tuple[_Cell, ...]
    unit: float
    levels: int

    @property
    def width(self) -> float:
        return sum(cell.share for cell in self.cells) * self.unit + _GAP * (len(self.cells) - 1)

    @property
    def height(self) -> float:
        return _BOX if any(cell.slot.card for cell in self.cells) else _EMPTY_BOX


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Panels beside each other."""

    panels: tuple[_Panel, ...]

    @property
    def head(self) -> float:
        return _HEAD + max(panel.levels for panel in self.panels) * _BRIDGE

    @property
    def height(self) -> float:
        return self.head + max(panel.height for panel in self.panels) + _NAME + _PANEL_GAP


def slot_map(node: NodeView, labels: Mapping[str, str]) -> str:
    """Draw slots, modules and supplies of a server; an empty text if none of them is known."""
    room = PAGE_WIDTH - (_PSU_WIDTH + 14 if node.psus else 0) - 20
    shelves = _shelves(_panels(node, room), room)
    if not shelves and not node.psus:
        return ""
    look = _Look(_tones(node.slots), labels)
    columns = 1 if shelves else 3
    per_column = -(-len(node.psus) // columns)
    left = sum(shelf.height for shelf in shelves)
    right = _HEAD + per_column * (_PSU_HEIGHT + _GAP) + 4 if node.psus else 0
    drawing = Drawing(PAGE_WIDTH, max(left, right) + 6, f"{labels['slot_map']}: {node.title}")
    drawing.rect((0.6, 0.6, PAGE_WIDTH - 1.2, drawing.height - 1.2), WHITE, DEEP, line=1.2, radius=4)
    y = 6.0
    for shelf in shelves:
        x = 10.0
        for panel in shelf.panels:
            _draw_panel(drawing, panel, (x, y, y + shelf.head), look)
            x += panel.width + _BETWEEN
        y += shelf.height
    if node.psus:
        _draw_psus(drawing, node.psus, per_column, PAGE_WIDTH - 10 - _PSU_WIDTH if shelves else 10.0, labels)
    return str(drawing)


def _panels(node: NodeView, width: float) -> list[_Panel]:
    sides = [(side, _cells(list(slots))) for side, slots in groupby(node.slots, key=lambda slot: slot.side)]
    if node.modules and not any(slot.card_kind == "gpu" for slot in node.slots):
        modules = [SlotView(str(n), "", "", "", card, "gpu", 2, "") for n, card in enumerate(node.modules, start=1)]
        sides.insert(0, ("", [_Cell(module, ()) for module in modules]))
    panels = []
    for side, cells in sides:
        for part in _split(cells, width):
            unit = min(_SINGLE, _unit(part, width))
            levels = max(_bridge_levels(part).values(), default=-1) + 1
            panels.append(_Panel(side, tuple(part), unit, levels))
    return panels


def _bridge_levels(cells: Sequence[_Cell]) -> dict[int, int]:
    """Height of each bridge group above the slots: groups whose spans meet lie above each other."""
    spans: dict[int, tuple[int, int]] = {}
    for index, cell in enumerate(cells):
        if cell.slot.group:
            first, _ = spans.get(cell.slot.group, (index, index))
            spans[cell.slot.group] = (first, index)
    levels: dict[int, int] = {}
    for group, (first, last) in spans.items():
        taken = {levels[other] for other in levels if spans[other][0] <= last and first <= spans[other][1]}
        levels[group] = next(level for level in range(len(spans) + 1) if level not in taken)
    return levels


def _shelves(panels: list[_Panel], width: float) -> list[_Shelf]:
    rows: list[list[_Panel]] = []
    for panel in panels:
        if rows and sum(other.width + _BETWEEN for other in rows[-1]) + panel.width <= width:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    return [_Shelf(tuple(row)) for row in rows]


def _split(cells: list[_Cell], width: float) -> list[list[_Cell]]:
    """Break a panel into as few even rows as leave room for a line of upright text in a single slot."""
    for rows in range(1, len(cells)):
        parts = _even(cells, rows)
        if all(_unit(part, width) >= _NARROWEST for part in parts):
            return parts
    return [[cell] for cell in cells]


def _even(cells: list[_Cell], rows: int) -> list[list[_Cell]]:
    whole = sum(cell.share for cell in cells)
    parts: list[list[_Cell]] = [[] for _ in range(rows)]
    before = 0
    for cell in cells:
        parts[before * rows // whole].append(cell)
        before += cell.share
    return [part for part in parts if part]


def _unit(cells: Sequence[_Cell], width: float) -> float:
    return (width - _GAP * (len(cells) - 1)) / sum(cell.share for cell in cells)


def _cells(slots: list[SlotView]) -> list[_Cell]:
    """Join a card's slot with the covered slots that follow it; any other slot stands alone."""
    cells: list[_Cell] = []
    for slot in slots:
        if cells and slot.covered_by and slot.covered_by == cells[-1].slot.name:
            cells[-1] = _Cell(cells[-1].slot, (*cells[-1].covers, slot))
        else:
            cells.append(_Cell(slot, ()))
    return cells


def _tones(slots: Sequence[SlotView]) -> dict[str, str]:
    cpus = sorted({slot.cpu for slot in slots if slot.cpu})
    return {cpu: _TONES[index % len(_TONES)] for index, cpu in enumerate(cpus)}


def _draw_panel(drawing: Drawing, panel: _Panel, corner: tuple[float, float, float], look: _Look) -> None:
    """Draw a panel; `corner` is its left edge, the top of its head, and the top of its slots."""
    left, head, top = corner
    side = capped(panel.side or look.labels["slots"])
    drawing.text(left, head + 9, side, Pen(SLATE, 600), width=panel.width + _BETWEEN - 4)
    x = left
    centres: dict[int, list[float]] = {}
    for cell in panel.cells:
        width = cell.share * panel.unit
        if cell.slot.card:
            _draw_card(drawing, cell.slot, (x, top, width, panel.height), look)
        else:
            _draw_empty(drawing, cell.slot, (x, top, width, panel.height))
        middle = x + width / 2
        drawing.text(middle, top + panel.height + 9, cell.name, Pen(SLATE, 500), anchor="middle", width=width + 3)
        if cell.slot.group:
            centres.setdefault(cell.slot.group, []).append(middle)
        x += width + _GAP
    levels = _bridge_levels(panel.cells)
    for group, points in centres.items():
        _draw_bridge(drawing, f"{look.labels['bridge']} {group}", points, top, top - 5 - levels[group] * _BRIDGE)


def _draw_bridge(drawing: Drawing, label: str, points: list[float], foot: float, bar: float) -> None:
    for x in points:
        drawing.line([(x, foot), (x, bar)], INK, 1.1)
    first, last = min(points), max(points)
    if first == last:
        first, last = first - 6, first + 6
    drawing.line([(first, bar), (last, bar)], INK, 2.4)
    width = text_width(label, SMALL, 600) + 6
    middle = (first + last) / 2
    if width < last - first - 8:
        drawing.rect((middle - width / 2, bar - 5, width, 10), WHITE, radius=0)
        drawing.text(middle, bar + 2.4, label, Pen(INK, 600), anchor="middle")
    else:
        drawing.text(last + 4, bar + 2.4, label, Pen(INK, 600))


def _draw_card(drawing: Drawing, slot: SlotView, box: Box, look: _Look) -> None:
    x, y, width, height = box
    fill, ink = (look.tones.get(slot.cpu, DEEP), WHITE) if slot.card_kind == "gpu" else (AMBER, INK)
    drawing.rect((x, y, width, height), fill, radius=2.4)
    if width < _UPRIGHT:
        _draw_turned(drawing, slot, box, Pen(ink), look)
        return
    size = NORMAL if all(text_width(word, NORMAL, 600) <= width - 5 for word in slot.card.split()) else SMALL
    drawing.lines(x + width / 2, y + 12, slot.card, width - 4, Pen(ink, 600, size), anchor="middle", most=6)
    below = y + height - 6
    if look.cpu(slot):
        drawing.text(x + width / 2, below, look.cpu(slot), Pen(ink, 400), anchor="middle", width=width - 4)
        below -= 9
    drawing.text(x + width / 2, below, slot.lanes_text, Pen(ink, 400), anchor="middle", width=width - 4)


def _draw_turned(drawing: Drawing, slot: SlotView, box: Box, pen: Pen, look: _Look) -> None:
    """Write upwards in a narrow box: on two lines where there is room, else the name alone."""
    x, y, width, height = box
    foot = " · ".join(text for text in (slot.lanes_text, look.cpu(slot)) if text)
    middle, bottom, room = x + width / 2, y + height - 5, height - 10
    bold = Pen(pen.fill, 600)
    if width < 24:
        drawing.text(middle + 2.4, bottom, slot.card, bold, width=room, turn=True)
        return
    names = wrap(slot.card, room, SMALL, 600, most=2 if width >= 30 else 1)
    start = middle - (len(names) - 1) * 4.5 - (2 if foot else -2.4)
    for index, name in enumerate(names):
        drawing.text(start + index * 8.4, bottom, name, bold, width=room, turn=True)
    drawing.text(start + len(names) * 8.4 + 0.6, bottom, foot, pen, width=room, turn=True)


def _draw_empty(drawing: Drawing, slot: SlotView, box: Box) -> None:
    x, y, width, height = box
    drawing.rect((x + 0.4, y + 0.4, width - 0.8, height - 0.8), PALE, LINE, dash="2.5 2", radius=2.4)
    text = " · ".join(part for part in (slot.state, slot.lanes_text) if part)
    if width >= _UPRIGHT:
        drawing.text(x + width / 2, y + height / 2 - 1, slot.state, Pen(SLATE, 400), anchor="middle", width=width - 4)
        drawing.text(
            x + width / 2, y + height / 2 + 8, slot.lanes_text, Pen(SLATE, 400), anchor="middle", width=width - 4
        )
    else:
        drawing.text(x + width / 2 + 2.4, y + height - 5, text, Pen(SLATE, 400), width=height - 10, turn=True)


def _draw_psus(
    drawing: Drawing, psus: tuple[PsuView, ...], per_column: int, left: float, labels: Mapping[str, str]
) -> None:
    drawing.text(left, 15, capped(labels["power_supplies"]), Pen(SLATE, 600), width=_PSU_WIDTH)
    for index, psu in enumerate(psus):
        x = left + index // per_column * (_PSU_WIDTH + 10)
        y = 6 + _HEAD + index % per_column * (_PSU_HEIGHT + _GAP)
        colour = feed_colour(psu.feed)
        drawing.rect((x + 0.5, y + 0.5, _PSU_WIDTH - 1, _PSU_HEIGHT - 1), WHITE, colour, line=1.1, radius=2.4)
        room = _PSU_WIDTH - (30 if psu.feed else 10)
        name = " · ".join(
            text for text in (psu.name, _bay(psu, labels), psu.domain if psu.domain != "node" else "") if text
        )
        drawing.text(x + 5, y + 9.4, name, Pen(INK, 600), width=room)
        drawing.text(x + 5, y + 18.4, psu.title, Pen(SLATE, 400), width=room)
        if psu.feed:
            draw_feed(drawing, psu.feed, x + _PSU_WIDTH - 20, y + 4.5)


def _bay(psu: PsuView, labels: Mapping[str, str]) -> str:
    return f"{labels['bay']} {psu.bay}" if psu.bay else ""


def draw_feed(drawing: Drawing, feed: str, x: float, y: float) -> None:
    """Draw the badge of a feed."""
    colour = feed_colour(feed)
    drawing.rect((x, y, 14, 14), colour, radius=2)
    drawing.text(x + 7, y + 9.8, feed, Pen(INK if colour == AMBER else WHITE, 600, NORMAL), anchor="middle", width=13)


def feed_colour(feed: str) -> str:
    """One colour a feed: A teal, B amber, further ones darker; slate if the feed is not stated."""
    if not feed:
        return SLATE
    return FEED_COLOURS[(ord(feed[0].upper()) - ord("A")) % len(FEED_COLOURS)]
