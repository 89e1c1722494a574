"""Verdicts: what a rule says about a subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from rackwright.diagnostic import Message, Severity
from rackwright.frozen import frozen
from rackwright.source import Citation, Grade, Location


class Outcome(StrEnum):
    """Three values and 'does not concern this subject'. A missing fact is never a pass."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


class Status(StrEnum):
    """The verdict on a whole run (DESIGN section 7). `open` is never called valid."""

    VALID = "valid"
    OPEN = "open"
    INVALID = "invalid"


@frozen(slots=True)
class Missing:
    """A fact that nobody has stated: where it belongs and how it is called.

    `owner` is the part id (or the node) that lacks it, `field` its dotted name there. `candidate` prints a figure
    that exists but is unverified, so that a person knows what to confirm.
    """

    owner: str
    field: str
    candidate: str | None = None

    def __str__(self) -> str:
        text = f"{self.field} of {self.owner}" if self.owner else self.field
        return f"{text} (unverified: {self.candidate})" if self.candidate else text


@frozen(slots=True)
class Support:
    """What a verdict rests on: its arithmetic, the documents of its figures, and the weakest grade among them."""

    arithmetic: tuple[str, ...] = ()
    sources: tuple[Citation, ...] = ()
    grade: Grade | None = None


@frozen
class Verdict:
    """What one rule says about one subject.

    `basis` are the documents of the rule itself. `clause` is the index of the failed (or undecided) clause.
    `support` is found when somebody asks for it: failures and unknowns always have one, passes in a detailed run.
    """

    rule: str
    title: str
    severity: Severity
    subject: str
    outcome: Outcome
    clause: int | None = None
    message: Message | None = None
    fix: Message | None = None
    at: Location | None = None
    related: tuple[tuple[Location, str], ...] = ()
    missing: tuple[Missing, ...] = ()
    basis: tuple[Citation, ...] = ()
    waived: str | None = None
    derive: Callable[[], Support] = field(default=Support, compare=False, repr=False)

    @cached_property
    def support(self) -> Support:
        """The derivation; it costs more than the verdict itself."""
        return self.derive()

    @property
    def arithmetic(self) -> tuple[str, ...]:
        """The steps from the figures to the verdict."""
        return self.support.arithmetic

    @property
    def sources(self) -> tuple[Citation, ...]:
        """The documents of the figures that it rests on."""
        return self.support.sources

    @property
    def grade(self) -> Grade | None:
        """The weakest grade of these figures, None if it rests on none."""
        return self.support.grade
