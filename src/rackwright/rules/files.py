"""The shape of rule, quantity and policy files. Meaning (types, units, cases) is checked in `load` and `lint`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

RuleId = Annotated[str, Field(pattern=r"^[A-Z]{3}\d{3}$")]
Kebab = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Snake = Annotated[str, Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$", max_length=80)]
Prose = Annotated[str, Field(min_length=4, max_length=2_000)]


class Record(BaseModel):
    """Base: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class SourceEntry(Record):
    """A document that a rule or a formula rests on."""

    doc: Prose
    number: str | None = None
    where: str | None = None
    date: str | None = None
    read: str | None = None
    url: str | None = None


class ClauseEntry(Record):
    """One condition that must hold, its message when it does not, and the facts whose places it points at."""

    that: str
    message: Prose
    blame: list[str] = Field(default_factory=list, max_length=20)


class CaseEntry(Record):
    """A case of a rule: facts, and what the rule says of them."""

    name: Snake
    given: dict[str, Any]
    expect: Literal["pass", "fail", "unknown", "not_applicable"]
    message: str | None = None
    missing: list[str] | None = None


class RuleFile(Record):
    """A rule file."""

    id: RuleId
    name: Kebab
    title: Prose
    severity: Literal["error", "warning", "advice"]
    status: Literal["stable", "draft"] = "stable"
    for_each: str
    rationale: Prose
    source: list[SourceEntry] = Field(min_length=1, max_length=20)
    when: str | None = None
    require: list[ClauseEntry] = Field(min_length=1, max_length=20)
    fix: Prose
    tests: list[CaseEntry] = Field(default_factory=list, max_length=200)
    aliases: list[RuleId] = Field(default_factory=list, max_length=20)


class QuantityEntry(Record):
    """A named formula: `node.draw_peak_w`."""

    quantity: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z][a-z0-9_]*$")]
    unit: str
    title: Prose
    formula: str = Field(alias="is")
    source: list[SourceEntry] = Field(min_length=1)


class QuantitiesFile(Record):
    """A file of named formulas."""

    quantities: list[QuantityEntry] = Field(min_length=1, max_length=300)


class PolicyParameter(Record):
    """A limit that is a choice: its default, what it means, and where the default comes from."""

    value: float | bool | str
    title: Prose
    source: Prose


class PolicyFile(Record):
    """A policy: limits, severities and selections of a customer or site; never expressions."""

    name: Kebab
    title: Prose
    parameters: dict[Snake, PolicyParameter | float | bool | str] = Field(default_factory=dict)
    severities: dict[RuleId, Literal["error", "warning", "advice"]] = Field(default_factory=dict)
    ignore: list[RuleId] = Field(default_factory=list)
