"""Waivers: what they cover, what they leave, and when they are findings themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.diagnostic import Finding, Severity
from rackwright.rules.waive import Accepted, apply_waivers, status_of
from rackwright.source import Location
from rackwright.verdict import Outcome, Status, Verdict

FAIL = Verdict("PWR003", "title", Severity.ERROR, "infer/board", Outcome.FAIL)
UNKNOWN = replace(FAIL, rule="AIR001", subject="infer", outcome=Outcome.UNKNOWN)
PASS = replace(FAIL, rule="PWR001", outcome=Outcome.PASS)
WAIVER = Accepted("PWR003", None, "the customer knows", "J. Doe", "2026-12-31", Location("configuration.yaml", 40, 5))
TODAY = "2026-12-01"
IDS = {"PWR001": "PWR001", "PWR003": "PWR003", "PWR903": "PWR003", "AIR001": "AIR001"}


def waived(waiver: Accepted, *verdicts: Verdict, today: str | None = TODAY) -> tuple[list[str | None], list[Finding]]:
    marked, findings = apply_waivers(verdicts, [waiver], today, IDS)
    return [verdict.waived for verdict in marked], findings


def test_a_waiver_marks_its_verdict_and_leaves_the_others() -> None:
    assert waived(WAIVER, PASS, FAIL, UNKNOWN) == ([None, "the customer knows (J. Doe, until 2026-12-31)", None], [])


@pytest.mark.parametrize(
    ("at", "covers"),
    [(None, True), ("infer/board", True), ("infer", True), ("inf", False), ("train", False), ("infer/board/x", False)],
)
def test_the_subject_or_what_is_above_it(at: str | None, covers: bool) -> None:
    (text,), findings = waived(replace(WAIVER, at=at), FAIL)
    assert (text is not None) is covers
    assert len(findings) == (0 if covers else 1)


def test_an_unknown_can_be_waived_and_a_pass_cannot() -> None:
    assert waived(replace(WAIVER, rule="AIR001"), UNKNOWN)[0] == ["the customer knows (J. Doe, until 2026-12-31)"]
    assert waived(replace(WAIVER, rule="PWR001"), PASS)[0] == [None]


def test_an_unused_waiver_is_a_warning_at_its_place() -> None:
    _, (finding,) = waived(WAIVER, PASS)
    assert (finding.code, finding.severity.value, str(finding.at)) == ("CFG041", "warning", "configuration.yaml:40:5")
    assert str(finding.message) == "the waiver of PWR003 covers nothing"


@pytest.mark.parametrize(("today", "covers"), [("2026-12-31", True), ("2027-01-01", False), (None, True)])
def test_the_last_day_counts(today: str | None, covers: bool) -> None:
    (text,), findings = waived(WAIVER, FAIL, today=today)
    assert (text is not None) is covers
    assert [item.code for item in findings] == ([] if covers else ["CFG040"])


def test_an_expired_waiver_is_an_error() -> None:
    _, (finding,) = waived(WAIVER, FAIL, today="2027-01-01")
    assert finding.severity is Severity.ERROR
    assert str(finding.message) == "the waiver of PWR003 ended on 2026-12-31; it is 2027-01-01"


ERROR = Finding("CFG020", Severity.ERROR, FAIL.message)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "findings", "status"),
    [
        ([PASS], [], Status.VALID),
        ([PASS, UNKNOWN], [], Status.OPEN),
        ([PASS, UNKNOWN, FAIL], [], Status.INVALID),
        ([PASS, replace(FAIL, waived="x")], [], Status.VALID),
        ([PASS, replace(UNKNOWN, waived="x")], [], Status.VALID),
        ([replace(FAIL, severity=Severity.WARNING), replace(UNKNOWN, severity=Severity.ADVICE)], [], Status.VALID),
        ([PASS], [ERROR], Status.INVALID),
        ([PASS], [replace(ERROR, severity=Severity.WARNING)], Status.VALID),
        ([], [], Status.VALID),
    ],
)
def test_status_of_a_run(verdicts: list[Verdict], findings: list[Finding], status: Status) -> None:
    assert status_of(verdicts, findings) is status


def test_an_alias_of_the_rule_will_do() -> None:
    assert waived(replace(WAIVER, rule="PWR903"), FAIL) == (["the customer knows (J. Doe, until 2026-12-31)"], [])


def test_a_rule_that_does_not_exist_cannot_be_waived() -> None:
    _, (finding,) = waived(replace(WAIVER, rule="PWR300"), FAIL)
    assert (finding.code, finding.severity.value) == ("CFG042", "error")
    assert str(finding.message) == "there is no rule PWR300 to be waived"
    assert str(finding.fix).startswith("did you mean PWR")


def test_a_constraint_whose_part_is_not_here_is_only_unused() -> None:
    _, (finding,) = waived(replace(WAIVER, rule="x/box#cable-kit"), FAIL)
    assert finding.code == "CFG041"
