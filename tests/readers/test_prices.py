"""Price lists: what is read, and what each mistake is told as."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from rackwright.pricing import Price, Trade
from rackwright.readers.prices import read_prices
from rackwright.source import Location

HEAD = "part,unit_price,currency\n"


def read(tmp_path: Path, raw: str | bytes) -> tuple[list[Price], list[tuple[str, str, str]]]:
    (tmp_path / "p.csv").write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    prices, findings = read_prices(tmp_path / "p.csv", "p.csv", lambda part: part in ("a/b", "a/c"))
    return prices, [(item.code, str(item.at), str(item.message)) for item in findings]


@pytest.mark.parametrize(
    "raw",
    [
        HEAD + "a/b,12.50,EUR\n",
        HEAD.encode() + b"a/b,12.5,EUR",
        b"\xef\xbb\xbf" + HEAD.encode() + b"a/b,12.50,EUR\n",
        "part;unit_price;currency\r\na/b;12.50;EUR\r\n",
        "part\tunit_price\tcurrency\na/b\t12.50\tEUR\n",
        "part,unit_price,currency\ra/b,12.50,EUR\r",
        "Part, Unit_Price ,CURRENCY\n a/b , 12.50 , EUR \n",
        HEAD + '"a/b","12.50",EUR\n\n,,\n',
    ],
)
def test_the_ways_of_writing_a_list(raw: str | bytes, tmp_path: Path) -> None:
    prices, told = read(tmp_path, raw)
    assert told == []
    assert [(p.part, p.unit_price, p.currency, p.quantity_min, p.discount_ratio, p.valid_until) for p in prices] == [
        ("a/b", Decimal("12.50"), "EUR", 1, Decimal(0), None)
    ]


def test_the_columns_that_may_be_left_out(tmp_path: Path) -> None:
    head = "part,unit_price,currency,quantity_min,discount_ratio,valid_until,note,unit,valid_from\n"
    prices, told = read(tmp_path, head + "a/b,1,EUR,10,0.15,2027-01-31,x,day,2026-12-01\na/b,2,EUR,,,,,,\n")
    assert told == []
    assert prices == [
        Price("a/b", Decimal(1), "EUR", 10, Decimal("0.15"), "2027-01-31", Location("p.csv", 2), "day", "2026-12-01"),
        Price("a/b", Decimal(2), "EUR", 1, Decimal(0), None, Location("p.csv", 3)),
    ]


@pytest.mark.parametrize(
    "text", ["1.234,50", "1.234", "1,5", "1_000", "1e3", "NaN", "inf", "-1", "+1", "", "=1+1", "１"]
)
def test_an_amount_that_could_be_misread_is_refused(text: str, tmp_path: Path) -> None:
    """1.234 is one thousand and more in half of Europe."""
    assert read(tmp_path, f"part;unit_price;currency\na/b;{text};EUR\n") == (
        [],
        [("BOM094", "p.csv:2:1", f"unit_price is '{text}'")],
    )


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("currency", "eur"),
        ("currency", "€"),
        ("quantity_min", "0"),
        ("quantity_min", "1.5"),
        ("discount_ratio", "15"),
        ("discount_ratio", "1.01"),
        ("discount_ratio", "15 %"),
        ("valid_until", "31.01.2027"),
        ("valid_until", "2027-02-30"),
        ("valid_until", "20270131"),
        ("valid_from", "1.12.2026"),
        ("unit", "pack"),
    ],
)
def test_other_cells_that_cannot_be_read(column: str, text: str, tmp_path: Path) -> None:
    row = {"part": "a/b", "unit_price": "1", "currency": "EUR", column: text}
    raw = f"{','.join(row)}\n{','.join(row.values())}\n"
    assert read(tmp_path, raw) == ([], [("BOM094", "p.csv:2:1", f"{column} is '{text}'")])


@pytest.mark.parametrize(
    ("raw", "code", "message"),
    [
        ("part,price\n", "BOM092", "the price list has no column 'unit_price'"),
        (HEAD.replace("\n", ",unit_price\n"), "BOM093", "the price list has two columns 'unit_price'"),
        (HEAD.replace("\n", ",qty_min\n"), "BOM093", "the price list has an unknown column 'qty_min'"),
        (HEAD + "a/b,1,234.00,EUR\n", "BOM094", "the row has 4 cells for 3 columns"),
        (HEAD + '"a/b,1,EUR\n', "BOM096", "the price list cannot be read on: unexpected end of data"),
        (HEAD + "x" * 200_000, "BOM096", "the price list cannot be read on: field larger than field limit (131072)"),
        (HEAD + "\x1b,1,EUR\n", "BOM091", "the price list has a price for \\x1b, which the catalog does not know"),
        (" ", "CFG003", "p.csv is empty"),
    ],
)  # fmt: skip
def test_lists_that_are_wrong(raw: str, code: str, message: str, tmp_path: Path) -> None:
    prices, told = read(tmp_path, raw)
    assert prices == []
    assert told[0][0] == code
    assert told[0][2] == message


def test_a_second_price_is_told_and_the_first_kept(tmp_path: Path) -> None:
    prices, told = read(tmp_path, HEAD + "a/b,1,EUR\na/c,5,EUR\na/b,2,EUR\na/b,3,USD\n")
    assert [(price.part, str(price.unit_price)) for price in prices] == [("a/b", "1"), ("a/c", "5"), ("a/b", "3")]
    assert told == [("BOM095", "p.csv:4:1", "a second price for a/b from 1 pieces on")]


def test_a_cell_over_several_lines_keeps_the_numbers_right(tmp_path: Path) -> None:
    prices, told = read(tmp_path, 'part,unit_price,currency,note\na/b,1,EUR,"x\ny"\na/c,x,EUR,\n')
    assert [price.at for price in prices] == [Location("p.csv", 2)]
    assert told == [("BOM094", "p.csv:4:1", "unit_price is 'x'")]


def test_the_number_of_problems_is_limited(tmp_path: Path) -> None:
    prices, told = read(tmp_path, HEAD + "a/b,x,EUR\n" * 5000 + "a/c,1,EUR\n")
    assert prices == []
    assert len(told) == 201
    assert told[-1] == ("BOM094", "p.csv:202:1", "more than 200 problems: the rest was not read")


def test_what_a_supplier_states_is_kept(tmp_path: Path) -> None:
    head = (
        "part,unit_price,currency,cost,margin_ratio,territory,vat,lead_time_days,supplier_number,hs_codes,origin,"
        "export_class,export_stated_by,export_as_of\n"
    )
    row = "a/b,9.00,EUR,7.50,0.1,DE AT,exempt,35,0012,8473 30 80,TW,5A992.c,the maker,2026-06-16\n"
    prices, told = read(tmp_path, head + row)
    assert told == []
    (price,) = prices
    assert (price.cost, price.margin_ratio, price.territory) == (Decimal("7.50"), Decimal("0.1"), ("AT", "DE"))
    assert (price.vat, price.lead_time_days, price.supplier_number) == ("exempt", 35, "0012")
    assert price.trade == Trade("8473 30 80", "TW", "5A992.c", "the maker", "2026-06-16")


def test_a_cost_may_stand_without_a_price(tmp_path: Path) -> None:
    prices, told = read(tmp_path, "part,unit_price,cost,currency\na/b,,7.50,USD\n")
    assert (told, prices[0].unit_price, prices[0].cost) == ([], None, Decimal("7.50"))


@pytest.mark.parametrize(
    ("column", "text"),
    [("territory", "Germany"), ("vat", "reduced"), ("lead_time_days", "5 weeks"), ("export_as_of", "june")],
)
def test_a_cell_that_cannot_be_read_is_told(column: str, text: str, tmp_path: Path) -> None:
    prices, told = read(tmp_path, f"part,unit_price,currency,{column}\na/b,1.00,EUR,{text}\n")
    assert prices == []
    assert [(code, message) for code, _, message in told] == [("BOM094", f"{column} is '{text}'")]


@pytest.mark.parametrize("column", ["cost", "margin_ratio"])
def test_what_stays_in_the_house_is_not_repeated(column: str, tmp_path: Path) -> None:
    _, told = read(tmp_path, f"part,unit_price,currency,{column}\na/b,1.00,EUR,12 345\n")
    assert [(code, message) for code, _, message in told] == [("BOM094", f"{column} cannot be read")]


def test_a_row_may_name_a_part_of_the_bill_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("mpn,unit_price,currency\n900-1,5.00,EUR\nelse,1.00,EUR\nboth,2.00,EUR\n")
    numbers = {"900-1": ["a/b"], "both": ["a/b", "a/c"]}
    prices, findings = read_prices(tmp_path / "p.csv", "p.csv", bool, numbers)
    assert [(price.part, price.unit_price) for price in prices] == [("a/b", Decimal("5.00"))]
    assert [(item.code, str(item.message)) for item in findings] == [
        ("BOM100", "the number both is carried by several parts of the bill: a/b, a/c")
    ]
