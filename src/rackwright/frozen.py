"""Frozen dataclasses that cost little to define.

`@frozen` stands for `@dataclass(frozen=True)`, with the same fields, defaults, equality, hash, repr, fields() and
replace(). The standard library writes and compiles six methods a class when it is defined, which makes the start of a
program with 130 such classes 0.1 s slower (tests/benchmarks). Here `__init__` is written when a class has some
instances, all classes share the other methods, and the standard library's own description of the fields is made when
somebody asks for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(kind: type[T], /) -> type[T]: ...


@overload
def frozen(*, slots: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def frozen(kind: type[Any] | None = None, /, *, slots: bool = False, kw_only: bool = False) -> Any:
    """Make a class a frozen dataclass; `slots` and `kw_only` as there. Methods that the class has are kept."""

    def decorated(plain: type[Any]) -> type[Any]:
        members = {member.name: member for base in reversed(plain.__mro__[1:]) for member in _members_of(base)}
        own = _own_members(plain, kw_only=kw_only)
        members |= own
        made = _with_slots(plain, own) if slots else _without_fields(plain, own)
        positional = tuple(member.name for member in members.values() if not member.kw_only)
        about = {"__members__": tuple(members.values()), "__match_args__": positional, "__dataclass_fields__": _FIELDS}
        shared = {name: method for name, method in _SHARED.items() if name not in plain.__dict__}
        if "__eq__" in plain.__dict__ and plain.__dict__.get("__hash__") is not None:
            shared.pop("__hash__", None)
        for name, value in (about | shared).items():
            setattr(made, name, value)
        return made

    return decorated if kind is None else decorated(kind)


class _Member:
    """A field as the class states it. `default`: a value, the standard library's Field, or MISSING."""

    __slots__ = ("annotation", "default", "factory", "kw_only", "name", "stated")

    def __init__(self, name: str, annotation: Any, stated: Any, kw_only: bool) -> None:
        self.name = name
        self.annotation = annotation
        self.stated = stated
        is_field = isinstance(stated, dataclasses.Field)
        self.default = stated.default if is_field else stated
        self.factory: Any = stated.default_factory if is_field else dataclasses.MISSING
        self.kw_only = stated.kw_only is True if is_field and not kw_only else kw_only


def _members_of(kind: type[Any]) -> tuple[_Member, ...]:
    members: tuple[_Member, ...] = kind.__dict__.get("__members__", ())
    return members


def _own_members(plain: type[Any], *, kw_only: bool) -> dict[str, _Member]:
    stated = plain.__dict__
    return {
        name: _Member(name, annotation, stated.get(name, dataclasses.MISSING), kw_only)
        for name, annotation in stated.get("__annotations__", {}).items()
    }


def _with_slots(plain: type[Any], own: dict[str, _Member]) -> type[Any]:
    """Make the class once more, with slots for its own fields."""
    left_out = {*own, "__dict__", "__weakref__"}
    body = {name: value for name, value in plain.__dict__.items() if name not in left_out}
    body["__slots__"] = tuple(own)
    meta: Any = type(plain)
    made: type[Any] = meta(plain.__name__, plain.__bases__, body)
    made.__qualname__ = plain.__qualname__
    return made


def _without_fields(plain: type[Any], own: dict[str, _Member]) -> type[Any]:
    """Put plain defaults where the class states a Field."""
    for member in own.values():
        if member.default is not dataclasses.MISSING:
            setattr(plain, member.name, member.default)
        elif member.stated is not dataclasses.MISSING:
            delattr(plain, member.name)
    return plain


class _Fields:
    """Stands in for `__dataclass_fields__` of a class until somebody asks for it."""

    def __get__(self, _record: Any, kind: Any) -> Any:
        body: dict[str, Any] = {"__module__": kind.__module__, "__doc__": kind.__doc__ or "-", "__annotations__": {}}
        for member in kind.__members__:
            body["__annotations__"][member.name] = member.annotation
            stated = member.stated
            if member.kw_only and not isinstance(stated, dataclasses.Field):
                stated = dataclasses.field(default=stated)
            if isinstance(stated, dataclasses.Field):
                stated.kw_only = member.kw_only
            if stated is not dataclasses.MISSING:
                body[member.name] = stated
        described: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type(kind.__name__, (), body))
        kind.__dataclass_fields__ = described.__dataclass_fields__
        return kind.__dataclass_fields__


_FIELDS = _Fields()

# A class whose instances are fewer is filled value by value: compiling its `__init__` would take longer.
_FEW = 16
_made: dict[type[Any], int] = {}


def _init(self: Any, *values: Any, **named: Any) -> None:
    """Stand in for the `__init__` of a class until it has some instances, or is given wrong arguments."""
    kind = next(k for k in type(self).__mro__ if k.__dict__.get("__init__") is _init)
    _made[kind] = _made.get(kind, 0) + 1
    if _made[kind] > _FEW or not _filled(self, kind, values, named):
        written = _written(kind)
        kind.__init__ = written  # type: ignore[misc]
        written(self, *values, **named)


def _filled(record: Any, kind: type[Any], values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Set all fields; False if the arguments do not fit them."""
    given = dict(zip(kind.__match_args__, values, strict=False))
    if len(given) < len(values) or not given.keys().isdisjoint(named):
        return False
    given |= named
    members = _members_of(kind)
    for member in members:
        if member.name not in given:
            if member.factory is not dataclasses.MISSING:
                given[member.name] = member.factory()
            elif member.default is not dataclasses.MISSING:
                given[member.name] = member.default
            else:
                return False
    if len(given) > len(members):
        return False
    for name, value in given.items():
        object.__setattr__(record, name, value)
    if hasattr(kind, "__post_init__"):
        record.__post_init__()
    return True


def _written(kind: type[Any]) -> Callable[..., None]:
    members = sorted(_members_of(kind), key=lambda member: member.kw_only)
    scope: dict[str, Any] = {"_MISSING": dataclasses.MISSING}
    parameters: list[str] = []
    lines: list[str] = []
    for member in members:
        name, value = member.name, member.name
        if member.kw_only and "*" not in parameters:
            parameters.append("*")
        if member.factory is not dataclasses.MISSING:
            scope[f"_d_{name}"] = member.factory
            parameters.append(f"{name}=_MISSING")
            value = f"_d_{name}() if {name} is _MISSING else {name}"
        elif member.default is not dataclasses.MISSING:
            scope[f"_d_{name}"] = member.default
            parameters.append(f"{name}=_d_{name}")
        else:
            parameters.append(name)
        slot = getattr(kind, name, None)
        if isinstance(slot, MemberDescriptorType):  # twice as fast as object.__setattr__
            scope[f"_s_{name}"] = slot.__set__
            lines.append(f" _s_{name}(self, {value})")
        else:
            lines.append(f" self.__dict__[{name!r}] = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{kind.__qualname__}.__init__"
    return init


@cache
def _getter(kind: Any) -> Callable[[Any], Any]:
    names = [field.name for field in dataclasses.fields(kind) if field.compare]
    return attrgetter(*names) if names else lambda _record: ()


def _compared(record: Any) -> Any:
    return _getter(record.__class__)(record)


def _eq(self: Any, other: object) -> Any:
    return _compared(self) == _compared(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _repr(self: Any) -> str:
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(_self: Any, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(_self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _setstate(self: Any, state: Any) -> None:
    """Take the state of a copy: what object.__reduce_ex__ gives, with slots or without."""
    for part in state if isinstance(state, tuple) else (state,):
        for name, value in (part or {}).items():
            object.__setattr__(self, name, value)


_SHARED: dict[str, Any] = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__setstate__": _setstate,
}
