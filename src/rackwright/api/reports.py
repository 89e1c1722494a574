"""The machine-readable report of a run: findings, verdicts, places, power, bill and rules as plain entries."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rackwright import __version__
from rackwright.api.documents import failures_of
from rackwright.api.prices import INTERNAL_SUBJECT
from rackwright.api.runs import Run
from rackwright.diagnostic import Finding
from rackwright.pricing import PricedBom, PricedLine
from rackwright.proposal.nodes import read
from rackwright.source import Location
from rackwright.verdict import Outcome

if TYPE_CHECKING:
    from rackwright.facts.failures import FailureTable


def report_of(run: Run, bill: PricedBom | None, extra: Sequence[Finding] = ()) -> Any:
    """Build the machine-readable report of a run. Of `extra` findings those that stay in the house are left out."""
    from rackwright.proposal import report as shape

    told = [item for item in extra if item.subject != INTERNAL_SUBJECT]

    return shape.Report(
        tool=f"rackwright {__version__}",
        configuration=run.file.locations.file,
        configuration_sha256=run.file.sha256,
        catalog_digest=run.workshop.catalog.digest,
        rules_digest=run.workshop.ruleset.digest,
        status=run.status.value,
        findings=[finding_entry(item) for item in [*told, *run.reported]],
        verdicts=[
            shape.VerdictEntry(
                rule=v.rule,
                severity=v.severity.value,
                subject=v.subject,
                outcome=v.outcome.value,
                grade=v.grade.value if v.grade else None,
                waived=v.waived,
            )
            for v in run.verdicts
        ],
        nodes=_node_entries(run),
        racks=_rack_entries(run),
        bom=_bom_entries(bill.ordered if bill is not None else ()),
        offered=_bom_entries([line for line in bill.lines if line.is_offered] if bill is not None else ()),
        currency=run.file.configuration.quote.currency,
        net_subtotal=str(bill.subtotal) if bill is not None and bill.has_prices else None,
        is_price_complete=bill is not None and bill.is_complete,
        operation=_operation_entries(run, bill),
        rules=_rule_entries(run),
    )


def report_of_findings(configuration: str, findings: Sequence[Finding]) -> Any:
    """Build the report of a configuration that could not be read: its findings and nothing else."""
    from rackwright.proposal import report as shape

    return shape.Report(
        tool=f"rackwright {__version__}",
        configuration=configuration,
        configuration_sha256="",
        catalog_digest="",
        rules_digest="",
        status="invalid",
        findings=[finding_entry(item) for item in findings],
        verdicts=[],
        nodes=[],
        racks=[],
        bom=[],
        currency="",
        is_price_complete=False,
    )


def _operation_entries(run: Run, bill: PricedBom | None) -> list[Any]:
    operation = run.file.configuration.operation
    if operation is None or bill is None or run.placement is None:
        return []
    from rackwright.facts import operating
    from rackwright.proposal.operation import fleets_of, terms_of
    from rackwright.proposal.report import OperationEntry

    def ends(value: operating.Bounds | None) -> list[str] | None:
        return None if value is None else [f"{end:.4f}" for end in (value.low, value.high)]

    terms = terms_of(operation)
    return [
        OperationEntry(
            node=fleet.id,
            utilisation_ratio=float(ratio),
            energy_kwh=ends(operating.energy_kwh(fleet, ratio)),
            yearly_cost=ends(operating.yearly_cost(fleet, ratio, terms)),
            gpu_hour_cost=ends(operating.gpu_hour_cost(fleet, ratio, terms)),
        )
        for fleet in fleets_of(run.placement, run.nodes, bill)
        for ratio in operating.UTILISATIONS
    ]


def _rule_entries(run: Run) -> list[Any]:
    """The rules behind failures and unknowns, by id, each once."""
    from rackwright.proposal.report import RuleEntry

    told = {v.rule: v.severity for v in run.verdicts if v.outcome in (Outcome.FAIL, Outcome.UNKNOWN)}
    return [
        RuleEntry(
            id=rule.id,
            name=rule.name,
            title=rule.title,
            family=rule.family,
            severity=told[rule.id].value,
            rationale=rule.rationale,
            fix=rule.fix,
            sources=[str(source) for source in rule.sources],
        )
        for rule in sorted(run.rules, key=lambda rule: rule.id)
        if rule.id in told
    ]


def _place(at: Location | None) -> Any:
    from rackwright.proposal.report import Place

    return Place(file=at.file, line=at.line, column=at.column) if at else None


def finding_entry(item: Finding) -> Any:
    """Return a finding as an entry of a machine-readable report."""
    from rackwright.proposal.report import FindingEntry

    return FindingEntry(
        code=item.code,
        severity=item.severity.value,
        outcome="unknown" if item.outcome == "unknown" else "fail",
        subject=item.subject,
        title=item.title,
        message=str(item.message),
        fix=str(item.fix) if item.fix else None,
        at=_place(item.at),
        missing=list(item.missing),
        arithmetic=list(item.arithmetic),
        sources=[str(source) for source in item.sources],
        grade=item.grade.value if item.grade else None,
        waived=item.waived,
    )


def _node_entries(run: Run) -> list[Any]:
    from rackwright.api.topology import seats, topology_entry
    from rackwright.proposal.report import CardEntry, NodeEntry

    entries = []
    for placed, record in zip(run.placement.nodes if run.placement else (), run.nodes, strict=True):
        links = {card["id"]: card for card in record.get("cards", ())}
        entries.append(
            NodeEntry(
                id=placed.node.id,
                count=placed.node.count,
                chassis=placed.chassis.id,
                mode=placed.mode,
                cards=[
                    CardEntry(
                        id=card.id,
                        part=card.part.id,
                        slot=card.slot,
                        covers=list(card.covers),
                        link_generation=read(links.get(card.id, {}), "link_generation"),
                        link_lanes=read(links.get(card.id, {}), "link_lanes"),
                    )
                    for card in placed.cards
                ],
                **{
                    name: read(record, name)
                    for name in ("draw_peak_w", "input_peak_w", "heat_w", "gpu_memory_gb", "input_voltage_v")
                },
                topology=topology_entry(placed, record),
                **seats(placed),
            )
        )
    return entries


def _rack_entries(run: Run) -> list[Any]:
    from rackwright.proposal.report import PhaseEntry, RackedEntry, RackEntry

    names = ("load_normal_a", "load_worst_a", "worst_failure", "breaker_limit_a", "pdu_limit_a")
    entries = []
    replays = {table.rack: _replay_entry(table) for table in failures_of(run)}
    racks = {placed.rack.id: placed for placed in (run.placement.racks if run.placement else ())}
    for record in run.racks:
        placed = racks[record["id"]]
        phases = [p for feed in record.get("feeds", ()) for pdu in feed.get("pdus", ()) for p in pdu.get("phases", ())]
        entries.append(
            RackEntry(
                id=placed.rack.id,
                part=placed.part.id,
                nodes=[
                    RackedEntry(node=n.node, number=n.number, unit_low_u=n.unit_low_u, height_u=n.height_u)
                    for n in placed.nodes
                ],
                phases=[PhaseEntry(id=p["id"], **{name: read(p, name) for name in names}) for p in phases],
                power_w=read(record, "power_w"),
                weight_kg=read(record, "weight_kg"),
                replay=replays.get(placed.rack.id),
            )
        )
    return entries


def _replay_entry(table: FailureTable) -> Any:
    from rackwright.proposal import report as shape

    names = [element.id for element in table.elements]
    rows = [
        shape.FailureEntry(
            kind=row.kind,
            lost=list(row.lost),
            loads=[None if index in row.gone else load for index, load in enumerate(row.loads)],
            gone=[names[index] for index in sorted(row.gone)],
            tightest=None if row.worst is None else names[row.worst],
            tightest_ratio=None if row.worst is None else row.ratios[row.worst],
            nodes=[shape.NodeStateEntry(node=node, state=state) for node, state in row.nodes],
            servers_down=row.servers_down,
        )
        for row in table.rows
    ]
    return shape.ReplayEntry(
        elements=[shape.ElementEntry(id=e.id, kind=e.kind, unit=e.unit, limit=e.limit) for e in table.elements],
        failures=rows,
        steps=[shape.SupplyStepEntry(**_fields(step)) for step in table.sheet.steps],
        cords=[shape.CordEntry(**_fields(cord)) for cord in table.sheet.cords],
        power_factor_ratio=table.sheet.power_factor_ratio,
    )


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _bom_entries(lines: Sequence[PricedLine]) -> list[Any]:
    from rackwright.proposal.report import BomEntry

    return [
        BomEntry(
            position=line.line.position,
            part=line.line.part.id,
            mpn=list(line.line.part.data.get("mpn", ())),
            title=line.line.part.title,
            count=line.line.count,
            total=line.line.total,
            net_unit=None if line.net_unit is None else str(line.net_unit),
            net_total=None if line.net_total is None else str(line.net_total),
        )
        for line in lines
    ]
