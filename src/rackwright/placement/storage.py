"""Drives in bays and memory modules at CPUs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.diagnostic import Finding
from rackwright.placement.lines import At, unknown_place
from rackwright.placement.model import Line, PlacedDimm, PlacedDrive
from rackwright.placement.slots import is_in_mode

# Form factors of bays that take a drive of another name. A U.2 or U.3 NVMe drive has the 2.5-inch outline, and U.3 is
# built to accept U.2's pinout partner drives (SFF-8639, SFF-TA-1001); SAS and SATA 2.5-inch drives use the same carrier.
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
        for line in lines:
            if line.part.kind == "drive" and line.bay is not None and line.bay not in names:
                findings.append(unknown_place(line.bay, (*line.path, "bay"), at, chassis, "bay", names))
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


def place_dimms(lines: Sequence[Line], cpus: int) -> tuple[tuple[PlacedDimm, ...], bool]:
    """Spread the memory modules over the CPUs in turn; return them by CPU, and whether each CPU gets as many.

    Without a listed CPU they are put at CPU 1. Source: PR-67 of the fact pack (the same population on every CPU).
    """
    pieces = [line for line in lines if line.part.kind == "memory" for _ in range(line.count)]
    count = max(1, cpus)
    dimms = [PlacedDimm(line.part, line.path, index % count + 1) for index, line in enumerate(pieces)]
    return tuple(sorted(dimms, key=lambda dimm: dimm.cpu)), len(pieces) % count == 0


def fits(drive: Part, bays: dict[str, Any]) -> bool:
    """Say whether a drive goes in bays by form factor and protocol; a protocol that is not stated excludes nothing."""
    form = drive.get("form_factor")
    protocol, protocols = drive.get("protocol"), bays.get("protocols")
    if form is None or (protocol is not None and protocols is not None and protocol not in protocols):
        return False
    return any(name in bays["form_factors"] for name in _ALSO.get(form, (form,)))


def _fill(pieces: Sequence[Line], groups: Sequence[dict[str, Any]], mode: str, ordered: set[str]) -> list[int | None]:
    """Match drives with groups of bays: the largest number of drives, found by augmenting paths.

    Bays that work as ordered are filled first; what was matched stays matched when the others are opened.
    """
    seats: list[int | None] = [None] * len(pieces)
    members: list[list[int]] = [[] for _ in groups]
    ready = {
        i for i, group in enumerate(groups) if is_in_mode(group, mode) and group.get("option", None) in {None, *ordered}
    }
    every = {i for i, group in enumerate(groups) if is_in_mode(group, mode)}
    options: dict[tuple[Any, ...], list[int]] = {}

    def choices(index: int) -> list[int]:
        line = pieces[index]
        key = (line.part.id, line.bay)
        if key not in options:
            named = [i for i, group in enumerate(groups) if group["name"] == line.bay]
            options[key] = [i for i, group in enumerate(groups) if fits(line.part, group) and (not named or i in named)]
        return options[key]

    def seat(index: int, allowed: set[int], tried: set[int]) -> bool:
        for group in choices(index):
            if group not in allowed or group in tried:
                continue
            tried.add(group)
            if len(members[group]) < int(groups[group]["count"]):
                seats[index] = group
                members[group].append(index)
                return True
            for other in members[group]:
                if seat(other, allowed, tried):
                    members[group].remove(other)
                    seats[index] = group
                    members[group].append(index)
                    return True
        return False

    for allowed in (ready, every):
        for index in range(len(pieces)):
            if seats[index] is None:
                seat(index, allowed, set())
    return seats
