"""What every part file has: identity, lifecycle, sources, evidence per figure, and constraints."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rackwright.source import Grade

PartId = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+([.-][a-z0-9]+)*$",
        max_length=100,
        description="vendor/part, in small letters, as the path of the part file below catalog/<kind>/",
    ),
]
Title = Annotated[str, Field(min_length=2, max_length=120)]
IsoDate = Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$", description="ISO date in quotes: '2026-12-01'")]
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


class Shape(BaseModel):
    """Base of all nested records of a part: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Source(Shape):
    """A document that figures were read from."""

    doc: str = Field(min_length=2, description="title of the document, as printed on it")
    number: str | None = Field(None, description="the maker's document number and revision")
    date: IsoDate | None = Field(None, description="date of the document")
    read: IsoDate | None = Field(None, description="when the figures were read from it")
    url: str | None = Field(None, pattern=r"^https?://", description="where the document is published")
    origin: str | None = Field(None, description="for a restatement: the maker's document that it restates")


class Evidence(Shape):
    """Which source states a figure, where in it, and how far it can be trusted."""

    source: str = Field(description="key of an entry of `sources`")
    grade: Grade
    where: str | None = Field(None, description="page, table or section")
    note: str | None = Field(None, description="conversion, doubt or conflict with another source")


class Lifecycle(Shape):
    """Where the part stands in its sales life."""

    status: Literal["announced", "active", "end_of_sale", "end_of_life"] | None = None
    announced: IsoDate | None = None
    end_of_sale: IsoDate | None = None
    replaced_by: PartId | None = None


class ConstraintClause(Shape):
    """One condition that must hold, with the sentence that is shown when it does not."""

    that: str
    message: str


class ConstraintAdds(Shape):
    """A part that must come along, and how many of it."""

    part: PartId
    quantity: str = Field(description="expression for the number of pieces")
    reason: str


class Constraint(Shape):
    """A rule that this part owns: the maker's own configuration rule, in the rule language (docs/guides)."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str | None = None
    severity: Literal["error", "warning", "advice"] = "error"
    when: str | None = None
    require: str | list[ConstraintClause] | None = None
    message: str | None = None
    fix: str | None = None
    adds: ConstraintAdds | None = None
    source: dict[str, str] = Field(default_factory=dict, description="id: key of `sources`; where: page or table")
    tests: list[dict[str, Any]] = Field(default_factory=list)


class Power(Shape):
    """Electrical draw of a part at its DC input. An absent figure is not known."""

    max_w: Watts | None = Field(None, description="sustained maximum; TDP for a CPU, board power for a GPU")
    typical_w: Watts | None = None
    idle_w: Watts | None = None
    min_w: Watts | None = Field(None, description="lowest power cap that can be set")
    peak_w: Watts | None = Field(None, description="short excursion as the maker states it")
    peak_ms: Annotated[float, Field(gt=0)] | None = Field(None, description="how long the excursion lasts")
    by_cable_level_w: dict[str, Watts] | None = Field(
        None, description="maximum power by the level in W that the 16-pin cable signals, e.g. {300: 310, 450: 350}"
    )


class PowerInput(Shape):
    """Auxiliary power connectors on a card. `connector: none` = known to be fed by the slot alone."""

    connector: Literal["none", "eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"]
    count: Count = 1
    level_min_w: Watts | None = Field(None, description="lowest cable level at which the card starts")
    level_full_w: Watts | None = Field(None, description="lowest cable level for the card's full power")


class Pcie(Shape):
    """The PCI Express interface of a card."""

    generation: PcieGeneration | None = None
    lanes: Lanes | None = Field(None, description="electrical lanes that the card can use")


class Card(Shape):
    """Mechanical envelope of an expansion card."""

    length_mm: Millimetres | None = None
    height_mm: Millimetres | None = None
    width_slots: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="slots that the card covers")
    length_class: Literal["half", "three-quarter", "full"] | None = None
    height_class: Literal["low", "full"] | None = None


class Part(Shape):
    """Base of all kinds of parts."""

    kind: str
    id: PartId
    title: Title
    maker: str = Field(min_length=2, max_length=80)
    mpn: list[Annotated[str, Field(min_length=2, max_length=60)]] = Field(
        default_factory=list, description="maker's part numbers that can be ordered"
    )
    oem_mpn: dict[str, list[str]] = Field(
        default_factory=dict, description="order numbers of server makers for this part, e.g. {hpe: [S3U30C]}"
    )
    aliases: list[PartId] = Field(default_factory=list, description="earlier ids; they stay valid")
    lifecycle: Lifecycle | None = None
    weight_kg: Kilograms | None = None
    is_generic: bool = Field(False, description="stands for any maker's part with these figures; order by figures")
    notes: list[str] = Field(default_factory=list, description="facts a buyer should know that no field carries")
    sources: dict[str, Source] = Field(description="documents, by a short key")
    evidence: dict[str, Evidence] = Field(
        description="dotted field name -> source and grade; '*' covers every field without an entry of its own"
    )
    constraints: list[Constraint] = Field(default_factory=list)
