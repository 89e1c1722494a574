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
Redundancy = Annotated[str, Field(pattern=r"^(none|N\+1|N\+N|[0-9]\+[0-9])$", examples=["none", "N+1", "N+N", "3+1"])]


class RackFit(Shape):
    """Outer dimensions. `depth_mm` is what the rack must hold, without cable space."""

    height_u: Annotated[int, Field(ge=1, le=20)] | None = Field(None, description="rack units")
    depth_mm: Millimetres | None = Field(None, description="depth that the rack must hold, without cables")
    width_mm: Millimetres | None = Field(None, description="width without rack ears")
    weight_max_kg: Kilograms | None = Field(None, description="fully equipped, as the maker states it")


class CpuSockets(Shape):
    """CPU sockets and what they take."""

    sockets: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="CPU sockets on the board")
    counts: list[int] | None = Field(None, description="numbers of CPUs that the maker allows")
    families: list[str] | None = Field(None, description="CPU families that this board takes")
    tdp_max_w: Watts | None = Field(None, description="largest TDP of one CPU")
    is_mixed_allowed: bool | None = Field(None, description="true: different CPUs may be mixed")
    xgmi_links: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="EPYC socket-to-socket links")


class DimmSockets(Shape):
    """Memory sockets. `counts_per_cpu` are the populations that the maker allows."""

    dimms: Count | None = Field(None, description="DIMM sockets of the whole board")
    types: list[str] | None = Field(None, description="kinds of modules that fit: DDR5-RDIMM …")
    capacity_max_gb: Annotated[float, Field(gt=0)] | None = Field(None, description="memory of the whole board at most")
    speed_max_mt_s: Annotated[float, Field(gt=0)] | None = Field(None, description="at one DIMM per channel")
    speed_2dpc_mt_s: Annotated[float, Field(gt=0)] | None = Field(None, description="at two DIMMs per channel")
    counts_per_cpu: list[int] | None = Field(None, description="numbers of modules per CPU that the maker allows")
    is_mixed_allowed: bool | None = Field(None, description="true: different modules may be mixed")
    order: list[Name] | None = Field(
        None, description="sockets of one CPU in the order in which the maker fills them, by their names on the board"
    )


class Mode(Shape):
    """A configuration of the chassis of which exactly one is built (riser set, drive or GPU layout)."""

    title: str = Field(description="the mode in words")
    parts: list[PartId] = Field(default_factory=list, description="parts that make this mode")
    bridges_allowed: bool | None = Field(None, description="false: the maker excludes NVLink bridges in this mode")


class Slot(Shape):
    """One or several equal slots, by name. Absent `lanes` or `cpu` = not known."""

    names: list[Name] = Field(min_length=1, description="names of these slots as the maker prints them, in quotes")
    side: Literal["front", "rear", "internal"] | None = Field(None, description="where the slot is")
    form_factor: Literal["pcie", "ocp3", "sxm4", "sxm5", "sxm6", "oam"] = Field(
        "pcie", description="what the slot takes"
    )
    is_gpu: bool | None = Field(None, description="true: the maker offers this slot for GPUs; false: he excludes them")
    generation: PcieGeneration | None = Field(None, description="generation that the slot runs at: 5 for PCIe 5.0")
    lanes: Lanes | None = Field(None, description="electrical lanes")
    connector_lanes: Lanes | None = Field(None, description="mechanical length of the connector")
    width_slots: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="card width with no neighbour lost")
    length_class: Literal["half", "three-quarter", "full"] | None = Field(
        None, description="longest class of card that fits"
    )
    height_class: Literal["low", "full"] | None = Field(None, description="tallest class of card that fits")
    length_max_mm: Millimetres | None = Field(None, description="longest card that fits")
    height_max_mm: Millimetres | None = Field(None, description="tallest card that fits")
    power_max_w: Watts | None = Field(None, description="draw of a card in this slot at most")
    cpu: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="number of the CPU that feeds the slot")
    switch: Name | None = Field(None, description="PCIe switch above the slot; key of `switches`")
    root: Name | None = Field(
        None, description="host bridge (root port group) of the CPU that the slot hangs at; slots of one name share it"
    )
    riser: Name | None = Field(None, description="riser that carries the slot; key of `risers`")
    modes: list[Name] | None = Field(None, description="modes in which the slot exists; absent = in all")


