"""Rules on facts: one verdict a rule and subject.

The fast path runs compiled code over all rules of a kind of subject. Whatever it does not answer with a plain pass
or 'does not apply' goes to the exact path, which knows three values, says what is missing and records the arithmetic.
A crash inside one rule becomes SYS001 and the rest runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from rackwright.diagnostic import Figure, Finding, Message, Severity, finding
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
    load,
    renew,
)
from rackwright.frozen import frozen
from rackwright.quantities import Book
from rackwright.rules.compiled import Function, compile_group, groups_of, key_of
from rackwright.rules.model import Clause, Policy, Rule
from rackwright.source import Citation, Grade, Location, weakest
from rackwright.verdict import Missing, Outcome, Support, Verdict

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


@frozen(slots=True)
class Evaluation:
    """The verdicts of a run, in the order of the rules and subjects, and findings about rules that crashed."""

    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]


class Engine:
    """Rules compiled for one policy. It may be used for any number of configurations."""

    def __init__(
        self,
        rules: Iterable[Rule],
        subjects: Mapping[str, str],
        policy: Policy,
        shapes: Mapping[str, Type] | None = None,
        code: Mapping[str, bytes] | None = None,
    ) -> None:
        """`subjects` maps the kinds of subject to the name that each binds; `shapes` are types for messages.

        `code` is what compiled.code_of made of the same rules; groups without code are compiled when they are needed.
        """
        self._bound = subjects
        self._policy = policy
        self._shapes = shapes
        self._code = code or {}
        self._by_subject: dict[str, list[tuple[str, list[Rule]]]] = {}
        for (subject, owner), members in groups_of(rules).items():
            self._by_subject.setdefault(subject, []).append((owner, members))
        self._functions: dict[str, Function] = {}

    def run(
        self, facts: Mapping[str, Sequence[Record]], book: Book, witness: Witness, *, detail: bool = False
    ) -> Evaluation:
        """Evaluate every rule on every subject of `facts`. With `detail`, passes carry their arithmetic too."""
        verdicts: list[Verdict] = []
        findings: list[Finding] = []
        costly: set[str] = set()
        for function in self._functions.values():
            renew(function)
        for subject, groups in self._by_subject.items():
            for record in facts.get(subject, ()):
                for owner, rules in groups:
                    if owner and not _has_part(record, owner):
                        continue  # a constraint concerns the nodes that its part sits in, and no others
                    quick = self._quick(subject, owner, rules, record)
                    for rule, outcome in zip(rules, quick, strict=True):
                        if rule.id in self._policy.ignore:
                            continue
                        if rule.id in costly and outcome is None:
                            continue  # once is enough: each further subject would cost as much
                        book.budget.renew()
                        try:
                            is_detailed = detail and rule.id not in costly
                            verdict = self._verdict(rule, record, outcome, book, witness, is_detailed)
                        except Exception as error:  # the rule's fault must not hide the other rules
                            if isinstance(error, TooCostlyError):
                                costly.add(rule.id)
                            if outcome is None or not isinstance(error, TooCostlyError):
                                findings.append(_crash(rule, record, error))
                                continue
                            verdict = _plain(rule, record, outcome, self._severity(rule))
                        verdicts.append(verdict)
        return Evaluation(tuple(verdicts), tuple(findings))

    def _function(self, subject: str, owner: str, rules: list[Rule]) -> Function:
        key = key_of(subject, owner)
        function = self._functions.get(key)
        if function is None:
            code = self._code.get(key)
            function = load(code) if code else None
            function = self._functions[key] = function or compile_group(rules, self._bound[subject])
        return function

    def _quick(self, subject: str, owner: str, rules: list[Rule], record: Record) -> list[Outcome | None]:
        """Fast path: PASS or NOT_APPLICABLE where that is certain, None where the exact path must look."""
        function = self._function(subject, owner, rules)
        try:
            values = iter(function(record, self._policy.facts))
        except Exception:
            return [None] * len(rules)
        outcomes: list[Outcome | None] = []
        for rule in rules:
            applies = next(values)
            clauses = [next(values) for _ in rule.require]
            if applies is False:
                outcomes.append(Outcome.NOT_APPLICABLE)
            elif applies is True and all(value is True for value in clauses):
                outcomes.append(Outcome.PASS)
            else:
                outcomes.append(None)
        return outcomes

    def _verdict(
        self, rule: Rule, record: Record, quick: Outcome | None, book: Book, witness: Witness, detail: bool
    ) -> Verdict:
        if quick is Outcome.NOT_APPLICABLE or (quick is Outcome.PASS and not detail):
            return _plain(rule, record, quick, self._severity(rule))
        scope = {self._bound[rule.for_each]: record, "policy": self._policy.facts}
        judge = Judge(rule, record, scope, self._severity(rule), book, witness, self._shapes)
        return judge.passed() if quick is Outcome.PASS else judge.verdict()

    def _severity(self, rule: Rule) -> Severity:
        if rule.status == "draft":
            return Severity.ADVICE
        return self._policy.severities.get(rule.id, rule.severity)


def _has_part(node: Record, part_id: str) -> bool:
    return node["chassis"]["part"]["id"] == part_id or any(line["part"]["id"] == part_id for line in node["lines"])


def _plain(rule: Rule, record: Record, outcome: Outcome, severity: Severity) -> Verdict:
    return Verdict(rule.id, rule.title, severity, str(record.get("id", "")), outcome, at=None)


def _crash(rule: Rule, record: Record, error: Exception) -> Finding:
    return finding(
        "SYS001",
        "rule {rule} could not be evaluated on {record}: {error}",
        rule.at,
        fix="this is a fault of the rule or of rackwright, not of the configuration; the other rules were evaluated",
        subject=str(record.get("id", "")),
        rule=rule.id,
        record=str(record.get("id", "")),
        error=f"{type(error).__name__}: {error}"[:200],
    )


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
                return _plain(self.rule, self.record, Outcome.NOT_APPLICABLE, self.severity)
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
        return Verdict(
            rule=self.rule.id,
            title=self.rule.title,
            severity=self.severity,
            subject=str(self.record.get("id", "")),
            outcome=outcome,
            clause=clause,
            message=message,
            fix=self._fix() if outcome is Outcome.FAIL else None,
            at=at,
            related=tuple((place, "also concerned") for place in places[1:] if place != at),
            missing=missing,
            basis=self.rule.sources,
            derive=partial(self.support, expressions),
        )

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
