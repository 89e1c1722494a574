"""What the seller sets beside price lists: rates, discounts, margins, VAT categories, and where the goods go."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rackwright.bom import BomLine
from rackwright.frozen import frozen
from rackwright.pricing.model import Foreign, Rate, rounded
from rackwright.source import Location


@frozen(slots=True)
class Adjustment:
    """A figure for a line, for a part, for a kind of part, or for all; `ratio` or `word` is what it sets."""

    ratio: Decimal = Decimal(0)
    word: str = ""
    reason: str = ""
    line: str | None = None
    part: str | None = None
    kind: str | None = None
    at: Location | None = None

    @property
    def closeness(self) -> int:
        """How close it aims: 3 a line, 2 a part, 1 a kind, 0 all."""
        return 3 if self.line is not None else 2 if self.part is not None else 1 if self.kind is not None else 0

    def concerns(self, line: BomLine) -> bool:
        """Tell whether it aims at a line. What it names more than one of must all fit."""
        return (
            (self.line is None or self.line == line.position)
            and (self.part is None or self.part == line.part.id)
            and (self.kind is None or self.kind in kinds_of(line))
        )


def kinds_of(line: BomLine) -> tuple[str, ...]:
    """The kinds by which a line can be named: its part's, what kind of own item it is, and its role."""
    return tuple(word for word in (line.part.kind, str(line.part.get("service") or ""), line.role) if word)


@frozen(slots=True)
class Terms:
    """All of it. `places` are the country of delivery and its region (`DE`, `EU`), None where not known."""

    rates: tuple[Rate, ...] = ()
    discounts: tuple[Adjustment, ...] = ()
    margins: tuple[Adjustment, ...] = ()
    vat_rules: tuple[Adjustment, ...] = ()
    places: frozenset[str] | None = None


def closest(rules: Sequence[Adjustment], line: BomLine) -> Adjustment | None:
    """The rule that aims closest at a line; of two that aim equally close the later one."""
    best: Adjustment | None = None
    for rule in rules:
        if rule.concerns(line) and (best is None or rule.closeness >= best.closeness):
            best = rule
    return best


def converted(
    amount: Decimal, currency: str, wanted: str, rates: Sequence[Rate]
) -> tuple[Decimal, Foreign | None] | None:
    """Return an amount in the wanted currency, rounded to cents, with the one that it was; None without a rate.

    A rate may be stated either way: 1 EUR = 1.0854 USD serves for prices in USD too.
    """
    if currency == wanted:
        return amount, None
    for rate in rates:
        if (rate.source, rate.target) == (currency, wanted):
            return rounded(amount * rate.rate), Foreign(amount, currency, rate)
        if (rate.source, rate.target) == (wanted, currency):
            return rounded(amount / rate.rate), Foreign(amount, currency, rate)
    return None
