"""Waivers: findings that somebody accepted, with a reason, a name and an end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.frozen import frozen
from rackwright.source import Location
from rackwright.verdict import Outcome, Status, Verdict


@frozen(slots=True)
class Accepted:
    """A waiver as the user wrote it. `at` None = every subject; `place` is where it stands."""

    rule: str
    at: str | None
    reason: str
    by: str
    until: str
    place: Location | None = None


def apply_waivers(
    verdicts: Sequence[Verdict], waivers: Sequence[Accepted], today: str | None, ids: Mapping[str, str]
) -> tuple[list[Verdict], list[Finding]]:
    """Mark the verdicts that a valid waiver covers. `today` is an ISO date, None = expiry is not checked.

    `ids` has the id of each rule by its id and its aliases. An expired waiver covers nothing and is an error, and so
    is one of a rule that does not exist; one that nothing needed is a warning, as is one of a constraint (`part#id`)
    whose part is not in the order.
    """
    findings: list[Finding] = []
    valid: list[Accepted] = []
    for written in waivers:
        waiver = replace(written, rule=ids.get(written.rule, written.rule))
        if waiver.rule not in ids and "#" not in waiver.rule:
            findings.append(_unknown(waiver, ids))
        elif today is not None and waiver.until < today:
            findings.append(_expired(waiver, today))
        else:
            valid.append(waiver)
    if not valid:
        return list(verdicts), findings
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


def _unknown(waiver: Accepted, ids: Mapping[str, str]) -> Finding:
    import difflib

    near = difflib.get_close_matches(waiver.rule, list(ids), 3, 0.6)
    return finding(
        "CFG042",
        "there is no rule {rule} to be waived",
        waiver.place,
        fix="did you mean {near}?" if near else "`rackwright rules list` shows all rules",
        rule=waiver.rule,
        near=", ".join(near),
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
    status = Status.VALID
    for verdict in verdicts:
        if verdict.outcome in _SETTLED or verdict.severity is not Severity.ERROR or verdict.waived is not None:
            continue
        if verdict.outcome is Outcome.FAIL:
            return Status.INVALID
        status = Status.OPEN
    return status


_SETTLED = (Outcome.PASS, Outcome.NOT_APPLICABLE)
