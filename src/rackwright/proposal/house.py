"""The look and the words of the seller's house, for all of his quotes: a folder of his, no copy of the templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace

from rackwright.commerce import Seller
from rackwright.frozen import frozen

# What the templates and drawings are coloured with, by the names that a house style uses.
COLOURS = {"accent": "#0E3B4C", "second": "#1D7A8C"}


@frozen(slots=True)
class File:
    """A file of the house style: its content and its media type."""

    data: bytes
    media_type: str


@frozen(slots=True)
class HouseStyle:
    """What a house style sets; everything may be absent. Terms and cover text are by language.

    `fonts` are by weight (`400`, `600`), for texts; drawings keep the font that they are measured with.
    """

    seller: Seller = Seller()
    logo: File | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    fonts: Mapping[str, File] = field(default_factory=dict)
    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cover_text: Mapping[str, str] = field(default_factory=dict)
    footer: str = ""

    def seller_of(self, quote: Seller) -> Seller:
        """Who offers: what the quote says, else what the house says."""
        said = {f.name: getattr(quote, f.name) for f in fields(Seller) if getattr(quote, f.name) is not None}
        return replace(self.seller, **said)
