"""Parts that sit in PCIe, OCP or accelerator slots: GPUs, NVLink bridges, NICs, storage adapters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import Card, Count, Part, PartId, Pcie, Power, PowerInput, Shape, Watts

Positive = Annotated[float, Field(gt=0)]


class GpuMemory(Shape):
    """Video memory of one board. `gpus_per_board` boards (A16) state the sum here and the part in `per_gpu_gb`."""

    capacity_gb: Positive | None = Field(None, description="capacity of one board as the maker prints it")
    per_gpu_gb: Positive | None = Field(None, description="memory that one GPU of a multi-GPU board can address")
    type: str | None = Field(None, description="GDDR6, HBM2e, HBM3 …")
    bandwidth_gb_s: Positive | None = Field(None, description="peak bandwidth of one board")
    bus_bits: Annotated[int, Field(ge=1, le=65_536)] | None = Field(
        None, description="width of the memory bus of one board; checks the bandwidth together with the pin rate"
    )
    pin_rate_gbit_s: Positive | None = Field(None, description="data rate of one pin of the memory")
    is_ecc: bool | None = Field(None, description="true: error correction is there")
    usable_gib: Positive | None = Field(
        None, description="what a program on one GPU really gets, as engine or driver report it; less than its name"
    )


class NvlinkGroup(Shape):
    """A way to join cards: how many cards, by which bridge, how many pieces of it."""

    cards: Annotated[int, Field(ge=2, le=8)] = Field(description="cards in the group")
    bridge: PartId = Field(description="part id of the bridge")
    bridges: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="bridges that one group needs")
    pitch_slots: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="slots from one card to the next")


class Nvlink(Shape):
    """NVLink of a GPU. `is_supported: false` = the maker states that there is none."""

    is_supported: bool = Field(description="false: the maker states that there is none")
    generation: Annotated[int, Field(ge=1, le=6)] | None = Field(None, description="NVLink generation")
    link_gb_s: Positive | None = Field(None, description="both directions together, per card")
    links: Annotated[int, Field(ge=1, le=36)] | None = Field(None, description="NVLink links of one card")
    groups: list[NvlinkGroup] = Field(default_factory=list, description="ways to join cards with bridges")
    fabric: Literal["bridge", "nvswitch", "direct", "infinity-fabric", "ethernet"] | None = Field(
        None, description="what carries the links"
    )


class Compute(Shape):
    """Dense throughput, without sparsity."""

    fp32_tflops: Positive | None = Field(None, description="32-bit floating point")
    bf16_dense_tflops: Positive | None = Field(None, description="16-bit tensor throughput without sparsity")
    fp8_dense_tflops: Positive | None = Field(None, description="8-bit tensor throughput without sparsity")
    fp4_dense_tflops: Positive | None = Field(None, description="4-bit tensor throughput without sparsity")
    int8_dense_tops: Positive | None = Field(None, description="8-bit integer throughput without sparsity")


class Collective(Shape):
    """What an exchange between all GPUs of a group (all-reduce) was measured to reach."""

    gpus: Annotated[int, Field(ge=2, le=64)] = Field(description="GPUs of the group")
    via: Literal["pcie", "bridge", "nvswitch"] | None = Field(None, description="what carried it")
    bus_gb_s: Positive = Field(description="bus bandwidth of large messages, as nccl-tests define it")
    start_ms: Positive | None = Field(None, description="time of a message of some kilobytes")


class Cooling(Shape):
    """How a card gets rid of its heat."""

    type: Literal["passive", "active", "active-blower", "active-open", "liquid"] | None = Field(
        None, description="passive needs the air of the chassis; active has fans of its own"
    )
    airflow: list[Literal["front-to-back", "back-to-front"]] | None = Field(
        None, description="directions of air that the card accepts"
    )
    airflow_m3_h: Positive | None = Field(None, description="air that the card needs")
    inlet_max_c: float | None = Field(None, description="highest temperature of the air at the card")


class Gpu(Part):
    """A GPU board: a PCIe card, or a module (SXM, OAM) that only its chassis's board can carry."""

    kind: Literal["gpu"] = Field(description="kind of part")
    form_factor: Literal["pcie", "sxm2", "sxm4", "sxm5", "sxm6", "oam"] = Field(
        description="PCIe card, or the module form that its board takes"
    )
    architecture: str | None = Field(None, description="name of the architecture as the maker prints it")
    market: Literal["datacenter", "workstation", "consumer"] | None = Field(
        None, description="what the maker sells it for"
    )
    gpus_per_board: Annotated[int, Field(ge=1, le=8)] = Field(1, description="GPUs on one board (A16: 4)")
    card: Card = Field(Card(), description="mechanical envelope")
    pcie: Pcie = Field(Pcie(), description="host interface")
    memory: GpuMemory = Field(GpuMemory(), description="video memory")
    power: Power = Field(Power(), description="electrical draw")
    power_inputs: list[PowerInput] | None = Field(None, description="auxiliary plugs; [] = known to have none")
    cooling: Cooling = Field(Cooling(), description="how the card is cooled")
    nvlink: Nvlink | None = Field(None, description="links between cards; absent = not known")
    compute: Compute = Field(Compute(), description="dense throughput")
    collectives: list[Collective] = Field(
        default_factory=list, description="measured exchange between several of these GPUs, by size of the group"
    )
    mig_instances: Count | None = Field(None, description="largest number of MIG instances; 0 = none")
    pci_ids: list[str] = Field(default_factory=list, description="vendor:device ids, e.g. 10de:26b9")
    is_vgpu_supported: bool | None = Field(None, description="true: the maker lists it for vGPU software")
    vgpu_products: list[Literal["vws", "vpc", "vapps", "compute"]] | None = Field(
        None, description="vGPU products that the maker lists it for, as far as they were read"
    )
    vgpu_users: dict[str, Count] = Field(
        default_factory=dict, description="users of one board by vGPU profile in the maker's table, {2B: 12}; 0 = none"
    )
    is_ai_enterprise_included: bool | None = Field(
        None, description="true: an AI Enterprise subscription comes with the card"
    )


