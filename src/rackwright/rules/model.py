"""Rules, quantities and policies in memory.

They are kept as texts; a tree is parsed when somebody asks for it, so that a run on the fast path (compiled code from
the cache) never parses a rule whose verdict is a plain pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from rackwright.diagnostic import Severity
from rackwright.expression import Expression, Template, parse, parse_template
from rackwright.frozen import frozen
from rackwright.quantities import Quantity
from rackwright.source import Citation, Location


class BrokenRuleError(Exception):
    """A text that was accepted at load does not parse: the rule's fault, reported as SYS001."""


def _parsed(text: str, at: Location | None) -> Expression:
    expression, findings = parse(text, at)
    if expression is None:
        raise BrokenRuleError(str(findings[0].message))
    return expression


@frozen
class Clause:
    """One condition of a rule."""

    that: str
    message: str
    blame: tuple[str, ...] = ()
    at: Location | None = None
    message_at: Location | None = None

    @cached_property
    def expression(self) -> Expression:
        """The parsed condition."""
        return _parsed(self.that, self.at)

    @cached_property
    def template(self) -> Template:
        """The parsed message."""
        template, findings = parse_template(self.message, self.message_at)
        if template is None:
            raise BrokenRuleError(str(findings[0].message))
        return template

    @cached_property
    def blamed(self) -> tuple[Expression, ...]:
        """The parsed paths of the facts that the clause points at."""
        return tuple(_parsed(text, self.at) for text in self.blame)


@frozen
class Case:
    """A case of a rule, as plain data."""

    name: str
    given: Mapping[str, Any]
    expect: str
    message: str | None = None
    missing: tuple[str, ...] | None = None
    at: Location | None = None


@frozen
class Rule:
    """A rule. `owner` is the id of the part that owns it (a constraint), empty for a general rule."""

    id: str
    name: str
    title: str
    severity: Severity
    for_each: str
    rationale: str
    sources: tuple[Citation, ...]
    when: str | None
    require: tuple[Clause, ...]
    fix: str
    cases: tuple[Case, ...] = ()
    aliases: tuple[str, ...] = ()
    at: Location | None = None
    when_at: Location | None = None
    owner: str = ""
    status: str = "stable"

    @property
    def family(self) -> str:
        """The three letters of the id; `maker` for a part's own constraint."""
        return "maker" if self.owner else self.id[:3]

    @cached_property
    def condition(self) -> Expression | None:
        """The parsed `when`, None if the rule always applies."""
        return _parsed(self.when, self.when_at) if self.when else None

    @cached_property
    def fix_template(self) -> Template:
        """The parsed advice."""
        template, findings = parse_template(self.fix or "-", self.at)
        if template is None:
            raise BrokenRuleError(str(findings[0].message))
        return template


@frozen
class Parameter:
    """A limit that is a choice."""

    name: str
    value: float | bool | str
    title: str = ""
    source: str = ""


@frozen
class Policy:
    """Limits, severities and rules left out, after the shipped default and the customer's file were put together."""

    name: str
    parameters: Mapping[str, Parameter]
    severities: Mapping[str, Severity] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset()

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The parameters as the record `policy` that rules read."""
        return {name: parameter.value for name, parameter in self.parameters.items()}


@frozen
class Ruleset:
    """All rules, quantities and the default policy of the folders that were loaded. `digest` names their content.

    `code` is the fast path of the rules as the cache keeps it (compiled.code_of), empty if there is none.
    """

    rules: tuple[Rule, ...]
    quantities: tuple[Quantity, ...]
    policies: Mapping[str, Policy]
    digest: str = ""
    code: Mapping[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    def find(self, rule_id: str) -> Rule | None:
        """Return the rule with this id or alias."""
        return next((rule for rule in self.rules if rule_id == rule.id or rule_id in rule.aliases), None)
