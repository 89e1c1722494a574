"""Plain data to dataclasses, where it fits them as it stands: the fast way in for a file without faults.

Only what pydantic would take unchanged is taken here (a whole number where a number is wanted becomes one). Everything
else is left to pydantic, which mends it or says what is wrong: see configuration_shape.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from functools import lru_cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from rackwright.limits import Limits

Reader = Callable[[Any], Any]
T = TypeVar("T")


class _UnfitError(Exception):
    """The data does not fit as it stands."""


def record_of(kind: type[T], data: Any) -> T | None:
    """Build the dataclass `kind` from a dict, records inside of it too. None if something does not fit, or might not.

    Types, limits and required keys are those of the fields' annotations, which are types, not texts; an unknown key
    does not fit.
    """
    try:
        record: T = _record(kind, data)
    except _UnfitError:
        return None
    return record


def _record(kind: Any, data: Any) -> Any:
    if type(data) is not dict:
        raise _UnfitError
    readers, required = _fields(kind)
    if not (data.keys() <= readers.keys() and required <= data.keys()):
        raise _UnfitError
    return kind(**{name: readers[name](value) for name, value in data.items()})


@lru_cache(maxsize=64)
def _fields(kind: Any) -> tuple[dict[str, Reader], frozenset[str]]:
    fields = dataclasses.fields(kind)
    required = [f.name for f in fields if f.default is f.default_factory is dataclasses.MISSING]
    return {field.name: _reader(field.type) for field in fields}, frozenset(required)


def _reader(hint: Any) -> Reader:
    """Return the function that takes a value of this annotation or raises _UnfitError."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        reader = _reader(arguments[0])
        for limit in arguments[1:]:
            reader = _limited(reader, limit) if isinstance(limit, Limits) else partial(_checked, reader, limit)
        return reader
    if origin is Literal:
        return partial(_one_of, frozenset(arguments))
    if origin in (Union, UnionType):
        return partial(_first, [_reader(member) for member in arguments])
    if origin is list:
        return partial(_list, _reader(arguments[0]))
    if origin is dict:
        return partial(_dict, _reader(arguments[0]), _reader(arguments[1]))
    if hint is float:
        return _number
    if hint in (str, int, bool, NoneType):
        return partial(_exactly, hint)
    return partial(_record, hint)


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise _UnfitError
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise _UnfitError
    return float(value)


def _one_of(allowed: frozenset[str], value: Any) -> str:
    if type(value) is not str or value not in allowed:
        raise _UnfitError
    return value


def _first(members: list[Reader], value: Any) -> Any:
    for member in members:
        try:
            return member(value)
        except _UnfitError:
            continue
    raise _UnfitError


def _list(element: Reader, value: Any) -> list[Any]:
    return [element(item) for item in _exactly(list, value)]


def _dict(key: Reader, element: Reader, value: Any) -> dict[Any, Any]:
    return {key(name): element(item) for name, item in _exactly(dict, value).items()}


def _checked(reader: Reader, check: Reader, value: Any) -> Any:
    try:
        return check(reader(value))
    except ValueError:
        raise _UnfitError from None


def _limited(reader: Reader, limits: Limits) -> Reader:
    pattern = re.compile(limits.pattern) if limits.pattern else None
    low, high = limits.min_length or 0, limits.max_length
    is_sized = limits.min_length is not None or high is not None

    def limited(value: Any) -> Any:
        found = reader(value)
        if pattern is not None and not pattern.fullmatch(found):
            raise _UnfitError
        if is_sized and not (low <= len(found) and (high is None or len(found) <= high)):
            raise _UnfitError
        if not _is_within(found, limits):
            raise _UnfitError
        return found

    return limited


def _is_within(found: Any, limits: Limits) -> bool:
    return (
        (limits.ge is None or found >= limits.ge)
        and (limits.gt is None or found > limits.gt)
        and (limits.le is None or found <= limits.le)
        and (limits.lt is None or found < limits.lt)
    )
