"""Rules, quantities and policies as plain data, for the cache. Cases are left out: a run does not need them."""

from __future__ import annotations

from typing import Any

from rackwright.diagnostic import Severity
from rackwright.quantities import Quantity
from rackwright.rules.model import Clause, Parameter, Policy, Rule, Ruleset
from rackwright.source import Citation, Location

_CITATION = ("doc", "number", "where", "date", "read", "url")


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """Return a rule set as plain data."""
    return {
        "rules": [rule_data(rule) for rule in ruleset.rules],
        "quantities": [quantity_data(quantity) for quantity in ruleset.quantities],
        "policies": [policy_data(policy) for policy in ruleset.policies.values()],
        "digest": ruleset.digest,
        "code": {key: code.hex() for key, code in ruleset.code.items()},
    }


def ruleset_of(data: dict[str, Any], *, with_code: bool) -> Ruleset:
    """Return the rule set of plain data. `with_code` takes its compiled functions too: only if we wrote them."""
    policies = [policy_of(item) for item in data["policies"]]
    return Ruleset(
        rules=tuple(rule_of(item) for item in data["rules"]),
        quantities=tuple(quantity_of(item, with_code=with_code) for item in data["quantities"]),
        policies={policy.name: policy for policy in policies},
        digest=data["digest"],
        code={key: bytes.fromhex(code) for key, code in data["code"].items()} if with_code else {},
    )


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain data."""
    return {
        "id": rule.id,
        "name": rule.name,
        "title": rule.title,
        "severity": rule.severity.value,
        "for_each": rule.for_each,
        "rationale": rule.rationale,
        "sources": [_citation_data(item) for item in rule.sources],
        "when": rule.when,
        "require": [
            [clause.that, clause.message, list(clause.blame), _place_data(clause.at), _place_data(clause.message_at)]
            for clause in rule.require
        ],
        "fix": rule.fix,
        "aliases": list(rule.aliases),
        "at": _place_data(rule.at),
        "when_at": _place_data(rule.when_at),
        "owner": rule.owner,
        "status": rule.status,
    }


def rule_of(data: dict[str, Any]) -> Rule:
    """Return the rule of plain data."""
    return Rule(
        id=data["id"],
        name=data["name"],
        title=data["title"],
        severity=Severity(data["severity"]),
        for_each=data["for_each"],
        rationale=data["rationale"],
        sources=tuple(_citation(item) for item in data["sources"]),
        when=data["when"],
        require=tuple(
            Clause(that, message, tuple(blame), _place(at), _place(message_at))
            for that, message, blame, at, message_at in data["require"]
        ),
        fix=data["fix"],
        aliases=tuple(data["aliases"]),
        at=_place(data["at"]),
        when_at=_place(data["when_at"]),
        owner=data["owner"],
        status=data["status"],
    )


def quantity_data(quantity: Quantity) -> dict[str, Any]:
    """Return a quantity as plain data."""
    return {
        "record": quantity.record,
        "field": quantity.field,
        "unit": quantity.unit,
        "title": quantity.title,
        "formula": quantity.formula,
        "sources": [_citation_data(item) for item in quantity.sources],
        "at": _place_data(quantity.at),
        "code": quantity.code.hex(),
    }


def quantity_of(data: dict[str, Any], *, with_code: bool = False) -> Quantity:
    """Return the quantity of plain data, with its compiled form if that may be trusted."""
    return Quantity(
        record=data["record"],
        field=data["field"],
        unit=data["unit"],
        title=data["title"],
        formula=data["formula"],
        sources=tuple(_citation(item) for item in data["sources"]),
        at=_place(data["at"]),
        code=bytes.fromhex(data["code"]) if with_code else b"",
    )


def policy_data(policy: Policy) -> dict[str, Any]:
    """Return a policy as plain data."""
    return {
        "name": policy.name,
        "parameters": [[p.name, p.value, p.title, p.source] for p in policy.parameters.values()],
        "severities": {rule: severity.value for rule, severity in policy.severities.items()},
        "ignore": sorted(policy.ignore),
    }


def policy_of(data: dict[str, Any]) -> Policy:
    """Return the policy of plain data."""
    return Policy(
        name=data["name"],
        parameters={name: Parameter(name, value, title, source) for name, value, title, source in data["parameters"]},
        severities={rule: Severity(text) for rule, text in data["severities"].items()},
        ignore=frozenset(data["ignore"]),
    )


def _citation_data(citation: Citation) -> list[str | None]:
    return [getattr(citation, name) for name in _CITATION]


def _citation(data: list[Any]) -> Citation:
    return Citation(*data)


def _place_data(at: Location | None) -> list[Any] | None:
    return [at.file, at.line, at.column] if at else None


def _place(data: list[Any] | None) -> Location | None:
    return Location(*data) if data else None
