"""The deciding path: the value with three values and bounds, without saying which facts are missing.

It gives the same value as evaluate() and leaves out what makes that slow: the names of missing facts, their owners
and the derivation. A tree becomes nested Python closures over a frame: the roots, then the variables of generators.
Whoever wants to know why asks evaluate().
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rackwright.expression import interval, tree
from rackwright.expression.aggregate import AGGREGATES, contains
from rackwright.expression.budget import Budget, TooCostlyError
from rackwright.expression.interval import ALL, Interval
from rackwright.expression.lazy import MISSING, LazyRecord
from rackwright.expression.logic import COMPARE, both, compare, decided, negated
from rackwright.expression.tree import Node
from rackwright.expression.values import Items, Unknown, bounds, range_of

Within = Callable[[Mapping[str, Any], str], Any]
"""Is asked for the quantity behind an absent key: its value, an Unknown with its bounds, or MISSING if it is none."""
Decider = Callable[[Sequence[Any], Within, Budget], Any]
_Step = Callable[[list[Any]], Any]
# The first places of a frame; the roots follow.
_WITHIN, _BUDGET, _ROOTS = 0, 1, 2
ANYTHING = Unknown()
"""A value of which nothing is known."""


def decider(node: Node, roots: Sequence[str]) -> Decider:
    """Turn a tree into a function of the values of its `roots`, in their order.

    It returns a plain value or an Unknown with bounds and without missing facts. Raises TooCostlyError where nested
    generators take too many steps. ValueError here if the tree uses another root.
    """
    writer = _Writer(roots)
    step = writer.step(node)
    variables: list[Any] = [None] * (writer.width - _ROOTS - len(roots))

    def decide(values: Sequence[Any], within: Within, budget: Budget) -> Any:
        return step([within, budget, *values, *variables])

    return decide


class _Writer:
    """Makes closures; knows the place of each name in the frame and the name that tells an element's bounds."""

    def __init__(self, roots: Sequence[str]) -> None:
        self.places = {name: number for number, name in enumerate(roots, _ROOTS)}
        self.names = {name: name for name in roots}
        self.width = _ROOTS + len(roots)

    def step(self, node: Node) -> _Step:
        return _MAKERS[type(node)](self, node)

    # --- facts

    def literal(self, node: tree.Literal) -> _Step:
        value = node.value
        if isinstance(value, tuple):
            return lambda _frame: list(value)
        return lambda _frame: value

    def path(self, node: tree.Path) -> _Step:
        place, steps = self._place(node), node.steps
        gap = _gap(range_of(self._name(node)))
        if not steps:
            return lambda frame: frame[place]

        def path(frame: list[Any]) -> Any:
            value = frame[place]
            try:
                for key in steps:
                    value = value[key]
            except (LookupError, TypeError):
                return _followed(frame[place], steps, frame[_WITHIN], gap)
            return value

        return path

    def _place(self, node: tree.Path) -> int:
        if node.root not in self.places:
            raise ValueError(f"{node.root} is none of the roots {sorted(self.places)}")
        return self.places[node.root]

    def _name(self, node: Node) -> str:
        """The name that tells whether a missing figure can be negative: of the field, or of the list around it."""
        if not isinstance(node, tree.Path):
            return ""
        fields = [step for step in node.steps if isinstance(step, str)]
        return fields[-1] if fields else self.names[node.root]

    # --- truth

    def logic(self, node: tree.Logic) -> _Step:
        steps = [self.step(operand) for operand in node.operands]
        settles = node.operator == "or"

        def logic(frame: list[Any]) -> Any:
            is_open = False
            for step in steps:
                value = step(frame)
                if value is settles:
                    return settles
                is_open = is_open or type(value) is Unknown
            return ANYTHING if is_open else not settles

        return logic

    def negation(self, node: tree.Not) -> _Step:
        step = self.step(node.operand)
        return lambda frame: negated(step(frame))

    def comparison(self, node: tree.Comparison) -> _Step:
        if len(node.operators) > 1 or node.operators[0] in ("in", "not in"):
            return self._chain(node)
        sign = node.operators[0]
        left, right = self.step(node.operands[0]), self.step(node.operands[1])
        exact = COMPARE[sign]

        def comparison(frame: list[Any]) -> Any:
            a, b = left(frame), right(frame)
            if type(a) is Unknown or type(b) is Unknown:
                found = decided(sign, bounds(a), bounds(b))
                return ANYTHING if found is None else found
            return exact(a, b)

        return comparison

    def _chain(self, node: tree.Comparison) -> _Step:
        first = self.step(node.operands[0])
        rest = [
            (sign, self.items(operand) if sign in ("in", "not in") else self.step(operand))
            for sign, operand in zip(node.operators, node.operands[1:], strict=True)
        ]

        def chain(frame: list[Any]) -> Any:
            found: list[Any] = []
            left = first(frame)
            for sign, step in rest:
                right = step(frame)
                if sign == "in":
                    found.append(contains(right, left))
                elif sign == "not in":
                    found.append(negated(contains(right, left)))
                else:
                    found.append(compare(sign, left, right))
                    left = right
                if found[-1] is False:
                    return False
            return both(found)

        return chain

    def choice(self, node: tree.Choice) -> _Step:
        test, then, otherwise = self.step(node.test), self.step(node.then), self.step(node.otherwise)

        def choice(frame: list[Any]) -> Any:
            told = test(frame)
            if type(told) is not Unknown:
                return then(frame) if told else otherwise(frame)
            a, b = then(frame), otherwise(frame)
            if type(a) is not Unknown and type(a) is type(b) and a == b:
                return a
            return _gap(interval.hull(bounds(a), bounds(b)))

        return choice

    # --- figures

    def negative(self, node: tree.Negative) -> _Step:
        step = self.step(node.operand)

        def negative(frame: list[Any]) -> Any:
            value = step(frame)
            return _gap(interval.negative(bounds(value))) if type(value) is Unknown else -value

        return negative

    def arithmetic(self, node: tree.Arithmetic) -> _Step:
        left, right = self.step(node.left), self.step(node.right)
        exact, within = interval.ARITHMETIC[node.operator]
        is_division = node.operator in ("/", "//", "%")

        def arithmetic(frame: list[Any]) -> Any:
            a, b = left(frame), right(frame)
            if is_division and bounds(b) == (0, 0):
                return ANYTHING
            try:
                if type(a) is Unknown or type(b) is Unknown:
                    return _gap(within(bounds(a), bounds(b)))
                return exact(a, b)
            except OverflowError:
                return ANYTHING

        return arithmetic

    # --- calls

    def call(self, node: tree.Call) -> _Step:
        if node.function in tree.FIGURE_FUNCTIONS:
            return self._figure_function(node)
        if node.function in ("any", "all") and isinstance(node.arguments[0], tree.Generator):
            return self._quantified(node.arguments[0], node.function == "any")
        aggregate = AGGREGATES[node.function]
        default = None if node.default is None else self.step(node.default)
        if node.function in ("min", "max") and len(node.arguments) > 1:
            steps = [self.step(argument) for argument in node.arguments]
            certain = [True] * len(steps)

            def extreme(frame: list[Any]) -> Any:
                return aggregate(Items([step(frame) for step in steps], certain), None)

            return extreme
        items = self.items(node.arguments[0])
        if default is None:
            return lambda frame: aggregate(items(frame), None)
        given = default

        def defaulted(frame: list[Any]) -> Any:
            found = items(frame)
            return aggregate(found, given(frame))

        return defaulted

    def _figure_function(self, node: tree.Call) -> _Step:
        steps = [self.step(argument) for argument in node.arguments]
        function = abs if node.function == "abs" else tree.FIGURE_FUNCTION_OF[node.function]

        def figure(frame: list[Any]) -> Any:
            value, *digits = (step(frame) for step in steps)
            if type(value) is not Unknown:
                try:
                    return function(value, *digits)
                except (OverflowError, ValueError):
                    return ANYTHING
            if function is abs:
                return _gap(interval.absolute(bounds(value)))
            return _gap(interval.monotone(bounds(value), lambda end: function(end, *digits)))

        return figure

    def items(self, node: Node) -> Callable[[list[Any]], Items]:
        """The elements of a list or a generator."""
        if isinstance(node, tree.Generator):
            return self._generated(node)
        step = self.step(node)

        def items(frame: list[Any]) -> Items:
            listing = step(frame)
            if type(listing) is Unknown:
                return Items([], [], rest=listing, has_rest=True)
            return Items(list(listing), [True] * len(listing))

        return items

    def _quantified(self, node: tree.Generator, settles: bool) -> _Step:
        """`any` (settled by True) or `all` (settled by False) of a generator: it ends with the element that settles."""
        loop = self._loop(node)

        def quantified(frame: list[Any]) -> Any:
            is_open = False
            for value, is_certain in loop(frame):
                if value is settles and is_certain:
                    return settles
                is_open = is_open or value is not (not settles)
            return ANYTHING if is_open else not settles

        return quantified

    def _generated(self, node: tree.Generator) -> Callable[[list[Any]], Items]:
        loop = self._loop(node)

        def generated(frame: list[Any]) -> Items:
            result = Items([], [])
            for value, is_certain in loop(frame):
                if is_certain is None:
                    result.rest, result.has_rest = value, True
                else:
                    result.values.append(value)
                    result.certain.append(is_certain)
            return result

        return generated

    def _loop(self, node: tree.Generator) -> Callable[[list[Any]], Iterator[tuple[Any, bool | None]]]:
        """The elements of a generator, each with whether it is certainly there; None: there may be any number."""
        source = self.step(node.source)
        place, self.width = self.width, self.width + 1
        outer = self.places.copy(), self.names.copy()
        name = self._name(node.source) or node.variable
        self.places[node.variable], self.names[node.variable] = place, name
        conditions = [self.step(condition) for condition in node.conditions]
        element = self.step(node.element)
        weight = 1 + sum(1 for part in (node.element, *node.conditions) for _ in tree.walk(part))
        self.places, self.names = outer

        def loop(frame: list[Any]) -> Iterator[tuple[Any, bool | None]]:
            listing = source(frame)
            is_open = type(listing) is Unknown
            _spend(frame[_BUDGET], weight * (1 if is_open else len(listing)))
            for value in [listing] if is_open else listing:
                frame[place] = value
                held = _held(conditions, frame)
                if held is not False:
                    yield element(frame), None if is_open else held is True

        return loop


