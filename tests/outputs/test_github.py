"""Annotations of GitHub Actions."""

from __future__ import annotations

import pytest

from rackwright.outputs.github import write_github

from .report_sample import FINDINGS, finding, report

LINES = write_github(report()).splitlines()


def test_a_failure_with_place_title_and_fix() -> None:
    assert LINES[0] == (
        "::error file=quotes/offer 1.yaml,line=14,col=9,title=PWR003 title of PWR003::"
        "infer/board: peak draw 4 801 W exceeds 4 800 W%0Afix: fit larger supplies"
    )


def test_commands() -> None:
    assert [line.split()[0] for line in LINES] == [
        "::error", "::warning", "::warning", "::notice", "::notice", "::error", "rackwright:",
    ]  # fmt: skip


def test_without_a_place_the_configuration_is_meant() -> None:
    assert LINES[5] == ("::error file=quotes/offer 1.yaml,line=1,col=1,title=CFG030::there is no policy parameter 'x'")


def test_a_waived_finding_says_so() -> None:
    assert LINES[4].endswith("%0Awaived: known (J. Doe, until 2026-12-31)")


def test_the_last_line_is_the_verdict() -> None:
    assert LINES[-1] == f"rackwright: quotes/offer 1.yaml is invalid, {len(FINDINGS)} findings"


@pytest.mark.parametrize("text", ["a\n::error::b", "a\r\n::set-output name=x::y", "100 %0A"])
def test_a_text_cannot_become_a_command(text: str) -> None:
    lines = write_github(report(finding("X", text, text, title=text, fix=text))).splitlines()
    assert len(lines) == len(FINDINGS) + 2
    assert [line.partition(" ")[0] for line in lines[-2:]] == ["::error", "rackwright:"]


def test_colons_and_commas_of_properties() -> None:
    (line,) = [
        line for line in write_github(report(finding("X", "", "m", title="1:2, 3"))).splitlines() if "title=X" in line
    ]
    assert "title=X 1%3A2%2C 3::m" in line