class Position(Shape):
    """Where the maker wants cards of a kind. The first entry that fits a card counts for it.

    An entry fits if all that it states fits. Its slots are used before others, where nothing above it in the order of
    placement speaks against it (docs/placement.md).
    """

    kinds: list[Literal["gpu", "nic", "storage_adapter"]] | None = Field(None, description="kinds of cards")
    parts: list[PartId] | None = Field(None, description="cards by part id")
    form_factor: Literal["pcie", "ocp3"] | None = Field(None, description="form of the cards")
    width_slots: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="width of the cards")
    is_dpu: bool | None = Field(None, description="true: network adapters with processors of their own")
    if_parts: list[PartId] | None = Field(
        None, description="the entry counts only beside one of these parts on the node's list"
    )
    slots: list[Name] = Field(min_length=1, description="slots for these cards")
    is_in_order: bool = Field(False, description="true: the maker prescribes that they are filled in this order")
    is_only: bool = Field(False, description="true: the maker excludes all other slots; false: he prefers these")


class Riser(Shape):
    """A riser: slots that name it exist only if it is fitted."""

    title: str = Field(description="the riser in words")
    part: PartId | None = Field(None, description="part to order for this riser")
    is_standard: bool = Field(False, description="true: always fitted, nothing to order")
    cpu: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="CPU that must be present")


class Uplink(Shape):
    """The link between a PCIe switch and its CPU."""

    cpu: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="number of the CPU")
    generation: PcieGeneration | None = Field(None, description="generation of the uplink: 5 for PCIe 5.0")
    lanes: Lanes | None = Field(None, description="lanes of the uplink")
    root: Name | None = Field(None, description="host bridge of the CPU that the uplink ends at, as in `slots`")


class Switch(Shape):
    """A PCIe switch of the chassis."""

    uplink: Uplink = Field(Uplink(), description="link from the switch to its CPU, or to the switch above it")
    above: Name | None = Field(None, description="switch that this one hangs at, if not at a CPU; key of `switches`")


class BridgeGroups(Shape):
    """Slots whose cards can be joined by NVLink bridges."""

    is_supported: bool | None = Field(None, description="false: the maker excludes NVLink bridges")
    groups: list[list[Name]] | None = Field(None, description="slots that one bridge group can span")
    modes: list[Name] | None = Field(None, description="modes in which bridges are allowed; absent = in all")


class Bays(Shape):
    """Drive bays of one kind."""

    name: Name = Field(description="name of the group of bays, as configurations use it")
    count: Annotated[int, Field(ge=1, le=200)] = Field(description="bays in the group")
    form_factors: list[Literal["u2", "u3", "2.5in", "3.5in", "e1s", "e1l", "e3s", "m2"]] = Field(
        description="drive forms that fit"
    )
    protocols: list[Literal["nvme", "sas", "sata"]] | None = Field(
        None, description="protocols that the backplane connects; absent = not known"
    )
    side: Literal["front", "rear", "internal"] | None = Field(None, description="where the bays are")
    modes: list[Name] | None = Field(None, description="modes in which the bays exist; absent = in all")
    option: PartId | None = Field(None, description="part that must be ordered for these bays to work")


class PsuDomain(Shape):
    """A group of PSU bays that feeds its own part of the node."""

    bays: list[Name] = Field(description="names of the bays of this group")
    feeds: list[str] = Field(default_factory=list, description="what it feeds: cpus, memory, drives, fans, slot names")
    redundancy: Redundancy | None = Field(None, description="redundancy of this group: none, N+1, N+N, 3+1")


class PsuBays(Shape):
    """Power supplies: bays, models and redundancy as the maker offers them."""

    bays: Count | None = Field(None, description="bays for power supplies")
    models: list[PartId] | None = Field(None, description="PSUs that the maker lists for this chassis")
    redundancy: list[Redundancy] | None = Field(None, description="redundancy modes that the maker offers")
    is_mixed_allowed: bool | None = Field(None, description="true: different power supplies may be mixed")
    domains: dict[str, PsuDomain] | None = Field(
        None, description="groups of bays that feed different parts of the node, by name"
    )
    is_throttled_after_loss: bool | None = Field(
        None, description="true: after a loss the node runs slower instead of going down (stated by the maker)"
    )


class QualifiedGpu(Shape):
    """A GPU that the maker (or a published system) shows in this chassis."""

    gpu: PartId
    count_max: Count | None = Field(None, description="cards of this kind at most")
    counts: list[int] | None = Field(None, description="numbers of cards that are qualified")


class GpuLimits(Shape):
    """Numbers of accelerators by width, where the maker states them without a slot map."""

    double_width_max: Count | None = Field(None, description="double-width cards at most")
    single_width_max: Count | None = Field(None, description="single-width cards at most")
    card_power_max_w: Watts | None = Field(None, description="largest board power of one card")
    cooling: list[Literal["passive", "active", "active-blower", "active-open", "liquid"]] | None = Field(
        None, description="coolers of cards that are allowed"
    )
    module_form_factor: Literal["sxm4", "sxm5", "sxm6", "oam"] | None = Field(
        None, description="form of the accelerator modules on the board"
    )
    module_counts: list[int] | None = Field(None, description="numbers of modules that the board is sold with")
    module_fabric: Literal["nvswitch", "direct", "infinity-fabric"] | None = Field(
        None, description="what joins the modules"
    )
    is_pcie_gpu_allowed: bool | None = Field(None, description="false: the maker excludes PCIe GPUs")
    is_mixed_allowed: bool | None = Field(None, description="true: different GPUs may be mixed")


