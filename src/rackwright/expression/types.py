"""The closed set of types that a fact or an expression can have. Facts models are described with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rackwright.frozen import frozen
from rackwright.units import NUMBER, Unit


@frozen(slots=True)
class Number:
    """A figure with a unit. `is_signed` says that it may be below zero; a missing unsigned figure is at least 0."""

    unit: Unit = NUMBER
    is_signed: bool = False
    is_integer: bool = False

    def __str__(self) -> str:
        return f"number in {self.unit.symbol}" if self.unit.symbol else "pure number"


@frozen(slots=True)
class Text:
    """A text; `choices` are the only values it can have, None if it is free."""

    choices: frozenset[str] | None = None

    def __str__(self) -> str:
        return "text"


@frozen(slots=True)
class Flag:
    """True or False."""

    def __str__(self) -> str:
        return "flag"


@frozen(slots=True)
class ListOf:
    """An ordered list of values of one type."""

    element: Type

    def __str__(self) -> str:
        return f"list of {self.element}"


@frozen(slots=True)
class Record:
    """A record with named fields. Records are equal by name; `fields` may be filled later, so they can be recursive."""

    name: str
    fields: Mapping[str, Field] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"record {self.name}"


Type = Number | Text | Flag | ListOf | Record


@frozen(slots=True)
class Field:
    """One field of a record: its type, one sentence for the documentation, and whether it may be absent."""

    shape: Type
    doc: str = ""
    is_optional: bool = True
