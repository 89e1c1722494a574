"""The efficiency of supplies by load: the same curve for code and for formulas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placement.builders import part
from rackwright.facts.conversion import Points, efficiency_at, efficiency_points, segments

TITANIUM = ((0.1, 0.90), (0.2, 0.94), (0.5, 0.96), (1.0, 0.91))


@pytest.mark.parametrize(
    ("data", "voltage_v", "expected"),
    [
        ({"efficiency_class": "titanium"}, 230, TITANIUM),
        ({"efficiency_class": "titanium"}, None, TITANIUM),
        ({"efficiency_class": "titanium"}, 120, ((0.1, 0.90), (0.2, 0.92), (0.5, 0.94), (1.0, 0.90))),
        ({"efficiency_class": "gold"}, 208, ((0.2, 0.88), (0.5, 0.92), (1.0, 0.88))),
        ({"efficiency_class": "bronze"}, 100, ((0.2, 0.82), (0.5, 0.85), (1.0, 0.82))),
        ({}, 230, None),
        ({"efficiency": [{"load_ratio": 0.5, "efficiency_ratio": 0.97}]}, 230, ((0.5, 0.97), (1.0, 0.97))),
        (
            {"efficiency_class": "titanium", "efficiency": [{"load_ratio": 0.5, "efficiency_ratio": 0.97}]},
            230,
            ((0.5, 0.97), (1.0, 0.91)),
        ),
        (
            {
                "efficiency": [
                    {"load_ratio": 1, "efficiency_ratio": 0.95},
                    {"load_ratio": 0.5, "efficiency_ratio": 0.97},
                ]
            },
            230,
            ((0.5, 0.97), (1.0, 0.95)),
        ),
    ],
)
def test_the_makers_points_count_before_those_of_the_class(
    data: dict[str, Any], voltage_v: float | None, expected: Points | None
) -> None:
    assert efficiency_points(part("psu", "psu", **data), voltage_v) == expected


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (0, 0.90),
        (0.05, 0.90),
        (0.1, 0.90),
        (0.15, 0.92),
        (0.2, 0.94),
        (0.35, 0.95),
        (0.75, 0.935),
        (1, 0.91),
        (1.4, 0.91),
    ],
)
def test_between_the_points_it_lies_on_a_line_and_outside_nothing_is_extrapolated(load: float, expected: float) -> None:
    assert efficiency_at(TITANIUM, load) == pytest.approx(expected)


POINTS = st.lists(
    st.tuples(st.floats(0.02, 1), st.floats(0.5, 0.99)),
    min_size=1,
    max_size=5,
    unique_by=lambda point: round(point[0], 3),
).map(lambda points: tuple(sorted(points)))


@given(POINTS, st.floats(0, 5))
def test_the_pieces_that_formulas_pick_are_the_same_curve(points: Points, load: float) -> None:
    (piece,) = [one for one in segments(points) if one["load_from_ratio"] <= load < one["load_to_ratio"]]
    width = piece["load_to_ratio"] - piece["load_from_ratio"]
    left, right = piece["load_to_ratio"] - load, load - piece["load_from_ratio"]
    value = (piece["efficiency_from_ratio"] * left + piece["efficiency_to_ratio"] * right) / width
    assert value == pytest.approx(efficiency_at(points, load), rel=1e-6)
