"""Fast path, exact path and Python agree; what the exact path decides, no completion of the facts contradicts."""

from __future__ import annotations

import math
import os
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rackwright.expression import (
    MISSING,
    Expression,
    Unknown,
    compile_expression,
    compile_many,
    evaluate,
    lines,
    parse,
    text_of,
)
from rackwright.expression.check import check
from rackwright.expression.tree import FUNCTIONS

from .generated import SCOPE, Place, completions, figures, flags, namespace, places, records, without

# RACKWRIGHT_EXAMPLES=20 runs twenty times as many cases.
EXAMPLES = 100 * int(os.environ.get("RACKWRIGHT_EXAMPLES", "1"))
PROPERTY = settings(
    max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
ERRORS = (ArithmeticError, LookupError, ValueError)
NODES = records(True)
EXPRESSIONS = st.one_of(figures(), flags())
PYTHON = {"count": lambda values: len(list(values)), "ceil": math.ceil, "floor": math.floor}


def read(text: str) -> Expression | None:
    expression, findings = parse(text)
    # A generated text may be larger than the language allows; it must never be refused for anything else.
    assert expression is not None or "too large" in str(findings[0].message) or "characters" in str(findings[0].message)
    return expression


def python(text: str, node: dict[str, Any]) -> Any:
    try:
        return eval(text, {**PYTHON, "node": namespace(node)})
    except ERRORS:
        return MISSING


def same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and (left == right or (left != left and right != right))


@PROPERTY
@given(EXPRESSIONS, NODES)
def test_python_is_the_oracle_of_both_paths(text: str, node: dict[str, Any]) -> None:
    expression = read(text)
    if expression is None:
        return
    expected = python(text, node)
    [fast] = compile_many([expression], ["node"])(node)
    exact = evaluate(expression, {"node": node}, SCOPE).value

    assert same(fast, expected)
    if expected is not MISSING:
        assert same(exact, expected)
        assert same(compile_expression(expression)({"node": node}), expected)
    elif isinstance(exact, Unknown):
        assert exact.reason or exact.missing


@PROPERTY
@given(EXPRESSIONS)
def test_canonical_text_reads_back_to_the_same_tree(text: str) -> None:
    expression = read(text)
    if expression is not None:
        again = read(text_of(expression.tree))
        assert again is not None
        assert again.tree == expression.tree


@settings(PROPERTY, max_examples=EXAMPLES // 2)
@given(st.lists(EXPRESSIONS, min_size=2, max_size=5), NODES, st.data())
def test_sharing_changes_no_result(texts: list[str], node: dict[str, Any], data: st.DataObject) -> None:
    expressions = [expression for text in texts for expression in [read(text)] if expression is not None]
    expressions += expressions
    place = data.draw(st.sampled_from(list(places(node))))
    facts = without(node, place)

    together = compile_many(expressions, ["node"])(facts)
    alone = [compile_many([expression], ["node"])(facts)[0] for expression in expressions]

    assert all(same(left, right) for left, right in zip(together, alone, strict=True))


def read_places(expression: Expression, node: dict[str, Any]) -> list[Place]:
    """The facts that the expression reads, so that what goes missing matters; and the lists."""
    trace = evaluate(expression, {"node": node}, trace=True).trace
    assert trace is not None
    steps = [re.findall(r"[a-z_]+|[0-9]+", fact.path)[1:] for fact in trace.all_reads()]
    found = [tuple(int(step) if step.isdigit() else step for step in place) for place in steps]
    return [*(place for place in found if place in set(places(node))), ("gpus",), ("sizes",)]


@settings(PROPERTY, max_examples=3 * EXAMPLES)
@given(EXPRESSIONS, NODES, st.data())
def test_no_completion_contradicts_a_decision(text: str, node: dict[str, Any], data: st.DataObject) -> None:
    expression = read(text)
    if expression is None:
        return
    missing = data.draw(st.lists(st.sampled_from(read_places(expression, node)), min_size=1, max_size=3))
    partial = node
    for place in missing:
        partial = without(partial, place)
    shapes = data.draw(st.sampled_from([SCOPE, None]))
    found = evaluate(expression, {"node": partial}, shapes).value
    [fast] = compile_many([expression], ["node"])(partial)
    if fast is not MISSING:
        assert same(found, fast)

    for full in completions(partial, missing):
        complete = evaluate(expression, {"node": full}, SCOPE).value
        if not isinstance(found, Unknown):
            assert not isinstance(complete, Unknown)
            assert found == complete
        elif not isinstance(complete, Unknown | bool):
            assert found.low <= complete <= found.high


@PROPERTY
@given(EXPRESSIONS, NODES, st.data())
def test_a_trace_changes_no_value_and_prints(text: str, node: dict[str, Any], data: st.DataObject) -> None:
    expression = read(text)
    if expression is None:
        return
    facts = without(node, data.draw(st.sampled_from(list(places(node)))))
    plain = evaluate(expression, {"node": facts})
    traced = evaluate(expression, {"node": facts}, trace=True)
    assert plain.trace is None
    assert traced.trace is not None
    assert plain.missing == traced.missing
    assert isinstance(plain.value, Unknown) or same(plain.value, traced.value)
    assert lines(traced.trace)[0].startswith(expression.excerpt(expression.tree))


@PROPERTY
@given(st.text(max_size=60))
def test_any_text_ends_in_an_expression_or_a_finding(text: str) -> None:
    expression, findings = parse(text)
    assert (expression is None) == bool(findings)


@PROPERTY
@given(
    st.lists(
        st.sampled_from(
            ["node", ".gpus", "[0]", "(", ")", " for g in ", "sum", " and ", "<", "1", "'a'", " if ", "-", " in "]
        ),
        max_size=25,
    )
)
def test_any_mixture_of_tokens_is_handled(tokens: list[str]) -> None:
    expression, findings = parse("".join(tokens))
    assert (expression is None) == bool(findings)
    if expression is not None:
        found, findings = check(expression, SCOPE)
        assert (found is None) == bool(findings)


def test_the_oracle_knows_all_functions() -> None:
    assert {name for name in FUNCTIONS if name not in PYTHON} <= set(dir(__import__("builtins")))


@pytest.mark.parametrize(("text", "expected"), [("node.x_w + 1", 351), ("sum(node.sizes)", 3)])
def test_the_oracle_by_hand(text: str, expected: int) -> None:
    assert python(text, {"x_w": 350, "sizes": [1, 2]}) == expected
