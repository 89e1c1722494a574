"""Each ratio stays within its bound: `python -m pytest tests/benchmarks -s` prints them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.measure import Row
from benchmarks.ratios import ALL, rows_of, table


@pytest.mark.parametrize("measured", ALL, ids=lambda measured: measured.__name__)
def test_ratios_are_within_their_bounds(measured: Callable[[Path], list[Row]], tmp_path: Path) -> None:
    rows = rows_of(measured, tmp_path)
    sys.stdout.write("\n" + table(rows) + "\n")
    assert [row for row in rows if row.ratio > row.bound] == []
