"""Names inside of a part file that lead nowhere, and references to a part of another kind.

A chassis names its slots, risers, switches, modes and CPUs in several places. A name that no entry has would silently
leave a slot without its switch, or a mode without its bays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.readers.files import clearly_closest, listed

# What a group of supplies feeds, apart from slots.
_FED = ("all", "board", "cpus", "memory", "drives", "fans")
# The kind of part that a key names; what is not here may be of several kinds.
_KINDS = {
    "bridge": "nvlink_bridge",
    "gpu": "gpu",
    "gpus": "gpu",
    "models": "psu",
    "chassis": "chassis",
    "rails_part": "rail",
    "gpu_module_part": "fan_kit",
}

# Lists of a chassis, and the field of another kind of part whose values they hold.
_CHOICES = (("cpu.families", "cpu", "family"), ("memory.types", "memory", "type"))

_Named = tuple[str, Any]  # dotted field, and the name that stands there


def loose_names(part: Part) -> Iterator[Finding]:
    """Return the names of slots, risers, switches, modes and CPUs that the chassis does not have, and double slots."""
    data = part.data
    if part.kind == "chassis":
        slots = data.get("slots")
        if slots is not None:
            names = [name for slot in slots for name in slot["names"]]
            yield from _unknown(part, "slot", _slot_names(data), names)
            yield from _double_slots(part, slots)
        yield from _unknown(part, "riser", _in_records(slots, "slots", "riser"), data.get("risers", {}))
        yield from _unknown(part, "switch", _in_records(slots, "slots", "switch"), data.get("switches", {}))
        yield from _unknown(part, "mode", _mode_names(data), data.get("modes", {}))
        yield from _absent_cpus(part)
        yield from _too_many(part)


def double_constraints(part: Part) -> Iterator[Finding]:
    """Two constraints of one name: only one of them would be shown, ignored or waived."""
    seen: dict[str, int] = {}
    for index, item in enumerate(part.constraints):
        first = seen.setdefault(item["id"], index)
        if first != index:
            yield finding(
                "CAT016",
                "there are two constraints with the id {id}",
                part.at(f"constraints.{index}.id"),
                fix="give each constraint an id of its own",
                subject=part.id,
                related=((part.at(f"constraints.{first}.id"), "the other constraint"),),
                id=item["id"],
            )


def empty_constraints(part: Part) -> Iterator[Finding]:
    """A constraint that asks for nothing."""
    for index, item in enumerate(part.constraints):
        if not item.get("require") and "adds" not in item:
            yield finding(
                "CAT016",
                "the constraint {id} requires nothing",
                part.at(f"constraints.{index}"),
                fix="write require: and a condition, or adds: {part: …, quantity: …, reason: …}",
                subject=part.id,
                id=item["id"],
            )


def constraint_sources(part: Part) -> Iterator[Finding]:
    """A constraint whose source is not among the sources of the part."""
    for index, item in enumerate(part.constraints):
        name = item.get("source", {}).get("id", "")
        if name and name not in part.sources:
            yield _loose(part, f"constraints.{index}.source.id", name, "source", list(part.sources))


def kind_wanted(part: Part, field: str) -> str | None:
    """Return the kind of part that a field names, None if it may be of several kinds."""
    key = next((step for step in reversed(field.split(".")) if not step.isdecimal()), "")
    return part.kind if key == "replaced_by" else _KINDS.get(key)


def wrong_kinds(part: Part, catalog: Catalog, references: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """A reference to a part that is there, but of a kind that does not belong there."""
    for field, value in references:
        wanted = kind_wanted(part, field)
        found = catalog.find(value)
        if wanted and found is not None and found.kind != wanted:
            yield finding(
                "CAT017",
                "{field} names {value}, which is of the kind {kind}; here belongs a {wanted}",
                part.at(field),
                fix="write the id of a {wanted}",
                subject=part.id,
                field=field,
                value=value,
                kind=found.kind,
                wanted=wanted,
            )
        elif found is part:
            yield finding(
                "CAT017",
                "{field} names the part itself",
                part.at(field),
                fix="write the id of another part",
                subject=part.id,
                field=field,
            )


def unknown_choices(part: Part, catalog: Catalog, known: dict[str, list[str]]) -> Iterator[Finding]:
    """CPU families and kinds of memory that no part of the catalog has: nothing would ever fit.

    `known` keeps what the catalog has from one part to the next.
    """
    for field, kind, own in _CHOICES if part.kind == "chassis" else ():
        if kind not in known:
            known[kind] = _choices_of(catalog, field, kind, own)
        for index, name in enumerate(part.get(field) or ()):
            if known[kind] and name not in known[kind]:
                near = clearly_closest(name, known[kind])
                yield finding(
                    "CAT018",
                    "{field} names {name}; no part of the kind {kind} has this {own}",
                    part.at(f"{field}.{index}"),
                    severity=Severity.WARNING,
                    fix="did you mean {near}? There are {known}" if near else "write it as those parts do: {known}",
                    subject=part.id,
                    field=field,
                    name=name,
                    kind=kind,
                    own=own,
                    near=near or "",
                    known=listed(known[kind]),
                )


def _choices_of(catalog: Catalog, field: str, kind: str, own: str) -> list[str]:
    """What parts of the kind have, and what several chassis name: they may take what the catalog does not have yet."""
    named = Counter(name for other in catalog.of_kind("chassis") for name in other.get(field) or ())
    held = {str(other.data[own]) for other in catalog.of_kind(kind) if own in other.data}
    return sorted(held | {name for name, count in named.items() if count > 1}) if held else []


def _slot_names(data: Mapping[str, Any]) -> Iterator[_Named]:
    for row, names in enumerate(data.get("rows", ())):
        yield from ((f"rows.{row}.{index}", name) for index, name in enumerate(names))
    for group, names in enumerate(data.get("bridges", {}).get("groups") or ()):
        yield from ((f"bridges.groups.{group}.{index}", name) for index, name in enumerate(names))
    for entry, record in enumerate(data.get("positions", ())):
        yield from ((f"positions.{entry}.slots.{index}", name) for index, name in enumerate(record["slots"]))
    for domain, record in (data.get("psu", {}).get("domains") or {}).items():
        for index, name in enumerate(record.get("feeds", ())):
            if name not in _FED:
                yield f"psu.domains.{domain}.feeds.{index}", name


def _mode_names(data: Mapping[str, Any]) -> Iterator[_Named]:
    for key in ("slots", "bays"):
        for index, record in enumerate(data.get(key) or ()):
            yield from ((f"{key}.{index}.modes.{n}", name) for n, name in enumerate(record.get("modes") or ()))
    yield from ((f"bridges.modes.{n}", name) for n, name in enumerate(data.get("bridges", {}).get("modes") or ()))


def _in_records(records: Sequence[Mapping[str, Any]] | None, key: str, field: str) -> Iterator[_Named]:
    for index, record in enumerate(records or ()):
        if field in record:
            yield f"{key}.{index}.{field}", record[field]


def _unknown(part: Part, what: str, named: Iterable[_Named], known: Iterable[str]) -> Iterator[Finding]:
    names = list(dict.fromkeys(known))
    for field, name in named:
        if name not in names:
            yield _loose(part, field, name, what, names)


def _loose(part: Part, field: str, name: str, what: str, known: Sequence[str]) -> Finding:
    near = clearly_closest(name, known)
    fix = "the {what} names are {known}" if known else "the file has none: add it, or remove the name"
    return finding(
        "CAT015",
        "{field} names {name}, and the file has no such {what}",
        part.at(field),
        fix=f"did you mean {{near}}? T{fix[1:]}" if near else fix,
        subject=part.id,
        field=field,
        name=name,
        what=what,
        near=near or "",
        known=listed(known),
    )


def _double_slots(part: Part, slots: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """One slot name in two entries that can exist at the same time: the same riser or none, and a mode in common."""
    seen: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for index, slot in enumerate(slots):
        for number, name in enumerate(slot["names"]):
            for first, other in seen.get(name, ()):
                if slot.get("riser") == other.get("riser") and _overlap(slot.get("modes"), other.get("modes")):
                    yield finding(
                        "CAT015",
                        "slot {name} is described twice",
                        part.at(f"slots.{index}.names.{number}"),
                        fix="keep one entry, or say by riser or modes which of them exists when",
                        subject=part.id,
                        related=((part.at(f"slots.{first}"), "the other entry"),),
                        name=name,
                    )
            seen.setdefault(name, []).append((index, slot))


def _overlap(left: Sequence[str] | None, right: Sequence[str] | None) -> bool:
    return not left or not right or bool(set(left) & set(right))


def _absent_cpus(part: Part) -> Iterator[Finding]:
    """Slots, risers and switches of a CPU for which the board has no socket."""
    sockets = part.get("cpu.sockets")
    if sockets is None:
        return
    risers, switches = part.data.get("risers", {}), part.data.get("switches", {})
    named = [*_in_records(part.data.get("slots"), "slots", "cpu")]
    named += [(f"risers.{name}.cpu", item["cpu"]) for name, item in risers.items() if "cpu" in item]
    uplinks = {name: item.get("uplink", {}) for name, item in switches.items()}
    named += [(f"switches.{name}.uplink.cpu", item["cpu"]) for name, item in uplinks.items() if "cpu" in item]
    for field, cpu in named:
        if cpu > sockets:
            yield finding(
                "CAT015",
                "{field} is CPU {cpu}, and the board has {sockets} sockets",
                part.at(field),
                fix="CPUs are counted from 1: correct {field}, or cpu.sockets",
                subject=part.id,
                field=field,
                cpu=cpu,
                sockets=sockets,
            )


def _too_many(part: Part) -> Iterator[Finding]:
    """More CPUs than sockets among the numbers that the maker allows, more bays in groups than there are."""
    sockets, bays = part.get("cpu.sockets"), part.get("psu.bays")
    for index, count in enumerate(part.get("cpu.counts") or ()):
        if sockets is not None and count > sockets:
            yield _beyond(part, f"cpu.counts.{index}", count, "cpu.sockets", sockets)
    domains = part.get("psu.domains") or {}
    named = {bay for record in domains.values() for bay in record.get("bays", ())}
    if bays is not None and len(named) > bays:
        yield _beyond(part, "psu.domains", len(named), "psu.bays", bays)


def _beyond(part: Part, field: str, count: int, other: str, limit: int) -> Finding:
    return finding(
        "CAT015",
        "{field} has {count}, and {other} is {limit}",
        part.at(field),
        fix="compare both with the source and correct the wrong one",
        subject=part.id,
        field=field,
        count=count,
        other=other,
        limit=limit,
    )
