"""The house style in the pages: logo, fonts and colours. What it holds was checked when it was read."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rackwright.proposal.house import COLOURS, File, HouseStyle

if TYPE_CHECKING:
    from markupsafe import Markup


class Look:
    """What the templates take from a house style."""

    def __init__(self, style: HouseStyle) -> None:
        self._style = style

    @property
    def logo(self) -> str:
        """The logo as an address, empty if there is none."""
        return _address(self._style.logo) if self._style.logo is not None else ""

    @property
    def font_faces(self) -> Markup:
        """The rules that bring the fonts of the house, empty if there are none."""
        faces = "".join(
            f'@font-face {{ font-family: House; src: url("{_address(file)}"); font-weight: {weight} }} '
            for weight, file in sorted(self._style.fonts.items())
        )
        return markup(faces + "html { font-family: House, Inter, sans-serif }" if faces else "")


def _address(file: File) -> str:
    return f"data:{file.media_type};base64,{base64.b64encode(file.data).decode()}"


def markup(text: str) -> Markup:
    """Mark text as ready for the page: it was escaped where it was made."""
    from markupsafe import Markup

    return Markup(text)


def recoloured_by(house: HouseStyle | None) -> Callable[[str], str]:
    """Return what puts the colours of a house in place of those of style sheet and drawings.

    Colours are replaced where they are values of a style or an attribute, not where a text shows one.
    """
    wanted = {COLOURS[name]: colour for name, colour in (house.colours if house else {}).items()}
    if not wanted:
        return lambda text: text
    pattern = re.compile('(?<=[:" ])(?:' + "|".join(wanted) + ')(?=[;"} ])')
    return lambda text: pattern.sub(lambda found: wanted[found[0]], text)
