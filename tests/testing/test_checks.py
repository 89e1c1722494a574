"""What a vendor runs in the tests of his own repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rules.builders import RULE

from rackwright.api.rule_checks import check_rules as check_paths
from rackwright.testing import check_catalog, check_rules

ROOT = Path(__file__).resolve().parents[2]
CASES = """\
tests:
  - {name: at, given: {node: {draw_peak_w: 8000}}, expect: pass}
  - {name: over, given: {node: {draw_peak_w: 8001}}, expect: fail, message: draws 8 001 W}
  - {name: open, given: {node: {}}, expect: unknown}
"""
# It uses a quantity and a parameter that come with rackwright.
OWN = RULE.replace("node.allowance_w <= 500", "node.draw_peak_w <= policy.node_heat_notice_w").replace(
    "{node.allowance_w}", "{node.draw_peak_w}"
)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_sound_rules(tmp_path: Path) -> None:
    write(tmp_path / "acme/PWR900-x.yaml", OWN + CASES)
    assert check_rules(tmp_path) == []


def test_each_problem_is_a_line_with_place_and_fix(tmp_path: Path) -> None:
    path = write(tmp_path / "acme/PWR900-x.yaml", OWN.replace("draw_peak_w <=", "draw_peek_w <="))
    assert check_rules(tmp_path) == [
        f"{path}:9:16: error RUL014: node has no field draw_peek_w (did you mean draw_peak_w?)"
    ]


def test_missing_cases_and_mutants(tmp_path: Path) -> None:
    path = write(tmp_path / "acme/PWR900-x.yaml", OWN)
    assert [line.partition(" (")[0] for line in check_rules(tmp_path)][:1] == [
        f"{path}:1:5: error RUL021: PWR900 has no case for: pass, unknown, fail of clause 1"
    ]
    write(path, OWN + CASES.replace("8000", "7000"))
    (line,) = check_rules(tmp_path)
    assert line.startswith(
        f"{path}:1:5: error RUL022: no case of PWR900 notices this change: clause 1: `<=` became `<` in "
        "`node.draw_peak_w <= policy.node_heat_notice_w` (add a case "
    )


PART = """\
kind: cable
id: acme/kit
mpn: [ACME-1]
title: ACME cable kit
maker: ACME
purpose: other
constraints:
  - id: few
    require: node.count <= 4
    message: "{node.count} servers, at most four"
    source: {id: sheet, where: p. 1}
    tests:
      - {name: four, given: {node: {count: 4}}, expect: pass}
      - {name: five, given: {node: {count: 5}}, expect: fail, message: "5 servers, at most four"}
      - {name: open, given: {node: {}}, expect: unknown}
sources:
  sheet: {doc: ACME sheet, read: "2026-12-01"}
evidence:
  "*": {source: sheet, grade: vendor}
"""


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return write(tmp_path / "catalog/cable/acme/kit.yaml", PART)


def test_a_sound_part(tmp_path: Path, part: Path) -> None:
    assert check_catalog(tmp_path / "catalog") == []


@pytest.mark.parametrize(
    ("old", "new", "place", "problem"),
    [
        ("node.count <= 4", "node.cuont <= 4", "9:19", "error RUL014: node has no field cuont (did you mean count?)"),
        ("{count: 5}", "{count: 3}", "14:9", "error RUL020: case five of acme/kit#few: gives pass, not fail"),
        (
            "id: acme/kit",
            "id: acme/kits",
            "2:5",
            "error CAT004: the id is acme/kits, but the file is cable/acme/kit.yaml",
        ),
        ("mpn: [ACME-1]", "replaced_by: acme/nothing", None, "CAT"),
    ],
)
def test_problems_of_a_part(tmp_path: Path, part: Path, old: str, new: str, place: str | None, problem: str) -> None:
    write(part, PART.replace(old, new))
    lines = check_catalog(tmp_path / "catalog")
    assert lines
    if place is not None:
        assert lines[0].startswith(f"{part}:{place}: {problem}")
    assert all(line.startswith(str(part)) for line in lines)


def test_a_constraint_without_cases(tmp_path: Path, part: Path) -> None:
    write(part, PART[: PART.index("    tests:")] + PART[PART.index("sources:") :])
    assert check_catalog(tmp_path / "catalog", with_cases=False) == []
    (line,) = check_catalog(tmp_path / "catalog")
    assert line.startswith(f"{part}:8:5: warning RUL023: the constraint acme/kit#few has no cases")


# --- the same by paths, as `rules check PATH…` takes them


def test_a_part_file_by_its_path(part: Path) -> None:
    done = check_paths([part])
    assert (done.rules, done.cases, done.findings) == (1, 3, [])


def test_a_shipped_rule_by_its_path() -> None:
    done = check_paths([ROOT / "rules/pwr/PWR003-psu-failure-survived.yaml"])
    assert done.rules == 1
    assert done.cases >= 8
    assert done.findings == []


def test_a_folder_of_shipped_rules_and_a_rule_of_ones_own(tmp_path: Path) -> None:
    own = write(tmp_path / "PWR900-x.yaml", OWN + CASES)
    done = check_paths([ROOT / "rules/pwr", own])
    assert done.rules == len(list((ROOT / "rules/pwr").glob("*.yaml"))) + 1


def test_nothing_at_the_path(tmp_path: Path) -> None:
    done = check_paths([tmp_path / "none.yaml", tmp_path])
    assert [item.code for item in done.findings] == ["RUL001", "RUL001"]
    assert done.has_errors
