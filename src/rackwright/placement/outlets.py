"""Which outlet takes which power cord.

Outlets are shared out per feed: the kind that the cord's plug needs, the section (phase or pair of phases) with the
least load first, and never two cords of one server in one section where another is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.model import Line, PlacedPdu, PluggedCord

# Plug of a cord -> outlets that take it, the plainest first. C15 and C21 are the hot versions of C13 and C19 and take
# their plugs too. Source: PR-11 (IEC 60320; combination outlets of ServerTech and Vertiv); NEMA: a 5-20R takes a 5-15P.
_OUTLETS: dict[str, tuple[str, ...]] = {
    "C14": ("C13", "C15", "C13-C19-combo"),
    "C20": ("C19", "C21", "C13-C19-combo"),
    "5-15P": ("5-15R", "5-20R"),
    "5-20P": ("5-20R",),
    "L5-20P": ("L5-20R",),
    "L6-20P": ("L6-20R",),
    "L6-30P": ("L6-30R",),
}
# Inlet of a supply -> plug at the other end of its standard rack cord: C13-C14, C15-C14, C19-C20, C21-C20.
_PLUGS = {"C14": "C14", "C16": "C14", "C20": "C20", "C22": "C20"}
# Inlet -> connectors that fit it: the hot versions fit the cooler inlets, not the other way round. Source: IEC 60320.
_CONNECTORS = {"C14": ("C13", "C15"), "C16": ("C15",), "C20": ("C19", "C21"), "C22": ("C21",)}


@frozen(slots=True)
class Demand:
    """A cord that wants an outlet. `kinds` are outlets that take it, empty if not known; `weight_w` orders the load."""

    node: str
    number: int
    psu: str
    kinds: tuple[str, ...]
    weight_w: float


def connectors_of(inlet: str | None) -> tuple[str, ...]:
    """Return the connectors of cords that fit the inlet of a supply, the usual one first; empty if it is not known."""
    return _CONNECTORS.get(inlet or "", ())


def outlet_kinds(psu: Part, lines: Iterable[Line]) -> tuple[str, ...]:
    """Return the kinds of outlet that a supply's cord fits, the plainest first.

    The cord that is ordered for its inlet decides; without one the standard rack cord of the inlet does.
    Unknown: empty if the inlet is not known or has no such cord (DC terminals).
    """
    inlet = psu.get("inlet")
    fitting = [line.part for line in lines if line.part.kind == "cord"]
    fitting = [cord for cord in fitting if cord.get("connector") in _CONNECTORS.get(inlet, ())]
    plugs = [str(cord.get("plug")).removeprefix("NEMA ") for cord in fitting] or [_PLUGS.get(inlet, "")]
    return tuple(dict.fromkeys(kind for plug in plugs for kind in _OUTLETS.get(plug, ())))


def plug_cords(
    pdus: Sequence[PlacedPdu], demands: Sequence[Demand]
) -> tuple[list[PluggedCord], list[tuple[str, str, str]]]:
    """Put the cords of one feed into the outlets of its (equal) PDUs, in the order of `demands`.

    Returns the cords in that order, and what found no outlet as (supply id, PDU id, kind of outlet).
    Unknown: where the PDU's outlets are not listed the section is None and nothing is missing; where a cord's kind is
    not known it is in the least loaded PDU, without outlet or section.
    """
    board = _Board(pdus, demands)
    cords: list[PluggedCord] = []
    left: list[tuple[str, str, str]] = []
    for demand in demands:
        cord = board.plug(demand)
        if cord is None:
            left.append((demand.psu, pdus[0].id, demand.kinds[0]))
        else:
            cords.append(cord)
    return cords, left


@dataclass(slots=True)
class _Outlets:
    """Equal outlets of one PDU: the number of the first one, in the order of the part file, and how many are used."""

    pdu: int
    kind: str
    section: str | None
    bank: str | None
    first: int
    count: int
    used: int = 0

    @property
    def free(self) -> int:
        return self.count - self.used


@dataclass(slots=True)
class _Board:
    """The outlets of a feed while they are shared out."""

    pdus: Sequence[PlacedPdu]
    demands: Sequence[Demand]
    groups: list[_Outlets] = field(init=False)
    waiting: dict[tuple[str, ...], int] = field(init=False)
    loads: dict[tuple[object, ...], float] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.groups = [group for number, pdu in enumerate(self.pdus) for group in _outlets_of(number, pdu.part)]
        self.waiting = {}
        for demand in self.demands:
            self.waiting[demand.kinds] = self.waiting.get(demand.kinds, 0) + 1

    def plug(self, demand: Demand) -> PluggedCord | None:
        """Take an outlet for a cord; None if no outlet of its kind is left."""
        self.waiting[demand.kinds] -= 1
        server = (demand.node, demand.number)
        if not demand.kinds or not self._is_listed():
            number = min(range(len(self.pdus)), key=lambda pdu: ((server, pdu) in self.seen, self._load(pdu), pdu))
            self._note(server, demand.weight_w, (number,))
            kind = demand.kinds[0] if demand.kinds else ""
            return PluggedCord(demand.node, demand.number, demand.psu, self.pdus[number].id, kind, 0, None)
        group = self._choose(server, demand.kinds)
        if group is None:
            return None
        group.used += 1
        pdu, section = group.pdu, group.section
        self._note(server, demand.weight_w, (pdu,), (pdu, section), (pdu, section, group.bank))
        return PluggedCord(
            node=demand.node,
            number=demand.number,
            psu=demand.psu,
            pdu=self.pdus[pdu].id,
            outlet_type=group.kind,
            outlet_number=group.first + group.used - 1,
            section=section,
            bank=group.bank,
        )

    def _is_listed(self) -> bool:
        return self.pdus[0].part.get("outlets") is not None

    def _choose(self, server: tuple[str, int], kinds: tuple[str, ...]) -> _Outlets | None:
        """Return the outlets with the least load that no other cord needs more; of equal ones the first in the file."""
        free = [group for group in self.groups if group.free and group.kind in kinds]
        if len(self.waiting) > 1 and len({group.kind for group in free}) > 1:
            short = {kind: self._shortage_without(kind) for kind in {group.kind for group in free}}
            free = [group for group in free if short[group.kind] == min(short.values())]
        return min(
            free,
            key=lambda group: (
                (server, group.pdu, group.section) in self.seen,
                self._load(group.pdu, group.section),
                self._load(group.pdu),
                self._load(group.pdu, group.section, group.bank),
                kinds.index(group.kind),
            ),
            default=None,
        )

    def _shortage_without(self, kind: str) -> int:
        """Return how many waiting cords must stay out if one outlet of `kind` is taken (Hall's marriage theorem)."""
        supply: dict[str, int] = {kind: -1}
        for group in self.groups:
            supply[group.kind] = supply.get(group.kind, 0) + group.free
        wanted = [(kinds, count) for kinds, count in self.waiting.items() if kinds and count]
        subsets = (subset for size in range(1, len(wanted) + 1) for subset in combinations(wanted, size))
        worst = 0
        for subset in subsets:
            union = {name for kinds, _ in subset for name in kinds}
            worst = max(worst, sum(count for _, count in subset) - sum(supply.get(name, 0) for name in union))
        return worst

    def _load(self, *place: object) -> float:
        return self.loads.get(place, 0.0)

    def _note(self, server: tuple[str, int], weight_w: float, *places: tuple[object, ...]) -> None:
        for place in places:
            self.loads[place] = self.loads.get(place, 0.0) + weight_w
            self.seen.add((server, *place))


def _outlets_of(pdu: int, part: Part) -> list[_Outlets]:
    """Return the outlets of a PDU in file order. A single-phase PDU is one section, whatever its file names."""
    groups = []
    first = 1
    for record in part.get("outlets") or ():
        section = None if part.get("phases") == 1 else record.get("section")
        groups.append(_Outlets(pdu, record["type"], section, record.get("bank"), first, record["count"]))
        first += int(record["count"])
    return groups
