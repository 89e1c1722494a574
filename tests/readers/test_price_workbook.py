"""Price lists that are workbooks: the same columns, cells of every kind, and files that are none."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from rackwright.pricing import Price
from rackwright.readers.prices import read_prices
from rackwright.source import Location

HEAD = ["part", "unit_price", "currency", "quantity_min", "discount_ratio", "valid_until", "unit"]


def read(path: Path) -> tuple[list[Price], list[str]]:
    prices, findings = read_prices(path, path.name, lambda part: part == "a/b")
    return prices, [f"{item.code} {item.at} {item.message}" for item in findings]


def saved(tmp_path: Path, *rows: list[Any]) -> Path:
    book = Workbook()
    for row in (HEAD, *rows):
        book.active.append(row)  # type: ignore[union-attr]
    book.create_sheet("notes").append(["not", "read"])
    book.save(tmp_path / "p.xlsx")
    return tmp_path / "p.xlsx"


def test_cells_of_every_kind(tmp_path: Path) -> None:
    day = datetime.date(2027, 1, 31)
    path = saved(
        tmp_path,
        ["a/b", 12345.6, "EUR", 10, 0.15, day, "each"],
        ["a/b", "99.50", "EUR"],
        [None] * 7,
        ["a/b", 0.1 + 0.2, "USD", 1.0, None, datetime.datetime(2027, 1, 31)],
    )
    prices, told = read(path)
    assert told == []
    assert prices == [
        Price("a/b", Decimal("12345.60"), "EUR", 10, Decimal("0.15"), "2027-01-31", Location("p.xlsx", 2)),
        Price("a/b", Decimal("99.50"), "EUR", 1, Decimal(0), None, Location("p.xlsx", 3)),
        Price("a/b", Decimal("0.30"), "USD", 1, Decimal(0), "2027-01-31", Location("p.xlsx", 5)),
    ]


def test_a_formula_that_was_never_computed_is_no_amount(tmp_path: Path) -> None:
    assert read(saved(tmp_path, ["a/b", "=1+1", "EUR"])) == ([], ["BOM094 p.xlsx:2:1 unit_price is ''"])


def test_more_decimals_than_an_amount_has(tmp_path: Path) -> None:
    assert read(saved(tmp_path, ["a/b", 1.234, "EUR"])) == ([], ["BOM094 p.xlsx:2:1 unit_price is '1.234'"])


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 no package", b"part,unit_price,currency\n"])
def test_what_is_no_workbook(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.xlsx").write_bytes(raw)
    prices, told = read(tmp_path / "p.xlsx")
    assert prices == []
    assert [line.partition(" the price list cannot be read on: ")[0] for line in told] == ["BOM096 p.xlsx:1:1"]


def test_a_workbook_that_is_not_there(tmp_path: Path) -> None:
    assert read(tmp_path / "p.xlsx") == (
        [],
        ["CFG001 p.xlsx:1:1 p.xlsx cannot be opened: No such file or directory"],
    )


def test_a_workbook_without_the_columns(tmp_path: Path) -> None:
    book = Workbook()
    book.save(tmp_path / "p.xlsx")
    assert [line[:6] for line in read(tmp_path / "p.xlsx")[1]] == ["BOM092"] * 3
