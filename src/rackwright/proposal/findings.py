"""Findings, checks and open points as documents print them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

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


_NUMBER_IN_LIST = re.compile(r"\[\d+\]")
_INDEX = re.compile(r"\[\d+\]|(?<=\.)\d+\.")


def check_views(verdicts: Sequence[Verdict], texts: Texts) -> tuple[FindingView, ...]:
    """Every verdict that applies, in the order of the rules."""
    return tuple(view_of_verdict(v, texts) for v in verdicts if v.outcome is not Outcome.NOT_APPLICABLE)


def view_of_verdict(verdict: Verdict, texts: Texts) -> FindingView:
    """A verdict as it is printed; for an unknown the missing figures are named in words."""
    message = texts.message(verdict.message)
    if verdict.outcome is Outcome.UNKNOWN and verdict.missing:
        figures = missing_figures(verdict.missing, texts)
        named = "; ".join(
            _with_candidate(f"{text} ({owner})" if owner else text, candidate, texts)
            for owner, text, candidate in figures[:4]
        )
        message = texts.text("not decided, because this is not known: {figures}", figures=named)
        if len(figures) > 4:
            message += " " + texts.text("and {number} more", number=str(len(figures) - 4))
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
        sources=tuple(cite(item, texts) for item in (*verdict.sources, *verdict.basis)),
        grade=texts.text(GRADE_LABELS[verdict.grade]) if verdict.grade else "",
        waived=texts.phrase(verdict.waived or "", "{reason} ({by}, until {until})"),
        line=verdict.at.line if verdict.at else 0,
        column=verdict.at.column if verdict.at else 0,
        file=verdict.at.file if verdict.at else "",
    )


def grouped(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Join verdicts that say the same of several subjects of a node: four equal cards give one finding, not four.

    Failures are joined if they carry the same words and numbers, unknowns if the same rule misses figures.
    """
    found: dict[tuple[object, ...], list[Verdict]] = {}
    for verdict in verdicts:
        said = str(verdict.message) if verdict.outcome is Outcome.FAIL else ""
        owner = verdict.subject.partition("/")[0]
        key = (verdict.rule, verdict.outcome, verdict.severity, verdict.waived, owner, said, str(verdict.fix))
        found.setdefault(key, []).append(verdict)
    return [_joined(group) for group in found.values()]


def _joined(group: list[Verdict]) -> Verdict:
    first = group[0]
    if len(group) == 1:
        return first
    head, _, tail = first.subject.partition("/")
    tails = [verdict.subject.partition("/")[2] for verdict in group]
    subject = f"{head}/{', '.join(tails)}" if tail else head
    missing = {(item.owner, item.field): item for verdict in group for item in verdict.missing}
    details = replace(first.details, missing=tuple(missing.values()))
    return replace(first, subject=subject, explain=lambda: details)


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
        related=tuple(str(place) for place, _ in item.related),
    )


def cite(citation: Citation, texts: Texts) -> str:
    """A source as it is printed; dates are left in ISO form, as in a bibliography."""
    text = str(citation)
    return f"{text} ({texts.text('read on {date}', date=citation.read)})" if citation.read else text


def missing_figures(missing: Sequence[Missing], texts: Texts) -> list[tuple[str, str, str]]:
    """Missing figures in words, each once: (owner, figure, unverified candidate). Slots of one figure are listed."""
    found: dict[tuple[str, str], tuple[list[str], str]] = {}
    for item in missing:
        figure, slot = _figure_and_slot(item.field, texts)
        slots, candidate = found.setdefault((item.owner, figure), ([], texts.words(item.candidate or "")))
        if slot and slot not in slots:
            slots.append(slot)
    rows = []
    for (owner, figure), (slots, candidate) in found.items():
        text = texts.text("{figure} of slot {slots}", figure=figure, slots=", ".join(slots)) if slots else figure
        rows.append((owner, text, candidate))
    return rows


def _with_candidate(text: str, candidate: str, texts: Texts) -> str:
    return text + ", " + texts.text("unverified: {figure}", figure=candidate) if candidate else text


def _figure_and_slot(field: str, texts: Texts) -> tuple[str, str]:
    """The name of a field in words, where there is one, and the slot that it belongs to."""
    from rackwright.proposal.figure_names import FIGURE_NAMES

    slot = ""
    if field.startswith("slots."):
        slot, _, rest = field.removeprefix("slots.").rpartition(".")
        field = rest if slot else field
    plain = _INDEX.sub("", field)
    indexed = _NUMBER_IN_LIST.sub("[]", field)
    for name in (indexed, plain, ".".join(plain.split(".")[-2:]), plain.rpartition(".")[2]):
        if name in FIGURE_NAMES:
            return texts.text(FIGURE_NAMES[name]), slot
    return field, slot


def open_points(verdicts: Sequence[Verdict], texts: Texts, title_of: Callable[[str], str]) -> tuple[OpenPoint, ...]:
    """The figures to confirm with a maker: each once, with the error-severity rules that wait for it."""
    waiting: dict[tuple[str, str], list[str]] = {}
    items: dict[tuple[str, str], list[Missing]] = {}
    for verdict in verdicts:
        if verdict.outcome is Outcome.UNKNOWN and verdict.severity is Severity.ERROR and verdict.waived is None:
            for item in verdict.missing:
                key = (item.owner, _figure_and_slot(item.field, texts)[0])
                items.setdefault(key, []).append(item)
                rules = waiting.setdefault(key, [])
                if verdict.rule not in rules:
                    rules.append(verdict.rule)
    points = []
    for key, missing in items.items():
        for owner, figure, candidate in missing_figures(missing, texts):
            points.append(OpenPoint(title_of(owner), figure, ", ".join(waiting[key]), candidate))
    return tuple(points)


def sources_of(verdicts: Sequence[Verdict], texts: Texts) -> dict[str, str]:
    """The documents behind all figures, and behind the rules that found something, with their web address.

    Each once, in alphabetical order; the address is empty where none is known.
    """
    cited: dict[str, str] = {}
    for verdict in verdicts:
        found = verdict.outcome in (Outcome.FAIL, Outcome.UNKNOWN)
        for citation in (*verdict.sources, *(verdict.basis if found else ())):
            cited.setdefault(cite(citation, texts), citation.url or "")
    return dict(sorted(cited.items()))
