"""The questions before buying: what the configuration decides is answered, all else stays open, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rackwright import api
from rackwright.api.runs import Run
from rackwright.diagnostic import Severity
from rackwright.expression import parse
from rackwright.expression.check import check
from rackwright.facts.shapes import shapes
from rackwright.proposal.checklist import Answer, Checklist, Question, answered, outcomes
from rackwright.proposal.sizing_model import AnswerView
from rackwright.proposal.texts import PlainFormats, Texts
from rackwright.readers.checklist_file import read_checklist
from rackwright.verdict import Outcome, Verdict

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ENGLISH = Texts("en", {}, PlainFormats())


@pytest.fixture(scope="session")
def workshop() -> api.Workshop:
    return api.load_workshop()


def asked(run: Run, **sizing: Any) -> dict[str, AnswerView]:
    assert run.book is not None
    node = run.nodes[0]
    scope = {"node": node, "order": run.order, "checks": outcomes(run.verdicts), "sizing": sizing}
    groups = answered(read_checklist(), scope, node["workload"]["kinds"], run.book.value, ENGLISH)
    return {view.id: view for group in groups for view in group.answers}


def of_example(name: str, workshop: api.Workshop, **sizing: Any) -> dict[str, AnswerView]:
    run, _ = api.validate_file(EXAMPLES / name / "configuration.yaml", workshop, today="2026-12-01")
    assert run is not None
    return asked(run, **sizing)


def test_what_the_configuration_decides_is_answered(workshop: api.Workshop) -> None:
    found = of_example("inference-4x-l40s", workshop)
    assert found["main-memory"].answer == (
        "1 024 GB beside 192 GB of video memory; makers advise twice as much as video memory"
    )
    assert found["nvlink"].answer == "No: these GPUs have no NVLink and exchange data over PCIe"
    assert found["supplies"].answer == "Yes: 2 300 W at full load on 2 supplies; a failure is survived as 1+1"


def test_what_nothing_decides_is_an_open_question(workshop: api.Workshop) -> None:
    found = of_example("inference-4x-l40s", workshop)
    assert found["cooling"].is_open  # the maker states neither inlet limit nor fan module
    assert (found["isolation"].answer, found["isolation"].keys) == ("", ("is_isolated",))
    assert found["drivers"].ask == "Who tests a new driver with the programs, and when may the server be down?"


def test_what_sizing_worked_out_is_told(workshop: api.Workshop) -> None:
    found = of_example("inference-4x-l40s", workshop, gpus_per_task_max=4, need_gib=30.5, usable_gib=45.0)
    assert found["fits-one-gpu"].answer == (
        "No: it is split over 4 GPUs, and each holds 30.5 GiB of 45 GiB. "
        "Video memory is not added up without such a split"
    )


def test_questions_are_those_of_the_task(workshop: api.Workshop) -> None:
    rendering, inference = of_example("changfan-5gpu", workshop), of_example("inference-4x-l40s", workshop)
    assert "render-limits" in rendering
    assert "context" not in rendering
    assert "context" in inference
    assert "user-types" not in inference


def test_several_servers_outlive_one(workshop: api.Workshop) -> None:
    assert of_example("rack-ab", workshop)["failure"].answer == "3 of 4 servers go on with the rest of the load"


def test_the_first_answer_whose_figures_are_known_counts() -> None:
    answers = (Answer("node.a > 1", "{node.b} of {node.a}"), Answer("", "{node.a}"), Answer("", "nothing"))
    question = Question("q", "g", "how many?", answers, "ask")
    checklist = Checklist({"g": "group"}, (question,))

    def answer(**node: int) -> str:
        return answered(checklist, {"node": node}, (), None, ENGLISH)[0].answers[0].answer

    assert answer(a=2, b=1) == "1 of 2"
    assert answer(a=2) == "2"
    assert answer() == "nothing"


def test_the_worst_outcome_of_a_rule_counts() -> None:
    def verdict(subject: str, outcome: Outcome) -> Verdict:
        return Verdict("PWR003", "title", Severity.ERROR, subject, outcome)

    found = [verdict("a", Outcome.PASS), verdict("b", Outcome.UNKNOWN), verdict("c", Outcome.NOT_APPLICABLE)]
    assert outcomes(found) == {"PWR003": "unknown"}
    assert outcomes([*found, verdict("d", Outcome.FAIL)]) == {"PWR003": "fail"}


def test_every_answer_can_be_read_and_names_facts_that_exist(workshop: api.Workshop) -> None:
    quantities = {f"{item.record}.{item.field}" for item in workshop.ruleset.quantities}
    model = shapes()
    checklist = read_checklist()
    rules = {rule.id for rule in workshop.ruleset.rules}
    for question in checklist.questions:
        assert question.group in checklist.groups
        for answer in question.answers:
            assert answer.template is not None, answer.text
            texts = [answer.when] if answer.when else []
            for text in [*texts, *answer.template.keys]:
                expression, problems = parse(text)
                assert expression is not None, problems
                if "sizing." in text or "checks." in text:
                    known = [word for word in text.replace("(", " ").split() if word.startswith("checks.")]
                    assert {word.removeprefix("checks.") for word in known} <= rules
                    continue
                found = check(expression, {"node": model["node"], "order": model["order"]})[1]
                wrong = [
                    item
                    for item in found
                    if not any(name.partition(".")[2] in str(item.message) for name in quantities)
                ]
                assert wrong == [], (question.id, text)
