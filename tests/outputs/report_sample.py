"""A small report with one of everything: failure, warning, unknown, advice, waived, a finding on a file."""

from __future__ import annotations

from rackwright.proposal.report import FindingEntry, NodeEntry, Place, Report, RuleEntry, VerdictEntry

HOSTILE = 'a <b> & "c" 100 %, 1:2\r\n::error::owned\x1b[31m\ud800'


def finding(code: str, subject: str, message: str, **more: object) -> FindingEntry:
    known = {"severity": "error", "outcome": "fail", "title": f"title of {code}", "at": PLACE} | more
    return FindingEntry.model_validate({"code": code, "subject": subject, "message": message, **known})


PLACE = Place(file="quotes/offer 1.yaml", line=14, column=9)
FINDINGS = [
    finding("PWR003", "infer/board", "peak draw 4 801 W exceeds 4 800 W", fix="fit larger supplies", grade="vendor",
            arithmetic=["a <= b: 4 801 W <= 4 800 W is false"], sources=["a guide, p. 1"]),
    finding("AIR001", "infer", "not decided: inlet.max_c not known", outcome="unknown",
            missing=["inlet.max_c of x/box"]),
    finding("AIR006", "infer", "27 °C is warm", severity="warning"),
    finding("PWR017", "train/board", "little room", severity="advice", fix="take more"),
    finding("PWR003", "train/board", "peak draw 5 000 W exceeds 4 800 W", waived="known (J. Doe, until 2026-12-31)"),
    finding("CFG030", "", "there is no policy parameter 'x'", title="", at=None),
]  # fmt: skip


def verdict(rule: str, subject: str, outcome: str, severity: str = "error", waived: str | None = None) -> VerdictEntry:
    return VerdictEntry.model_validate(
        {"rule": rule, "subject": subject, "outcome": outcome, "severity": severity, "waived": waived}
    )


VERDICTS = [
    verdict("PWR001", "infer", "pass"),
    verdict("PWR003", "infer/board", "fail"),
    verdict("AIR001", "infer", "unknown"),
    verdict("AIR006", "infer", "fail", "warning"),
    verdict("NVL001", "infer", "not_applicable"),
    verdict("PWR003", "train/board", "fail", waived="known (J. Doe, until 2026-12-31)"),
    verdict("PWR017", "train/board", "fail", "advice"),
    verdict("RCK001", "R1", "pass"),
]
RULE = RuleEntry(
    id="PWR003",
    name="psu-failure-survived",
    title="The supplies keep the peak load",
    family="PWR",
    severity="error",
    rationale="Supplies that cannot are not redundant.",
    fix="Fit larger ones.",
    sources=["a guide, p. 1"],
)


def report(*extra: FindingEntry) -> Report:
    return Report(
        tool="rackwright 1.2.3",
        configuration="quotes/offer 1.yaml",
        configuration_sha256="0" * 64,
        catalog_digest="c",
        rules_digest="r",
        status="invalid",
        findings=[*FINDINGS, *extra],
        verdicts=VERDICTS,
        nodes=[NodeEntry(id=name, count=1, chassis="x/box", mode="", cards=[]) for name in ("infer", "train", "idle")],
        racks=[],
        bom=[],
        currency="EUR",
        is_price_complete=False,
        rules=[RULE],
    )
