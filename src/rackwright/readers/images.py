"""Images of a house style, checked before they go into a document: kind, size, and that a drawing only draws.

Nothing is converted. What a document cannot use safely is a finding, never repaired.
"""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path

from rackwright.diagnostic import Figure, Finding, Message, Severity
from rackwright.frozen import frozen
from rackwright.readers.files import printable, read_bytes
from rackwright.source import Location

LIMIT_BYTES = 2_000_000
# A logo that fills an A4 page at 300 dots per inch is 2,480 by 3,508: more is a mistake, or meant to fill the memory.
LIMIT_PIXELS = 4_096
_RASTER = {b"\x89PNG\r\n\x1a\n": ("PNG", "image/png"), b"\xff\xd8\xff": ("JPEG", "image/jpeg")}
_SVG = "http://www.w3.org/2000/svg"
# What only draws. Scripts, foreign markup, links, pictures in the picture, animation and style sheets are not among it.
_DRAWS = frozenset(
    {"svg", "g", "defs", "title", "desc", "metadata", "path", "rect", "circle", "ellipse", "line", "polyline",
     "polygon", "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "symbol", "use",
     "pattern"}
)  # fmt: skip
_ADDRESS = re.compile(r"url\s*\(|@import|expression\s*\(|[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_INSIDE = re.compile(r"url\s*\(\s*['\"]?#[\w.-]+['\"]?\s*\)")


@frozen(slots=True)
class Picture:
    """An image that may be used: its bytes, media type, width and height (pixels; None for a drawing)."""

    data: bytes
    media_type: str
    width_px: int | None = None
    height_px: int | None = None


def read_image(path: Path, shown: str) -> tuple[Picture | None, list[Finding]]:
    """Read a PNG, a JPEG or an SVG file.

    Errors: none raised. CFG001, CFG005 it cannot be opened, or is over LIMIT_BYTES; DOC020 another kind, whatever its
    name says; DOC021 damaged; DOC022 more than LIMIT_PIXELS wide or high; DOC023 a drawing that does more than draw.
    """
    raw, findings = read_bytes(path, shown, LIMIT_BYTES)
    if raw is None:
        return None, findings
    for start, (kind, media_type) in _RASTER.items():
        if raw.startswith(start):
            return _raster(raw, kind, media_type, shown)
    if b"<svg" in raw[:4_096] or raw.lstrip().startswith(b"<"):
        return _drawing(raw, shown)
    return None, [_told("DOC020", "{file} is no PNG, JPEG or SVG image", shown, "save it as PNG or SVG")]


def _raster(raw: bytes, kind: str, media_type: str, shown: str) -> tuple[Picture | None, list[Finding]]:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow warns of pictures that unpack to too much
            with Image.open(io.BytesIO(raw), formats=[kind]) as image:
                width, height = image.size
                if max(width, height) > LIMIT_PIXELS:
                    return None, [_too_large(shown, width, height)]
                image.load()
    except Exception as error:  # a damaged image fails anywhere in the library that reads it
        reason = printable(f"{type(error).__name__}: {error}", 120)
        return None, [_told("DOC021", "the image {file} is damaged: {reason}", shown, "save it anew", reason=reason)]
    return Picture(raw, media_type, width, height), []


def _too_large(shown: str, width: int, height: int) -> Finding:
    message = "the image {file} has {width} by {height} pixels; the limit is {limit}"
    return _told("DOC022", message, shown, "make it smaller", width=width, height=height, limit=LIMIT_PIXELS)


def _drawing(raw: bytes, shown: str) -> tuple[Picture | None, list[Finding]]:
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root = fromstring(raw, forbid_dtd=True)
    except DefusedXmlException:
        return None, [_does_more(shown, "a document type with entities")]
    except (ParseError, ValueError, LookupError) as error:
        reason = printable(str(error), 120)
        return None, [_told("DOC021", "the image {file} is damaged: {reason}", shown, "save it anew", reason=reason)]
    if root.tag != f"{{{_SVG}}}svg":
        return None, [_told("DOC020", "{file} is no PNG, JPEG or SVG image", shown, "save it as PNG or SVG")]
    for element in root.iter():
        if what := _beyond(element.tag, dict(element.attrib)):
            return None, [_does_more(shown, what)]
    return Picture(raw, "image/svg+xml"), []


def _beyond(tag: object, attributes: dict[str, str]) -> str:
    """What an element does beyond drawing, empty if nothing. Elements of editors outside of SVG are refused too."""
    name = str(tag)
    if not name.startswith(f"{{{_SVG}}}") or name.removeprefix(f"{{{_SVG}}}") not in _DRAWS:
        return f"the element {printable(name.rpartition('}')[2], 40)}"
    for key, value in attributes.items():
        plain = key.rpartition("}")[2].lower()
        is_link = plain == "href" and not value.startswith("#")
        if plain.startswith("on") or is_link or _ADDRESS.search(_INSIDE.sub("", value)):
            return f"the attribute {printable(plain, 40)}"
    return ""


def _does_more(shown: str, what: str) -> Finding:
    message = "the drawing {file} does more than draw: {what}"
    return _told("DOC023", message, shown, "save it as plain SVG, with texts as paths, or as PNG", what=what)


def _told(code: str, message: str, shown: str, fix: str, **figures: float | str) -> Finding:
    holes = {name: Figure(value) for name, value in {"file": printable(shown), **figures}.items()}
    return Finding(code, Severity.ERROR, Message(message, holes), Location(shown), Message(fix, holes))
