"""The tree of an expression, and its text. Every use of the rule language reads this tree and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from rackwright.frozen import frozen
from rackwright.source import Location

Scalar = int | float | str | bool


@frozen(slots=True, kw_only=True)
class Node:
    """Base of all nodes. `column` and `end` are character offsets in the text; they do not count for equality."""

    column: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@frozen(slots=True)
class Literal(Node):
    """A number, text, flag or (a tuple of them) a list, as written."""

    value: Scalar | tuple[Scalar, ...]


@frozen(slots=True)
class Path(Node):
    """A fact: `node.gpus[0].part` has the root `node` and the steps `gpus`, 0, `part`.

    The root is a name of the scope or the variable of an enclosing generator. `spans` are the offsets of each step.
    """

    root: str
    steps: tuple[str | int, ...] = ()
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False)


@frozen(slots=True)
class Logic(Node):
    """`and` or `or` over two or more operands."""

    operator: str
    operands: tuple[Node, ...]


@frozen(slots=True)
class Not(Node):
    """`not operand`."""

    operand: Node


@frozen(slots=True)
class Comparison(Node):
    """`operands[0] operators[0] operands[1] operators[1] …`: a chain as in Python, `in` and `not in` included."""

    operators: tuple[str, ...]
    operands: tuple[Node, ...]


@frozen(slots=True)
class Arithmetic(Node):
    """`left operator right` with one of + - * / // %."""

    operator: str
    left: Node
    right: Node


@frozen(slots=True)
class Negative(Node):
    """`-operand`."""

    operand: Node


@frozen(slots=True)
class Choice(Node):
    """`then if test else otherwise`."""

    test: Node
    then: Node
    otherwise: Node


@frozen(slots=True)
class Generator(Node):
    """`element for variable in source if condition …`; stands only as the argument of a call."""

    element: Node
    variable: str
    source: Node
    conditions: tuple[Node, ...] = ()


@frozen(slots=True)
class Call(Node):
    """A call of one of FUNCTIONS. `default` is the value of min or max over an empty list."""

    function: str
    arguments: tuple[Node, ...]
    default: Node | None = None


# Functions over one list (or generator), and functions over figures.
LIST_FUNCTIONS = frozenset({"sum", "min", "max", "all", "any", "len", "count", "sorted"})
FIGURE_FUNCTION_OF: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": round,
    "ceil": math.ceil,
    "floor": math.floor,
}
FIGURE_FUNCTIONS = frozenset(FIGURE_FUNCTION_OF)
FUNCTIONS = LIST_FUNCTIONS | FIGURE_FUNCTIONS


@frozen(slots=True)
class Expression:
    """A parsed expression: its text, the place of the text in a file, and its tree."""

    text: str
    at: Location | None
    tree: Node

    def location(self, column: int = 0) -> Location | None:
        """Return the place of the character at offset `column`; None if the text stands in no file."""
        return shifted(self.at, column)

    def excerpt(self, node: Node) -> str:
        """Return the text of one node as it was written."""
        return self.text[node.column : node.end] or text_of(node)


def shifted(at: Location | None, column: int) -> Location | None:
    """Return the place `column` characters to the right of `at`."""
    return at and Location(at.file, at.line, at.column + column)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below `node`, in the order of the text's fields."""
    match node:
        case Logic(operands=operands) | Comparison(operands=operands):
            return operands
        case Not(operand=operand) | Negative(operand=operand):
            return (operand,)
        case Arithmetic(left=left, right=right):
            return (left, right)
        case Choice(test=test, then=then, otherwise=otherwise):
            return (test, then, otherwise)
        case Generator(element=element, source=source, conditions=conditions):
            return (element, source, *conditions)
        case Call(arguments=arguments, default=default):
            return arguments if default is None else (*arguments, default)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and everything below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def free_names(node: Node) -> frozenset[str]:
    """Return the roots that `node` takes from outside: scope names and variables of generators around it."""
    if isinstance(node, Path):
        return frozenset({node.root})
    if isinstance(node, Generator):
        inner = frozenset[str]().union(*(free_names(part) for part in (node.element, *node.conditions)))
        return (inner - {node.variable}) | free_names(node.source)
    return frozenset[str]().union(*(free_names(child) for child in children(node)))


_PRECEDENCE = {"or": 2, "and": 3, "+": 6, "-": 6, "*": 7, "/": 7, "//": 7, "%": 7}
_ATOM = 9


class Writer:
    """Writes a tree as text with the fewest parentheses. The compiler overrides how paths and variables are spelt."""

    def path(self, node: Path) -> str:
        """Spell a fact path."""
        return node.root + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in node.steps)

    def variable(self, name: str) -> str:
        """Spell the variable of a generator where it is bound."""
        return name

    def source(self, node: Generator) -> str:
        """Spell the list that a generator goes through."""
        return self.write(node.source, 2)

    def write(self, node: Node, least: int = 0) -> str:
        """Write `node`, in parentheses if it binds less than `least`."""
        text, precedence = self._plain(node)
        return text if precedence >= least else f"({text})"

    def _plain(self, node: Node) -> tuple[str, int]:
        match node:
            case Literal(value=value):
                return (repr(list(value)) if isinstance(value, tuple) else repr(value)), _ATOM
            case Path():
                return self.path(node), _ATOM
            case Call():
                return self._call(node), _ATOM
            case Generator():
                return self._generator(node), 0
            case Logic(operator=operator, operands=operands):
                level = _PRECEDENCE[operator]
                return f" {operator} ".join(self.write(operand, level + 1) for operand in operands), level
            case Not(operand=operand):
                return f"not {self.write(operand, 4)}", 4
            case Comparison(operators=operators, operands=operands):
                rest = [f"{op} {self.write(item, 6)}" for op, item in zip(operators, operands[1:], strict=True)]
                return " ".join([self.write(operands[0], 6), *rest]), 5
            case Arithmetic(operator=operator, left=left, right=right):
                level = _PRECEDENCE[operator]
                return f"{self.write(left, level)} {operator} {self.write(right, level + 1)}", level
            case Negative(operand=operand):
                return f"-{self.write(operand, 8)}", 8
            case Choice(test=test, then=then, otherwise=otherwise):
                return f"{self.write(then, 2)} if {self.write(test, 2)} else {self.write(otherwise, 1)}", 1
        raise TypeError(f"not a node: {node!r}")

    def _call(self, node: Call) -> str:
        if node.default is None:
            return f"{node.function}({', '.join(self.write(argument) for argument in node.arguments)})"
        # Python wants a generator in parentheses of its own when another argument follows.
        return f"{node.function}({self.write(node.arguments[0], 1)}, default={self.write(node.default)})"

    def _generator(self, node: Generator) -> str:
        head = f"{self.write(node.element, 1)} for {self.variable(node.variable)} in {self.source(node)}"
        return head + "".join(f" if {self.write(condition, 2)}" for condition in node.conditions)


def text_of(node: Node) -> str:
    """Return the text of a tree in its canonical form."""
    return Writer().write(node)
