"""The machine-readable answer to a workload: the contract of `rackwright size -f json`, with its JSON Schema."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rackwright.proposal.report import Entry, FindingEntry

SIZING_SCHEMA_VERSION = "1.0"
FitWord = Literal["recommended", "tight", "unknown", "does-not-fit"]


class BandEntry(Entry):
    """A figure with the range that the method vouches for."""

    value: float
    low: float
    high: float


class TermEntry(Entry):
    """A line of the sum of memory on one GPU."""

    name: str
    need_gib: float
    how: str


class TaskEntry(Entry):
    """What one task gets in an option. A figure that the method does not give is absent."""

    task: str
    title: str
    model: str | None = None
    precision: str | None = None
    tensor_parallel: int
    pipeline_parallel: int
    replicas: int
    gpus: int
    fit: FitWord
    link: Literal["none", "pcie", "bridge", "nvswitch"]
    reason: str
    terms: list[TermEntry] = Field(default_factory=list)
    need_gib: float | None = Field(None, description="the sum on one GPU")
    usable_gib: float | None = Field(None, description="what a program can use of one GPU")
    used_ratio: float | None = None
    is_usable_measured: bool | None = None
    quick_low_gb: float | None = Field(None, description="rule of thumb for all GPUs of one copy, lower end")
    quick_high_gb: float | None = None
    quick_fit: FitWord | None = None
    first_token_s: BandEntry | None = None
    per_token_ms: BandEntry | None = None
    tokens_per_s: BandEntry | None = None
    requests_max: int | None = Field(None, description="requests at a time of one copy above which they queue")
    duration_h: BandEntry | None = None
    frames_per_h: BandEntry | None = None
    users: int | None = None
    is_target_met: bool | None = None
    notes: list[str] = Field(default_factory=list)


class PartEntry(Entry):
    """A part of one node, and how many of it."""

    part: str
    title: str
    count: int


class VariantEntry(Entry):
    """An option as a complete node. Without `chassis` no chassis of the catalog carries it."""

    number: int
    key: str
    gpu: str
    gpus_per_node: int
    nodes: int
    gpus_idle: int
    fit: FitWord
    link: Literal["none", "pcie", "bridge", "nvswitch"]
    is_link_there: bool | None = None
    is_target_met: bool | None = None
    status: Literal["valid", "open", "invalid"] | None = None
    open_points: int = 0
    chassis: str | None = None
    mode: str | None = None
    power_w: float | None = Field(None, description="input power of all nodes at peak")
    heat_w: float | None = None
    height_u: int | None = None
    energy_kwh_per_million_tokens: float | None = None
    currency: str | None = None
    net_price: str | None = Field(None, description="net price of all nodes as far as known")
    is_price_complete: bool = False
    grade: str | None = Field(None, description="weakest evidence of any figure of its parts")
    reason: str
    risk: str
    questions: list[str] = Field(default_factory=list)
    failures: list[str] = Field(default_factory=list)
    lacking: list[str] = Field(default_factory=list, description="kinds of parts that could not be chosen")
    parts: list[PartEntry] = Field(default_factory=list)
    tasks: list[TaskEntry] = Field(default_factory=list)


class CountEntry(Entry):
    """What is said of 1, 2, 4, 8 GPUs or several servers."""

    count: str
    stance: Literal["recommended", "possible", "refused"]
    reason: str
    risk: str
    arithmetic: list[str] = Field(default_factory=list)
    questions: list[str] = Field(default_factory=list)


class QuestionEntry(Entry):
    """A question before buying, with its answer or what is still to be asked."""

    id: str
    group: str
    question: str
    is_open: bool
    answer: str = ""
    ask: str = ""
    keys: list[str] = Field(default_factory=list, description="keys of a workload file that answer it")


class SizingReport(Entry):
    """The answer of one run of `size`."""

    schema_version: str = SIZING_SCHEMA_VERSION
    tool: str
    workload: str
    catalog_digest: str
    rules_digest: str
    headline: str
    best: int | None = Field(None, description="number of the variant that is recommended")
    order: str
    left_out: int = Field(description="options that do it too and were not followed up")
    variants: list[VariantEntry] = Field(default_factory=list)
    counts: list[CountEntry] = Field(default_factory=list)
    assumptions: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    checklist: list[QuestionEntry] = Field(default_factory=list)
    findings: list[FindingEntry] = Field(default_factory=list)
