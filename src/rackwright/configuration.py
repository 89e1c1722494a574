"""What the user asked for. Nothing here is derived; everything not said is decided later and shown, or asked.

The file is described by these records: keys, units and limits. Unknown keys are refused. Places of values in the file
travel beside the records (`ConfigurationFile.locations`), keyed by the path of the value.

They are plain dataclasses: readers check a file against their types and limits, and build pydantic models of them only
where there is something to explain (readers/configuration_shape.py).
"""

# Without annotations from __future__: readers need the types themselves, and evaluating texts would cost 5 ms a start.

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path as FolderPath
from typing import Annotated, Literal

from rackwright.catalog import Part
from rackwright.commerce import Discount, ExchangeRate, Offer, Seller, VatRule
from rackwright.frozen import frozen
from rackwright.limits import Amount, IsoDay, Limits, Name, PartId, Text, told
from rackwright.source import Location, Locations, Path
from rackwright.workloads.shape import SizingLimits, Workload

Redundancy = Annotated[
    str, Limits(pattern=r"^(none|N\+1|N\+N|[0-9]\+[0-9])$", description="none, N+1, N+N, or e.g. 3+1")
]


@frozen(kw_only=True)
class Quote:
    """The head of the documents."""

    number: Name | None = None
    title: Text = "GPU server configuration"
    customer: Text | None = None
    project: Text | None = None
    issuer: Text | None = None
    contact: Text | None = None
    date: IsoDay | None = None
    valid_until: IsoDay | None = None
    language: Annotated[str, Limits(pattern=r"^[a-z]{2}$", description="two letters: en, de")] = "en"
    currency: Annotated[str, Limits(pattern=r"^[A-Z]{3}$", description="three letters, as in EUR")] = "EUR"
    prices: list[Annotated[str, Limits(max_length=200)]] = field(
        default_factory=list, metadata=told("price lists (csv, xlsx, BMEcat xml), relative to this file")
    )
    vat_ratio: Annotated[float, Limits(ge=0, le=1)] | None = field(default=None, metadata=told("the standard rate"))
    vat_rules: Annotated[list[VatRule], Limits(max_length=100)] = field(
        default_factory=list, metadata=told("lines, parts or kinds of another VAT category than standard")
    )
    discounts: Annotated[list[Discount], Limits(max_length=500)] = field(
        default_factory=list, metadata=told("in place of the discounts of price lists")
    )
    exchange_rates: Annotated[list[ExchangeRate], Limits(max_length=20)] = field(
        default_factory=list, metadata=told("for prices in other currencies than that of the quote")
    )
    calculation: Annotated[str, Limits(max_length=200)] | None = field(
        default=None, metadata=told("file with margins (yaml), relative to this file; it never reaches the customer")
    )
    offer: Offer = Offer()
    seller: Seller = Seller()
    house: Annotated[str, Limits(max_length=200)] | None = field(
        default=None, metadata=told("folder of the house style, relative to this file")
    )
    terms: Annotated[list[Text], Limits(max_length=30)] = field(default_factory=list)


@frozen(kw_only=True)
class Feed:
    """A feed of a rack: a PDU on its own circuit. One letter or word a side: A, B."""

    pdu: PartId
    count: Annotated[int, Limits(ge=1, le=12)] = field(
        default=1, metadata=told("equal PDUs side by side on this feed, each on its circuit")
    )
    breaker_a: Annotated[float, Limits(gt=0, le=2_000)]
    voltage_ll_v: Annotated[float, Limits(gt=0, le=1_000)] | None = field(default=None, metadata=told("line to line"))
    voltage_ln_v: Annotated[float, Limits(gt=0, le=1_000)] | None = field(
        default=None, metadata=told("line to neutral")
    )
    wiring: Literal["single", "wye", "delta"] = "single"
    source: Name | None = field(default=None, metadata=told("panel, UPS or busway of the site that it hangs on"))


@frozen(kw_only=True)
class Rack:
    """A rack of the site."""

    id: Name
    part: PartId
    feeds: Annotated[dict[Name, Feed], Limits(max_length=4)] = field(default_factory=dict)
    power_max_w: Annotated[float, Limits(gt=0, le=1_000_000)] | None = field(
        default=None, metadata=told("what the site allows here")
    )
    cooling_max_w: Annotated[float, Limits(gt=0, le=1_000_000)] | None = None
    free_u: Annotated[int, Limits(ge=0, le=60)] | None = field(
        default=None, metadata=told("units that are free for these nodes")
    )
    cable_depth_mm: Annotated[float, Limits(ge=0, le=1_000)] | None = field(
        default=None, metadata=told("space behind the node for cords, cables and PDUs")
    )