class GpuPowerOutlets(Shape):
    """Auxiliary power outlets that the chassis has for cards."""

    connector: Literal["eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"] | None = Field(
        None, description="kind of outlet"
    )
    count: Count | None = Field(None, description="outlets of this kind")
    level_w: Watts | None = Field(None, description="power that one outlet delivers")


class FanModules(Shape):
    """Fans that a GPU build needs. `gpu_module` absent = not known whether one is needed."""

    gpu_module: Literal["none", "included", "option"] | None = Field(
        None, description="whether a GPU build needs a fan module: none needed, included, or an option to order"
    )
    gpu_module_part: PartId | None = Field(None, description="part id of the fan module to order")
    after_loss: Literal["full", "throttled", "down"] | None = Field(
        None, description="how the node runs with one fan failed, as the maker states it; absent = not known"
    )


class InletLimits(Shape):
    """Air inlet limits; `derate_c_per_m` lowers the maximum above `derate_above_m`."""

    min_c: float | None = Field(None, description="lowest temperature at the inlet")
    max_c: float | None = Field(None, description="highest temperature at the inlet")
    derate_c_per_m: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="degrees that the maximum falls for each metre above `derate_above_m`"
    )
    derate_above_m: Annotated[float, Field(ge=0, le=5_000)] | None = Field(
        None, description="altitude above which the maximum falls"
    )
    altitude_max_m: Annotated[float, Field(gt=0, le=10_000)] | None = Field(
        None, description="highest altitude of operation"
    )


class Chassis(Part):
    """A barebone server: everything that is neither bought separately nor plugged in."""

    kind: Literal["chassis"] = Field(description="kind of part")
    rack: RackFit = Field(RackFit(), description="outer dimensions and weight")
    cpu: CpuSockets = Field(CpuSockets(), description="CPU sockets")
    memory: DimmSockets = Field(DimmSockets(), description="memory sockets")
    modes: dict[Name, Mode] = Field(default_factory=dict, description="layouts of which exactly one is built, by name")
    slots: list[Slot] | None = Field(None, description="PCIe, OCP and module slots; absent = not known")
    rows: list[list[Name]] = Field(
        default_factory=list, description="slot names side by side at single-slot pitch; a wide card covers the next"
    )
    positions: list[Position] = Field(
        default_factory=list, description="slots that the maker prescribes for kinds of cards, and their order"
    )
    risers: dict[Name, Riser] = Field(default_factory=dict, description="risers by name")
    switches: dict[Name, Switch] = Field(default_factory=dict, description="PCIe switches by name")
    bridges: BridgeGroups = Field(BridgeGroups(), description="where NVLink bridges can sit")
    bays: list[Bays] | None = Field(None, description="drive bays; absent = not known")
    psu: PsuBays = Field(PsuBays(), description="power supplies")
    gpu_limits: GpuLimits = Field(GpuLimits(), description="limits on accelerators where there is no slot map")
    qualified_gpus: list[QualifiedGpu] | None = Field(
        None, description="GPUs that the maker lists; absent = not known, not listed = not qualified"
    )
    gpu_power: list[GpuPowerOutlets] | None = Field(None, description="auxiliary outlets for cards")
    fans: FanModules = Field(FanModules(), description="fans that a GPU build needs")
    airflow: Literal["front-to-back", "back-to-front"] | None = Field(
        None, description="direction of air through the chassis"
    )
    cooling: list[Literal["air", "liquid-assisted-air", "direct-liquid"]] | None = Field(
        None, description="kinds of cooling that the maker offers"
    )
    inlet: InletLimits = Field(InletLimits(), description="limits of the air at the inlet")
    power_base_w: Watts | None = Field(None, description="draw of board, fans and management, without any listed part")
    noise_db: Annotated[float, Field(gt=0, le=150)] | None = Field(
        None, description="A-weighted sound power at the highest fan speed, as the maker states it"
    )
    node_power_max_w: Watts | None = Field(None, description="maximum input of the whole node as the maker states it")
    rails_part: PartId | None = Field(None, description="rail kit to order")
    is_rail_included: bool | None = Field(None, description="true: rails come with the chassis")
    included: list[str] = Field(default_factory=list, description="what comes with the chassis, in words")
