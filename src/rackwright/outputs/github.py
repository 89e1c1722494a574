"""The findings as workflow commands of GitHub Actions: each becomes an annotation at its line."""

from __future__ import annotations

from rackwright.diagnostic import harmless
from rackwright.proposal.report import FindingEntry, Report

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}
_ONE_LESS = {"error": "warning", "warning": "notice", "advice": "notice"}


def write_github(report: Report) -> str:
    """Return one line a finding, `::error file=…,line=…,col=…,title=…::message`, and a last one with the verdict.

    What could not be decided is announced one level lower than a failure; what is waived is a notice.
    """
    lines = [_line(item, report) for item in report.findings]
    lines.append(f"rackwright: {_data(report.configuration)} is {report.status}, {len(report.findings)} findings")
    return "\n".join(lines) + "\n"


def _line(item: FindingEntry, report: Report) -> str:
    command = (_ONE_LESS if item.outcome == "unknown" else _COMMANDS)[item.severity]
    if item.waived:
        command = "notice"
    properties = {
        "file": item.at.file if item.at else report.configuration,
        "line": str(item.at.line) if item.at else "1",
        "col": str(item.at.column) if item.at else "1",
        "title": f"{item.code} {item.title}".strip(),
    }
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {named}::{_data(_message(item))}"


def _message(item: FindingEntry) -> str:
    text = f"{item.subject}: {item.message}" if item.subject else item.message
    if item.fix:
        text += f"\nfix: {item.fix}"
    if item.waived:
        text += f"\nwaived: {item.waived}"
    return text


def _data(text: str) -> str:
    """Escape the text of a command: what would end the line, the escape sign itself, and what a terminal obeys."""
    lines = (harmless(line) for line in text.replace("\r\n", "\n").split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    """Escape a property, which also ends at a colon or a comma."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