@frozen(kw_only=True)
class Source:
    """What feeds of several racks hang on: a panel, a UPS, a busway."""

    id: Name
    power_max_w: Annotated[float, Limits(gt=0, le=100_000_000)] | None = field(
        default=None, metadata=told("what it may deliver continuously")
    )
    current_max_a: Annotated[float, Limits(gt=0, le=10_000)] | None = field(
        default=None, metadata=told("current that each of its lines may carry continuously")
    )


@frozen(kw_only=True)
class Site:
    """Where the nodes will run."""

    region: Literal["eu", "uk", "ch", "na", "jp", "other"] | None = None
    country: Annotated[str, Limits(pattern=r"^[A-Z]{2}$", description="two letters, as in DE")] | None = None
    inlet_c: Annotated[float, Limits(ge=-20, le=80)] | None = field(
        default=None, metadata=told("highest air inlet temperature")
    )
    altitude_m: Annotated[float, Limits(ge=-430, le=6_000)] | None = None
    temperature_rise_c: Annotated[float, Limits(gt=0, le=60)] | None = field(
        default=None, metadata=told("air rise through the node")
    )
    voltage_v: Annotated[float, Limits(gt=0, le=1_000)] | None = field(
        default=None, metadata=told("voltage at the PSU inlets where no rack with feeds is given")
    )
    is_data_centre: bool | None = None
    sources: Annotated[list[Source], Limits(max_length=100)] = field(
        default_factory=list, metadata=told("panels, UPS and busways that feeds name as their source")
    )
    racks: Annotated[list[Rack], Limits(max_length=200)] = field(default_factory=list)


@frozen(kw_only=True)
class PartLine:
    """A part and how many of it go in one node."""

    part: PartId
    count: Annotated[int, Limits(ge=1, le=1_000)] = 1
    slot: Name | None = field(default=None, metadata=told("slot of a single card"))
    slots: Annotated[list[Name], Limits(max_length=64)] | None = field(
        default=None, metadata=told("slots of several cards, in their order")
    )
    bay: Name | None = None
    feed: Name | None = field(default=None, metadata=told("PSU: the feed of the rack that it is plugged into"))
    cap_w: Annotated[float, Limits(gt=0, le=10_000)] | None = field(
        default=None, metadata=told("power cap that will be set on each card")
    )
    is_factory_fitted: bool = True
    note: Text | None = None


@frozen(kw_only=True)
class Node:
    """One kind of server, `count` times."""

    id: Name
    title: Text | None = None
    count: Annotated[int, Limits(ge=1, le=10_000)] = 1
    rack: Name | None = None
    racks: list[Name] | None = field(default=None, metadata=told("racks over which the nodes may be spread"))
    unit: Annotated[int, Limits(ge=1, le=60)] | None = field(
        default=None, metadata=told("lowest rack unit of the first node")
    )
    chassis: PartId
    mode: Name | None = None
    redundancy: Redundancy | None = field(default=None, metadata=told("what the power supplies must survive"))
    parts: Annotated[list[PartLine], Limits(max_length=200)] = field(default_factory=list)
    memory_gb: Annotated[float, Limits(gt=0, le=1_000_000)] | None = field(
        default=None,
        metadata=told("main memory that the order or the record states in all, to be compared with the modules"),
    )
    is_list_complete: bool | None = field(
        default=None,
        metadata=told(
            "false: the list is what is known of a published or running system, and parts that it does not name may be "
            "there; absent: it is complete if it names processors, memory and power supplies"
        ),
    )
    bridged: Annotated[list[Annotated[list[Name], Limits(min_length=2)]], Limits(max_length=16)] | None = field(
        default=None, metadata=told("groups of slots to be joined by NVLink")
    )
    allowance_w: Annotated[float, Limits(ge=0, le=50_000)] | None = field(
        default=None,
        metadata=told("your own figure for everything whose draw no maker states (fans, board, modules, drives)"),
    )
    idle_w: Annotated[float, Limits(ge=0, le=100_000)] | None = field(
        default=None, metadata=told("your own measured input power of one node at rest, at the mains")
    )
    workload: Workload | None = None


@frozen(kw_only=True)
class Waiver:
    """A finding that somebody accepts. Shown in every document; unused or expired ones are findings themselves."""

    rule: Annotated[
        str,
        Limits(
            pattern=r"^([A-Z]{3}[0-9]{3}|[a-z0-9./-]+#[a-z0-9-]+)$",
            max_length=120,
            description="id of a rule (PWR003) or of a part's own constraint (hpe/dl380a-gen12#gpu-cable-kit)",
        ),
    ]
    at: Annotated[str, Limits(max_length=120)] | None = field(
        default=None, metadata=told("subject, e.g. a node; absent = everywhere")
    )
    reason: Annotated[str, Limits(min_length=5, max_length=400)]
    by: Text
    until: IsoDay


