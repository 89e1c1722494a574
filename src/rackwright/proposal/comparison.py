"""What changed between the certificate of a document and one that was made again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rackwright.frozen import frozen
from rackwright.proposal.certificate import Certificate, LineMark, VerdictMark


@frozen(slots=True)
class Change:
    """One difference. `before` and `after` are None where there was, or is, nothing. `what` is one of AREAS."""

    what: str
    where: str
    before: str | None
    after: str | None


# In the order in which they are told. The first group is what the customer relies on; the second explains it, and may
# change without any change in the first: the document then still says the truth.
DECIDING = ("configuration", "status", "verdict", "figures", "line", "total", "unknown", "waiver")
EXPLAINING = ("tool", "catalog", "rules", "part", "policy")
AREAS = (*DECIDING, *EXPLAINING)


def differences(before: Certificate, after: Certificate) -> tuple[Change, ...]:
    """Return all changes, in the order of AREAS."""
    changes = [
        *_field("configuration", "sha256", before.configuration_sha256, after.configuration_sha256),
        *_field("status", "", before.status, after.status),
        *_verdicts(before.verdicts, after.verdicts),
        *_lines(before.bom, after.bom),
        *_field("total", "net", before.net_subtotal, after.net_subtotal),
        *(_field("total", "gross", before.total, after.total) if after.total is not None else ()),
        *_members("unknown", before.unknown, after.unknown),
        *_members("waiver", _waivers(before), _waivers(after)),
        *_field("tool", "", before.tool, after.tool),
        *_field("catalog", "digest", before.catalog_digest, after.catalog_digest),
        *_field("rules", "digest", before.rules_digest, after.rules_digest),
        *_records("part", before.parts, after.parts, str),
        *_field("policy", "", before.policy, after.policy),
    ]
    return tuple(sorted(changes, key=lambda change: AREAS.index(change.what)))


def is_same(changes: Iterable[Change]) -> bool:
    """Whether the verdict and the bill are the same, whatever they were made with."""
    return not any(change.what in DECIDING for change in changes)


def _field(what: str, where: str, before: str | None, after: str | None) -> list[Change]:
    return [] if before == after else [Change(what, where, before, after)]


def _members(what: str, before: Sequence[str], after: Sequence[str]) -> list[Change]:
    gone = [Change(what, item, item, None) for item in before if item not in set(after)]
    return gone + [Change(what, item, None, item) for item in after if item not in set(before)]


def _waivers(certificate: Certificate) -> list[str]:
    return [f"{w.rule} {w.at or ''}".strip() + f" until {w.until} by {w.by}: {w.reason}" for w in certificate.waivers]


def _records(what: str, before: Mapping[Any, Any], after: Mapping[Any, Any], shown: Any) -> list[Change]:
    changes = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old != new:
            changes.append(
                Change(
                    what,
                    key if isinstance(key, str) else " ".join(key).strip(),
                    None if old is None else shown(old),
                    None if new is None else shown(new),
                )
            )
    return changes


def _verdicts(before: Sequence[VerdictMark], after: Sequence[VerdictMark]) -> list[Change]:
    """Verdicts that came out otherwise; then those that are the same and rest on other figures."""

    def outcome(mark: VerdictMark) -> str:
        return f"{mark.severity} {mark.outcome}" + (" (waived)" if mark.is_waived else "")

    old = {(mark.rule, mark.subject): mark for mark in before}
    new = {(mark.rule, mark.subject): mark for mark in after}
    changed = _records("verdict", _told(old, outcome), _told(new, outcome), str)
    both = [key for key in sorted({*old} & {*new}) if outcome(old[key]) == outcome(new[key])]
    figures = [
        Change("figures", " ".join(key), old[key].sha256, new[key].sha256)
        for key in both
        if old[key].sha256 != new[key].sha256
    ]
    return changed + figures


def _told(marks: Mapping[tuple[str, str], VerdictMark], outcome: Any) -> dict[tuple[str, str], str]:
    """What does not apply is the same as what is not there: a new rule that does not apply changes nothing."""
    return {key: outcome(mark) for key, mark in marks.items() if mark.outcome != "not_applicable"}


def _lines(before: Sequence[LineMark], after: Sequence[LineMark]) -> list[Change]:
    """Lines by group and part: a line that only moved to another position is none of the changes."""

    def keyed(lines: Sequence[LineMark]) -> dict[tuple[str, str], LineMark]:
        found: dict[tuple[str, str], LineMark] = {}
        for line in lines:
            group, key = line.position.partition(".")[0], 0
            while (group, f"{line.part}{f' ({key})' if key else ''}") in found:
                key += 1
            found[group, f"{line.part}{f' ({key})' if key else ''}"] = line
        return found

    def shown(line: LineMark) -> str:
        return f"{line.count} each, {line.total} in all at {line.net_unit or 'on request'}"

    old = {key: shown(line) for key, line in keyed(before).items()}
    new = {key: shown(line) for key, line in keyed(after).items()}
    return _records("line", old, new, str)
