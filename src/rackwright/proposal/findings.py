"""Findings, checks and open points as documents print them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rackwright.diagnostic import Finding, Severity
from rackwright.proposal.model import FindingView, OpenPoint
from rackwright.proposal.texts import Texts
from rackwright.source import Citation, Grade
from rackwright.verdict import Missing, Outcome, Verdict

SEVERITY_LABELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "advice"}
OUTCOME_LABELS = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.UNKNOWN: "not decided",
    Outcome.NOT_APPLICABLE: "does not apply",
}
GRADE_LABELS = {
    Grade.VENDOR: "read in the maker's text",
    Grade.MEASURED: "read from a device or a running system",
    Grade.TRANSCRIBED: "restated with its origin",
    Grade.SECONDARY: "press or reseller",
    Grade.ASSUMED: "stated in this configuration",
    Grade.UNVERIFIED: "unverified",
}


def check_views(verdicts: Sequence[Verdict], texts: Texts) -> tuple[FindingView, ...]:
    """Every verdict that applies, in the order of the rules."""
    return tuple(view_of_verdict(v, texts) for v in verdicts if v.outcome is not Outcome.NOT_APPLICABLE)


def view_of_verdict(verdict: Verdict, texts: Texts) -> FindingView:
    """A verdict as it is printed; for an unknown the missing figures are named in words."""
    message = texts.message(verdict.message)
    if verdict.outcome is Outcome.UNKNOWN and verdict.missing:
        named = "; ".join(missing_text(item, texts) for item in verdict.missing[:4])
        more = len(verdict.missing) - 4
        message = texts.text("not decided, because these figures are not known: {figures}", figures=named)
        if more > 0:
            message += " " + texts.text("and {number} more", number=str(more))
    return FindingView(
        code=verdict.rule,
        severity=verdict.severity,
        severity_label=texts.text(SEVERITY_LABELS[verdict.severity]),
        outcome=verdict.outcome,
        outcome_label=texts.text(OUTCOME_LABELS[verdict.outcome]),
        subject=verdict.subject,
        title=texts.text(verdict.title),
        message=message,
        fix=texts.message(verdict.fix),
        place=str(verdict.at) if verdict.at else "",
        arithmetic=verdict.arithmetic,
        sources=tuple(cite(item, texts) for item in verdict.sources),
        grade=texts.text(GRADE_LABELS[verdict.grade]) if verdict.grade else "",
        waived=verdict.waived or "",
        line=verdict.at.line if verdict.at else 0,
        column=verdict.at.column if verdict.at else 0,
        file=verdict.at.file if verdict.at else "",
    )


def view_of_finding(item: Finding, texts: Texts) -> FindingView:
    """A finding on a file as it is printed."""
    return FindingView(
        code=item.code,
        severity=item.severity,
        severity_label=texts.text(SEVERITY_LABELS[item.severity]),
        outcome=Outcome.FAIL,
        outcome_label=texts.text(OUTCOME_LABELS[Outcome.FAIL]),
        subject=item.subject,
        title="",
        message=texts.message(item.message),
        fix=texts.message(item.fix),
        place=str(item.at) if item.at else "",
        line=item.at.line if item.at else 0,
        column=item.at.column if item.at else 0,
        file=item.at.file if item.at else "",
    )


def cite(citation: Citation, texts: Texts) -> str:
    """A source as it is printed; dates are left in ISO form, as in a bibliography."""
    text = str(citation)
    return f"{text} ({texts.text('read on {date}', date=citation.read)})" if citation.read else text


def missing_text(item: Missing, texts: Texts) -> str:
    """A missing figure in words: what, of which part, and what is said about it unverified."""
    text = figure_name(item.field, texts)
    if item.owner:
        text += " (" + item.owner + ")"
    if item.candidate:
        text += ", " + texts.text("unverified: {figure}", figure=item.candidate)
    return text


def figure_name(field: str, texts: Texts) -> str:
    """The name of a field in words, where there is one; else the field's own name."""
    from rackwright.proposal.figure_names import FIGURE_NAMES

    plain = "".join(char for char in field if not char.isdigit()).replace("[]", "")
    for name in (plain, plain.rpartition(".")[2]):
        if name in FIGURE_NAMES:
            return texts.text(FIGURE_NAMES[name])
    return field


def open_points(verdicts: Sequence[Verdict], texts: Texts, title_of: Callable[[str], str]) -> tuple[OpenPoint, ...]:
    """The figures to confirm with a maker: each once, with the error-severity rules that wait for it."""
    found: dict[tuple[str, str], tuple[Missing, list[str]]] = {}
    for verdict in verdicts:
        if verdict.outcome is Outcome.UNKNOWN and verdict.severity is Severity.ERROR and verdict.waived is None:
            for item in verdict.missing:
                entry = found.setdefault((item.owner, item.field), (item, []))
                if verdict.rule not in entry[1]:
                    entry[1].append(verdict.rule)
    return tuple(
        OpenPoint(title_of(item.owner), figure_name(item.field, texts), ", ".join(rules), item.candidate or "")
        for item, rules in found.values()
    )


def sources_of(verdicts: Sequence[Verdict], texts: Texts) -> tuple[str, ...]:
    """All documents that the verdicts rest on, each once, in alphabetical order."""
    return tuple(sorted({cite(citation, texts) for verdict in verdicts for citation in verdict.sources}))
