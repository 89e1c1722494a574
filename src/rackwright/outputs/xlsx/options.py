"""Options and alternatives: priced, live, and in no total."""

from __future__ import annotations

from rackwright.outputs.xlsx.bom import price_cells
from rackwright.outputs.xlsx.sheet import Book, Cell, Column
from rackwright.outputs.xlsx.styles import BELOW, CODE, DISCOUNT, INPUT, Look

_LIST, _DISCOUNT, _NET, _QUANTITY = "H", "I", "J", "G"


def add_options(book: Book) -> None:
    """Add the lines that are offered beside the order, if there are any. Their quantities can be changed."""
    lines = [row for row in book.proposal.bom.offered if not row.is_group]
    if not lines:
        return
    label, currency = book.label, book.proposal.bom.currency
    apart = label("not_in_total")
    money = Look("#,##0.00", align="right")
    sheet = book.sheet(
        "options",
        [
            Column(label("position"), 7, CODE),
            Column(label("role"), 13),
            Column(label("description"), 44),
            Column(label("maker"), 13),
            Column(label("mpn"), 21, CODE),
            Column(label("vat_category"), 15),
            Column(label("quantity"), 9, INPUT),
            Column(f"{label('list_unit')}, {currency}", 13, money),
            Column(label("discount"), 10, Look(DISCOUNT, align="right", wraps=False)),
            Column(f"{label('net_unit')}, {currency}", 14, money),
            Column(f"{apart}, {currency}", 20, money),
        ],
    )
    for line in lines:
        sheet.add(
            [
                line.position,
                line.role_label,
                Cell(f"{line.title}\n{line.note}" if line.note else line.title, BELOW),
                line.maker,
                line.mpn,
                line.vat_word,
                line.total,
                *price_cells(book, line, (_LIST, _DISCOUNT, _NET, _QUANTITY), sheet.next_row),
            ]
        )
    sheet.filter_to(sheet.row)
    sheet.close()
