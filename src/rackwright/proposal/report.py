"""The machine-readable report: the stable contract of `-f json`. Its JSON Schema is generated from these models."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.0"


class Entry(BaseModel):
    """Base of all records of the report."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Place(Entry):
    """A place in a file."""

    file: str
    line: int
    column: int


class FindingEntry(Entry):
    """Something a person is told."""

    code: str = Field(description="rule or finding id, e.g. PWR003")
    severity: Literal["error", "warning", "advice"]
    outcome: Literal["fail", "unknown"]
    subject: str
    title: str
    message: str
    fix: str | None = None
    at: Place | None = None
    missing: list[str] = Field(default_factory=list)
    arithmetic: list[str] = Field(default_factory=list)
    sources: list[str] = Field(default_factory=list)
    grade: str | None = None
    waived: str | None = None


class VerdictEntry(Entry):
    """The verdict of one rule on one subject."""

    rule: str
    severity: Literal["error", "warning", "advice"]
    subject: str
    outcome: Literal["pass", "fail", "unknown", "not_applicable"]
    grade: str | None = None
    waived: str | None = None


class RuleEntry(Entry):
    """A rule that has a finding in this report: what it checks, why, and the documents it rests on."""

    id: str
    name: str
    title: str
    family: str = Field(description="first letters of the id; `maker` for a part's own constraint")
    severity: Literal["error", "warning", "advice"] = Field(description="as the policy of this run sets it")
    rationale: str
    fix: str
    sources: list[str] = Field(default_factory=list)


class CardEntry(Entry):
    """A card and where it sits; `slot` null = no slot, or the slots are not known."""

    id: str
    part: str
    slot: str | None = None
    covers: list[str] = Field(default_factory=list)
    link_generation: int | None = None
    link_lanes: int | None = None


class DeviceEntry(Entry):
    """A GPU or NIC in the topology; null = not known. `switches` are the PCIe switches above it, nearest first."""

    name: str
    card: str
    slot: str | None = None
    numa_node: int | None = Field(None, description="number of its CPU, counted from 0")
    switches: list[str] = Field(default_factory=list)
    link_gb_s: float | None = Field(None, description="its negotiated PCIe link, one direction")


class NvlinkEntry(Entry):
    """GPUs that bridges join; `link_gb_s` is the bandwidth of one card, both directions together."""

    cards: list[str]
    bridge: str
    link_gb_s: float | None = None


class SwitchEntry(Entry):
    """A PCIe switch with cards below it; bandwidths in one direction, null = not known."""

    name: str
    down_gb_s: float | None = None
    uplink_gb_s: float | None = None
    oversubscription_ratio: float | None = None


class TopologyEntry(Entry):
    """How GPUs and NICs reach each other. `codes` and `gb_s` have a row and a column for each of `devices`.

    Codes as in nvidia-smi topo -m (X, NV#, PIX, PXB, PHB, NODE, SYS), XGMI for Infinity Fabric, PHB/NODE where the
    maker does not say which of the two, ? where the CPU is not known. `gb_s` is what the links carry at most in one
    direction.
    """

    devices: list[DeviceEntry]
    codes: list[list[str]]
    gb_s: list[list[float | None]]
    nearest_nics: dict[str, str] = Field(default_factory=dict, description="GPU and the name of its nearest NIC")
    nvlink: list[NvlinkEntry] = Field(default_factory=list)
    switches: list[SwitchEntry] = Field(default_factory=list)


class DriveEntry(Entry):
    """A drive and the bays that it sits in; null = no bay takes it, or the bays are not known."""

    id: str
    part: str
    bays: str | None = None


class DimmEntry(Entry):
    """A memory module: its CPU and channel, counted from 1, and its socket as the maker names it; null = not known."""

    part: str
    cpu: int
    channel: int | None = None
    socket: str | None = None


class PsuEntry(Entry):
    """A power supply: its bay, power domain and feed; null = not known, or none is left."""

    id: str
    part: str
    bay: str | None = None
    domain: str
    feed: str | None = None


class NodeEntry(Entry):
    """A server with its key figures; null = not known."""

    id: str
    count: int
    chassis: str
    mode: str
    cards: list[CardEntry]
    draw_peak_w: float | None = None
    input_peak_w: float | None = None
    heat_w: float | None = None
    gpu_memory_gb: float | None = None
    input_voltage_v: float | None = None
    topology: TopologyEntry | None = Field(None, description="null without GPUs and NICs")
    drives: list[DriveEntry] = Field(default_factory=list)
    dimms: list[DimmEntry] = Field(default_factory=list)
    psus: list[PsuEntry] = Field(default_factory=list)


