"""The exact path: evaluation with three values, bounds for what is missing, and a trace on request.

An absent fact makes Unknown. A result is decided only where no value of the missing facts can change it; a division
by zero or the least of an empty list counts as a figure that nobody knows. Deciding less is allowed, deciding wrong
is not: the more facts are known, the more is decided, and never otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.expression import interval, tree
from rackwright.expression.aggregate import AGGREGATES, contains
from rackwright.expression.budget import Budget, TooCostlyError
from rackwright.expression.interval import ALL
from rackwright.expression.lazy import MISSING, LazyRecord
from rackwright.expression.logic import both, compare, either, negated
from rackwright.expression.tree import Expression, Node
from rackwright.expression.types import ListOf, Record, Type
from rackwright.expression.values import Bound, Env, Items, Resolver, Result, Unknown, bounds, unknown


class Evaluator:
    """Evaluates one expression on one scope. The tracer overrides `value`, `path` and `fetch`."""

    def __init__(
        self,
        expression: Expression,
        scope: Mapping[str, Any],
        shapes: Mapping[str, Type] | None,
        resolver: Resolver | None,
        budget: Budget,
    ) -> None:
        self.expression = expression
        self.resolver = resolver
        self.budget = budget
        shapes = shapes or {}
        self.scope = {name: Bound(value, name, None, shapes.get(name)) for name, value in scope.items()}

    def result(self) -> Result:
        """Evaluate the whole expression."""
        return Result(self.value(self.expression.tree, self.scope))

    def value(self, node: Node, env: Env, role: str = "") -> Any:
        """Evaluate one node: a plain value or Unknown. `role` says what it is for the generator above it."""
        self.budget.steps -= 1
        if self.budget.steps < 0:
            raise TooCostlyError
        return getattr(self, _METHODS[type(node)])(node, env)

    # --- facts

    def literal(self, node: tree.Literal, env: Env) -> Any:
        """A literal; a list is a new one."""
        return list(node.value) if isinstance(node.value, tuple) else node.value

    def path(self, node: tree.Path, env: Env) -> Any:
        """A fact."""
        return self.locate(node, env).value

    def locate(self, node: tree.Path, env: Env) -> Bound:
        """Follow a path. If a step is missing, the fact at the end of the path is Unknown."""
        bound = env.get(node.root) or Bound(MISSING, node.root)
        for key in node.steps:
            holder = bound.value
            bound = Bound(MISSING, key, bound, _inner_shape(bound.shape, key))
            if isinstance(holder, Unknown):
                bound.value = Unknown(holder.missing, *bound.range(), holder.reason)
            elif holder is not MISSING:
                bound.value = self.fetch(holder, key)
        if bound.value is MISSING:
            # A quantity is a result, so it can be negative whatever its unit.
            holder = bound.parent.value if bound.parent else None
            is_quantity = isinstance(holder, LazyRecord) and bound.key in holder.quantities
            bound.value = Unknown((bound.read(),), *(ALL if is_quantity else bound.range()))
        return bound

    def fetch(self, holder: Any, key: str | int) -> Any:
        """Take one step: a plain value, the Unknown of a quantity, or MISSING."""
        try:
            return holder[key]
        except (KeyError, IndexError):
            result = self.resolver(holder, key) if self.resolver and isinstance(key, str) else None
            return MISSING if result is None else result.value

    # --- truth

    def logic(self, node: tree.Logic, env: Env) -> Any:
        """`and`, `or`: one operand that settles it is enough, whatever the others are."""
        settles = node.operator == "or"
        found: list[Any] = []
        for operand in node.operands:
            found.append(self.value(operand, env))
            if found[-1] is settles:
                return settles
        return (either if settles else both)(found)

    def negation(self, node: tree.Not, env: Env) -> Any:
        """`not`."""
        return negated(self.value(node.operand, env))

    def comparison(self, node: tree.Comparison, env: Env) -> Any:
        """A chain of comparisons; each operand is evaluated once."""
        found: list[Any] = []
        left = self.value(node.operands[0], env)
        for sign, operand in zip(node.operators, node.operands[1:], strict=True):
            if sign in ("in", "not in"):
                verdict = contains(self.items(operand, env), left)
                found.append(verdict if sign == "in" else negated(verdict))
            else:
                right = self.value(operand, env)
                found.append(compare(sign, left, right))
                left = right
            if found[-1] is False:
                return False
        return both(found)

    def choice(self, node: tree.Choice, env: Env) -> Any:
        """`then if test else otherwise`; with an unknown test, what both branches have in common."""
        test = self.value(node.test, env)
        if not isinstance(test, Unknown):
            return self.value(node.then if test else node.otherwise, env)
        then, otherwise = self.value(node.then, env), self.value(node.otherwise, env)
        if not isinstance(then, Unknown) and type(then) is type(otherwise) and then == otherwise:
            return then
        return unknown((test, then, otherwise), interval.hull(bounds(then), bounds(otherwise)))

    # --- figures

    def negative(self, node: tree.Negative, env: Env) -> Any:
        """`-operand`."""
        value = self.value(node.operand, env)
        return unknown((value,), interval.negative(bounds(value))) if isinstance(value, Unknown) else -value

    def arithmetic(self, node: tree.Arithmetic, env: Env) -> Any:
        """Arithmetic of two figures. A division by zero gives a figure that nobody knows."""
        left, right = self.value(node.left, env), self.value(node.right, env)
        exact, within = interval.ARITHMETIC[node.operator]
        if node.operator in ("/", "//", "%") and bounds(right) == (0, 0):
            return Unknown(reason=f"division by zero in {self.expression.excerpt(node)}")
        try:
            if isinstance(left, Unknown) or isinstance(right, Unknown):
                return unknown((left, right), within(bounds(left), bounds(right)))
            return exact(left, right)
        except OverflowError:
            return Unknown(reason=f"a figure beyond all bounds in {self.expression.excerpt(node)}")

    # --- calls

    def call(self, node: tree.Call, env: Env) -> Any:
        """A call of one of the functions."""
        if node.function in tree.FIGURE_FUNCTIONS:
            return self._figure_function(node, env)
        if node.function in ("min", "max") and len(node.arguments) > 1:
            values = [self.value(argument, env) for argument in node.arguments]
            items = Items(values, [True] * len(values))
        else:
            items = self.items(node.arguments[0], env)
        default = None if node.default is None else self.value(node.default, env)
        return AGGREGATES[node.function](items, default)

    def _figure_function(self, node: tree.Call, env: Env) -> Any:
        value, *digits = (self.value(argument, env) for argument in node.arguments)
        if node.function == "abs":
            return unknown((value,), interval.absolute(bounds(value))) if isinstance(value, Unknown) else abs(value)
        function = tree.FIGURE_FUNCTION_OF[node.function]
        if isinstance(value, Unknown):
            return unknown((value,), interval.monotone(bounds(value), lambda end: function(end, *digits)))
        try:
            return function(value, *digits)
        except (OverflowError, ValueError):  # infinity and nan have no whole number
            return Unknown(reason=f"a figure beyond all bounds in {self.expression.excerpt(node)}")

    def items(self, node: Node, env: Env) -> Items:
        """The elements of a list or a generator."""
        if isinstance(node, tree.Generator):
            return self._generated(node, env)
        listing = self.value(node, env)
        if isinstance(listing, Unknown):
            return Items([], [], rest=listing, has_rest=True)
        return Items(list(listing), [True] * len(listing))

    def _generated(self, node: tree.Generator, env: Env) -> Items:
        if isinstance(node.source, tree.Path):
            source = self.locate(node.source, env)
        else:
            source = Bound(self.value(node.source, env), node.variable)
        shape = source.shape.element if isinstance(source.shape, ListOf) else None
        is_open = isinstance(source.value, Unknown)
        result = Items([], [])
        for index, value in enumerate([source.value] if is_open else source.value):
            inner = {**env, node.variable: Bound(value, index, source, shape)}
            held = self._holds(node.conditions, inner)
            if held is False:
                continue
            element = self.value(node.element, inner, "element")
            if is_open:
                result.rest, result.has_rest = element, True
                result.doubts.append(source.value)
            else:
                result.values.append(element)
                result.certain.append(held is True)
            result.doubts.append(held)
        return result

    def _holds(self, conditions: Sequence[Node], env: Env) -> Any:
        found: list[Any] = []
        for condition in conditions:
            found.append(self.value(condition, env, "condition"))
            if found[-1] is False:
                return False
        return both(found)


def _inner_shape(shape: Type | None, key: str | int) -> Type | None:
    if isinstance(shape, Record) and isinstance(key, str):
        field = shape.fields.get(key)
        return field.shape if field else None
    return shape.element if isinstance(shape, ListOf) and isinstance(key, int) else None


_METHODS: dict[type[Node], str] = {
    tree.Literal: "literal",
    tree.Path: "path",
    tree.Logic: "logic",
    tree.Not: "negation",
    tree.Comparison: "comparison",
    tree.Arithmetic: "arithmetic",
    tree.Negative: "negative",
    tree.Choice: "choice",
    tree.Call: "call",
}
