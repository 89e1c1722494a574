"""Drives in bays and memory modules at CPUs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.diagnostic import Finding
from rackwright.placement.lines import At, unknown_place
from rackwright.placement.model import Line, PlacedDimm, PlacedDrive
from rackwright.placement.slots import is_in_mode

# Form factors of bays that take a drive of another name: U.2 (SFF-8639) and U.3 (SFF-TA-1001) drives have the outline
# of a 2.5-inch drive and share its carrier. Whether the bay is wired for the protocol is asked separately.
_ALSO = {"u2": ("u2", "u3", "2.5in"), "u3": ("u3", "u2", "2.5in"), "2.5in": ("2.5in", "u2", "u3")}


def place_drives(
    node: str, chassis: Part, mode: str, lines: Sequence[Line], at: At
) -> tuple[tuple[PlacedDrive, ...], list[Finding]]:
    """Put drives in bays: as many as possible, in bays that need no option or whose option is ordered first.

    The bay that a line names is kept if it exists. `is_placed` is None if the chassis's bays or the drive's form
    factor are not known. Errors: CFG023 for bays that the chassis does not have.
    """
    groups: list[dict[str, Any]] | None = chassis.get("bays")
    pieces = [line for line in lines if line.part.kind == "drive" for _ in range(line.count)]
    ordered = {line.part.id for line in lines}
    findings: list[Finding] = []
    if groups is not None:
        names = [str(group["name"]) for group in groups]
        wrong = [line for line in lines if line.part.kind == "drive" and line.bay not in (None, *names)]
        findings = [
            unknown_place(str(line.bay), (*line.path, "bay"), at, chassis, what="bay", known=names) for line in wrong
        ]
    seats = _fill(pieces, groups or [], mode, ordered)
    drives = []
    for number, (line, seat) in enumerate(zip(pieces, seats, strict=True), 1):
        group = groups[seat] if groups is not None and seat is not None else None
        is_unknown = groups is None or line.part.get("form_factor") in (None, "card")
        option = group.get("option") if group is not None else None
        drives.append(
            PlacedDrive(
                id=f"{node}/drive{number}",
                part=line.part,
                path=line.path,
                bays=str(group["name"]) if group is not None else None,
                is_placed=None if is_unknown else group is not None,
                option=option,
                has_option=option is None or option in ordered,
            )
        )
    return tuple(drives), findings


def place_dimms(lines: Sequence[Line], cpus: int, chassis: Part) -> tuple[tuple[PlacedDimm, ...], bool]:
    """Spread the memory modules over the CPUs in turn; return them by CPU, and whether each CPU gets as many.

    At each CPU they take the sockets in the maker's order (`memory.order`), and its channels in turn: each one module
    before any gets a second. Without a listed CPU they are put at CPU 1.
    Source: PR-67 of the fact pack (the same population on every CPU, one module a channel first).
    """
    pieces = [line for line in lines if line.part.kind == "memory" for _ in range(line.count)]
    count = max(1, cpus)
    listed = [line.part.get("memory_channels") for line in lines if line.part.kind == "cpu"]
    channels = listed[0] if listed and listed.count(listed[0]) == len(listed) else None
    order = chassis.get("memory.order") or ()
    dimms = []
    for index, line in enumerate(pieces):
        place = index // count
        dimms.append(
            PlacedDimm(
                line.part,
                line.path,
                index % count + 1,
                channel=place % channels + 1 if channels else None,
                socket=str(order[place]) if place < len(order) else None,
            )
        )
    return tuple(sorted(dimms, key=lambda dimm: dimm.cpu)), len(pieces) % count == 0


def fits(drive: Part, bays: dict[str, Any]) -> bool:
    """Say whether a drive goes in bays by form factor and protocol; a protocol that is not stated excludes nothing."""
    form = drive.get("form_factor")
    protocol, protocols = drive.get("protocol"), bays.get("protocols")
    if form is None or (protocol is not None and protocols is not None and protocol not in protocols):
        return False
    return any(name in bays["form_factors"] for name in _ALSO.get(form, (form,)))


def _fill(pieces: Sequence[Line], groups: Sequence[dict[str, Any]], mode: str, ordered: set[str]) -> list[int | None]:
    """Match drives with groups of bays; bays that work as ordered are filled first.

    What was matched stays matched when the other bays are opened.
    """
    every = {i for i, group in enumerate(groups) if is_in_mode(group, mode)}
    ready = {i for i in every if groups[i].get("option") in {None, *ordered}}
    matching = _Matching(pieces, groups)
    for allowed in (ready, every):
        for index in range(len(pieces)):
            if matching.seats[index] is None:
                matching.seat(index, allowed, set())
    return matching.seats


class _Matching:
    """Drives and groups of bays, matched by augmenting paths: the largest number of drives finds a bay."""

    def __init__(self, pieces: Sequence[Line], groups: Sequence[dict[str, Any]]) -> None:
        self.pieces = pieces
        self.groups = groups
        self.seats: list[int | None] = [None] * len(pieces)
        self.members: list[list[int]] = [[] for _ in groups]
        self.known: dict[tuple[str, str | None], list[int]] = {}

    def seat(self, index: int, allowed: set[int], tried: set[int]) -> bool:
        """Find a bay for a drive, moving others if that helps; `tried` are groups that need not be looked at again."""
        for group in self._choices(self.pieces[index]):
            if group not in allowed or group in tried:
                continue
            tried.add(group)
            if len(self.members[group]) < int(self.groups[group]["count"]):
                self._put(index, group)
                return True
            for other in tuple(self.members[group]):
                if self.seat(other, allowed, tried):
                    self.members[group].remove(other)
                    self._put(index, group)
                    return True
        return False

    def _put(self, index: int, group: int) -> None:
        self.seats[index] = group
        self.members[group].append(index)

    def _choices(self, line: Line) -> list[int]:
        key = (line.part.id, line.bay)
        if key not in self.known:
            named = [i for i, group in enumerate(self.groups) if group["name"] == line.bay]
            fitting = [i for i, group in enumerate(self.groups) if fits(line.part, group)]
            self.known[key] = [i for i in fitting if not named or i in named]
        return self.known[key]
