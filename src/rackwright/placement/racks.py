"""Which server stands where in which rack, and which supply is plugged into which PDU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rackwright.catalog import Catalog, Part
from rackwright.configuration import Configuration, Feed, Node, Rack
from rackwright.diagnostic import Finding, finding
from rackwright.placement.lines import At, resolve
from rackwright.placement.model import NodePlacement, PlacedPdu, PluggedCord, RackedNode, RackPlacement
from rackwright.placement.outlets import Demand, outlet_kinds, plug_cords
from rackwright.source import Path

_MOUNTS_U = {"1U": 1, "2U": 2, "3U": 3}
# Racks whose height nobody states are not full at any unit that a configuration could fill.
_NO_TOP_U = 1_000_000


def place_racks(
    configuration: Configuration, nodes: tuple[NodePlacement, ...], catalog: Catalog, at: At
) -> tuple[tuple[RackPlacement, ...], list[Finding]]:
    """Put the servers into the racks that they name, and their cords into the PDUs there.

    Shapes: one placement a rack of the site, in its order, without racks whose part is not known. Servers stand
    contiguously from the bottom, heavy (or where weights are not known, high) ones first; a stated `unit` is kept;
    PDUs that take units stand at the top. A node with several `racks` is spread evenly over them.
    Unknown: a server of unknown height stands at unit 0 and takes none; a rack of unknown height never is full.
    Errors (as findings): CFG020 unknown part, CFG021 part of a wrong kind, CFG026 a rack or feed that the site does not
    have, CFG027 a feed that is wired in another way than its PDU.
    Source: PR-50, PR-54 (IBM 9306 manual: heaviest lowest).
    """
    findings: list[Finding] = []
    for number, node in enumerate(configuration.nodes):
        findings += _names(node, number, configuration, at)
    shells: dict[str, _Shell] = {}
    for number, rack in enumerate(configuration.site.racks):
        path: Path = ("site", "racks", number)
        part, problems = resolve(rack.part, (*path, "part"), catalog, at, "rack")
        findings += problems
        findings += _source_findings(rack, path, configuration, at)
        pdus, problems = _pdus(rack, path, catalog, at)
        findings += problems
        if part is not None and rack.id not in shells:
            shells[rack.id] = _Shell(rack, path, part, pdus)
    for placed in _heavy_first(nodes):
        _seat(placed, [shells[name] for name in _rack_names(placed.node) if name in shells])
    by_id = {placed.node.id: placed for placed in nodes}
    return tuple(_finish(shell, by_id, shells) for shell in shells.values()), findings


@dataclass(slots=True)
class _Shell:
    """A rack while it is filled. `taken` are used units, `budget_u` units that may still be used."""

    rack: Rack
    path: Path
    part: Part
    pdus: tuple[PlacedPdu, ...]
    nodes: list[RackedNode] = field(default_factory=list)
    unplaced: int = 0
    taken: set[int] = field(default_factory=set)
    top_u: int = field(init=False)
    budget_u: int = field(init=False)
    used_u: int = 0

    def __post_init__(self) -> None:
        height = self.part.get("height_u")
        self.top_u = int(height) if height is not None else _NO_TOP_U
        self.budget_u = min(self.top_u, self.rack.free_u if self.rack.free_u is not None else self.top_u)
        top = self.top_u
        for pdu in self.pdus:
            units = _MOUNTS_U.get(pdu.part.get("mount") or "", 0)
            self.take(top - units + 1, units)
            top -= units

    def take(self, unit: int, height: int) -> None:
        """Use `height` units from `unit` on."""
        self.taken.update(range(unit, unit + height))
        self.used_u += height
        self.budget_u -= height

    def is_free(self, unit: int, height: int) -> bool:
        """Say whether `height` units from `unit` on are there and free."""
        if height > self.budget_u or unit + height - 1 > self.top_u:
            return False
        return self.taken.isdisjoint(range(unit, unit + height))

    def lowest(self, start: int, height: int) -> int | None:
        """Return the lowest unit from `start` on with `height` free units; None if there is none."""
        if height > self.budget_u:
            return None
        last = self.top_u - height + 1 if self.top_u < _NO_TOP_U else max(self.taken, default=0) + start + 1
        return next((unit for unit in range(start, last + 1) if self.is_free(unit, height)), None)


@dataclass(slots=True)
class _Stack:
    """Servers of one kind in one rack while they are placed. `next_u` is the unit from which on to look."""

    shell: _Shell
    next_u: int
    pinned_u: int | None
    units: list[int] = field(default_factory=list)

    def add(self, height: int) -> bool:
        """Place one more server; False if no contiguous units are left."""
        unit: int | None
        if not height:
            unit = 0
        elif self.pinned_u is not None and not self.units:
            unit = self.pinned_u if self.shell.is_free(self.pinned_u, height) else None
        else:
            unit = self.shell.lowest(self.next_u, height)
            if unit is None and self.pinned_u is not None:
                unit = self.shell.lowest(1, height)
        if unit is None:
            return False
        self.shell.take(unit, height)
        self.units.append(unit)
        self.next_u = unit + height if unit else 1
        return True


def _seat(placed: NodePlacement, shells: Sequence[_Shell]) -> None:
    """Place all servers of a kind, each in the rack with the fewest of them; count those that find no units."""
    height = int(placed.chassis.get("rack.height_u") or 0)
    stacks = [_Stack(shell, placed.node.unit or 1, placed.node.unit) for shell in shells]
    ready = list(stacks)
    left = placed.node.count
    while left and ready:
        stack = min(ready, key=lambda stack: len(stack.units))
        if stack.add(height):
            left -= 1
        else:
            ready.remove(stack)
    if shells:
        shells[0].unplaced += left
    number = 0
    for stack in stacks:
        for unit in sorted(stack.units):
            number += 1
            stack.shell.nodes.append(RackedNode(placed.node.id, number, unit, height))


def _heavy_first(nodes: Sequence[NodePlacement]) -> list[NodePlacement]:
    """Sort nodes for the racks: those with a stated unit first, then by weight if all are known, else by height."""
    weights = {
        placed.node.id: placed.chassis.get("rack.weight_max_kg") or placed.chassis.get("weight_kg") for placed in nodes
    }
    is_weighed = None not in weights.values()

    def order(placed: NodePlacement) -> tuple[bool, float]:
        size = weights[placed.node.id] if is_weighed else placed.chassis.get("rack.height_u") or 0
        return placed.node.unit is None, -float(size)

    return sorted(nodes, key=order)


def _rack_names(node: Node) -> tuple[str, ...]:
    return (node.rack,) if node.rack is not None else tuple(dict.fromkeys(node.racks or ()))


def _finish(shell: _Shell, nodes: dict[str, NodePlacement], shells: dict[str, _Shell]) -> RackPlacement:
    """Plug the cords of a filled rack and freeze it; servers from the bottom up."""
    racked = sorted(shell.nodes, key=lambda server: (server.unit_low_u, server.node, server.number))
    wanted: dict[str, list[Demand]] = {}
    kinds: dict[tuple[str, str], tuple[str, ...]] = {}
    for server in racked:
        placed = nodes[server.node]
        for psu in placed.psus:
            feed = _feed(psu.feed, placed.node, shell, shells) if psu.has_bay is not False else None
            if feed is None:
                continue
            key = (server.node, psu.part.id)
            if key not in kinds:
                kinds[key] = outlet_kinds(psu.part, placed.lines)
            weight = float(psu.part.get("output_w") or 0)
            wanted.setdefault(feed, []).append(Demand(server.node, server.number, psu.id, kinds[key], weight))
    cords: list[PluggedCord] = []
    left: list[tuple[str, str, str]] = []
    for feed in shell.rack.feeds:
        pdus = [pdu for pdu in shell.pdus if pdu.feed == feed]
        if pdus:
            plugged, missing = plug_cords(pdus, wanted.get(feed, ()))
            cords += plugged
            left += missing
    return RackPlacement(
        rack=shell.rack,
        path=shell.path,
        part=shell.part,
        nodes=tuple(racked),
        unplaced=shell.unplaced,
        pdus=shell.pdus,
        cords=tuple(cords),
        cords_left=tuple(left),
        units_used_u=shell.used_u,
    )


def _feed(name: str | None, node: Node, shell: _Shell, shells: dict[str, _Shell]) -> str | None:
    """Return the feed of this rack that a supply is plugged into.

    Supplies carry the feeds of the first rack that their node names; a rack whose feeds have other names has them in
    the same order. None if there is no such feed.
    """
    feeds = list(shell.rack.feeds)
    if name is None or name in feeds:
        return name
    first = next((list(shells[rack].rack.feeds) for rack in _rack_names(node) if rack in shells), [])
    position = first.index(name) if name in first else len(feeds)
    return feeds[position] if position < len(feeds) else None


def _pdus(rack: Rack, path: Path, catalog: Catalog, at: At) -> tuple[tuple[PlacedPdu, ...], list[Finding]]:
    """Return the PDUs of a rack, feed by feed, with findings for those that are not known or wired in another way."""
    pdus: list[PlacedPdu] = []
    findings: list[Finding] = []
    for name, feed in rack.feeds.items():
        here: Path = (*path, "feeds", name)
        part, problems = resolve(feed.pdu, (*here, "pdu"), catalog, at, "pdu")
        findings += problems
        if part is None:
            continue
        findings += _wiring_findings(part, feed, (*here, "wiring"), at)
        pdus += [PlacedPdu(f"{rack.id}/{name}{number}", name, part, feed) for number in range(1, feed.count + 1)]
    return tuple(pdus), findings


def _wiring_findings(part: Part, feed: Feed, path: Path, at: At) -> list[Finding]:
    """Return a finding where a three-phase PDU is on a feed of another wiring: its voltage would be another."""
    wiring = wiring_of(part, feed)
    if wiring in ("single", feed.wiring):
        return []
    text = "the feed is wired {said}, but the outlets of {pdu} are wired {wiring}"
    fix = "set `wiring: {wiring}` and the voltage that goes with it, or choose another PDU"
    return [finding("CFG027", text, at(path), fix=fix, said=feed.wiring, pdu=part.title, wiring=wiring)]


def wiring_of(part: Part, feed: Feed) -> str:
    """Return how the outlets of a PDU are wired, `single`, `wye` or `delta`: the maker tells, else the feed."""
    if part.get("phases") == 1:
        return "single"
    return str(part.get("wiring") or feed.wiring)


def _source_findings(rack: Rack, path: Path, configuration: Configuration, at: At) -> list[Finding]:
    """Return findings for sources that a feed names and the site does not have."""
    known = [source.id for source in configuration.site.sources]
    fix = "sources of this site: {known}" if known else "describe it under `site.sources`"
    return [
        finding(
            "CFG026",
            "the site has no source {name}",
            at((*path, "feeds", feed, "source")),
            fix=fix,
            name=supply.source,
            known=", ".join(known),
        )
        for feed, supply in rack.feeds.items()
        if supply.source is not None and supply.source not in known
    ]


def _names(node: Node, number: int, configuration: Configuration, at: At) -> list[Finding]:
    """Return findings for racks and feeds that a node names and the site does not have."""
    racks = {rack.id: rack for rack in configuration.site.racks}
    findings: list[Finding] = []
    for index, name in enumerate(_rack_names(node)):
        if name not in racks:
            place: Path = ("nodes", number, "rack") if node.rack is not None else ("nodes", number, "racks", index)
            fix = "racks of this site: {known}" if racks else "describe the rack under `site.racks`"
            text = "the site has no rack {name}"
            known = ", ".join(racks)
            findings.append(finding("CFG026", text, at(place), fix=fix, subject=node.id, name=name, known=known))
    feeds = [feed for name in _rack_names(node) if name in racks for feed in racks[name].feeds]
    for index, line in enumerate(node.parts):
        if line.feed is not None and feeds and line.feed not in feeds:
            place = ("nodes", number, "parts", index, "feed")
            known = ", ".join(dict.fromkeys(feeds))
            text, fix = "the racks of {node} have no feed {name}", "feeds there: {known}"
            findings.append(
                finding("CFG026", text, at(place), fix=fix, subject=node.id, node=node.id, name=line.feed, known=known)
            )
    return findings
