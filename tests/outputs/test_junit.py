"""JUnit XML as CI servers read it."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from rackwright.outputs.junit import write_junit

from .report_sample import HOSTILE, finding, report

ROOT = Xml.fromstring(write_junit(report()))


def suite(name: str) -> Xml.Element:
    (found,) = [item for item in ROOT if item.get("name") == name]
    return found


def test_one_suite_a_node_and_one_for_files() -> None:
    assert [item.get("name") for item in ROOT] == ["infer", "train", "idle", "configuration", "R1"]


def test_totals() -> None:
    assert {name: ROOT.get(name) for name in ("tests", "failures", "skipped", "errors")} == {
        "tests": "8", "failures": "2", "skipped": "2", "errors": "0",
    }  # fmt: skip
    assert [(item.get("tests"), item.get("failures"), item.get("skipped")) for item in ROOT] == [
        ("4", "1", "1"), ("2", "0", "1"), ("0", "0", "0"), ("1", "1", "0"), ("1", "0", "0"),
    ]  # fmt: skip


def test_a_case_a_rule_and_subject_and_what_does_not_apply_left_out() -> None:
    assert [(case.get("classname"), case.get("name"), [child.tag for child in case]) for case in suite("infer")] == [
        ("infer.PWR001", "PWR001 infer", []),
        ("infer.PWR003", "PWR003 infer/board: title of PWR003", ["failure"]),
        ("infer.AIR001", "AIR001 infer: title of AIR001", ["skipped"]),
        ("infer.AIR006", "AIR006 infer: title of AIR006", ["system-out"]),
    ]


def test_a_failure_has_place_fix_and_arithmetic() -> None:
    failure = suite("infer")[1][0]
    assert (failure.get("type"), failure.get("message")) == ("error", "peak draw 4 801 W exceeds 4 800 W")
    assert failure.text == (
        "peak draw 4 801 W exceeds 4 800 W\nquotes/offer 1.yaml:14:9\nfix: fit larger supplies\n"
        "a <= b: 4 801 W <= 4 800 W is false"
    )


def test_what_is_waived_is_skipped_with_the_reason() -> None:
    assert suite("train")[0][0].get("message") == "waived: known (J. Doe, until 2026-12-31)"


def test_hostile_texts_stay_texts() -> None:
    root = Xml.fromstring(write_junit(report(finding("X", "", HOSTILE.replace("\ud800", "")))))
    (failure,) = [item for item in root.iter("failure") if (item.get("message") or "").startswith("a <b>")]
    assert "\x1b" not in (failure.get("message") or "")


def test_the_same_report_gives_the_same_bytes() -> None:
    assert write_junit(report()) == write_junit(report())
