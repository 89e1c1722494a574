"""The seller's own view of a bill: what it costs, what remains. It is no part of the Proposal."""

from __future__ import annotations

from decimal import Decimal

from rackwright.frozen import frozen
from rackwright.pricing import PricedBom, PricedLine, Rate


@frozen(slots=True)
class InternalRow:
    """A line with its cost. `stated` is the cost in the currency in which the supplier states it, at `rate` for one.

    `rate` is what one unit of `stated_currency` is in the currency of the quote, None where they are the same.
    """

    position: str
    title: str
    part_id: str
    supplier_number: str
    is_offered: bool
    total: int
    net_unit: Decimal | None
    stated: Decimal | None
    stated_currency: str
    rate: Decimal | None
    rate_text: str
    cost_unit: Decimal | None
    margin_wanted: Decimal | None
    place: str
    valid_until_iso: str


@frozen(slots=True)
class InternalView:
    """All lines, and the margin below which one is to be looked at."""

    rows: tuple[InternalRow, ...]
    currency: str
    margin_min_ratio: Decimal | None


def internal_view(priced: PricedBom) -> InternalView:
    """Lay out the calculation of a bill."""
    return InternalView(
        tuple(_row(line, priced.currency) for line in priced.lines), priced.currency, priced.margin_min_ratio
    )


def _row(line: PricedLine, currency: str) -> InternalRow:
    foreign, price = line.foreign_cost, line.price
    return InternalRow(
        position=line.line.position,
        title=line.line.part.title,
        part_id=line.line.part.id,
        supplier_number=price.supplier_number if price is not None else "",
        is_offered=line.is_offered,
        total=line.line.total,
        net_unit=line.net_unit,
        stated=foreign.amount if foreign is not None else line.cost_unit,
        stated_currency=foreign.currency if foreign is not None else currency if line.cost_unit is not None else "",
        rate=None if foreign is None else _factor(foreign.rate, currency),
        rate_text="" if foreign is None else _shown(foreign.rate),
        cost_unit=line.cost_unit,
        margin_wanted=line.margin_wanted,
        place=str(price.at) if price is not None and price.at is not None else "",
        valid_until_iso=(price.valid_until or "") if price is not None else "",
    )


def _factor(rate: Rate, currency: str) -> Decimal:
    return rate.rate if rate.target == currency else 1 / rate.rate


def _shown(rate: Rate) -> str:
    return f"1 {rate.source} = {rate.rate} {rate.target}, {rate.date}, {rate.origin}"
