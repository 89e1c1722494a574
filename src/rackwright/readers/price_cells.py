"""The cells of a row of a price list as a price. Every cell is checked, none is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from rackwright.diagnostic import Finding, finding
from rackwright.limits import is_iso_day
from rackwright.pricing import VAT_CATEGORIES, Price, Trade
from rackwright.readers.files import printable
from rackwright.source import Location

UNITS = ("each", "hour", "day", "year")
# Three decimals are refused: 1.234 may be meant as 1,234.00, as half of Europe writes it.
_AMOUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,2})?")
_RATIO = re.compile(r"0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_ALWAYS, _EVER = "9999-12-31", "0001-01-01"
_QUANTITY = re.compile(r"[1-9][0-9]{0,6}")
_MARGIN = re.compile(r"0(?:\.[0-9]{1,6})?")
_DAYS = re.compile(r"0|[1-9][0-9]{0,3}")
_PLACES = re.compile(r"[A-Z]{2}(?:[ ,/]+[A-Z]{2})*")
_SECRET = ("cost", "margin_ratio")
_NOTHING = "-"  # stands for an optional cell that is empty

Problems = list[Finding]


def price_of(row: Mapping[str, str], at: Location) -> tuple[Price | None, Problems]:
    """Return the price of a row (column -> text), or what is wrong with its cells (BOM094)."""
    problems: Problems = []

    def cell(column: str, default: str, is_right: Callable[[str], object], expected: str) -> str:
        text = row.get(column) or default
        if not is_right(text) and column in _SECRET:  # such a value must not get into a report
            problems.append(
                finding("BOM094", "{column} cannot be read", at, fix="write {expected}",
                        column=column, expected=expected)
            )  # fmt: skip
        elif not is_right(text):
            problems.append(
                finding("BOM094", "{column} is '{value}'", at, fix="write {expected}",
                        column=column, value=printable(text), expected=expected)
            )  # fmt: skip
        return text

    # Longer than most functions because it is the list of the columns.
    amount = cell("unit_price", _NOTHING if row.get("cost") else "", _optional(_AMOUNT) if row.get("cost")
                  else _AMOUNT.fullmatch, "an amount with a point and two decimals, as in 12345.60")  # fmt: skip
    cost = cell("cost", _NOTHING, _optional(_AMOUNT), "an amount with a point and two decimals, as in 12345.60")
    currency = cell("currency", "", _CURRENCY.fullmatch, "three letters, as in EUR")
    quantity = cell("quantity_min", "1", _QUANTITY.fullmatch, "a whole number from 1 on")
    discount = cell("discount_ratio", "0", _RATIO.fullmatch, "a ratio from 0 to 1: 0.15 for 15 %")
    margin = cell("margin_ratio", _NOTHING, _optional(_MARGIN), "a ratio from 0 to below 1: 0.15 for 15 %")
    start = cell("valid_from", _EVER, is_iso_day, "an ISO date, as in 2027-01-31")
    until = cell("valid_until", _ALWAYS, is_iso_day, "an ISO date, as in 2027-01-31")
    unit = cell("unit", "each", UNITS.__contains__, "each, hour, day or year")
    places = cell("territory", _NOTHING, _optional(_PLACES), "countries or regions of two letters, as in DE AT or EU")
    vat = cell("vat", _NOTHING, (_NOTHING, *VAT_CATEGORIES).__contains__, "standard, reverse_charge or exempt")
    days = cell("lead_time_days", _NOTHING, _optional(_DAYS), "a whole number of days")
    as_of = cell("export_as_of", _EVER, is_iso_day, "an ISO date, as in 2027-01-31")
    if problems:
        return None, problems
    return Price(
        part=row.get("part", ""),
        unit_price=_decimal(amount),
        currency=currency,
        quantity_min=int(quantity),
        discount_ratio=Decimal(discount),
        valid_until=None if until == _ALWAYS else until,
        at=at,
        unit=unit,
        valid_from=None if start == _EVER else start,
        territory=() if places == _NOTHING else tuple(sorted(re.split(r"[ ,/]+", places))),
        cost=_decimal(cost),
        margin_ratio=_decimal(margin),
        vat=None if vat == _NOTHING else vat,
        lead_time_days=None if days == _NOTHING else int(days),
        supplier_number=row.get("supplier_number", ""),
        trade=_trade(row, "" if as_of == _EVER else as_of),
    ), []


def _optional(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: text == _NOTHING or pattern.fullmatch(text)


def _decimal(text: str) -> Decimal | None:
    return None if text == _NOTHING else Decimal(text)


def _trade(row: Mapping[str, str], as_of: str) -> Trade:
    return Trade(
        hs_codes=row.get("hs_codes", ""),
        origin=row.get("origin", ""),
        export_class=row.get("export_class", ""),
        stated_by=row.get("export_stated_by", ""),
        as_of=as_of,
    )
