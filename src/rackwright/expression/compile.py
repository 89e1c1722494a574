"""The fast path: expressions as Python functions over plain facts.

Code is generated from the tree alone: names are checked identifiers, spelt with a prefix, and literals are bounded.
It sees the facts and ten functions, no builtins. Expressions must have passed check() before. A missing fact raises
KeyError or IndexError inside; the caller then takes the exact path, which knows what is missing.
"""

from __future__ import annotations

import builtins
import importlib.util
import marshal
import math
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from rackwright.expression import tree
from rackwright.expression.budget import Meter
from rackwright.expression.lazy import MISSING
from rackwright.expression.tree import Expression, Node, Writer, children, free_names, text_of

_FUNCTIONS = {name: getattr(builtins, name) for name in sorted(tree.FUNCTIONS) if hasattr(builtins, name)}
_FUNCTIONS |= {"ceil": math.ceil, "floor": math.floor}
_TAG = b"rackwright-expression-3:" + importlib.util.MAGIC_NUMBER + b":"


def _count(values: Any) -> int:
    return sum(1 for _ in values)


def _globals() -> dict[str, Any]:
    meter = Meter()
    metering = {"spend": meter.spend, "renew": meter.left.clear}
    names = {"count": _count, "MISSING": MISSING, "Exception": Exception}
    return {"__builtins__": {}, **_FUNCTIONS, **names, **metering}


def renew(function: Callable[..., Any]) -> None:
    """Give a function of `compile_many` its whole allowance of steps again: before the subjects of a run."""
    assert isinstance(function, FunctionType)
    function.__globals__["renew"]()


def compile_expression(expression: Expression) -> Callable[[Mapping[str, Any]], Any]:
    """Compile one expression to a function of the scope, `{"node": {…}, "policy": {…}}`.

    It raises KeyError, IndexError, ZeroDivisionError, OverflowError or ValueError (least of an empty list) where the
    exact path may say unknown, TooCostlyError where nested generators take too many steps.
    """
    writer = _CodeWriter("scope[{!r}]")
    body = writer.write(expression.tree)
    first = "    renew()\n" if writer.is_metered else ""
    return _function(f"def compiled(scope):\n{first}    return {body}")


