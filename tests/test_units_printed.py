"""Figures in units that makers print, turned into ours. Each expected value is worked out by hand."""

from __future__ import annotations

import pytest

from rackwright.units import converted, is_same_unit


@pytest.mark.parametrize(
    ("value", "printed", "suffix", "expected"),
    [
        (9.5, "in", "mm", 241.3),  # 9.5 x 25.4
        (4.4, '"', "mm", 111.8),  # 111.76
        (26.7, "cm", "mm", 267.0),
        (2.2, "lb", "kg", 0.9979),  # 2.2 x 0.45359237 = 0.997903
        (66, "lbs", "kg", 29.9),  # 29.937
        (2.7, "kW", "w", 2700.0),
        (3.35, "TB/s", "gb_s", 3350.0),
        (100, "CFM", "m3_h", 169.9),  # 100 x 0.3048^3 x 60 = 169.901
        (95, "°F", "c", 35.0),
        (80, "%", "ratio", 0.8),
        (3, "TB", "gb", None),  # memory: 3072; drives: 3000
        (3.35, "Tb/s", "gb_s", None),  # bits
        (5, "parsec", "mm", None),
    ],
)
def test_a_printed_figure_in_our_unit(value: float, printed: str, suffix: str, expected: float | None) -> None:
    assert converted(value, printed, suffix) == expected


def test_bits_are_no_bytes() -> None:
    assert is_same_unit("w", "W")
    assert is_same_unit("GB/S", "GB/s")
    assert not is_same_unit("Gb/s", "GB/s")
