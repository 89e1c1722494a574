from __future__ import annotations

import io
import logging
import zlib
from pathlib import Path

import pytest
from pypdf import PdfWriter

from rackwright.readers import pdf_attachments
from rackwright.readers.pdf_attachments import read_attachments


def pdf(files: dict[str, bytes], password: str = "") -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    for name, content in files.items():
        writer.add_attachment(name, content)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def codes(path: Path) -> list[str]:
    files, findings = read_attachments(path, "p.pdf")
    assert files is None
    return [item.code for item in findings]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.pdf"


def test_files_come_out_as_they_went_in(path: Path) -> None:
    path.write_bytes(pdf({"a.yaml": b"x: 1\n", "b.bin": bytes(range(256))}))
    assert read_attachments(path, "p.pdf") == ({"a.yaml": b"x: 1\n", "b.bin": bytes(range(256))}, [])


def test_a_pdf_without_attachments_has_none(path: Path) -> None:
    path.write_bytes(pdf({}))
    assert read_attachments(path, "p.pdf") == ({}, [])


def test_what_is_no_pdf(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 a zip")
    assert codes(path) == ["DOC001"]


def test_a_file_that_is_not_there(path: Path) -> None:
    assert codes(path) == ["CFG001"]


def test_an_encrypted_file(path: Path) -> None:
    path.write_bytes(pdf({"a.yaml": b"x"}, password="secret"))
    assert codes(path) == ["DOC002"]


@pytest.mark.parametrize("keep", [9, 40, 200, 400])
def test_a_file_that_was_cut_off(keep: int, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(pdf({"a.yaml": b"x" * 500})[:keep])
    with caplog.at_level(logging.WARNING):
        assert codes(path) == ["DOC003"]
    assert caplog.records == []  # what the library has to say stays off the terminal


def test_a_file_whose_every_byte_may_be_wrong_never_crashes(path: Path) -> None:
    whole = pdf({"a.yaml": b"x: 1\n"})
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        files, findings = read_attachments(path, "p.pdf")
        assert (files is None) == bool(findings)


def test_a_file_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(pdf({"a.yaml": b"x" * 3_000}))
    monkeypatch.setattr(pdf_attachments, "LIMIT_BYTES", 2_000)
    assert codes(path) == ["CFG005"]


def test_an_attachment_that_swells_is_refused(path: Path) -> None:
    """200 KB that unpack to 200 MB."""
    content = zlib.compress(bytes(200_000_000), 9)
    body = (
        b"%%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a.yaml)3 0 R]>>>>>>\nendobj\n"
        b"2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n"
        b"3 0 obj\n<</Type/Filespec/F(a.yaml)/EF<</F 4 0 R>>>>\nendobj\n"
        b"4 0 obj\n<</Type/EmbeddedFile/Filter/FlateDecode/Length %d>>stream\n%s\nendstream\nendobj\n"
        b"trailer<</Root 1 0 R/Size 5>>\n%%%%EOF\n" % (len(content), content)
    )
    path.write_bytes(body)
    assert codes(path) == ["DOC003"]


def test_two_attachments_of_one_name_are_refused(path: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_attachment("a.yaml", b"one")
    writer.add_attachment("a.yaml", b"two")
    stream = io.BytesIO()
    writer.write(stream)
    path.write_bytes(stream.getvalue())
    assert codes(path) == ["DOC003"]


def test_too_many_attachments_are_refused(path: Path) -> None:
    path.write_bytes(pdf({f"{number}.txt": b"x" for number in range(pdf_attachments.LIMIT_FILES + 1)}))
    assert codes(path) == ["DOC003"]
