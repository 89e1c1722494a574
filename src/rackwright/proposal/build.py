"""Builds the view model of all documents from what a run found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rackwright.catalog import Catalog
from rackwright.configuration import ConfigurationFile
from rackwright.diagnostic import Finding, Severity
from rackwright.frozen import frozen
from rackwright.placement.model import Placement
from rackwright.pricing import PricedBom
from rackwright.proposal.findings import (
    GRADE_LABELS,
    check_views,
    grouped,
    open_points,
    sources_of,
    view_of_finding,
    view_of_verdict,
)
from rackwright.proposal.house import HouseStyle
from rackwright.proposal.labels import LABELS
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.labels_sizing import SIZING_LABELS
from rackwright.proposal.model import About, FindingView, Proposal, RackView, WaiverView
from rackwright.proposal.money import bom_view
from rackwright.proposal.money_model import Labelled
from rackwright.proposal.nodes import node_view, read
from rackwright.proposal.offer import offer_view
from rackwright.proposal.operation import fleets_of, operation_view
from rackwright.proposal.power_sheets import source_row
from rackwright.proposal.texts import Texts
from rackwright.source import Grade, weakest
from rackwright.verdict import Outcome, Status, Verdict

if TYPE_CHECKING:
    from rackwright.facts.failures import FailureTable

STATUS_LABELS = {Status.VALID: "valid", Status.OPEN: "open", Status.INVALID: "invalid"}


@frozen
class Material:
    """Everything that a proposal is built from. `is_brief`: without the list of checks and what they rest on."""

    file: ConfigurationFile
    catalog: Catalog
    rules_digest: str
    rules: int
    placement: Placement
    nodes: Sequence[Mapping[str, Any]]
    racks: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Verdict]
    findings: Sequence[Finding]
    status: Status
    priced: PricedBom
    version: str
    date: str
    configuration_name: str = "configuration.yaml"
    failures: Sequence[FailureTable] = ()
    sources: Sequence[Mapping[str, Any]] = ()
    is_brief: bool = False


def make_proposal(
    material: Material, texts: Texts, *, is_draft: bool = False, house: HouseStyle | None = None
) -> Proposal:
    """Build the view model in the language of `texts`. `is_draft` marks every page and sheet."""
    house = house or HouseStyle()
    quote = material.file.configuration.quote
    quote = replace(quote, seller=house.seller_of(quote.seller))
    told = _findings(material, texts)
    points = open_points(material.verdicts, texts, lambda part_id: _title_of(material.catalog, part_id))
    checks = () if material.is_brief else check_views(material.verdicts, texts)
    bom = bom_view(material.priced, texts)
    applied = [verdict for verdict in material.verdicts if verdict.outcome is not Outcome.NOT_APPLICABLE]
    sources = {} if material.is_brief else sources_of(applied, texts)
    return Proposal(
        language=texts.language,
        labels={key: texts.text(english) for key, english in {**LABELS, **SIZING_LABELS, **SHEET_LABELS}.items()},
        number=quote.number or "",
        title=quote.title,
        customer=quote.customer or "",
        project=quote.project or "",
        issuer=quote.issuer or quote.seller.name or "",
        contact=quote.contact or quote.seller.contact or "",
        date_text=texts.formats.date(material.date),
        date_iso=material.date,
        valid_until_text=texts.formats.date(quote.valid_until) if quote.valid_until else "",
        status=material.status,
        status_label=texts.text(STATUS_LABELS[material.status]),
        status_sentence=_status_sentence(material, len(points), texts),
        is_draft=is_draft,
        draft_reason=_draft_reason(material, texts) if is_draft else "",
        summary=_summary(material, bom.subtotal_text if bom.has_prices else "", texts),
        needs_attention=tuple(
            f"{view.code}: {view.message}" for view in told if view.outcome is Outcome.FAIL and not view.waived
        )[:12],
        nodes=tuple(
            node_view(placed, record, texts)
            for placed, record in zip(material.placement.nodes, material.nodes, strict=True)
        ),
        racks=_racks(material, texts),
        findings=told,
        open_points=points,
        checks=checks,
        waivers=tuple(
            WaiverView(w.rule, w.at or "", w.reason, w.by, texts.formats.date(w.until))
            for w in material.file.configuration.waivers
        ),
        bom=bom,
        terms=(*quote.terms, *house.terms.get(texts.language, ())),
        sources=tuple(sources),
        source_urls=tuple(sources.values()),
        power_sources=tuple(source_row(record, texts) for record in material.sources),
        operation=operation_view(
            material.file.configuration.operation,
            fleets_of(material.placement, material.nodes, material.priced),
            quote.currency,
            texts,
        ),
        valid_until_iso=quote.valid_until or "",
        offer=offer_view(quote, material.priced, texts),
        address=quote.seller.address or "",
        cover_text=house.cover_text.get(texts.language, ""),
        footer=house.footer,
        about=_about(material, len(applied), texts),
        configuration_text=material.file.text,
        configuration_name=material.configuration_name,
    )


def _racks(material: Material, texts: Texts) -> tuple[RackView, ...]:
    if not material.racks:
        return ()
    from rackwright.proposal.racks import rack_view

    records = {record["id"]: record for record in material.racks}
    tables = {table.rack: table for table in material.failures}
    return tuple(
        rack_view(placed, records[placed.rack.id], material.placement, tables.get(placed.rack.id), texts)
        for placed in material.placement.racks
        if placed.rack.id in records
    )


def _title_of(catalog: Catalog, part_id: str) -> str:
    part = catalog.find(part_id)
    return part.title if part is not None else part_id


def _findings(material: Material, texts: Texts) -> tuple[FindingView, ...]:
    """Failures and unknowns, the heaviest first, waived ones last; then findings on files."""
    order = list(Severity)
    failed = [v for v in material.verdicts if v.outcome is Outcome.FAIL]
    unknown = [v for v in material.verdicts if v.outcome is Outcome.UNKNOWN]
    ordered = sorted(failed, key=lambda v: (v.waived is not None, order.index(v.severity), v.rule, v.subject))
    ordered += sorted(unknown, key=lambda v: (v.waived is not None, order.index(v.severity), v.rule, v.subject))
    on_files = [view_of_finding(item, texts) for item in material.findings]
    return (*on_files, *(view_of_verdict(verdict, texts) for verdict in grouped(ordered)))


def _count(material: Material, outcome: Outcome, severity: Severity | None = None) -> int:
    return sum(
        1
        for v in material.verdicts
        if v.outcome is outcome and v.waived is None and (severity is None or v.severity is severity)
    )


def _status_sentence(material: Material, points: int, texts: Texts) -> str:
    passed = str(_count(material, Outcome.PASS))
    warnings = str(_count(material, Outcome.FAIL, Severity.WARNING))
    if material.status is Status.INVALID:
        on_files = sum(item.severity is Severity.ERROR for item in material.findings)
        errors = _count(material, Outcome.FAIL, Severity.ERROR) + on_files
        return texts.text("This configuration will not work as it is. Failed checks: {errors}.", errors=str(errors))
    if material.status is Status.OPEN:
        return texts.text(
            "No check failed, {passed} passed. Warnings: {warnings}. To be confirmed before ordering: {points}.",
            passed=passed,
            warnings=warnings,
            points=str(points),
        )
    return texts.text("No check failed, {passed} passed. Warnings: {warnings}.", passed=passed, warnings=warnings)


def _draft_reason(material: Material, texts: Texts) -> str:
    failed = sorted(
        {
            v.rule
            for v in material.verdicts
            if v.outcome is Outcome.FAIL and v.severity is Severity.ERROR and not v.waived
        }
        | {f.code for f in material.findings if f.severity is Severity.ERROR}
    )
    if not failed:
        return texts.text("made as a draft on request")
    return texts.text("failed checks: {rules}", rules=", ".join(failed))


def _summary(material: Material, total: str, texts: Texts) -> tuple[Labelled, ...]:
    nodes = sum(placed.node.count for placed in material.placement.nodes)
    pairs = list(zip(material.placement.nodes, material.nodes, strict=True))
    gpus = sum(p.node.count * len(record.get("gpus", ())) for p, record in pairs)
    memory = [(p.node.count, read(record, "gpu_memory_gb")) for p, record in pairs]
    power = [(p.node.count, read(record, "input_peak_w")) for p, record in pairs]
    known_power = None if any(watts is None for _, watts in power) else sum(n * w for n, w in power if w is not None)
    memory_note = ""
    if gpus and all(gb is not None for _, gb in memory):
        total_gb = sum(n * gb for n, gb in memory if gb is not None)
        memory_note = texts.text("{memory} video memory", memory=texts.quantity(total_gb, "GB", 0))
    figures = [
        Labelled(texts.text("servers"), str(nodes)),
        Labelled(texts.text("GPUs"), str(gpus), memory_note),
        Labelled(texts.text("input power at full load"), texts.power(known_power)),
    ]
    if total:
        note = "" if material.priced.is_complete else texts.text("incomplete")
        label = texts.text("total price, net") if material.priced.vat is not None else texts.text("total price")
        figures.append(Labelled(label, total, note))
    return tuple(figures)


def _about(material: Material, checks: int, texts: Texts) -> About:
    passed = [] if material.is_brief else [v for v in material.verdicts if v.outcome is Outcome.PASS]
    grades = [verdict.grade for verdict in passed if verdict.grade is not None]
    worst = weakest(grades)
    parts = {line.part.id for line in material.priced.bom.lines}
    return About(
        version=material.version,
        configuration_sha256=material.file.sha256,
        catalog_digest=material.catalog.digest[:16],
        rules_digest=material.rules_digest[:16],
        date=material.date,
        parts=len(parts),
        rules=material.rules,
        verdicts=checks,
        weakest_grade=texts.text(GRADE_LABELS[Grade(worst)]) if worst else "",
    )
