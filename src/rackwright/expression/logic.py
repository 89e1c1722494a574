"""Truth with three values: True, False and Unknown (Kleene), and comparisons of bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from rackwright.expression.interval import Interval
from rackwright.expression.values import Unknown, bounds, unknown

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
"""The sign of a comparison -> what it does with two known values."""


def both(values: Sequence[Any]) -> Any:
    """`and`: False if one is, else Unknown if one is, else True."""
    if any(value is False for value in values):
        return False
    return unknown(values) if any(isinstance(value, Unknown) for value in values) else True


def either(values: Sequence[Any]) -> Any:
    """`or`: True if one is, else Unknown if one is, else False."""
    if any(value is True for value in values):
        return True
    return unknown(values) if any(isinstance(value, Unknown) for value in values) else False


def negated(value: Any) -> Any:
    """`not`: Unknown stays Unknown."""
    return value if isinstance(value, Unknown) else not value


def compare(sign: str, left: Any, right: Any) -> Any:
    """Compare two values; with an unknown one, decide only if the bounds do not overlap."""
    if not isinstance(left, Unknown) and not isinstance(right, Unknown):
        return COMPARE[sign](left, right)
    found = decided(sign, bounds(left), bounds(right))
    return unknown((left, right)) if found is None else found


def decided(sign: str, left: Interval, right: Interval) -> bool | None:
    """Compare two figures of which only the bounds are known; None if they do not settle it."""
    if sign in (">", ">="):
        return decided("<" + sign[1:], right, left)
    (low, high), (other_low, other_high) = left, right
    if sign in ("==", "!="):
        return sign == "!=" if high < other_low or other_high < low else None
    if COMPARE[sign](high, other_low):
        return True
    return None if COMPARE[sign](low, other_high) else False
