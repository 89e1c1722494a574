"""Reads price lists in CSV form: part, unit_price, currency and, where wanted, quantity_min, discount_ratio, valid_until."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

from rackwright.diagnostic import Finding, finding
from rackwright.pricing import Price
from rackwright.readers.files import closest, read_text
from rackwright.source import Location

REQUIRED = ("part", "unit_price", "currency")
COLUMNS = (*REQUIRED, "quantity_min", "discount_ratio", "valid_until", "note")


def read_prices(path: Path, shown: str, is_known: Callable[[str], bool]) -> tuple[list[Price], list[Finding]]:
    """Read a price list. Amounts are written with a point: 12345.60. Each problem names its line (BOM0…).

    Separators `,` and `;` are both read. Rows for parts that the catalog does not know are reported and left out.
    """
    text, findings = read_text(path, shown)
    if text is None:
        return [], findings
    first_line = text.lstrip("\ufeff").split("\n", 1)[0]
    separator = ";" if first_line.count(";") > first_line.count(",") else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=separator)
    columns = [name.strip() for name in reader.fieldnames or []]
    findings = _column_findings(columns, shown)
    if findings:
        return [], findings
    reader.fieldnames = columns
    prices: list[Price] = []
    for row in reader:
        at = Location(shown, reader.line_num)
        price, problems = _price({key: (value or "").strip() for key, value in row.items() if key}, at)
        findings += problems
        if price is not None and not is_known(price.part):
            findings.append(
                finding("BOM091", "the price list has a price for {part}, which the catalog does not know", at,
                        fix="correct the id; `rackwright catalog find` helps", part=price.part)
            )  # fmt: skip
        elif price is not None:
            prices.append(price)
    return prices, findings


def _column_findings(columns: list[str], shown: str) -> list[Finding]:
    at = Location(shown)
    findings = [
        finding("BOM092", "the price list has no column '{name}'", at,
                fix="the first line names the columns: {columns}", name=name, columns=", ".join(COLUMNS))
        for name in REQUIRED if name not in columns
    ]  # fmt: skip
    for name in columns:
        if name not in COLUMNS:
            near = closest(name, COLUMNS)
            findings.append(
                finding("BOM093", "the price list has an unknown column '{name}'", at,
                        fix="did you mean {near}?" if near else "columns are {columns}",
                        name=name[:40], near=near or "", columns=", ".join(COLUMNS))
            )  # fmt: skip
    return findings


def _price(row: dict[str, str], at: Location) -> tuple[Price | None, list[Finding]]:
    problems: list[Finding] = []

    def wrong(column: str, expected: str) -> None:
        problems.append(
            finding("BOM094", "{column} is '{value}'", at, fix="write {expected}",
                    column=column, value=row.get(column, "")[:40], expected=expected)
        )  # fmt: skip

    amount = _decimal(row["unit_price"])
    if amount is None or amount < 0 or amount > Decimal("1e9"):
        wrong("unit_price", "an amount with a point, as in 12345.60")
    if not re.fullmatch(r"[A-Z]{3}", row["currency"]):
        wrong("currency", "three letters, as in EUR")
    quantity = row.get("quantity_min") or "1"
    if not re.fullmatch(r"[1-9]\d{0,6}", quantity):
        wrong("quantity_min", "a whole number from 1 on")
    discount = _decimal(row.get("discount_ratio") or "0")
    if discount is None or not 0 <= discount <= 1:
        wrong("discount_ratio", "a ratio from 0 to 1: 0.15 for 15 %")
    until = row.get("valid_until") or None
    if until and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", until):
        wrong("valid_until", "an ISO date, as in 2027-01-31")
    if problems or amount is None or discount is None:
        return None, problems
    return Price(row["part"], amount, row["currency"], int(quantity), discount, until, at), []


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
