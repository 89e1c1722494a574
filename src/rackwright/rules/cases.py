"""Runs the cases of rules, and mutants of rules: a rule must say what its cases say, and each mutant must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.expression import Read, Type
from rackwright.expression.mutate import mutants
from rackwright.frozen import frozen
from rackwright.quantities import Book
from rackwright.rules.judge import Judge
from rackwright.rules.model import Case, Rule
from rackwright.source import Citation, Grade, Location
from rackwright.verdict import Outcome, Verdict

_NEEDED = (
    "add one under tests:; each rule needs a pass, a fail per clause, an unknown, and a not_applicable if it has a when"
)


class _NoWitness:
    """Cases stand on synthetic facts: there is no catalog and no user's file behind them."""

    def evidence(self, part_id: str, field: str) -> tuple[Citation | None, Grade | None]:
        return None, None

    def candidate(self, part_id: str, field: str) -> str | None:
        return None

    def place(self, record: Mapping[str, Any]) -> Location | None:
        return None

    def part_place(self, part_id: str, field: str) -> Location | None:
        return None

    def origin(self, read: Read) -> str:
        return ""


@frozen(slots=True)
class Setting:
    """What cases run in: the name that each subject binds, the default policy, and the types for messages."""

    bound: Mapping[str, str]
    policy: Mapping[str, Any]
    shapes: Mapping[str, Type] | None = None


def run_case(rule: Rule, case: Case, setting: Setting) -> Verdict:
    """Return the verdict of a rule on the facts of a case. Quantities are given by the case, not computed."""
    name = setting.bound[rule.for_each]
    policy = {**setting.policy, **case.given.get("policy", {})}
    record = case.given.get(name, {})
    scope = {name: record, "policy": policy}
    return Judge(rule, record, scope, rule.severity, Book((), policy), _NoWitness(), None).verdict()


def differs(verdict: Verdict, case: Case) -> str | None:
    """Say how a verdict differs from what the case expects; None if it does not."""
    if verdict.outcome.value != case.expect:
        return f"gives {verdict.outcome.value}, not {case.expect}"
    if case.message is not None and str(verdict.message) != case.message:
        return f"says '{verdict.message}', not '{case.message}'"
    if case.missing is not None:
        found = sorted(item.field for item in verdict.missing)
        if found != sorted(case.missing):
            return f"misses {', '.join(found) or 'nothing'}, not {', '.join(case.missing)}"
    return None


def _difference(rule: Rule, case: Case, setting: Setting) -> str | None:
    """Say how a rule judges otherwise than a case expects. Facts of a case are written by hand, and not of any type."""
    try:
        return differs(run_case(rule, case, setting), case)
    except (TypeError, AttributeError, KeyError, IndexError, ValueError):
        return "cannot be judged: a fact under given is not of the type that docs/facts.md states"


def check_cases(rule: Rule, setting: Setting) -> list[Finding]:
    """Run all cases of a rule and look for the kinds of cases that it must have; a constraint may go without any."""
    if rule.owner and not rule.cases:
        return [_no_cases(rule)]
    findings = [
        finding("RUL020", "case {case} of {rule}: {what}", case.at, rule=rule.id, case=case.name, what=problem)
        for case in rule.cases
        if (problem := _difference(rule, case, setting)) is not None
    ]
    return findings or _lacking(rule, setting)


def _no_cases(rule: Rule) -> Finding:
    return finding(
        "RUL023",
        "the constraint {rule} has no cases",
        rule.at,
        severity=Severity.WARNING,
        fix="add under tests: what passes, what fails, and what is unknown, as in "
        "{name: at_the_limit, given: {node: {site: {inlet_c: 30}}}, expect: pass}",
        rule=rule.id,
    )


def _lacking(rule: Rule, setting: Setting) -> list[Finding]:
    verdicts = [run_case(rule, case, setting) for case in rule.cases]
    outcomes = {verdict.outcome for verdict in verdicts}
    lacking = [o.value for o in (Outcome.PASS, Outcome.UNKNOWN) if o not in outcomes]
    if rule.when is not None and Outcome.NOT_APPLICABLE not in outcomes:
        lacking.append("not_applicable")
    failed = {verdict.clause for verdict in verdicts if verdict.outcome is Outcome.FAIL}
    lacking += [f"fail of clause {n + 1}" for n in range(len(rule.require)) if n not in failed]
    return (
        [
            finding(
                "RUL021",
                "{rule} has no case for: {kinds}",
                rule.at,
                fix=_NEEDED,
                rule=rule.id,
                kinds=", ".join(lacking),
            )
        ]
        if lacking
        else []
    )


def check_mutants(rule: Rule, setting: Setting) -> list[Finding]:
    """Change the rule in small ways; a change that no case notices is a finding that names the missing case."""
    findings: list[Finding] = []
    for what, changed in _mutated(rule):
        if not _is_killed(changed, rule.cases, setting):
            findings.append(
                finding(
                    "RUL022",
                    "no case of {rule} notices this change: {what}",
                    rule.at,
                    fix="add a case that tells the two apart, for a limit one exactly at it",
                    rule=rule.id,
                    what=what,
                )
            )
    return findings


def _is_killed(rule: Rule, cases: Sequence[Case], setting: Setting) -> bool:
    return any(_difference(rule, case, setting) is not None for case in cases)


def _mutated(rule: Rule) -> list[tuple[str, Rule]]:
    changed: list[tuple[str, Rule]] = []
    if rule.condition is not None:
        changed += [(f"when: {what}", replace(rule, when=mutant.text)) for what, mutant in mutants(rule.condition)]
        changed.append(("when dropped", replace(rule, when=None)))
    for index, clause in enumerate(rule.require):
        for what, mutant in mutants(clause.expression):
            clauses = (*rule.require[:index], replace(clause, that=mutant.text), *rule.require[index + 1 :])
            changed.append((f"clause {index + 1}: {what}", replace(rule, require=clauses)))
        if len(rule.require) > 1:
            clauses = (*rule.require[:index], *rule.require[index + 1 :])
            changed.append((f"clause {index + 1} dropped", replace(rule, require=clauses)))
    return changed
