"""Reading the text of an expression into a tree. Text is never run: Python's parser reads it, a whitelist keeps it.

Findings: RUL010 the text is no expression, RUL011 it is Python but not part of the rule language. Each text ends
within bounded time and memory: its length is checked first, then size, depth and constants of what the parser read.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from typing import Any

from rackwright.diagnostic import Finding
from rackwright.expression import tree
from rackwright.expression.problem import nearest, problem
from rackwright.expression.tree import Expression, Node, Scalar
from rackwright.frozen import frozen
from rackwright.source import Location

MAX_CHARACTERS = 2000
MAX_NODES = 300
MAX_DEPTH = 64
MAX_NUMBER = 1e12
MAX_TEXT = 200
MAX_GENERATORS = 3

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_NAMES: dict[type[ast.AST], str] = {
    ast.Lambda: "a lambda", ast.NamedExpr: "an assignment `:=`", ast.JoinedStr: "an f-string", ast.Dict: "a dict",
    ast.Set: "a set", ast.Starred: "a starred value", ast.ListComp: "a list comprehension", ast.Slice: "a slice",
    ast.SetComp: "a set comprehension", ast.DictComp: "a dict comprehension", ast.Await: "await", ast.Yield: "yield",
    ast.YieldFrom: "yield", ast.Pow: "`**`", ast.MatMult: "`@`", ast.BitAnd: "`&`", ast.BitOr: "`|`",
    ast.BitXor: "`^`", ast.LShift: "`<<`", ast.RShift: "`>>`", ast.Invert: "`~`", ast.UAdd: "a leading `+`",
    ast.Is: "`is`", ast.IsNot: "`is not`", ast.GeneratorExp: "a generator outside of a call",
}  # fmt: skip
_HINTS = (
    (r"&&", "write `and` for `&&`"),
    (r"\|\|", "write `or` for `||`"),
    (r"!(?!=)", "write `not` for `!`"),
    (r"(?<![<>=!])=(?!=)", "compare with `==`; `=` alone is no comparison"),
    (r"(?<![\w.\"'])\d+(\.\d+)? ?(W|kW|V|A|VA|mm|kg|GB|GB/s|MT/s|U|°?C)\b", "write figures without their unit: 205"),
    (r"", "write it as in `len(node.gpus) > 0`; what can be read is listed in docs/facts.md"),
)


class _RefusedError(Exception):
    """The text is refused; carries what the finding needs."""

    def __init__(self, code: str, message: str, column: int, fix: str | None = None, **figures: str | float) -> None:
        super().__init__(message)
        self.code, self.message, self.column, self.fix, self.figures = code, message, column, fix, figures


def parse(text: str, at: Location | None = None) -> tuple[Expression | None, list[Finding]]:
    """Read one expression. `at` is the place of its first character in a file.

    Returns the expression and no finding, or None and the finding that says what is wrong and where.
    """
    try:
        return Expression(text, at, _Builder(text).build()), []
    except _RefusedError as refused:
        place = tree.shifted(at, refused.column)
        return None, [problem(refused.code, refused.message, place, refused.fix, **refused.figures)]


def caret(text: str, column: int, width: int = 1) -> str:
    """Return two lines: the text, and a mark below the `width` characters from offset `column` on."""
    line = "".join(" " if char in "\r\n\t" else char for char in text)
    column = max(0, min(column, len(line)))
    return line + "\n" + " " * column + "^" * max(1, min(width, len(line) - column))


@frozen(slots=True)
class _Span:
    column: int
    end: int


class _Builder:
    """Turns one text into a tree; raises _RefusedError at the first thing that the language does not have."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.variables: list[str] = []

    def build(self) -> Node:
        body = self._read()
        _check_size(body)
        self._check_characters(body)
        return self.node(body)

    # --- from text to Python's tree

    def _read(self) -> ast.expr:
        text = self.text
        if len(text) > MAX_CHARACTERS:
            message = "the expression has {length} characters; {limit} are allowed"
            raise _RefusedError("RUL011", message, 0, length=len(text), limit=MAX_CHARACTERS)
        if not text.strip():
            raise _RefusedError("RUL010", "the expression is empty", 0)
        for column, char in enumerate(text):
            if (ord(char) < 32 and char not in "\t\r\n") or char == "\\" or "\ud800" <= char <= "\udfff":
                raise _RefusedError("RUL011", "character {char} is not allowed", column, char=ascii(char))
        # Same length, one line: offsets stay true. Leading blanks would be read as an indentation.
        line = text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
        self.indent = len(line) - len(line.lstrip())
        self.line = line[self.indent :]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.line, mode="eval").body
        except SyntaxError as error:
            # Offset 0 says that the text ended where more was expected.
            column = min((error.offset or len(self.line) + 1) - 1 + self.indent, len(text))
            hint = next((fix for mark, fix in _HINTS if re.search(mark, text)), None)
            reason = error.msg if error.offset else "it ends too early"
            raise _RefusedError("RUL010", "not an expression: {reason}", column, hint, reason=reason) from None
        except (ValueError, RecursionError, MemoryError, OverflowError):
            raise _RefusedError("RUL010", "the expression cannot be read; it may be nested too deeply", 0) from None

    def _check_characters(self, body: ast.expr) -> None:
        """Refuse comments, and letters outside ASCII except in texts: Python folds look-alikes such as a wide `_`."""
        if self.line.isascii() and "#" not in self.line:
            return
        spans = [self._span(n) for n in ast.walk(body) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        for column, char in enumerate(self.text):
            if (char == "#" or not char.isascii()) and not any(s.column <= column < s.end for s in spans):
                raise _RefusedError("RUL011", "character {char} is allowed in texts only", column, char=char)

    def _span(self, node: ast.AST) -> _Span:
        first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        if not self.line.isascii():  # Python counts bytes
            raw = self.line.encode()
            first, last = (len(raw[:offset].decode(errors="ignore")) for offset in (first, last))
        return _Span(first + self.indent, last + self.indent)

    def _refuse(self, node: ast.AST, message: str, fix: str | None = None, **figures: str | float) -> _RefusedError:
        return _RefusedError("RUL011", message, self._span(node).column, fix, **figures)

    def _unknown_kind(self, node: ast.AST, kind: ast.AST | None = None, fix: str | None = None) -> _RefusedError:
        what = _NAMES.get(type(kind or node), type(kind or node).__name__)
        return self._refuse(node, "{what} is not part of the rule language", fix, what=what)

    # --- from Python's tree to ours

    def node(self, node: ast.expr) -> Node:
        """Convert one node of Python's tree."""
        convert = _CONVERT.get(type(node))
        if convert is None:
            raise self._unknown_kind(node)
        return convert(self, node)

    def constant(self, node: ast.Constant) -> Node:
        span = self._span(node)
        return tree.Literal(self._scalar(node), column=span.column, end=span.end)

    def _scalar(self, node: ast.expr) -> Scalar:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            figure = self._scalar(node.operand)
            if isinstance(figure, int | float) and not isinstance(figure, bool):
                return -figure
        value: object = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            if not abs(value) <= MAX_NUMBER:
                raise self._refuse(node, "a constant above {limit} is not allowed", limit=MAX_NUMBER)
            return value
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise self._refuse(node, "a text of more than {limit} characters is not allowed", limit=MAX_TEXT)
            return value
        if isinstance(node, ast.Constant):
            fix = "an absent fact is unknown by itself; there is nothing to compare it with" if value is None else None
            raise self._refuse(node, "the constant {what} is not part of the rule language", fix, what=repr(value))
        raise self._refuse(node, "a list may hold numbers, texts and flags only")

    def literal_list(self, node: ast.List | ast.Tuple) -> Node:
        span = self._span(node)
        return tree.Literal(tuple(self._scalar(item) for item in node.elts), column=span.column, end=span.end)

    def path(self, node: ast.expr) -> Node:
        span, steps, spans = self._span(node), [], []
        step: str | int
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Attribute):
                step = self._identifier(node, node.attr)
                at = _Span(self._span(node).end - len(node.attr), self._span(node).end)
                node = node.value
            elif isinstance(node, ast.Subscript):
                step, at = self._index(node), self._span(node.slice)
                node = node.value
            else:
                raise self._refuse(node, "only a fact has fields and elements: `node.psus[0].part`")
            steps.append(step)
            spans.append((at.column, at.end))
        root = self._identifier(node, node.id)
        return tree.Path(root, tuple(steps[::-1]), tuple(spans[::-1]), column=span.column, end=span.end)

    def _identifier(self, node: ast.expr, name: str) -> str:
        if name.startswith("_"):
            raise self._refuse(node, "a name that begins with `_` is not allowed: {name}", name=name)
        return name

    def _index(self, node: ast.Subscript) -> int:
        index = node.slice
        if isinstance(index, ast.UnaryOp | ast.Constant):
            value = self._scalar(index)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        raise self._refuse(index, "an index must be a whole number")

    def logic(self, node: ast.BoolOp) -> Node:
        span = self._span(node)
        operator = "and" if isinstance(node.op, ast.And) else "or"
        return tree.Logic(operator, tuple(self.node(v) for v in node.values), column=span.column, end=span.end)

    def unary(self, node: ast.UnaryOp) -> Node:
        span = self._span(node)
        if isinstance(node.op, ast.Not):
            return tree.Not(self.node(node.operand), column=span.column, end=span.end)
        if isinstance(node.op, ast.USub):
            operand = self._figure(node.operand)
            return tree.Negative(operand, column=span.column, end=span.end)
        raise self._unknown_kind(node, node.op)

    def comparison(self, node: ast.Compare) -> Node:
        span = self._span(node)
        for operator in node.ops:
            if type(operator) not in _COMPARISONS:
                raise self._unknown_kind(node, operator, "compare with `==` or `!=`")
        if len(node.ops) > 1 and any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops):
            raise self._refuse(node, "`in` cannot be part of a chain", "write two comparisons joined by `and`")
        operands = tuple(self.node(item) for item in (node.left, *node.comparators))
        operators = tuple(_COMPARISONS[type(operator)] for operator in node.ops)
        return tree.Comparison(operators, operands, column=span.column, end=span.end)

    def arithmetic(self, node: ast.BinOp) -> Node:
        span = self._span(node)
        operator = _ARITHMETIC.get(type(node.op))
        if operator is None:
            raise self._unknown_kind(node, node.op)
        left, right = self._figure(node.left), self._figure(node.right)
        return tree.Arithmetic(operator, left, right, column=span.column, end=span.end)

    def _figure(self, node: ast.expr) -> Node:
        """An operand of arithmetic: never a text, flag or list, so that nothing can grow by repetition."""
        operand = self.node(node)
        if isinstance(operand, tree.Literal) and isinstance(operand.value, str | bool | tuple):
            raise self._refuse(node, "there is no arithmetic with texts, flags or lists")
        return operand

    def choice(self, node: ast.IfExp) -> Node:
        span = self._span(node)
        test, then, otherwise = self.node(node.test), self.node(node.body), self.node(node.orelse)
        return tree.Choice(test, then, otherwise, column=span.column, end=span.end)

    def call(self, node: ast.Call) -> Node:
        span = self._span(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in tree.FUNCTIONS:
            raise self._no_function(node)
        function, default = node.func.id, None
        if node.keywords:
            if function not in ("min", "max") or len(node.args) != 1 or [k.arg for k in node.keywords] != ["default"]:
                raise self._refuse(node, "{name} has no named argument here", name=function)
            default = self.node(node.keywords[0].value)
        _check_arity(self, node, function)
        arguments = tuple(self._argument(argument, function) for argument in node.args)
        return tree.Call(function, arguments, default, column=span.column, end=span.end)

    def _no_function(self, node: ast.Call) -> _RefusedError:
        known = ", ".join(sorted(tree.FUNCTIONS))
        if not isinstance(node.func, ast.Name):
            return self._refuse(node, "only functions can be called: {known}", known=known)
        close = nearest(node.func.id, tree.FUNCTIONS)
        fix = f"did you mean {close}?" if close else None
        return self._refuse(node, "there is no function {name}: {known}", fix, name=node.func.id, known=known)

    def _argument(self, node: ast.expr, function: str) -> Node:
        if not isinstance(node, ast.GeneratorExp):
            return self.node(node)
        if function == "len":
            raise self._refuse(node, "len takes a list; count(… for …) counts what a generator yields")
        if function in tree.FIGURE_FUNCTIONS:
            raise self._refuse(node, "{name} takes a figure, not a list", name=function)
        return self._generator(node)

    def _generator(self, node: ast.GeneratorExp) -> Node:
        span, loop = self._span(node), node.generators[0]
        if len(node.generators) > 1 or loop.is_async or not isinstance(loop.target, ast.Name):
            raise self._refuse(node, "a generator has one `for` with one variable")
        variable = self._identifier(loop.target, loop.target.id)
        if variable in self.variables or variable in tree.FUNCTIONS:
            raise self._refuse(loop.target, "the name {name} is already taken", name=variable)
        source = self.node(loop.iter)
        if variable in tree.free_names(source):
            raise self._refuse(loop.target, "the name {name} is already taken", name=variable)
        if len(self.variables) == MAX_GENERATORS:
            raise self._refuse(node, "at most {limit} generators may be nested", limit=MAX_GENERATORS)
        self.variables.append(variable)
        conditions = tuple(self.node(condition) for condition in loop.ifs)
        element = self.node(node.elt)
        self.variables.pop()
        return tree.Generator(element, variable, source, conditions, column=span.column, end=span.end)


def _check_arity(builder: _Builder, node: ast.Call, function: str) -> None:
    count = len(node.args)
    most = {"min": 20, "max": 20, "round": 2}.get(function, 1)
    if not 1 <= count <= most:
        wanted = "one value" if most == 1 else f"1 to {most} values"
        raise builder._refuse(node, "{name} takes {wanted}, not {count}", name=function, wanted=wanted, count=count)
    if count > 1 and function != "round" and any(isinstance(a, ast.GeneratorExp) for a in node.args):
        raise builder._refuse(node, "{name} takes either one list or several figures", name=function)
    if function == "round" and count == 2:
        digits = builder.node(node.args[1])
        if not (isinstance(digits, tree.Literal) and type(digits.value) is int and 0 <= digits.value <= 12):
            raise builder._refuse(node.args[1], "round takes a whole number of digits, at most 12")


def _check_size(body: ast.expr) -> None:
    """Refuse what is too large or too deep before anything recursive touches it."""
    level: list[ast.AST] = [body]
    nodes = depth = 0
    while level:
        nodes += sum(isinstance(node, ast.expr) for node in level)
        depth += 1
        if nodes > MAX_NODES or depth > MAX_DEPTH:
            message = "the expression is too large: at most {nodes} nodes and {depth} levels"
            raise _RefusedError("RUL011", message, 0, nodes=MAX_NODES, depth=MAX_DEPTH)
        level = [child for node in level for child in ast.iter_child_nodes(node)]


_CONVERT: dict[type[ast.AST], Callable[[_Builder, Any], Node]] = {
    ast.Constant: _Builder.constant,
    ast.List: _Builder.literal_list,
    ast.Tuple: _Builder.literal_list,
    ast.Name: _Builder.path,
    ast.Attribute: _Builder.path,
    ast.Subscript: _Builder.path,
    ast.BoolOp: _Builder.logic,
    ast.UnaryOp: _Builder.unary,
    ast.Compare: _Builder.comparison,
    ast.BinOp: _Builder.arithmetic,
    ast.IfExp: _Builder.choice,
    ast.Call: _Builder.call,
}
