"""What a node must have beside its GPUs: host memory, cores, storage and network, by the option and the policy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rackwright.assembly.need import Adapters, NodeNeed
from rackwright.configuration import SizingRequest
from rackwright.sizing.model import Assignment, Link, Option
from rackwright.workloads.shape import Workload

# Virtual processors of a desktop where the user states none, by the memory of its virtual GPU: at least so many GB, so
# many processors. Source: NVIDIA RTX vWS sizing guide, light 4Q: 4 vCPU, medium 8Q: 8, heavy 12Q and more: 12.
_DESKTOP_CORES = ((12.0, 12), (8.0, 8), (0.0, 4))
_FULL_NODE = 4  # GPUs from which on references ask for fast processors


def need_of(option: Option, request: SizingRequest, policy: Mapping[str, Any]) -> NodeNeed:
    """Return what one node of an option must have. `policy` has the parameters by name.

    Main memory: the advised multiple of the video memory, the advised least for each GPU, and what the tasks keep
    there. Network: one adapter for users and storage; where several nodes work on one job, adapters for the exchange by
    the published patterns. An unknown video memory counts with the least for each GPU alone.
    """
    gpu, cards = option.gpu, option.gpus_per_node
    units = cards * (gpu.get("gpus_per_board") or 1)
    video_gb = cards * float(gpu.get("memory.capacity_gb") or 0)
    advised_gb = video_gb * policy["memory_per_gpu_memory_advised_ratio"], units * policy["memory_per_gpu_min_gb"]
    kept_gb = sum(_host_memory_gb(item, option.nodes) for item in option.assignments)
    return NodeNeed(
        id="node",
        title=request.workload.title or "",
        gpu=gpu,
        gpus=cards,
        nodes=option.nodes,
        workload=_workload(request.workload, option),
        site=request.site,
        memory_gb=max(*advised_gb, kept_gb),
        cores=max(units * int(policy["cpu_cores_per_gpu_min"]), _desktop_cores(option, policy)),
        clock_min_ghz=float(policy["assembly_clock_min_ghz"]) if cards >= _FULL_NODE else 0.0,
        storage_gb=max(
            float(policy["assembly_storage_min_gb"]), sum(item.store_gb or 0 for item in option.assignments)
        ),
        adapters=_adapters(option, policy),
        joined=_joined(option),
        allowance_ratio=float(policy["assembly_allowance_ratio"]),
        allowance_min_w=float(policy["assembly_allowance_min_w"]),
        headroom_ratio=float(policy["psu_headroom_ratio"]),
        racks=tuple(rack.id for rack in request.site.racks),
    )


def _host_memory_gb(item: Assignment, nodes: int) -> float:
    """Return the task's own need of main memory in one node: models are in every node, users are spread over them."""
    needed = item.host_memory_gb or 0.0
    return needed / nodes if item.task.task in ("vdi", "rendering") else needed


def _desktop_cores(option: Option, policy: Mapping[str, Any]) -> int:
    """Return the cores that the desktops of one node take."""
    profiles = [profile for item in option.assignments for profile in item.task.profiles]
    wanted = sum(p.users * (p.cpu_cores or _cores_of(float(p.profile[:-1]))) for p in profiles)
    return math.ceil(wanted / float(policy["assembly_users_per_core"]) / option.nodes)


def _cores_of(memory_gb: float) -> int:
    return next(cores for least, cores in _DESKTOP_CORES if memory_gb >= least)


def _adapters(option: Option, policy: Mapping[str, Any]) -> tuple[Adapters, ...]:
    """One adapter with two ports for users and storage; beside it those for a job that runs over several nodes."""
    serving = Adapters(1, 2, float(policy["assembly_serving_gbit_s"]))
    if option.nodes == 1 or not any(_spans_nodes(item, option) for item in option.assignments):
        return (serving,)
    if option.gpu.get("form_factor") == "pcie":
        pairs = math.ceil(option.gpus_per_node / 2)
        return Adapters(pairs, 1, float(policy["assembly_exchange_card_gbit_s"])), serving
    return Adapters(option.gpus_per_node, 1, float(policy["assembly_exchange_gbit_s"])), serving


def _spans_nodes(item: Assignment, option: Option) -> bool:
    """Say whether one job of a task needs more GPUs than a node has; training shares its gradients over all of them."""
    group = item.tensor_parallel * item.pipeline_parallel
    is_trained = item.task.task in ("training", "fine-tuning")
    return group > option.gpus_per_node or (is_trained and item.gpus > option.gpus_per_node)


def _joined(option: Option) -> int:
    """Return how many cards of one task are to be joined by bridges; 1 if the link is not needed."""
    groups = [item.tensor_parallel for item in option.assignments if item.link in (Link.BRIDGE, Link.NVSWITCH)]
    is_trained = any(item.task.task in ("training", "fine-tuning") for item in option.assignments)
    widest = max(groups, default=1)
    return option.gpus_per_node if is_trained and groups else min(widest, option.gpus_per_node)


def _workload(workload: Workload, option: Option) -> Workload:
    """Say in the workload whether its one model is spread over all GPUs of the node, so that rules can check it."""
    if workload.tasks or workload.is_split_over_gpus is not None or len(option.assignments) != 1:
        return workload
    item = option.assignments[0]
    group = item.tensor_parallel * item.pipeline_parallel
    if group == 1 and item.task.task == "llm-inference":
        return replace(workload, is_split_over_gpus=False)
    return replace(workload, is_split_over_gpus=True) if group == option.gpus_per_node else workload
