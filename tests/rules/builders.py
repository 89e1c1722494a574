"""Rules, quantities and policies written to files and read as a user's would be; rules made in memory; verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from rackwright.diagnostic import Finding, Severity
from rackwright.expression import Read
from rackwright.quantities import Book, Quantity
from rackwright.readers.rules_dir import read_rules
from rackwright.rules.evaluate import Engine, Evaluation
from rackwright.rules.model import Case, Clause, Parameter, Policy, Rule, Ruleset
from rackwright.source import Citation, Grade, Location

RULE = """\
id: PWR900
name: draw-within-limit
title: The node draws no more than its limit
severity: error
for_each: node
rationale: A test rule.
source: [{doc: a document}]
require:
  - that: node.allowance_w <= 500
    message: "draws {node.allowance_w}"
fix: Take less.
"""


def with_that(that: str, *, rule: str = RULE) -> str:
    """The rule file with another condition, written as a plain or quoted YAML value."""
    return rule.replace("node.allowance_w <= 500", that)


def read(folder: Path, files: Mapping[str, str]) -> tuple[Ruleset, list[Finding]]:
    """Write files below `folder` and read it as a rules folder that is shown as `rules`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_rules(folder, "rules", with_cases=True)


def told(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    """Code, place and message of each finding."""
    return [(item.code, str(item.at), str(item.message)) for item in findings]


def quantities(*entries: tuple[str, str, str]) -> str:
    """A quantities file of (name, unit, formula)."""
    rows = [
        {"quantity": name, "unit": unit, "title": f"the {name}", "is": formula, "source": [{"doc": "a document"}]}
        for name, unit, formula in entries
    ]
    return yaml.safe_dump({"quantities": rows}, width=1000)


def rule(
    *thats: str,
    when: str | None = None,
    id: str = "PWR900",  # noqa: A002 - the name of the field
    severity: Severity = Severity.ERROR,
    message: str = "not so",
    fix: str = "change it",
    cases: tuple[Case, ...] = (),
    status: str = "stable",
    owner: str = "",
    blame: tuple[str, ...] = (),
) -> Rule:
    """A rule on nodes, made in memory."""
    clauses = tuple(Clause(that, message, blame) for that in thats)
    sources = (Citation("a document"),)
    return Rule(id, id.lower(), f"title of {id}", severity, "node", "because", sources, when, clauses, fix,
                cases=cases, status=status, owner=owner)  # fmt: skip


GPU = {"id": "nvidia/l40s", "evidence": {}, "power": {"max_w": 350}}
SHEET = Citation("L40S data sheet", where="p. 1")


class Witness:
    """Knows one document, and the places that the records of the tests carry."""

    def __init__(self, grade: Grade = Grade.VENDOR) -> None:
        self.grade = grade

    def evidence(self, part_id: str, field: str) -> tuple[Citation | None, Grade | None]:
        return SHEET, self.grade

    def candidate(self, part_id: str, field: str) -> str | None:
        return "310 W" if field == "power.peak_w" else None

    def place(self, record: Mapping[str, Any]) -> Location | None:
        line = record.get("_line")
        return Location("configuration.yaml", line, 3) if line else None

    def part_place(self, part_id: str, field: str) -> Location | None:
        return None

    def origin(self, read: Read) -> str:
        return "configuration.yaml:7" if read.field == "count" else ""


def policy(**values: float) -> Policy:
    return Policy("default", {name: Parameter(name, value) for name, value in values.items()})


def judge(
    rules: Sequence[Rule],
    *nodes: Mapping[str, Any],
    using: Policy | None = None,
    formulas: Sequence[Quantity] = (),
    detail: bool = False,
) -> Evaluation:
    """Evaluate rules on nodes."""
    chosen = using or policy()
    book = Book(formulas, chosen.facts)
    records = [book.make("node", dict(node)) for node in nodes]
    return Engine(rules, {"node": "node"}, chosen).run({"node": records}, book, Witness(), detail=detail)
