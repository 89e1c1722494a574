"""The exact path with a record of how each value came about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rackwright.expression import tree
from rackwright.expression.budget import Budget, TraceTooLongError
from rackwright.expression.evaluator import Evaluator
from rackwright.expression.lazy import MISSING, LazyRecord
from rackwright.expression.tree import Expression, Node
from rackwright.expression.types import Type
from rackwright.expression.values import Env, Read, Resolver, Result, Trace, Unknown
from rackwright.units import NUMBER, Unit, unit_of


class Tracer(Evaluator):
    """Evaluates like its base and keeps a Trace of each node."""

    def __init__(
        self,
        expression: Expression,
        scope: Mapping[str, Any],
        shapes: Mapping[str, Type] | None,
        resolver: Resolver | None,
        budget: Budget,
    ) -> None:
        super().__init__(expression, scope, shapes, resolver, budget)
        self._frames: list[list[Trace]] = [[]]
        self._reads: tuple[Read, ...] = ()

    def result(self) -> Result:
        """Evaluate the whole expression; the result has its trace."""
        value = self.value(self.expression.tree, self.scope)
        return Result(value, self._frames[0][0])

    def value(self, node: Node, env: Env, role: str = "") -> Any:
        """Evaluate one node and append its trace to the node above."""
        self.budget.traced -= 1
        if self.budget.traced < 0:
            raise TraceTooLongError
        self._frames.append([])
        value = super().value(node, env)
        below = tuple(self._frames.pop())
        reads = self._reads if isinstance(node, tree.Path) else ()
        unit = unit_by_name(node, lambda name: unit_of(env[name].name()) if name in env else NUMBER)
        trace = Trace(self.expression.excerpt(node), value, unit, node, below, reads, role)
        self._frames[-1].append(trace)
        return value

    def path(self, node: tree.Path, env: Env) -> Any:
        """A fact, with the access to it."""
        bound = self.locate(node, env)
        is_missing = isinstance(bound.value, Unknown) and not self._frames[-1]  # a quantity left its trace there
        self._reads = bound.value.missing if is_missing else (bound.read(),)
        return bound.value

    def fetch(self, holder: Any, key: str | int) -> Any:
        """Take one step; a quantity is evaluated again for its trace even where its value is stored."""
        if self.resolver is None or not isinstance(key, str):
            return super().fetch(holder, key)
        is_stored = key in holder and not (isinstance(holder, LazyRecord) and holder.is_quantity(key))
        result = None if is_stored else self.resolver(holder, key)
        if result is None:
            try:
                return holder[key]
            except KeyError:
                return MISSING
        if result.trace is not None:
            self._frames[-1].append(result.trace)
        return result.value


def unit_by_name(node: Node, unit_of_variable: Callable[[str], Unit] = unit_of) -> Unit:
    """Return the unit of an expression as the names of its facts tell it; nothing is checked.

    `unit_of_variable` gives the unit of a path that is a bare variable.
    """
    match node:
        case tree.Path(root=root, steps=steps):
            names = [step for step in steps if isinstance(step, str)]
            return unit_of(names[-1]) if names else unit_of_variable(root)
        case tree.Arithmetic(operator="*", left=left, right=right):
            return unit_by_name(left, unit_of_variable) * unit_by_name(right, unit_of_variable)
        case tree.Arithmetic(operator="/" | "//", left=left, right=right):
            return unit_by_name(left, unit_of_variable) / unit_by_name(right, unit_of_variable)
        case tree.Arithmetic(operator="+" | "-" | "%") | tree.Negative():
            return _first_unit(tree.children(node), unit_of_variable)
        case tree.Choice(then=then, otherwise=otherwise):
            return _first_unit((then, otherwise), unit_of_variable)
        case tree.Call(function=function, arguments=arguments) if function not in ("count", "len", "any", "all"):
            return _first_unit(arguments, unit_of_variable)
        case tree.Generator(element=element, variable=variable, source=source):
            of_source = unit_by_name(source, unit_of_variable)
            return unit_by_name(element, lambda name: of_source if name == variable else unit_of_variable(name))
    return NUMBER


def _first_unit(nodes: tuple[Node, ...], unit_of_variable: Callable[[str], Unit]) -> Unit:
    units = (unit_by_name(node, unit_of_variable) for node in nodes)
    return next((unit for unit in units if unit != NUMBER), NUMBER)
