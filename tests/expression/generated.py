"""Generated expressions and facts for the property tests: small, typed, and full of corner cases."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from hypothesis import strategies as st

from rackwright.expression import Field, Flag, ListOf, Number, Record, Text, Type
from rackwright.units import unit_of

GPU = Record(
    "gpu",
    {
        "x_w": Field(Number(unit_of("x_w"))),
        "inlet_c": Field(Number(unit_of("inlet_c"), is_signed=True)),
        "lanes": Field(Number(is_integer=True)),
        "is_on": Field(Flag()),
        "kind": Field(Text(frozenset({"sxm", "pcie", "oam"}))),
        "sizes": Field(ListOf(Number())),
    },
)
NODE = Record("node", {**GPU.fields, "gpus": Field(ListOf(GPU)), "first": Field(GPU)})
SCOPE: dict[str, Type] = {"node": NODE}

FIGURES = ("x_w", "inlet_c", "lanes")
ARITHMETIC = ("+", "-", "*", "/", "//", "%")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
SOME_FIGURES = st.sampled_from([0, 1, 2, 3, 7, 40, 350, 0.25, 2.5, 1e6])
SIGNED = st.sampled_from([0, 1, -1, 25, -40, 0.5, -2.5])


def records(with_gpus: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Complete facts of a GPU, or of a node with up to four GPUs."""
    fields: dict[str, st.SearchStrategy[Any]] = {
        "x_w": SOME_FIGURES,
        "inlet_c": SIGNED,
        "lanes": st.integers(0, 16),
        "is_on": st.booleans(),
        "kind": st.sampled_from(["sxm", "pcie", "oam"]),
        "sizes": st.lists(SOME_FIGURES, max_size=3),
    }
    if with_gpus:
        fields |= {"gpus": st.lists(records(False), max_size=4), "first": records(False)}
    return st.fixed_dictionaries(fields)


def namespace(value: Any) -> Any:
    """The same facts with attribute access, for Python's own evaluation."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: namespace(item) for key, item in value.items()})
    return [namespace(item) for item in value] if isinstance(value, list) else value


@st.composite
def figures(draw: st.DrawFn, depth: int = 3, roots: tuple[str, ...] = ("node", "node.first", "node.gpus[0]")) -> str:
    """The text of an expression that is a number."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if draw(st.booleans()):
            return f"{draw(st.sampled_from(roots))}.{draw(st.sampled_from(FIGURES))}"
        return repr(draw(SOME_FIGURES))
    inner = figures(depth - 1, roots)
    kind = draw(
        st.sampled_from(["binary", "binary", "negative", "choice", "list", "list", "generator", "pair", "round"])
    )
    if kind == "binary":
        return f"({draw(inner)} {draw(st.sampled_from(ARITHMETIC))} {draw(inner)})"
    if kind == "negative":
        return f"-{draw(inner)}"
    if kind == "choice":
        return f"({draw(inner)} if {draw(flags(depth - 1, roots))} else {draw(inner)})"
    if kind == "pair":
        return f"{draw(st.sampled_from(['min', 'max']))}({draw(inner)}, {draw(inner)})"
    if kind == "round":
        return f"{draw(st.sampled_from(['abs', 'round', 'ceil', 'floor']))}({draw(inner)})"
    if kind == "list":
        function = draw(st.sampled_from(["sum", "min", "max", "len", "count"]))
        return f"{function}({draw(st.sampled_from(roots))}.sizes)"
    return draw(aggregates(depth, roots))


@st.composite
def aggregates(draw: st.DrawFn, depth: int, roots: tuple[str, ...]) -> str:
    """A number from a generator."""
    function = draw(st.sampled_from(["sum", "min", "max", "count", "defaulted"]))
    body = draw(loops(depth, roots, figures))
    if function == "defaulted":
        return f"{draw(st.sampled_from(['min', 'max']))}(({body}), default={draw(figures(0, roots))})"
    return f"{function}({body})"


@st.composite
def loops(draw: st.DrawFn, depth: int, roots: tuple[str, ...], element: Any) -> str:
    """The inside of a generator; variables are named by depth, so that none is taken twice."""
    variable = f"g{depth}"
    if element is figures and draw(st.integers(0, 3)) == 0:
        listing = draw(st.sampled_from([f"{roots[-1]}.sizes", f"sorted({roots[0]}.sizes)", "[1, 2.5]"]))
        condition = draw(st.sampled_from(["", f" if {variable} > 1", f" if {variable} in {roots[-1]}.sizes"]))
        value = f"{variable} {draw(st.sampled_from(ARITHMETIC))} {draw(figures(depth - 1, roots))}"
        return f"{value} for {variable} in {listing}{condition}"
    inner = (*roots, variable)
    condition = f" if {draw(flags(depth - 1, inner))}" if draw(st.booleans()) else ""
    return f"{draw(element(depth - 1, inner))} for {variable} in node.gpus{condition}"


