"""Puts prices on a bill: which price of several counts, and what it is after rates, discounts and margins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from rackwright.bom import Bom, BomLine
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.pricing.model import STANDARD, Foreign, Price, PricedBom, PricedLine, rounded
from rackwright.pricing.terms import Adjustment, Terms, closest, converted

_NO_TERMS = Terms()


def price_bom(
    bom: Bom,
    prices: Sequence[Price],
    currency: str,
    *,
    date: str | None = None,
    vat_ratio: Decimal | None = None,
    terms: Terms = _NO_TERMS,
    margin_min_ratio: Decimal | None = None,
) -> tuple[PricedBom, list[Finding]]:
    """Put prices on a bill: per part the entry with the highest minimum quantity that the order reaches.

    Of two with the same quantity the one for the country of delivery counts before one for everywhere. `date` is the
    date of the quote (ISO). Prices in a currency without a rate, for another unit or territory, and prices that are not
    valid on that date are not used; where a part has no other price, each is a finding. Parts without a price stay on
    request; where there is a list, they are a finding. Options do not add to the quantity of what is ordered.
    """
    findings: list[Finding] = []
    by_part: dict[str, list[Price]] = {}
    for price in prices:
        by_part.setdefault(price.part, []).append(price)
    ordered: dict[str, int] = {}
    for line in bom.ordered:
        ordered[line.part.id] = ordered.get(line.part.id, 0) + line.total
    offered = {line.position for group in bom.groups if group.is_offered for line in group.lines}
    choice = _Choice(currency, date, terms)
    lines: list[PricedLine] = []
    for line in bom.lines:
        is_offered = line.position in offered
        total = line.total if is_offered else ordered[line.part.id]
        lines.append(choice.line(line, by_part.get(line.part.id, []), total, is_offered=is_offered))
    findings += choice.findings
    known = {line.part.id for line in bom.lines if line.own_price is not None} | by_part.keys()
    missing = [part for part in dict.fromkeys(line.part.id for line in bom.lines) if part not in known]
    if prices and missing:
        findings.append(_missing(missing, len({line.part.id for line in bom.lines})))
    return PricedBom(bom, tuple(lines), currency, vat_ratio, bool(prices), margin_min_ratio), findings


class _Choice:
    """The choice for one quote; findings are collected, each once."""

    def __init__(self, currency: str, date: str | None, terms: Terms) -> None:
        self.currency, self.date, self.terms = currency, date, terms
        self._findings: dict[tuple[str, str, str], Finding] = {}

    @property
    def findings(self) -> list[Finding]:
        """What was found, in the order of the lines."""
        return list(self._findings.values())

    def _tell(self, items: Sequence[Finding]) -> None:
        for item in items:
            self._findings.setdefault((item.code, str(item.message), str(item.at)), item)

    def line(self, line: BomLine, offers: Sequence[Price], quantity: int, *, is_offered: bool) -> PricedLine:
        """Return a line with its price."""
        vat = closest(self.terms.vat_rules, line)
        category, reason = (vat.word, vat.reason) if vat is not None else (STANDARD, "")
        plain = PricedLine(line, vat_category=category, vat_reason=reason, is_offered=is_offered)
        chosen = self._choose(offers, quantity, str(line.part.get("unit") or "each"))
        if line.own_price is not None:
            return self._own(plain, chosen, vat is None)
        return plain if chosen is None else self._priced(plain, chosen, vat is None)

    def _own(self, plain: PricedLine, listed: Price | None, takes_vat: bool) -> PricedLine:
        """A price that the user wrote is net: no discount and no margin changes it. A list may add what it costs."""
        known = replace(listed, unit_price=None, margin_ratio=None) if listed else Price(plain.line.part.id, None, "")
        cost = self._converted(known.cost, known)
        return replace(
            plain,
            list_unit=Decimal(str(plain.line.own_price)),
            vat_category=known.vat if takes_vat and known.vat else plain.vat_category,
            cost_unit=cost[0] if cost else None,
            foreign_cost=cost[1] if cost else None,
            price=known,
        )

    def _priced(self, plain: PricedLine, price: Price, takes_vat: bool) -> PricedLine:
        """Apply rates, then the closest of discounts and margins; at equal distance the discount of the list counts."""
        line, terms = plain.line, self.terms
        category = price.vat if takes_vat and price.vat else plain.vat_category
        amount, cost = self._converted(price.unit_price, price), self._converted(price.cost, price)
        discount, margin = closest(terms.discounts, line), closest(terms.margins, line)
        if discount is not None and margin is not None:
            discount, margin = self._closer(line, discount, margin)
        wanted = margin.ratio if margin is not None else price.margin_ratio if discount is None else None
        list_unit, foreign = amount or (None, None)
        ratio = discount.ratio if discount is not None else price.discount_ratio
        if wanted is not None and cost is not None:
            list_unit, foreign, ratio = rounded(cost[0] / (1 - wanted)), None, Decimal(0)
        elif list_unit is None:
            self._tell([_no_selling_price(price)])
        return PricedLine(
            line, list_unit, ratio, category, plain.vat_reason, plain.is_offered, foreign,
            cost[0] if cost else None, cost[1] if cost else None, wanted, price,
        )  # fmt: skip

    def _converted(self, amount: Decimal | None, price: Price) -> tuple[Decimal, Foreign | None] | None:
        return None if amount is None else converted(amount, price.currency, self.currency, self.terms.rates)

    def _closer(
        self, line: BomLine, discount: Adjustment, margin: Adjustment
    ) -> tuple[Adjustment | None, Adjustment | None]:
        if discount.closeness == margin.closeness:
            self._tell([_both(line, margin)])
        return (discount, None) if discount.closeness >= margin.closeness else (None, margin)

    def _choose(self, offers: Sequence[Price], quantity: int, unit: str) -> Price | None:
        usable: list[Price] = []
        problems: list[Finding] = []
        for offer in offers:
            problem = self._problem(offer, quantity, unit)
            if problem is None:
                usable.append(offer)
            else:
                problems.append(problem)
        if not usable:
            self._tell(problems)
        return max(usable, key=lambda offer: (offer.quantity_min, bool(offer.territory)), default=None)

    def _problem(self, offer: Price, quantity: int, unit: str) -> Finding | None:
        """Say why an offer cannot be used."""
        date, places = self.date, self.terms.places
        if offer.quantity_min > quantity:
            return _too_few(offer, quantity)
        if offer.unit != unit:
            text = "the price of {part} is per {found}, the bill counts {wanted}; the line stays on request"
            return _unusable(offer, text, offer.unit, unit)
        if converted(Decimal(0), offer.currency, self.currency, self.terms.rates) is None:
            text = "the price of {part} is in {found}, the quote is in {wanted}; the line stays on request"
            return _unusable(offer, text, offer.currency, self.currency)
        if offer.territory and not places:
            text = "the price of {part} is for {found}, the country of delivery is not known; the line stays on request"
            return _unusable(offer, text, ", ".join(offer.territory), "")
        if offer.territory and places and places.isdisjoint(offer.territory):
            text = "the price of {part} is for {found}, the delivery goes to {wanted}; the line stays on request"
            return _unusable(offer, text, ", ".join(offer.territory), ", ".join(sorted(places)))
        if date and offer.valid_until and offer.valid_until < date:
            text = "the price of {part} was valid until {found}, the quote is of {wanted}; the line stays on request"
            return _unusable(offer, text, offer.valid_until, date)
        if date and offer.valid_from and offer.valid_from > date:
            text = "the price of {part} is valid from {found} on, the quote is of {wanted}; the line stays on request"
            return _unusable(offer, text, offer.valid_from, date)
        return None


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


def _no_selling_price(offer: Price) -> Finding:
    return finding(
        "BOM098",
        "the list has no selling price for {part}; the line stays on request",
        offer.at,
        severity=Severity.WARNING,
        fix="add a price for the customer, or say in the calculation how it is made",
        part=offer.part,
    )


def _both(line: BomLine, margin: Adjustment) -> Finding:
    return finding(
        "BOM099",
        "the price of line {line} is set twice, equally close; the discount counts",
        margin.at,
        fix="keep one of the two",
        line=line.position,
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
