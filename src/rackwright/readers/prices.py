"""Reads price lists, csv or xlsx: part or mpn, unit_price, currency; a BMEcat file (xml) is read by bmecat.py.

Where wanted: unit, quantity_min, discount_ratio, valid_from, valid_until, territory, cost, margin_ratio, vat, and what
the supplier states of a part: lead_time_days, supplier_number, hs_codes, origin, export_class.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.pricing import Price
from rackwright.readers.files import closest, printable, read_text
from rackwright.readers.price_cells import price_of
from rackwright.readers.price_names import MAX_FINDINGS, Names, ambiguous, key_of
from rackwright.source import Location

REQUIRED = ("part", "unit_price", "currency")
COLUMNS = (
    *REQUIRED, "mpn", "unit", "quantity_min", "discount_ratio", "valid_from", "valid_until", "territory", "cost",
    "margin_ratio", "vat", "lead_time_days", "supplier_number", "hs_codes", "origin", "export_class",
    "export_stated_by", "export_as_of", "note",
)  # fmt: skip


def read_prices(
    path: Path,
    shown: str,
    is_known: Callable[[str], bool],
    numbers: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[Price], list[Finding]]:
    """Read a price list. Amounts are written with a point: 12345.60.

    Shapes: a first line with the names of columns, then one price a row; cells are separated by `,`, `;` or tabs. Of
    an xlsx file the first sheet is read, its formulas as they were last computed.
    Unknown: a part without a row has no price. Rows for parts that the catalog does not know are left out; a list for
    everything that a house sells is no error, so that is a warning. `numbers` are the parts of the bill by maker's and
    sellers' numbers, for rows that name a part by `mpn`; other numbers are left out without a word.
    Errors: none raised. BOM091 unknown part (warning); BOM092 missing, BOM093 unknown or repeated column; BOM094 a cell
    that cannot be read; BOM095 two prices for the same; BOM096 not CSV, or no workbook; BOM100 a number that two parts
    of the bill carry. At most MAX_FINDINGS, then one that says so.
    """
    names = Names(is_known, numbers)
    if path.suffix.lower() == ".xml":
        from rackwright.readers.bmecat import read_bmecat

        return read_bmecat(path, shown, names)
    if path.suffix.lower() == ".xlsx":
        from rackwright.readers.price_workbook import rows_of

        table, findings = rows_of(path, shown)
        return ([], findings) if table is None else _read(table, shown, names)
    text, findings = read_text(path, shown)
    if text is None:
        return [], findings
    first_line = text.splitlines()[0]
    separator = max(",;\t", key=first_line.count)
    # strict: a quote that is never closed would swallow the rows that follow
    rows = csv.reader(io.StringIO(text, newline=None), delimiter=separator, strict=True)
    prices: list[Price] = []
    try:
        prices, findings = _read(_numbered(rows), shown, names)
    except csv.Error as error:
        findings = [_not_csv(Location(shown, rows.line_num), str(error))]
    return prices, findings


def _numbered(rows: Any) -> Iterator[tuple[int, list[str]]]:
    """Give each row of a csv reader the line that it begins on: a cell in quotes may go over several lines."""
    line = 1
    for cells in rows:
        yield line, cells
        line = rows.line_num + 1


def _read(
    table: Iterator[tuple[int, list[str]]], shown: str, names: Names
) -> tuple[list[Price], list[Finding]]:
    """Read a table of (line, cells), the names of its columns first."""
    columns = [name.strip().casefold() for name in next(table, (1, []))[1]]
    findings = _column_findings(columns, shown)
    prices: list[Price] = []
    if findings:
        return [], findings
    for item in _entries(table, columns, shown, names):
        if isinstance(item, Price):
            prices.append(item)
        elif len(findings) < MAX_FINDINGS:
            findings.append(item)
        else:
            return prices, [*findings, _too_many(item.at)]
    return prices, findings


def _entries(
    table: Iterator[tuple[int, list[str]]], columns: list[str], shown: str, names: Names
) -> Iterator[Price | Finding]:
    """Yield a price or findings for each row that is not empty."""
    seen: dict[tuple[object, ...], Price] = {}
    for line, cells in table:
        at = Location(shown, line)
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(columns):
            yield finding("BOM094", "the row has {found} cells for {wanted} columns", at,
                          fix="put a cell that holds the separator in quotes",
                          found=len(cells), wanted=len(columns))  # fmt: skip
            continue
        row = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
        price, problems = price_of(row, at)
        yield from problems
        if price is None:
            continue
        if not row.get("part") and row.get("mpn"):
            found = names.of_number(row["mpn"])
            if len(found) != 1:
                if found:
                    yield ambiguous(row["mpn"], found, at)
                continue
            price = dataclasses.replace(price, part=found[0])
        elif not names.is_known(price.part):
            yield _unknown_part(price.part, at)
            continue
        key = key_of(price)
        first = seen.setdefault(key, price)
        yield price if first is price else _second_price(price, first)


def _too_many(at: Location | None) -> Finding:
    return finding("BOM094", "more than {limit} problems: the rest was not read", at, fix="mend these first",
                   limit=MAX_FINDINGS)  # fmt: skip


def _not_csv(at: Location, reason: str) -> Finding:
    return finding("BOM096", "the price list cannot be read on: {reason}", at,
                   fix="check the quotes on this line and the ones above it", reason=reason)  # fmt: skip


def _unknown_part(part: str, at: Location) -> Finding:
    return finding("BOM091", "the price list has a price for {part}, which the catalog does not know", at,
                   severity=Severity.WARNING, fix="correct the id; `rackwright catalog find` helps",
                   part=printable(part))  # fmt: skip


def _second_price(price: Price, first: Price) -> Finding:
    return finding("BOM095", "a second price for {part} from {quantity} pieces on", price.at,
                   fix="keep one of the two", related=((first.at, "the first"),) if first.at else (),
                   part=price.part, quantity=price.quantity_min)  # fmt: skip


def _column_findings(columns: list[str], shown: str) -> list[Finding]:
    at = Location(shown)
    findings = [
        finding("BOM092", "the price list has no column '{name}'", at,
                fix="the first line names the columns: {columns}", name=name, columns=", ".join(COLUMNS))
        for name in REQUIRED if name not in columns and not (name == "part" and "mpn" in columns)
    ]  # fmt: skip
    for index, name in enumerate(columns):
        if name in columns[:index]:
            findings.append(finding("BOM093", "the price list has two columns '{name}'", at,
                                    fix="keep one of the two", name=printable(name)))  # fmt: skip
        elif name not in COLUMNS:
            near = closest(name, COLUMNS)
            findings.append(
                finding("BOM093", "the price list has an unknown column '{name}'", at,
                        fix="did you mean {near}?" if near else "columns are {columns}",
                        name=printable(name), near=near or "", columns=", ".join(COLUMNS))
            )  # fmt: skip
    return findings[:MAX_FINDINGS]
