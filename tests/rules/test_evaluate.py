"""Verdicts: three values, what decides them, what they carry, and crashes that stay alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rackwright.diagnostic import Severity
from rackwright.expression import LazyRecord
from rackwright.quantities import Book, Quantity
from rackwright.rules.evaluate import Engine
from rackwright.rules.model import Policy, Rule
from rackwright.verdict import Missing, Outcome

from .builders import GPU, SHEET, Witness, judge, policy, rule

LIMIT = rule(
    "node.draw_w <= 500", message="draws {node.draw_w}, {node.draw_w - 500} too much", fix="shed {node.draw_w - 500}"
)


def outcome(made: Rule, **facts: Any) -> Outcome:
    (verdict,) = judge([made], {"id": "n", **facts}).verdicts
    return verdict.outcome


@pytest.mark.parametrize(("draw_w", "expected"), [(499, "pass"), (500, "pass"), (501, "fail")])
def test_both_sides_of_a_limit(draw_w: int, expected: str) -> None:
    assert outcome(LIMIT, draw_w=draw_w) == expected


def test_a_failure_carries_message_and_fix_with_units() -> None:
    (verdict,) = judge([LIMIT], {"id": "n", "draw_w": 1600}).verdicts
    assert (str(verdict.message), str(verdict.fix)) == ("draws 1 600 W, 1 100 W too much", "shed 1 100 W")
    assert verdict.clause == 0
    assert verdict.arithmetic == ("node.draw_w <= 500: 1 600 W <= 500 W is false", "  n draw_w = 1 600 W")


def test_a_missing_fact_is_unknown_and_named() -> None:
    (verdict,) = judge([LIMIT], {"id": "n"}).verdicts
    assert verdict.outcome is Outcome.UNKNOWN
    assert verdict.missing == (Missing("n", "draw_w"),)
    assert str(verdict.message) == "not decided: draw_w of n not known"
    assert verdict.fix is None


def test_a_missing_figure_of_a_part_has_its_owner_and_candidate() -> None:
    (verdict,) = judge(
        [rule("sum(g.part.power.peak_w for g in node.gpus) <= 900")], {"id": "n", "gpus": [{"part": GPU}]}
    ).verdicts
    assert verdict.missing == (Missing("nvidia/l40s", "power.peak_w", "310 W"),)


TWO = rule("node.a <= 1", "node.b <= 1")


@pytest.mark.parametrize(
    ("facts", "expected", "clause"),
    [
        ({"a": 1, "b": 1}, "pass", None),
        ({"a": 1, "b": 2}, "fail", 1),
        ({"a": 2, "b": 2}, "fail", 0),
        ({"b": 2}, "fail", 1),  # a failed clause decides, whatever else is missing
        ({"b": 1}, "unknown", 0),
        ({"a": 1}, "unknown", 1),
        ({}, "unknown", 0),
    ],
)
def test_clauses(facts: dict[str, int], expected: str, clause: int | None) -> None:
    (verdict,) = judge([TWO], {"id": "n", **facts}).verdicts
    assert (verdict.outcome.value, verdict.clause) == (expected, clause)


WHEN = rule("node.a <= 1", when="node.is_on")


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"is_on": True, "a": 1}, "pass"),
        ({"is_on": False}, "not_applicable"),
        ({"a": 1}, "unknown"),
        ({"a": 2}, "unknown"),  # it fails only if it applies
    ],
)
def test_when(facts: dict[str, Any], expected: str) -> None:
    assert outcome(WHEN, **facts) == expected


@pytest.mark.parametrize(
    ("that", "facts", "expected"),
    [
        ("node.a > 0 and node.b > 0", {"a": 0}, "fail"),
        ("node.a > 0 and node.b > 0", {"a": 1}, "unknown"),
        ("node.a > 0 or node.b > 0", {"a": 1}, "pass"),
        ("node.a > 0 or node.b > 0", {"a": 0}, "unknown"),
        ("sum(p.x_w for p in node.psus) <= 100", {"psus": [{"x_w": 101}, {}]}, "fail"),
        ("sum(p.x_w for p in node.psus) <= 100", {"psus": [{"x_w": 99}, {}]}, "unknown"),
        ("any(p.is_on for p in node.psus)", {"psus": [{"is_on": True}, {}]}, "pass"),
        ("all(p.is_on for p in node.psus)", {"psus": [{"is_on": False}, {}]}, "fail"),
        ("all(p.is_on for p in node.psus)", {"psus": [{"is_on": True}, {}]}, "unknown"),
        ("node.a / node.b > 1", {"a": 1, "b": 0}, "unknown"),
    ],
)
def test_three_values(that: str, facts: dict[str, Any], expected: str) -> None:
    assert outcome(rule(that), **facts) == expected


def test_documents_and_weakest_grade_of_the_figures() -> None:
    (verdict,) = judge(
        [rule("sum(g.part.power.max_w for g in node.gpus) <= 300")], {"id": "n", "gpus": [{"part": GPU}]}
    ).verdicts
    assert verdict.sources == (SHEET,)
    assert verdict.grade == "vendor"
    assert [str(source) for source in verdict.basis] == ["a document"]
    assert "nvidia/l40s power.max_w = 350 W (L40S data sheet, p. 1, grade vendor)" in verdict.arithmetic[-1]


def test_a_fact_of_the_user_names_his_line() -> None:
    (verdict,) = judge([rule("node.count <= 1")], {"id": "n", "count": 2}).verdicts
    assert verdict.arithmetic[1] == "  n count = 2 (configuration.yaml:7)"


def test_a_pass_has_arithmetic_only_in_detail() -> None:
    (plain,) = judge([LIMIT], {"id": "n", "draw_w": 1}).verdicts
    (detailed,) = judge([LIMIT], {"id": "n", "draw_w": 1}, detail=True).verdicts
    assert plain.arithmetic == ()
    assert detailed.arithmetic == ("node.draw_w <= 500: 1 W <= 500 W is true", "  n draw_w = 1 W")


def test_blame_points_at_the_first_place_and_lists_the_others() -> None:
    made = rule("node.a <= 1", blame=("node.psus", "node"))
    (verdict,) = judge(
        [made], {"id": "n", "_line": 2, "a": 2, "psus": [{"_line": 9}, {"_line": 9}, {"_line": 12}]}
    ).verdicts
    assert str(verdict.at) == "configuration.yaml:9:3"
    assert [str(place) for place, _ in verdict.related] == ["configuration.yaml:12:3", "configuration.yaml:2:3"]


def test_without_blame_the_subject_is_the_place() -> None:
    (verdict,) = judge([LIMIT], {"id": "n", "_line": 4, "draw_w": 501}).verdicts
    assert str(verdict.at) == "configuration.yaml:4:3"


def test_policy_sets_limits_severities_and_what_is_left_out() -> None:
    made = rule("node.draw_w <= policy.limit_w")
    using = replace(policy(limit_w=100), severities={"PWR900": Severity.ADVICE}, ignore=frozenset({"PWR901"}))
    found = judge([made, replace(made, id="PWR901")], {"id": "n", "draw_w": 101}, using=using)
    assert [(v.rule, v.outcome.value, v.severity.value) for v in found.verdicts] == [("PWR900", "fail", "advice")]


def test_a_draft_rule_is_advice_whatever_it_says() -> None:
    (verdict,) = judge([rule("node.a <= 1", status="draft")], {"id": "n", "a": 2}).verdicts
    assert verdict.severity is Severity.ADVICE


def test_a_constraint_concerns_the_nodes_of_its_part_alone() -> None:
    made = rule("node.a <= 1", id="x/box#few", owner="x/box")
    own = {"id": "one", "a": 2, "chassis": {"part": {"id": "x/box"}}, "lines": []}
    carrying = {"id": "two", "a": 2, "chassis": {"part": {"id": "y/box"}}, "lines": [{"part": {"id": "x/box"}}]}
    other = {"id": "three", "a": 2, "chassis": {"part": {"id": "y/box"}}, "lines": []}
    assert [v.subject for v in judge([made], own, carrying, other).verdicts] == ["one", "two"]


def test_quantities_are_read_by_rules_and_derived() -> None:
    formulas = [Quantity("node", "draw_w", "W", "all", "sum(g.part.power.max_w for g in node.gpus) + node.base_w")]
    (verdict,) = judge([LIMIT], {"id": "n", "base_w": 100, "gpus": [{"part": GPU}] * 2}, formulas=formulas).verdicts
    assert verdict.arithmetic == (
        "node.draw_w <= 500: 800 W <= 500 W is false",
        "  node.draw_w = 2 x 350 W + 100 W = 800 W",
        "    nvidia/l40s power.max_w = 350 W (L40S data sheet, p. 1, grade vendor)",
        "    n base_w = 100 W",
    )


def test_a_quantity_with_a_missing_figure_names_the_figure() -> None:
    formulas = [Quantity("node", "draw_w", "W", "all", "node.base_w + node.extra_w")]
    (verdict,) = judge([LIMIT], {"id": "n", "base_w": 100}, formulas=formulas).verdicts
    assert verdict.missing == (Missing("n", "extra_w"),)


def test_a_quantity_is_computed_once() -> None:
    book = Book([Quantity("node", "b", "", "b", "node.a + 1")], {})
    record = book.make("node", {"a": 1})
    assert isinstance(record, LazyRecord)
    assert record["b"] == 2
    record["a"] = 10
    assert record["b"] == 2


def test_verdicts_come_in_the_order_of_subjects_and_rules() -> None:
    rules = [LIMIT, replace(LIMIT, id="PWR901")]
    found = judge(rules, {"id": "n1", "draw_w": 1}, {"id": "n2", "draw_w": 1}).verdicts
    assert [(v.subject, v.rule) for v in found] == [
        ("n1", "PWR900"), ("n1", "PWR901"), ("n2", "PWR900"), ("n2", "PWR901"),
    ]  # fmt: skip


# --- crashes and rules that cost too much


class Hostile(dict[str, Any]):
    """A record that breaks whoever asks for `bomb`."""

    def __missing__(self, key: str) -> Any:
        if key == "bomb":
            raise RuntimeError("boom")
        raise KeyError(key)


def run(rules: list[Rule], *nodes: Any, detail: bool = False) -> Any:
    chosen = Policy("default", {})
    return Engine(rules, {"node": "node"}, chosen).run({"node": nodes}, Book((), {}), Witness(), detail=detail)


def test_a_crash_in_one_rule_leaves_the_others_running() -> None:
    rules = [LIMIT, rule("node.bomb <= 1", id="PWR901"), rule("node.draw_w <= 400", id="PWR902")]
    found = run(rules, Hostile(id="n", draw_w=450))
    assert [(v.rule, v.outcome.value) for v in found.verdicts] == [("PWR900", "pass"), ("PWR902", "fail")]
    (crash,) = found.findings
    assert (crash.code, crash.severity.value, crash.subject) == ("SYS001", "error", "n")
    assert str(crash.message) == "rule PWR901 could not be evaluated on n: RuntimeError: boom"


@pytest.mark.parametrize("that", ["node.draw_w <=", "stranger.draw_w <= 1", "__import__('os')"])
def test_a_rule_that_was_damaged_after_its_check_leaves_the_others_running(that: str) -> None:
    found = run([rule(that, id="PWR901"), LIMIT], {"id": "n", "draw_w": 501})
    assert [(v.rule, v.outcome.value) for v in found.verdicts] == [("PWR900", "fail")]
    assert [item.code for item in found.findings] == ["SYS001"]


THREE_DEEP = "all(all(all(a.x + b.x + c.x > 0 for a in node.psus) for b in node.psus) for c in node.psus)"
PAIRS = "all(all(a.x + b.x > 0 for a in node.psus) for b in node.psus)"
MANY = [{"x": 1}] * 500


def test_nested_loops_over_long_lists_end_in_a_finding() -> None:
    nodes = [{"id": f"n{i}", "draw_w": 1, "psus": MANY} for i in range(50)]
    found = run([rule(THREE_DEEP, id="PWR901"), LIMIT], *nodes)
    (crash,) = found.findings  # once, not for every subject
    assert str(crash.message) == (
        "rule PWR901 could not be evaluated on n0: "
        "TooCostlyError: more than 100000 steps: it loops over too many lists inside each other"
    )
    assert [(v.rule, v.outcome.value) for v in found.verdicts] == [("PWR900", "pass")] * 50


def test_what_the_fast_path_decides_needs_no_derivation() -> None:
    assert [v.outcome.value for v in run([rule(PAIRS)], {"id": "n", "psus": MANY}).verdicts] == ["pass"]
    detailed = run([rule(PAIRS)], {"id": "n", "psus": MANY}, detail=True)
    assert [v.outcome.value for v in detailed.verdicts] == ["pass"]
    assert detailed.findings == ()


def test_every_run_has_its_whole_allowance() -> None:
    engine = Engine([rule(PAIRS)], {"node": "node"}, Policy("default", {}))
    for _ in range(5):  # together over the allowance of one run
        found = engine.run({"node": [{"id": "n", "psus": MANY}]}, Book((), {}), Witness())
        assert [v.outcome.value for v in found.verdicts] == ["pass"]


def test_a_derivation_that_is_too_long_is_left_out_and_the_verdict_kept() -> None:
    lists = [{"x": 1}] * 60
    (verdict,) = run([rule(PAIRS.replace("> 0", "> 2"))], {"id": "n", "psus": lists}).verdicts
    assert verdict.outcome is Outcome.FAIL
    assert verdict.arithmetic == ("the derivation has too many steps to be shown",)
