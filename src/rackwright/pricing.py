"""Prices on a bill. Money is Decimal everywhere; there is one rounding rule.

Rounding: the net unit price (list price less discount) is rounded to cents, half up; line totals are that price times
the quantity and need no rounding; VAT is rounded once, on the total. A line without a price makes the total
incomplete: it is never counted as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from rackwright.bom import Bom, BomLine
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.frozen import frozen
from rackwright.source import Location

CENT = Decimal("0.01")


@frozen(slots=True)
class Price:
    """A price of a list: unit price in a currency, from a quantity on, with a discount and a validity.

    `unit` is what one piece is: each, or for services hour, day, year. `valid_from` and `valid_until` are ISO days,
    both included.
    """

    part: str
    unit_price: Decimal
    currency: str
    quantity_min: int = 1
    discount_ratio: Decimal = Decimal(0)
    valid_until: str | None = None
    at: Location | None = None
    unit: str = "each"
    valid_from: str | None = None


@frozen(slots=True)
class PricedLine:
    """A line of the bill with its price; `list_unit` None = on request."""

    line: BomLine
    list_unit: Decimal | None = None
    discount_ratio: Decimal = Decimal(0)

    @property
    def net_unit(self) -> Decimal | None:
        """Unit price after discount, rounded to cents."""
        return None if self.list_unit is None else rounded(self.list_unit * (1 - self.discount_ratio))

    @property
    def net_total(self) -> Decimal | None:
        """Net unit price times total quantity."""
        return None if self.net_unit is None else self.net_unit * self.line.total


@frozen(slots=True)
class PricedBom:
    """A bill with prices. `subtotal` counts what has a price; `is_complete` says whether every line has one."""

    bom: Bom
    lines: tuple[PricedLine, ...]
    currency: str
    vat_ratio: Decimal | None = None

    @property
    def is_complete(self) -> bool:
        """Every line has a price."""
        return all(line.list_unit is not None for line in self.lines)

    @property
    def has_prices(self) -> bool:
        """At least one line has a price."""
        return any(line.list_unit is not None for line in self.lines)

    @property
    def subtotal(self) -> Decimal:
        """Net total of all priced lines."""
        return sum((line.net_total for line in self.lines if line.net_total is not None), Decimal("0.00"))

    @property
    def vat(self) -> Decimal | None:
        """VAT on the subtotal, None where no rate is given."""
        return None if self.vat_ratio is None else rounded(self.subtotal * self.vat_ratio)

    @property
    def total(self) -> Decimal:
        """Subtotal and VAT."""
        return self.subtotal + (self.vat or Decimal("0.00"))

    def of_group(self, position: str) -> list[PricedLine]:
        """Return the priced lines of one group."""
        return [line for line in self.lines if line.line.position.partition(".")[0] == position]


def rounded(amount: Decimal) -> Decimal:
    """Round to cents, half up."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def price_bom(
    bom: Bom, prices: Sequence[Price], currency: str, *, date: str | None = None, vat_ratio: Decimal | None = None
) -> tuple[PricedBom, list[Finding]]:
    """Put prices on a bill: per part the entry with the highest minimum quantity that the order reaches.

    `date` is the date of the quote (ISO). Prices in another currency, for another unit, and prices that are not valid
    on that date are not used; where a part has no other price, each is a finding. Parts without a price stay on
    request; where there is a list, they are a finding.
    """
    findings: list[Finding] = []
    totals: dict[str, int] = {}
    units: dict[str, str] = {}
    for line in bom.lines:
        totals[line.part.id] = totals.get(line.part.id, 0) + line.total
        units[line.part.id] = line.part.get("unit") or "each"
    by_part: dict[str, list[Price]] = {}
    for price in prices:
        by_part.setdefault(price.part, []).append(price)
    chosen: dict[str, Price | None] = {}
    for part, total in totals.items():
        chosen[part], problems = _choose(by_part.get(part, []), total, currency, date, units[part])
        findings += problems
    missing = [part for part in totals if part not in by_part]
    if prices and missing:
        findings.append(_missing(missing, len(totals)))
    lines = []
    for line in bom.lines:
        price_of = chosen[line.part.id]
        lines.append(PricedLine(line, price_of.unit_price, price_of.discount_ratio) if price_of else PricedLine(line))
    return PricedBom(bom, tuple(lines), currency, vat_ratio), findings


def _choose(
    offers: list[Price], quantity: int, currency: str, date: str | None, unit: str
) -> tuple[Price | None, list[Finding]]:
    usable: list[Price] = []
    problems: list[Finding] = []
    for offer in offers:
        if offer.quantity_min > quantity:
            problems.append(_too_few(offer, quantity))
        elif offer.unit != unit:
            text = "the price of {part} is per {found}, the bill counts {wanted}; the line stays on request"
            problems.append(_unusable(offer, text, offer.unit, unit))
        elif offer.currency != currency:
            text = "the price of {part} is in {found}, the quote is in {wanted}; the line stays on request"
            problems.append(_unusable(offer, text, offer.currency, currency))
        elif date and offer.valid_until and offer.valid_until < date:
            text = "the price of {part} was valid until {found}, the quote is of {wanted}; the line stays on request"
            problems.append(_unusable(offer, text, offer.valid_until, date))
        elif date and offer.valid_from and offer.valid_from > date:
            text = "the price of {part} is valid from {found} on, the quote is of {wanted}; the line stays on request"
            problems.append(_unusable(offer, text, offer.valid_from, date))
        else:
            usable.append(offer)
    return max(usable, key=lambda offer: offer.quantity_min, default=None), [] if usable else problems


def _unusable(offer: Price, text: str, found: str, wanted: str) -> Finding:
    return finding(
        "BOM090",
        text,
        offer.at,
        severity=Severity.WARNING,
        fix="give a valid price in the currency of the quote, for the unit of the bill",
        part=offer.part,
        found=found,
        wanted=wanted,
    )


def _too_few(offer: Price, quantity: int) -> Finding:
    return finding(
        "BOM090",
        "the price of {part} is from {found} pieces on, the order has {wanted}; the line stays on request",
        offer.at,
        severity=Severity.WARNING,
        fix="add a price for fewer pieces",
        part=offer.part,
        found=offer.quantity_min,
        wanted=quantity,
    )


def _missing(parts: Sequence[str], all_parts: int) -> Finding:
    """One finding for all of them: a list that prices half of an order would bury the report."""
    return finding(
        "BOM097",
        "{count} of {total} parts have no price: {parts}; their lines stay on request",
        severity=Severity.WARNING,
        fix="add them to a price list",
        count=len(parts),
        total=all_parts,
        parts=", ".join(parts[:6]) + (" …" if len(parts) > 6 else ""),
    )
