"""Verdicts: what a rule says about a subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
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


@frozen(slots=True)
class Details:
    """What a person is told about a verdict that is not a plain pass.

    `clause` is the index of the failed (or undecided) clause. `derive` finds the support: failures and unknowns always
    have one, passes in a detailed run.
    """

    clause: int | None = None
    message: Message | None = None
    fix: Message | None = None
    at: Location | None = None
    related: tuple[tuple[Location, str], ...] = ()
    missing: tuple[Missing, ...] = ()
    derive: Callable[[], Support] = Support


@frozen
class Verdict:
    """What one rule says about one subject.

    `basis` are the documents of the rule itself. The outcome is known at once; `details` and `support` are found when
    somebody asks for them.
    """

    rule: str
    title: str
    severity: Severity
    subject: str
    outcome: Outcome
    basis: tuple[Citation, ...] = ()
    waived: str | None = None
    explain: Callable[[], Details] = field(default=Details, compare=False, repr=False)

    @cached_property
    def details(self) -> Details:
        """What a person is told; it costs more than the outcome."""
        return self.explain()

    @cached_property
    def support(self) -> Support:
        """The derivation; it costs more than everything else."""
        return self.details.derive()

    @property
    def clause(self) -> int | None:
        """The index of the clause that failed or is undecided."""
        return self.details.clause

    @property
    def message(self) -> Message | None:
        """What is, with numbers and the limit."""
        return self.details.message

    @property
    def fix(self) -> Message | None:
        """The advice of a failure."""
        return self.details.fix

    @property
    def at(self) -> Location | None:
        """The place of the choice that is to blame."""
        return self.details.at

    @property
    def related(self) -> tuple[tuple[Location, str], ...]:
        """Further places, each with a word on it."""
        return self.details.related

    @property
    def missing(self) -> tuple[Missing, ...]:
        """The facts without which it is not decided."""
        return self.details.missing

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


def without_support(verdict: Verdict) -> Verdict:
    """Return the verdict without what it rests on, which takes as long to find as the rest."""
    return replace(verdict, explain=lambda: replace(verdict.details, derive=Support))