class RackedEntry(Entry):
    """A server in a rack."""

    node: str
    number: int
    unit_low_u: int
    height_u: int


class PhaseEntry(Entry):
    """A line conductor with its load and limits in amps; null = not known."""

    id: str
    load_normal_a: float | None = None
    load_worst_a: float | None = None
    worst_failure: str | None = None
    breaker_limit_a: float | None = None
    pdu_limit_a: float | None = None


class ElementEntry(Entry):
    """A column of the failure replay: what is loaded; `limit` null = not known."""

    id: str
    kind: Literal["line", "bank", "pdu", "supplies"]
    unit: Literal["A", "W"] = Field(description="A and W at the mains; of supplies, W that one of them delivers")
    limit: float | None = None


class NodeStateEntry(Entry):
    """How the worst server of a node runs after a loss."""

    node: str
    state: Literal["full", "throttled", "unknown", "overloaded", "down"] = Field(
        description="overloaded: more than its supplies give, and the maker does not say what it does then"
    )


class FailureEntry(Entry):
    """A row of the failure replay; `loads` in the order of the elements, null = not known or lost itself (`gone`)."""

    kind: str = Field(description="none, feed, pdu, line, bank, psu, fan or pair")
    lost: list[str]
    loads: list[float | None]
    gone: list[str] = Field(default_factory=list, description="elements that the loss takes away themselves")
    tightest: str | None = Field(None, description="the element with the highest share of its limit")
    tightest_ratio: float | None = None
    nodes: list[NodeStateEntry]
    servers_down: int


class SupplyStepEntry(Entry):
    """One supply of a domain while `alive` of `supplies` share its load; null = not known."""

    node: str
    domain: str
    alive: int
    supplies: int
    draw_w: float | None = None
    output_w: float | None = None
    rated_w: float | None = None
    efficiency_ratio: float | None = None
    input_w: float | None = None
    apparent_va: float | None = None
    voltage_v: float | None = None
    cord_a: float | None = None
    cord_max_a: float | None = None


class CordEntry(Entry):
    """A cord; an empty section or bank is not known."""

    node: str
    number: int
    psu: str
    pdu: str
    outlet: str
    section: str
    bank: str


class ReplayEntry(Entry):
    """The failure replay of a rack, with the steps that its figures can be worked out from."""

    elements: list[ElementEntry]
    failures: list[FailureEntry]
    steps: list[SupplyStepEntry]
    cords: list[CordEntry]
    power_factor_ratio: float | None = None


class RackEntry(Entry):
    """A rack."""

    id: str
    part: str
    nodes: list[RackedEntry]
    phases: list[PhaseEntry]
    power_w: float | None = None
    weight_kg: float | None = None
    replay: ReplayEntry | None = Field(None, description="null if the site states no feeds of this rack")


class OperationEntry(Entry):
    """What one kind of node costs at one utilisation; money and kWh are decimal texts, low and high where not exact."""

    node: str
    utilisation_ratio: float
    energy_kwh: list[str] | None = Field(None, description="of a year, at the mains: low and high")
    yearly_cost: list[str] | None = Field(None, description="energy with the room, and the year's part of the price")
    gpu_hour_cost: list[str] | None = None


class BomEntry(Entry):
    """A line of the bill; money is a decimal text, null = on request."""

    position: str
    part: str
    mpn: list[str]
    title: str
    count: int
    total: int
    net_unit: str | None = None
    net_total: str | None = None


class Report(Entry):
    """The whole report."""

    schema_version: str = SCHEMA_VERSION
    tool: str
    configuration: str
    configuration_sha256: str
    catalog_digest: str
    rules_digest: str
    status: Literal["valid", "open", "invalid"]
    findings: list[FindingEntry]
    verdicts: list[VerdictEntry]
    nodes: list[NodeEntry]
    racks: list[RackEntry]
    bom: list[BomEntry]
    offered: list[BomEntry] = Field(default_factory=list, description="options and alternatives, which no total has")
    currency: str
    net_subtotal: str | None = Field(None, description="null if no line has a price")
    is_price_complete: bool
    operation: list[OperationEntry] = Field(default_factory=list, description="empty if nothing is stated about it")
    rules: list[RuleEntry] = Field(default_factory=list, description="the rules that have findings, by id")
