"""Where things come from: places in files, documents of makers, and how far a figure can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from functools import total_ordering

from rackwright.frozen import frozen

Path = tuple[str | int, ...]


@total_ordering
@frozen(slots=True)
class Location:
    """A place in a text file. Lines and columns count from 1; `file` is as the user named it, never absolute by us.

    Places are in order by file, line and column.
    """

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def __lt__(self, other: Location) -> bool:
        return (self.file, self.line, self.column) < (other.file, other.line, other.column)


@frozen(slots=True)
class Locations:
    """Where each value of a YAML file stands: path of keys and indices -> (line, column)."""

    file: str
    places: Mapping[Path, tuple[int, int]] = field(default_factory=dict)

    def at(self, path: Path) -> Location:
        """Return the place of `path`, or of its nearest ancestor that has one."""
        for length in range(len(path), -1, -1):
            place = self.places.get(path[:length])
            if place is not None:
                return Location(self.file, *place)
        return Location(self.file)


class Grade(StrEnum):
    """How far a figure can be trusted, strongest first (DESIGN section 6).

    `assumed` is a figure that the user of the configuration stated himself.
    """

    VENDOR = "vendor"
    MEASURED = "measured"
    TRANSCRIBED = "transcribed"
    SECONDARY = "secondary"
    ASSUMED = "assumed"
    UNVERIFIED = "unverified"


_STRENGTH = {grade: rank for rank, grade in enumerate(Grade)}


def weakest(grades: list[Grade]) -> Grade | None:
    """Return the weakest of the grades, None if there are none."""
    return max(grades, key=_STRENGTH.__getitem__, default=None)


@frozen(slots=True)
class Citation:
    """A place in a document: what a reader needs to find the figure again. Dates are ISO texts."""

    doc: str
    number: str | None = None
    where: str | None = None
    date: str | None = None
    read: str | None = None
    url: str | None = None

    def __str__(self) -> str:
        parts = [self.doc, self.number, self.where, self.date]
        return ", ".join(part for part in parts if part)
