"""Evaluation of an expression: the exact path, with three values, and with a trace on request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.expression.budget import Budget, TraceTooLongError
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
    budget: Budget | None = None,
) -> Result:
    """Evaluate `expression` on facts.

    `scope` maps root names to records: plain dicts, lists, texts, flags and numbers; an absent key is a missing fact,
    None does not occur. `shapes` gives the types of the roots and so tells which missing figures can be negative;
    without it the unit in the field's name tells. `resolver(record, key)` is asked for a key that a record lacks (a
    named quantity) before it counts as missing; it guards against cycles itself. `budget` is shared by all
    evaluations of one verdict; without it this one has its own. A derivation that is too long is left out (no trace).
    Raises TooCostlyError when the steps are used up.
    """
    budget = budget or Budget()
    if trace and budget.traced > 0:
        try:
            return Tracer(expression, scope, shapes, resolver, budget).result()
        except TraceTooLongError:  # the value can still be found
            pass
    return Evaluator(expression, scope, shapes, resolver, budget).result()
