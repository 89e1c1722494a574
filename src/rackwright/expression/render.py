"""Printing a trace: the arithmetic with its figures, each named quantity below with its own, facts with their owner."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rackwright.expression import tree
from rackwright.expression.values import Read, Trace, Unknown
from rackwright.frozen import frozen
from rackwright.units import NUMBER, Unit, format_quantity

MAX_SHOWN = 3
_SIGNS = {"*": "x"}


@frozen(slots=True)
class _Notes:
    """What the caller of `lines` adds: a text behind the line of a fact, lines below a fact or a quantity."""

    annotate: Callable[[Read], str]
    below: Callable[[Trace], Sequence[str]]


def lines(
    trace: Trace,
    annotate: Callable[[Read], str] | None = None,
    below: Callable[[Trace], Sequence[str]] | None = None,
) -> list[str]:
    """Return the derivation of a value, one line a step; two blanks of indentation lead one level down.

    `4 x 350 W = 1 400 W`, and below it `nvidia/h100-pcie-80gb power.max_w = 350 W`. What is not known says so.
    `annotate` may add to the line of a fact where the figure comes from: its document and grade. `below` may add
    lines below a fact or a quantity (one whose trace has a child): its title, or what a computed fact rests on.
    """
    reason = f" ({trace.value.reason})" if isinstance(trace.value, Unknown) and trace.value.reason else ""
    notes = _Notes(annotate or (lambda _read: ""), below or (lambda _leaf: ()))
    return [f"{trace.text}: {_steps(trace, trace.unit)}{reason}", *_facts(trace, "  ", notes)]


def printed(value: Any, unit: Unit = NUMBER) -> str:
    """Print one value as it stands in a derivation: `350 W`, `true`, a text, or a list of these.

    What is not known is `unknown`, or its bounds if they say something: `≥ 1 400 W`, `8 … 9`.
    """
    if isinstance(value, Unknown):
        return _printed_bounds(value, unit)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return format_quantity(value, unit) if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return str(value.get("title") or value.get("id") or "a record")
    if isinstance(value, list):
        texts = [printed(item, unit) for item in value]
        counted = [f"{n} x {text}" if (n := texts.count(text)) > 1 else text for text in dict.fromkeys(texts)]
        return ", ".join(counted if all(isinstance(item, str | dict) for item in value) else texts) or "none"
    return str(value)


def _printed_bounds(value: Unknown, unit: Unit) -> str:
    if math.isfinite(value.low) and math.isfinite(value.high):
        return f"{format_quantity(value.low, unit)} … {format_quantity(value.high, unit)}"
    if math.isfinite(value.high):
        return f"≤ {format_quantity(value.high, unit)}"
    return f"≥ {format_quantity(value.low, unit)}" if math.isfinite(value.low) and value.low else "unknown"


def _steps(trace: Trace, unit: Unit) -> str:
    """`arithmetic = value`, without what would be said twice."""
    formula, value = _formula(trace), printed(trace.value, unit)
    if formula == value:
        return value
    if value[:1] in ("≥", "≤"):
        return f"{formula} {value}"
    return f"{formula} {'is' if isinstance(trace.value, bool) else '='} {value}"


def _facts(trace: Trace, indent: str, notes: _Notes) -> list[str]:
    """The lines for what a trace rests on: each once, quantities and sides of comparisons with their derivation."""
    found: dict[str, None] = {}
    for leaf in _leaves(trace):
        if isinstance(leaf.node, tree.Path) and not leaf.children:
            for line in _fact_lines(leaf, notes.annotate):
                if indent + line not in found:
                    found[indent + line] = None
                    found.update(dict.fromkeys(f"{indent}  {text}" for text in notes.below(leaf)))
        else:
            is_quantity = isinstance(leaf.node, tree.Path)
            name, inner = (_path(leaf), leaf.children[0]) if is_quantity else (leaf.text, leaf)
            told = [f"{indent}  {text}" for text in notes.below(leaf)] if is_quantity else []
            block = [f"{indent}{name} = {_steps(inner, leaf.unit)}", *told, *_facts(inner, indent + "  ", notes)]
            found.setdefault("\n".join(block))
    return [line for block in found for line in block.split("\n")]


def _leaves(trace: Trace) -> Iterator[Trace]:
    """What a value rests on, in the order of evaluation: facts, and sides of comparisons that are arithmetic."""
    if isinstance(trace.node, tree.Path):
        yield trace
        return
    below = trace.children[1:] if isinstance(trace.node, tree.Choice) and len(trace.children) == 2 else trace.children
    for child in below:
        if child.role == "condition" and not isinstance(child.value, Unknown):
            continue  # which elements count is seen from the terms
        is_side = isinstance(trace.node, tree.Comparison) and isinstance(child.node, tree.Arithmetic | tree.Call)
        if is_side and child.children and _formula(child) != printed(child.value, child.unit):
            yield child
        else:
            yield from _leaves(child)
    if isinstance(trace.value, Unknown) and not any(isinstance(c.value, Unknown) for c in trace.children):
        # The list itself is missing: nothing below could say so.
        yield Trace(trace.text, Unknown(), trace.unit, tree.Path(""), (), trace.value.missing)


def _fact_lines(leaf: Trace, annotate: Callable[[Read], str]) -> list[str]:
    value = leaf.value
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
        return []
    found = []
    for read in leaf.reads:
        note = annotate(read)
        name = f"{read.owner_id} {read.field}" if read.owner_id else read.path
        found.append(f"{name} = {printed(value, leaf.unit)}" + (f" ({note})" if note else ""))
    return found


def _path(leaf: Trace) -> str:
    return leaf.reads[0].path if leaf.reads else leaf.text


def _formula(trace: Trace) -> str:
    """The expression with the figures in place of the names."""
    node, below = trace.node, trace.children
    match node:
        case tree.Arithmetic(operator=operator):
            left, right = _operand(below[0], node, False), _operand(below[1], node, True)
            return f"{left} {_SIGNS.get(operator, operator)} {right}"
        case tree.Comparison(operators=operators):
            units = [child.unit for child in below if child.unit != NUMBER]
            texts = [_side(child, units[0] if units else NUMBER) for child in below]
            return texts[0] + "".join(f" {sign} {text}" for sign, text in zip(operators, texts[1:], strict=False))
        case tree.Logic(operator=operator):
            return f" {operator} ".join(_grouped(child) for child in below)
        case tree.Not():
            return f"not {_grouped(below[0])}"
        case tree.Negative():
            return f"-{_grouped(below[0])}"
        case tree.Choice() if len(below) == 2:
            return _formula(below[1])
        case tree.Call(function=function):
            return _call(trace, function)
    return printed(trace.value, trace.unit)


def _side(trace: Trace, unit: Unit) -> str:
    """A side of a comparison: its value alone; a bare number takes the unit of the other side."""
    is_literal = isinstance(trace.node, tree.Literal | tree.Negative) and trace.unit == NUMBER
    text = printed(trace.value, unit if is_literal else trace.unit)
    return f"({text})" if text[:1] in ("≥", "≤") else text


def _operand(trace: Trace, parent: tree.Arithmetic, is_right: bool) -> str:
    text = _formula(trace)
    if isinstance(trace.node, tree.Arithmetic):
        looser = parent.operator not in ("+", "-") and trace.node.operator in ("+", "-")
        return f"({text})" if looser or is_right else text
    return f"({text})" if " + " in text and parent.operator != "+" else text


def _grouped(trace: Trace) -> str:
    text = _formula(trace)
    return f"({text})" if isinstance(trace.node, tree.Arithmetic | tree.Logic | tree.Comparison) else text


def _call(trace: Trace, function: str) -> str:
    elements = [child for child in trace.children if child.role == "element"]
    if function == "sum" and elements:
        return _sum(elements)
    if function in ("any", "all") and elements:
        return _share(elements, function)
    if function in ("count", "len", "sorted"):
        return printed(trace.value, trace.unit)
    inner = dict.fromkeys(_formula(child) for child in elements or trace.children)
    return f"{function}({', '.join(inner)})"


def _share(elements: list[Trace], function: str) -> str:
    """How many elements hold, and the arithmetic of the first that settle it."""
    held = [child for child in elements if child.value is True]
    others = [child for child in elements if child.value is not True]
    shown = held if function == "any" and held else others
    texts = list(dict.fromkeys(_formula(child) for child in shown))
    text = f"{len(held)} of {len(elements)} hold"
    if not texts:
        return text
    more = ", …" if len(texts) > MAX_SHOWN else ""
    return f"{text}{': ' if shown is held else '; not '}{', '.join(texts[:MAX_SHOWN])}{more}"


def _sum(elements: list[Trace]) -> str:
    """The terms of a sum, equal ones together: `4 x 350 W + 2 x 165 W`."""
    counts: dict[str, int] = {}
    for element in elements:
        text = _formula(element)
        counts[text] = counts.get(text, 0) + 1
    return " + ".join(text if count == 1 else f"{count} x {_in_product(text)}" for text, count in counts.items())


def _in_product(text: str) -> str:
    return f"({text})" if any(sign in text for sign in (" + ", " - ", " / ", " x ")) else text
