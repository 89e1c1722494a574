"""The one type for everything that a person is told: Finding."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from rackwright.frozen import frozen
from rackwright.source import Citation, Grade, Location
from rackwright.units import NUMBER, Unit, format_quantity, unit_of


class Severity(StrEnum):
    """What a finding means for the order.

    `error`: it will not work, or cannot be built. `warning`: it works, but worse than the buyer would expect, or
    outside what the maker qualified. `advice`: worth knowing.
    """

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


@frozen(slots=True)
class Figure:
    """A value in a message, kept apart from its text so that each language can print it in its own way.

    `is_written` marks text that stands in a file or is to be written there: it is the same in every language.
    """

    value: float | str | bool
    unit: Unit = NUMBER
    is_written: bool = False

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return self.value
        return format_quantity(self.value, self.unit)


@frozen(slots=True)
class Message:
    """A sentence with holes: `template` is the English source text and the key for translation.

    Holes are `{name}`; `figures` holds what goes in. A text without holes has no figures.
    """

    template: str
    figures: Mapping[str, Figure] = field(default_factory=dict)

    def __str__(self) -> str:
        return fill(self.template, {name: str(figure) for name, figure in self.figures.items()})


def sentence(template: str, **figures: float | str) -> Message:
    """Make a sentence with figures whose names carry their unit: `sentence("{need_gib} are needed", need_gib=3.52)`.

    Figures are rounded to what a person compares: whole numbers above 1000, one decimal above 10, else three.
    """
    holes = {name: Figure(_rounded(value), unit_of(name)) for name, value in figures.items()}
    return Message(template, holes)


def _rounded(value: float | str) -> float | str:
    if isinstance(value, str | int):
        return value
    size = abs(value)
    return round(value, 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 1 else 3)


_HOLE = re.compile(r"\{([^{}]+)\}")


def fill(template: str, texts: Mapping[str, str]) -> str:
    """Put `texts` into the holes of `template`; a hole without a text stays as it is. Nothing is evaluated."""
    return _HOLE.sub(lambda hole: texts.get(hole[1], hole[0]), template)


@frozen(slots=True)
class Finding:
    """Something a person is told.

    `message` says what is, with numbers and the limit, and gives no advice; `fix` is the advice. `at` is the place
    in the user's file (or the part field) that a reader should look at, `related` further places with their reason.
    `arithmetic` are printable lines that derive the numbers; `missing` the facts that made a verdict unknown.
    """

    code: str
    severity: Severity
    message: Message
    at: Location | None = None
    fix: Message | None = None
    subject: str = ""
    title: str = ""
    outcome: str = "fail"
    related: tuple[tuple[Location, str], ...] = ()
    arithmetic: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    sources: tuple[Citation, ...] = ()
    grade: Grade | None = None
    waived: str | None = None


def finding(
    code: str,
    message: str,
    at: Location | None = None,
    *,
    severity: Severity = Severity.ERROR,
    fix: str | None = None,
    subject: str = "",
    related: tuple[tuple[Location, str], ...] = (),
    **figures: float | str,
) -> Finding:
    """Make a finding on a file: the short way for readers and checks. `figures` fill the holes of both texts."""
    holes = {name: Figure(value) for name, value in figures.items()}
    return Finding(
        code=code,
        severity=severity,
        message=Message(message, holes),
        at=at,
        fix=Message(fix, holes) if fix else None,
        subject=subject,
        related=related,
    )


# Control characters, marks that turn the reading direction, invisible ones, line separators, halves of surrogates.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """Return somebody's text so that a terminal prints it on one line and obeys nothing in it.

    What a terminal could take for a command, line ends and marks that turn the reading direction come out as escapes
    (`\\x1b`, `\\n`, `\\u202e`); all other characters stay as they are.
    """
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def in_order(findings: list[Finding]) -> list[Finding]:
    """Sort findings for output: by file and place, then code, so that two runs print the same."""
    return sorted(findings, key=lambda f: (f.at or Location(""), f.code, f.subject, str(f.message)))