@st.composite
def flags(draw: st.DrawFn, depth: int = 3, roots: tuple[str, ...] = ("node", "node.first", "node.gpus[0]")) -> str:
    """The text of an expression that is true or false."""
    root = draw(st.sampled_from(roots))
    if depth == 0:
        return draw(st.sampled_from([f"{root}.is_on", f"{root}.kind == 'sxm'", f"{root}.lanes >= 8", "True"]))
    kind = draw(st.sampled_from(["logic", "not", "compare", "compare", "chain", "in", "sizes", "generator", "leaf"]))
    if kind == "logic":
        joined = f" {draw(st.sampled_from(['and', 'or']))} "
        return "(" + joined.join(draw(st.lists(flags(depth - 1, roots), min_size=2, max_size=3))) + ")"
    if kind == "not":
        return f"(not {draw(flags(depth - 1, roots))})"
    if kind in ("compare", "chain"):
        sides = [draw(figures(depth - 1, roots)) for _ in range(2 + (kind == "chain"))]
        signs = [draw(st.sampled_from(COMPARISONS)) for _ in sides[1:]]
        return "(" + sides[0] + "".join(f" {sign} {side}" for sign, side in zip(signs, sides[1:], strict=True)) + ")"
    if kind == "in":
        return f"({root}.kind {draw(st.sampled_from(['in', 'not in']))} ['sxm', 'oam'])"
    if kind == "sizes":
        listing = draw(st.sampled_from([f"{root}.sizes", f"sorted({root}.sizes)", "[1, 2.5]"]))
        return f"({draw(figures(0, roots))} in {listing})"
    if kind == "generator":
        return f"{draw(st.sampled_from(['all', 'any']))}({draw(loops(depth, roots, flags))})"
    return draw(flags(0, roots))


Place = tuple[str | int, ...]


def places(facts: Any, place: Place = ()) -> Iterator[Place]:
    """All fields of facts that can be missing."""
    if isinstance(facts, dict):
        for key, value in facts.items():
            yield (*place, key)
            yield from places(value, (*place, key))
    elif isinstance(facts, list):
        for index, value in enumerate(facts):
            if isinstance(value, dict):
                yield from places(value, (*place, index))


def without(facts: Any, place: Place) -> Any:
    """A copy of facts in which one field is missing."""
    changed = copy.deepcopy(facts)
    holder = changed
    for step in place[:-1]:
        if isinstance(holder, dict) and step not in holder:
            return changed
        holder = holder[step]
    holder.pop(place[-1], None)
    return changed


_FULL = {"x_w": 350, "inlet_c": -5, "lanes": 16, "is_on": True, "kind": "oam", "sizes": [1, 40]}
_EMPTY = {"x_w": 0, "inlet_c": 0, "lanes": 0, "is_on": False, "kind": "sxm", "sizes": []}
CANDIDATES: dict[str, list[Any]] = {
    "x_w": [0, 2.5, 350, 1e7],
    "inlet_c": [-1e7, -1, 0, 25, 1e7],
    "lanes": [0, 1, 16, 10**7],
    "is_on": [True, False],
    "kind": ["sxm", "pcie", "oam"],
    "sizes": [[], [0], [1, 40], [2.5, 2.5, 1e7]],
    "gpus": [[], [_FULL], [_EMPTY, _FULL], [_FULL, _FULL, _FULL]],
    "first": [_FULL, _EMPTY],
}


def completions(facts: dict[str, Any], missing: list[Place], limit: int = 40) -> Iterator[dict[str, Any]]:
    """Several values for each missing fact: the slow, obvious meaning of `unknown`."""
    outer = [place for place in dict.fromkeys(missing) if not any(place[:n] in missing for n in range(1, len(place)))]
    choices = [CANDIDATES[str(place[-1])] for place in outer]
    for values in itertools.islice(itertools.product(*choices), limit):
        full = copy.deepcopy(facts)
        for place, value in zip(outer, values, strict=True):
            holder: Any = full
            for step in place[:-1]:
                holder = holder[step]
            holder[place[-1]] = value
        yield full
