from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.outputs.csv import write_csv
from rackwright.proposal.model import Proposal
from rackwright.verdict import Status

from .sheet_engine import converted, values
from .sheet_sample import sample

ARMED = ("=1+1", "=cmd|' /C calc'!A0", "+1", "-5", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1+1", "＝1+1", "\x00=1")


def records(content: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def titled(text: str) -> Proposal:
    """A proposal with one text in every text of the bill."""
    plain = sample()
    names = ("title", "note", "maker", "mpn", "part_id", "kind_label", "lifecycle", "grade")
    rows = tuple(replace(row, **dict.fromkeys(names, text)) for row in plain.bom.rows)
    return replace(plain, bom=replace(plain.bom, rows=rows), status_label=text)


def test_english_files_have_commas_and_points() -> None:
    content = write_csv(sample())
    assert not content.startswith(b"\xef\xbb\xbf")
    heads, node, chassis, *_ = records(content)
    assert heads[:3] == ["Row", "Pos.", "Description"]
    assert node[:4] == ["group", "1", "Inference server, 4 × X100 NVL", "inference"]
    assert chassis[8:16] == ["1", "4", "4", "4180.00", "0.22", "3260.40", "13041.60", "EUR"]


def test_german_files_have_semicolons_decimal_commas_and_the_mark_of_utf8() -> None:
    content = write_csv(sample("de"))
    assert content.startswith(b"\xef\xbb\xbf")
    heads, _, chassis, *_ = records(content, ";")
    assert heads[:3] == ["Zeile", "Pos.", "Bezeichnung"]
    assert chassis[11:15] == ["4180,00", "0,22", "3260,40", "13041,60"]
    assert chassis[16] == "21,4"


def test_every_row_has_every_column() -> None:
    for language, delimiter in (("en", ","), ("de", ";")):
        table = records(write_csv(sample(language)), delimiter)
        assert {len(row) for row in table} == {23}
        assert len(table) == 1 + len(sample().bom.rows) + 3


def test_a_missing_price_is_on_request_and_the_total_says_so() -> None:
    proposal = sample()
    table = records(write_csv(proposal))
    drive = next(row for row in table if row[1] == "1.8")
    assert [drive[11], drive[13], drive[14]] == ["on request"] * 3
    assert [row[14] for row in table[-3:]] == [
        str(proposal.bom.subtotal),
        str(proposal.bom.vat),
        str(proposal.bom.total),
    ]
    assert {row[3] for row in table[-3:]} == {proposal.bom.completeness_text}
    bare = records(write_csv(sample(prices="none", vat=None)))
    assert [row[14] for row in bare if row[0] == "total"] == ["on request"]


def test_a_complete_bill_has_no_remark() -> None:
    assert {row[3] for row in records(write_csv(sample(prices="all")))[-3:]} == {""}


def test_a_draft_says_so_on_every_row() -> None:
    table = records(write_csv(sample(is_draft=True, status=Status.INVALID)))
    assert {row[-1] for row in table[1:]} == {"DRAFT: failed checks: PWR003, RCK004"}
    assert {row[-1] for row in records(write_csv(sample()))[1:]} == {"open"}


@pytest.mark.parametrize("text", ARMED)
def test_text_that_would_be_a_formula_gets_an_apostrophe(text: str) -> None:
    table = records(write_csv(titled(text)))
    for row in table[1:-3]:
        assert row[2].startswith("'")
        assert row[-1].startswith("'")


@given(st.text(max_size=30))
def test_no_field_starts_a_formula_and_no_record_breaks(text: str) -> None:
    content = write_csv(titled(text))
    assert content.decode().count("\r\n") == content.decode().count("\n") == 1 + len(sample().bom.rows) + 3
    for row in records(content):
        assert len(row) == 23
        assert not any(field.startswith(("=", "+", "-", "@", "\t", "\r")) for field in row)


def test_a_spreadsheet_program_finds_no_formula() -> None:
    opened = converted({f"file{number}.csv": write_csv(titled(text)) for number, text in enumerate(ARMED)}, "xlsx")
    assert len(opened) == len(ARMED)
    for number in range(len(ARMED)):
        from openpyxl import load_workbook

        book = load_workbook(io.BytesIO(opened[f"file{number}"]))
        assert not [cell.coordinate for row in book.active for cell in row if cell.data_type in "fe"]
        assert values(opened[f"file{number}"]).active["C2"].value.startswith("'")


def test_numbers_never_turn_into_exponents() -> None:
    rows = tuple(replace(row, weight_kg=0.0000001, power_w=1e22) for row in sample().bom.rows)
    content = write_csv(replace(sample(), bom=replace(sample().bom, rows=rows)))
    assert records(content)[2][16:18] == ["0.0000001", "1" + "0" * 22]


def test_the_same_proposal_gives_the_same_bytes() -> None:
    assert write_csv(sample("de")) == write_csv(sample("de"))
