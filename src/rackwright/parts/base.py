"""What every part file has: identity, lifecycle, sources, evidence per figure, and constraints."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticKnownError

from rackwright.source import Grade

PartId = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+([.-][a-z0-9]+)*$",
        max_length=100,
        description="vendor/part, in small letters, as the path of the part file below catalog/<kind>/",
        examples=["nvidia/l40s"],
    ),
]
Title = Annotated[str, Field(min_length=2, max_length=120)]
IsoDate = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$",
        description="ISO date in quotes: '2026-12-01'",
        examples=["2026-12-01", "2026-12", "2026"],
    ),
]
CountryCode = Annotated[str, Field(pattern=r"^[A-Z]{2}$", examples=["DE", "TW"])]
WebAddress = Annotated[str, Field(pattern=r"^https?://", examples=["https://acme.example/declarations"])]
CableLevel = Annotated[str, Field(pattern=r"^[1-9][0-9]{1,3}$", examples=["300", "450"])]
Watts = Annotated[float, Field(ge=0, le=200_000)]
Volts = Annotated[float, Field(gt=0, le=1_000)]
Amps = Annotated[float, Field(gt=0, le=2_000)]
Millimetres = Annotated[float, Field(gt=0, le=5_000)]
Kilograms = Annotated[float, Field(ge=0, le=5_000)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Lanes = Annotated[int, Field(ge=0, le=1_024)]
PcieGeneration = Annotated[
    int, Field(ge=1, le=7, description="PCI Express generation as a whole number: 4 for PCIe 4.0")
]


def no_flag(value: Any) -> Any:
    """Refuse `true` where 1 is a choice: to Python they are equal, to JSON Schema they are not."""
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


class Shape(BaseModel):
    """Base of all nested records of a part: unknown keys are refused, values never change.

    Strict, so that a file means the same to this model and to its JSON Schema: a text such as "350" is no number.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class Source(Shape):
    """A document that figures were read from."""

    doc: str = Field(min_length=2, description="title of the document, as printed on it")
    number: str | None = Field(None, description="the maker's document number and revision")
    date: IsoDate | None = Field(None, description="date of the document")
    read: IsoDate | None = Field(None, description="when the figures were read from it")
    url: str | None = Field(
        None,
        pattern=r"^https?://",
        description="where the document is published",
        examples=["https://acme.example/x100.pdf"],
    )
    origin: str | None = Field(None, description="for a restatement: the maker's document that it restates")


class OtherFigure(Shape):
    """What another source says of the same figure, where it differs."""

    source: str = Field(description="key of an entry of `sources`")
    value: float | str | bool = Field(description="the figure as that source has it, in the unit of the field")
    where: str | None = Field(None, description="page, table or section")
    note: str | None = Field(None, description="why it was not taken")


class Evidence(Shape):
    """Which source states a figure, where in it, and how far it can be trusted."""

    source: str = Field(description="key of an entry of `sources`")
    grade: Annotated[Grade, Field(strict=False)] = Field(
        description="vendor: the maker's text was read; measured: a published running system; transcribed: restated "
        "with its origin; secondary: press or reseller; unverified: a rumour, which counts as not known"
    )
    where: str | None = Field(None, description="page, table or section")
    note: str | None = Field(None, description="conversion, doubt or conflict with another source")
    others: list[OtherFigure] | None = Field(None, description="figures of other sources that differ")


class Lifecycle(Shape):
    """Where the part stands in its sales life."""

    status: Literal["announced", "active", "end_of_sale", "end_of_life"] | None = Field(
        None, description="state of sale"
    )
    announced: IsoDate | None = Field(None, description="day or month of the announcement")
    end_of_sale: IsoDate | None = Field(None, description="last day of sale")
    replaced_by: PartId | None = Field(None, description="part that takes its place")


class ExportClass(Shape):
    """An entry of a control list under which the maker classifies the part, as of a day. Never derived."""

    regime: str = Field(min_length=2, max_length=60, description="the list: US CCL, EU 2021/821 Annex I …")
    code: str = Field(min_length=2, max_length=40, description="number of the entry as the maker states it: 5A992.c")
    as_of: IsoDate = Field(description="day of the maker's statement")


class Trade(Shape):
    """What the maker states for customs and export, and where its declarations are."""

    hs_codes: dict[CountryCode, str] | None = Field(
        None, description="customs tariff number by country or region: {EU: '8473 30 80', US: '8473.30.1180'}"
    )
    origin: list[CountryCode] | None = Field(
        None, description="countries of origin, two letters each"
    )
    export: list[ExportClass] | None = Field(None, description="export control classes")
    declarations: (
        dict[Literal["ce", "rohs", "reach", "weee", "ecodesign"], WebAddress] | None
    ) = Field(None, description="where the maker publishes its declarations")


class ConstraintClause(Shape):
    """One condition that must hold, with the sentence that is shown when it does not."""

    that: str = Field(description="condition that must hold")
    message: str = Field(description="sentence that is shown when it does not; figures in {…}")


class ConstraintAdds(Shape):
    """A part that must come along, and how many of it."""

    part: PartId
    quantity: str = Field(description="expression for the number of pieces")
    reason: str = Field(description="why the part must come along")


class ConstraintSource(Shape):
    """Where the maker states the constraint."""

    id: str | None = Field(None, description="key of an entry of `sources`")
    where: str | None = Field(None, description="page, table or section")


