"""The certificate of a quote: what was found, in a form that can be found again and compared.

It travels inside of the proposal as certificate.json; `rackwright verify` makes it anew from the attached
configuration and compares the two (proposal/comparison.py). It is no signature: it shows what changed, not who wrote
it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.pricing import PricedBom
from rackwright.source import weakest
from rackwright.verdict import Outcome, Verdict

SCHEMA_VERSION = "1.0"
NAME = "certificate.json"
# What a part file says beside its figures: no verdict and no bill rests on it.
_BESIDE = frozenset({"notes", "aliases", "sku"})


Money = Annotated[str, Field(pattern=r"^-?[0-9]{1,15}(\.[0-9]{1,6})?$")]


class Entry(BaseModel):
    """Base of all records of the certificate."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class VerdictMark(Entry):
    """The verdict of one rule on one subject; `sha256` is that of its figures and its arithmetic."""

    rule: str
    subject: str
    severity: Literal["error", "warning", "advice"]
    outcome: Literal["pass", "fail", "unknown", "not_applicable"]
    is_waived: bool
    sha256: str


class LineMark(Entry):
    """A line of the bill; money is a decimal text, null = on request."""

    position: str
    part: str
    count: int
    total: int
    net_unit: Money | None = None
    net_total: Money | None = None


class WaiverMark(Entry):
    """A finding that somebody accepted."""

    rule: str
    at: str | None
    reason: str
    by: str
    until: str


class Certificate(Entry):
    """The whole certificate."""

    schema_version: str = SCHEMA_VERSION
    tool: str = Field(description="rackwright and its version")
    number: str = Field(description="number of the quote, empty if it has none")
    date: str = Field(description="ISO date of the documents, on which waivers and prices were judged")
    policy: str = Field(description="policy that the run used")
    status: Literal["valid", "open", "invalid"]
    configuration_sha256: str
    catalog_digest: str
    rules_digest: str
    arithmetic_sha256: str = Field(description="digest of every verdict with its figures and its arithmetic")
    weakest_grade: str | None = Field(description="the weakest grade among the figures that passes rest on")
    weakest_rules: list[str] = Field(description="the rules whose passes rest on it")
    unknown: list[str] = Field(description="figures that nobody has stated and that a verdict needed")
    waivers: list[WaiverMark]
    parts: dict[str, str] = Field(description="each part of the order with the digest of its figures")
    verdicts: list[VerdictMark]
    bom: list[LineMark]
    currency: str
    net_subtotal: Money | None = Field(description="null if no line has a price")
    total: Money | None = Field(description="with VAT, if there is a rate")
    is_price_complete: bool


@frozen(kw_only=True)
class BillMark:
    """The lines and the totals of a bill."""

    lines: tuple[LineMark, ...]
    currency: str
    net_subtotal: str | None
    total: str | None
    is_price_complete: bool


@frozen(kw_only=True)
class Findings:
    """What a certificate is made of."""

    tool: str
    number: str
    date: str
    policy: str
    status: Literal["valid", "open", "invalid"]
    configuration_sha256: str
    catalog_digest: str
    rules_digest: str
    verdicts: Sequence[Verdict]
    waivers: Sequence[WaiverMark]
    parts: Sequence[Part]
    bill: BillMark


def bill_mark(bill: PricedBom) -> BillMark:
    """Return what the certificate says of a bill with its prices; options and alternatives are no part of it."""
    return BillMark(
        lines=tuple(
            LineMark(
                position=line.line.position,
                part=line.line.part.id,
                count=line.line.count,
                total=line.line.total,
                net_unit=None if line.net_unit is None else format(line.net_unit, "f"),
                net_total=None if line.net_total is None else format(line.net_total, "f"),
            )
            for line in bill.ordered
        ),
        currency=bill.currency,
        net_subtotal=format(bill.subtotal, "f") if bill.has_prices else None,
        total=format(bill.total, "f") if bill.has_prices else None,
        is_price_complete=bill.is_complete,
    )


def certificate_of(found: Findings) -> Certificate:
    """Make the certificate. Same findings, same certificate: everything in it is sorted."""
    marks = [_mark(verdict) for verdict in sorted(found.verdicts, key=lambda v: (v.rule, v.subject))]
    passes = [v for v in found.verdicts if v.outcome is Outcome.PASS and v.grade is not None]
    worst = weakest([v.grade for v in passes if v.grade is not None])
    return Certificate(
        tool=found.tool,
        number=found.number,
        date=found.date,
        policy=found.policy,
        status=found.status,
        configuration_sha256=found.configuration_sha256,
        catalog_digest=found.catalog_digest,
        rules_digest=found.rules_digest,
        arithmetic_sha256=_sha256([[m.rule, m.subject, m.severity, m.outcome, m.is_waived, m.sha256] for m in marks]),
        weakest_grade=worst.value if worst else None,
        weakest_rules=sorted({v.rule for v in passes if v.grade is worst}),
        unknown=_unknown(found.verdicts),
        waivers=list(found.waivers),
        parts={part.id: digest_of(part) for part in sorted(found.parts, key=lambda part: part.id)},
        verdicts=marks,
        bom=list(found.bill.lines),
        currency=found.bill.currency,
        net_subtotal=found.bill.net_subtotal,
        total=found.bill.total,
        is_price_complete=found.bill.is_price_complete,
    )


def _mark(verdict: Verdict) -> VerdictMark:
    figures = verdict.message.figures if verdict.message is not None else {}
    content = [
        verdict.clause,
        sorted((name, repr(figure.value), figure.unit.symbol) for name, figure in figures.items()),
        list(verdict.arithmetic),
        sorted(f"{item.owner}:{item.field}" for item in verdict.missing),
    ]
    return VerdictMark(
        rule=verdict.rule,
        subject=verdict.subject,
        severity=verdict.severity.value,
        outcome=verdict.outcome.value,
        is_waived=verdict.waived is not None,
        sha256=_sha256(content)[:16],
    )


def _unknown(verdicts: Iterable[Verdict]) -> list[str]:
    """The figures that undecided verdicts wait for, each once."""
    missing = {
        f"{item.field} of {item.owner}" if item.owner else item.field
        for verdict in verdicts
        if verdict.outcome is Outcome.UNKNOWN
        for item in verdict.missing
    }
    return sorted(missing)


def outcomes_of(certificate: Certificate) -> Mapping[str, int]:
    """How many verdicts of each outcome there are; waived failures count as `waived`."""
    return Counter("waived" if mark.is_waived else mark.outcome for mark in certificate.verdicts)


def digest_of(part: Part) -> str:
    """Name what verdicts and bills can take from a part: its figures with their grades, and its constraints."""
    figures = {key: value for key, value in part.data.items() if key not in _BESIDE}
    grades = {name: entry["grade"] for name, entry in part.evidence.items()}
    return _sha256([figures, grades, list(part.constraints)])[:16]


def _sha256(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=_plain, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Frozen mappings and sequences as the plain ones that json knows."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    return repr(value)


def read_certificate(text: str) -> Certificate | None:
    """Read a certificate that a document carries; None if it is none."""
    try:
        return Certificate.model_validate_json(text)
    except ValueError:
        return None


def write_certificate(certificate: Certificate) -> bytes:
    """Return the certificate as it travels."""
    return (certificate.model_dump_json(indent=1) + "\n").encode()
