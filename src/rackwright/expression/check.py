"""Types and units of an expression, checked against the documented facts.

Findings: RUL012 a wrong type, RUL013 units that do not fit, RUL014 a fact that does not exist. W = V x A is known
because units are products of atoms; nothing is converted. All problems of an expression are found, not just the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rackwright.diagnostic import Finding
from rackwright.expression import tree
from rackwright.expression.problem import nearest, problem, reached
from rackwright.expression.tree import Expression, Node
from rackwright.expression.types import Flag, ListOf, Number, Record, Text, Type
from rackwright.units import NUMBER, Unit


def check(expression: Expression, scope: Mapping[str, Type]) -> tuple[Type | None, list[Finding]]:
    """Return the type of `expression` where the roots have the types of `scope`, and what is wrong with it.

    The type is None if a finding prevents one.
    """
    checker = _Checker(expression)
    found = checker.type_of(expression.tree, scope)
    return found, checker.findings


def check_flag(expression: Expression, scope: Mapping[str, Type]) -> list[Finding]:
    """Check an expression that must be true or false, such as a clause of a rule."""
    checker = _Checker(expression)
    checker.flag(expression.tree, scope)
    return checker.findings


Scope = Mapping[str, Type]


class _Checker:
    """Checks one expression. A method returns None after it (or one below it) reported a finding."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression
        self.findings: list[Finding] = []

    def report(self, code: str, node: Node, message: str, fix: str | None = None, /, **figures: str | float) -> None:
        """Add a finding at `node`."""
        self.findings.append(problem(code, message, self.expression.location(node.column), fix, **figures))

    def excerpt(self, node: Node) -> str:
        """The text of a node, for messages."""
        return self.expression.excerpt(node)

    def type_of(self, node: Node, scope: Scope) -> Type | None:
        """The type of a node."""
        match node:
            case tree.Literal():
                return self.literal(node)
            case tree.Path():
                return self.path(node, scope)
            case tree.Logic(operands=operands):
                flags = [self.flag(operand, scope) for operand in operands]  # all of them, for all findings
                return Flag() if all(flags) else None
            case tree.Not(operand=operand):
                return Flag() if self.flag(operand, scope) else None
            case tree.Comparison():
                return self.comparison(node, scope)
            case tree.Arithmetic():
                return self.arithmetic(node, scope)
            case tree.Negative(operand=operand):
                figure = self.figure(operand, scope)
                return figure and Number(figure.unit, True, figure.is_integer)
            case tree.Choice():
                return self.choice(node, scope)
            case tree.Call():
                return self.call(node, scope)
        raise TypeError(f"not a node that has a type: {node!r}")

    # --- single kinds

    def flag(self, node: Node, scope: Scope) -> Flag | None:
        """A node that must be a flag."""
        found = self.type_of(node, scope)
        if isinstance(found, Flag) or found is None:
            return found
        self.report("RUL012", node, "{text} is a {type}, not a flag", text=self.excerpt(node), type=str(found))
        return None

    def figure(self, node: Node, scope: Scope) -> Number | None:
        """A node that must be a number."""
        found = self.type_of(node, scope)
        if isinstance(found, Number) or found is None:
            return found
        self.report("RUL012", node, "{text} is a {type}, not a number", text=self.excerpt(node), type=str(found))
        return None

    def literal(self, node: tree.Literal) -> Type | None:
        """A literal, or a list of literals of one kind."""
        if not isinstance(node.value, tuple):
            return _type_of_scalar(node.value)
        found = [_type_of_scalar(item) for item in node.value] or [Number()]
        if len({type(item) for item in found}) > 1:
            self.report("RUL012", node, "a list holds values of one type: {text}", text=self.excerpt(node))
            return None
        choices = [item.choices or frozenset() for item in found if isinstance(item, Text)]
        signed = any(isinstance(item, Number) and item.is_signed for item in found)
        element: Type = Text(frozenset().union(*choices)) if choices else found[0]
        return ListOf(Number(is_signed=signed) if isinstance(element, Number) else element)

    def path(self, node: tree.Path, scope: Scope) -> Type | None:
        """A fact, step by step."""
        if node.root not in scope:
            close = nearest(node.root, [*scope, "True", "False"]) or _reached(node.root, scope)
            known = ", ".join(sorted(scope))
            self.report("RUL014", node, "there is no {name} here; there are {known}", _did_you_mean(close),
                        name=node.root, known=known)  # fmt: skip
            return None
        found: Type = scope[node.root]
        path = node.root
        for step, (column, end) in zip(
            node.steps, node.spans or [(node.column, node.end)] * len(node.steps), strict=True
        ):
            here = tree.Path(node.root, column=column, end=end)
            inner = self.step(found, step, path, here)
            if inner is None:
                return None
            found = inner
            path += f"[{step}]" if isinstance(step, int) else f".{step}"
        return found

    def step(self, holder: Type, step: str | int, path: str, here: Node) -> Type | None:
        """One step of a path into `holder`."""
        if isinstance(step, int):
            if isinstance(holder, ListOf):
                return holder.element
            self.report("RUL012", here, "{path} is a {type}, not a list", path=path, type=str(holder))
        elif isinstance(holder, Record):
            if step in holder.fields:
                return holder.fields[step].shape
            close = reached(step, holder.fields, path, 1) or nearest(step, holder.fields)
            self.report("RUL014", here, "{path} has no field {name}", _did_you_mean(close), path=path, name=step)
        else:
            self.report("RUL012", here, "{path} is a {type} and has no fields", path=path, type=str(holder))
        return None

    def choice(self, node: tree.Choice, scope: Scope) -> Type | None:
        """`then if test else otherwise`: both branches of one type and unit."""
        test = self.flag(node.test, scope)
        then, otherwise = self.type_of(node.then, scope), self.type_of(node.otherwise, scope)
        if test is None or then is None or otherwise is None:
            return None
        if isinstance(then, Number) and isinstance(otherwise, Number):
            return self.united([(node.then, then), (node.otherwise, otherwise)])
        if isinstance(then, Text) and isinstance(otherwise, Text):
            return Text(None if then.choices is None or otherwise.choices is None else then.choices | otherwise.choices)
        if then == otherwise:
            return then
        self.report("RUL012", node, "the branches differ: {left} is a {left_type}, {right} a {right_type}",
                    left=self.excerpt(node.then), left_type=str(then), right=self.excerpt(node.otherwise),
                    right_type=str(otherwise))  # fmt: skip
        return None

    def arithmetic(self, node: tree.Arithmetic, scope: Scope) -> Type | None:
        """Arithmetic: sums need one unit, products and quotients make a new one."""
        left, right = self.figure(node.left, scope), self.figure(node.right, scope)
        if left is None or right is None:
            return None
        is_signed = left.is_signed or right.is_signed or node.operator == "-"
        is_integer = left.is_integer and right.is_integer and node.operator != "/"
        if node.operator in ("+", "-"):
            united = self.united([(node.left, left), (node.right, right)])
            return united and Number(united.unit, is_signed, is_integer)
        if node.operator == "%":
            if not self.fits(node.left, left, node.right, right, constant_fits=True):
                return None
            return Number(left.unit, right.is_signed, is_integer)
        unit = left.unit * right.unit if node.operator == "*" else left.unit / right.unit
        return Number(unit, is_signed, is_integer)

    # --- units

    def united(self, figures: Sequence[tuple[Node, Number]]) -> Number | None:
        """The common type of figures that are added or chosen from; the literal 0 fits every unit."""
        unit_node, first = next(((n, f) for n, f in figures if not _is_zero(n)), figures[0])
        for node, figure in figures:
            if not _is_zero(node) and not self.fits(unit_node, first, node, figure, constant_fits=False):
                return None
        return Number(first.unit, any(f.is_signed for _, f in figures), all(f.is_integer for _, f in figures))

    def fits(self, left_node: Node, left: Number, right_node: Node, right: Number, *, constant_fits: bool) -> bool:
        """Tell whether two figures have one unit; report if not. A compared constant takes the other side's unit."""
        if left.unit == right.unit or (constant_fits and (_is_constant(left_node) or _is_constant(right_node))):
            return True
        self.report("RUL013", right_node, "{left} is in {left_unit}, but {right} is in {right_unit}",
                    left=self.excerpt(left_node), left_unit=_printed(left.unit), right=self.excerpt(right_node),
                    right_unit=_printed(right.unit))  # fmt: skip
        return False

    # --- comparisons

    def comparison(self, node: tree.Comparison, scope: Scope) -> Type | None:
        """A chain: each neighbouring pair must be comparable."""
        found = [self.type_of(operand, scope) for operand in node.operands]
        is_fine = True
        for index, sign in enumerate(node.operators):
            left, right = found[index], found[index + 1]
            if left is None or right is None:
                is_fine = False
            else:
                is_fine &= self.pair(sign, node.operands[index], left, node.operands[index + 1], right)
        return Flag() if is_fine else None

    def pair(self, sign: str, left_node: Node, left: Type, right_node: Node, right: Type) -> bool:
        """Check one comparison."""
        if sign in ("in", "not in"):
            if isinstance(right, ListOf):
                return _is_empty(right_node) or self.alike(left_node, left, right_node, right.element)
            self.report("RUL012", right_node, "{text} is a {type}, not a list", text=self.excerpt(right_node),
                        type=str(right))  # fmt: skip
            return False
        if sign in ("==", "!="):
            if (
                isinstance(left, ListOf)
                and isinstance(right, ListOf)
                and (_is_empty(left_node) or _is_empty(right_node))
            ):
                return True
            return self.alike(left_node, left, right_node, right)
        is_ordered = isinstance(left, Number) or (isinstance(left, Text) and not left.choices)
        if type(left) is type(right) and not is_ordered:
            self.report("RUL012", left_node, "a {type} has no order: {left} {sign} {right}", type=str(left), sign=sign,
                        left=self.excerpt(left_node), right=self.excerpt(right_node))  # fmt: skip
            return False
        return self.alike(left_node, left, right_node, right)

    def alike(self, left_node: Node, left: Type, right_node: Node, right: Type) -> bool:
        """Check that two values can be equal."""
        match left, right:
            case Number(), Number():
                return self.fits(left_node, left, right_node, right, constant_fits=True)
            case Text(), Text():
                return self.possible(left_node, left, right) and self.possible(right_node, right, left)
            case Flag(), Flag():
                return True
            case ListOf(), ListOf():
                return self.alike(left_node, left.element, right_node, right.element)
            case Record(), Record():
                self.report("RUL012", left_node, "records cannot be compared: {left}, {right}", "compare their ids",
                            left=self.excerpt(left_node), right=self.excerpt(right_node))  # fmt: skip
                return False
        fix = _advice_on_pair((self.excerpt(left_node), left), (self.excerpt(right_node), right))
        self.report("RUL012", right_node, "{left} is a {left_type}, but {right} is a {right_type}", fix,
                    left=self.excerpt(left_node), left_type=str(left), right=self.excerpt(right_node),
                    right_type=str(right))  # fmt: skip
        return False

    def possible(self, node: Node, text: Text, other: Text) -> bool:
        """Check that the texts of a literal are among the choices of what it is compared with."""
        if not isinstance(node, tree.Literal) or text.choices is None or other.choices is None:
            return True
        for value in sorted(text.choices - other.choices):
            fix = _did_you_mean(nearest(value, other.choices))
            self.report("RUL012", node, "{value} is no possible value: {known}", fix,
                        value=repr(value), known=", ".join(sorted(other.choices)))  # fmt: skip
        return text.choices <= other.choices

    # --- calls

    def call(self, node: tree.Call, scope: Scope) -> Type | None:
        """A call of one of the functions."""
        if node.function in tree.FIGURE_FUNCTIONS:
            figure = self.figure(node.arguments[0], scope)
            if figure is None:
                return None
            is_whole = figure.is_integer or (node.function != "abs" and len(node.arguments) == 1)
            return Number(figure.unit, figure.is_signed and node.function != "abs", is_whole)
        if len(node.arguments) > 1:
            return self.several(node.arguments, scope)
        element = self.element(node.arguments[0], scope)
        if element is None:
            return None
        return self.aggregate(node, element, scope)

    def several(self, nodes: Sequence[Node], scope: Scope) -> Number | None:
        """Figures that min or max choose from."""
        figures = [(node, self.figure(node, scope)) for node in nodes]
        known = [(node, figure) for node, figure in figures if figure is not None]
        return self.united(known) if len(known) == len(figures) else None

    def aggregate(self, node: tree.Call, element: Type, scope: Scope) -> Type | None:
        """A function of one list whose elements have the type `element`."""
        argument = node.arguments[0]
        if node.function in ("count", "len"):
            return Number(is_integer=True)
        wanted = {"any": (Flag,), "all": (Flag,), "sorted": (Number, Text)}.get(node.function, (Number,))
        if not isinstance(element, wanted):
            if isinstance(argument, tree.Generator):
                argument = argument.element
            names = " or ".join({Flag: "flags", Number: "numbers", Text: "texts"}[kind] for kind in wanted)
            self.report("RUL012", argument, "{function} takes {wanted}; {text} yields a {type}", function=node.function,
                        wanted=names, text=self.excerpt(argument), type=str(element))  # fmt: skip
            return None
        if node.function in ("any", "all"):
            return Flag()
        if node.function == "sorted":
            return ListOf(element)
        if node.default is not None and isinstance(element, Number):
            default = self.figure(node.default, scope)
            return default and self.united([(argument, element), (node.default, default)])
        return element

    def element(self, node: Node, scope: Scope) -> Type | None:
        """The type of the elements of a list or a generator."""
        if isinstance(node, tree.Generator):
            return self.generator(node, scope)
        found = self.type_of(node, scope)
        if isinstance(found, ListOf):
            return found.element
        if found is not None:
            self.report("RUL012", node, "{text} is a {type}, not a list", text=self.excerpt(node), type=str(found))
        return None

    def generator(self, node: tree.Generator, scope: Scope) -> Type | None:
        """What a generator yields."""
        if node.variable in scope:
            self.report("RUL011", node, "the name {name} is already taken", name=node.variable)
            return None
        source = self.element(node.source, scope)
        if source is None:
            return None
        inner = {**scope, node.variable: source}
        held = [self.flag(condition, inner) for condition in node.conditions]
        element = self.type_of(node.element, inner)
        return element if all(held) else None


