"""Which price of several is taken, and when a price that cannot be used is told."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from rackwright.pricing import Price, price_bom


def priced(total: int, *prices: Price) -> tuple[str | None, list[str]]:
    bom: Any = SimpleNamespace(lines=[SimpleNamespace(part=SimpleNamespace(id="a/b"), total=total)])
    bill, findings = price_bom(bom, prices, "EUR", date="2026-12-01")
    unit = bill.lines[0].net_unit
    return None if unit is None else str(unit), [f"{item.code} {item.message}" for item in findings]


def price(amount: str, currency: str = "EUR", least: int = 1, until: str | None = None) -> Price:
    return Price("a/b", Decimal(amount), currency, least, valid_until=until)


def test_the_highest_quantity_that_the_order_reaches() -> None:
    assert priced(10, price("9"), price("8", least=10), price("7", least=11)) == ("8.00", [])
    assert priced(9, price("9"), price("8", least=10)) == ("9.00", [])


def test_a_price_that_cannot_be_used_is_told() -> None:
    assert priced(1, price("9", "USD")) == (
        None,
        ["BOM090 the price of a/b is in USD, the quote is in EUR; the line stays on request"],
    )
    assert priced(1, price("9", until="2026-11-30")) == (
        None,
        ["BOM090 the price of a/b was valid until 2026-11-30, the quote is of 2026-12-01; the line stays on request"],
    )
    assert priced(1, price("9", until="2026-12-01")) == ("9.00", [])


def test_it_is_not_told_where_another_price_is_used() -> None:
    assert priced(1, price("9", "USD"), price("8", until="2020-01-01"), price("7")) == ("7.00", [])