class Given(Shape):
    """The made-up facts of a case."""

    node: dict[str, Any] = Field(default_factory=dict, description="facts of the node, as docs/facts.md names them")
    policy: dict[str, Any] = Field(default_factory=dict, description="limits of the policy that are not the default")


class ConstraintCase(Shape):
    """A made-up node and the verdict that the constraint must give on it."""

    name: str = Field(description="name of the case, which says what it shows: exactly_at_the_limit")
    given: Given = Field(default_factory=Given, description="made-up facts: {node: {gpus: [{id: g1}]}}")
    expect: Literal["pass", "fail", "unknown", "not_applicable"] = Field(description="verdict that is expected")
    message: str | None = Field(None, description="sentence that a failure must show")
    missing: list[str] | None = Field(None, description="facts that must be missing for an unknown")


class Constraint(Shape):
    """A rule that this part owns: the maker's own configuration rule, in the rule language (docs/guides)."""

    id: str = Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$",
        description="name of the constraint within the part, in small letters",
        examples=["gpu-cable-kit"],
    )
    title: str | None = Field(None, description="one line that says what must hold")
    severity: Literal["error", "warning", "advice"] = Field(
        "error",
        description="error: it does not work; warning: worse than expected or not qualified; advice: worth knowing",
    )
    when: str | None = Field(None, description="condition under which the constraint applies; absent = always")
    require: str | list[ConstraintClause] | None = Field(
        None, description="condition that must hold, or a list of conditions with messages"
    )
    message: str | None = Field(None, description="sentence that is shown when `require` does not hold; figures in {…}")
    fix: str | None = Field(None, description="what to do about it")
    adds: ConstraintAdds | None = Field(None, description="part that must come along, instead of or beside `require`")
    source: ConstraintSource = Field(ConstraintSource(), description="where the maker states it")
    tests: list[ConstraintCase] = Field(
        default_factory=list, description="made-up nodes with the verdict that is expected"
    )


class Power(Shape):
    """Electrical draw of a part at its DC input. An absent figure is not known."""

    max_w: Watts | None = Field(None, description="sustained maximum; TDP for a CPU, board power for a GPU")
    typical_w: Watts | None = Field(None, description="draw in normal operation as the maker states it")
    idle_w: Watts | None = Field(None, description="draw at rest")
    min_w: Watts | None = Field(None, description="lowest power cap that can be set")
    peak_w: Watts | None = Field(None, description="short excursion as the maker states it")
    peak_ms: Annotated[float, Field(gt=0)] | None = Field(None, description="how long the excursion lasts")
    by_cable_level_w: dict[CableLevel, Watts] | None = Field(
        None, description="maximum power by the level in W that the 16-pin cable signals, e.g. {300: 310, 450: 350}"
    )


class PowerInput(Shape):
    """Auxiliary power connectors on a card. `connector: none` = known to be fed by the slot alone."""

    connector: Literal["none", "eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"] = Field(
        description="kind of plug on the card"
    )
    count: Count = Field(1, description="plugs of this kind on one card")
    level_min_w: Watts | None = Field(None, description="lowest cable level at which the card starts")
    level_full_w: Watts | None = Field(None, description="lowest cable level for the card's full power")


class Pcie(Shape):
    """The PCI Express interface of a card."""

    generation: PcieGeneration | None = Field(
        None, description="generation of the card's own interface: 4 for PCIe 4.0"
    )
    lanes: Lanes | None = Field(None, description="electrical lanes that the card can use")


class Card(Shape):
    """Mechanical envelope of an expansion card."""

    length_mm: Millimetres | None = Field(None, description="length of the card without bracket")
    height_mm: Millimetres | None = Field(None, description="height from the slot edge to the top of the card")
    width_slots: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="slots that the card covers")
    length_class: Literal["half", "three-quarter", "full"] | None = Field(
        None, description="half, three-quarter or full length as the maker names it"
    )
    height_class: Literal["low", "full"] | None = Field(None, description="low profile or full height")


class Part(Shape):
    """Base of all kinds of parts."""

    kind: str
    id: PartId
    title: Title = Field(description="name of the part for people, maker included")
    maker: str = Field(min_length=2, max_length=80, description="who makes it")
    mpn: list[Annotated[str, Field(min_length=2, max_length=60)]] = Field(
        default_factory=list, description="maker's part numbers that can be ordered"
    )
    oem_mpn: dict[str, list[str]] = Field(
        default_factory=dict, description="order numbers of server makers for this part, e.g. {hpe: [S3U30C]}"
    )
    sku: str | None = Field(
        None, min_length=1, max_length=60, description="the seller's own order number; belongs into a private catalog"
    )
    aliases: list[PartId] = Field(default_factory=list, description="earlier ids; they stay valid")
    lifecycle: Lifecycle | None = Field(None, description="where the part stands in its sales life")
    trade: Trade | None = Field(None, description="customs, origin, export control, declarations")
    weight_kg: Kilograms | None = Field(None, description="weight of one piece without packing")
    is_generic: bool = Field(False, description="stands for any maker's part with these figures; order by figures")
    notes: list[str] = Field(default_factory=list, description="facts a buyer should know that no field carries")
    sources: dict[str, Source] = Field(description="documents, by a short key")
    evidence: dict[str, Evidence] = Field(
        description="dotted field name -> source and grade; '*' covers every field without an entry of its own"
    )
    constraints: list[Constraint] = Field(
        default_factory=list, description="the maker's configuration rules that bind this part"
    )