def _type_of_scalar(value: tree.Scalar) -> Type:
    if isinstance(value, bool):
        return Flag()
    if isinstance(value, str):
        return Text(frozenset({value}))
    return Number(NUMBER, value < 0, isinstance(value, int))


def _is_constant(node: Node) -> bool:
    """Tell whether a node is arithmetic of literals alone, a list of literals, or a choice between such."""
    if isinstance(node, tree.Choice):
        return _is_constant(node.then) and _is_constant(node.otherwise)
    if isinstance(node, tree.Negative | tree.Arithmetic):
        return all(_is_constant(child) for child in tree.children(node))
    return isinstance(node, tree.Literal)


def _is_zero(node: Node) -> bool:
    return isinstance(node, tree.Literal) and type(node.value) in (int, float) and node.value == 0


def _is_empty(node: Node) -> bool:
    return isinstance(node, tree.Literal) and node.value == ()


def _reached(name: str, scope: Scope) -> str | None:
    found = (reached(name, shape.fields, root) for root, shape in scope.items() if isinstance(shape, Record))
    return next((path for path in found if path), None)


def _advice_on_pair(left: tuple[str, Type], right: tuple[str, Type]) -> str | None:
    """What to write where two values of different types are compared."""
    for (text, kind), (_, other) in ((left, right), (right, left)):
        if isinstance(kind, ListOf) and isinstance(other, Number):
            return f"count it: len({text})"
        if isinstance(kind, Text) and isinstance(other, Number) and kind.choices and len(kind.choices) == 1:
            figure = re.match(r"[0-9]+(\.[0-9]+)?", next(iter(kind.choices)))
            return f"write the figure without quotes and unit: {figure[0]}" if figure else None
        if isinstance(kind, Record) and isinstance(other, Text):
            return f"compare {text}.id"
    return None


def _printed(unit: Unit) -> str:
    return unit.symbol or "no unit"


def _did_you_mean(close: str | None) -> str | None:
    return f"did you mean {close}?" if close else None
