"""Evaluation of an expression: the exact path, with three values, and with a trace on request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.expression.evaluator import Evaluator
from rackwright.expression.trace import Tracer
from rackwright.expression.tree import Expression
from rackwright.expression.types import Type
from rackwright.expression.values import Resolver, Result


def evaluate(
    expression: Expression,
    scope: Mapping[str, Any],
    shapes: Mapping[str, Type] | None = None,
    *,
    resolver: Resolver | None = None,
    trace: bool = False,
) -> Result:
    """Evaluate `expression` on facts.

    `scope` maps root names to records: plain dicts, lists, texts, flags and numbers; an absent key is a missing fact,
    None does not occur. `shapes` gives the types of the roots and so tells which missing figures can be negative;
    without it the unit in the field's name tells. `resolver(record, key)` is asked for a key that a record lacks (a
    named quantity) before it counts as missing; it guards against cycles itself.
    """
    if trace:
        return Tracer(expression, scope, shapes, resolver).result()
    return Evaluator(expression, scope, shapes, resolver).result()
