"""Customs, export control, sales life and declarations of each line. What nobody stated says so."""

from __future__ import annotations

from rackwright.outputs.xlsx.sheet import Book, Column, Link, Value
from rackwright.outputs.xlsx.styles import BELOW, CODE, GROUP, WHOLE, Look
from rackwright.proposal.model import BomRow


def add_compliance(book: Book) -> None:
    """Add the table; the class is the one that somebody stated, with who and as of when."""
    label = book.label
    sheet = book.sheet(
        "compliance",
        [
            Column(label("position"), 7, CODE),
            Column(label("description"), 34),
            Column(label("maker"), 13),
            Column(label("mpn"), 20, CODE),
            Column(label("hs_codes"), 19, CODE),
            Column(label("origin"), 11, CODE),
            Column(label("export_class"), 19, CODE),
            Column(label("stated_by"), 24),
            Column(label("as_of"), 12),
            Column(label("lifecycle"), 13, BELOW),
            Column(label("end_of_sale"), 12),
            Column(label("lead_time"), 11, Look(WHOLE, align="right")),
            Column(label("replaced_by"), 24, CODE, is_printed=False),
            Column(label("declarations"), 50, is_printed=False),
        ],
        frozen_columns=2,
    )
    sheet.worksheet.sheet_properties.outlinePr.summaryBelow = False
    for line in (*book.proposal.bom.rows, *book.proposal.bom.offered):
        if line.is_group:
            sheet.add([line.position, line.title, *[None] * 12], GROUP)
        else:
            sheet.add(_cells(book, line), level=1)
    sheet.filter_to(sheet.row)
    sheet.close()


def _cells(book: Book, line: BomRow) -> list[Value]:
    unstated, stated = book.label("not_stated"), line.compliance
    return [
        line.position,
        line.title,
        line.maker or unstated,
        line.mpn or unstated,
        stated.hs_codes or unstated,
        stated.origin or unstated,
        stated.export_class or unstated,
        stated.stated_by or unstated,
        book.date(stated.as_of_iso, stated.as_of_iso) or unstated,
        line.lifecycle or unstated,
        book.date(stated.end_of_sale, stated.end_of_sale) or unstated,
        unstated if line.lead_time_days is None else line.lead_time_days,
        stated.replaced_by or unstated,
        _declarations(stated.declarations, unstated),
    ]


def _declarations(declarations: tuple[tuple[str, str], ...], unstated: str) -> Value:
    """One declaration opens its page; several stand below each other with their addresses."""
    if len(declarations) == 1:
        word, url = declarations[0]
        return Link(f"{word}: {url}", url)
    return "\n".join(f"{word}: {url}" for word, url in declarations) or unstated
