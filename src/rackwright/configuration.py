"""What the user asked for. Nothing here is derived; everything not said is decided later and shown, or asked.

The file is described by these models: keys, units and limits. Places of values in the file travel beside the
model (`ConfigurationFile.locations`), keyed by the path of the value.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rackwright.source import Location, Locations, Path

_ISO_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def is_iso_day(text: str) -> bool:
    """Tell whether `text` is a day of the calendar, written as 2026-12-01."""
    try:
        return re.match(_ISO_DAY, text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def _checked_day(text: str) -> str:
    if not is_iso_day(text):
        raise ValueError(f"the calendar has no day {text}")
    return text


Name = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$",
        max_length=40,
        description="letters, digits, spaces, dots, dashes and underscores; it begins with a letter or digit",
    ),
]
PartId = Annotated[str, Field(min_length=3, max_length=100)]
Text = Annotated[str, Field(max_length=400)]
IsoDay = Annotated[
    str,
    Field(pattern=_ISO_DAY, description="ISO date in quotes: '2026-12-01'"),
    AfterValidator(_checked_day),
]
Redundancy = Annotated[
    str, Field(pattern=r"^(none|N\+1|N\+N|[0-9]\+[0-9])$", description="none, N+1, N+N, or e.g. 3+1")
]


class Record(BaseModel):
    """Base: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Quote(Record):
    """The head of the documents."""

    number: Name | None = None
    title: Text = "GPU server configuration"
    customer: Text | None = None
    project: Text | None = None
    issuer: Text | None = None
    contact: Text | None = None
    date: IsoDay | None = None
    valid_until: IsoDay | None = None
    language: Literal["en", "de"] = "en"
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="three letters, as in EUR")] = "EUR"
    prices: list[Annotated[str, Field(max_length=200)]] = Field(
        default_factory=list, description="price lists (csv), relative to this file"
    )
    vat_ratio: Annotated[float, Field(ge=0, le=1)] | None = None
    terms: list[Text] = Field(default_factory=list, max_length=30)


class Feed(Record):
    """A feed of a rack: a PDU on its own circuit. One letter or word a side: A, B."""

    pdu: PartId
    count: Annotated[int, Field(ge=1, le=12)] = Field(
        1, description="equal PDUs side by side on this feed, each on its circuit"
    )
    breaker_a: Annotated[float, Field(gt=0, le=2_000)]
    voltage_ll_v: Annotated[float, Field(gt=0, le=1_000)] | None = Field(None, description="line to line")
    voltage_ln_v: Annotated[float, Field(gt=0, le=1_000)] | None = Field(None, description="line to neutral")
    wiring: Literal["single", "wye", "delta"] = "single"


class Rack(Record):
    """A rack of the site."""

    id: Name
    part: PartId
    feeds: dict[Name, Feed] = Field(default_factory=dict, max_length=4)
    power_max_w: Annotated[float, Field(gt=0, le=1_000_000)] | None = Field(
        None, description="what the site allows here"
    )
    cooling_max_w: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    free_u: Annotated[int, Field(ge=0, le=60)] | None = Field(None, description="units that are free for these nodes")
    cable_depth_mm: Annotated[float, Field(ge=0, le=1_000)] | None = Field(
        None, description="space behind the node for cords, cables and PDUs"
    )


class Site(Record):
    """Where the nodes will run."""

    region: Literal["eu", "uk", "ch", "na", "jp", "other"] | None = None
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$", description="two letters, as in DE")] | None = None
    inlet_c: Annotated[float, Field(ge=-20, le=80)] | None = Field(None, description="highest air inlet temperature")
    altitude_m: Annotated[float, Field(ge=-430, le=6_000)] | None = None
    temperature_rise_c: Annotated[float, Field(gt=0, le=60)] | None = Field(
        None, description="air rise through the node"
    )
    voltage_v: Annotated[float, Field(gt=0, le=1_000)] | None = Field(
        None, description="voltage at the PSU inlets where no rack with feeds is given"
    )
    is_data_centre: bool | None = None
    racks: list[Rack] = Field(default_factory=list, max_length=200)


