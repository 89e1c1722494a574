"""Interval arithmetic holds every result that figures inside the intervals can give."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rackwright.expression import interval

ENDS = st.sampled_from([-math.inf, -1e6, -7.5, -2, -1, -0.25, 0, 0.25, 1, 2, 7.5, 1e6, math.inf])
POINTS = st.sampled_from(
    [-1e9, -1e6, -100, -7.5, -3, -2, -1, -0.5, -0.25, 0, 0.1, 0.25, 0.5, 1, 2, 3, 7.5, 100, 1e6, 1e9]
)


@st.composite
def intervals_with_point(draw: st.DrawFn) -> tuple[interval.Interval, float]:
    """An interval and a finite figure inside."""
    point = draw(POINTS)
    low, high = draw(ENDS.filter(lambda end: end <= point)), draw(ENDS.filter(lambda end: end >= point))
    return draw(st.sampled_from([(low, high), (low, point), (point, high), (point, point)])), point


BINARY: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], interval.Interval]]] = [
    (operator.add, interval.add),
    (operator.sub, interval.subtract),
    (operator.mul, interval.multiply),
    (operator.truediv, interval.divide),
    (operator.floordiv, interval.floor_divide),
    (operator.mod, interval.modulo),
]


@pytest.mark.parametrize(("exact", "within"), BINARY, ids=lambda function: function.__name__)
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(intervals_with_point(), intervals_with_point())
def test_binary_operation(exact: Any, within: Any, left: Any, right: Any) -> None:
    low, high = within(left[0], right[0])
    assert not math.isnan(low)
    assert not math.isnan(high)
    if right[1] or exact not in (operator.truediv, operator.floordiv, operator.mod):
        assert low <= exact(left[1], right[1]) <= high


UNARY: list[tuple[Callable[[Any], Any], Callable[[Any], interval.Interval]]] = [
    (operator.neg, interval.negative),
    (abs, interval.absolute),
    (math.floor, lambda value: interval.monotone(value, math.floor)),
    (round, lambda value: interval.monotone(value, round)),
    (lambda point: 3 * point, interval.many),
]


@pytest.mark.parametrize(("exact", "within"), UNARY, ids=["negative", "absolute", "floor", "round", "many"])
@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(intervals_with_point())
def test_unary_operation(exact: Any, within: Any, value: Any) -> None:
    low, high = within(value[0])
    assert low <= exact(value[1]) <= high


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (interval.add((1, 2), (3, math.inf)), (4, math.inf)),
        (interval.subtract((1, 2), (3, 5)), (-4, -1)),
        (interval.multiply((-1, 2), (3, 5)), (-5, 10)),
        (interval.multiply((0, 0), (0, math.inf)), (0, 0)),
        (interval.divide((10, 10), (2, math.inf)), (0, 5)),
        (interval.divide((1, 2), (-1, 1)), interval.ALL),
        (interval.floor_divide((-7, 7), (2, 2)), (-4, 3)),
        (interval.modulo((0, 100), (1, 8)), (0, 8)),
        (interval.absolute((-3, 2)), (0, 3)),
        (interval.many((0, 5)), (0, math.inf)),
        (interval.hull((0, 1), (5, 6)), (0, 6)),
    ],
)
def test_bounds_by_hand(found: interval.Interval, expected: interval.Interval) -> None:
    assert found == expected
