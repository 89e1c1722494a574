"""The bill as documents print it."""

from __future__ import annotations

from decimal import Decimal

from rackwright.bom import BomGroup
from rackwright.catalog import Part
from rackwright.pricing import STANDARD, PricedBom, PricedLine, Rate, VatGroup
from rackwright.proposal.compliance import cited, compliance_of
from rackwright.proposal.findings import GRADE_LABELS
from rackwright.proposal.model import BomRow, BomView
from rackwright.proposal.money_model import Cited, Share, VatRow
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
UNIT_LABELS = {"hour": "hour", "day": "day", "year": "year"}
ROLE_LABELS = {"option": "option", "alternative": "alternative", "spare": "spare part"}
SERVICE_LABELS = {
    "installation": "installation",
    "support": "support",
    "training": "training",
    "transport": "transport",
    "other": "service",
}
VAT_WORDS = {"standard": "standard rate", "reverse_charge": "reverse charge", "exempt": "exempt"}
_GROUP_TITLES = {
    "racks": "Rack equipment",
    "extras": "Services and other items",
    "offered": "Options and alternatives",
}
# What the money goes to, from the largest idea to the smallest: label, kinds of parts.
SHARE_LABELS = {
    "gpu": "GPUs",
    "cpu": "CPUs",
    "memory": "memory",
    "drive": "drives and network",
    "chassis": "servers and power",
    "rack": "racks and PDUs",
    "service": "services and licences",
}
_SHARE_OF = {"nvlink_bridge": "gpu", "heatsink": "cpu", "nic": "drive", "storage_adapter": "drive", "pdu": "rack",
             "licence": "service"}  # fmt: skip


def bom_view(priced: PricedBom, texts: Texts) -> BomView:
    """Lay out the bill: a head row a group, then its lines; options and alternatives apart."""
    rows: list[BomRow] = []
    offered: list[BomRow] = []
    for group in priced.bom.groups:
        lines = priced.of_group(group.position)
        block = offered if group.is_offered else rows
        block.append(_group_row(group, lines, priced.currency, texts))
        block += [_row(line, group, priced.currency, texts) for line in lines]
    rate = priced.vat_ratio
    has_tax = priced.vat is not None
    return BomView(
        rows=tuple(rows),
        currency=priced.currency,
        subtotal=priced.subtotal,
        subtotal_text=_money(priced.subtotal if priced.has_prices else None, priced.currency, texts),
        vat_ratio=rate,
        vat_label=texts.text("VAT {rate}", rate=texts.formats.percent(float(rate))) if rate is not None else "",
        vat=priced.vat,
        vat_text=_money(priced.vat if priced.has_prices else None, priced.currency, texts) if has_tax else "",
        total=priced.total,
        total_text=_money(priced.total if priced.has_prices else None, priced.currency, texts),
        is_complete=priced.is_complete,
        has_prices=priced.has_prices,
        completeness_text=_completeness(priced, texts),
        offered=tuple(offered),
        vat_rows=tuple(_vat_row(group, priced, texts) for group in priced.vat_groups) if has_tax else (),
        rate_texts=tuple(_rate_text(rate, texts) for rate in priced.rates),
        shares=_shares(priced, texts),
    )


def _completeness(priced: PricedBom, texts: Texts) -> str:
    lines = priced.ordered
    missing = sum(1 for line in lines if line.list_unit is None)
    if not priced.has_prices:
        return texts.text("No prices are stated; all items are on request.")
    if missing:
        return texts.text(
            "The total is incomplete: {missing} of {all} items are on request.",
            missing=str(missing),
            all=str(len(lines)),
        )
    return texts.text("All items have a price.")


def _vat_row(group: VatGroup, priced: PricedBom, texts: Texts) -> VatRow:
    base = texts.formats.money(group.base, priced.currency)
    word = texts.text(VAT_WORDS[group.category])
    if group.category == STANDARD and group.ratio is not None:
        rate = texts.formats.percent(float(group.ratio))
        is_alone = len(priced.vat_groups) == 1
        label = (
            texts.text("VAT {rate}", rate=rate)
            if is_alone
            else texts.text("VAT {rate} on {base}", rate=rate, base=base)
        )
    else:
        label = texts.text("{category}, no VAT on {base}", category=word[:1].upper() + word[1:], base=base)
    tax = texts.formats.money(group.tax, priced.currency) if group.tax is not None and priced.has_prices else ""
    return VatRow(group.category, word, label, group.base, base, group.ratio, group.tax, tax, "; ".join(group.reasons))


def _rate_text(rate: Rate, texts: Texts) -> str:
    return texts.text(
        "1 {source} = {rate} {target}, {date}, {origin}",
        source=rate.source,
        rate=texts.formats.number(float(rate.rate), 6),
        target=rate.target,
        date=texts.formats.date(rate.date),
        origin=rate.origin,
    )


