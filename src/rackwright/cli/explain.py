"""`rackwright explain`: the derivation of a verdict or a figure, down to catalog figures and the user's lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rackwright import api
from rackwright.cli.common import (
    FailOn,
    configuration_file,
    exit_code,
    print_findings,
    say,
    shown_path,
    today,
    workshop,
)
from rackwright.cli.options import CatalogOption, ConfigurationPath, PolicyOption, RulesOption
from rackwright.errors import UsageError
from rackwright.facts.vocabulary import RECORDS, SUBJECTS
from rackwright.rules.constraints import rules_of_part
from rackwright.rules.model import Rule
from rackwright.verdict import Verdict

if TYPE_CHECKING:  # the other commands need not load it
    from rackwright.api.explain import Explanation

_OUTCOMES = {"pass": "passes", "fail": "FAILS", "unknown": "NOT DECIDED", "not_applicable": "does not apply"}


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="RULE|FIGURE",
            help="Rule (PWR003), a part's constraint (hpe/dl380a-gen12#gpu-cable-kit) or figure (node.draw_peak_w).",
        ),
    ],
    configuration: ConfigurationPath,
    at: Annotated[
        str | None, typer.Option("--at", metavar="SUBJECT", help="Only this subject and what is below it.")
    ] = None,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
) -> None:
    """Derive a verdict or a figure step by step, with numbers, units, documents and your own lines."""
    from rackwright.api.explain import is_figure, nearest

    path = configuration_file(configuration)
    loaded = workshop(catalog, rules)
    run, findings = api.validate_file(path, loaded, shown=shown_path(path), policy=policy, today=today(None))
    if run is None or run.order is None:
        print_findings(findings if run is None else run.findings)
        raise typer.Exit(exit_code(run, findings, FailOn.ERROR))
    rule = _rule(run, name)
    if rule is not None:
        _print_rule(run, rule, at)
    elif is_figure(run, name):
        _print_figure(run, name, at)
    else:
        near = nearest(run, name)
        hint = f"; did you mean {', '.join(near)}?" if near else "; `rackwright rules list` shows all rules"
        raise UsageError(f"there is no rule or figure {name}{hint}")


def _rule(run: api.Run, name: str) -> Rule | None:
    """Find a rule by id, alias or name; a constraint also if its part is not in this configuration."""
    for rule in run.rules:
        if name in (rule.id, rule.name, *rule.aliases):
            return rule
    part = run.workshop.catalog.find(name.partition("#")[0]) if "#" in name else None
    owned = rules_of_part(part.id, part.constraints, part.sources, {}) if part is not None else []
    return next((rule for rule in owned if rule.id == name), None)


def _print_rule(run: api.Run, rule: Rule, at: str | None) -> None:
    from rackwright.api.explain import explain_rule

    say(f"{rule.id}  {rule.title}  ({rule.severity.value}, for each {rule.for_each})")
    say(f"  why: {rule.rationale}")
    for source in rule.sources:
        say(f"  source: {source}")
    if rule.at:
        say(f"  rule: {rule.at}")
    explained = explain_rule(run, rule, at)
    if not explained:
        print()
        _nothing(run, rule, at)
    for explanation in explained:
        print()
        _print_explanation(explanation)


def _nothing(run: api.Run, rule: Rule, at: str | None) -> None:
    """Say why there is nothing to explain; a subject that does not exist is a mistake of the caller."""
    from rackwright.api.explain import subjects

    names = [str(record.get("id", "")) for record in subjects(run, rule.for_each)]
    if rule.id in run.policy.ignore:
        say(f"the policy {run.policy.name} leaves this rule out")
    elif rule.owner and all(found.id != rule.id for found in run.rules):
        say(f"nothing here concerns it: {rule.owner} is not in this configuration")
    elif at is not None and names:
        raise UsageError(f"there is no {rule.for_each} {at}; there are {', '.join(names)}")
    else:
        meaning = SUBJECTS[rule.for_each][1]
        say(f"nothing here concerns it: the configuration has no {rule.for_each} ({meaning})")


def _print_explanation(explanation: Explanation) -> None:
    verdict = explanation.verdict
    assert verdict is not None
    say(f"{verdict.subject}: {_OUTCOMES[verdict.outcome.value]}{_clause(explanation, verdict)}")
    if verdict.message is not None:
        say(f"  {verdict.message}")
    if verdict.at is not None:
        say(f"  --> {verdict.at}")
    for step in explanation.steps:
        say(f"  {step.title}:")
        _print_lines(step.lines)
    for missing in verdict.missing:
        say(f"  missing: {missing}")
    if verdict.fix is not None:
        say(f"  fix: {verdict.fix}")
    if verdict.grade is not None:
        say(f"  weakest grade of these figures: {verdict.grade.value}")
    if verdict.waived:
        say(f"  waived: {verdict.waived}")


def _clause(explanation: Explanation, verdict: Verdict) -> str:
    many = sum(step.title.startswith("clause") for step in explanation.steps) > 1
    return f" (clause {verdict.clause + 1})" if many and verdict.clause is not None else ""


def _print_figure(run: api.Run, name: str, at: str | None) -> None:
    from rackwright.api.explain import explain_figure

    kind, _, field = name.partition(".")
    quantity = run.book.find(kind, field) if run.book is not None else None
    if quantity is not None:
        say(f"{name}  {quantity.title}  ({quantity.unit or 'pure number'})")
        say(f"  formula: {quantity.formula}")
        for source in quantity.sources:
            say(f"  source: {source}")
        if quantity.at:
            say(f"  defined: {quantity.at}")
    else:
        say(f"{name}  {RECORDS[kind][field][1]}")
    explained = explain_figure(run, name, at)
    for explanation in explained:
        print()
        say(explanation.subject)
        _print_lines(explanation.steps[0].lines)
    if not explained:
        raise UsageError(f"the configuration has no {kind}" + (f" {at}" if at else ""))


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        say(f"    {line}")
