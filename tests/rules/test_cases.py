"""The check of rules by their own cases and by mutants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rackwright.rules.cases import Setting, check_cases, check_mutants, differs, run_case
from rackwright.rules.model import Case, Rule

from .builders import rule

SETTING = Setting({"node": "node"}, {"limit_w": 500})


def case(
    expect: str, name: str = "case", message: str | None = None, missing: tuple[str, ...] | None = None, **facts: Any
) -> Case:
    return Case(name, {"node": facts}, expect, message, missing)


AT, OVER, OPEN = case("pass", "at", draw_w=500), case("fail", "over", draw_w=501), case("unknown", "open")


def limit(*cases: Case, when: str | None = None) -> Rule:
    return rule("node.draw_w <= policy.limit_w", message="draws {node.draw_w}", when=when, cases=cases)


def said(made: Rule) -> list[tuple[str, str]]:
    found = check_cases(made, SETTING) or check_mutants(made, SETTING)
    return [(item.code, str(item.message)) for item in found]


def test_complete_cases_are_accepted() -> None:
    assert said(limit(AT, OVER, OPEN)) == []


@pytest.mark.parametrize(
    ("wrong", "difference"),
    [
        (case("pass", draw_w=501), "gives fail, not pass"),
        (case("fail", draw_w=500), "gives pass, not fail"),
        (case("pass"), "gives unknown, not pass"),
        (case("fail", message="draws 502 W", draw_w=501), "says 'draws 501 W', not 'draws 502 W'"),
        (case("unknown", missing=("count",)), "misses node.draw_w, not count"),
    ],
)
def test_a_case_that_is_not_so(wrong: Case, difference: str) -> None:
    assert differs(run_case(limit(), wrong, SETTING), wrong) == difference
    assert said(limit(AT, wrong)) == [("RUL020", f"case case of PWR900: {difference}")]


@pytest.mark.parametrize(
    ("cases", "lacking"),
    [
        ((OVER, OPEN), "pass"),
        ((AT, OPEN), "fail of clause 1"),
        ((AT, OVER), "unknown"),
        ((), "pass, unknown, fail of clause 1"),
    ],
)
def test_each_kind_of_case_must_be_there(cases: tuple[Case, ...], lacking: str) -> None:
    assert said(limit(*cases)) == [("RUL021", f"PWR900 has no case for: {lacking}")]


def test_a_rule_with_when_needs_a_case_that_does_not_apply() -> None:
    facts = {"is_on": True}
    cases = (case("pass", draw_w=500, **facts), case("fail", draw_w=501, **facts), case("unknown", **facts))
    assert said(limit(*cases, when="node.is_on")) == [("RUL021", "PWR900 has no case for: not_applicable")]


def test_every_clause_needs_a_case_that_fails_by_it() -> None:
    both: Mapping[str, Any] = {"a": 1, "b": 1}
    cases = (case("pass", **both), case("fail", a=2, b=1), case("unknown", a=1))
    assert said(rule("node.a <= 1", "node.b <= 1", cases=cases)) == [
        ("RUL021", "PWR900 has no case for: fail of clause 2")
    ]


def test_a_limit_needs_a_case_exactly_at_it() -> None:
    below = case("pass", "below", draw_w=400)
    assert said(limit(below, OVER, OPEN)) == [
        (
            "RUL022",
            "no case of PWR900 notices this change: clause 1: `<=` became `<` in `node.draw_w <= policy.limit_w`",
        )
    ]


def test_all_and_any_must_be_told_apart() -> None:
    def gpus(*flags: bool) -> Case:
        return case("pass" if all(flags) else "fail", gpus=[{"is_on": flag} for flag in flags])

    made = rule("all(g.is_on for g in node.gpus)", cases=(gpus(True), gpus(False), case("unknown")))
    assert [text for _, text in said(made)] == [
        "no case of PWR900 notices this change: clause 1: `all` became `any` in `all(g.is_on for g in node.gpus)`"
    ]
    assert said(rule("all(g.is_on for g in node.gpus)", cases=(gpus(True), gpus(True, False), case("unknown")))) == []


def test_a_condition_must_matter() -> None:
    cases = (case("pass", is_on=True, a=1), case("fail", is_on=True, a=2), case("unknown", is_on=True),
             case("not_applicable", is_on=False, a=1))  # fmt: skip
    assert said(rule("node.a <= 1", when="node.is_on", cases=cases)) == []


def test_a_case_can_set_the_policy() -> None:
    own = Case("own", {"node": {"draw_w": 501}, "policy": {"limit_w": 600}}, "pass")
    assert run_case(limit(), own, SETTING).outcome == "pass"
