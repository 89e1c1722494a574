"""The questions to be asked before buying: answered where the configuration decides them, else open, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from rackwright.diagnostic import Message
from rackwright.expression import Expression, Template, evaluate, parse, parse_template
from rackwright.expression.values import Resolver, Unknown
from rackwright.frozen import frozen
from rackwright.proposal.sizing_model import AnswerView, GroupView
from rackwright.proposal.texts import Texts
from rackwright.verdict import Outcome, Verdict

_WEIGHT = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS, Outcome.NOT_APPLICABLE)


@frozen
class Answer:
    """One possible answer: it counts if its condition holds and all its figures are known."""

    when: str
    text: str

    @cached_property
    def condition(self) -> Expression | None:
        """The parsed condition, None if there is none."""
        return parse(self.when)[0] if self.when else None

    @cached_property
    def template(self) -> Template | None:
        """The parsed text."""
        return parse_template(self.text)[0]


@frozen(slots=True)
class Question:
    """A question. `ask` says what is still to be found out, `keys` name the keys of a workload file that answer it.

    `tasks` are the kinds of tasks that it is for, empty for all.
    """

    id: str
    group: str
    question: str
    answers: tuple[Answer, ...]
    ask: str
    tasks: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@frozen(slots=True)
class Checklist:
    """All questions, and the titles of their groups in order."""

    groups: Mapping[str, str]
    questions: tuple[Question, ...]


def outcomes(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Return the worst outcome of each rule over all subjects; a rule without any does not apply."""
    found: dict[str, Outcome] = {}
    for verdict in verdicts:
        known = found.get(verdict.rule, Outcome.NOT_APPLICABLE)
        found[verdict.rule] = min(known, verdict.outcome, key=_WEIGHT.index)
    return {rule: outcome.value for rule, outcome in found.items()}


def answered(
    checklist: Checklist, scope: Mapping[str, Any], kinds: Sequence[str], resolver: Resolver | None, texts: Texts
) -> tuple[GroupView, ...]:
    """Answer the questions for these kinds of tasks in the language of `texts`.

    `scope` has the records that the answers read: node, order, checks, sizing. What is missing leaves a question open.
    """
    views: dict[str, list[AnswerView]] = {group: [] for group in checklist.groups}
    for question in checklist.questions:
        if question.tasks and not set(question.tasks).intersection(kinds):
            continue
        message = _answer(question, scope, resolver)
        views[question.group].append(
            AnswerView(
                id=question.id,
                question=texts.text(question.question),
                answer=texts.message(message),
                ask=texts.text(question.ask) if message is None else "",
                is_open=message is None,
                keys=question.keys if message is None else (),
            )
        )
    return tuple(
        GroupView(texts.text(checklist.groups[group]), tuple(found)) for group, found in views.items() if found
    )


def _answer(question: Question, scope: Mapping[str, Any], resolver: Resolver | None) -> Message | None:
    for answer in question.answers:
        condition, template = answer.condition, answer.template
        if condition is not None and evaluate(condition, scope, resolver=resolver).value is not True:
            continue
        if template is not None and _is_known(template, scope, resolver):
            return template.fill(scope, resolver=resolver)
    return None


def _is_known(template: Template, scope: Mapping[str, Any], resolver: Resolver | None) -> bool:
    values = [evaluate(hole, scope, resolver=resolver).value for hole in template.holes.values()]
    return not any(isinstance(value, Unknown) or value == [] for value in values)
