from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.outputs.xlsx import write_xlsx
from rackwright.outputs.xlsx.text import cell_text, is_arming, is_web_address, joined, literal, print_text, sheet_name

from .sheet_engine import cells, formulas
from .sheet_hostile import hostile
from .sheet_sample import sample


@pytest.mark.parametrize("text", ["=1+1", "#N/A", "1E5", "_x0041_", "\x07", "&L&P", "http://example.com/\n=1"])
def test_no_field_of_a_proposal_becomes_a_formula_or_a_link(text: str) -> None:
    content = write_xlsx(hostile(text))
    own = {place for _, place in formulas(write_xlsx(hostile("harmless")))}
    assert {place for _, place in formulas(content)} == own
    for cell in cells(content):
        assert cell.data_type in "snfd"
        assert not cell.hyperlink


def test_text_that_an_editor_would_arm_is_marked() -> None:
    content = write_xlsx(hostile("=1+1"))
    marked = [cell for cell in cells(content) if cell.value == "=1+1" and cell.data_type == "s"]
    assert len(marked) > 50
    assert all(cell.quotePrefix for cell in marked)


@given(st.text())
def test_cell_text_can_be_written_and_is_idempotent_but_for_escapes(text: str) -> None:
    result = cell_text(text)
    assert len(result) <= 32_767 or "_x005F_" in result
    assert not re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]", result)
    assert "_x" in text or cell_text(result) == result


@given(st.text(max_size=400), st.text(max_size=50))
def test_a_literal_in_a_formula_never_ends_early(text: str, other: str) -> None:
    formula = joined(text.replace("{", "") + "{hole}" + other.replace("{", ""), {"hole": "A1"})
    outside = re.sub('"(?:[^"]|"")*"', "", formula)
    assert outside.strip("&").replace("&", "") == "A1"
    assert literal(text).count('"') % 2 == 0


@pytest.mark.parametrize(
    ("address", "is_web"),
    [
        ("https://docs.example.com/a.pdf#page=3", True),
        ("http://example.com", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("https://", False),
        ("https://[", False),
        ("https://example.com/a b", False),
        ("https://example.com/" + "a" * 3000, False),
        ("\\\\server\\share", False),
        ("mailto:a@example.com", False),
    ],
)
def test_only_web_addresses_become_links(address: str, is_web: bool) -> None:
    assert is_web_address(address) is is_web
    content = write_xlsx(replace(sample(), source_urls=(address, "")))
    links = [cell.hyperlink.target for cell in cells(content) if cell.hyperlink]
    assert links == ([address] if is_web else [])


def test_sheet_names_are_allowed_and_unique() -> None:
    taken: set[str] = set()
    names = [sheet_name(text, taken) for text in ("a/b:c", "A/B:C", "x" * 40, "x" * 40, "'", "")]
    assert names == ["a b c", "A B C 2", "x" * 31, "x" * 29 + " 2", "Sheet", "Sheet 2"]


@given(st.text(), st.integers(min_value=5, max_value=80))
def test_page_headers_have_no_codes_and_an_end(text: str, length: int) -> None:
    result = print_text(text, length)
    assert len(result) <= length
    assert "&" not in result.replace("&&", "")
    assert "\n" not in result


def test_is_arming() -> None:
    assert [text for text in ("=a", "+a", "-a", "@a", "\ta", "\na", " =a", "a=", "", "1") if is_arming(text)] == [
        "=a", "+a", "-a", "@a", "\ta", "\na", " =a",
    ]  # fmt: skip
