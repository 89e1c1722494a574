"""The certificate as a page of the proposal."""

from __future__ import annotations

from rackwright.proposal.certificate import Certificate, outcomes_of
from rackwright.proposal.findings import GRADE_LABELS
from rackwright.proposal.model import CertificateView, Labelled, Proposal
from rackwright.proposal.texts import Texts
from rackwright.source import Grade

# How many figures that nobody stated are named on the page; all are in the attached certificate.
_FIGURES_MAX = 20


def certificate_view(certificate: Certificate, proposal: Proposal, texts: Texts) -> CertificateView:
    """Lay out a certificate in the language of `texts`."""
    counted = outcomes_of(certificate)
    return CertificateView(
        found=(
            Labelled(texts.text("verdict"), proposal.status_label, proposal.status_sentence),
            Labelled(
                texts.text("checks"),
                texts.text(
                    "{passed} passed, {failed} failed, {waived} waived, {unknown} not decided, {rest} do not apply",
                    passed=str(counted.get("pass", 0)),
                    failed=str(counted.get("fail", 0)),
                    waived=str(counted.get("waived", 0)),
                    unknown=str(counted.get("unknown", 0)),
                    rest=str(counted.get("not_applicable", 0)),
                ),
            ),
            Labelled(texts.text("weakest evidence"), _weakest(certificate, texts)),
            Labelled(
                texts.text("judged with"),
                texts.text(
                    "{tool}, policy {policy}, {date}",
                    tool=certificate.tool,
                    policy=certificate.policy,
                    date=texts.formats.date(certificate.date),
                ),
            ),
        ),
        digests=(
            Labelled(texts.text("arithmetic: every verdict with its figures"), certificate.arithmetic_sha256),
            Labelled(texts.text("configuration"), certificate.configuration_sha256),
            Labelled(texts.text("catalog"), certificate.catalog_digest),
            Labelled(texts.text("rules"), certificate.rules_digest),
        ),
        unknown=_unknown(certificate, proposal, texts),
        waivers=tuple(
            texts.text(
                "{rule} at {at}: {reason} ({by}, until {until})",
                rule=w.rule,
                at=w.at or texts.text("everywhere"),
                reason=w.reason,
                by=w.by,
                until=texts.formats.date(w.until),
            )
            for w in certificate.waivers
        ),
    )


def _weakest(certificate: Certificate, texts: Texts) -> str:
    if certificate.weakest_grade is None:
        return texts.text("no check rests on a figure of the catalog")
    grade = texts.text(GRADE_LABELS[Grade(certificate.weakest_grade)])
    rules = certificate.weakest_rules
    listed = ", ".join(rules[:8]) + (" …" if len(rules) > 8 else "")
    return texts.text("{grade} (checks that rest on it: {rules})", grade=grade, rules=listed)


def _unknown(certificate: Certificate, proposal: Proposal, texts: Texts) -> tuple[str, ...]:
    """First what the order waits for, in words; then how many figures are not known in all."""
    if not certificate.unknown:
        return ()
    named = [f"{point.figure} ({point.part})" for point in proposal.open_points][:_FIGURES_MAX]
    number = str(len(certificate.unknown))
    return (*named, texts.text("{number} figures in all; the attached certificate lists them", number=number))
