"""Reads and checks the files of a rules folder: what the cache of rules is built from.

A run that takes its rules from the cache never loads this module.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from rackwright.diagnostic import Finding, finding
from rackwright.expression import Field, Number, compile_expression, dump
from rackwright.facts.shapes import shapes
from rackwright.facts.vocabulary import SUBJECTS
from rackwright.quantities import BrokenFormulaError, Quantity
from rackwright.readers import cache
from rackwright.readers.exact_place import settled
from rackwright.readers.files import read_text
from rackwright.readers.model_errors import findings_from
from rackwright.readers.yaml_source import load_yaml
from rackwright.rules.compiled import code_of
from rackwright.rules.files import PolicyFile, QuantitiesFile, RuleFile
from rackwright.rules.load import (
    check_quantities,
    check_rule,
    duplicates,
    policy_from,
    policy_record,
    quantities_from,
    rule_from,
    unknown_rules,
)
from rackwright.rules.model import Policy, Rule, Ruleset
from rackwright.source import Location
from rackwright.units import unit_by_symbol


def paths_below(folder: Path) -> list[str]:
    """Return the rule, quantity and policy files of a folder, relative to it."""
    return [entry.path for entry in cache.scan(folder)]


def read_rule_files(
    folder: Path, shown: str, paths: list[str], base: Ruleset | None = None
) -> tuple[Ruleset, list[Finding]]:
    """Read and check files of a rules folder, with their cases; what has errors is left out and reported.

    `paths` are relative to the folder. With `base`, the files may use its quantities and policy parameters, for the
    check of rules that are not shipped. Returned are the files' own rules and quantities, and all policies.
    """
    digest = hashlib.sha256()
    findings: list[Finding] = []
    texts: dict[str, str] = {}
    rules: list[Rule] = []
    quantities: list[Quantity] = []
    policies: dict[str, Policy] = dict(base.policies) if base is not None else {}
    # the default policy comes first: others change it
    for path in sorted(paths, key=lambda name: (name != "policies/default.yaml", name)):
        text, problems = read_text(folder / path, f"{shown}/{path}")
        digest.update(f"{path}:".encode() + (text or "").encode())
        if text is not None:
            texts[f"{shown}/{path}"] = text
            problems += _read_one(path, text, f"{shown}/{path}", rules, quantities, policies)
        findings += problems
    findings += duplicates(rules)
    every = (*rules, *(base.rules if base else ()))
    for policy in policies.values():
        findings += unknown_rules(policy, every, Location(f"{shown}/policies/{policy.name}.yaml"))
    ruleset = Ruleset(tuple(sorted(rules, key=lambda rule: rule.id)), tuple(quantities), policies, digest.hexdigest())
    known = tuple(item for item in base.quantities if item.name not in {q.name for q in quantities}) if base else ()
    problems, broken = check_meaning(replace(ruleset, quantities=(*known, *ruleset.quantities)))
    kept = tuple(rule for rule in ruleset.rules if rule.id not in broken)
    kept_quantities = tuple(quantity for quantity in quantities if quantity.name not in broken)
    exact = [found for item in problems for found in settled([item], texts.get(item.at.file, "") if item.at else "")]
    return replace(ruleset, rules=kept, quantities=kept_quantities), [*findings, *exact]


def _read_one(
    path: str, text: str, shown: str, rules: list[Rule], quantities: list[Quantity], policies: dict[str, Policy]
) -> list[Finding]:
    document, findings = load_yaml(text, shown)
    if document is None or findings:
        return findings
    model: type[BaseModel] = RuleFile
    if path.startswith("quantities/"):
        model = QuantitiesFile
    elif path.startswith("policies/"):
        model = PolicyFile
    try:
        parsed = model.model_validate(document.data)
    except ValidationError as error:
        return findings_from(error, document, code="RUL002", model=model)
    if isinstance(parsed, QuantitiesFile):
        quantities += quantities_from(parsed, document.locations)
    elif isinstance(parsed, PolicyFile):
        policy, findings = policy_from(parsed, policies.get("default"), document.locations)
        policies[policy.name] = policy
    elif isinstance(parsed, RuleFile):
        rules.append(rule_from(parsed, document.locations))
    return findings


def check_meaning(ruleset: Ruleset) -> tuple[list[Finding], set[str]]:
    """Check all expressions against the facts model; return findings and the ids of rules that cannot be used."""
    model = shapes()
    default = ruleset.policies.get("default")
    policy = policy_record(default) if default else policy_record(Policy("none", {}))
    for quantity in ruleset.quantities:  # quantities are fields of their records, for rules and for each other
        unit = unit_by_symbol(quantity.unit)
        if quantity.record in model and unit is not None:
            fields = dict(model[quantity.record].fields)
            fields[quantity.field] = Field(Number(unit), quantity.title)
            model = _with_fields(model, quantity.record, fields)
    findings = check_quantities(ruleset.quantities, model, policy)
    lines = {(item.at.file, item.at.line) for item in findings if item.at}
    broken = {item.name for item in ruleset.quantities if item.at and (item.at.file, item.at.line) in lines}
    for rule in ruleset.rules:
        if rule.for_each not in SUBJECTS:
            problems = [_unknown_subject(rule)]
        else:
            record, _ = SUBJECTS[rule.for_each]
            problems = check_rule(replace(rule, for_each=record), rule.for_each, model, policy)
        if problems:
            broken.add(rule.id)
        findings += problems
    return findings, broken


def _with_fields(model: Any, record: str, fields: dict[str, Any]) -> Any:
    """Put more fields into a record in place, so that recursive references see them."""
    known = model[record].fields
    if isinstance(known, dict):
        known.update(fields)
    return model


def _unknown_subject(rule: Rule) -> Finding:
    return finding(
        "RUL006",
        "'{word}' is not a subject of rules",
        rule.at,
        fix="write for_each: and one of {known}",
        word=rule.for_each,
        known=", ".join(SUBJECTS),
    )


def _code(quantity: Quantity) -> bytes:
    try:
        return dump(compile_expression(quantity.expression))
    except BrokenFormulaError:  # reported, and left to whoever reads it
        return b""


def compiled(ruleset: Ruleset) -> Ruleset:
    """Add the compiled form of all rules and quantities, so that a run from the cache parses none that passes."""
    quantities = tuple(replace(item, code=_code(item)) for item in ruleset.quantities)
    return replace(ruleset, quantities=quantities, code=code_of(ruleset.rules, {name: name for name in SUBJECTS}))
