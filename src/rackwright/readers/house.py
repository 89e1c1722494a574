"""Reads a house style: a folder with house.yaml, and the logo and fonts that it names."""

# Without annotations from __future__: the records are read by their types.

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

from rackwright.commerce import Seller
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.limits import Limits, Text, told
from rackwright.proposal.house import File, HouseStyle
from rackwright.readers.files import printable, read_text, resolve_inside
from rackwright.readers.images import read_image
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location
from rackwright.source import Path as Place

if TYPE_CHECKING:
    from pydantic import ValidationError

FILE = "house.yaml"
FILE_BYTES_MAX = 2_000_000
# Contrast of text on white that people with low vision read: Web Content Accessibility Guidelines 2.2, 1.4.3.
CONTRAST_MIN = 4.5
_FONT_KINDS = {b"\x00\x01\x00\x00": "font/ttf", b"OTTO": "font/otf", b"true": "font/ttf"}

Language = Annotated[str, Limits(pattern=r"^[a-z]{2}$", description="a language by its two letters, as in de")]
Colour = Annotated[str, Limits(pattern=r"^#[0-9A-Fa-f]{6}$", description="a colour in quotes, as in '#0E3B4C'")]
FileName = Annotated[str, Limits(min_length=1, max_length=200)]


@frozen(kw_only=True)
class House:
    """The file of a house style."""

    seller: Seller = Seller()
    logo: FileName | None = field(default=None, metadata=told("png, jpeg or svg, beside this file"))
    colours: dict[Literal["accent", "second"], Colour] = field(default_factory=dict)
    fonts: dict[Literal["400", "500", "600", "700"], FileName] = field(
        default_factory=dict, metadata=told("ttf or otf files of the text font by weight")
    )
    terms: dict[Language, Annotated[list[Text], Limits(max_length=30)]] = field(default_factory=dict)
    cover_text: dict[Language, Annotated[str, Limits(max_length=1_200)]] = field(default_factory=dict)
    footer: Text | None = None


def read_house(folder: Path, shown: str) -> tuple[HouseStyle | None, list[Finding]]:
    """Read the house style of a folder; None if anything is wrong with it.

    Errors: none raised. CFG… as for configurations; DOC020 to DOC023 as `read_image`; CFG050 a font of a wrong
    kind; CFG051 one that is too large; CFG053 a colour that cannot be read on white.
    """
    text, findings = read_text(folder / FILE, f"{shown}/{FILE}")
    if text is None:
        return None, findings
    document, findings = load_yaml(text, f"{shown}/{FILE}")
    if document is None or not isinstance(document.data, dict):
        empty = finding("CFG011", "the file is no house style: it has no keys", Location(f"{shown}/{FILE}"),
                        fix="start with `seller:`")  # fmt: skip
        return None, findings or [empty]
    house = record_of(House, document.data)
    if house is None:
        return None, [*findings, *_refused(document)]
    loaded = _Loaded(folder, document)
    style = HouseStyle(
        seller=house.seller,
        logo=loaded.picture(house.logo, ("logo",)) if house.logo else None,
        colours={name: loaded.colour(value, ("colours", name)) for name, value in house.colours.items()},
        fonts={
            weight: font
            for weight, name in house.fonts.items()
            if (font := loaded.font(name, ("fonts", weight))) is not None
        },
        terms={language: tuple(terms) for language, terms in house.terms.items()},
        cover_text=house.cover_text,
        footer=house.footer or "",
    )
    findings += loaded.findings
    return (None if findings else style), findings


def _refused(document: Document) -> list[Finding]:
    from rackwright.readers.configuration_shape import model_of
    from rackwright.readers.model_errors import findings_from

    try:
        model_of(House).model_validate(document.data)
    except ValueError as refused:
        error = cast("ValidationError", refused)
        return findings_from(error, document, code="CFG010", model=model_of(House))
    return [finding("CFG010", "the house style cannot be read", Location(document.locations.file))]


class _Loaded:
    """The files that a house style names, checked for kind and size."""

    def __init__(self, folder: Path, document: Document) -> None:
        self._folder, self._document = folder, document
        self.findings: list[Finding] = []

    def picture(self, name: str, place: Place) -> File | None:
        """Return a picture: png, jpeg, or a drawing (svg) that only draws."""
        path, problems = resolve_inside(self._folder, name, self._document.locations.at(place))
        picture, found = read_image(path, printable(name)) if path is not None else (None, [])
        self.findings += [*problems, *found]
        return File(picture.data, picture.media_type) if picture is not None else None

    def font(self, name: str, place: Place) -> File | None:
        """Return a font file."""
        data = self._read(name, place)
        if data is None:
            return None
        kind = _FONT_KINDS.get(data[:4])
        if kind is None:
            self._tell("CFG050", "{file} is no ttf or otf font", place, name, "name a font file")
            return None
        return File(data, kind)

    def colour(self, value: str, place: Place) -> str:
        """Return a colour that can be read on white."""
        ratio = round(1.05 / (luminance(value) + 0.05), 2)
        if ratio < CONTRAST_MIN:
            self.findings.append(
                finding("CFG053", "the contrast of {colour} on white is {ratio}, the least is {limit}",
                        self._document.locations.at(place), fix="take a darker tone",
                        colour=value, ratio=ratio, limit=CONTRAST_MIN)
            )  # fmt: skip
        return value.upper()

    def _read(self, name: str, place: Place) -> bytes | None:
        path, problems = resolve_inside(self._folder, name, self._document.locations.at(place))
        self.findings += problems
        if path is None:
            return None
        try:
            if path.stat().st_size > FILE_BYTES_MAX:
                self._tell("CFG051", "{file} is over the limit of {limit} bytes", place, name, "make it smaller",
                           limit=FILE_BYTES_MAX)  # fmt: skip
                return None
            return path.read_bytes()
        except OSError as error:
            self._tell("CFG001", "{file} cannot be opened: {reason}", place, name,
                       "check the path and the permissions of the file", reason=error.strerror or "")  # fmt: skip
            return None

    def _tell(self, code: str, message: str, place: Place, name: str, fix: str, **figures: float | str) -> None:
        holes: dict[str, float | str] = {"file": printable(name), **figures}
        at = self._document.locations.at(place)
        self.findings.append(finding(code, message, at, fix=fix, **holes))  # type: ignore[arg-type]


def luminance(colour: str) -> float:
    """Relative luminance of a colour, 0 black to 1 white. Source: Web Content Accessibility Guidelines 2.2."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
