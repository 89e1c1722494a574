"""Mutants: what a rule's own cases must notice."""

from __future__ import annotations

import pytest

from rackwright.expression import evaluate, parse, text_of
from rackwright.expression.mutate import mutants


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node.a < 1", ["node.a <= 1"]),
        ("node.a >= 1", ["node.a > 1"]),
        ("node.a == 1", ["node.a != 1"]),
        ("1 < node.a <= 2", ["1 <= node.a <= 2", "1 < node.a < 2"]),
        ("node.a in [1]", ["node.a not in [1]"]),
        ("node.a and not node.b", ["node.a or not node.b"]),
        (
            "all(g.a > 1 or g.b for g in node.gpus if g.c == 'x')",
            [
                "any(g.a > 1 or g.b for g in node.gpus if g.c == 'x')",
                "all(g.a > 1 and g.b for g in node.gpus if g.c == 'x')",
                "all(g.a >= 1 or g.b for g in node.gpus if g.c == 'x')",
                "all(g.a > 1 or g.b for g in node.gpus if g.c != 'x')",
            ],
        ),
        ("max(node.a + 1, 2) if node.b else 0", []),
    ],
)
def test_mutants(text: str, expected: list[str]) -> None:
    expression, _ = parse(text)
    assert expression is not None
    assert [text_of(mutant.tree) for _, mutant in mutants(expression)] == expected


def test_mutant_says_what_changed_and_can_be_evaluated() -> None:
    expression, _ = parse("node.a_w <= 5 and node.is_on")
    assert expression is not None
    [(first, swapped), (second, boundary)] = mutants(expression)
    assert first == "`and` became `or` in `node.a_w <= 5 and node.is_on`"
    assert second == "`<=` became `<` in `node.a_w <= 5`"
    facts = {"node": {"a_w": 5, "is_on": True}}
    assert [evaluate(mutant, facts).value for mutant in (swapped, boundary)] == [True, False]
