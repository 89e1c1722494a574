"""From a column that was counted inside a value to the place where the character stands."""

from __future__ import annotations

import pytest

from rackwright.diagnostic import finding
from rackwright.readers.exact_place import settled
from rackwright.source import Location

TEXT = """\
when: a < b
that: "a < b"
- that: 'a < b'
folded: >-
  one two
  three

  four
kept: |  # as it is
    one
    two
    - key: >
        deep
last: x
"""


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (1, 7, (1, 7)),  # plain: right as it is
        (1, 11, (1, 11)),
        (2, 7, (2, 8)),  # a lies behind the quote
        (2, 8, (2, 9)),
        (3, 10, (3, 11)),
        (4, 9, (5, 3)),  # o of one
        (4, 13, (5, 7)),  # t of two
        (4, 17, (6, 3)),  # t of three: `one two ` has eight characters
        (4, 23, (8, 3)),  # f of four: the blank line is the line end
        (9, 7, (10, 5)),
        (9, 11, (11, 5)),
        (4, 2, (4, 2)),  # before the value
        (4, 900, (4, 900)),  # beyond it
        (99, 1, (99, 1)),
    ],
)
def test_place(line: int, column: int, expected: tuple[int, int]) -> None:
    (item,) = settled([finding("RUL010", "x", Location("r.yaml", line, column))], TEXT)
    assert item.at == Location("r.yaml", *expected)


def test_a_finding_without_a_place_stays() -> None:
    assert settled([finding("RUL010", "x")], TEXT) == [finding("RUL010", "x")]
