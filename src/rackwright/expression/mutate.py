"""Small changes of an expression that a good set of cases must notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from rackwright.expression.tree import Call, Comparison, Expression, Logic, Node, text_of

_COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "not in": "in",
}
_SWAPS = {"and": "or", "or": "and", "all": "any", "any": "all"}


def mutants(expression: Expression) -> list[tuple[str, Expression]]:
    """Return the mutants of an expression with what was changed: `<=` became `<` in `node.a_w <= node.b_w`.

    Changed are one comparison, one and/or, or one all/any at a time.
    """
    return [
        (f"{change} in `{expression.excerpt(node)}`", Expression(text_of(changed), expression.at, changed))
        for change, node, changed in _changed(expression.tree)
    ]


def _changed(node: Node) -> Iterator[tuple[str, Node, Node]]:
    """Yield (what, where, the whole changed tree) for the node itself and everything below it."""
    if isinstance(node, Comparison):
        for index, old in enumerate(node.operators):
            new = _COMPARISONS[old]
            operators = (*node.operators[:index], new, *node.operators[index + 1 :])
            yield f"`{old}` became `{new}`", node, replace(node, operators=operators)
    elif isinstance(node, Logic):
        yield f"`{node.operator}` became `{_SWAPS[node.operator]}`", node, replace(node, operator=_SWAPS[node.operator])
    elif isinstance(node, Call) and node.function in _SWAPS:
        yield f"`{node.function}` became `{_SWAPS[node.function]}`", node, replace(node, function=_SWAPS[node.function])
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, Node):
            for what, where, changed in _changed(value):
                yield what, where, _with(node, field.name, changed)
        elif isinstance(value, tuple) and value and isinstance(value[0], Node):
            for index, child in enumerate(value):
                for what, where, changed in _changed(child):
                    yield what, where, _with(node, field.name, (*value[:index], changed, *value[index + 1 :]))


def _with(node: Node, name: str, value: Any) -> Node:
    changes: dict[str, Any] = {name: value}
    return replace(node, **changes)
