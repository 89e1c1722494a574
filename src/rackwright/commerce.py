"""What a seller offers beside the hardware: taxes, discounts, rates, terms, who sells. Part of a configuration.

Nothing secret belongs here: the configuration travels inside the proposal. What a part costs the seller stands in price
lists, margins in a calculation file (readers/calculation.py).
"""

# Without annotations from __future__: readers need the types themselves (see configuration.py).

from dataclasses import field
from typing import Annotated, Literal

from rackwright.frozen import frozen
from rackwright.limits import IsoDay, Limits, Name, PartId, Ratio, Text, told

# As EN 16931 has them: S standard rate, AE reverse charge, E exempt.
VatCategory = Literal["standard", "reverse_charge", "exempt"]
Currency = Annotated[str, Limits(pattern=r"^[A-Z]{3}$", description="three letters, as in EUR")]
Position = Annotated[str, Limits(pattern=r"^[0-9]+(\.[0-9]+)*$", description="a position of the bill in quotes: '1.3'")]
Rate = Annotated[
    str,
    Limits(pattern=r"^[0-9]{1,9}(\.[0-9]{1,10})?$", description="a rate in quotes, with a point: '1.0854'"),
]


@frozen(kw_only=True)
class Discount:
    """A discount on list prices, of a line, of a part, of a kind of part, or of all. The closest one counts."""

    ratio: Ratio = field(metadata=told("0.15 for 15 %"))
    line: Position | None = field(default=None, metadata=told("a position of the bill, as in '1.3'"))
    part: PartId | None = None
    kind: Name | None = field(default=None, metadata=told("a kind of part: gpu, cpu, memory, service …"))


@frozen(kw_only=True)
class VatRule:
    """The VAT category of a line, of a part, of a kind of part, or of all. The closest one counts."""

    category: VatCategory
    line: Position | None = None
    part: PartId | None = None
    kind: Name | None = None
    reason: Text | None = field(default=None, metadata=told("why, as it must be printed: the paragraph of the law"))


@frozen(kw_only=True)
class ExchangeRate:
    """What one unit of `from_currency` is in `to_currency`; one of the two is the currency of the quote."""

    from_currency: Currency
    to_currency: Currency
    rate: Rate
    date: IsoDay
    origin: Text = field(metadata=told("who published the rate"))


@frozen(kw_only=True)
class Skonto:
    """A discount for early payment."""

    ratio: Ratio
    days: Annotated[int, Limits(ge=0, le=365)]


@frozen(kw_only=True)
class Payment:
    """When the customer pays."""

    days: Annotated[int, Limits(ge=0, le=365)] | None = field(default=None, metadata=told("days net after the invoice"))
    skonto: Annotated[list[Skonto], Limits(max_length=3)] = field(default_factory=list)
    prepayment_ratio: Ratio | None = field(default=None, metadata=told("share that is paid with the order"))
    note: Text | None = None


@frozen(kw_only=True)
class Delivery:
    """Where the goods are handed over, when, and who bears cost and risk until then."""

    incoterm: Literal["EXW", "FCA", "CPT", "CIP", "DAP", "DPU", "DDP", "FAS", "FOB", "CFR", "CIF"] | None = None
    incoterms_year: Annotated[int, Limits(ge=1990, le=2100)] | None = field(
        default=None, metadata=told("edition of the Incoterms: 2020")
    )
    place: Text | None = None
    weeks: Annotated[int, Limits(ge=0, le=260)] | None = field(default=None, metadata=told("weeks after the order"))
    is_partial_allowed: bool | None = None
    note: Text | None = None


@frozen(kw_only=True)
class Warranty:
    """What is answered for: by law (Gewährleistung) or by a promise of seller or maker (Garantie)."""

    kind: Literal["statutory", "seller_guarantee", "maker_guarantee"]
    months: Annotated[int, Limits(ge=0, le=240)] | None = None
    note: Text | None = None


@frozen(kw_only=True)
class Offer:
    """The terms of the offer. What is absent is printed as not stated."""

    is_binding: bool | None = field(
        default=None, metadata=told("true: binding; false: subject to change (freibleibend)")
    )
    binding_until: IsoDay | None = field(default=None, metadata=told("end of the binding period (Bindefrist)"))
    payment: Payment | None = None
    delivery: Delivery | None = None
    warranties: Annotated[list[Warranty], Limits(max_length=6)] = field(default_factory=list)
    is_title_retained: bool | None = field(default=None, metadata=told("goods stay the seller's until they are paid"))
    place_of_performance: Text | None = None
    venue: Text | None = None


@frozen(kw_only=True)
class Seller:
    """Who offers. A house style may say it once for all quotes."""

    name: Text | None = None
    address: Text | None = None
    contact: Text | None = None
    vat_id: Text | None = field(default=None, metadata=told("VAT identification number"))
    weee: Text | None = field(default=None, metadata=told("WEEE registration of the producer: 'WEEE-Reg.-Nr. DE …'"))
    company_register: Text | None = field(default=None, metadata=told("court and number of the commercial register"))