def _gap(within: Interval) -> Any:
    """An Unknown with these bounds; a plain figure if they leave only one."""
    low, high = within
    if low == high and math.isfinite(low):
        return low
    return ANYTHING if within == ALL else Unknown((), low, high)


def _held(conditions: Sequence[_Step], frame: list[Any]) -> Any:
    held: Any = True
    for condition in conditions:
        value = condition(frame)
        if value is False:
            return False
        if type(value) is Unknown:
            held = value
    return held


def _spend(budget: Budget, steps: int) -> None:
    budget.steps -= steps
    if budget.steps < 0:
        raise TooCostlyError


def _followed(value: Any, steps: Sequence[str | int], within: Within, gap: Unknown) -> Any:
    """Follow a path that misses a step. `gap` is what a missing fact at its end can be."""
    holder: Any = None
    for key in steps:
        holder = value
        if value is MISSING or type(value) is Unknown:
            value = MISSING
            continue
        if isinstance(value, dict) and isinstance(key, str) and key not in value:
            value = within(value, key)
            continue
        try:
            value = value[key]
        except (KeyError, IndexError):
            value = MISSING
    if value is not MISSING:
        return value
    # A quantity is a result, so it can be negative whatever its unit.
    is_quantity = isinstance(holder, LazyRecord) and steps[-1] in holder.quantities
    return ANYTHING if is_quantity else gap


_MAKERS: dict[type[Node], Callable[[_Writer, Any], _Step]] = {
    tree.Literal: _Writer.literal,
    tree.Path: _Writer.path,
    tree.Logic: _Writer.logic,
    tree.Not: _Writer.negation,
    tree.Comparison: _Writer.comparison,
    tree.Arithmetic: _Writer.arithmetic,
    tree.Negative: _Writer.negative,
    tree.Choice: _Writer.choice,
    tree.Call: _Writer.call,
}
