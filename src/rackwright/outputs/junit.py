"""The verdicts as JUnit XML, which every CI server shows: one suite a node, one case a rule and subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from rackwright.proposal.report import FindingEntry, Report

# Characters that XML 1.0 cannot hold.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Case:
    """A case of a suite: a verdict, or a finding on a file; `found` is what there is to say."""

    name: str
    suite: str
    outcome: str
    severity: str
    waived: str | None
    found: FindingEntry | None


def write_junit(report: Report) -> str:
    """Return the verdicts as JUnit XML, without times, so that the same report gives the same bytes.

    Shapes: one suite for each node, rack and the order, `configuration` for findings on files; verdicts that do not
    apply are left out. A failed rule of severity error is a failure, of a lesser one a passed case with its message as
    output; unknown and waived are skipped.
    """
    cases = _cases(report)
    suites = dict.fromkeys([*(node.id for node in report.nodes), *(case.suite for case in cases)])
    root = Xml.Element("testsuites", {"name": "rackwright", **_totals(cases)})
    for name in suites:
        own = [case for case in cases if case.suite == name]
        suite = Xml.SubElement(root, "testsuite", {"name": _text(name), **_totals(own)})
        for case in own:
            _write_case(suite, case)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _cases(report: Report) -> list[_Case]:
    """Findings on files first, then every verdict that applies."""
    found = {(item.code, item.subject): item for item in report.findings}
    judged = {(verdict.rule, verdict.subject) for verdict in report.verdicts}
    cases = [
        _Case(_name(item.code, item.subject, item.message), "configuration", "fail", item.severity, item.waived, item)
        for item in report.findings
        if (item.code, item.subject) not in judged
    ]
    for verdict in report.verdicts:
        if verdict.outcome != "not_applicable":
            item = found.get((verdict.rule, verdict.subject))
            name = _name(verdict.rule, verdict.subject, item.title if item else "")
            suite = verdict.subject.partition("/")[0] or "order"
            cases.append(_Case(name, suite, verdict.outcome, verdict.severity, verdict.waived, item))
    return cases


def _name(rule: str, subject: str, title: str) -> str:
    return " ".join(part for part in (rule, subject) if part) + (f": {title}" if title else "")


def _write_case(suite: Xml.Element, case: _Case) -> None:
    code = case.name.partition(" ")[0]
    element = Xml.SubElement(suite, "testcase", {"classname": _text(f"{case.suite}.{code}"), "name": _text(case.name)})
    if case.found is None:
        return
    message = _text(case.found.message)
    if _is_skipped(case):
        Xml.SubElement(element, "skipped", {"message": _text(f"waived: {case.waived}") if case.waived else message})
    elif _is_failure(case):
        failure = Xml.SubElement(element, "failure", {"message": message, "type": case.severity})
        failure.text = _text(_detail(case.found))
    else:
        Xml.SubElement(element, "system-out").text = _text(f"{case.severity}: {_detail(case.found)}")


def _detail(item: FindingEntry) -> str:
    place = f"{item.at.file}:{item.at.line}:{item.at.column}" if item.at else ""
    fix = f"fix: {item.fix}" if item.fix else ""
    return "\n".join(line for line in (item.message, place, fix, *item.arithmetic) if line)


def _is_skipped(case: _Case) -> bool:
    return case.outcome == "unknown" or (case.outcome == "fail" and case.waived is not None)


def _is_failure(case: _Case) -> bool:
    return case.outcome == "fail" and case.severity == "error" and not _is_skipped(case)


def _totals(cases: Sequence[_Case]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(_is_failure(case) for case in cases)),
        "errors": "0",
        "skipped": str(sum(_is_skipped(case) for case in cases)),
    }


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
