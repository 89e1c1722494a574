"""The spreadsheet: bill with live formulas, technical data, checks, open points, power and racks, terms.

The file holds for every formula the value it gives, so that programs which do not calculate show it too. It has no
macro, no external link and no clock: the same proposal gives the same bytes.
"""

from __future__ import annotations

from rackwright.proposal.model import Proposal


def write_xlsx(proposal: Proposal) -> bytes:
    """Return the spreadsheet of a proposal, in the language of the proposal."""
    from rackwright.outputs.xlsx import bom, compliance, failures, options, power, summary, tables
    from rackwright.outputs.xlsx.sheet import Book

    book = Book(proposal)
    places = bom.add_bom(book)
    options.add_options(book)
    tables.add_technical(book, places)
    compliance.add_compliance(book)
    tables.add_checks(book)
    tables.add_open_points(book)
    power.add_power(book)
    power.add_rack_units(book)
    failures.add_power_steps(book)
    failures.add_failures(book)
    tables.add_terms(book)
    if proposal.sources:
        tables.add_sources(book)
    tables.add_about(book)
    summary.add_summary(book, places)
    return book.content()
