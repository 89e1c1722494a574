"""Rules on facts: one verdict a rule and subject.

The fast path runs compiled code over all rules of a kind of subject and answers with a plain pass or 'does not apply'
where every fact is known. What it leaves open is decided with three values and bounds (expression.decide). The exact
path (judge.py), which says what is missing and records the arithmetic, runs when somebody asks for it. A crash inside
one rule becomes SYS001 and the rest runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rackwright.diagnostic import Figure, Finding, Message, Severity, finding
from rackwright.expression import Decider, TooCostlyError, decider, load, renew
from rackwright.frozen import frozen
from rackwright.quantities import Book
from rackwright.rules.compiled import Function, compile_group, groups_of, key_of
from rackwright.rules.judge import Judge, Record, Witness
from rackwright.rules.model import Policy, Rule
from rackwright.verdict import Details, Outcome, Verdict

_ALWAYS: Decider = lambda _values, _within, _budget: True  # noqa: E731


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
        code: Mapping[str, bytes] | None = None,
    ) -> None:
        """`subjects` maps the kinds of subject to the name that each binds.

        `code` is what compiled.code_of made of the same rules; groups without code are compiled when they are needed.
        """
        self._bound = subjects
        self._policy = policy
        self._code = code or {}
        self._by_subject: dict[str, list[_Group]] = {}
        for (subject, owner), members in groups_of(rules).items():
            group = _Group(subject, owner, members, [self._severity(rule) for rule in members])
            self._by_subject.setdefault(subject, []).append(group)
        self._deciders: dict[str, tuple[Decider, ...]] = {}
        self._functions: dict[str, Function] = {}

    def run(
        self, facts: Mapping[str, Sequence[Record]], book: Book, witness: Witness, *, detail: bool = False
    ) -> Evaluation:
        """Evaluate every rule on every subject of `facts`. With `detail`, passes carry their arithmetic too."""
        for function in self._functions.values():
            renew(function)
        run = _Run(self._policy, book, witness, detail)
        for subject, groups in self._by_subject.items():
            for record in facts.get(subject, ()):
                for group in groups:
                    if not group.owner or _has_part(record, group.owner):
                        self._judge(group, record, run)
        return Evaluation(tuple(run.verdicts), tuple(run.findings))

    def _judge(self, group: _Group, record: Record, run: _Run) -> None:
        """Add the verdicts of a group of rules on one subject."""
        ignored, name, verdicts = self._policy.ignore, str(record.get("id", "")), run.verdicts
        for rule, severity, value in zip(group.rules, group.severities, self._quick(group, record), strict=True):
            if rule.id in ignored:
                continue
            if value is False:
                verdicts.append(Verdict(rule.id, rule.title, severity, name, Outcome.NOT_APPLICABLE))
            elif value is True and not run.detail:
                verdicts.append(Verdict(rule.id, rule.title, severity, name, Outcome.PASS))
            elif value is True:
                verdicts.append(run.verdict(self._exact(rule, record, severity, run), Outcome.PASS))
            elif rule.id not in run.costly:  # once is enough: each further subject would cost as much
                self._decide(rule, record, severity, value, run)

    def _decide(self, rule: Rule, record: Record, severity: Severity, values: Sequence[Any], run: _Run) -> None:
        try:
            outcome = self._outcome(rule, record, values, run.book)
        except Exception as error:  # the rule's fault must not hide the other rules
            if isinstance(error, TooCostlyError):
                run.costly.add(rule.id)
            run.findings.append(_crash(rule, record, error))
            return
        run.verdicts.append(run.verdict(self._exact(rule, record, severity, run), outcome))

    def _outcome(self, rule: Rule, record: Record, values: Sequence[Any], book: Book) -> Outcome:
        """Decide with three values what the fast path left open; `values` is what it found."""
        book.budget.renew()
        scope = (record, self._policy.facts)
        deciders = self._deciders.get(rule.id) or self._made(rule)
        outcome = Outcome.PASS
        for number, decide in enumerate(deciders):
            value = values[number] if values else None
            if not isinstance(value, bool):
                value = decide(scope, book.within, book.budget)
            if number == 0 and value is not True:
                return Outcome.NOT_APPLICABLE if value is False else Outcome.UNKNOWN
            if value is False:
                return Outcome.FAIL
            if value is not True:
                outcome = Outcome.UNKNOWN
        return outcome

    def _made(self, rule: Rule) -> tuple[Decider, ...]:
        roots = (self._bound[rule.for_each], "policy")
        condition = _ALWAYS if rule.condition is None else decider(rule.condition.tree, roots)
        made = (condition, *(decider(clause.expression.tree, roots) for clause in rule.require))
        self._deciders[rule.id] = made
        return made

    def _quick(self, group: _Group, record: Record) -> Sequence[Any]:
        """Fast path: True for a pass, False for 'does not apply', else what it found of the condition and clauses."""
        key = key_of(group.subject, group.owner)
        function = self._functions.get(key)
        if function is None:
            code = self._code.get(key)
            function = (load(code) if code else None) or compile_group(group.rules, self._bound[group.subject])
            self._functions[key] = function
        try:
            return function(record, self._policy.facts)
        except Exception:
            return [()] * len(group.rules)

    def _exact(self, rule: Rule, record: Record, severity: Severity, run: _Run) -> Judge:
        scope = {self._bound[rule.for_each]: record, "policy": self._policy.facts}
        return Judge(rule, record, scope, severity, run.book, run.witness, None)

    def _severity(self, rule: Rule) -> Severity:
        if rule.status == "draft":
            return Severity.ADVICE
        return self._policy.severities.get(rule.id, rule.severity)


@frozen(slots=True)
class _Group:
    """The rules of one kind of subject and owner, with their severities under the policy."""

    subject: str
    owner: str
    rules: list[Rule]
    severities: list[Severity]


class _Run:
    """What one run of the engine gathers."""

    def __init__(self, policy: Policy, book: Book, witness: Witness, detail: bool) -> None:
        self.policy = policy
        self.book = book
        self.witness = witness
        self.detail = detail
        self.verdicts: list[Verdict] = []
        self.findings: list[Finding] = []
        self.costly: set[str] = set()

    def verdict(self, judge: Judge, outcome: Outcome) -> Verdict:
        rule, subject = judge.rule, str(judge.record.get("id", ""))
        explain = Details if outcome is Outcome.NOT_APPLICABLE else partial(_details, judge, outcome)
        return Verdict(rule.id, rule.title, judge.severity, subject, outcome, rule.sources, explain=explain)


def _details(judge: Judge, outcome: Outcome) -> Details:
    """Find what a person is told. The outcome stands, whatever goes wrong with its words."""
    judge.book.budget.renew()
    try:
        if outcome is Outcome.PASS:
            return judge.passed().details
        return judge.verdict().details
    except Exception as error:
        text = f"{type(error).__name__}: {error}"[:200]
        return Details(message=Message("not told: {error}", {"error": Figure(text)}))


def _has_part(node: Record, part_id: str) -> bool:
    return node["chassis"]["part"]["id"] == part_id or any(line["part"]["id"] == part_id for line in node["lines"])


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
