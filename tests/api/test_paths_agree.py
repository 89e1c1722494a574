"""The outcome that a run decides is the outcome of the exact path, which also says why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.examples.running import FOLDERS, example
from tests.rules.builders import Witness

from rackwright import api
from rackwright.api.runs import subjects_of
from rackwright.api.witness import CatalogWitness
from rackwright.facts.vocabulary import SUBJECTS
from rackwright.quantities import Book
from rackwright.rules.cases import Setting, run_case
from rackwright.rules.evaluate import Engine
from rackwright.rules.judge import Judge
from rackwright.rules.model import Parameter
from rackwright.verdict import Outcome

BOUND = {name: name for name in SUBJECTS}


@pytest.mark.parametrize("name", FOLDERS)
def test_on_every_example(name: str) -> None:
    run = example(name).run
    assert run.order is not None
    assert run.book is not None
    rules = {rule.id: rule for rule in run.rules}
    witness = CatalogWitness(run.workshop.catalog, run.file, run.policy)
    subjects = subjects_of(run.order)
    told = 0
    for verdict in run.verdicts:
        rule = rules[verdict.rule]
        for record in subjects[rule.for_each]:
            if record.get("id", "") != verdict.subject:
                continue
            run.book.budget.renew()
            scope = {rule.for_each: record, "policy": run.policy.facts}
            exact = Judge(rule, record, scope, verdict.severity, run.book, witness, None).verdict()
            assert (verdict.rule, verdict.subject, exact.outcome) == (rule.id, verdict.subject, verdict.outcome)
            if verdict.outcome in (Outcome.FAIL, Outcome.UNKNOWN):
                assert str(verdict.message) == str(exact.message)
                assert not str(verdict.message).startswith("not told")
                told += 1
    assert (told > 0) == any(v.outcome in (Outcome.FAIL, Outcome.UNKNOWN) for v in run.verdicts)


def test_on_every_case_of_every_rule() -> None:
    workshop = api.load_workshop(with_cases=True)
    default = workshop.ruleset.policies["default"]
    setting = Setting(BOUND, default.facts)
    found = 0
    for rule in workshop.ruleset.rules:
        for case in rule.cases:
            changed = {name: Parameter(name, value) for name, value in case.given.get("policy", {}).items()}
            policy = replace(default, parameters={**default.parameters, **changed})
            records = {rule.for_each: [case.given.get(rule.for_each, {})]}
            evaluation = Engine([rule], BOUND, policy).run(records, Book((), policy.facts), Witness())
            outcomes = [verdict.outcome for verdict in evaluation.verdicts]
            assert outcomes == [run_case(rule, case, setting).outcome], (rule.id, case.name)
            found += 1
    assert found > 700
