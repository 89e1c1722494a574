"""`@frozen` classes are the standard library's frozen dataclasses in everything that this program uses."""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest

from rackwright.frozen import frozen


@frozen(slots=True, kw_only=True)
class Base:
    """A base whose fields are given by name and do not count for equality."""

    column: int = field(default=0, compare=False)


@frozen(slots=True)
class Leaf(Base):
    value: int
    names: tuple[str, ...] = ()


@frozen
class Order:
    id: str
    parts: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)

    @cached_property
    def length(self) -> int:
        return len(self.parts)


@dataclass(frozen=True)
class Plain:
    id: str
    parts: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False)


@frozen(slots=True)
class Own:
    """A class with an equality of its own."""

    path: str
    field: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)


@frozen
class Checked:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


def test_values_defaults_and_factories() -> None:
    first, second = Order("a"), Order("b", ["x"])
    assert (first.id, first.parts, first.secret) == ("a", [], "")
    assert first.parts is not Order("a").parts
    assert (second.parts, second.length) == (["x"], 1)


def test_fields_of_a_base_come_first_and_by_name() -> None:
    leaf = Leaf(3, column=7)
    assert (leaf.value, leaf.names, leaf.column) == (3, (), 7)
    assert [item.name for item in dataclasses.fields(Leaf)] == ["column", "value", "names"]
    assert Base(column=2).column == 2


def test_equality_hash_and_repr_are_by_value() -> None:
    assert Leaf(3, column=7) == Leaf(3)
    assert hash(Leaf(3, column=7)) == hash(Leaf(3))
    assert Leaf(3) != Leaf(4)
    assert Leaf(0) != Base()
    assert repr(Leaf(3, ("a",))) == "Leaf(column=0, value=3, names=('a',))"
    assert repr(Order("a", [], "s")) == repr(Plain("a", [], "s")).replace("Plain", "Order")
    with pytest.raises(TypeError, match="unhashable"):
        hash(Order("a"))


def test_own_methods_are_kept() -> None:
    assert Own("a", "x") == Own("a", "y")
    assert hash(Own("a", "x")) == hash("a")
    with pytest.raises(ValueError, match="low is above high"):
        Checked(2, 1)


@pytest.mark.parametrize("record", [Leaf(1), Order("a")])
def test_nothing_changes(record: Any) -> None:
    name = dataclasses.fields(record)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, name, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(record, name)


@pytest.mark.parametrize(("values", "named"), [((), {}), (("a", [], "", 1), {}), (("a",), {"other": 1})])
def test_wrong_arguments_are_refused(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    for kind in (Order, Plain):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_replace_copy_and_match() -> None:
    leaf = Leaf(3, ("a",), column=7)
    assert dataclasses.replace(leaf, value=4) == Leaf(4, ("a",))
    assert dataclasses.replace(leaf, value=4).column == 7
    for same in (copy.copy(leaf), copy.deepcopy(leaf), copy.copy(Order("a", ["x"]))):
        assert same in (leaf, Order("a", ["x"]))
    match leaf:
        case Leaf(value=value, names=(name,)):
            assert (value, name) == (3, "a")
        case _:
            pytest.fail("a record matches its own fields")
