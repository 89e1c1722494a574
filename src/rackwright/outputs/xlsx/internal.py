"""The seller's calculation as a workbook of its own: cost, margin, origin of each price. Never for the customer."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Formula, Sheet, Value
from rackwright.outputs.xlsx.styles import BAD, CODE, NUMBER, ROW, SUM, TOTAL, Look
from rackwright.outputs.xlsx.text import literal
from rackwright.proposal.internal import InternalRow, InternalView
from rackwright.proposal.model import Proposal

_MONEY = Look("#,##0.00", align="right")
_RATE = Look("0.00000000", align="right", wraps=False)
_SHARE = Look("0.0%", align="right", wraps=False)
# The columns, as formulas name them.
_QUANTITY, _STATED, _FACTOR, _COST, _NET, _COSTS, _SALES, _MARGIN, _RATIO = "D", "E", "G", "H", "I", "J", "K", "L", "M"


def write_internal(proposal: Proposal, internal: InternalView) -> bytes:
    """Return the calculation of a quote. Formulas are live and hold their values, as in the bill."""
    book = Book(proposal, proposal.labels["sheet.internal_only"])
    label, currency = book.label, internal.currency

    def money(key: str) -> str:
        return f"{label(key)}, {currency}"

    sheet = book.sheet(
        "internal",
        [
            Column(label("position"), 7, CODE),
            Column(label("description"), 40),
            Column(label("supplier_number"), 20, CODE),
            Column(label("quantity"), 9, NUMBER),
            Column(label("cost_stated"), 13, _MONEY),
            Column(label("currency"), 10, CODE),
            Column(label("factor"), 13, _RATE),
            Column(money("cost_unit"), 13, _MONEY),
            Column(money("net_unit"), 13, _MONEY),
            Column(money("cost_total"), 14, _MONEY),
            Column(money("net_total"), 14, _MONEY),
            Column(money("margin"), 14, _MONEY),
            Column(label("margin_ratio"), 10, _SHARE),
            Column(label("margin_wanted"), 10, _SHARE),
            Column(label("price_until"), 12, is_printed=False),
            Column(label("exchange_rate"), 40, is_printed=False),
            Column(label("price_place"), 30, CODE, is_printed=False),
            Column(label("part_id"), 28, CODE, is_printed=False),
        ],
        frozen_columns=2,
    )
    ordered = [row for row in internal.rows if not row.is_offered]
    for row in ordered:
        sheet.add(_cells(book, row, sheet.next_row))
    last = sheet.row
    sheet.filter_to(last)
    if ordered:
        _add_sums(book, sheet, ordered, last)
    for row in internal.rows:
        if row.is_offered:
            sheet.add(_cells(book, row, sheet.next_row))
    if internal.margin_min_ratio is not None and ordered:
        first, least = sheet.head_row + 1, internal.margin_min_ratio
        cell = f"{_RATIO}{first}"
        sheet.mark(f"{cell}:{_RATIO}{last}", f"AND(ISNUMBER({cell}),{cell}<{least})", BAD)
    sheet.close()
    return book.content()


def _cells(book: Book, row: InternalRow, number: int) -> list[Value]:
    unstated = book.label("not_stated")
    cost = row.cost_unit
    costs = None if cost is None else cost * row.total
    sales = None if row.net_unit is None else row.net_unit * row.total
    margin = None if costs is None or sales is None else sales - costs
    ratio = None if margin is None or not sales else margin / sales
    word = literal(unstated)
    unit = f"ROUND({_STATED}{number}*{_FACTOR}{number},2)"
    both = f"AND(ISNUMBER({_COSTS}{number}),ISNUMBER({_SALES}{number}))"
    return [
        row.position,
        row.title,
        row.supplier_number or unstated,
        row.total,
        unstated if row.stated is None else row.stated,
        row.stated_currency,
        None if row.stated is None else (row.rate or Decimal(1)),
        Formula(f"IF(ISNUMBER({_STATED}{number}),{unit},{word})", unstated if cost is None else cost),
        book.label("on_request") if row.net_unit is None else row.net_unit,
        Formula(_times(_COST, number, word), unstated if costs is None else costs),
        Formula(_times(_NET, number, word), unstated if sales is None else sales),
        Formula(f"IF({both},{_SALES}{number}-{_COSTS}{number},{word})", unstated if margin is None else margin),
        Formula(
            f"IF(ISNUMBER({_MARGIN}{number}),IF({_SALES}{number}=0,{word},{_MARGIN}{number}/{_SALES}{number}),{word})",
            unstated if ratio is None else ratio,
        ),
        row.margin_wanted,
        book.date(row.valid_until_iso, "") or unstated,
        row.rate_text,
        row.place or unstated,
        row.part_id,
    ]


def _times(letter: str, number: int, word: str) -> str:
    return f"IF(ISNUMBER({letter}{number}),{letter}{number}*{_QUANTITY}{number},{word})"


def _add_sums(book: Book, sheet: Sheet, rows: Sequence[InternalRow], last: int) -> None:
    """Add the sums of the lines that have both, cost and price, and how many have no cost."""
    first = sheet.head_row + 1
    known = [row for row in rows if row.cost_unit is not None and row.net_unit is not None]
    costs = sum(((row.cost_unit or Decimal(0)) * row.total for row in known), Decimal("0.00"))
    sales = sum(((row.net_unit or Decimal(0)) * row.total for row in known), Decimal("0.00"))
    lacking = sum(1 for row in rows if row.cost_unit is None)
    here = sheet.next_row

    def area(letter: str) -> str:
        return f"{letter}{first}:{letter}{last}"

    # a line counts where its margin is a number, that is where both are known
    both = f"--ISNUMBER({area(_MARGIN)})"
    cells: list[Value] = [None] * len(sheet.columns)
    cells[1] = book.label("lines_with_cost")
    cells[9] = Formula(f"SUMPRODUCT({both},{area(_COSTS)})", costs)
    cells[10] = Formula(f"SUMPRODUCT({both},{area(_SALES)})", sales)
    cells[11] = Formula(f"{_SALES}{here}-{_COSTS}{here}", sales - costs)
    ratio = (sales - costs) / sales if sales else Decimal(0)
    cells[12] = Formula(f"IF({_SALES}{here}=0,0,{_MARGIN}{here}/{_SALES}{here})", ratio)
    sheet.add(cells, TOTAL)
    more: list[Value] = [None] * len(sheet.columns)
    more[1] = book.label("lines_without_cost")
    more[7] = Cell(Formula(f"COUNTIF({area(_COST)},{literal(book.label('not_stated'))})", lacking), NUMBER)
    sheet.add(more, SUM if lacking else ROW)
