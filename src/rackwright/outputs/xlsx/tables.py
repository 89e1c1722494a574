"""The technical sheet, the checks, the open points, the terms, the sources and what the file was made from."""

from __future__ import annotations

from dataclasses import replace

from rackwright.outputs.xlsx.bom import QUANTITY, Places
from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Formula, Link, Sheet, Value
from rackwright.outputs.xlsx.styles import (
    BELOW,
    CENTER,
    CODE,
    DECIMAL,
    GROUP,
    INPUT,
    NUMBER,
    PLAIN,
    QUIET,
    ROW,
    SUM,
    WHOLE,
    Look,
    tone_of_outcome,
    tone_of_status,
)
from rackwright.outputs.xlsx.text import literal
from rackwright.proposal.model import BomRow, FindingView
from rackwright.proposal.money_model import Cited
from rackwright.verdict import Outcome

# Outcomes in the order of the sheet; waived verdicts stand before the passed ones.
_ORDER = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS, Outcome.NOT_APPLICABLE)
# How many lines of a derivation make its row taller; the cell holds all of it.
_PASSED_LINES, _OTHER_LINES = 2, 4
_FIGURE = Look(DECIMAL, align="right")


def add_technical(book: Book, places: Places) -> None:
    """Add weight, power, lifecycle and evidence of each line; quantities follow the bill."""
    label = book.label
    sheet = book.sheet(
        "technical",
        [
            Column(label("position"), 7, CODE),
            Column(label("description"), 40),
            Column(label("kind"), 15),
            Column(label("maker"), 13),
            Column(label("mpn"), 21, CODE),
            Column(label("part_id"), 28, CODE),
            Column(label("quantity"), 9, NUMBER),
            Column(label("weight_each"), 14, _FIGURE),
            Column(label("weight_total"), 14, _FIGURE),
            Column(label("power_each"), 14, _FIGURE),
            Column(label("power_total"), 14, _FIGURE),
            Column(label("lifecycle"), 14, BELOW),
            Column(label("grade"), 20),
            Column(label("weight_source"), 50, is_printed=False),
            Column(label("power_source"), 50, is_printed=False),
        ],
        frozen_columns=2,
    )
    sheet.worksheet.sheet_properties.outlinePr.summaryBelow = False
    for index, line in enumerate(book.proposal.bom.rows):
        if line.is_group:
            sheet.add([line.position, line.title, *[None] * 13], GROUP)
            continue
        quantity = Formula(f"{places.sheet.reference}{QUANTITY}{places.rows[index]}", line.total)
        sheet.add(_technical_cells(book, line, quantity, sheet.next_row), level=1)
    last = sheet.row
    sheet.filter_to(last)
    if places.rows:
        _add_technical_sums(book, sheet, last)
    sheet.close()


def _add_technical_sums(book: Book, sheet: Sheet, last: int) -> None:
    """Add what the stated figures sum up to, and how many lines have none: such a sum is a lower bound."""
    lines = [row for row in book.proposal.bom.rows if not row.is_group]
    weights = [row.weight_kg * row.total for row in lines if row.weight_kg is not None]
    powers = [row.power_w * row.total for row in lines if row.power_w is not None]
    unstated, first = literal(book.label("not_stated")), sheet.head_row + 1

    def sums(letter: str, values: list[float]) -> tuple[Formula, Formula]:
        area = f"{letter}{first}:{letter}{last}"
        return Formula(f"SUM({area})", sum(values)), Formula(f"COUNTIF({area},{unstated})", len(lines) - len(values))

    (weight, no_weight), (power, no_power) = sums("I", weights), sums("K", powers)
    for key, kilograms, watts in (("sum_stated", weight, power), ("lines_unstated", no_weight, no_power)):
        cells: list[Value] = [None] * len(sheet.columns)
        look = NUMBER if key == "lines_unstated" else _FIGURE
        cells[1], cells[8], cells[10] = book.label(key), Cell(kilograms, look), Cell(watts, look)
        sheet.add(cells, SUM)


def _technical_cells(book: Book, line: BomRow, quantity: Formula, row: int) -> list[Value]:
    unstated = book.label("not_stated")
    return [
        line.position,
        Cell(line.title, BELOW),
        line.kind_label,
        line.maker or unstated,
        line.mpn or unstated,
        line.part_id,
        quantity,
        unstated if line.weight_kg is None else line.weight_kg,
        _times(line.weight_kg, line.total, f"H{row}", f"G{row}", unstated),
        unstated if line.power_w is None else line.power_w,
        _times(line.power_w, line.total, f"J{row}", f"G{row}", unstated),
        line.lifecycle or unstated,
        line.grade or unstated,
        _source(line.weight_source, unstated),
        _source(line.power_source, unstated),
    ]


def _source(cited: Cited, unstated: str) -> Value:
    return Link(cited.text, cited.url) if cited.url else cited.text or unstated


def _times(each: float | None, count: int, each_cell: str, count_cell: str, unstated: str) -> Formula:
    value = unstated if each is None else each * count
    return Formula(f"IF(ISNUMBER({each_cell}),{each_cell}*{count_cell},{literal(unstated)})", value)


