"""Constraints of parts become rules of the node that the part sits in."""

from __future__ import annotations

from typing import Any

from rackwright.rules.cases import Setting, run_case
from rackwright.rules.constraints import places_of, rules_of_part
from rackwright.rules.model import Case, Rule
from rackwright.source import Location

SOURCES = {"quickspecs": {"doc": "QuickSpecs", "number": "a1", "read": "2026-12-01"}}
KIT: dict[str, Any] = {
    "id": "cable-kit",
    "title": "One cable kit for two cards",
    "when": "len(node.gpus) > 0",
    "adds": {"part": "x/kit", "quantity": "ceil(len(node.gpus) / 2)", "reason": "one kit feeds two cards"},
    "source": {"id": "quickspecs", "where": "p. 9"},
    "tests": [{"name": "two", "given": {}, "expect": "pass"}],
}
LIMIT: dict[str, Any] = {
    "id": "at-most-four",
    "severity": "warning",
    "require": [{"that": "len(node.gpus) <= 4", "message": "{len(node.gpus)} cards, at most four"}],
    "fix": "Take four.",
}


def made(item: dict[str, Any]) -> Rule:
    (found,) = rules_of_part("x/box", [item], SOURCES, {})
    return found


def test_what_a_constraint_becomes() -> None:
    rule = made(LIMIT)
    assert (rule.id, rule.owner, rule.family, rule.for_each) == ("x/box#at-most-four", "x/box", "maker", "node")
    assert (rule.title, rule.severity.value, rule.fix) == ("at most four", "warning", "Take four.")
    assert rule.sources == ()


def test_the_source_is_that_of_the_part_file() -> None:
    assert [str(source) for source in made(KIT).sources] == ["QuickSpecs, a1, p. 9"]


def verdict(
    item: dict[str, Any], gpus: int, lines: list[dict[str, Any]] | None, *, is_complete: bool = True
) -> tuple[str, str, str]:
    node: dict[str, Any] = {"id": "n", "gpus": [{"id": f"g{number}"} for number in range(gpus)]}
    node["is_list_complete"] = is_complete
    if lines is not None:
        node["lines"] = lines
    found = run_case(made(item), Case("case", {"node": node}, "pass"), Setting({"node": "node"}, {}))
    return found.outcome.value, str(found.message or ""), str(found.fix or "")


def kits(count: int) -> list[dict[str, Any]]:
    return [{"count": count, "part": {"id": "x/kit"}}, {"count": 9, "part": {"id": "x/other"}}]


def test_adds_counts_what_is_ordered() -> None:
    assert verdict(KIT, 3, kits(2))[0] == "pass"
    assert verdict(KIT, 3, kits(1)) == (
        "fail",
        "one kit feeds two cards: 2 x x/kit needed, 1 listed",
        "add x/kit: one kit feeds two cards",
    )
    assert verdict(KIT, 1, [])[:2] == ("fail", "one kit feeds two cards: 1 x x/kit needed, 0 listed")
    assert verdict(KIT, 0, [])[0] == "not_applicable"
    assert verdict(KIT, 1, None)[0] == "unknown"


def test_a_quantity_is_one_value_however_it_is_written() -> None:
    kit = {**KIT, "adds": {**KIT["adds"], "quantity": "2 if len(node.gpus) > 2 else 1"}}
    assert verdict(kit, 3, kits(2))[0] == "pass"
    assert verdict(kit, 3, kits(1))[:2] == ("fail", "one kit feeds two cards: 2 x x/kit needed, 1 listed")
    assert verdict(kit, 2, kits(1))[0] == "pass"
    assert verdict(kit, 2, [])[:2] == ("fail", "one kit feeds two cards: 1 x x/kit needed, 0 listed")
    assert verdict(kit, 2, [], is_complete=False)[0] == "pass"


def test_what_is_wrong_with_a_quantity_is_pointed_at() -> None:
    (rule,) = rules_of_part("x/box", [KIT], SOURCES, places_of([KIT], lambda _: Location("box.yaml", 7, 20)))
    (clause,) = rule.require
    start = clause.that.index("len(node.gpus)")
    assert clause.expression.location(start) == Location("box.yaml", 7, 25)  # behind the five letters of `ceil(`


def test_an_order_that_names_the_main_parts_alone_may_leave_out_what_is_added() -> None:
    assert verdict(KIT, 1, [], is_complete=False)[0] == "pass"


def test_a_clause_of_its_own() -> None:
    assert verdict(LIMIT, 4, [])[0] == "pass"
    assert verdict(LIMIT, 5, []) == ("fail", "5 cards, at most four", "Take four.")


def test_a_short_clause_and_adds_together() -> None:
    both = {**KIT, "require": "len(node.gpus) <= 2", "message": "at most two"}
    assert len(made(both).require) == 2
    assert verdict(both, 3, kits(2))[:2] == ("fail", "at most two")
    assert verdict(both, 2, [])[:2] == ("fail", "one kit feeds two cards: 1 x x/kit needed, 0 listed")


def test_places_in_the_part_file() -> None:
    asked: list[str] = []

    def at(field: str) -> Location:
        asked.append(field)
        return Location("box.yaml", len(asked), 1)

    places = places_of([LIMIT, KIT], at)
    limit, kit = rules_of_part("x/box", [LIMIT, KIT], SOURCES, places)
    assert limit.at == places["at-most-four"]
    assert limit.require[0].at == places["at-most-four.require.0.that"]
    assert kit.when_at == places["cable-kit.when"]
    assert kit.cases[0].at == places["cable-kit.tests.0"]
    assert {"constraints.0.require.0.that", "constraints.1.when", "constraints.1.tests.0"} <= set(asked)
