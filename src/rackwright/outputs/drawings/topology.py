"""The PCIe tree below one CPU, from left to right: CPU, switch, card."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.outputs.drawings.metrics import capped, text_width
from rackwright.outputs.drawings.svg import (
    AMBER,
    DEEP,
    INK,
    LINE,
    PAGE_WIDTH,
    PALE,
    SLATE,
    SMALL,
    TEAL,
    WHITE,
    Drawing,
    Pen,
)
from rackwright.proposal.model import TopologyView

_ROW = 17.0
_BOX = 14.0
_LINK = 52.0
_COLOURS = {"cpu": (INK, WHITE), "switch": (SLATE, WHITE), "gpu": (DEEP, WHITE), "nic": (AMBER, INK)}


def topology(tree: TopologyView, labels: Mapping[str, str], title: str) -> str:
    """Draw the tree of one CPU. Two columns if cards hang at the CPU itself, three with switches."""
    depth = _depth(tree)
    leaves = max(1, _leaves(tree))
    height = max(leaves * _ROW, 28.0) + 4
    drawing = Drawing(PAGE_WIDTH, height, f"{labels['topology']}: {title}, {tree.label}")
    columns = _columns(depth)
    _draw(drawing, tree, columns, 0, (2.0, height - 4))
    return str(drawing)


def _columns(depth: int) -> list[tuple[float, float]]:
    """Left edge and width of each column; the last column takes what is left."""
    if depth <= 1:
        return [(0.0, 240.0)]
    inner = [124.0, *[72.0] * (depth - 2)]
    columns = []
    x = 0.0
    for width in inner:
        columns.append((x, width))
        x += width + _LINK
    return [*columns, (x, PAGE_WIDTH - x)]


def _depth(tree: TopologyView) -> int:
    return 1 + max((_depth(child) for child in tree.children), default=0)


def _leaves(tree: TopologyView) -> int:
    return sum(_leaves(child) for child in tree.children) if tree.children else 1


def _draw(
    drawing: Drawing, tree: TopologyView, columns: list[tuple[float, float]], level: int, band: tuple[float, float]
) -> float:
    """Draw a tree into a band (its top and height); return the middle of its box."""
    top, height = band
    is_leaf = not tree.children and level > 0
    x, width = columns[-1] if is_leaf else columns[level]
    middle = top + height / 2
    y = top
    share = height / max(1, _leaves(tree))
    for child in tree.children:
        part = share * _leaves(child)
        at = _draw(drawing, child, columns, level + 1, (y, part))
        end = columns[level + 1][0] if child.children else columns[-1][0]
        _connect(drawing, child.link_text, (x + width, middle), (end, at))
        y += part
    if is_leaf:
        _leaf(drawing, tree, x, width, middle)
    else:
        _head(drawing, tree, x, width, middle)
    return middle


def _connect(drawing: Drawing, link: str, start: tuple[float, float], to: tuple[float, float]) -> None:
    (x, y), (end, at) = start, to
    bend = x + 9
    drawing.line([(x, y), (bend, y), (bend, at), (end, at)], LINE, 1.2)
    if link:
        width = min(text_width(link, SMALL) + 4, end - bend - 4)
        drawing.rect((end - width - 5, at - 5, width, 10), WHITE, radius=0)
        drawing.text(end - 7, at + 2.4, link, Pen(SLATE, 400), anchor="end", width=width)


def _head(drawing: Drawing, tree: TopologyView, x: float, width: float, middle: float) -> None:
    fill, ink = _COLOURS.get(tree.kind, (TEAL, WHITE))
    height = 24.0 if tree.detail else _BOX + 2
    drawing.rect((x, middle - height / 2, width, height), fill, radius=2.4)
    if tree.detail:
        drawing.text(x + 6, middle - 2.4, capped(tree.label), Pen(ink, 600), width=width - 12)
        drawing.text(x + 6, middle + 7, tree.detail, Pen(ink, 400), width=width - 12)
    else:
        drawing.text(x + 6, middle + 2.4, capped(tree.label), Pen(ink, 600), width=width - 12)


def _leaf(drawing: Drawing, tree: TopologyView, x: float, width: float, middle: float) -> None:
    """A card: its slot in a coloured tab, its name beside it."""
    fill, ink = _COLOURS.get(tree.kind, (TEAL, WHITE))
    tab = min(max(30.0, text_width(tree.label, SMALL, 600) + 10), width * 0.45)
    drawing.rect((x, middle - _BOX / 2, width, _BOX), PALE, radius=2)
    drawing.rect((x, middle - _BOX / 2, tab, _BOX), fill, radius=2)
    drawing.text(x + tab / 2, middle + 2.4, tree.label, Pen(ink, 600), anchor="middle", width=tab - 6)
    drawing.text(x + tab + 6, middle + 2.4, tree.detail, Pen(INK, 400), width=width - tab - 10)
