"""Interval arithmetic for figures that are not fully known.

An interval is (low, high), both inclusive, possibly infinite. Each function returns an interval that holds every
result that numbers from its arguments can give. Where no bound can be given it is ALL. Bounds are computed with the
same operations as the figures, and rounding is monotone, so a bound is never on the wrong side.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

Interval = tuple[float, float]

ALL: Interval = (-math.inf, math.inf)
NON_NEGATIVE: Interval = (0, math.inf)


def hull(*intervals: Interval) -> Interval:
    """The least interval that holds all of them."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def add(left: Interval, right: Interval) -> Interval:
    """Sum of two figures."""
    return _clean(left[0] + right[0], left[1] + right[1])


def negative(value: Interval) -> Interval:
    """The figure with its sign changed."""
    return -value[1], -value[0]


def subtract(left: Interval, right: Interval) -> Interval:
    """Difference of two figures."""
    return _clean(left[0] - right[1], left[1] - right[0])


def multiply(left: Interval, right: Interval) -> Interval:
    """Product of two figures."""
    return _corners(left, right, lambda a, b: a * b)


def divide(left: Interval, right: Interval) -> Interval:
    """Quotient of two figures; ALL where the divisor can be zero."""
    return ALL if _holds_zero(right) else _corners(left, right, lambda a, b: a / b)


def floor_divide(left: Interval, right: Interval) -> Interval:
    """Whole quotient of two figures; ALL where the divisor can be zero."""
    return ALL if _holds_zero(right) else _corners(left, right, _floor_quotient)


def modulo(left: Interval, right: Interval) -> Interval:
    """Remainder of two figures: between zero and the divisor, both inclusive."""
    return ALL if _holds_zero(right) else (min(0, right[0]), max(0, right[1]))


def absolute(value: Interval) -> Interval:
    """The figure without its sign."""
    low, high = value
    if low >= 0:
        return value
    return (-high, -low) if high <= 0 else (0, max(-low, high))


def monotone(value: Interval, function: Callable[[float], float]) -> Interval:
    """A function that never falls (round, ceil, floor), on both ends."""
    low, high = (end if math.isinf(end) else function(end) for end in value)
    return low, high


def many(value: Interval) -> Interval:
    """The sum of any number of such figures, none included."""
    return (-math.inf if value[0] < 0 else 0), (math.inf if value[1] > 0 else 0)


def _holds_zero(value: Interval) -> bool:
    return value[0] <= 0 <= value[1]


def _floor_quotient(left: float, right: float) -> float:
    if math.isinf(left):
        return left / right
    if math.isinf(right):
        return -1 if left and (left < 0) != (right < 0) else 0
    return left // right


def _corners(left: Interval, right: Interval, operation: Callable[[float, float], float]) -> Interval:
    # A product is extreme at the ends of both factors. nan is 0 x inf or inf / inf: its limit there is 0, or
    # lies between 0 and another corner.
    values = [operation(a, b) for a in left for b in right]
    values = [0 if math.isnan(value) else value for value in values]
    return min(values), max(values)


def _clean(low: float, high: float) -> Interval:
    return (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)


ARITHMETIC: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Interval, Interval], Interval]]] = {
    "+": (operator.add, add),
    "-": (operator.sub, subtract),
    "*": (operator.mul, multiply),
    "/": (operator.truediv, divide),
    "//": (operator.floordiv, floor_divide),
    "%": (operator.mod, modulo),
}
"""The sign of an operation -> what it does with two known figures, and with two intervals."""
