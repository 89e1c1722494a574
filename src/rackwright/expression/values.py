"""What the exact path works with: known and unknown values, how they were reached, and traces."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rackwright.expression import interval
from rackwright.expression.interval import ALL, Interval
from rackwright.expression.tree import Node
from rackwright.expression.types import ListOf, Number, Type
from rackwright.frozen import frozen
from rackwright.units import SIGNED_SUFFIXES, Unit, suffix_of


@frozen(slots=True)
class Read:
    """One access to a fact.

    `path` is the whole path with indices, `node.gpus[2].part.power.max_w`. `owner` is the record that should hold it:
    the nearest one around it with an `id` and an `evidence` (a part of the catalog), else the nearest with an `id`,
    else None. `field` is the rest of the path from there, `power.max_w`. `holder` is the record that directly holds it.
    """

    path: str
    owner: Mapping[str, Any] | None
    field: str
    holder: Mapping[str, Any] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Read) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def owner_id(self) -> str:
        """The id of the owner, an empty text if there is none."""
        return str(self.owner["id"]) if self.owner is not None else ""


@frozen(slots=True)
class Unknown:
    """A value that cannot be known: which facts are missing, and the bounds if it is a figure.

    `reason` says what else stood in the way, such as a division by zero.
    """

    missing: tuple[Read, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    reason: str = ""


@frozen(slots=True)
class Trace:
    """How one part of an expression got its value.

    `children` are the traces below it, in the order of evaluation; a fact that is a named quantity has the trace of
    the quantity as its only child. `role` is `element`, `condition` or `source` below a generator, else empty.
    """

    text: str
    value: Any
    unit: Unit
    node: Node
    children: tuple[Trace, ...] = ()
    reads: tuple[Read, ...] = ()
    role: str = ""

    def all_reads(self) -> tuple[Read, ...]:
        """Every fact that the value rests on, once, those below named quantities included."""
        below = [read for child in self.children for read in child.all_reads()]
        return tuple(dict.fromkeys([*self.reads, *below]))


@frozen(slots=True)
class Result:
    """What an evaluation gives: a plain value or Unknown, and the trace if it was asked for."""

    value: Any
    trace: Trace | None = None

    @property
    def is_known(self) -> bool:
        """Tell whether there is a plain value."""
        return not isinstance(self.value, Unknown)

    @property
    def missing(self) -> tuple[Read, ...]:
        """The facts that are missing, empty for a known value."""
        return self.value.missing if isinstance(self.value, Unknown) else ()


Resolver = Callable[[Mapping[str, Any], str], Result | None]


@dataclass(slots=True)
class Bound:
    """A value and how it was reached: the record or list it stands in and its key there. Roots have no parent."""

    value: Any
    key: str | int
    parent: Bound | None = None
    shape: Type | None = None

    def name(self) -> str:
        """The nearest name: of the field, or of the list that the element stands in."""
        bound: Bound | None = self
        while bound is not None and isinstance(bound.key, int):
            bound = bound.parent
        return str(bound.key) if bound is not None else ""

    def read(self) -> Read:
        """The access to this value, as a person should read it."""
        chain: list[Bound] = []
        bound: Bound | None = self
        while bound is not None:
            chain.append(bound)
            bound = bound.parent
        chain.reverse()
        owners = [i for i, link in enumerate(chain[:-1]) if isinstance(link.value, Mapping) and "id" in link.value]
        parts = [i for i in owners if "evidence" in chain[i].value]
        position = max(parts or owners, default=-1)
        owner = chain[position].value if position >= 0 else None
        holder = self.parent.value if self.parent is not None and isinstance(self.parent.value, Mapping) else None
        return Read(_spell(chain), owner, _spell(chain[position + 1 :]), holder)

    def range(self) -> Interval:
        """The bounds of this value as long as nobody knows it."""
        shape = self.shape
        while isinstance(shape, ListOf):  # an unknown list has the bounds of its elements
            shape = shape.element
        if shape is not None:
            return interval.NON_NEGATIVE if isinstance(shape, Number) and not shape.is_signed else ALL
        return range_of(self.name())


def range_of(name: str) -> Interval:
    """The bounds of a missing fact as the unit in its name tells them."""
    suffix = suffix_of(name)
    return ALL if suffix is None or suffix in SIGNED_SUFFIXES else interval.NON_NEGATIVE


def _spell(chain: Sequence[Bound]) -> str:
    text = "".join(f"[{link.key}]" if isinstance(link.key, int) else f".{link.key}" for link in chain)
    return text.removeprefix(".")


Env = Mapping[str, Bound]


@dataclass(slots=True)
class Items:
    """What a list or generator yields: values with whether they are certainly there, and perhaps any number of `rest`.

    `rest` stands for the elements of a list that is not known; `has_rest` tells whether there are such. `doubts` are
    the conditions, and the list itself, where they are unknown.
    """

    values: list[Any]
    certain: list[bool]
    rest: Any = None
    has_rest: bool = False
    doubts: list[Any] = field(default_factory=list)

    def causes(self) -> list[Any]:
        """Everything that may be unknown here, conditions included."""
        return [*self.values, self.rest, *self.doubts]

    def is_exact(self) -> bool:
        """Tell whether all elements are known and certainly there."""
        return not self.has_rest and all(self.certain) and not any(isinstance(v, Unknown) for v in self.values)


def bounds(value: Any) -> Interval:
    """The interval of a value: a point for a figure, ALL for what is no figure."""
    if isinstance(value, Unknown):
        return value.low, value.high
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value, value
    return ALL


def unknown(causes: Sequence[Any], within: Interval = ALL) -> Any:
    """An Unknown that rests on those of `causes` that are unknown; a plain figure if the bounds leave only one."""
    low, high = within
    if low == high and math.isfinite(low):
        return low
    found = [cause for cause in causes if isinstance(cause, Unknown)]
    missing = tuple(dict.fromkeys(read for cause in found for read in cause.missing))
    reasons = dict.fromkeys(cause.reason for cause in found if cause.reason)
    return Unknown(missing, low, high, "; ".join(reasons))
