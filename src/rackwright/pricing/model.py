"""Prices, lines with prices, and their totals. Money is Decimal everywhere; there is one rounding rule.

Rounding: a unit price is rounded to cents, half up, where it arises (a price that was converted, the net price after
discount or from cost and margin). Line totals are that price times the quantity and need no rounding. VAT is rounded
once a category, on the sum of its lines. A line without a price makes the total incomplete: it never counts as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from rackwright.bom import Bom, BomLine
from rackwright.frozen import frozen
from rackwright.source import Location

CENT = Decimal("0.01")
STANDARD, REVERSE_CHARGE, EXEMPT = "standard", "reverse_charge", "exempt"
VAT_CATEGORIES = (STANDARD, REVERSE_CHARGE, EXEMPT)


@frozen(slots=True)
class Trade:
    """What somebody states of a part for customs and export; empty texts are not stated.

    `hs_codes` and `origin` may hold several, separated by spaces. `export_class` is as `stated_by` states it, as of
    `as_of` (ISO day): it is never derived.
    """

    hs_codes: str = ""
    origin: str = ""
    export_class: str = ""
    stated_by: str = ""
    as_of: str = ""


@frozen(slots=True)
class Price:
    """A price of a list: unit price in a currency, from a quantity on, with a discount and a validity.

    `unit` is what one piece is: each, or for services hour, day, year. `valid_from` and `valid_until` are ISO days,
    both included. `territory` are countries (`DE`) or regions (`EU`) for which it holds, empty = everywhere.
    `unit_price` is what the customer pays before discount, None where the list has the seller's cost alone; `cost` is
    what the seller pays. `margin_ratio` is the share of the selling price that is not cost.
    """

    part: str
    unit_price: Decimal | None
    currency: str
    quantity_min: int = 1
    discount_ratio: Decimal = Decimal(0)
    valid_until: str | None = None
    at: Location | None = None
    unit: str = "each"
    valid_from: str | None = None
    territory: tuple[str, ...] = ()
    cost: Decimal | None = None
    margin_ratio: Decimal | None = None
    vat: str | None = None
    lead_time_days: int | None = None
    supplier_number: str = ""
    trade: Trade = Trade()


@frozen(slots=True)
class Rate:
    """One unit of `source` is `rate` units of `target`, as `origin` published it on `date` (ISO)."""

    source: str
    target: str
    rate: Decimal
    date: str
    origin: str


@frozen(slots=True)
class Foreign:
    """An amount in the currency in which it was stated, with the rate by which it was converted."""

    amount: Decimal
    currency: str
    rate: Rate


@frozen(slots=True)
class PricedLine:
    """A line of the bill with its price; `list_unit` None = on request.

    Before discount `list_unit` is what the customer sees: the price of the list, or the selling price itself where it
    was made from cost and margin. `foreign` is the price of the list in its own currency. `cost_unit` and
    `foreign_cost` are the seller's, for documents that stay inside.
    """

    line: BomLine
    list_unit: Decimal | None = None
    discount_ratio: Decimal = Decimal(0)
    vat_category: str = STANDARD
    vat_reason: str = ""
    is_offered: bool = False
    foreign: Foreign | None = None
    cost_unit: Decimal | None = None
    foreign_cost: Foreign | None = None
    margin_wanted: Decimal | None = None
    price: Price | None = None

    @property
    def net_unit(self) -> Decimal | None:
        """Unit price after discount, rounded to cents."""
        return None if self.list_unit is None else rounded(self.list_unit * (1 - self.discount_ratio))

    @property
    def net_total(self) -> Decimal | None:
        """Net unit price times total quantity."""
        return None if self.net_unit is None else self.net_unit * self.line.total

    @property
    def is_included(self) -> bool:
        """The price is zero: the item is part of what another line costs."""
        return self.list_unit is not None and self.net_unit == 0

    @property
    def cost_total(self) -> Decimal | None:
        """Cost times total quantity."""
        return None if self.cost_unit is None else self.cost_unit * self.line.total


@frozen(slots=True)
class VatGroup:
    """The lines of a VAT category: their net sum, the rate (0 where no tax is charged) and the tax. None = no rate."""

    category: str
    base: Decimal
    ratio: Decimal | None
    tax: Decimal | None
    reasons: tuple[str, ...] = ()


@frozen(slots=True)
class PricedBom:
    """A bill with prices. `subtotal` counts what has a price; `is_complete` says whether every line has one.

    Options and alternatives are among `lines`, and in no sum.
    """

    bom: Bom
    lines: tuple[PricedLine, ...]
    currency: str
    vat_ratio: Decimal | None = None
    has_lists: bool = False
    margin_min_ratio: Decimal | None = None

    @property
    def ordered(self) -> list[PricedLine]:
        """The lines that are ordered: all but options and alternatives."""
        return [line for line in self.lines if not line.is_offered]

    @property
    def is_complete(self) -> bool:
        """Every line has a price."""
        return all(line.list_unit is not None for line in self.ordered)

    @property
    def is_fit_to_offer(self) -> bool:
        """Either nobody asked for prices, or every line that is ordered or offered has one."""
        is_asked = self.has_lists or any(line.list_unit is not None for line in self.lines)
        return not is_asked or all(line.list_unit is not None for line in self.lines)

    @property
    def has_prices(self) -> bool:
        """At least one line has a price."""
        return any(line.list_unit is not None for line in self.ordered)

    @property
    def subtotal(self) -> Decimal:
        """Net total of all priced lines."""
        return sum((line.net_total for line in self.ordered if line.net_total is not None), Decimal("0.00"))

    @property
    def vat_groups(self) -> tuple[VatGroup, ...]:
        """The sums by VAT category, in a fixed order; a category without lines is left out."""
        return tuple(
            self._vat_group(category, [line for line in self.ordered if line.vat_category == category])
            for category in VAT_CATEGORIES
            if any(line.vat_category == category for line in self.ordered)
        )

    def _vat_group(self, category: str, lines: Sequence[PricedLine]) -> VatGroup:
        base = sum((line.net_total for line in lines if line.net_total is not None), Decimal("0.00"))
        ratio = self.vat_ratio if category == STANDARD else Decimal(0)
        reasons = tuple(dict.fromkeys(line.vat_reason for line in lines if line.vat_reason))
        return VatGroup(category, base, ratio, None if ratio is None else rounded(base * ratio), reasons)

    @property
    def vat(self) -> Decimal | None:
        """VAT of all categories, None where a category that is taxed has no rate."""
        taxes = [group.tax for group in self.vat_groups]
        known = [tax for tax in taxes if tax is not None]
        return sum(known, Decimal("0.00")) if taxes and len(known) == len(taxes) else None

    @property
    def total(self) -> Decimal:
        """Subtotal and VAT."""
        return self.subtotal + (self.vat or Decimal("0.00"))

    @property
    def rates(self) -> tuple[Rate, ...]:
        """The exchange rates of prices that the customer sees, each once."""
        return tuple(dict.fromkeys(line.foreign.rate for line in self.lines if line.foreign is not None))

    def of_group(self, position: str) -> list[PricedLine]:
        """Return the priced lines of one group."""
        return [line for line in self.lines if line.line.position.partition(".")[0] == position]


def rounded(amount: Decimal) -> Decimal:
    """Round to cents, half up."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)
