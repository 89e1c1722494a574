"""Reads rule folders: rules, quantities and policies. Checked once; afterwards the cached form is served."""

from __future__ import annotations

import json
from pathlib import Path

from rackwright.diagnostic import Finding, finding
from rackwright.readers import cache
from rackwright.readers.findings_data import findings_from_text, findings_to_text
from rackwright.readers.rules_data import ruleset_data, ruleset_of
from rackwright.rules.model import Ruleset
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
        _CODE / "rules_dir.py", _CODE / "rules_files.py", _CODE / "rules_data.py", _CODE.parent / "units.py",
    )  # fmt: skip
    store = cache.Store(folder, "rules", f"{key}:{shown}")
    entries = cache.scan(folder)
    stamp = cache.stamp_of(entries)
    cached = None if with_cases else store.head(_ALL)
    if cached is not None and cached[0] == stamp:
        body = store.body(_ALL)
        if body is not None:
            data = json.loads(body)
            return ruleset_of(data, with_code=store.is_private), findings_from_text(data["findings"])
    from rackwright.readers.rules_files import compiled, read_rule_files

    ruleset, findings = read_rule_files(folder, shown, [entry.path for entry in entries])
    if not with_cases:
        ruleset = compiled(ruleset)
        data = {**ruleset_data(ruleset), "findings": findings_to_text(findings)}
        store.update({_ALL: (stamp, "", json.dumps(data))}, [])
    return ruleset, findings


def _no_folder(shown: str) -> Finding:
    return finding("RUL001", "there is no rules folder {folder}", Location(shown), folder=shown)
