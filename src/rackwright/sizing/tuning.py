"""What training or fine-tuning needs on one kind of GPU: how many share it, by which stage, how long it runs."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.diagnostic import Message, sentence
from rackwright.sizing.model import Assignment, Link, Speed
from rackwright.workloads.architecture import ModelSpec
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import summed
from rackwright.workloads.shape import Task
from rackwright.workloads.training import (
    ADAPTER_RATIO,
    QLORA_BAND,
    Training,
    checkpoint_gb,
    duration_h,
    exchange_share,
    host_memory_gb,
    sharing_note,
    training_terms,
)
from rackwright.workloads.verdicts import Fit

_COUNTS = (1, 2, 4, 8, 16, 32, 64)
_IN_NODE = 8  # GPUs that exchange data inside a node
_SNAPSHOTS = 3  # checkpoints that are kept: the last ones and the best


def training_of(task: Task, gpus: int, stage: int, assumptions: Assumptions) -> Training:
    """Read the training of a task; what nobody states is assumed (and told by the findings on the request)."""
    return Training(
        method=task.method or ("full" if task.task == "training" else "lora"),
        sequence_tokens=task.sequence_tokens or task.context_tokens or assumptions.sequence_assumed_tokens,
        micro_batch=task.micro_batch or 1,
        gpus=gpus,
        zero_stage=stage,
        optimiser=task.optimiser or "adam",
        checkpointing=task.checkpointing or "selective",
        adapter_ratio=task.adapter_ratio or ADAPTER_RATIO,
        is_offloaded=bool(task.is_offloaded),
    )


def tuning_assignments(task: Task, model: ModelSpec, gpu: GpuSpec, assumptions: Assumptions) -> Iterator[Assignment]:
    """One assignment for each number of GPUs, each with the least sharing that fits; refused ones too."""
    for gpus in _COUNTS:
        stages = [task.zero_stage] if task.zero_stage is not None else [0, 1, 2, 3] if gpus > 1 else [0]
        ways = [training_of(task, gpus, stage, assumptions) for stage in stages]
        tried = [_assignment(task, model, gpu, way, assumptions) for way in ways]
        fitting = [item for item in tried if item.fit is Fit.RECOMMENDED] or [
            item for item in tried if item.fit is Fit.TIGHT
        ]
        yield fitting[0] if fitting else tried[-1]


def _assignment(task: Task, model: ModelSpec, gpu: GpuSpec, training: Training, assumptions: Assumptions) -> Assignment:
    need = summed(training_terms(model, training), gpu, assumptions)
    fit = need.fit
    is_rough = training.method == "qlora"
    if is_rough and fit is Fit.RECOMMENDED and (need.used_ratio or 0) * QLORA_BAND[1] > 1:
        fit = Fit.TIGHT
    share = exchange_share(model, gpu, training)
    hours = duration_h(model, gpu, training, task.tokens_billion * 1e9) if task.tokens_billion else None
    jobs = task.jobs or 1
    notes = [note for note in (sharing_note(training), _rough(is_rough), _link_note(share)) if note is not None]
    is_met = None
    if hours is not None and task.duration_max_h is not None:
        is_met = True if hours.high <= task.duration_max_h else False if hours.low > task.duration_max_h else None
    return Assignment(
        task=task,
        model=model,
        precision="nf4" if is_rough else "bf16",
        tensor_parallel=training.gpus,
        pipeline_parallel=1,
        replicas=jobs,
        gpus=training.gpus * jobs,
        need=need,
        quick=None,
        speed=Speed(duration_h=hours, link_ratio=share, is_target_met=is_met, notes=tuple(notes)),
        fit=fit,
        link=_link(training, share, gpu, assumptions),
        reason=_reason(model, training, need.need_gib, need.usable_gib),
        store_gb=checkpoint_gb(model, training) * _SNAPSHOTS + model.parameters * 2 / 1e9,
        host_memory_gb=host_memory_gb(model, training),
    )


def _link(training: Training, share: float | None, gpu: GpuSpec, assumptions: Assumptions) -> Link:
    """NVLink where the gradients would take more than their share of a step; shared weights need it always."""
    if training.gpus == 1:
        return Link.NONE
    small = training.method != "full" and training.zero_stage < 3
    if small or (share is not None and share <= assumptions.training_link_share_max_ratio and gpu.fabric != "nvswitch"):
        return Link.PCIE
    return Link.BRIDGE if training.gpus <= max(gpu.bridged_cards, default=2) else Link.NVSWITCH


def _rough(is_rough: bool) -> Message | None:
    if not is_rough:
        return None
    return sentence("4-bit training was measured at up to {factor} times this sum", factor=QLORA_BAND[1])


def _link_note(share: float | None) -> Message | None:
    if share is None or share <= 1:
        return None
    return sentence(
        "the exchange of gradients takes {factor} times as long as a step of one micro batch: accumulate several",
        factor=share,
    )


def _reason(model: ModelSpec, training: Training, need_gib: float, usable_gib: float | None) -> Message:
    figures: dict[str, float | str] = {
        "model": model.title, "method": training.method, "need_gib": need_gib, "usable_gib": usable_gib or 0.0,
        "gpus": training.gpus, "stage": training.zero_stage, "tokens": training.sequence_tokens,
        "batch": training.micro_batch,
    }  # fmt: skip
    if training.gpus == 1:
        return sentence(
            "{method} of {model} with {batch} sequences of {tokens} tokens takes {need_gib} of {usable_gib} on one GPU",
            **figures,
        )
    return sentence(
        "{method} of {model} with {batch} sequences of {tokens} tokens takes {need_gib} of {usable_gib} on each of "
        "{gpus} GPUs that share by ZeRO stage {stage}",
        **figures,
    )


def nodes_of(item: Assignment) -> list[int]:
    """Groups of GPUs that must sit together: a job of more than a node's GPUs fills whole nodes."""
    group = item.tensor_parallel * item.pipeline_parallel
    whole, rest = divmod(group, _IN_NODE)
    return ([_IN_NODE] * whole + ([rest] if rest else [])) * item.replicas
