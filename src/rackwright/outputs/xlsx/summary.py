"""The first sheet: what is offered, for how much, whether it was found valid and what needs attention."""

from __future__ import annotations

from rackwright.outputs.xlsx.bom import Places
from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Sheet, Value
from rackwright.outputs.xlsx.styles import CODE, GROUP, Look, tone_of_status


def add_summary(book: Book, places: Places) -> None:
    """Add the summary in front. Its amounts are those of the bill, live."""
    label = book.label
    columns = [Column(label("item"), 32), Column(label("value"), 66), Column(label("note"), 34)]
    sheet = book.sheet("summary", columns, landscape=False)
    _add_head(book, sheet)
    _add_figures(book, sheet)
    _add_prices(book, sheet, places)
    attention = book.proposal.needs_attention or (label("nothing"),)
    for number, text in enumerate(attention):
        sheet.add([label("attention") if number == 0 else None, text, None])
    sheet.close()
    book.put_first(sheet)


def _add_head(book: Book, sheet: Sheet) -> None:
    label, proposal = book.label, book.proposal
    title = Cell(proposal.title or label("bom"), Look(bold=True, size=13, color="0E3B4C"))
    status = Cell(proposal.status_label, Look(bold=True, size=11), tone_of_status(proposal.status))
    rows: list[tuple[str, Value]] = [
        ("title", title),
        ("status", status),
        ("number", Cell(proposal.number, CODE) if proposal.number else None),
        ("customer", proposal.customer),
        ("project", proposal.project),
        ("issuer", proposal.issuer),
        ("contact", proposal.contact),
        ("date", book.date(proposal.date_iso, proposal.date_text)),
        ("valid_until", book.date(proposal.valid_until_iso, proposal.valid_until_text)),
    ]
    for key, value in rows:
        if value:
            sheet.add([label(key), value, None])
        if key == "status":
            sheet.add([None, proposal.status_sentence, None])


def _add_figures(book: Book, sheet: Sheet) -> None:
    """The key figures as they were checked; the price comes live from the bill."""
    for figure in book.proposal.summary:
        if figure.value != book.proposal.bom.subtotal_text:
            name = figure.label[:1].upper() + figure.label[1:]
            sheet.add([name, figure.value, figure.note or book.label("as_checked_figure")])


def _add_prices(book: Book, sheet: Sheet, places: Places) -> None:
    money = Look("#,##0.00", align="left")
    currency = book.proposal.bom.currency
    note = book.label("from_bom", sheet=places.sheet.worksheet.title)
    for heading, amount in places.totals:
        sheet.add([heading, Cell(amount, money), f"{currency}, {note}"], GROUP)
    for remark in places.remarks:
        sheet.add([book.label("prices") if remark is places.remarks[0] else book.label("nodes"), remark, None])
