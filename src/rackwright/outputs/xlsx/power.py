"""Power and racks: the sum of draws, supplies, feeds and phases in one table; rack units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Formula, Sheet, Value
from rackwright.outputs.xlsx.styles import (
    AMPERE,
    BAD,
    BELOW,
    GOOD,
    NUMBER,
    OPEN,
    RACK_UNIT,
    ROW,
    SHARE,
    SUM,
    WATT,
    Look,
    Tone,
)
from rackwright.proposal.model import BarView, NodeView, RackView
from rackwright.proposal.money_model import Labelled

_VALUE, _LIMIT = "G", "H"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table, by the names of its columns."""

    where: str
    section: str
    item: str
    detail: str = ""
    count: Value = None
    each: Value = None
    value: Value = None
    bar: BarView | None = None
    unit_format: str = WATT
    tone: Tone = ROW


def add_power(book: Book) -> None:
    """Add the table of power and electrical loads."""
    label = book.label
    right = Look(align="right")
    sheet = book.sheet(
        "power",
        [
            Column(label("where"), 32),
            Column(label("section"), 18),
            Column(label("item"), 34),
            Column(label("detail"), 50),
            Column(label("count"), 8, NUMBER),
            Column(label("each"), 11, right),
            Column(label("value"), 13, right),
            Column(label("limit"), 13, right),
            Column(label("share"), 14, Look(SHARE, align="right")),
            Column(label("second_limit"), 14, right),
            Column(label("state"), 17, BELOW),
        ],
        frozen_columns=1,
    )
    for node in book.proposal.nodes:
        for row in _node_rows(book, node):
            _add_row(book, sheet, row)
    for rack in book.proposal.racks:
        for row in _rack_rows(book, rack):
            _add_row(book, sheet, row)
    sheet.filter_to(sheet.row)
    sheet.close()


def _node_rows(book: Book, node: NodeView) -> Iterator[_Row]:
    label, where = book.label, node.title
    numbers: Sequence[tuple[int | None, float | None, float | None]] = node.power_numbers
    if len(numbers) != len(node.power_lines):
        numbers = [(None, None, None)] * len(node.power_lines)
    for (item, count, each, together), known in zip(node.power_lines, numbers, strict=True):
        is_sum = not count
        yield _Row(
            where,
            label("draw"),
            item,
            node.power_note if is_sum else "",
            _number(known[0], count, "#,##0"),
            _number(known[1], each, WATT),
            _number(known[2], together, WATT),
            tone=SUM if is_sum else ROW,
        )
    for bar in node.power:
        yield _Row(where, label("supplies"), bar.label, bar=bar)
    for psu in node.psus:
        place = [label("psu_place", bay=psu.bay)] if psu.bay else []
        place += [label("psu_feed", feed=psu.feed)] if psu.feed else []
        yield _Row(where, label("psus"), psu.name, "\n".join([psu.title, ", ".join(place)]).rstrip("\n"))
    yield from _figure_rows(book, where, node.figures)


def _rack_rows(book: Book, rack: RackView) -> Iterator[_Row]:
    label, where = book.label, rack.id
    yield _Row(where, label("key_figures"), label("rack"), rack.title)
    for feed, pdu, circuit in rack.feeds:
        yield _Row(where, label("feeds"), feed, f"{pdu}\n{circuit}")
    for bar in rack.phases:
        yield _Row(where, label("phases"), bar.label, bar=bar, unit_format=AMPERE)
    yield from _figure_rows(book, where, rack.figures)


def _figure_rows(book: Book, where: str, figures: Sequence[Labelled]) -> Iterator[_Row]:
    for figure in figures:
        detail = f"{figure.value}\n{figure.note}" if figure.note else figure.value
        yield _Row(where, book.label("key_figures"), figure.label, detail)


def _number(value: float | None, text: str, number_format: str) -> Value:
    """The number in a cell of its own format, or its text where the model has no number."""
    if value is None:
        return Cell(text, Look(align="right")) if text else None
    return Cell(value, Look(number_format, align="right", wraps=False))


def _add_row(book: Book, sheet: Sheet, row: _Row) -> None:
    cells: list[Value] = [row.where, row.section, row.item, row.detail, row.count, row.each]
    if row.bar is None:
        sheet.add([*cells, row.value, None, None, None, None], row.tone)
        return
    bar, form = row.bar, row.unit_format
    share: Value = book.label("not_known")
    if bar.value is not None and bar.limit:
        share = Formula(f"{_VALUE}{sheet.next_row}/{_LIMIT}{sheet.next_row}", bar.value / bar.limit)
    sheet.add(
        [
            *cells,
            _number(bar.value, bar.value_text, form),
            _number(bar.limit, bar.limit_text, form),
            share,
            _number(bar.second_limit, bar.second_limit_text, form),
            _state(book, bar),
        ],
        row.tone,
    )


def _state(book: Book, bar: BarView) -> Cell:
    if bar.is_over:
        return Cell(book.label("over"), tone=BAD)
    if bar.value is None or not bar.limit:
        return Cell(book.label("not_known"), tone=OPEN)
    return Cell(book.label("within"), tone=GOOD)


def add_rack_units(book: Book) -> None:
    """Add what stands where in the racks, the highest first, if anything does."""
    racks = [rack for rack in book.proposal.racks if rack.items]
    if not racks:
        return
    label = book.label
    sheet = book.sheet(
        "racks",
        [
            Column(label("rack"), 24),
            Column(label("unit_low"), 13, Look(RACK_UNIT, align="right")),
            Column(label("height"), 11, NUMBER),
            Column(label("item"), 30, BELOW),
            Column(label("detail"), 46),
        ],
        landscape=False,
    )
    for rack in racks:
        for item in sorted(rack.items, key=lambda entry: -entry.unit_low_u):
            sheet.add([rack.id, item.unit_low_u, item.height_u, item.label, item.detail])
    sheet.filter_to(sheet.row)
    sheet.close()
