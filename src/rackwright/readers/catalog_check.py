"""Checks of the catalog across files: references, part numbers, aliases, evidence, constraints, plausibility."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Figure, Finding, Message, Severity, finding, in_order
from rackwright.readers.catalog_names import (
    constraint_sources,
    double_constraints,
    empty_constraints,
    kind_wanted,
    loose_names,
    unknown_choices,
    wrong_kinds,
)
from rackwright.readers.catalog_plausible import implausible
from rackwright.readers.exact_place import settled
from rackwright.readers.files import closest, read_text
from rackwright.readers.shipped import real_path
from rackwright.rules.model import Ruleset
from rackwright.source import Location
from rackwright.units import Unit, unit_of

# Fields of part files that hold ids of other parts.
REFERENCES = frozenset(
    {
        "bridge",
        "gpu",
        "gpus",
        "part",
        "parts",
        "if_parts",
        "option",
        "models",
        "chassis",
        "gpu_module_part",
        "rails_part",
        "replaced_by",
    }
)


def check_catalog(catalog: Catalog, ruleset: Ruleset, *, with_cases: bool = True) -> list[Finding]:
    """Check what one file alone cannot tell.

    References resolve, to parts of the right kind; names inside of a file lead somewhere; part numbers and aliases
    belong to one part; evidence is about fields that are there; sources that disagree are shown; constraints fit the
    facts model and judge their cases as these say (not `with_cases`: only the former); figures are plausible.
    """
    findings: list[Finding] = []
    numbers: dict[tuple[str, str], Part] = {}
    aliases: dict[str, Part] = {}
    choices: dict[str, list[str]] = {}
    for part_id in catalog.parts:
        part = catalog.parts[part_id]
        findings += _references(part, catalog)
        findings += wrong_kinds(part, catalog, references(part))
        findings += loose_names(part)
        findings += double_constraints(part)
        findings += empty_constraints(part)
        findings += constraint_sources(part)
        findings += unknown_choices(part, catalog, choices)
        findings += _numbers(part, numbers)
        findings += _aliases(part, aliases, catalog)
        findings += _evidence(part)
        findings += _disagreements(part)
        findings += _constraints(part, ruleset, with_cases)
    return in_order([*findings, *implausible(catalog)])


def references(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the ids of other parts that a part names, each with the field that it stands in."""
    yield from _ids(part.data, "")
    for index, item in enumerate(part.constraints):
        if "adds" in item:
            yield f"constraints.{index}.adds.part", item["adds"]["part"]


def _references(part: Part, catalog: Catalog) -> Iterator[Finding]:
    for path, value in references(part):
        if catalog.find(value) is None:
            near = catalog.nearest(value, kind=kind_wanted(part, path))
            yield finding(
                "CAT010",
                "{field} names {value}, which the catalog does not have",
                part.at(path),
                fix="did you mean {near}?" if near else "add the part first",
                subject=part.id,
                field=path,
                value=value,
                near=", ".join(near),
            )


def _ids(data: Any, path: str) -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        here = f"{path}.{key}" if path else key
        if key in ("evidence", "sources", "notes", "aliases"):
            continue
        if isinstance(value, dict):
            yield from _ids(value, here)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from _ids(item, f"{here}.{index}")
                elif key in REFERENCES and isinstance(item, str):
                    yield f"{here}.{index}", item
        elif key in REFERENCES and isinstance(value, str) and "/" in value:
            yield here, value


def _numbers(part: Part, numbers: dict[tuple[str, str], Part]) -> Iterator[Finding]:
    for index, number in enumerate(part.data.get("mpn", ())):
        known = numbers.setdefault((str(part.data["maker"]), number), part)
        if known is not part:
            yield finding(
                "CAT011",
                "the part number {number} belongs to {other} as well",
                part.at(f"mpn.{index}"),
                severity=Severity.WARNING,
                fix="a part number names one part of its maker: check both sources",
                subject=part.id,
                related=((known.at("mpn"), "the other part"),),
                number=number,
                other=known.id,
            )


