"""The exact path for one rule and one subject: the outcome, what a person is told about it, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from rackwright.diagnostic import Figure, Message, Severity
from rackwright.expression import (
    Expression,
    Read,
    Result,
    TooCostlyError,
    Trace,
    Type,
    Unknown,
    evaluate,
    lines,
)
from rackwright.quantities import Book
from rackwright.rules.model import Clause, Rule
from rackwright.source import Citation, Grade, Location, weakest
from rackwright.verdict import Details, Missing, Outcome, Support, Verdict

Record = Mapping[str, Any]
_TOO_LONG = "the derivation has too many steps to be shown"


class Witness(Protocol):
    """What the engine asks about figures and choices; the caller knows the catalog and the user's file."""

    def evidence(self, part_id: str, field: str) -> tuple[Citation | None, Grade | None]:
        """Return the document and the grade behind a figure of a part."""

    def candidate(self, part_id: str, field: str) -> str | None:
        """Return the unverified figure that exists for a missing field, as text."""

    def place(self, record: Record) -> Location | None:
        """Return the place of the user's choice that a record of facts comes from."""

    def part_place(self, part_id: str, field: str) -> Location | None:
        """Return the place of a field in its part file."""

    def origin(self, read: Read) -> str:
        """Return where a fact comes from that no part states: the user's line, the policy; empty if it was derived."""


@dataclass(slots=True)
class Judge:
    """The exact path for one rule and one subject."""

    rule: Rule
    record: Record
    scope: Mapping[str, Any]
    severity: Severity
    book: Book
    witness: Witness
    shapes: Mapping[str, Type] | None

    def verdict(self) -> Verdict:
        """Return the verdict with its message and what is missing; its support is found when it is asked for."""
        if self.rule.condition is not None:
            applies = self._evaluate(self.rule.condition)
            if applies.value is False:
                return self._verdict(Outcome.NOT_APPLICABLE, Details())
            if applies.value is not True:
                return self._unknown(None, self.rule.condition, applies)
        results = [self._evaluate(clause.expression) for clause in self.rule.require]
        for index, result in enumerate(results):
            if result.value is False:
                return self._failed(index)
        for index, result in enumerate(results):
            if result.value is not True:
                return self._unknown(index, self.rule.require[index].expression, result)
        return self.passed()

    def passed(self) -> Verdict:
        """Return the verdict of a rule that holds, with its support."""
        return self._make(Outcome.PASS, None, None, [], [clause.expression for clause in self.rule.require])

    def _evaluate(self, expression: Expression) -> Result:
        return evaluate(expression, self.scope, self.shapes, resolver=self.book.value, budget=self.book.budget)

    def _failed(self, index: int) -> Verdict:
        clause = self.rule.require[index]
        return self._make(Outcome.FAIL, index, self._message(clause), self._blamed(clause), [clause.expression])

    def _unknown(self, index: int | None, expression: Expression, result: Result) -> Verdict:
        missing = tuple(self._missing(result.missing))
        names = ", ".join(str(item) for item in missing[:3]) + (
            f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        )
        message = Message("not decided: {missing} not known", {"missing": Figure(names)})
        if not missing:
            reason = result.value.reason if isinstance(result.value, Unknown) else ""
            message = Message("not decided: {reason}", {"reason": Figure(reason or "the figures do not settle it")})
        clause = self.rule.require[index] if index is not None else None
        places = self._blamed(clause) if clause else []
        return self._make(Outcome.UNKNOWN, index, message, places, [expression], missing)

    def _make(
        self,
        outcome: Outcome,
        clause: int | None,
        message: Message | None,
        places: list[Location],
        expressions: list[Expression],
        missing: tuple[Missing, ...] = (),
    ) -> Verdict:
        at = places[0] if places else self.witness.place(self.record)
        details = Details(
            clause=clause,
            message=message,
            fix=self._fix() if outcome is Outcome.FAIL else None,
            at=at,
            related=tuple((place, "also concerned") for place in places[1:] if place != at),
            missing=missing,
            derive=partial(self.support, expressions),
        )
        return self._verdict(outcome, details)

    def _verdict(self, outcome: Outcome, details: Details) -> Verdict:
        rule, subject = self.rule, str(self.record.get("id", ""))
        return Verdict(rule.id, rule.title, self.severity, subject, outcome, rule.sources, explain=lambda: details)

    def support(self, expressions: Sequence[Expression]) -> Support:
        """Evaluate expressions once more, with their derivation; it is left out if it has too many steps."""
        self.book.budget.renew()
        try:
            results = [self._derived(expression) for expression in expressions]
            sources, grade = self._grounds(results)
            return Support(tuple(line for result in results for line in self._arithmetic(result)), sources, grade)
        except TooCostlyError:
            return Support((_TOO_LONG,))
        except Exception as error:  # the verdict stands: it was found without
            return Support((f"the derivation cannot be shown: {type(error).__name__}: {error}"[:200],))

    def _derived(self, expression: Expression) -> Result:
        book = self.book
        return evaluate(expression, self.scope, self.shapes, resolver=book.resolve, trace=True, budget=book.budget)

    def _message(self, clause: Clause) -> Message:
        return clause.template.fill(self.scope, shapes=self.shapes, resolver=self.book.value)

    def _fix(self) -> Message:
        return self.rule.fix_template.fill(self.scope, shapes=self.shapes, resolver=self.book.value)

    def _arithmetic(self, result: Result) -> tuple[str, ...]:
        return tuple(lines(result.trace, self._annotated)) if result.trace is not None else (_TOO_LONG,)

    def _annotated(self, read: Read) -> str:
        """What stands behind a fact's line of arithmetic: document and grade of a part's figure, or the user's line."""
        if read.owner is None or "evidence" not in read.owner:
            return self.witness.origin(read)
        document, grade = self.witness.evidence(read.owner_id, read.field)
        told = (str(document) if document else "", f"grade {grade.value}" if grade else "")
        return ", ".join(text for text in told if text)

    def _blamed(self, clause: Clause) -> list[Location]:
        places: list[Location] = []
        for expression in clause.blamed:
            value = evaluate(expression, self.scope, resolver=self.book.value).value
            for record in value if isinstance(value, list) else [value]:
                place = self.witness.place(record) if isinstance(record, Mapping) else None
                if place is not None and place not in places:
                    places.append(place)
        return places

    def _missing(self, reads: Sequence[Read]) -> list[Missing]:
        found: dict[tuple[str, str], Missing] = {}
        for read in reads:
            owner = read.owner_id
            key = (owner, read.field)
            if key not in found:
                found[key] = Missing(owner, read.field, self.witness.candidate(owner, read.field))
        return list(found.values())

    def _grounds(self, results: Sequence[Result]) -> tuple[tuple[Citation, ...], Grade | None]:
        """Documents and weakest grade of the catalog figures that a verdict rests on."""
        citations: dict[str, Citation] = {}
        grades: list[Grade] = []
        for result in results:
            for read in _reads(result.trace):
                if read.owner is None or "evidence" not in read.owner:
                    continue
                citation, grade = self.witness.evidence(read.owner_id, read.field)
                if citation is not None:
                    citations.setdefault(str(citation), citation)
                if grade is not None:
                    grades.append(grade)
        return tuple(citations.values()), weakest(grades)


def _reads(trace: Trace | None) -> Iterable[Read]:
    return trace.all_reads() if trace is not None else ()
