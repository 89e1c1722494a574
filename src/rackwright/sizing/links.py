"""Which connection between GPUs a task needs, and whether a kind of GPU can have it."""

from __future__ import annotations

from rackwright.sizing.model import Link
from rackwright.workloads.architecture import ModelSpec
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import Exchange, GpuSpec
from rackwright.workloads.memory import Serving, Split
from rackwright.workloads.speed import pace

# The fastest exchange over PCIe that was measured (RTX PRO 6000 Server Edition, aiconfigurator-core 0.12.0, read
# 2026-12-01): if a task suffers from it, it needs NVLink, whatever the card.
_BEST_PCIE = {2: Exchange(38.6, 0.0074, "pcie"), 4: Exchange(26.4, 0.015, "pcie"), 8: Exchange(24.7, 0.027, "pcie")}


def link_needed(
    model: ModelSpec, gpu: GpuSpec, split: Split, serving: Serving, answer_tokens: int, assumptions: Assumptions
) -> Link:
    """Return the weakest connection that is enough: NVLink if PCIe would take more than its share of the time.

    Large models over four and more GPUs need it by the rule of the trade, whatever the estimate says.
    """
    if split.tensor == 1:
        return Link.NONE if split.pipeline == 1 else Link.PCIE
    is_large = model.parameters >= assumptions.weights_split_nvlink_billion * 1e9 and split.tensor >= 4
    share = _pcie_share(model, gpu, split, serving, answer_tokens)
    if not is_large and (share is None or share <= assumptions.link_share_max_ratio):
        return Link.PCIE
    return Link.BRIDGE if split.tensor <= max(gpu.bridged_cards, default=2) else Link.NVSWITCH


def _pcie_share(model: ModelSpec, gpu: GpuSpec, split: Split, serving: Serving, answer_tokens: int) -> float | None:
    """Share of the time per token that the exchange would take if it went over PCIe; None if nothing is known."""
    import dataclasses

    plain = dataclasses.replace(gpu, exchanges=_BEST_PCIE, fabric=None)
    return pace(model, plain, split, serving, answer_tokens, serving.concurrent_requests).link_ratio


def is_link_there(link: Link, gpu: GpuSpec, gpus: int) -> bool | None:
    """Tell whether `gpus` of this kind can be joined like that; None if nobody states whether it has NVLink."""
    if link in (Link.NONE, Link.PCIE):
        return True
    if gpu.has_nvlink is None:
        return None
    if not gpu.has_nvlink:
        return False
    if gpu.fabric == "nvswitch" or gpu.is_module:
        return True
    return link is Link.BRIDGE and gpus <= max(gpu.bridged_cards, default=0)
