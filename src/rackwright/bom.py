"""The bill of materials: what has to be ordered, from the placement. It knows no verdicts and no prices."""

from __future__ import annotations

import dataclasses

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.model import Line, NodePlacement, Placement
from rackwright.source import Path

# The order in which the parts of a node are listed: from the box to what goes in it to what connects it.
KIND_ORDER = (
    "chassis",
    "cpu",
    "heatsink",
    "memory",
    "gpu",
    "nvlink_bridge",
    "riser",
    "fan_kit",
    "cable",
    "storage_adapter",
    "drive",
    "nic",
    "psu",
    "cord",
    "rail",
    "option",
    "licence",
    "service",
    "pdu",
    "rack",
)


@frozen(slots=True)
class BomLine:
    """One line: a part in one group. `position` is hierarchical (`1.3`); totals are per group times its count.

    `role` is `spare`, `option` or `alternative`, empty for what is simply ordered. `months` is the term of support;
    `own_price` the net price of a unit that the user wrote beside the item.
    """

    position: str
    part: Part
    count: int
    total: int
    paths: tuple[Path, ...] = ()
    note: str = ""
    role: str = ""
    instead_of: str = ""
    months: int | None = None
    own_price: str | None = None


@frozen(slots=True)
class BomGroup:
    """A node (or the rack equipment, or the extras) with its lines. `count` is the number of such nodes.

    `is_offered`: options and alternatives, which no total counts.
    """

    position: str
    id: str
    title: str
    count: int
    lines: tuple[BomLine, ...]
    is_offered: bool = False


@frozen(slots=True)
class Bom:
    """The whole bill, group by group."""

    groups: tuple[BomGroup, ...]

    @property
    def lines(self) -> list[BomLine]:
        """All lines in order, options and alternatives too."""
        return [line for group in self.groups for line in group.lines]

    @property
    def ordered(self) -> list[BomLine]:
        """The lines that are ordered: all but options and alternatives."""
        return [line for group in self.groups if not group.is_offered for line in group.lines]


def make_bom(placement: Placement) -> Bom:
    """Make the bill of a placement: one group a node, then racks with their PDUs, extras, options and alternatives.

    Every placed part is on exactly one line; equal parts of a node share a line.
    """
    groups: list[BomGroup] = []
    for node in placement.nodes:
        groups.append(_node_group(str(len(groups) + 1), node))
    if placement.racks:
        groups.append(_rack_group(str(len(groups) + 1), placement))
    for name, lines in (("extras", placement.extras), ("offered", placement.offered)):
        if lines:
            position = str(len(groups) + 1)
            groups.append(BomGroup(position, name, "", 1, _extra_lines(position, lines, placement), name == "offered"))
    return Bom(tuple(groups))


def _extra_lines(position: str, lines: tuple[Line, ...], placement: Placement) -> tuple[BomLine, ...]:
    """The lines of extras, each on its own, in the order of the bill; equal ones of the same words share a line."""
    found: dict[tuple[object, ...], BomLine] = {}
    for line in lines:
        extra = placement.configuration.extras[int(line.path[1])]
        role = "" if extra.role == "item" else extra.role
        made = BomLine("", line.part, line.count, line.count, (line.path,), line.note or "", role,
                       extra.instead_of or "", extra.months, extra.unit_price)  # fmt: skip
        key = (line.part.id, made.note, role, made.instead_of, made.months, made.own_price)
        known = found.get(key)
        count = line.count + (known.count if known else 0)
        paths = (*(known.paths if known else ()), line.path)
        found[key] = dataclasses.replace(made, count=count, total=count, paths=paths)
    ordered = sorted(found.values(), key=lambda entry: (entry.role, _rank(entry.part), entry.part.id, entry.note))
    return tuple(
        dataclasses.replace(line, position=f"{position}.{number}") for number, line in enumerate(ordered, start=1)
    )


def _node_group(position: str, placed: NodePlacement) -> BomGroup:
    count = placed.node.count
    entries = [(placed.chassis, 1, (*placed.path, "chassis"), _mode_note(placed))]
    entries += [(line.part, line.count, line.path, _line_note(line)) for line in placed.lines]
    lines = _lines(position, count, entries)
    return BomGroup(position, placed.node.id, placed.node.title or placed.chassis.title, count, lines)


def _mode_note(placed: NodePlacement) -> str:
    modes = placed.chassis.get("modes") or {}
    mode = modes.get(placed.mode)
    return str(mode["title"]) if mode else ""


def _line_note(line: Line) -> str:
    if line.cap_w is not None:
        return f"power cap {line.cap_w:g} W" + (f"; {line.note}" if line.note else "")
    return line.note or ""


def _rack_group(position: str, placement: Placement) -> BomGroup:
    entries: list[tuple[Part, int, Path, str]] = []
    for rack in placement.racks:
        entries.append((rack.part, 1, (*rack.path, "part"), rack.rack.id))
        entries += [(pdu.part, 1, (*rack.path, "feeds", pdu.feed), "") for pdu in rack.pdus]
    return BomGroup(position, "racks", "", 1, _lines(position, 1, entries))


def _lines(position: str, nodes: int, entries: list[tuple[Part, int, Path, str]]) -> tuple[BomLine, ...]:
    merged: dict[tuple[str, str], tuple[Part, int, list[Path], str]] = {}
    for part, count, path, note in entries:
        key = (part.id, note)
        if key in merged:
            known = merged[key]
            merged[key] = (part, known[1] + count, [*known[2], path], note)
        else:
            merged[key] = (part, count, [path], note)
    ordered = sorted(merged.values(), key=lambda entry: (_rank(entry[0]), entry[0].id, entry[3]))
    return tuple(
        BomLine(f"{position}.{number}", part, count, count * nodes, tuple(paths), note)
        for number, (part, count, paths, note) in enumerate(ordered, start=1)
    )


def _rank(part: Part) -> int:
    return KIND_ORDER.index(part.kind) if part.kind in KIND_ORDER else len(KIND_ORDER)
