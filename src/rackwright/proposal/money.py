"""The bill as documents print it."""

from __future__ import annotations

from decimal import Decimal

from rackwright.bom import BomGroup
from rackwright.catalog import Part
from rackwright.pricing import PricedBom, PricedLine
from rackwright.proposal.findings import GRADE_LABELS
from rackwright.proposal.model import BomRow, BomView
from rackwright.proposal.texts import Texts
from rackwright.source import Grade, weakest

KIND_LABELS = {
    "cable": "cable",
    "chassis": "chassis",
    "cord": "power cord",
    "cpu": "CPU",
    "drive": "drive",
    "fan_kit": "fan kit",
    "gpu": "GPU",
    "heatsink": "heatsink",
    "licence": "licence",
    "memory": "memory",
    "nic": "network adapter",
    "nvlink_bridge": "NVLink bridge",
    "option": "option",
    "pdu": "PDU",
    "psu": "power supply",
    "rack": "rack",
    "rail": "rail kit",
    "riser": "riser",
    "service": "service",
    "storage_adapter": "storage adapter",
}
_GROUP_TITLES = {"racks": "Rack equipment", "extras": "Services and other items"}


def bom_view(priced: PricedBom, texts: Texts) -> BomView:
    """Lay out the bill: a head row a group, then its lines."""
    rows: list[BomRow] = []
    for group in priced.bom.groups:
        lines = priced.of_group(group.position)
        rows.append(_group_row(group, lines, priced.currency, texts))
        rows += [_row(line, group, priced.currency, texts) for line in lines]
    missing = sum(1 for line in priced.lines if line.list_unit is None)
    if not priced.has_prices:
        completeness = texts.text("No prices are stated; all items are on request.")
    elif missing:
        completeness = texts.text(
            "The total is incomplete: {missing} of {all} items are on request.",
            missing=str(missing),
            all=str(len(priced.lines)),
        )
    else:
        completeness = texts.text("All items have a price.")
    rate = priced.vat_ratio
    return BomView(
        rows=tuple(rows),
        currency=priced.currency,
        subtotal=priced.subtotal,
        subtotal_text=_money(priced.subtotal if priced.has_prices else None, priced.currency, texts),
        vat_ratio=rate,
        vat_label=texts.text("VAT {rate}", rate=texts.formats.percent(float(rate))) if rate is not None else "",
        vat=priced.vat,
        vat_text=_money(priced.vat if priced.has_prices else None, priced.currency, texts) if rate is not None else "",
        total=priced.total,
        total_text=_money(priced.total if priced.has_prices else None, priced.currency, texts),
        is_complete=priced.is_complete,
        has_prices=priced.has_prices,
        completeness_text=completeness,
    )


def _money(amount: Decimal | None, currency: str, texts: Texts) -> str:
    return texts.text("on request") if amount is None else texts.formats.money(amount, currency)


def group_title(group: BomGroup, texts: Texts) -> str:
    """The title of a group: the node's own, or what the group is."""
    return group.title or texts.text(_GROUP_TITLES.get(group.id, "Items"))


def _group_row(group: BomGroup, lines: list[PricedLine], currency: str, texts: Texts) -> BomRow:
    totals = [line.net_total for line in lines]
    known = [total for total in totals if total is not None]
    total = sum(known, Decimal("0.00")) if len(known) == len(totals) else None
    return BomRow(
        position=group.position,
        is_group=True,
        title=group_title(group, texts),
        note=group.id if group.id not in _GROUP_TITLES else "",
        maker="",
        mpn="",
        part_id="",
        kind_label="",
        count=1,
        group_count=group.count,
        total=group.count,
        list_unit=None,
        discount_ratio=Decimal(0),
        net_unit=None,
        net_total=total,
        list_unit_text="",
        discount_text="",
        net_unit_text="",
        net_total_text=_money(total, currency, texts) if known else "",
        is_multiplied=group.id not in _GROUP_TITLES,
    )


def _weakest_grade(part: Part, texts: Texts) -> str:
    """How far the weakest figure of a part file can be trusted; unverified ones are not used and do not count."""
    grades = [Grade(entry["grade"]) for entry in part.evidence.values()]
    worst = weakest([grade for grade in grades if grade is not Grade.UNVERIFIED])
    return texts.text(GRADE_LABELS[worst]) if worst else ""


def _row(line: PricedLine, group: BomGroup, currency: str, texts: Texts) -> BomRow:
    part = line.line.part
    lifecycle = part.get("lifecycle.status")
    return BomRow(
        position=line.line.position,
        is_group=False,
        title=part.title,
        note=texts.phrase(line.line.note, "power cap {watts} W; {note}", "power cap {watts} W"),
        maker=str(part.data.get("maker", "")),
        mpn=", ".join(part.data.get("mpn", ())) or texts.text("not stated"),
        part_id=part.id,
        kind_label=texts.text(KIND_LABELS.get(part.kind, part.kind)),
        count=line.line.count,
        group_count=group.count,
        total=line.line.total,
        list_unit=line.list_unit,
        discount_ratio=line.discount_ratio,
        net_unit=line.net_unit,
        net_total=line.net_total,
        list_unit_text=_money(line.list_unit, currency, texts),
        discount_text=texts.formats.percent(float(line.discount_ratio)) if line.discount_ratio else "",
        net_unit_text=_money(line.net_unit, currency, texts),
        net_total_text=_money(line.net_total, currency, texts),
        weight_kg=part.data.get("weight_kg"),
        power_w=part.get("power.max_w"),
        grade=_weakest_grade(part, texts),
        lifecycle=texts.term(lifecycle) if lifecycle else "",
    )