def compile_many(expressions: Sequence[Expression], parameters: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """Compile expressions to one function of the roots named in `parameters`, in that order.

    It returns one value per expression: MISSING for each that could not be evaluated, whatever went wrong with it;
    the others do not notice. What expressions share is computed once. Raises ValueError if an expression uses a root
    that is not in `parameters`.
    """
    writer, lines = _begun(expressions, parameters)
    for number, expression in enumerate(expressions):
        writer.number = number
        lines += _attempt(f"r_{number}", writer.write(expression.tree), f"r_{number} = MISSING")
    results = "".join(f"r_{number}, " for number in range(len(expressions)))
    return _function("\n".join([*lines, f"    return ({results})"]))


def compile_tests(tests: Sequence[Sequence[Expression]], parameters: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """Compile tests, each a condition and its clauses, to one function as compile_many does.

    It returns one value per test: False where the condition is false, True where the condition and every clause are
    true, else a tuple of the values of all of them, MISSING for each that could not be evaluated. What stands behind a
    false condition is not evaluated.
    """
    writer, lines = _begun([expression for test in tests for expression in test], parameters)
    number = 0
    for place, (condition, *clauses) in enumerate(tests):
        writer.number, first = number, number
        lines += _attempt(f"r_{first}", writer.write(condition.tree), f"r_{first} = MISSING")
        lines += [f"    if r_{first} is False:", f"        o_{place} = False", "    else:"]
        for number, clause in enumerate(clauses, first + 1):
            writer.number = number
            attempt = _attempt(f"r_{number}", writer.write(clause.tree), f"r_{number} = MISSING")
            lines += [f"    {line}" for line in attempt]
        names = [f"r_{n}" for n in range(first, number + 1)]
        is_met = " and ".join(f"{name} is True" for name in names)
        lines += [f"        o_{place} = True if {is_met} else ({', '.join(names)},)"]
        number += 1
    results = "".join(f"o_{place}, " for place in range(len(tests)))
    return _function("\n".join([*lines, f"    return ({results})"]))


def _begun(expressions: Sequence[Expression], parameters: Sequence[str]) -> tuple[_CodeWriter, list[str]]:
    """The head of a function and what its expressions share."""
    for expression in expressions:
        unknown = free_names(expression.tree) - set(parameters)
        if unknown:
            raise ValueError(f"{expression.text!r} uses {sorted(unknown)}, which is no parameter")
    writer = _CodeWriter("s_{}")
    lines = [f"def compiled({', '.join(f's_{name}' for name in parameters)}):"]
    for number, node in enumerate(_shared([expression.tree for expression in expressions])):
        writer.number = -number - 1
        # If this raises, the local stays unbound, and whoever needs it raises in its turn: no one else does.
        lines += _attempt(f"t_{number}", writer.write(node), "pass")
        writer.hoisted[text_of(node)] = f"t_{number}"
    return writer, lines


def dump(function: Callable[..., Any]) -> bytes:
    """Return a compiled function as bytes, for a cache of this program alone."""
    assert isinstance(function, FunctionType)
    return _TAG + marshal.dumps(function.__code__)


def load(data: bytes) -> Callable[..., Any] | None:
    """Return the function of `dump`; None if another version of this package or of Python wrote it.

    The bytes are code: load only what this program wrote into a folder of the same user.
    """
    if not data.startswith(_TAG):
        return None
    try:
        code = marshal.loads(data[len(_TAG) :])
    except (EOFError, ValueError, TypeError):
        return None
    return FunctionType(code, _globals()) if isinstance(code, CodeType) else None


class _CodeWriter(Writer):
    """Writes a tree as Python over dicts; shared parts are spelt by the local that holds them.

    Generators inside others are metered, on the account `number`.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.number = 0
        self.is_metered = False
        self.hoisted: dict[str, str] = {}
        self._variables: list[str] = []

    def write(self, node: Node, least: int = 0) -> str:
        if self.hoisted and not isinstance(node, tree.Literal):
            local = self.hoisted.get(text_of(node))
            if local is not None and not (free_names(node) & set(self._variables)):
                return local
        if not isinstance(node, tree.Generator):
            return super().write(node, least)
        self._variables.append(node.variable)
        text = super().write(node, least)
        self._variables.pop()
        return text

    def source(self, node: tree.Generator) -> str:
        """Spell the list that a generator goes through; inside another one it costs steps."""
        text = super().source(node)
        if len(self._variables) == 1:
            return text
        self.is_metered = True
        weight = 1 + sum(1 for part in (node.element, *node.conditions) for _ in tree.walk(part))
        return f"spend({self.number}, {weight}, {text})"

    def path(self, node: tree.Path) -> str:
        root = f"v_{node.root}" if node.root in self._variables else self.root.format(node.root)
        return root + "".join(f"[{step!r}]" for step in node.steps)

    def variable(self, name: str) -> str:
        return f"v_{name}"


def _attempt(local: str, code: str, otherwise: str) -> list[str]:
    return ["    try:", f"        {local} = {code}", "    except Exception:", f"        {otherwise}"]


def _function(source: str) -> Callable[..., Any]:
    module = compile(source, "<rackwright expression>", "exec", dont_inherit=True)
    code = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    return FunctionType(code, _globals())


def _shared(trees: Sequence[Node]) -> list[Node]:
    """Return the parts that occur more than once and depend on no generator around them, inner ones first.

    A part of a shared part counts only where it also occurs outside of it.
    """
    counts: dict[str, int] = {}
    order: dict[str, Node] = {}

    def visit(node: Node, variables: frozenset[str]) -> None:
        inner = variables | {node.variable} if isinstance(node, tree.Generator) else variables
        is_open = isinstance(node, tree.Generator | tree.Literal) or bool(free_names(node) & variables)
        key = text_of(node)
        if not is_open:
            counts[key] = counts.get(key, 0) + 1
            if counts[key] > 1:
                return
        for child in children(node):
            visit(child, inner)
        if not is_open:
            order[key] = node

    for root in trees:
        visit(root, frozenset())
    return [node for key, node in order.items() if counts[key] > 1]
