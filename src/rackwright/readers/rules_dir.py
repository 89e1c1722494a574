"""Reads rule folders: rules, quantities and policies. Checked once; afterwards the cached form is served."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from rackwright.diagnostic import Finding, finding
from rackwright.quantities import Quantity
from rackwright.readers import cache
from rackwright.readers.exact_place import settled
from rackwright.readers.files import read_text
from rackwright.readers.findings_data import findings_from_text, findings_to_text
from rackwright.readers.model_errors import findings_from
from rackwright.readers.rules_data import policy_data, policy_of, quantity_data, quantity_of, rule_data, rule_of
from rackwright.readers.yaml_source import load_yaml
from rackwright.rules.model import Policy, Rule, Ruleset
from rackwright.source import Location

_CODE = Path(__file__).resolve().parent
_ALL = "*"


def read_rules(folder: Path, shown: str, *, with_cases: bool = False) -> tuple[Ruleset, list[Finding]]:
    """Read a rules folder. A file with errors is left out and reported (RUL…).

    `with_cases` keeps the rules' own cases, which only the check of rules needs.
    """
    if not folder.is_dir():
        return Ruleset((), (), {}), [_no_folder(shown)]
    key = cache.code_key(
        _CODE.parent / "rules", _CODE.parent / "facts", _CODE.parent / "expression", _CODE.parent / "parts",
        _CODE / "rules_dir.py", _CODE / "rules_data.py", _CODE.parent / "units.py",
    )  # fmt: skip
    store = cache.Store(folder, "rules", f"{key}:{shown}")
    entries = cache.scan(folder)
    stamp = hashlib.blake2b(";".join(f"{e.path}={e.stamp}" for e in entries).encode(), digest_size=12).hexdigest()
    cached = store.heads().get(_ALL)
    if not with_cases and cached is not None and cached[0] == stamp:
        body = store.body(_ALL)
        if body is not None:
            data = json.loads(body)
            return _ruleset(data), findings_from_text(data["findings"])
    ruleset, findings = _read_all(folder, shown, [entry.path for entry in entries])
    if not with_cases:
        store.update({_ALL: (stamp, "", json.dumps(_ruleset_data(ruleset, findings)))}, [])
    return ruleset, findings


def _no_folder(shown: str) -> Finding:
    return finding("RUL001", "there is no rules folder {folder}", Location(shown), folder=shown)


def _ruleset_data(ruleset: Ruleset, findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "rules": [rule_data(rule) for rule in ruleset.rules],
        "quantities": [quantity_data(quantity) for quantity in ruleset.quantities],
        "policies": [policy_data(policy) for policy in ruleset.policies.values()],
        "digest": ruleset.digest,
        "findings": findings_to_text(findings),
    }


def _ruleset(data: dict[str, Any]) -> Ruleset:
    policies = [policy_of(item) for item in data["policies"]]
    return Ruleset(
        rules=tuple(rule_of(item) for item in data["rules"]),
        quantities=tuple(quantity_of(item) for item in data["quantities"]),
        policies={policy.name: policy for policy in policies},
        digest=data["digest"],
    )


def read_rule_files(folder: Path, shown: str, paths: list[str], base: Ruleset) -> tuple[Ruleset, list[Finding]]:
    """Read some files of a folder, with their cases, on top of the quantities and policies of `base`.

    For the check of rules that are not shipped: they may use the shipped quantities and policy parameters. `paths` are
    relative to the folder. Returned are the files' own rules and quantities, and all policies.
    """
    return _read_all(folder, shown, paths, base)


def paths_below(folder: Path) -> list[str]:
    """Return the rule, quantity and policy files of a folder, relative to it."""
    return [entry.path for entry in cache.scan(folder)]


def _read_all(
    folder: Path, shown: str, paths: list[str], base: Ruleset | None = None
) -> tuple[Ruleset, list[Finding]]:
    from rackwright.rules.load import duplicates

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
    from rackwright.rules.files import PolicyFile, QuantitiesFile, RuleFile
    from rackwright.rules.load import policy_from, quantities_from, rule_from

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
    from rackwright.expression import Field, Number
    from rackwright.facts.shapes import shapes
    from rackwright.facts.vocabulary import SUBJECTS
    from rackwright.rules.load import check_quantities, check_rule, policy_record
    from rackwright.units import unit_by_symbol

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
    from rackwright.facts.vocabulary import SUBJECTS

    return finding(
        "RUL006",
        "'{word}' is not a subject of rules",
        rule.at,
        fix="write for_each: and one of {known}",
        word=rule.for_each,
        known=", ".join(SUBJECTS),
    )
