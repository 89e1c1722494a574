"""Nothing gets into the PDF but the proposal: no markup from texts, no file, no network, no nosy template."""

from __future__ import annotations

import dataclasses
import io
import re
import shutil
import socket
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from rackwright.errors import OutputError
from rackwright.outputs.pdf import render_html, write_pdf

from .sample import english_open
from .sample_draft import english_draft
from .test_pdf import TEMPLATES, run, text_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

HOSTILE = '"><script>alert(1)</script><img src="http://192.0.2.1/x"><link rel=attachment href="file:///etc/passwd">{{7*7}}&amp;'


def poisoned(value: Any) -> Any:
    """Put a hostile text into every text of a value."""
    if isinstance(value, Enum) or value is None:
        return value
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, tuple):
        return tuple(poisoned(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(
            value, **{f.name: poisoned(getattr(value, f.name)) for f in dataclasses.fields(value)}
        )
    return value


def test_hostile_texts_print_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    proposal = dataclasses.replace(poisoned(english_draft()), language="en", date_iso="2026-12-01")
    html = render_html(proposal, TEMPLATES / "proposal")
    assert "<script" not in html
    assert "<img" not in html
    assert "49&" not in html
    path = tmp_path / "a.pdf"
    path.write_bytes(write_pdf(proposal, TEMPLATES))
    assert "<script>alert(1)</script>" in re.sub(r"\s", "", text_of(path))
    assert run("pdfdetach", "-list", path).startswith("0 embedded files")


REFERENCES = {
    "style sheet": '<link rel="stylesheet" href="{}">',
    "import": '<style>@import url("{}")</style>',
    "font": '<style>@font-face {{ font-family: X; src: url("{}") }}</style><p style="font-family: X">x</p>',
    "image": '<img alt="x" src="{}">',
    "object": '<object data="{}"></object>',
    "embed": '<embed src="{}">',
    "drawing": '<svg xmlns="http://www.w3.org/2000/svg"><image href="{}" width="9" height="9"/></svg>',
    "background": '<p style="background: url({})">x</p>',
    "list mark": '<ul style="list-style-image: url({})"><li>x</li></ul>',
    "attachment": '<link rel="attachment" href="{}">',
    "link attachment": '<a rel="attachment" href="{}">x</a>',
}


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:9/x.css", "ftp://127.0.0.1:9/x", "file://{secret}", "../../secret.txt", "link.txt"]
)
@pytest.mark.parametrize("kind", list(REFERENCES))
def test_a_template_reaches_nothing_outside_of_its_folder(kind: str, target: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    folder = tmp_path / "templates" / "proposal"
    folder.mkdir(parents=True)
    (folder / "link.txt").symlink_to(secret)
    reference = REFERENCES[kind].format(target.format(secret=secret))
    (folder / "proposal.html.j2").write_text(f'<html lang="en"><title>x</title>{reference}<p>x</p></html>')
    with pytest.raises(OutputError, match="outside of its folder"):
        write_pdf(english_open(), tmp_path / "templates")


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ p.nothing }}", "has no attribute 'nothing'"),
        ("{{ t.no_such_label }}", "no_such_label"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{% include '../secret.txt' %}", "secret.txt"),
        ("{% if %}", "Expected an expression"),
        ("{{ p.labels.clear() }}", "is unsafe"),
    ],
)
def test_a_broken_or_nosy_template_is_told(template: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "proposal"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("TOPSECRET")
    (folder / "proposal.html.j2").write_text(template)
    with pytest.raises(OutputError, match=message):
        write_pdf(english_open(), tmp_path)


def test_files_of_the_folder_and_data_addresses_are_served(tmp_path: Path) -> None:
    folder = tmp_path / "proposal"
    shutil.copytree(TEMPLATES / "proposal" / "fonts", folder / "fonts")
    (folder / "a b.css").write_text(
        "@font-face { font-family: Inter; src: url(fonts/Inter-400.ttf) } p { font-family: Inter }"
    )
    dot = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
        "AAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=="
    )
    (folder / "proposal.html.j2").write_text(
        '<html lang="en"><title>x</title><link rel="stylesheet" href="a%20b.css">'
        f'<p>x</p><img alt="x" src="{dot}"></html>'
    )
    page = PdfReader(io.BytesIO(write_pdf(english_open(), tmp_path))).pages[0]
    (font,) = page["/Resources"]["/Font"].values()  # type: ignore[index,union-attr]
    assert "Inter" in font.get_object()["/BaseFont"]
    assert len(page.images) == 1