class NvlinkBridge(Part):
    """A bridge that joins cards. `cards` are joined by one group of these bridges."""

    kind: Literal["nvlink_bridge"] = Field(description="kind of part")
    cards: Annotated[int, Field(ge=2, le=8)] | None = Field(
        None, description="cards that one group of these bridges joins"
    )
    pitch_slots: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="slots from one card to the next")
    gpus: list[PartId] = Field(default_factory=list, description="GPUs that the maker names for this bridge")
    link_gb_s: Positive | None = Field(None, description="both directions together, per card")


class Nic(Part):
    """A network adapter, SuperNIC or DPU."""

    kind: Literal["nic"] = Field(description="kind of part")
    form_factor: Literal["pcie", "ocp3", "ocp2"] | None = Field(None, description="PCIe card or OCP mezzanine")
    family: str | None = Field(None, description="product line, e.g. ConnectX-7")
    ports: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="network ports")
    port_type: str | None = Field(None, description="cage of a port: QSFP112, OSFP, SFP28, RJ45")
    port_gbit_s: Positive | None = Field(None, description="highest rate of one port")
    protocol: list[Literal["ethernet", "infiniband"]] | None = Field(
        None, description="link protocols that the adapter speaks"
    )
    is_dpu: bool | None = Field(None, description="true: it has processors of its own (BlueField)")
    card: Card = Field(Card(), description="mechanical envelope")
    pcie: Pcie = Field(Pcie(), description="host interface")
    power: Power = Field(Power(), description="electrical draw")
    power_inputs: list[PowerInput] | None = Field(None, description="auxiliary plugs; [] = known to have none")
    aux_power_w: Watts | None = Field(None, description="what the card draws through its auxiliary connector")


class StorageAdapter(Part):
    """An HBA, RAID controller or drive carrier card."""

    kind: Literal["storage_adapter"] = Field(description="kind of part")
    form_factor: Literal["pcie", "internal", "ocp3"] | None = Field(
        None, description="PCIe card, OCP mezzanine, or a place of its own inside"
    )
    protocols: list[Literal["nvme", "sas", "sata"]] | None = Field(None, description="drive protocols that it speaks")
    drives_max: Count | None = Field(None, description="drives that it connects at most")
    card: Card = Field(Card(), description="mechanical envelope")
    pcie: Pcie = Field(Pcie(), description="host interface")
    power: Power = Field(Power(), description="electrical draw")
    power_inputs: list[PowerInput] | None = Field(None, description="auxiliary plugs; [] = known to have none")
