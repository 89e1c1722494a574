"""One GPU as the arithmetic sees it. A board with several GPUs (A16) counts as several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.workloads.precision import COMPUTED_IN

_TFLOPS = {"bf16": "bf16_dense_tflops", "fp8": "fp8_dense_tflops", "fp4": "fp4_dense_tflops"}


@frozen(slots=True)
class Exchange:
    """What an exchange between all GPUs of a group (all-reduce) reaches; `start_ms` is that of a few kilobytes."""

    bus_gb_s: float
    start_ms: float
    via: str


@frozen(slots=True)
class GpuSpec:
    """One GPU. None where nobody states a figure. `exchanges` by the number of GPUs in the group.

    `usable_gib` is what a program gets; where nobody measured it, a share of the nominal size (`is_usable_measured`).
    """

    id: str
    title: str
    memory_gb: float | None
    usable_gib: float | None
    is_usable_measured: bool
    bandwidth_gb_s: float | None
    tflops: Mapping[str, float]
    architecture: str | None
    is_module: bool
    gpus_per_board: int
    fabric: str | None
    has_nvlink: bool | None
    bridged_cards: tuple[int, ...] = ()
    exchanges: Mapping[int, Exchange] = field(default_factory=dict)
    market: str | None = None
    is_vgpu_supported: bool | None = None
    vgpu_products: tuple[str, ...] | None = None
    vgpu_users: Mapping[str, float] = field(default_factory=dict)
    maker: str = ""

    @property
    def is_for_graphics(self) -> bool:
        """Tell whether it is known to be made for pictures too: a workstation card, or listed for vWS."""
        return self.market in ("workstation", "consumer") or "vws" in (self.vgpu_products or ())

    def tflops_for(self, precision: str) -> float | None:
        """Dense TFLOPS in which weights of this format are computed: its own, or 16 bits where it is only stored."""
        wanted = COMPUTED_IN.get(precision, "bf16")
        return self.tflops.get(wanted, self.tflops.get("bf16"))

    def computes(self, precision: str) -> bool | None:
        """Tell whether the tensor cores take this format themselves. None: it is stored only, on any GPU."""
        wanted = COMPUTED_IN.get(precision)
        return None if wanted is None or wanted == "bf16" else wanted in self.tflops


# Start of an exchange of a few kilobytes over NVLink or NVSwitch where none was measured for the GPU: figures of the
# H100, ms by GPUs (aiconfigurator-core 0.12.0, measured all-reduce tables, read 2026-12-01).
_START_MS = {2: 0.007, 4: 0.012, 8: 0.019}


def gpu_spec(part: Part, vram_nominal_ratio: float) -> GpuSpec:
    """Return a GPU of the catalog. `vram_nominal_ratio`: GiB that can be used for each GB of the name."""
    memory = part.get("memory") or {}
    boards = part.get("gpus_per_board") or 1
    each = memory.get("per_gpu_gb") or (memory["capacity_gb"] / boards if "capacity_gb" in memory else None)
    measured = memory.get("usable_gib")
    bandwidth = memory.get("bandwidth_gb_s")
    compute = part.get("compute") or {}
    nvlink = part.get("nvlink") or {}
    return GpuSpec(
        id=part.id,
        title=part.title,
        memory_gb=each,
        usable_gib=measured if measured is not None else each * vram_nominal_ratio if each is not None else None,
        is_usable_measured=measured is not None,
        bandwidth_gb_s=bandwidth / boards if bandwidth is not None else None,
        tflops={kind: compute[name] / boards for kind, name in _TFLOPS.items() if name in compute},
        architecture=part.get("architecture"),
        is_module=part.get("form_factor") != "pcie",
        gpus_per_board=boards,
        fabric=nvlink.get("fabric"),
        has_nvlink=nvlink.get("is_supported"),
        bridged_cards=tuple(sorted({group["cards"] for group in nvlink.get("groups", ())})),
        exchanges={
            item["gpus"]: Exchange(
                item["bus_gb_s"], item.get("start_ms", _START_MS.get(item["gpus"], 0.019)), item.get("via", "")
            )
            for item in part.get("collectives") or ()
        },
        market=part.get("market"),
        is_vgpu_supported=part.get("is_vgpu_supported"),
        vgpu_products=tuple(part.get("vgpu_products")) if part.get("vgpu_products") is not None else None,
        vgpu_users={name: users / boards for name, users in (part.get("vgpu_users") or {}).items()},
        maker=part.data["maker"],
    )


def with_exchanges_of_like(
    spec: GpuSpec, link_gb_s: float | None, others: list[tuple[GpuSpec, float | None]]
) -> GpuSpec:
    """Give a GPU without measured exchanges those of one with the same fabric and link rate, if there is one."""
    if spec.exchanges or spec.fabric != "nvswitch" or link_gb_s is None:
        return spec
    import dataclasses

    for other, rate in others:
        if other.exchanges and other.fabric == spec.fabric and rate == link_gb_s:
            return dataclasses.replace(spec, exchanges=other.exchanges)
    return spec