def _aliases(part: Part, aliases: dict[str, Part], catalog: Catalog) -> Iterator[Finding]:
    for index, alias in enumerate(part.data.get("aliases", ())):
        owner = catalog.parts.get(alias) or aliases.setdefault(alias, part)
        if owner is not part:
            yield finding(
                "CAT013",
                "the alias {alias} is taken: {other} has it",
                part.at(f"aliases.{index}"),
                fix="an old id stays with the part that had it: remove the alias here, or name the other part anew",
                subject=part.id,
                related=((owner.at("id" if owner.id == alias else "aliases"), "the other part"),),
                alias=alias,
                other=owner.id,
            )


def _evidence(part: Part) -> Iterator[Finding]:
    """An entry of evidence for a field that the part does not have: a wrong name, or a figure that was removed."""
    for name in part.evidence:
        known = name in part.candidates or any(field.startswith(f"{name}.") for field in part.candidates)
        if name != "*" and not known and not _reaches(part.data, name.split(".")):
            fields = [field for field, _ in _fields(part.data, "")]
            near = closest(name, fields)
            yield finding(
                "CAT008",
                "evidence names {field}, which the part does not have",
                part.at(f"evidence.{name}"),
                severity=Severity.WARNING,
                fix="did you mean {near}?" if near else "remove the entry, or add the field",
                subject=part.id,
                field=name,
                near=near or "",
            )


def _reaches(value: Any, steps: list[str]) -> bool:
    """Tell whether a dotted name leads to a value; it names a field of the records of a list without their index."""
    if not steps:
        return True
    if isinstance(value, list):
        has_index = steps[0].isdecimal() and int(steps[0]) < len(value)
        return has_index or any(_reaches(item, steps) for item in value)
    return isinstance(value, dict) and steps[0] in value and _reaches(value[steps[0]], steps[1:])


def _fields(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if key != "evidence":
            yield f"{path}{key}", value
            if isinstance(value, dict):
                yield from _fields(value, f"{path}{key}.")


def _disagreements(part: Part) -> Iterator[Finding]:
    """Figures that another source, or the catalog below, has otherwise."""
    for name, entry in part.evidence.items():
        for index, other in enumerate(entry.get("others") or ()):
            there: Any = other
            yield _disagreement(
                part,
                name,
                "{field} is {value}; {document} has {other}",
                part.at(f"evidence.{name}.others.{index}"),
                (),
                str(part.sources[there["source"]]["doc"]),
                there["value"],
            )
    for name, old, place in part.replaced:
        message = "{field} is {value}; the catalog below has {other}"
        related = ((place, "the other figure"),) if place else ()
        yield _disagreement(part, name, message, part.at(name), related, "", old)


def _disagreement(
    part: Part,
    name: str,
    message: str,
    at: Location,
    related: tuple[tuple[Location, str], ...],
    document: str,
    other: Any,
) -> Finding:
    unit = unit_of(name.rpartition(".")[2])
    figures = {
        "field": Figure(name),
        "value": _figure(part.get(name), unit),
        "other": _figure(other, unit),
        "document": Figure(document),
    }
    return Finding(
        code="CAT020",
        severity=Severity.ADVICE,
        message=Message(message, figures),
        at=at,
        subject=part.id,
        related=related,
    )


def _figure(value: Any, unit: Unit) -> Figure:
    if isinstance(value, list):
        return Figure(f"a list of {len(value)}")
    if isinstance(value, bool | str | int | float):
        return Figure(value, unit)
    return Figure("not known")


def _constraints(part: Part, ruleset: Ruleset, with_cases: bool) -> list[Finding]:
    if not part.constraints:
        return []
    from rackwright.readers.rules_files import check_meaning
    from rackwright.rules.cases import Setting, check_cases
    from rackwright.rules.constraints import places_of, rules_of_part

    rules = rules_of_part(part.id, part.constraints, part.sources, places_of(part.constraints, part.at))
    findings, broken = check_meaning(Ruleset(tuple(rules), ruleset.quantities, ruleset.policies))
    findings = settled(findings, _text_of(part)) if findings else []
    if with_cases:
        policy = ruleset.policies.get("default")
        setting = Setting({"node": "node"}, policy.facts if policy else {})
        findings += [item for rule in rules if rule.id not in broken for item in check_cases(rule, setting)]
    return findings


def _text_of(part: Part) -> str:
    """The text of a part file; shipped files are named from their folder on."""
    return read_text(real_path(part.file), part.file)[0] or ""
