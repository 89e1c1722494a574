"""What the checks of a node ask to be changed: parts that must come along, and what their texts name as a way out.

Both are read from the rules of the parts themselves: `adds` of a constraint, and the parts, modes and families that a
failed condition names. Nothing here knows a part.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.assembly.need import Choices
from rackwright.catalog import Catalog, Part
from rackwright.configuration import PartLine
from rackwright.diagnostic import Severity
from rackwright.expression import evaluate, parse
from rackwright.quantities import Book
from rackwright.verdict import Outcome, Verdict

Record = Mapping[str, Any]
_TEXT = re.compile(r'"([^"]+)"')
# Kinds of parts that complete a node and change nothing else in it.
_COMPANIONS = frozenset({"option", "fan_kit", "heatsink", "riser", "cable"})


def parts_asked_for(verdicts: Sequence[Verdict], node: Record, book: Book, catalog: Catalog) -> list[PartLine]:
    """Return the parts that failed constraints with `adds` want in this node, each with its number.

    Beside them the parts of the mode and the option of a drive bay that are not ordered, as the facts have them.
    """
    wanted: dict[str, int] = dict.fromkeys(node["chassis"].get("mode_parts_missing") or (), 1)
    for drive in node.get("drives", ()):
        if drive.get("has_option") is False and drive.get("option"):
            wanted.setdefault(str(drive["option"]), 1)
    for verdict in verdicts:
        constraint = _constraint(verdict, catalog) if verdict.outcome is Outcome.FAIL else None
        if constraint is None or "adds" not in constraint:
            continue
        adds = constraint["adds"]
        expression = parse(str(adds["quantity"]))[0]
        count = evaluate(expression, {"node": node}, resolver=book.value).value if expression is not None else None
        if isinstance(count, int | float) and count >= 1:
            wanted[adds["part"]] = max(wanted.get(adds["part"], 0), int(count))
    return [PartLine(part=part, count=count) for part, count in sorted(wanted.items())]


def ways_out(errors: Sequence[Verdict], choices: Choices, chassis: Part, catalog: Catalog) -> list[Choices]:
    """Return other choices that a failed rule hints at, in order: what its condition names, then larger supplies."""
    found: list[Choices] = []
    for verdict in errors:
        constraint = _constraint(verdict, catalog)
        for name in _named(constraint) if constraint is not None else ():
            found += _choice(name, choices, chassis, catalog)
        if verdict.rule.startswith("PWR"):
            found.append(dataclasses.replace(choices, psu_skip=choices.psu_skip + 1))
    return [choice for index, choice in enumerate(found) if choice != choices and choice not in found[:index]]


def failed(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the failures that make a configuration invalid."""
    return [v for v in verdicts if v.outcome is Outcome.FAIL and v.severity is Severity.ERROR and v.waived is None]


def _constraint(verdict: Verdict, catalog: Catalog) -> Mapping[str, Any] | None:
    owner, mark, name = verdict.rule.partition("#")
    part = catalog.find(owner) if mark else None
    return next((c for c in part.constraints if c["id"] == name), None) if part is not None else None


def _named(constraint: Mapping[str, Any]) -> list[str]:
    """Return the texts in quotation marks of a constraint: first of what it requires, then of when it applies."""
    require = constraint.get("require") or ()
    clauses = [require] if isinstance(require, str) else [clause["that"] for clause in require]
    return list(
        dict.fromkeys(name for text in [*clauses, constraint.get("when") or ""] for name in _TEXT.findall(text))
    )


def _choice(name: str, choices: Choices, chassis: Part, catalog: Catalog) -> list[Choices]:
    """Return what a name can mean for this chassis: a mode, a family of processors, supplies, or a part to add."""
    if name in (chassis.get("modes") or {}):
        return [dataclasses.replace(choices, mode=name)]
    if name in (chassis.get("cpu.families") or ()):
        return [dataclasses.replace(choices, families=(name,))]
    part = catalog.find(name)
    if part is None:
        return []
    if part.kind == "psu":
        return [dataclasses.replace(choices, psus=(part.id,))]
    if part.kind in _COMPANIONS and all(line.part != part.id for line in choices.lines):
        pieces = 2 if part.kind == "heatsink" and (part.get("pieces") or 1) == 1 else 1
        return [dataclasses.replace(choices, lines=(*choices.lines, PartLine(part=part.id, count=pieces)))]
    return []