def add_checks(book: Book) -> None:
    """Add findings on files, then every verdict: what failed, what is not decided, what was waived, what passed."""
    label, proposal = book.label, book.proposal
    sheet = book.sheet(
        "checks",
        [
            Column(label("rule"), 9, CODE),
            Column(label("outcome"), 12),
            Column(label("severity"), 10),
            Column(label("subject"), 14, CODE),
            Column(label("check"), 30),
            Column(label("message"), 46, BELOW),
            Column(label("fix"), 34, BELOW),
            Column(label("grade"), 17, BELOW),
            Column(label("waived"), 16, BELOW),
            # The derivations are long: they are for the screen.
            Column(label("arithmetic"), 80, BELOW, is_printed=False),
            Column(label("source"), 60, BELOW, is_printed=False),
            Column(label("place"), 28, BELOW, is_printed=False),
        ],
        frozen_columns=2,
    )
    judged = {view.code for view in proposal.checks}  # findings may group verdicts that are listed one by one here
    for view in (*(item for item in proposal.findings if item.code not in judged), *sorted(proposal.checks, key=_rank)):
        sheet.add(_check_cells(view), QUIET if view.waived else ROW)
    sheet.filter_to(sheet.row)
    sheet.close()


def _rank(view: FindingView) -> int:
    return 2 * _ORDER.index(view.outcome) if not view.waived else 2 * _ORDER.index(Outcome.PASS) - 1


def _check_cells(view: FindingView) -> list[Value]:
    lines = _PASSED_LINES if view.outcome is Outcome.PASS else _OTHER_LINES
    return [
        view.code,
        Cell(view.outcome_label, tone=tone_of_outcome(view.outcome, view.severity, view.waived)),
        view.severity_label,
        view.subject,
        view.title,
        view.message,
        view.fix,
        view.grade,
        view.waived,
        Cell("\n".join(view.arithmetic), lines_max=lines),
        Cell("\n".join(view.sources), lines_max=lines),
        view.place,
    ]


def add_open_points(book: Book) -> None:
    """Add the figures to confirm, with a column for the answer."""
    label = book.label
    answer = replace(INPUT, number_format="General", align="left", wraps=True)
    sheet = book.sheet(
        "open_points",
        [
            Column(label("no"), 6, CENTER),
            Column(label("part"), 42),
            Column(label("figure"), 40),
            Column(label("rules_waiting"), 20, CODE),
            Column(label("candidate"), 28),
            Column(label("answer"), 28, answer),
        ],
    )
    for number, point in enumerate(book.proposal.open_points, start=1):
        sheet.add([number, point.part, point.figure, point.rules, point.candidate or label("none"), None])
    if not book.proposal.open_points:
        sheet.add([None, Cell(label("none"), PLAIN), None, None, None, Cell(None, PLAIN)])
    sheet.filter_to(sheet.row)
    sheet.close()


def add_terms(book: Book) -> None:
    """Add the terms of the offer, who offers, exchange rates, the user's own terms and how prices are rounded."""
    label, proposal = book.label, book.proposal
    columns = [Column(label("no"), 6, CENTER), Column(label("topic"), 26), Column(label("term"), 86)]
    sheet = book.sheet("terms", columns, landscape=False)
    has_terms = proposal.offer.is_stated
    rows = [(row.label, row.value) for row in (*proposal.offer.seller, *proposal.offer.rows)] if has_terms else []
    rows += [(label("vat"), note) for note in proposal.offer.notes]
    rows += [(label("exchange_rate"), text) for text in proposal.bom.rate_texts]
    rows += [("", term) for term in proposal.terms]
    for number, (topic, term) in enumerate([*rows, (label("prices"), label("rounding"))], start=1):
        sheet.add([number, topic, term])
    sheet.close()


def add_sources(book: Book) -> None:
    """Add the documents that the checks rest on, with their links."""
    label, proposal = book.label, book.proposal
    columns = [Column(label("no"), 6, CENTER), Column(label("source"), 80), Column(label("link"), 60)]
    sheet = book.sheet("sources", columns)
    urls = dict(zip(proposal.sources, proposal.source_urls, strict=False))
    for number, source in enumerate(proposal.sources, start=1):
        url = urls.get(source, "")
        sheet.add([number, source, Link(url, url) if url else label("not_stated")])
    sheet.filter_to(sheet.row)
    sheet.close()


def add_about(book: Book) -> None:
    """Add what the file was made from, and the waivers."""
    label, proposal, about = book.label, book.proposal, book.proposal.about
    columns = [Column(label("item"), 34), Column(label("value"), 68), Column(label("note"), 40)]
    sheet = book.sheet("about", columns, landscape=False)
    count = Look(WHOLE, align="left")
    rows: list[tuple[str, Value, str]] = [
        (label("status"), Cell(proposal.status_label, tone=tone_of_status(proposal.status)), proposal.status_sentence),
        (label("date"), book.date(proposal.date_iso, proposal.date_text), ""),
        (label("version"), Cell(about.version, CODE), ""),
        (label("configuration"), Cell(proposal.configuration_name, CODE), ""),
        (label("configuration_sha256"), Cell(about.configuration_sha256, CODE), ""),
        (label("catalog_digest"), Cell(about.catalog_digest, CODE), ""),
        (label("rules_digest"), Cell(about.rules_digest, CODE), ""),
        (label("parts"), Cell(about.parts, count), ""),
        (label("rules"), Cell(about.rules, count), ""),
        (label("verdicts"), Cell(about.verdicts, count), ""),
        (label("weakest_grade"), about.weakest_grade or label("none"), ""),
    ]
    for waiver in proposal.waivers:
        note = label("waiver_note", at=waiver.at or label("everywhere"), by=waiver.by, until=waiver.until)
        rows.append((label("waiver", rule=waiver.rule), waiver.reason, note))
    if proposal.is_draft:
        rows.insert(0, (label("draft"), proposal.draft_reason, ""))
    for row in rows:
        sheet.add(row)
    sheet.close()
