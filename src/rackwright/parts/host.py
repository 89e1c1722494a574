"""Parts of the host: CPUs, memory modules, drives."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import Count, Lanes, Part, PcieGeneration, Power

Positive = Annotated[float, Field(gt=0)]


class Cpu(Part):
    """A processor. `power.max_w` is its TDP."""

    kind: Literal["cpu"] = Field(description="kind of part")
    family: str = Field(description="platform family that a chassis lists, e.g. xeon-sp-4, epyc-9004")
    socket: str = Field(description="LGA4677, SP5 …; a socket name alone does not prove that a board takes the CPU")
    cores: Annotated[int, Field(ge=1, le=512)] | None = Field(None, description="physical cores")
    clock_base_ghz: Positive | None = Field(None, description="base clock")
    power: Power = Field(Power(), description="electrical draw")
    sockets_max: Annotated[int, Field(ge=1, le=8)] | None = Field(
        None, description="how many of this CPU work in one node; never inferred from the suffix"
    )
    pcie_generation: PcieGeneration | None = Field(
        None, description="generation of the CPU's own lanes: 5 for PCIe 5.0"
    )
    pcie_lanes: Lanes | None = Field(None, description="lanes per socket")
    memory_channels: Annotated[int, Field(ge=1, le=16)] | None = Field(None, description="memory channels per socket")
    memory_types: list[str] | None = Field(None, description="DDR5-RDIMM …")
    memory_speed_mt_s: Positive | None = Field(None, description="at one DIMM per channel")
    memory_speed_2dpc_mt_s: Positive | None = Field(None, description="at two DIMMs per channel")
    memory_max_gb: Positive | None = Field(None, description="memory per socket at most")


class Memory(Part):
    """A memory module."""

    kind: Literal["memory"] = Field(description="kind of part")
    type: str = Field(description="DDR5-RDIMM, DDR5-3DS-RDIMM, DDR5-MRDIMM, DDR4-RDIMM, DDR4-LRDIMM")
    capacity_gb: Positive = Field(description="capacity of one module")
    speed_mt_s: Positive | None = Field(None, description="rated speed")
    ranks: Annotated[int, Field(ge=1, le=16)] | None = Field(None, description="ranks of the module")
    device_width: Annotated[int, Field(ge=4, le=16)] | None = Field(None, description="4 for x4, 8 for x8 devices")
    power: Power = Field(Power(), description="electrical draw")


class Drive(Part):
    """A drive for a bay or an M.2 slot."""

    kind: Literal["drive"] = Field(description="kind of part")
    form_factor: Literal["u2", "u3", "2.5in", "3.5in", "e1s", "e1l", "e3s", "m2", "card"] | None = Field(
        None, description="form of the drive"
    )
    protocol: Literal["nvme", "sas", "sata"] | None = Field(None, description="protocol of the drive")
    capacity_gb: Positive | None = Field(None, description="decimal gigabytes as the maker prints them: 3840")
    pcie_generation: PcieGeneration | None = Field(
        None, description="generation of an NVMe drive's link: 4 for PCIe 4.0"
    )
    lanes: Lanes | None = Field(None, description="lanes of an NVMe drive's link")
    endurance_dwpd: Positive | None = Field(None, description="drive writes per day over the warranty")
    power: Power = Field(Power(), description="electrical draw")


class Heatsink(Part):
    """A CPU heatsink of a chassis maker."""

    kind: Literal["heatsink"] = Field(description="kind of part")
    tdp_max_w: Annotated[float, Field(gt=0, le=2_000)] | None = Field(None, description="largest TDP that it cools")
    pieces: Count = Field(1, description="heatsinks in one order number")
