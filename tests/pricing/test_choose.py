"""Which price of several is taken, and when a price that cannot be used is told."""

from __future__ import annotations

from decimal import Decimal

from rackwright.bom import Bom, BomGroup, BomLine
from rackwright.catalog import Part
from rackwright.pricing import Price, price_bom


def priced(total: int, *prices: Price, unit: str | None = None) -> tuple[str | None, list[str]]:
    part = Part("a/b", "service", {"title": "A", **({"unit": unit} if unit else {})})
    line = BomLine("1.1", part, total, total)
    bom = Bom((BomGroup("1", "a", "a", 1, (line,)),))
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


def test_a_price_for_another_unit_or_a_later_day_is_not_used() -> None:
    daily = Price("a/b", Decimal(900), "EUR", unit="day")
    assert priced(2, daily, unit="day") == ("900.00", [])
    assert priced(2, daily) == (
        None,
        ["BOM090 the price of a/b is per day, the bill counts each; the line stays on request"],
    )
    assert priced(1, Price("a/b", Decimal(9), "EUR", valid_from="2026-12-01")) == ("9.00", [])
    assert priced(1, Price("a/b", Decimal(9), "EUR", valid_from="2026-12-02")) == (
        None,
        ["BOM090 the price of a/b is valid from 2026-12-02 on, the quote is of 2026-12-01; the line stays on request"],
    )


def test_an_order_below_the_least_quantity_is_told() -> None:
    assert priced(9, price("8", least=10)) == (
        None,
        ["BOM090 the price of a/b is from 10 pieces on, the order has 9; the line stays on request"],
    )


def test_parts_without_a_price_are_told_once_if_there_is_a_list() -> None:
    other = Price("a/c", Decimal(1), "EUR")
    assert priced(1, other) == (None, ["BOM097 1 of 1 parts have no price: a/b; their lines stay on request"])
    assert priced(1) == (None, [])
