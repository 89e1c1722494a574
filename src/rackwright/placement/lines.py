"""From the user's part lines to parts of the catalog, with a finding for every name that leads nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rackwright.catalog import Catalog, Part
from rackwright.configuration import Extra, Node, PartLine
from rackwright.diagnostic import Finding, finding
from rackwright.placement.model import Line
from rackwright.source import Location, Path

At = Callable[[Path], Location]

# Kinds that belong to the site, or that `chassis:` or `workload:` names; they cannot be plugged into a node.
NOT_IN_A_NODE = frozenset({"chassis", "model", "pdu", "rack"})
CARD_KINDS = frozenset({"gpu", "nic", "storage_adapter"})


def article(kind: str) -> str:
    """Return a kind of part with its article, as a sentence needs it: `a chassis`, `an option`."""
    word = {"gpu": "GPU", "cpu": "CPU", "nic": "NIC", "psu": "PSU", "pdu": "PDU"}.get(kind, kind.replace("_", " "))
    return f"{'an' if word[0] in 'aeioN' else 'a'} {word}"


def resolve(
    part_id: str, path: Path, catalog: Catalog, at: At, wanted: str | None = None
) -> tuple[Part | None, list[Finding]]:
    """Find the part that `part_id` names. `path` is the place of the id itself; `wanted` the only kind that fits there.

    Errors: CFG020 unknown id (with the nearest names), CFG021 wrong kind; the part is None then.
    """
    part = catalog.find(part_id)
    if part is None:
        near = ", ".join(catalog.nearest(part_id))
        fix = "did you mean {near}?" if near else "add a part file with this id, or correct the id"
        return None, [
            finding("CFG020", "no part of the catalog is called {part}", at(path), fix=fix, part=part_id, near=near)
        ]
    if wanted is not None and part.kind != wanted:
        text = "{part} is {kind}; {wanted} belongs here"
        return None, [finding("CFG021", text, at(path), part=part_id, kind=article(part.kind), wanted=article(wanted))]
    return part, []


def resolve_lines(node: Node, path: Path, catalog: Catalog, at: At) -> tuple[tuple[Line, ...], list[Finding]]:
    """Return the part lines of a node in the user's order, without those that name no part or one of a wrong kind."""
    lines: list[Line] = []
    findings: list[Finding] = []
    for number, wanted in enumerate(node.parts):
        here: Path = (*path, "parts", number)
        part, problems = resolve(wanted.part, (*here, "part"), catalog, at)
        findings += problems
        if part is None:
            continue
        if part.kind in NOT_IN_A_NODE:
            text = "{part} is {kind}, which is not a part of a node"
            fix = "name the server under `chassis`; racks and PDUs belong under `site`"
            findings.append(
                finding("CFG021", text, at((*here, "part")), fix=fix, part=wanted.part, kind=article(part.kind))
            )
            continue
        slots, problems = _slots(wanted, here, at)
        findings += problems
        lines.append(Line(part, wanted.count, here, wanted.cap_w, slots, wanted.bay, wanted.feed, wanted.note))
    return tuple(lines), findings


def resolve_extras(
    extras: Sequence[Extra], catalog: Catalog, at: At
) -> tuple[tuple[Line, ...], tuple[Line, ...], list[Finding]]:
    """Return the parts of the order as a whole, then options and alternatives; any kind is allowed here."""
    lines: list[Line] = []
    offered: list[Line] = []
    findings: list[Finding] = []
    for number, extra in enumerate(extras):
        here: Path = ("extras", number)
        part: Part | None = None
        if extra.part is not None:
            part, problems = resolve(extra.part, (*here, "part"), catalog, at)
            findings += problems
        elif extra.title is not None:
            part = own_part(extra, number)
        if part is not None:
            line = Line(part, extra.count, here, note=extra.note)
            (offered if extra.role in ("option", "alternative") else lines).append(line)
    return tuple(lines), tuple(offered), findings


def own_part(extra: Extra, number: int) -> Part:
    """Return an own item of the user as a part: it has a title and a unit, and no figures."""
    data = {"kind": "service", "title": extra.title, "unit": extra.unit or "each", "service": extra.service or "other"}
    return Part(f"own/{extra.id or number + 1}", "service", {"id": f"own/{extra.id or number + 1}", **data})


def _slots(wanted: PartLine, here: Path, at: At) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the slots that the user names for a line; a list of another length than `count` is refused (CFG024)."""
    if wanted.slots is not None:
        names, key = tuple(wanted.slots), "slots"
    elif wanted.slot is not None:
        names, key = (wanted.slot,), "slot"
    else:
        return (), []
    if len(names) == wanted.count:
        return names, []
    text = "{count} pieces of {part}, but {named} slots are named"
    if len(names) == 1:
        text = "{count} pieces of {part}, but {named} slot is named"
    fix = "name one slot a piece under `slots`, or none to have them placed"
    place = at((*here, key))
    return (), [finding("CFG024", text, place, fix=fix, count=wanted.count, part=wanted.part, named=len(names))]


def unknown_place(name: str, path: Path, at: At, chassis: Part, *, what: str, known: Iterable[str]) -> Finding:
    """Make the finding for a slot or bay that the chassis does not have (CFG023); `what` is `slot` or `bay`."""
    names = list(known)
    text = "{chassis} has no slot {name}" if what == "slot" else "{chassis} has no bay {name}"
    fix = "slots of this chassis: {known}" if what == "slot" else "bays of this chassis: {known}"
    return finding(
        "CFG023", text, at(path), fix=fix if names else None, chassis=chassis.title, name=name, known=", ".join(names)
    )


# What an order names at least (BOM001 to BOM003): the fact of the node that lists it, and its kind of part.
_NAMED_AT_LEAST = {"cpus": "cpu", "dimms": "memory", "psus": "psu"}


def list_gaps(node: Node, lines: Sequence[Line]) -> tuple[str, ...]:
    """Return what keeps the list of parts from being complete, as names of facts; nothing if it is complete.

    A list without processors, memory or supplies, or one that says so itself, is a sketch or what was published of a
    system: that it does not name a part proves nothing.
    """
    if node.is_list_complete is not None:
        return () if node.is_list_complete else ("is_list_complete",)
    kinds = {line.part.kind for line in lines}
    return tuple(f"{name}[0].part.id" for name, kind in _NAMED_AT_LEAST.items() if kind not in kinds)
