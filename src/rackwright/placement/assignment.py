"""The assignment of rows to columns of least cost, with the prices that prove it (the Hungarian method)."""

from __future__ import annotations

from collections.abc import Sequence


def prices(costs: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Return prices of rows and columns whose sums bound every assignment of the rows from below.

    `costs` has at least as many columns as rows. For every row i and column j: row[i] + column[j] <= costs[i][j], and
    no column price is above 0. So any choice of distinct columns for some rows costs at least the prices of these
    rows and of all columns that they may use; for all rows together the bound is reached.
    Source: Kuhn (1955) and Munkres (1957), in the form with shortest augmenting paths: rows x rows x columns steps.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    row_price, column_price = [0] * (rows + 1), [0] * (columns + 1)
    owner = [0] * (columns + 1)  # row of each column, counted from 1; column 0 is the row that is being placed
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(costs, row_price, column_price, owner)
    return row_price[1:], column_price[1:]


def _augment(costs: Sequence[Sequence[int]], row_price: list[int], column_price: list[int], owner: list[int]) -> None:
    """Give the row that waits in column 0 a column, moving others along the cheapest path, and adapt the prices."""
    columns = len(column_price) - 1
    slack: list[int | None] = [None] * (columns + 1)
    before = [0] * (columns + 1)
    is_seen = [False] * (columns + 1)
    column = 0
    while True:
        is_seen[column] = True
        row = owner[column]
        line, own_price = costs[row - 1], row_price[row]
        least, following = None, 0
        for other in range(1, columns + 1):
            if is_seen[other]:
                continue
            reduced = line[other - 1] - own_price - column_price[other]
            known = slack[other]
            if known is None or reduced < known:
                slack[other], before[other], known = reduced, column, reduced
            if least is None or known < least:
                least, following = known, other
        assert least is not None  # there are at least as many columns as rows
        for other in range(columns + 1):
            if is_seen[other]:
                row_price[owner[other]] += least
                column_price[other] -= least
            elif (rest := slack[other]) is not None:
                slack[other] = rest - least
        column = following
        if owner[column] == 0:
            break
    while column:
        owner[column] = owner[before[column]]
        column = before[column]
