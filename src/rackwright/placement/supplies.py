"""Power supplies in their bays, domains and feeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rackwright.catalog import Part
from rackwright.configuration import Feed, Node, Rack, Site
from rackwright.diagnostic import Finding
from rackwright.frozen import frozen
from rackwright.placement.lines import At, unknown_place
from rackwright.placement.model import Line, PlacedPsu

SINGLE_DOMAIN = "node"


@frozen(slots=True)
class _Bay:
    name: str
    domain: str


def rack_of(node: Node, site: Site) -> Rack | None:
    """Return the (first) rack that a node names, None if it names none or one that the site does not have."""
    names = [node.rack] if node.rack is not None else list(node.racks or ())
    return next((rack for name in names for rack in site.racks if rack.id == name), None)


def inlet_voltage_v(feed: Feed) -> float | None:
    """Return the voltage at the outlets of a feed, in V; None if the user states none.

    `wye`: line to neutral, so the line voltage divided by the square root of 3 (400 V gives 230.94 V).
    `delta`: line to line. `single`: whichever the user states. Source: PR-20 of the fact pack (three-phase wiring).
    """
    line_v, neutral_v = feed.voltage_ll_v, feed.voltage_ln_v
    if feed.wiring == "delta":
        return line_v
    if neutral_v is not None or line_v is None:
        return neutral_v
    return line_v / math.sqrt(3) if feed.wiring == "wye" else line_v


def domain_bays(chassis: Part) -> dict[str, tuple[str, ...]]:
    """Return the PSU bays of each power domain, in the maker's order; one domain `node` where he states none.

    Unknown: without stated domains and without a number of bays the only domain has no bays.
    """
    domains = chassis.get("psu.domains")
    if domains:
        return {str(name): tuple(map(str, domain["bays"])) for name, domain in domains.items()}
    return {SINGLE_DOMAIN: tuple(str(number) for number in range(1, (chassis.get("psu.bays") or 0) + 1))}


def place_psus(
    node: Node, chassis: Part, lines: Sequence[Line], site: Site, at: At
) -> tuple[tuple[PlacedPsu, ...], list[Finding]]:
    """Put the supplies in bays in the user's order, and plug each domain's supplies into the rack's feeds in halves.

    A supply beyond the last bay has `has_bay` False and no domain; `has_bay` is None if the bays are not known.
    Errors: CFG023 for a bay that the chassis does not have.
    """
    bays = [_Bay(name, domain) for domain, names in domain_bays(chassis).items() for name in names]
    is_known = bool(chassis.get("psu.domains")) or chassis.get("psu.bays") is not None
    pieces = [line for line in lines if line.part.kind == "psu" for _ in range(line.count)]
    chosen, findings = _choose_bays(chassis, pieces, bays, is_known, at)
    rack = rack_of(node, site)
    feeds: Mapping[str, Feed] = rack.feeds if rack is not None else {}
    spread = _spread([bay.domain if bay is not None else None for bay in chosen], is_known, tuple(feeds))
    placed = []
    for number, (line, bay, feed) in enumerate(zip(pieces, chosen, spread, strict=True), 1):
        name = line.feed if line.feed is not None else feed
        placed.append(
            PlacedPsu(
                id=f"{node.id}/psu{number}",
                part=line.part,
                path=line.path,
                bay=bay.name if bay is not None else None,
                has_bay=(bay is not None) if is_known else None,
                domain=bay.domain if bay is not None else ("" if is_known else SINGLE_DOMAIN),
                feed=name,
                input_voltage_v=_voltage_v(name, feeds, site),
            )
        )
    return tuple(placed), findings


def node_voltage_v(psus: Sequence[PlacedPsu], node: Node, site: Site) -> float | None:
    """Return the voltage at the supplies of a node; None if it is not known or differs between them.

    A node without supplies has the voltage that they would have.
    """
    if psus:
        voltages = {psu.input_voltage_v for psu in psus}
    else:
        rack = rack_of(node, site)
        feeds = rack.feeds if rack is not None else {}
        voltages = {inlet_voltage_v(feed) for feed in feeds.values()} or {site.voltage_v}
    return voltages.pop() if len(voltages) == 1 else None


def _voltage_v(feed: str | None, feeds: Mapping[str, Feed], site: Site) -> float | None:
    if feed is not None and feed in feeds:
        return inlet_voltage_v(feeds[feed])
    return site.voltage_v if not feeds else None


def _choose_bays(
    chassis: Part, pieces: Sequence[Line], bays: Sequence[_Bay], is_known: bool, at: At
) -> tuple[list[_Bay | None], list[Finding]]:
    """Give each supply the bay that its user named, else the next free one."""
    findings: list[Finding] = []
    by_name = {bay.name: bay for bay in bays}
    chosen: list[_Bay | None] = [None] * len(pieces)
    taken: set[str] = set()
    reported: set[object] = set()
    for index, line in enumerate(pieces):
        if line.bay is None or not is_known:
            continue
        if line.bay in by_name:
            if line.bay not in taken:
                chosen[index] = by_name[line.bay]
                taken.add(line.bay)
        elif line.path not in reported:
            reported.add(line.path)
            findings.append(unknown_place(line.bay, (*line.path, "bay"), at, chassis, what="bay", known=by_name))
    free = iter([bay for bay in bays if bay.name not in taken])
    return [bay if bay is not None else next(free, None) for bay in chosen], findings


def _spread(domains: Sequence[str | None], is_known: bool, feeds: Sequence[str]) -> list[str | None]:
    """Spread the supplies of each domain over the feeds: of k supplies on two feeds the first half on the first."""
    if not feeds:
        return [None] * len(domains)
    totals: dict[str | None, int] = {}
    for domain in domains:
        totals[domain] = totals.get(domain, 0) + 1
    seen: dict[str | None, int] = {}
    result: list[str | None] = []
    for domain in domains:
        position = seen.get(domain, 0)
        seen[domain] = position + 1
        result.append(feeds[position * len(feeds) // totals[domain]] if domain is not None or not is_known else None)
    return result
