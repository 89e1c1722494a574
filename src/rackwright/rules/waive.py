"""Waivers: findings that somebody accepted, with a reason, a name and an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.source import Location
from rackwright.verdict import Outcome, Status, Verdict


@dataclass(frozen=True, slots=True)
class Accepted:
    """A waiver as the user wrote it. `at` None = every subject; `place` is where it stands."""

    rule: str
    at: str | None
    reason: str
    by: str
    until: str
    place: Location | None = None


def apply_waivers(
    verdicts: Sequence[Verdict], waivers: Sequence[Accepted], today: str | None
) -> tuple[list[Verdict], list[Finding]]:
    """Mark the verdicts that a valid waiver covers. `today` is an ISO date, None = expiry is not checked.

    An expired waiver covers nothing and is an error; one that nothing needed is a warning.
    """
    findings: list[Finding] = []
    valid: list[Accepted] = []
    for waiver in waivers:
        if today is not None and waiver.until < today:
            findings.append(_expired(waiver, today))
        else:
            valid.append(waiver)
    used: set[int] = set()
    marked: list[Verdict] = []
    for verdict in verdicts:
        number = next((n for n, waiver in enumerate(valid) if _covers(waiver, verdict)), None)
        if number is None:
            marked.append(verdict)
            continue
        used.add(number)
        waiver = valid[number]
        marked.append(replace(verdict, waived=f"{waiver.reason} ({waiver.by}, until {waiver.until})"))
    findings += [_unused(waiver) for number, waiver in enumerate(valid) if number not in used]
    return marked, findings


def _covers(waiver: Accepted, verdict: Verdict) -> bool:
    if verdict.outcome not in (Outcome.FAIL, Outcome.UNKNOWN) or waiver.rule != verdict.rule:
        return False
    return waiver.at is None or verdict.subject == waiver.at or verdict.subject.startswith(f"{waiver.at}/")


def _expired(waiver: Accepted, today: str) -> Finding:
    return finding(
        "CFG040",
        "the waiver of {rule} ended on {until}; it is {today}",
        waiver.place,
        fix="renew it with a new date, or remove the cause",
        rule=waiver.rule,
        until=waiver.until,
        today=today,
    )


def _unused(waiver: Accepted) -> Finding:
    return finding(
        "CFG041",
        "the waiver of {rule} covers nothing",
        waiver.place,
        severity=Severity.WARNING,
        fix="remove it: the rule passes, or does not concern this configuration",
        rule=waiver.rule,
    )


def status_of(verdicts: Sequence[Verdict], findings: Sequence[Finding]) -> Status:
    """The verdict on the whole run: invalid, open or valid (DESIGN section 7). Waived verdicts do not count."""
    if any(item.severity is Severity.ERROR for item in findings):
        return Status.INVALID
    errors = [v for v in verdicts if v.severity is Severity.ERROR and v.waived is None]
    if any(verdict.outcome is Outcome.FAIL for verdict in errors):
        return Status.INVALID
    if any(verdict.outcome is Outcome.UNKNOWN for verdict in errors):
        return Status.OPEN
    return Status.VALID
