"""Frozen dataclasses that cost little to define.

`@frozen` stands for `@dataclass(frozen=True)`, with the same fields, defaults, equality, hash, repr, fields() and
replace(). The standard library writes and compiles six methods a class when it is defined, which makes the start of a
program with 130 such classes 0.1 s slower (tests/benchmarks). Here `__init__` is written when a class has some
instances, and all classes share the other methods.
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
        own = {name: method for name, method in _SHARED.items() if name not in plain.__dict__}
        if "__eq__" in plain.__dict__ and plain.__dict__.get("__hash__") is not None:
            own.pop("__hash__", None)
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(plain)
        for name, method in own.items():
            setattr(made, name, method)
        return made

    return decorated if kind is None else decorated(kind)


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
    fields = dataclasses.fields(kind)
    given = dict(zip((field.name for field in fields if not field.kw_only), values, strict=False))
    if len(given) < len(values) or not given.keys().isdisjoint(named):
        return False
    given |= named
    for field in fields:
        if field.name not in given:
            if field.default_factory is not dataclasses.MISSING:
                given[field.name] = field.default_factory()
            elif field.default is not dataclasses.MISSING:
                given[field.name] = field.default
            else:
                return False
    if len(given) > len(fields):
        return False
    for name, value in given.items():
        object.__setattr__(record, name, value)
    if hasattr(kind, "__post_init__"):
        record.__post_init__()
    return True


def _written(kind: type[Any]) -> Callable[..., None]:
    fields = sorted(dataclasses.fields(kind), key=lambda field: bool(field.kw_only))
    scope: dict[str, Any] = {"_MISSING": dataclasses.MISSING}
    parameters: list[str] = []
    lines: list[str] = []
    for field in fields:
        name, value = field.name, field.name
        if field.kw_only and "*" not in parameters:
            parameters.append("*")
        if field.default_factory is not dataclasses.MISSING:
            scope[f"_d_{name}"] = field.default_factory
            parameters.append(f"{name}=_MISSING")
            value = f"_d_{name}() if {name} is _MISSING else {name}"
        elif field.default is not dataclasses.MISSING:
            scope[f"_d_{name}"] = field.default
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