def _shares(priced: PricedBom, texts: Texts) -> tuple[Share, ...]:
    """What the money goes to; empty unless every line has a price and there is something to divide."""
    if not priced.is_complete or not priced.subtotal:
        return ()
    sums = dict.fromkeys(SHARE_LABELS, Decimal(0))
    for line in priced.ordered:
        kind = line.line.part.kind
        kind = _SHARE_OF.get(kind, kind)
        sums[kind if kind in sums else "chassis"] += line.net_total or 0
    shares = []
    for kind, amount in sums.items():
        ratio = float(amount / priced.subtotal)
        if amount:
            shares.append(Share(texts.text(SHARE_LABELS[kind]), ratio, texts.formats.percent(round(ratio, 3))))
    return tuple(shares)


def _money(amount: Decimal | None, currency: str, texts: Texts) -> str:
    return texts.text("on request") if amount is None else texts.formats.money(amount, currency)


def group_title(group: BomGroup, texts: Texts) -> str:
    """The title of a group: the node's own, or what the group is."""
    return group.title or texts.text(_GROUP_TITLES.get(group.id, "Items"))


def _group_row(group: BomGroup, lines: list[PricedLine], currency: str, texts: Texts) -> BomRow:
    totals = [line.net_total for line in lines]
    known = [total for total in totals if total is not None]
    total = sum(known, Decimal("0.00")) if len(known) == len(totals) and not group.is_offered else None
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
        net_total_text=_money(total, currency, texts) if known and not group.is_offered else "",
        is_multiplied=group.id not in _GROUP_TITLES,
    )


def _weakest_grade(part: Part, texts: Texts) -> str:
    """How far the weakest figure of a part file can be trusted; unverified ones are not used and do not count."""
    grades = [Grade(entry["grade"]) for entry in part.evidence.values()]
    worst = weakest([grade for grade in grades if grade is not Grade.UNVERIFIED])
    return texts.text(GRADE_LABELS[worst]) if worst else ""


def _row(line: PricedLine, group: BomGroup, currency: str, texts: Texts) -> BomRow:
    # Longer than most functions because it lists the fields of a row, one a line.
    part, of_list = line.line.part, line.price
    lifecycle = part.get("lifecycle.status")
    included = texts.text("included in {position}", position=group.position) if line.is_included else ""
    return BomRow(
        position=line.line.position,
        is_group=False,
        title=part.title,
        note=_note(line, texts),
        maker=str(part.data.get("maker", "")),
        mpn=", ".join(part.data.get("mpn", ())) or ("–" if is_own(part) else texts.text("not stated")),
        part_id=part.id,
        kind_label=_kind_label(part, texts),
        count=line.line.count,
        group_count=group.count,
        total=line.line.total,
        list_unit=line.list_unit,
        discount_ratio=line.discount_ratio,
        net_unit=line.net_unit,
        net_total=line.net_total,
        list_unit_text=included or _money(line.list_unit, currency, texts),
        discount_text=texts.formats.percent(float(line.discount_ratio)) if line.discount_ratio and not included else "",
        net_unit_text=included or _money(line.net_unit, currency, texts),
        net_total_text=included or _money(line.net_total, currency, texts),
        weight_kg=part.data.get("weight_kg"),
        power_w=part.get("power.max_w"),
        grade=_weakest_grade(part, texts),
        lifecycle=texts.term(lifecycle) if lifecycle else "",
        role_label=texts.text(ROLE_LABELS[line.line.role]) if line.line.role else "",
        included_text=included,
        vat_category=line.vat_category,
        vat_word=texts.text(VAT_WORDS[line.vat_category]),
        lead_time_days=of_list.lead_time_days if of_list is not None else None,
        valid_until_iso=(of_list.valid_until or "") if of_list is not None else "",
        foreign_text=texts.formats.money(line.foreign.amount, line.foreign.currency) if line.foreign else "",
        weight_source=cited(part, "weight_kg", texts) if "weight_kg" in part.data else Cited(),
        power_source=cited(part, "power.max_w", texts) if part.get("power.max_w") is not None else Cited(),
        compliance=compliance_of(part, of_list.trade if of_list is not None else None, texts),
    )


def is_own(part: Part) -> bool:
    """An own item of the user, which has no maker and no number."""
    return part.id.startswith("own/")


def _kind_label(part: Part, texts: Texts) -> str:
    service = part.get("service")
    if part.kind == "service" and service:
        return texts.text(SERVICE_LABELS[str(service)])
    return texts.text(KIND_LABELS.get(part.kind, part.kind))


def _note(line: PricedLine, texts: Texts) -> str:
    """What stands below the title: role, term, unit, and what the user wrote."""
    entry = line.line
    words: list[str] = []
    if entry.role == "alternative" and entry.instead_of:
        words.append(texts.text("alternative to {what}", what=entry.instead_of))
    elif entry.role:
        words.append(texts.text(ROLE_LABELS[entry.role]))
    if entry.months:
        words.append(texts.text("for {months} months", months=str(entry.months)))
    unit = entry.part.get("unit")
    if unit and unit != "each":
        words.append(texts.text("price per {unit}", unit=texts.text(UNIT_LABELS[str(unit)])))
    if entry.note:
        words.append(texts.phrase(entry.note, "power cap {watts} W; {note}", "power cap {watts} W"))
    return "; ".join(words)
