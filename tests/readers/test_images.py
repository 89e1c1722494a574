from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from rackwright.readers import images
from rackwright.readers.images import read_image

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">%s</svg>'


def encoded(kind: str, width: int = 4, height: int = 3) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(stream, kind)
    return stream.getvalue()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG whose head claims a size, with next to nothing behind it."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b"")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "logo"


def codes(path: Path) -> list[str]:
    picture, findings = read_image(path, "logo")
    assert picture is None
    return [item.code for item in findings]


@pytest.mark.parametrize(("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
def test_a_picture_is_what_its_content_says(kind: str, media_type: str, path: Path) -> None:
    path.write_bytes(encoded(kind))
    picture, findings = read_image(path, "logo.svg")  # whatever its name says
    assert findings == []
    assert picture is not None
    assert (picture.media_type, picture.width_px, picture.height_px) == (media_type, 4, 3)
    assert picture.data == path.read_bytes()


def test_a_drawing_that_draws(path: Path) -> None:
    path.write_text(SVG % '<title>Logo</title><defs><linearGradient id="g"><stop offset="0" stop-color="#0E3B4C"/>'
                    '</linearGradient></defs><path d="M0 0h5z" fill="url(#g)"/><use href="#g"/>')  # fmt: skip
    picture, findings = read_image(path, "logo.svg")
    assert findings == []
    assert picture is not None
    assert picture.media_type == "image/svg+xml"


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<path d="M0 0" onload="alert(1)"/>',
        '<image href="file:///etc/passwd"/>',
        '<use href="other.svg#a"/>',
        '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.com/a.svg#a"/>',
        '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
        "<style>@import url(https://example.com/a.css)</style>",
        '<path d="M0 0" style="fill: url(https://example.com/a.svg)"/>',
        '<path d="M0 0" fill="url(file:///etc/passwd#a)"/>',
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>",
        '<animate attributeName="x"/>',
        '<set attributeName="href" to="x"/>',
    ],
)
def test_a_drawing_that_does_more_is_refused(inside: str, path: Path) -> None:
    path.write_text(SVG % inside)
    assert codes(path) == ["DOC023"]


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE svg SYSTEM "https://example.com/svg.dtd">',
    ],
)
def test_entities_are_never_read(head: str, path: Path) -> None:
    path.write_text(head + SVG % "<text>x</text>")
    assert codes(path) == ["DOC023"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"GIF89a" + bytes(20), "DOC020"),
        (b"%PDF-1.7", "DOC020"),
        (b"", "DOC020"),
        (b"<html><svg></svg></html>", "DOC020"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>", "DOC021"),
        (b"<svg \xff\xfe", "DOC021"),
        (encoded("PNG")[:40], "DOC021"),
        (encoded("JPEG")[:200], "DOC021"),
        (png_of_size(20_000, 20_000), "DOC022"),
        (png_of_size(4_097, 1), "DOC022"),
        (png_of_size(2_000_000_000, 2_000_000_000), "DOC022"),
    ],
)
def test_what_is_no_image_or_a_bad_one(content: bytes, code: str, path: Path) -> None:
    path.write_bytes(content)
    found = codes(path)
    assert found in ([code], ["DOC021"])  # Pillow refuses what unpacks to too much before its size is asked for
    assert found == [code] or code == "DOC022"


def test_a_file_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(encoded("PNG"))
    monkeypatch.setattr(images, "LIMIT_BYTES", 20)
    assert codes(path) == ["CFG005"]


def test_a_file_that_is_not_there(path: Path) -> None:
    assert codes(path) == ["CFG001"]
