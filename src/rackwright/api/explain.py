"""How a verdict or a figure came about: the whole derivation, down to catalog figures and the user's own lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rackwright.api.runs import Run, subjects_of
from rackwright.api.witness import CatalogWitness
from rackwright.expression import Expression, Read, Trace, Unknown, evaluate, lines, parse
from rackwright.facts.basis import BASIS
from rackwright.facts.vocabulary import RECORDS
from rackwright.frozen import frozen
from rackwright.quantities import Book, Quantity
from rackwright.rules.judge import Judge
from rackwright.rules.model import Rule
from rackwright.verdict import Verdict

Record = Mapping[str, Any]
_MAX_BASIS = 6  # levels of computed facts below each other
_LOOSE_ID = re.compile(r"^([A-Za-z]{3})[-_ ]?0*(\d{1,3})$")


@frozen(slots=True)
class Step:
    """One condition of a rule with its derivation: `when` or a clause."""

    title: str
    lines: tuple[str, ...]


@frozen(slots=True)
class Explanation:
    """A rule on one subject; or, without a verdict, a figure of one record."""

    subject: str
    steps: tuple[Step, ...]
    verdict: Verdict | None = None


def explain_rule(run: Run, rule: Rule, at: str | None = None) -> list[Explanation]:
    """Explain a rule on each of its subjects; `at` picks one subject and what is below it.

    The verdicts are those of the run, waivers included. A subject that the run left out (another node than that of
    the constraint's part, a rule that the policy ignores) is left out here too.
    """
    explainer = _Explainer(run)
    verdicts = {verdict.subject: verdict for verdict in run.verdicts if verdict.rule == rule.id}
    return [
        explainer.rule(rule, record, verdicts[subject])
        for record in subjects(run, rule.for_each)
        if _is_at(subject := str(record.get("id", "")), at) and subject in verdicts
    ]


def explain_figure(run: Run, name: str, at: str | None = None) -> list[Explanation]:
    """Explain a quantity or another fact, `node.draw_peak_w`, on every record that has it."""
    expression, _ = parse(name)
    if expression is None:
        return []
    explainer = _Explainer(run)
    kind = name.partition(".")[0]
    found = []
    for label, record in _records(run.order or {}, kind):
        if _is_at(label, at):
            found.append(Explanation(label, (Step("", explainer.derivation(expression, {kind: record})),)))
    return found


def subjects(run: Run, kind: str) -> list[Record]:
    """Return the records of a kind of subject in the run."""
    return subjects_of(run.order).get(kind, []) if run.order is not None else []


def is_figure(run: Run, name: str) -> bool:
    """Tell whether `name` is a quantity or a fact of the vocabulary."""
    kind, _, field = name.partition(".")
    if run.book is not None and run.book.find(kind, field) is not None:
        return True
    return field in RECORDS.get(kind, {})


def nearest(run: Run, name: str) -> list[str]:
    """Return names of rules, constraints and figures that look like `name`, best first."""
    rules = [known for rule in run.rules for known in (rule.id, rule.name, *rule.aliases)]
    figures = [quantity.name for quantity in run.workshop.ruleset.quantities]
    figures += [f"{record}.{field}" for record, fields in RECORDS.items() for field in fields]
    match = _LOOSE_ID.match(name)
    padded = f"{match[1].upper()}{int(match[2]):03d}" if match else name
    close = [padded] if padded in rules else difflib.get_close_matches(name, [*rules, *figures], 3, 0.55)
    if not close:
        close = difflib.get_close_matches(name.upper(), rules, 3, 0.6)
    ids = {rule.name: rule.id for rule in run.rules}
    return list(dict.fromkeys(ids.get(item, item) for item in close))


def _is_at(subject: str, at: str | None) -> bool:
    return at is None or subject == at or subject.startswith((f"{at}/", f"{at} "))


class _Explainer:
    """Writes derivations of one run. Each quantity is introduced by its title once an explanation."""

    def __init__(self, run: Run) -> None:
        assert run.book is not None
        self.run = run
        self.book: Book = run.book
        self.witness = CatalogWitness(run.workshop.catalog, run.file, run.policy)
        self.by_formula = {_text(q.expression): q for q in run.workshop.ruleset.quantities}
        self.told: set[str] = set()
        self.depth = 0

    def rule(self, rule: Rule, record: Record, verdict: Verdict) -> Explanation:
        """Explain a rule on a subject: every condition, whether it decided the verdict or not."""
        self.told.clear()
        scope = {rule.for_each: record, "policy": self.run.policy.facts}
        steps: list[Step] = []
        if rule.condition is not None:
            steps.append(Step("applies when", self.derivation(rule.condition, scope)))
        if verdict.outcome.value != "not_applicable":
            many = len(rule.require) > 1
            for number, clause in enumerate(rule.require, 1):
                title = f"clause {number}" if many else "must hold"
                steps.append(Step(title, self.derivation(clause.expression, scope)))
            judged = Judge(rule, record, scope, verdict.severity, self.book, self.witness, None).verdict()
            verdict = _with_waiver(judged, verdict)
        return Explanation(verdict.subject, tuple(steps), verdict)

    def derivation(self, expression: Expression, scope: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the lines that derive the value of an expression."""
        known = {"policy": self.run.policy.facts, **scope}
        self.book.budget.renew()
        result = evaluate(expression, known, resolver=self.book.resolve, trace=True, budget=self.book.budget)
        if result.trace is None:
            return ("the derivation has too many steps to be shown",)
        return tuple(lines(result.trace, self.annotate, self.below))

    def annotate(self, read: Read) -> str:
        """Document and grade of a part's figure, the user's line, or the policy."""
        if read.owner is None or "evidence" not in read.owner:
            return self.witness.origin(read)
        document, grade = self.witness.evidence(read.owner_id, read.field)
        told = [str(document)] if document else []
        if grade:
            told.append(f"grade {grade.value}")
        return ", ".join(told)

    def below(self, leaf: Trace) -> Sequence[str]:
        """What stands below a quantity (its title and place) or a computed fact (its meaning, what it rests on)."""
        if leaf.children:
            return self._quantity(self.by_formula.get(leaf.children[0].text))
        read = leaf.reads[0] if len(leaf.reads) == 1 else None
        if read is not None and read.path.startswith("policy."):
            return self._parameter(read.path.removeprefix("policy."))
        if read is None or isinstance(leaf.value, Unknown) or self.annotate(read) or read.holder is None:
            return ()
        kind, field = str(read.holder.get("_record", "")), read.path.rpartition(".")[2]
        return self._computed(f"{kind}.{field}", kind, field, read.holder)

    def _quantity(self, quantity: Quantity | None) -> list[str]:
        if quantity is None or quantity.name in self.told:
            return []
        self.told.add(quantity.name)
        return [f"· {quantity.name}: {quantity.title}" + (f" [{quantity.at}]" if quantity.at else "")]

    def _parameter(self, name: str) -> list[str]:
        parameter = self.run.policy.parameters.get(name)
        if parameter is None or name in self.told:
            return []
        self.told.add(name)
        return [f"· {parameter.title}; {parameter.source}"]

    def _computed(self, name: str, kind: str, field: str, holder: Record) -> list[str]:
        meaning = RECORDS.get(kind, {}).get(field)
        found = []
        if meaning is not None and name not in self.told:
            self.told.add(name)
            found.append(f"· {name}: {meaning[1]}")
        if self.depth < _MAX_BASIS:
            self.depth += 1
            for text in BASIS.get(name, ()):
                expression, _ = parse(text)
                if expression is not None:
                    found += [line.removeprefix("  ") for line in self.derivation(expression, {kind: holder})[1:]]
            self.depth -= 1
        return list(dict.fromkeys(found))


def _with_waiver(judged: Verdict, verdict: Verdict) -> Verdict:
    return replace(judged, waived=verdict.waived)


def _text(expression: Expression) -> str:
    return expression.excerpt(expression.tree)


def _records(order: Record, kind: str) -> Iterator[tuple[str, Record]]:
    """Yield every record of a kind below the order, each once, with a name for people."""
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [("order", order)]
    while waiting:
        label, record = waiting.pop(0)
        if isinstance(record, list):
            waiting += [(f"{label}[{number}]", item) for number, item in enumerate(record)]
        elif isinstance(record, Mapping) and id(record) not in seen and "evidence" not in record:
            seen.add(id(record))
            name = str(record.get("id", "")) or _named(label, record)
            if record.get("_record") == kind:
                yield name, record
            waiting += [(f"{name} {key}", value) for key, value in record.items() if not str(key).startswith("_")]


def _named(label: str, record: Record) -> str:
    part = record.get("part")
    return f"{label} ({part['id']})" if isinstance(part, Mapping) and "id" in part else label
