"""Parts that sit in PCIe, OCP or accelerator slots: GPUs, NVLink bridges, NICs, storage adapters."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import Card, Count, Part, PartId, Pcie, Power, PowerInput, Shape, Watts

Positive = Annotated[float, Field(gt=0)]


class GpuMemory(Shape):
    """Video memory of one board. `gpus_per_board` boards (A16) state the sum here and the part in `per_gpu_gb`."""

    capacity_gb: Positive | None = None
    per_gpu_gb: Positive | None = Field(None, description="memory that one GPU of a multi-GPU board can address")
    type: str | None = Field(None, description="GDDR6, HBM2e, HBM3 …")
    bandwidth_gb_s: Positive | None = None
    is_ecc: bool | None = None


class NvlinkGroup(Shape):
    """A way to join cards: how many cards, by which bridge, how many pieces of it."""

    cards: Annotated[int, Field(ge=2, le=8)]
    bridge: PartId
    bridges: Annotated[int, Field(ge=1, le=8)] | None = Field(None, description="bridges that one group needs")
    pitch_slots: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="slots from one card to the next")


class Nvlink(Shape):
    """NVLink of a GPU. `is_supported: false` = the maker states that there is none."""

    is_supported: bool
    generation: Annotated[int, Field(ge=1, le=6)] | None = None
    link_gb_s: Positive | None = Field(None, description="both directions together, per card")
    groups: list[NvlinkGroup] = Field(default_factory=list)
    fabric: Literal["bridge", "nvswitch", "direct", "infinity-fabric", "ethernet"] | None = None


class Compute(Shape):
    """Dense throughput, without sparsity."""

    fp32_tflops: Positive | None = None
    bf16_dense_tflops: Positive | None = None
    fp8_dense_tflops: Positive | None = None
    fp4_dense_tflops: Positive | None = None
    int8_dense_tops: Positive | None = None


class Cooling(Shape):
    """How a card gets rid of its heat."""

    type: Literal["passive", "active", "active-blower", "active-open", "liquid"] | None = None
    airflow: list[Literal["front-to-back", "back-to-front"]] | None = None
    airflow_m3_h: Positive | None = None
    inlet_max_c: float | None = None


class Gpu(Part):
    """A GPU board: a PCIe card, or a module (SXM, OAM) that only its chassis's board can carry."""

    kind: Literal["gpu"]
    form_factor: Literal["pcie", "sxm2", "sxm4", "sxm5", "sxm6", "oam"]
    architecture: str | None = None
    market: Literal["datacenter", "workstation", "consumer"] | None = None
    gpus_per_board: Annotated[int, Field(ge=1, le=8)] = 1
    card: Card = Card()
    pcie: Pcie = Pcie()
    memory: GpuMemory = GpuMemory()
    power: Power = Power()
    power_inputs: list[PowerInput] | None = None
    cooling: Cooling = Cooling()
    nvlink: Nvlink | None = None
    compute: Compute = Compute()
    mig_instances: Count | None = None
    pci_ids: list[str] = Field(default_factory=list)
    is_vgpu_supported: bool | None = None
    is_ai_enterprise_included: bool | None = None


class NvlinkBridge(Part):
    """A bridge that joins cards. `cards` are joined by one group of these bridges."""

    kind: Literal["nvlink_bridge"]
    cards: Annotated[int, Field(ge=2, le=8)] | None = None
    pitch_slots: Annotated[int, Field(ge=1, le=4)] | None = Field(None, description="slots from one card to the next")
    gpus: list[PartId] = Field(default_factory=list, description="GPUs that the maker names for this bridge")
    link_gb_s: Positive | None = None


class Nic(Part):
    """A network adapter, SuperNIC or DPU."""

    kind: Literal["nic"]
    form_factor: Literal["pcie", "ocp3", "ocp2"] | None = None
    family: str | None = None
    ports: Annotated[int, Field(ge=1, le=8)] | None = None
    port_type: str | None = None
    port_gbit_s: Positive | None = None
    protocol: list[Literal["ethernet", "infiniband"]] | None = None
    is_dpu: bool | None = None
    card: Card = Card()
    pcie: Pcie = Pcie()
    power: Power = Power()
    power_inputs: list[PowerInput] | None = None
    aux_power_w: Watts | None = Field(None, description="what the card draws through its auxiliary connector")


class StorageAdapter(Part):
    """An HBA, RAID controller or drive carrier card."""

    kind: Literal["storage_adapter"]
    form_factor: Literal["pcie", "internal", "ocp3"] | None = None
    protocols: list[Literal["nvme", "sas", "sata"]] | None = None
    drives_max: Count | None = None
    card: Card = Card()
    pcie: Pcie = Pcie()
    power: Power = Power()
    power_inputs: list[PowerInput] | None = None
