"""The house style: what is read, what is refused, and how it looks in the pages."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rackwright.commerce import Seller
from rackwright.outputs.pdf import render_html, write_pdf
from rackwright.outputs.pdf_house import recoloured_by
from rackwright.proposal.house import File, HouseStyle
from rackwright.readers.house import luminance, read_house

from .sample import english_open

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#14365C"/></svg>'


def read(folder: Path, text: str, **files: bytes) -> tuple[HouseStyle | None, list[tuple[str, str]]]:
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)
    style, findings = read_house(folder, "house")
    return style, [(item.code, str(item.message)) for item in findings]


def test_everything_that_a_house_sets(tmp_path: Path) -> None:
    text = (
        "seller: {name: Beispiel GmbH, vat_id: DE123456789}\nlogo: logo.svg\ncolours: {accent: '#14365c'}\n"
        "fonts: {'400': text.ttf}\nterms: {de: [AGB gelten.]}\ncover_text: {de: Guten Tag.}\nfooter: vertraulich\n"
    )
    font = (TEMPLATES / "proposal" / "fonts" / "Inter-400.ttf").read_bytes()
    style, told = read(tmp_path, text, logo_svg=LOGO, text_ttf=font)
    assert told == []
    assert style is not None
    assert (style.logo, style.colours) == (File(LOGO, "image/svg+xml"), {"accent": "#14365C"})
    assert style.fonts["400"].media_type == "font/ttf"
    assert (style.terms, style.cover_text) == ({"de": ("AGB gelten.",)}, {"de": "Guten Tag."})
    assert style.footer == "vertraulich"


def test_the_quote_counts_before_the_house() -> None:
    house = HouseStyle(seller=Seller(name="House", vat_id="DE1"))
    assert house.seller_of(Seller(name="Quote")) == Seller(name="Quote", vat_id="DE1")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("colours: {accent: '#FFE9A0'}", "CFG053"),
        ("colours: {accent: red}", "CFG010"),
        ("logo: ../secret.svg", "CFG008"),
        ("logo: /etc/passwd", "CFG008"),
        ("logo: no.svg", "CFG001"),
        ("fonts: {'400': house.yaml}", "CFG050"),
        ("fonts: {'450': x.ttf}", "CFG010"),
        ("layout: mine", "CFG010"),
        ("- a", "CFG011"),
    ],
)
def test_what_cannot_be_used_is_told(text: str, code: str, tmp_path: Path) -> None:
    style, told = read(tmp_path, text)
    assert style is None
    assert [found for found, _ in told] == [code]


def test_no_house_file(tmp_path: Path) -> None:
    style, findings = read_house(tmp_path, "house")
    assert (style, [item.code for item in findings]) == (None, ["CFG001"])


def test_contrast_is_that_of_the_guidelines() -> None:
    """White on black is 21 : 1; #767676 on white is the lightest grey with 4.54 : 1 (WCAG 2.2)."""
    assert (luminance("#FFFFFF"), luminance("#000000")) == (1.0, 0.0)
    assert round(1.05 / (luminance("#767676") + 0.05), 2) == 4.54


def test_colours_are_replaced_where_they_colour_and_nowhere_else() -> None:
    recoloured = recoloured_by(HouseStyle(colours={"accent": "#112233"}))
    assert recoloured('<rect fill="#0E3B4C"/><p>the tone #0E3B4C, as on the wall</p> h1 { color: #0E3B4C; }') == (
        '<rect fill="#112233"/><p>the tone #0E3B4C, as on the wall</p> h1 { color: #112233; }'
    )
    assert recoloured_by(None)("#0E3B4C") == "#0E3B4C"


def test_it_is_on_the_pages() -> None:
    proposal = dataclasses.replace(english_open(), cover_text="Thank you & <b>welcome</b>", footer="confidential")
    house = HouseStyle(logo=File(LOGO, "image/svg+xml"), colours={"accent": "#112233"})
    html = render_html(proposal, TEMPLATES / "proposal", house=house)
    assert 'class="logo" src="data:image/svg+xml;base64,' in html
    assert "Thank you &amp; &lt;b&gt;welcome&lt;/b&gt;" in html
    assert "confidential</div>" in html
    assert 'fill="#112233"' in html
    assert '"#0E3B4C"' not in html
    assert write_pdf(proposal, TEMPLATES, house=house).startswith(b"%PDF")
