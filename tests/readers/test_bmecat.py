"""Price updates in BMEcat 2005: prices and nothing else, and no way out of the file."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from rackwright.pricing import Price
from rackwright.readers.prices import read_prices

NUMBERS = {"X-100": ["a/gpu"], "a/gpu": ["a/gpu"], "TWO": ["a/gpu", "a/cpu"]}


def document(products: str, header: str = "<CURRENCY>EUR</CURRENCY>", start: str = "") -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{start}'
        '<BMECAT version="2005.2" xmlns="http://www.bmecat.org/bmecat/2005.2">'
        f"<HEADER><CATALOG><LANGUAGE>ger</LANGUAGE>{header}</CATALOG></HEADER>"
        f'<T_UPDATE_PRICES prev_version="1">{products}</T_UPDATE_PRICES></BMECAT>'
    )


def product(prices: str, number: str = "X-100", dates: str = "") -> str:
    details = f"<PRODUCT_PRICE_DETAILS>{dates}{prices}</PRODUCT_PRICE_DETAILS>"
    return f'<PRODUCT mode="update"><SUPPLIER_PID>{number}</SUPPLIER_PID>{details}</PRODUCT>'


def amount(value: str, kind: str = "net_list", more: str = "") -> str:
    return f'<PRODUCT_PRICE price_type="{kind}"><PRICE_AMOUNT>{value}</PRICE_AMOUNT>{more}</PRODUCT_PRICE>'


def read(tmp_path: Path, text: str) -> tuple[list[Price], list[tuple[str, str]]]:
    (tmp_path / "p.xml").write_text(text, encoding="utf-8")
    prices, findings = read_prices(tmp_path / "p.xml", "p.xml", lambda part: part == "a/gpu", NUMBERS)
    return prices, [(item.code, str(item.message)) for item in findings]


def test_list_price_and_cost_are_one_price(tmp_path: Path) -> None:
    both = amount("100.00") + amount("81.5", "net_customer")
    dates = "<VALID_START_DATE>2026-01-01</VALID_START_DATE><VALID_END_DATE>2026-12-31T23:59:59</VALID_END_DATE>"
    prices, told = read(tmp_path, document(product(both, dates=dates)))
    assert told == []
    (found,) = prices
    assert (found.part, found.unit_price, found.cost) == ("a/gpu", Decimal("100.00"), Decimal("81.5"))
    assert (found.valid_from, found.valid_until, found.supplier_number) == ("2026-01-01", "2026-12-31", "X-100")
    assert found.at is not None
    assert found.at.line == 1


def test_steps_currencies_factors_and_territories(tmp_path: Path) -> None:
    more = (
        "<PRICE_CURRENCY>USD</PRICE_CURRENCY><PRICE_FACTOR>0.9</PRICE_FACTOR><LOWER_BOUND>8</LOWER_BOUND>"
        "<TERRITORY>AT</TERRITORY><TERRITORY>DE</TERRITORY>"
    )
    prices, _ = read(tmp_path, document(product(amount("100") + amount("50", more=more))))
    assert [(p.unit_price, p.currency, p.quantity_min, p.territory) for p in prices] == [
        (Decimal(100), "EUR", 1, ()),
        (Decimal("45.0"), "USD", 8, ("AT", "DE")),
    ]


def test_dates_of_the_older_form(tmp_path: Path) -> None:
    dates = '<DATETIME type="valid_end_date"><DATE>2026-05-31</DATE></DATETIME>'
    prices, _ = read(tmp_path, document(product(amount("1"), dates=dates)))
    assert [p.valid_until for p in prices] == ["2026-05-31"]


def test_products_that_the_bill_does_not_have_are_counted(tmp_path: Path) -> None:
    prices, told = read(tmp_path, document(product(amount("1")) + product(amount("2"), "Y-1")))
    assert len(prices) == 1
    assert told == [("BOM101", "1 of 2 products of the list are not on the bill: Y-1")]


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        (product(amount("1"), "TWO"),
         ("BOM100", "the number TWO is carried by several parts of the bill: a/gpu, a/cpu")),
        (product(amount("1") + amount("2")), ("BOM095", "a second price for a/gpu from 1 pieces on")),
        (product(amount("1.234,00")), ("BOM094", "PRICE_AMOUNT is '1.234,00'")),
        (product(amount("-1")), ("BOM094", "PRICE_AMOUNT is '-1'")),
        (product(amount("1", more="<LOWER_BOUND>1.5</LOWER_BOUND>")), ("BOM094", "LOWER_BOUND is '1.5'")),
        (product(amount("1", more="<PRICE_CURRENCY>Euro</PRICE_CURRENCY>")), ("BOM094", "PRICE_CURRENCY is 'Euro'")),
        (product(amount("1"), dates="<VALID_END_DATE>2026-02-30</VALID_END_DATE>"),
         ("BOM094", "DATETIME is '2026-02-30'")),
        (product(amount("1", "gros_list")),
         ("BOM102", "a price of a/gpu is of the type gros_list, which is not used")),
        (product(amount("1", more="<PRICE_BASE><PRICE_UNIT>C62</PRICE_UNIT></PRICE_BASE>")),
         ("BOM094", "PRICE_BASE is ''")),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(inside: str, told: tuple[str, str], tmp_path: Path) -> None:
    assert told in read(tmp_path, document(inside))[1]


def test_on_request_is_no_price(tmp_path: Path) -> None:
    assert read(tmp_path, document(product('<PRODUCT_PRICE price_type="on_request"/>'))) == ([], [])


@pytest.mark.parametrize(
    ("start", "inside"),
    [
        ('<!DOCTYPE BMECAT SYSTEM "http://192.0.2.1/x.dtd">', "1"),
        ('<!DOCTYPE BMECAT [<!ENTITY secret SYSTEM "file:///etc/passwd">]>', "&secret;"),
        ('<!DOCTYPE B [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>', "&b;"),
        ('<!DOCTYPE B [<!ENTITY % p SYSTEM "http://192.0.2.1/p"> %p;]>', "1"),
    ],
)
def test_no_document_type_and_no_entity(start: str, inside: str, tmp_path: Path) -> None:
    prices, told = read(tmp_path, document(product(amount(inside)), start=start))
    assert (prices, told) == (
        [],
        [("BOM096", "the price list cannot be read on: it declares a document type or entities")],
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<html/>", "it is no BMEcat file"),
        ('<BMECAT version="2005"><HEADER/><T_NEW_CATALOG/></BMECAT>', "it has no T_UPDATE_PRICES"),
        ("<BMECAT><HEADER>", "no element found: line 1, column 16"),
        ("", "no element found: line 1, column 0"),
        ("<BMECAT>" + "<A>" * 40, "its elements are nested too deep"),
    ],
)
def test_other_files_are_refused(text: str, reason: str, tmp_path: Path) -> None:
    assert read(tmp_path, text) == ([], [("BOM096", f"the price list cannot be read on: {reason}")])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    _, findings = read_prices(tmp_path / "no.xml", "no.xml", bool, {})
    assert [item.code for item in findings] == ["CFG001"]
