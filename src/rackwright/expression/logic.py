"""Truth with three values: True, False and Unknown (Kleene), and comparisons of bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

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
    if sign in (">", ">="):
        return compare("<" + sign[1:], right, left)
    (low, high), (other_low, other_high) = bounds(left), bounds(right)
    if sign in ("==", "!="):
        if high < other_low or other_high < low:
            return sign == "!="
    elif COMPARE[sign](high, other_low):
        return True
    elif not COMPARE[sign](low, other_high):
        return False
    return unknown((left, right))
