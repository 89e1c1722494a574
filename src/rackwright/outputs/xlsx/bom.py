"""The bill of materials as a table that calculates: change a number of nodes or a price and everything follows.

Every stored value of a formula is the amount of the view model, or the exact sum of amounts of the view model where
that has none (the price of one node, the sum of a group that is not complete). The tests let another program
recalculate the file and compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from openpyxl.worksheet.datavalidation import DataValidation

from rackwright.diagnostic import fill
from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Formula, Sheet, Value
from rackwright.outputs.xlsx.styles import (
    ASKED,
    BELOW,
    CAUTION,
    CODE,
    DISCOUNT,
    GROUP,
    INPUT,
    NUMBER,
    PLAIN,
    REMARK,
    SHARE,
    SUM,
    TOTAL,
    WHOLE,
    Look,
    Tone,
)
from rackwright.outputs.xlsx.text import joined, literal
from rackwright.proposal.model import BomRow
from rackwright.proposal.money_model import VatRow

_MONEY = Look("#,##0.00", align="right", wraps=False)
# The columns, as formulas name them.
DESCRIPTION, EACH, NODES, QUANTITY = "B", "F", "G", "H"
TAXED = "E"
LIST, DISCOUNTED, NET, TOTALS, CHECKED = "I", "J", "K", "L", "M"


@dataclass(slots=True)
class Places:
    """Where other sheets find what they show: rows by index in the view model, cells of the totals by name."""

    sheet: Sheet
    rows: dict[int, int] = field(default_factory=dict)
    totals: list[tuple[Formula | str, Formula]] = field(default_factory=list)
    remarks: list[Formula] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Group:
    """A head row with its lines; `head` is None for lines without one."""

    head: int | None
    lines: Sequence[int]


def add_bom(book: Book) -> Places:
    """Add the bill."""
    sheet = book.sheet("bom", _columns(book), frozen_columns=2)
    sheet.worksheet.sheet_properties.outlinePr.summaryBelow = False
    places = Places(sheet)
    for group in _groups(book.proposal.bom.rows):
        _add_group(book, places, group)
    last = sheet.row
    sheet.filter_to(last)
    if places.rows:
        _add_totals(book, places, last)
        _add_guards(book, places, last)
    sheet.close()
    return places


def _columns(book: Book) -> list[Column]:
    label, currency = book.label, book.proposal.bom.currency
    money = Look(_money_format(label("included")), align="right")
    # A line total of zero means that nothing is ordered; a unit price of zero that the part is included.
    total = Look('#,##0.00;-#,##0.00;"–"', align="right")
    return [
        Column(label("position"), 7, CODE),
        Column(label("description"), 43, PLAIN),
        Column(label("maker"), 13),
        Column(label("mpn"), 21, CODE),
        Column(label("vat_category"), 15),
        Column(label("quantity_per_node"), 9, NUMBER),
        Column(label("nodes"), 8, NUMBER),
        Column(label("quantity"), 9, NUMBER),
        Column(f"{label('list_unit')}, {currency}", 13, money),
        Column(label("discount"), 10, Look(DISCOUNT, align="right", wraps=False)),
        Column(f"{label('net_unit')}, {currency}", 14, money),
        Column(f"{label('net_total')}, {currency}", 14, total),
        Column(label("nodes_checked"), 13, replace(NUMBER, color=REMARK.color), is_printed=False),
        Column(label("lead_time"), 11, Look(WHOLE, align="right"), is_printed=False),
        Column(label("price_until"), 12, is_printed=False),
        Column(label("foreign_price"), 18, Look(align="right"), is_printed=False),
    ]


def _money_format(included: str) -> str:
    word = included.replace('"', "")
    return f'#,##0.00;-#,##0.00;"{word}"'


def _groups(rows: Sequence[BomRow]) -> Iterator[_Group]:
    head: int | None = None
    lines: list[int] = []
    for index, row in enumerate(rows):
        if not row.is_group:
            lines.append(index)
            continue
        if head is not None or lines:
            yield _Group(head, lines)
        head, lines = index, []
    if head is not None or lines:
        yield _Group(head, lines)


def _titled(row: BomRow) -> str:
    if not row.note:
        return row.title
    return f"{row.title} ({row.note})" if row.is_group else f"{row.title}\n{row.note}"


def _add_group(book: Book, places: Places, group: _Group) -> None:
    rows, sheet = book.proposal.bom.rows, places.sheet
    nodes = ""
    if group.head is not None:
        head = rows[group.head]
        first, last = sheet.next_row + 1, sheet.next_row + len(group.lines)
        nodes = f"{NODES}${sheet.next_row}" if head.is_multiplied else ""
        places.rows[group.head] = sheet.add(_head_cells(book, head, [rows[i] for i in group.lines], first, last), GROUP)
    for index in group.lines:
        places.rows[index] = sheet.add(_line_cells(book, rows[index], sheet.next_row, nodes), level=1)


def _head_cells(book: Book, head: BomRow, lines: Sequence[BomRow], first: int, last: int) -> list[Value]:
    count: Value = Cell(head.group_count, INPUT) if head.is_multiplied else None
    cells: list[Value] = [head.position, _titled(head), None, None, None, None, count, None]
    checked = head.group_count if head.is_multiplied else None
    if not lines:
        return [*cells, None, None, None, None, checked, None, None, None]
    asked = book.label("on_request")
    missing = f"COUNTIF({TOTALS}{first}:{TOTALS}{last},{literal(asked)})"
    lacking = sum(1 for line in lines if line.net_unit is None)
    note = book.label("group_missing")
    stored_note = fill(note, {"missing": str(lacking)}) if lacking else ""
    each = sum((line.net_unit * line.count for line in lines if line.net_unit is not None), Decimal(0))
    total = sum((line.net_total for line in lines if line.net_total is not None), Decimal(0))
    nothing = lacking == len(lines)

    def sum_or_asked(formula: str, amount: Decimal) -> Formula:
        return Formula(
            f"IF({missing}={last - first + 1},{literal(asked)},{formula})", asked if nothing else amount
        )

    one = f"SUMPRODUCT({EACH}{first}:{EACH}{last},{NET}{first}:{NET}{last})"
    return [
        *cells,
        Formula(f'IF({missing}=0,"",{joined(note, {"missing": missing})})', stored_note),
        None,
        sum_or_asked(one, each) if head.is_multiplied else None,
        sum_or_asked(f"SUM({TOTALS}{first}:{TOTALS}{last})", total),
        checked,
        None,
        None,
        None,
    ]


def _line_cells(book: Book, line: BomRow, row: int, nodes: str) -> list[Value]:
    unstated = book.label("not_stated")
    prices = price_cells(book, line, (LIST, DISCOUNTED, NET, QUANTITY), row)
    return [
        line.position,
        Cell(_titled(line), BELOW),
        line.maker,
        line.mpn or unstated,
        line.vat_word,
        line.count if nodes else None,
        None,
        Formula(f"{EACH}{row}*{nodes}", line.total) if nodes else line.total,
        *prices,
        None,
        unstated if line.lead_time_days is None else line.lead_time_days,
        book.date(line.valid_until_iso, "") or unstated,
        line.foreign_text,
    ]


def price_cells(book: Book, line: BomRow, letters: tuple[str, str, str, str], row: int) -> list[Value]:
    """List price, discount, net price and line total; words (on request, included in) go on through the formulas.

    `letters` are the columns of list price, discount, net price and quantity.
    """
    listed, discount, net, quantity = (f"{letter}{row}" for letter in letters)
    word = line.included_text or (book.label("on_request") if line.list_unit is None else "")
    return [
        word or line.list_unit,
        line.discount_ratio,
        Formula(f"IF(ISNUMBER({listed}),ROUND({listed}*(1-{discount}),2),{listed})", word or _known(line.net_unit)),
        Formula(f"IF(ISNUMBER({net}),{net}*{quantity},{net})", word or _known(line.net_total)),
    ]


def _known(amount: Decimal | None) -> Decimal:
    assert amount is not None  # a line without a price has the word for it
    return amount


class _Totals:
    """The formulas below the table. Lines are told from heads by their total quantity, which heads have not."""

    def __init__(self, book: Book, first: int, last: int) -> None:
        label, bom = book.label, book.proposal.bom
        self.bom = bom
        self.asked = label("on_request")
        ordered = f"{QUANTITY}{first}:{QUANTITY}{last},"
        totals = f"{TOTALS}{first}:{TOTALS}{last}"
        self.all = f'COUNTIF({ordered}">0")'
        self.missing = f'COUNTIFS({ordered}">0",{totals},{literal(self.asked)})'
        self.sum = f'SUMIF({ordered}">0",{totals})'
        self._by_category = f"{totals},{ordered}\">0\",{TAXED}{first}:{TAXED}{last},"
        nodes, checked = f"{NODES}{first}:{NODES}{last}", f"{CHECKED}{first}:{CHECKED}{last}"
        self.changed = f"SUMPRODUCT(({nodes}<>{checked})*1)>0"
        lines = [row for row in bom.rows if not row.is_group]
        self.counts = {"missing": str(sum(1 for row in lines if row.list_unit is None)), "all": str(len(lines))}

    def amount(self, formula: str, value: Decimal) -> Formula:
        """An amount, or the words for none as long as no line has a price."""
        stored = value if self.bom.has_prices else self.asked
        return Formula(f"IF({self.all}={self.missing},{literal(self.asked)},{formula})", stored)

    def base(self, category: str) -> str:
        """The net sum of the lines of a VAT category."""
        return f"SUMIFS({self._by_category}{literal(category)})"

    def titled(self, title: str, incomplete: str) -> Formula:
        """The title of a total, with how many lines lack a price if any does."""
        holes = {"total": literal(title), "missing": self.missing, "all": self.all}
        value = title if self.bom.is_complete else fill(incomplete, {"total": title, **self.counts})
        return Formula(f"IF({self.missing}=0,{literal(title)},{joined(incomplete, holes)})", value)

    def completeness(self, book: Book) -> Formula:
        """The sentence that says whether all lines have a price."""
        complete, incomplete, none = (book.label(key) for key in ("complete", "incomplete", "no_prices"))
        sentence = joined(incomplete, {"missing": self.missing, "all": self.all})
        value = fill(incomplete, self.counts) if self.bom.has_prices else none
        return Formula(
            f"IF({self.missing}=0,{literal(complete)},IF({self.all}={self.missing},{literal(none)},{sentence}))",
            complete if self.bom.is_complete else value,
        )


def _add_totals(book: Book, places: Places, last: int) -> None:
    sheet, bom, label = places.sheet, book.proposal.bom, book.label
    totals = _Totals(book, sheet.head_row + 1, last)
    incomplete = label("total_incomplete")

    def place(letter: str, formula: Formula) -> Formula:
        return Formula(f"{sheet.reference}{letter}{sheet.row}", formula.value)

    def add(
        title: str, amount: Formula, tone: Tone, *, warns: bool = True, base: Value = None, rate: Value = None
    ) -> None:
        heading: Formula | str = totals.titled(title, incomplete) if warns else title
        cells: list[Value] = [None] * len(sheet.columns)
        cells[1], cells[8], cells[10], cells[11] = heading, base, rate, amount
        sheet.add([*cells[:12], *(Cell(None, tone=REMARK) for _ in cells[12:])], tone)
        shown = heading if isinstance(heading, str) else place(DESCRIPTION, heading)
        places.totals.append((shown, place(TOTALS, amount)))

    if not bom.vat_rows:
        add(label("total_net"), totals.amount(totals.sum, bom.subtotal), TOTAL)
    else:
        net = sheet.next_row
        add(label("subtotal"), totals.amount(totals.sum, bom.subtotal), SUM)
        for row in bom.vat_rows:
            _add_tax(book, totals, row, add, sheet.next_row, is_alone=len(bom.vat_rows) == 1)
        gross = f"{TOTALS}{net}+SUM({TOTALS}{net + 1}:{TOTALS}{sheet.row})"
        add(label("total_gross"), totals.amount(gross, bom.total), TOTAL)
    for remark in (totals.completeness(book), _count_remark(book, totals)):
        sheet.add([None, remark, *[None] * (len(sheet.columns) - 2)], REMARK)
        places.remarks.append(place(DESCRIPTION, remark))


def _add_tax(
    book: Book, totals: _Totals, tax: VatRow, add: Callable[..., None], row: int, *, is_alone: bool
) -> None:
    """Add the tax of a VAT category: its base, rate and tax in one row."""
    base = Formula(totals.base(tax.word), tax.base)
    rate = Cell(tax.ratio, Look(SHARE, align="right", wraps=False))
    amount = totals.amount(f"ROUND({LIST}{row}*{NET}{row},2)", tax.tax or Decimal(0))
    title = book.label("vat") if is_alone else book.label("vat_of", category=tax.word)
    add(title, amount, SUM, warns=False, base=Cell(base, _MONEY), rate=rate)


def _count_remark(book: Book, totals: _Totals) -> Formula:
    same, changed = book.label("nodes_as_checked"), book.label("nodes_changed")
    return Formula(f"IF({totals.changed},{literal(changed)},{literal(same)})", same)


def _add_guards(book: Book, places: Places, last: int) -> None:
    """Mark what needs the eye, and refuse numbers that cannot be."""
    sheet, worksheet, label = places.sheet, places.sheet.worksheet, book.label
    first = sheet.head_row + 1
    sheet.mark(f"{NODES}{first}:{NODES}{last}", f"{NODES}{first}<>{CHECKED}{first}", CAUTION)
    sheet.mark(f"{LIST}{first}:{TOTALS}{last}", f"ISTEXT({LIST}{first})", ASKED)
    done, changed = sheet.row - 1, sheet.row
    for row, good in ((done, label("complete")), (changed, label("nodes_as_checked"))):
        sheet.mark(f"{DESCRIPTION}{row}:{TOTALS}{row}", f"${DESCRIPTION}${row}<>{literal(good)}", CAUTION)
    whole = DataValidation("whole", operator="greaterThanOrEqual", formula1="0", allow_blank=False)
    whole.error, whole.prompt = label("number_invalid")[:255], label("nodes_prompt")[:255]
    for index, row in places.rows.items():
        head = book.proposal.bom.rows[index]
        if head.is_group and head.is_multiplied:
            whole.add(f"{NODES}{row}")
    ratio = DataValidation("decimal", operator="between", formula1="0", formula2="1", allow_blank=True)
    ratio.error = label("discount_invalid")[:255]
    ratio.add(f"{DISCOUNTED}{first}:{DISCOUNTED}{last}")
    for validation in (whole, ratio):
        if validation.sqref:
            validation.showErrorMessage = validation.showInputMessage = True
            worksheet.add_data_validation(validation)
