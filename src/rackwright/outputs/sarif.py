"""The report as SARIF 2.1.0, the format of code scanning services. Same report, same bytes."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import PurePath, PureWindowsPath
from typing import Any
from urllib.parse import quote

from rackwright.proposal.report import FindingEntry, Place, Report, RuleEntry

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}
_ROOT = "%SRCROOT%"


def write_sarif(report: Report) -> str:
    """Return the report as a SARIF log with one run.

    A failure has the level of its severity (advice: note). An unknown has kind `open`, for which SARIF allows no
    other level than `none` (section 3.27.10); its severity is in the properties. Waived findings are suppressed.
    Paths are relative to the folder that the program was called in. The fingerprint of a finding is made of its
    rule and subject alone, so that it stays the same when lines move or figures change.
    """
    rules = _rules(report)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    seen: Counter[str] = Counter()
    run: dict[str, Any] = {
        "tool": {"driver": _driver(report, rules)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the folder that rackwright was called in"}}},
        "results": [_result(item, report, index, seen) for item in report.findings],
        "properties": {"status": report.status},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _driver(report: Report, rules: list[dict[str, Any]]) -> dict[str, Any]:
    name, _, version = report.tool.partition(" ")
    return {"name": name, "version": version, "rules": rules}


def _rules(report: Report) -> list[dict[str, Any]]:
    """The rules of the findings; a finding on a file (CFG…, RUL…) has no more than its code."""
    known = {rule.id: rule for rule in report.rules}
    codes = dict.fromkeys([*sorted(known), *sorted({item.code for item in report.findings})])
    return [_rule(known[code]) if code in known else {"id": code} for code in codes]


def _rule(rule: RuleEntry) -> dict[str, Any]:
    sources = "".join(f"\n- {source}" for source in rule.sources)
    plain = f"{rule.rationale}\n\nFix: {rule.fix}" + (f"\n\nSources:{sources}" if sources else "")
    marked = f"{rule.rationale}\n\n**Fix:** {rule.fix}" + (f"\n\n**Sources**\n{sources}" if sources else "")
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in re.split(r"[-_]", rule.name)),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.rationale},
        "help": {"text": plain, "markdown": marked},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.family]},
    }


def _result(item: FindingEntry, report: Report, index: dict[str, int], seen: Counter[str]) -> dict[str, Any]:
    is_open = item.outcome == "unknown"
    text = f"{item.subject}: {item.message}" if item.subject else item.message
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": index[item.code],
        "kind": "open" if is_open else "fail",
        "level": "none" if is_open else _LEVELS[item.severity],
        "message": {"text": text + (f" Fix: {item.fix}" if item.fix else "")},
        "locations": [_location(item, report)],
        "partialFingerprints": {"rackwright/v1": _fingerprint(item, seen)},
        "properties": _properties(item),
    }
    if item.waived:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": item.waived}]
    return result


def _properties(item: FindingEntry) -> dict[str, Any]:
    """What SARIF has no place for; nothing that is empty."""
    found = {
        "severity": item.severity,
        "missing": item.missing,
        "arithmetic": item.arithmetic,
        "sources": item.sources,
        "grade": item.grade,
    }
    return {name: value for name, value in found.items() if value}


def _location(item: FindingEntry, report: Report) -> dict[str, Any]:
    """The place of a finding; one without a place is about the configuration as a whole."""
    at = item.at or Place(file=report.configuration, line=1, column=1)
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": _artifact(at.file),
            "region": {"startLine": max(at.line, 1), "startColumn": max(at.column, 1)},
        }
    }
    if item.subject:
        location["logicalLocations"] = [{"fullyQualifiedName": item.subject}]
    return location


def _artifact(file: str) -> dict[str, str]:
    if PureWindowsPath(file).drive:
        return {"uri": "file:///" + quote(PureWindowsPath(file).as_posix(), safe="/:")}
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": "file://" + quote(path.as_posix(), safe="/")}
    return {"uri": quote(path.as_posix(), safe="/"), "uriBaseId": _ROOT}


def _fingerprint(item: FindingEntry, seen: Counter[str]) -> str:
    """Rule and subject; without a subject the message; with a counter where the same comes again."""
    key = f"{item.code}\n{item.subject or item.message}"
    seen[key] += 1
    again = f"\n{seen[key]}" if seen[key] > 1 else ""
    return hashlib.sha256((key + again).encode()).hexdigest()[:32]
