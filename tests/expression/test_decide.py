"""The deciding path gives the value of the exact path, without the names of what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rackwright.expression import MISSING, Budget, Expression, TooCostlyError, Unknown, decider, evaluate, parse
from rackwright.quantities import Book, Quantity

from .generated import places, without
from .test_properties import EXAMPLES, EXPRESSIONS, NODES, PROPERTY, read, read_places, same


def decided(expression: Expression, node: Any) -> Any:
    return decider(expression.tree, ["node"])([node], lambda _record, _key: MISSING, Budget())


def is_equal(left: Any, right: Any) -> bool:
    if isinstance(left, Unknown) and isinstance(right, Unknown):
        return same(left.low, right.low) and same(left.high, right.high)
    return same(left, right)


@settings(PROPERTY, max_examples=4 * EXAMPLES)
@given(EXPRESSIONS, NODES, st.data())
def test_the_exact_path_is_the_oracle(text: str, node: dict[str, Any], data: st.DataObject) -> None:
    expression = read(text)
    if expression is None:
        return
    partial = node
    read_there = [*read_places(expression, node), *places(node)]
    for place in data.draw(st.lists(st.sampled_from(read_there), max_size=3)):
        partial = without(partial, place)
    exact = evaluate(expression, {"node": partial}).value
    assert is_equal(decided(expression, partial), exact), exact


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("sum(g.x_w for g in node.gpus) > 500", {"gpus": [{"x_w": 600}, {}]}, True),
        ("sum(g.x_w for g in node.gpus) > 500", {"gpus": [{"x_w": 400}, {}]}, Unknown()),
        ("sum(g.x_w for g in node.gpus)", {"gpus": [{"x_w": 400}, {}]}, Unknown((), 400)),
        ("node.inlet_c + 1", {}, Unknown()),
        ("node.x_w + 1", {}, Unknown((), 1)),
        ("node.is_on or node.x_w > 5", {"x_w": 6}, True),
        ("any(g.x_w < 0 for g in node.gpus)", {}, False),
        ("count(g for g in node.gpus if g.x_w > 1)", {"gpus": [{"x_w": 2}, {}]}, Unknown((), 1, 2)),
        ("1 / node.lanes", {"lanes": 0}, Unknown()),
    ],
)
def test_by_hand(text: str, facts: dict[str, Any], expected: Any) -> None:
    expression, _ = parse(text)
    assert expression is not None
    found = decided(expression, facts)
    assert is_equal(found, expected), found


def test_an_inner_variable_that_hides_an_outer_one_ends_with_its_generator() -> None:
    expression, _ = parse("sum(sum(g for g in g.sizes) + g.x_w for g in node.gpus)")
    if expression is not None:  # the language may refuse it; if it does not, the outer one counts again
        gpus = [{"sizes": [1, 2], "x_w": 10}, {"sizes": [], "x_w": 20}]
        assert decided(expression, {"gpus": gpus}) == evaluate(expression, {"node": {"gpus": gpus}}).value


def test_a_root_that_nobody_gives() -> None:
    expression, _ = parse("policy.limit_w > 1")
    assert expression is not None
    with pytest.raises(ValueError, match="policy is none of the roots"):
        decider(expression.tree, ["node"])


def test_nested_generators_are_bounded() -> None:
    expression, _ = parse("all(all(all(a + b + c > 0 for a in node.sizes) for b in node.sizes) for c in node.sizes)")
    assert expression is not None
    with pytest.raises(TooCostlyError):
        decided(expression, {"sizes": [1] * 100})


def test_a_quantity_keeps_its_bounds() -> None:
    quantities = [
        Quantity("node", "total_w", "W", "", "sum(g.x_w for g in node.gpus)"),
        Quantity("node", "rest_w", "W", "", "node.limit_w - node.total_w"),
    ]
    book = Book(quantities, {})
    node = book.make("node", {"gpus": [{"x_w": 300}, {}], "limit_w": 100})
    for text, expected in {
        "node.total_w": Unknown((), 300),
        "node.rest_w": Unknown((), high=-200),
        "node.rest_w < 0": True,
        "node.absent_w": Unknown((), 0),
    }.items():
        expression, _ = parse(text)
        assert expression is not None
        found = decider(expression.tree, ["node"])([node], book.within, Budget())
        assert is_equal(found, expected), (text, found)
        assert is_equal(evaluate(expression, {"node": node}, resolver=book.value).value, expected), text
