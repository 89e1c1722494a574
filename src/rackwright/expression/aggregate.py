"""Functions over lists whose elements may be unknown, uncertain to be there, or of unknown number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rackwright.expression import interval
from rackwright.expression.interval import ALL, Interval
from rackwright.expression.logic import compare, either, negated
from rackwright.expression.values import Items, Unknown, bounds, unknown


def contains(items: Items, wanted: Any) -> Any:
    """`wanted in items`."""
    return _any(_mapped(items, lambda item: compare("==", wanted, item)))


def _any(items: Items, default: Any = None) -> Any:
    """True if one element is true and certain; False if all are false, however many there are."""
    found: list[Any] = []
    for value, is_certain in zip(items.values, items.certain, strict=True):
        found.append(value if is_certain or value is False else unknown([value, *items.doubts]))
    if items.has_rest and items.rest is not False:
        found.append(unknown([items.rest, *items.doubts]))
    return either(found)


def _all(items: Items, default: Any = None) -> Any:
    """False if one element is false and certain; True if all are true, however many there are."""
    return negated(_any(_mapped(items, negated)))


def _sum(items: Items, default: Any = None) -> Any:
    """The sum; an element that may not be there counts as itself or as nothing."""
    if items.is_exact():
        return sum(items.values)
    pairs = zip(items.values, items.certain, strict=True)
    terms = [bounds(value) if is_certain else interval.hull(bounds(value), (0, 0)) for value, is_certain in pairs]
    total = interval.add((0, 0), (sum(low for low, _ in terms), sum(high for _, high in terms)))
    if items.has_rest:
        total = interval.add(total, interval.many(bounds(items.rest)))
    return unknown(items.causes(), total)


def _count(items: Items, default: Any = None) -> Any:
    """How many elements there are; their values do not matter."""
    least = sum(items.certain)
    most = math.inf if items.has_rest else len(items.values)
    return unknown([items.rest, *items.doubts], (least, most))


def _min(items: Items, default: Any = None) -> Any:
    """The least element; `default` if there is none, or a figure that nobody knows."""
    if items.is_exact() and items.values:
        return min(items.values)
    return _extreme(items, default, "min", lambda within: within)


def _max(items: Items, default: Any = None) -> Any:
    """The greatest element; `default` if there is none, or a figure that nobody knows."""
    if items.is_exact() and items.values:
        return max(items.values)
    return _extreme(items, default, "max", interval.negative)


def _extreme(items: Items, default: Any, name: str, turned: Callable[[Interval], Interval]) -> Any:
    """The least of bounds, after `turned` made a greatest of it."""
    if not items.values and not items.has_rest:
        return Unknown(reason=f"{name} of an empty list") if default is None else default
    certain = [turned(bounds(v)) for v, is_certain in zip(items.values, items.certain, strict=True) if is_certain]
    possible = [turned(bounds(value)) for value in (items.values + [items.rest] * items.has_rest)]
    if certain:
        within = min(low for low, _ in possible), min(high for _, high in certain)
    elif default is None:
        return unknown(items.causes(), ALL)
    else:
        within = interval.hull(*possible, turned(bounds(default)))
    return unknown([*items.causes(), default], turned(within))


def _sorted(items: Items, default: Any = None) -> Any:
    """The elements in order; a list with an unknown element is unknown."""
    return sorted(items.values) if items.is_exact() else Unknown(_missing(items))


def _missing(items: Items) -> Any:
    found = unknown(items.causes())
    return found.missing


def _mapped(items: Items, function: Callable[[Any], Any]) -> Items:
    rest = function(items.rest) if items.has_rest else None
    return Items([function(value) for value in items.values], items.certain, rest, items.has_rest, items.doubts)


AGGREGATES: dict[str, Callable[[Items, Any], Any]] = {
    "any": _any,
    "all": _all,
    "sum": _sum,
    "count": _count,
    "len": _count,
    "min": _min,
    "max": _max,
    "sorted": _sorted,
}
