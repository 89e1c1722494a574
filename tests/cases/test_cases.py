"""The real cases of `index.yaml`: running systems raise no error, problems are found, and no case is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rackwright import api
from rackwright.readers.yaml_source import load_yaml

HERE = Path(__file__).resolve().parent


def _index() -> Mapping[str, Any]:
    path = HERE / "index.yaml"
    document, findings = load_yaml(path.read_text(encoding="utf-8"), path.name)
    assert document is not None, [str(item.message) for item in findings]
    assert isinstance(document.data, dict)
    return document.data


INDEX = _index()
CASES: Mapping[str, Mapping[str, Any]] = INDEX["cases"]
COVERED = {name: case for name, case in CASES.items() if case["status"] == "covered"}
VALID = sorted(name for name, case in COVERED.items() if case["file"].startswith("valid/"))
PROBLEMS = sorted(name for name, case in COVERED.items() if case["file"].startswith("problem/"))

# The rules about what a case calls unknown. A rule about something that was stated is not among them: PWR001 asks
# whether the redundancy is stated, FIT006 also judges slots without a riser, PWR027 the outlets of the chassis.
_FEED = "PWR005 PWR006 PWR012 PWR013 PWR014 PWR015 RCK010 RCK011 RCK012 RCK013 RCK014 RCK015 RCK016 RCK020"
DOMAINS = {
    "psu": "BOM003 BOM005 BOM006 PWR002 PWR003 PWR004 PWR007 PWR008 PWR009 PWR010 PWR011 PWR016 PWR017 PWR018 PWR019 "
    f"PWR021 PWR022 {_FEED}",
    "power_feed": _FEED,
    "feed voltage": _FEED,
    "risers/cables": "BOM008 PWR023 PWR024 PWR025 PWR026",
    "rack": "RCK001 RCK002 RCK003 RCK004 RCK005 RCK006 RCK007 RCK008 RCK009 RCK017 RCK018 RCK019 BOM007",
    "nics": "NET001 NET002 NET003 NET004",
    "drives": "STO001 STO002 STO003 STO004 STO005",
    "gpu model": "BOM004 FIT010 FIT011 FIT012 FIT014 FIT015 FIT016 FIT018 NVL001 NVL003 MEM014 AIR003 AIR004 PWR023",
    "DIMM count": "BOM002 MEM001 MEM002 MEM003 MEM005 MEM010 MEM011 MEM014 MEM017",
    "NVLink bridges": "NVL001 NVL002 NVL003 NVL004 NVL005 NVL006 NVL007 NVL008 NVL009",
}


@cache
def workshop() -> api.Workshop:
    """The shipped catalog and rules, loaded once for all cases."""
    return api.load_workshop()


@cache
def run_of(file: str) -> api.Run:
    """The verdicts on a configuration of this folder."""
    run, findings = api.validate_file(HERE / file, workshop(), shown=file)
    assert run is not None, [str(item.message) for item in findings]
    return run


def test_every_case_is_accounted_for_once() -> None:
    listed = [name for section in INDEX["sections"].values() for name in section]

    assert listed == list(CASES)
    assert len(set(listed)) == len(listed)


def test_every_case_says_what_its_status_needs() -> None:
    needed = {"covered": "file", "part missing": "reason", "not expressible": "reason"}

    assert {name for name, case in CASES.items() if needed[case["status"]] not in case} == set()
    assert {name for name in PROBLEMS if not {"rule", "severity"} <= set(CASES[name])} == set()


def test_every_configuration_belongs_to_a_case() -> None:
    found = {path.relative_to(HERE).as_posix() for path in (*HERE.glob("valid/*.yaml"), *HERE.glob("problem/*.yaml"))}

    assert {case["file"] for case in COVERED.values()} == found


def test_every_rule_that_is_named_exists() -> None:
    shipped = {rule.id for rule in workshop().ruleset.rules}
    own = {f"{part.id}#{item['id']}" for part in workshop().catalog.parts.values() for item in part.constraints}
    named = {case["rule"] for case in CASES.values() if "rule" in case}
    named |= {rule for rules in DOMAINS.values() for rule in rules.split()}

    assert {rule for rule in named if not rule.startswith("CFG")} - shipped - own == set()


@pytest.mark.parametrize("case", VALID)
def test_a_running_system_raises_no_error(case: str) -> None:
    run = run_of(COVERED[case]["file"])

    told = [item for item in run.reported if item.severity.value == "error" and item.outcome == "fail"]
    assert [f"{item.code} {item.subject}: {item.message}" for item in told] == []


@pytest.mark.parametrize("case", VALID)
def test_what_was_not_published_is_neither_passed_nor_failed(case: str) -> None:
    unknown = COVERED[case].get("unknown", [])
    rules = {rule for domain in unknown for rule in DOMAINS[domain].split()}

    judged = {(verdict.rule, verdict.outcome.value) for verdict in run_of(COVERED[case]["file"]).verdicts}
    assert {(rule, outcome) for rule, outcome in judged if rule in rules and outcome in ("pass", "fail")} == set()


@pytest.mark.parametrize("case", PROBLEMS)
def test_a_published_problem_is_found(case: str) -> None:
    wanted = COVERED[case]

    found = {(item.code, item.severity.value) for item in run_of(wanted["file"]).reported if item.outcome == "fail"}
    assert (wanted["rule"], wanted["severity"]) in found