@frozen(kw_only=True)
class Extra:
    """A part or service that belongs to the order as a whole, not to a node: of the catalog, or named here."""

    part: PartId | None = None
    id: Name | None = field(default=None, metadata=told("of an own item, as price lists name it: own/<id>"))
    title: Text | None = field(default=None, metadata=told("an own item that no catalog has: installation, support …"))
    service: Literal["installation", "support", "training", "transport", "other"] | None = field(
        default=None, metadata=told("what kind of own item it is")
    )
    unit: Literal["each", "hour", "day", "year"] | None = field(default=None, metadata=told("unit of an own item"))
    unit_price: Amount | None = field(default=None, metadata=told("net price of one unit in the currency of the quote"))
    count: Annotated[int, Limits(ge=1, le=10_000)] = 1
    role: Literal["item", "spare", "option", "alternative"] = field(
        default="item", metadata=told("options and alternatives are priced, but in no total and in no check")
    )
    instead_of: Text | None = field(default=None, metadata=told("of an alternative: what it would replace"))
    months: Annotated[int, Limits(ge=1, le=240)] | None = field(default=None, metadata=told("term of support"))
    note: Text | None = None


@frozen(kw_only=True)
class Operation:
    """What running the nodes costs. Nothing here is checked; it is only worked out."""

    tariff_per_kwh: Annotated[float, Limits(ge=0, le=100)] | None = field(
        default=None, metadata=told("price of a kWh in the currency of the quote")
    )
    pue_ratio: Annotated[float, Limits(ge=1, le=5)] | None = field(
        default=None, metadata=told("consumption of the whole room by that of its servers")
    )
    utilisation_ratio: Annotated[float, Limits(ge=0, le=1)] | None = field(
        default=None, metadata=told("share of the time at peak draw")
    )
    years: Annotated[float, Limits(gt=0, le=30)] | None = field(
        default=None, metadata=told("years over which the price is spread")
    )
    tokens_per_s: Annotated[float, Limits(gt=0, le=1_000_000_000)] | None = field(
        default=None, metadata=told("tokens that the whole order yields each second at peak draw")
    )


@frozen(kw_only=True)
class Configuration:
    """The whole request."""

    quote: Quote = Quote()
    site: Site = Site()
    operation: Operation | None = None
    policy: Name | None = None
    policies: dict[Annotated[str, Limits(max_length=60)], float | bool | str] = field(
        default_factory=dict, metadata=told("limits that are a choice, by their documented name")
    )
    nodes: Annotated[list[Node], Limits(min_length=1, max_length=500)]
    extras: Annotated[list[Extra], Limits(max_length=500)] = field(default_factory=list)
    waivers: Annotated[list[Waiver], Limits(max_length=200)] = field(default_factory=list)


@frozen(kw_only=True)
class SizingRequest:
    """A workload alone: what is to be done and within which limits, before there is a node for it."""

    quote: Quote = Quote()
    site: Site = Site()
    operation: Operation | None = None
    policy: Name | None = None
    policies: dict[Annotated[str, Limits(max_length=60)], float | bool | str] = field(
        default_factory=dict, metadata=told("limits that are a choice, by their documented name")
    )
    workload: Workload
    limits: SizingLimits = SizingLimits()


@frozen(slots=True)
class SizingFile:
    """A sizing request with the places of its values and the file's own text. `folder` is where the file is.

    A request that was put together from the options of a command has no places; `locations.file` says so.
    """

    request: SizingRequest
    locations: Locations
    text: str = ""
    folder: FolderPath = FolderPath()
    models: Mapping[str, Part] = field(default_factory=dict)

    def at(self, path: Path) -> Location:
        """Return the place of a value in the user's file."""
        return self.locations.at(path)


@frozen(slots=True)
class ConfigurationFile:
    """A configuration with the places of its values and the file's own text (for carets, and attached to the PDF).

    `folder` is where the file is: the files that it names are in there. `models` are the config.json among them.
    """

    configuration: Configuration
    locations: Locations
    text: str = ""
    sha256: str = ""
    folder: FolderPath = FolderPath()
    models: Mapping[str, Part] = field(default_factory=dict)

    def at(self, path: Path) -> Location:
        """Return the place of a value in the user's file."""
        return self.locations.at(path)
