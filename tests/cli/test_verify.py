"""verify: from the written proposal to the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import SERVER, Call

OVERLAY = """\
kind: gpu
id: nvidia/l40s
weight_kg: 1.4
sources: {letter: {doc: letter of the maker, date: "2026-11-30", read: "2026-12-01"}}
evidence: {"*": {source: letter, grade: vendor}}
"""
SAME = "the same: every verdict with its arithmetic, the bill and its totals"


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    place = tmp_path / "own/gpu/nvidia/l40s.yaml"
    place.parent.mkdir(parents=True)
    place.write_text(OVERLAY)
    return tmp_path / "own"


@pytest.fixture
def written(rackwright: Call, tmp_path: Path, few_rules: Path) -> str:
    (tmp_path / "c.yaml").write_text(SERVER)
    assert rackwright("proposal", "c.yaml", "--rules", few_rules, "--language", "de").code == 0
    (tmp_path / "c.yaml").unlink()  # the proposal is enough
    return "proposal.pdf"


def test_a_proposal_is_the_same_with_what_it_was_made_with(written: str, rackwright: Call, few_rules: Path) -> None:
    result = rackwright("verify", written, "--rules", few_rules)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"proposal of 2026-12-01, made with rackwright 0.1.0: valid\n{SAME}, catalog and rules\n"


def test_other_rules_are_a_difference_that_is_named(written: str, rackwright: Call, few_rules: Path) -> None:
    rule = few_rules.parent / "other/tst/TST001-tst001.yaml"
    rule.parent.mkdir(parents=True, exist_ok=True)
    rule.write_text((few_rules / "tst/TST001-tst001.yaml").read_text())
    result = rackwright("verify", written, "--rules", rule.parents[1])
    assert result.code == 1
    lines = result.out.splitlines()
    assert lines[1:3] == ["! verdicts", "    TST002 n1: gone: error pass"]
    assert lines[3] == "· rules"
    assert lines[-1] == "it differs"


def test_a_catalog_on_top_that_touches_nothing_of_the_verdict_is_named_and_the_same(
    written: str, rackwright: Call, few_rules: Path, overlay: Path
) -> None:
    result = rackwright("verify", written, "--rules", few_rules, "--catalog", overlay)
    assert result.code == 0
    assert "· parts whose figures changed\n    nvidia/l40s: " in result.out
    assert result.out.endswith(f"{SAME}; what they were made with changed\n")


def test_as_json(written: str, rackwright: Call, few_rules: Path) -> None:
    result = rackwright("verify", written, "--rules", few_rules, "-f", "json")
    told = json.loads(result.out)
    assert (result.code, told["result"], told["changes"], told["findings"]) == (0, "same", [], [])
    assert [mark["rule"] for mark in told["certificate"]["verdicts"]] == [
        "TST001",
        "TST002",
        "dell/poweredge-r760xa#one-drive-front",
    ]


@pytest.mark.parametrize(
    ("content", "code"), [(b"nothing", "DOC001"), (b"%PDF-1.7\n%%EOF\n", "DOC003"), (None, "CFG001")]
)
def test_what_cannot_be_verified_is_2(content: bytes | None, code: str, rackwright: Call, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "p.pdf").write_bytes(content)
    text = rackwright("verify", "p.pdf")
    assert (text.code, text.out) == (2, "")
    assert text.err.startswith(f"error {code}\n")
    told = json.loads(rackwright("verify", "p.pdf", "-f", "json").out)
    assert (told["result"], [item["code"] for item in told["findings"]]) == ("not done", [code])
