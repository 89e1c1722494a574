"""The chassis: what a server offers, by mode, riser and CPU; and what its maker qualifies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import (
    Count,
    Kilograms,
    Lanes,
    Millimetres,
    Part,
    PartId,
    PcieGeneration,
    Shape,
    Watts,
)

Name = Annotated[str, Field(min_length=1, max_length=20)]
Redundancy = Annotated[str, Field(pattern=r"^(none|N\+1|N\+N|\d\+\d)$")]


class RackFit(Shape):
    """Outer dimensions. `depth_mm` is what the rack must hold, without cable space."""

    height_u: Annotated[int, Field(ge=1, le=20)] | None = None
    depth_mm: Millimetres | None = None
    width_mm: Millimetres | None = None
    weight_max_kg: Kilograms | None = Field(None, description="fully equipped, as the maker states it")


class CpuSockets(Shape):
    """CPU sockets and what they take."""

    sockets: Annotated[int, Field(ge=1, le=8)] | None = None
    counts: list[int] | None = Field(None, description="numbers of CPUs that the maker allows")
    families: list[str] | None = Field(None, description="CPU families that this board takes")
    tdp_max_w: Watts | None = None
    is_mixed_allowed: bool | None = None
    xgmi_links: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="EPYC socket-to-socket links")


class DimmSockets(Shape):
    """Memory sockets. `counts_per_cpu` are the populations that the maker allows."""

    dimms: Count | None = Field(None, description="DIMM sockets of the whole board")
    types: list[str] | None = None
    capacity_max_gb: Annotated[float, Field(gt=0)] | None = None
    speed_max_mt_s: Annotated[float, Field(gt=0)] | None = None
    speed_2dpc_mt_s: Annotated[float, Field(gt=0)] | None = None
    counts_per_cpu: list[int] | None = None
    is_mixed_allowed: bool | None = None


class Mode(Shape):
    """A configuration of the chassis of which exactly one is built (riser set, drive or GPU layout)."""

    title: str
    parts: list[PartId] = Field(default_factory=list, description="parts that make this mode")
    bridges_allowed: bool | None = Field(None, description="false: the maker excludes NVLink bridges in this mode")


class Slot(Shape):
    """One or several equal slots, by name. Absent `lanes` or `cpu` = not known."""

    names: list[Name] = Field(min_length=1)
    side: Literal["front", "rear", "internal"] | None = None
    form_factor: Literal["pcie", "ocp3", "sxm4", "sxm5", "sxm6", "oam"] = "pcie"
    is_gpu: bool | None = Field(None, description="true: the maker offers this slot for GPUs; false: he excludes them")
    generation: PcieGeneration | None = None
    lanes: Lanes | None = Field(None, description="electrical lanes")
    connector_lanes: Lanes | None = Field(None, description="mechanical length of the connector")
    width_slots: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="card width with no neighbour lost")
    length_class: Literal["half", "three-quarter", "full"] | None = None
    height_class: Literal["low", "full"] | None = None
    length_max_mm: Millimetres | None = None
    height_max_mm: Millimetres | None = None
    power_max_w: Watts | None = None
    cpu: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="number of the CPU that feeds the slot")
    switch: Name | None = Field(None, description="PCIe switch above the slot; key of `switches`")
    riser: Name | None = Field(None, description="riser that carries the slot; key of `risers`")
    modes: list[Name] | None = Field(None, description="modes in which the slot exists; absent = in all")


class Riser(Shape):
    """A riser: slots that name it exist only if it is fitted."""

    title: str
    part: PartId | None = None
    is_standard: bool = Field(False, description="true: always fitted, nothing to order")
    cpu: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="CPU that must be present")


class Uplink(Shape):
    """The link between a PCIe switch and its CPU."""

    cpu: Annotated[int, Field(ge=1, le=8)] | None = None
    generation: PcieGeneration | None = None
    lanes: Lanes | None = None


class Switch(Shape):
    """A PCIe switch of the chassis."""

    uplink: Uplink = Uplink()


class BridgeGroups(Shape):
    """Slots whose cards can be joined by NVLink bridges."""

    is_supported: bool | None = None
    groups: list[list[Name]] | None = None
    modes: list[Name] | None = None


class Bays(Shape):
    """Drive bays of one kind."""

    name: Name
    count: Annotated[int, Field(ge=1, le=200)]
    form_factors: list[Literal["u2", "u3", "2.5in", "3.5in", "e1s", "e1l", "e3s", "m2"]]
    protocols: list[Literal["nvme", "sas", "sata"]] | None = None
    side: Literal["front", "rear", "internal"] | None = None
    modes: list[Name] | None = None
    option: PartId | None = Field(None, description="part that must be ordered for these bays to work")


class PsuDomain(Shape):
    """A group of PSU bays that feeds its own part of the node."""

    bays: list[Name]
    feeds: list[str] = Field(default_factory=list, description="what it feeds: cpus, memory, drives, fans, slot names")
    redundancy: Redundancy | None = None


class PsuBays(Shape):
    """Power supplies: bays, models and redundancy as the maker offers them."""

    bays: Count | None = None
    models: list[PartId] | None = Field(None, description="PSUs that the maker lists for this chassis")
    redundancy: list[Redundancy] | None = Field(None, description="redundancy modes that the maker offers")
    is_mixed_allowed: bool | None = None
    domains: dict[str, PsuDomain] | None = None
    is_throttled_after_loss: bool | None = Field(
        None, description="true: after a loss the node runs slower instead of going down (stated by the maker)"
    )


class QualifiedGpu(Shape):
    """A GPU that the maker (or a published system) shows in this chassis."""

    gpu: PartId
    count_max: Count | None = None
    counts: list[int] | None = None


class GpuLimits(Shape):
    """Numbers of accelerators by width, where the maker states them without a slot map."""

    double_width_max: Count | None = None
    single_width_max: Count | None = None
    card_power_max_w: Watts | None = None
    cooling: list[Literal["passive", "active", "active-blower", "active-open", "liquid"]] | None = None
    module_form_factor: Literal["sxm4", "sxm5", "sxm6", "oam"] | None = None
    module_counts: list[int] | None = None
    module_fabric: Literal["nvswitch", "direct", "infinity-fabric"] | None = None
    is_pcie_gpu_allowed: bool | None = None
    is_mixed_allowed: bool | None = None


class GpuPowerOutlets(Shape):
    """Auxiliary power outlets that the chassis has for cards."""

    connector: Literal["eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"] | None = None
    count: Count | None = None
    level_w: Watts | None = None


class FanModules(Shape):
    """Fans that a GPU build needs. `gpu_module` absent = not known whether one is needed."""

    gpu_module: Literal["none", "included", "option"] | None = None
    gpu_module_part: PartId | None = None


class InletLimits(Shape):
    """Air inlet limits; `derate_c_per_m` lowers the maximum above `derate_above_m`."""

    min_c: float | None = None
    max_c: float | None = None
    derate_c_per_m: Annotated[float, Field(gt=0, lt=1)] | None = None
    derate_above_m: Annotated[float, Field(ge=0, le=5_000)] | None = None
    altitude_max_m: Annotated[float, Field(gt=0, le=10_000)] | None = None


class Chassis(Part):
    """A barebone server: everything that is neither bought separately nor plugged in."""

    kind: Literal["chassis"]
    rack: RackFit = RackFit()
    cpu: CpuSockets = CpuSockets()
    memory: DimmSockets = DimmSockets()
    modes: dict[Name, Mode] = Field(default_factory=dict)
    slots: list[Slot] | None = None
    rows: list[list[Name]] = Field(
        default_factory=list, description="slot names side by side at single-slot pitch; a wide card covers the next"
    )
    risers: dict[Name, Riser] = Field(default_factory=dict)
    switches: dict[Name, Switch] = Field(default_factory=dict)
    bridges: BridgeGroups = BridgeGroups()
    bays: list[Bays] | None = None
    psu: PsuBays = PsuBays()
    gpu_limits: GpuLimits = GpuLimits()
    qualified_gpus: list[QualifiedGpu] | None = None
    gpu_power: list[GpuPowerOutlets] | None = None
    fans: FanModules = FanModules()
    airflow: Literal["front-to-back", "back-to-front"] | None = None
    cooling: list[Literal["air", "liquid-assisted-air", "direct-liquid"]] | None = None
    inlet: InletLimits = InletLimits()
    power_base_w: Watts | None = Field(None, description="draw of board, fans and management, without any listed part")
    node_power_max_w: Watts | None = Field(None, description="maximum input of the whole node as the maker states it")
    rails_part: PartId | None = None
    is_rail_included: bool | None = None
    included: list[str] = Field(default_factory=list, description="what comes with the chassis, in words")