class PartLine(Record):
    """A part and how many of it go in one node."""

    part: PartId
    count: Annotated[int, Field(ge=1, le=1_000)] = 1
    slot: Name | None = Field(None, description="slot of a single card")
    slots: list[Name] | None = Field(None, max_length=64, description="slots of several cards, in their order")
    bay: Name | None = None
    feed: Name | None = Field(None, description="PSU: the feed of the rack that it is plugged into")
    cap_w: Annotated[float, Field(gt=0, le=10_000)] | None = Field(
        None, description="power cap that will be set on each card"
    )
    is_factory_fitted: bool = True
    note: Text | None = None


class Workload(Record):
    """What the node is for. Sizing reads it; rules check that what was chosen carries it."""

    task: Literal["llm-inference", "fine-tuning", "training", "rendering", "vdi", "mixed"]
    model: Text | None = None
    parameters_billion: Annotated[float, Field(gt=0, le=100_000)] | None = None
    bits_per_weight: Annotated[float, Field(gt=0, le=64)] | None = None
    memory_gb: Annotated[float, Field(gt=0, le=1_000_000)] | None = Field(
        None, description="video memory that the task needs in all, with cache and reserve"
    )
    memory_per_gpu_gb: Annotated[float, Field(gt=0, le=10_000)] | None = Field(
        None, description="video memory that one GPU must have, because the task cannot be split further"
    )
    users: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    is_split_over_gpus: bool | None = Field(None, description="true: one model is spread over the GPUs of the node")
    note: Text | None = None


class Node(Record):
    """One kind of server, `count` times."""

    id: Name
    title: Text | None = None
    count: Annotated[int, Field(ge=1, le=10_000)] = 1
    rack: Name | None = None
    racks: list[Name] | None = Field(None, description="racks over which the nodes may be spread")
    unit: Annotated[int, Field(ge=1, le=60)] | None = Field(None, description="lowest rack unit of the first node")
    chassis: PartId
    mode: Name | None = None
    redundancy: Redundancy | None = Field(None, description="what the power supplies must survive")
    parts: list[PartLine] = Field(default_factory=list, max_length=200)
    bridged: list[Annotated[list[Name], Field(min_length=2)]] | None = Field(
        None, max_length=16, description="groups of slots to be joined by NVLink"
    )
    allowance_w: Annotated[float, Field(ge=0, le=50_000)] | None = Field(
        None, description="your own figure for everything whose draw no maker states (fans, board, modules, drives)"
    )
    workload: Workload | None = None


class Waiver(Record):
    """A finding that somebody accepts. Shown in every document; unused or expired ones are findings themselves."""

    rule: Annotated[
        str,
        Field(
            pattern=r"^([A-Z]{3}[0-9]{3}|[a-z0-9./-]+#[a-z0-9-]+)$",
            max_length=120,
            description="id of a rule (PWR003) or of a part's own constraint (hpe/dl380a-gen12#gpu-cable-kit)",
        ),
    ]
    at: Annotated[str, Field(max_length=120)] | None = Field(
        None, description="subject, e.g. a node; absent = everywhere"
    )
    reason: Annotated[str, Field(min_length=5, max_length=400)]
    by: Text
    until: IsoDay


class Extra(Record):
    """A part or service that belongs to the order as a whole, not to a node."""

    part: PartId
    count: Annotated[int, Field(ge=1, le=10_000)] = 1
    note: Text | None = None


class Configuration(Record):
    """The whole request."""

    quote: Quote = Quote()
    site: Site = Site()
    policy: Name | None = None
    policies: dict[Annotated[str, Field(max_length=60)], float | bool | str] = Field(
        default_factory=dict, description="limits that are a choice, by their documented name"
    )
    nodes: list[Node] = Field(min_length=1, max_length=500)
    extras: list[Extra] = Field(default_factory=list, max_length=500)
    waivers: list[Waiver] = Field(default_factory=list, max_length=200)


@dataclass(frozen=True, slots=True)
class ConfigurationFile:
    """A configuration with the places of its values and the file's own text (for carets, and attached to the PDF)."""

    configuration: Configuration
    locations: Locations
    text: str = ""
    sha256: str = field(default="")

    def at(self, path: Path) -> Location:
        """Return the place of a value in the user's file."""
        return self.locations.at(path)
