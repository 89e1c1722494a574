"""What a node's workload needs of its GPUs, worked out from the model: one sum for the fullest GPU.

The arithmetic is that of sizing (rackwright.workloads). A figure that the configuration leaves out makes the need
unknown here, where sizing would work with an assumption and say so: a configuration is judged, not advised.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.facts.records import Needs, Record, known
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement
from rackwright.workloads.architecture import ModelSpec, find_model, spec_of
from rackwright.workloads.assumptions import Assumptions, assumptions_of
from rackwright.workloads.checks import tasks_of
from rackwright.workloads.gpu import GpuSpec, gpu_spec
from rackwright.workloads.memory import MemoryNeed, Serving, Split, serving_terms, summed
from rackwright.workloads.pictures import gpus_for_profiles, scene_terms
from rackwright.workloads.shape import Task
from rackwright.workloads.training import Training, training_terms
from rackwright.workloads.verdicts import Fit

_SPLITS = (1, 2, 4, 8, 16)


@frozen(slots=True)
class _Room:
    """A node, one kind of GPU in it, and how many GPUs there are."""

    placed: NodePlacement
    catalog: Catalog
    gpu: GpuSpec
    gpus: int
    tasks: int
    assumptions: Assumptions


@frozen(slots=True)
class _Found:
    """What one task needs: the sum for one GPU, the GPUs of one copy; or what is missing for it."""

    title: str
    need: MemoryNeed | None = None
    gpus: int | None = None
    is_native: bool | None = None
    precision: str | None = None
    is_split: bool | None = None
    missing: tuple[str, ...] = ()


def need_facts(placed: NodePlacement, catalog: Catalog, policy: Mapping[str, Any]) -> Record:
    """Return the facts on the computed need; `has_need` is false where nothing can be, or need be, worked out."""
    workload = placed.node.workload
    boards = [card.part for card in placed.cards if card.part.kind == "gpu"]
    tasks = [task for task, _ in tasks_of(workload)] if workload is not None else []
    judged = [task for task in tasks if _is_judged(task)]
    if workload is None or workload.memory_gb is not None or not judged or not boards or not policy:
        return {"has_need": False}
    assumptions = assumptions_of(policy)
    found: list[_Found] = []
    for board in _kinds(boards):
        gpus = sum(part.get("gpus_per_board") or 1 for part in boards)
        gpu = gpu_spec(board, assumptions.vram_nominal_ratio)
        room = _Room(placed, catalog, gpu, gpus, len(tasks), assumptions)
        found += [_of_task(task, room) for task in judged]
    return _facts(found, boards, {"id": placed.node.id})


def _is_judged(task: Task) -> bool:
    if task.task in ("llm-inference", "fine-tuning", "training"):
        return task.model is not None
    return bool(task.scene_gb if task.task == "rendering" else task.profiles)


def _kinds(boards: Sequence[Part]) -> list[Part]:
    return list({part.id: part for part in boards}.values())


def _facts(found: Sequence[_Found], boards: Sequence[Part], node: Record) -> Record:
    missing = [name for item in found for name in item.missing]
    known_needs = [item for item in found if item.need is not None and item.need.used_ratio is not None]
    fullest = max(known_needs, key=_used, default=None)
    is_whole = len(known_needs) == len(found)

    def reasons() -> dict[str, Needs]:
        stated: Needs = [(node, f"workload.{name}") for name in dict.fromkeys(missing)]
        memory: Needs = [(part.data, "memory.capacity_gb") for part in _kinds(boards)]
        needs = stated or memory
        names = (
            "need_gib",
            "usable_gib",
            "weights_gib",
            "cache_gib",
            "other_gib",
            "gpus_needed",
            "is_precision_native",
        )
        return dict.fromkeys(names, needs)

    need = fullest.need if fullest is not None and is_whole else None
    sizes = _sizes(need)
    per_kind = len(found) // max(1, len(_kinds(boards)))
    counts = [item.gpus for item in found[:per_kind]]
    splits = [item.is_split for item in found[:per_kind]]
    native = [item.is_native for item in found if item.is_native is not None]
    return known(
        reasons,
        has_need=True,
        need_of=fullest.title if fullest is not None and is_whole else None,
        need_gib=round(need.need_gib, 2) if need is not None else None,
        usable_gib=round(need.usable_gib or 0.0, 2) if need is not None else None,
        **sizes,
        gpus_needed=sum(count for count in counts if count is not None) if is_whole and None not in counts else None,
        has_precision=any(item.precision is not None for item in found),
        precision_needed=next((item.precision for item in found if item.is_native is False), None)
        or next((item.precision for item in found if item.precision), None),
        is_precision_native=all(native) if native else True,
        **({"is_split_over_gpus": splits[0]} if len(splits) == 1 and splits[0] is not None else {}),
    )


def _used(item: _Found) -> float:
    return (item.need.used_ratio or 0.0) if item.need is not None else 0.0


def _sizes(need: MemoryNeed | None) -> dict[str, float | None]:
    if need is None:
        return {}
    by_name = {term.name: term.need_gib for term in need.terms}
    weights, cache = by_name.get("weights", 0.0), by_name.get("cache", 0.0)
    other = need.need_gib - weights - cache
    return {"weights_gib": round(weights, 2), "cache_gib": round(cache, 2), "other_gib": round(other, 2)}


def _of_task(task: Task, room: _Room) -> _Found:
    if task.task == "rendering":
        scene = scene_terms(task.scene_gb or 0.0, room.assumptions)[:1]  # the reserve is a rule of its own
        return _Found(task.title or task.task, summed(scene, room.gpu, room.assumptions), 1)
    if task.task == "vdi":
        return _desktops(task, room)
    part = find_model(room.catalog, task.model or "")
    model = spec_of(part) if part is not None else None
    if model is None:
        return _Found(task.title or task.model or "", missing=("model",))
    return _serving(task, model, room) if task.task == "llm-inference" else _training(task, model, room)


def _desktops(task: Task, room: _Room) -> _Found:
    gpus = gpus_for_profiles(room.gpu, task.profiles)
    need = MemoryNeed((), room.gpu.usable_gib, room.gpu.is_usable_measured, 1.0, Fit.RECOMMENDED)
    return _Found(task.title or task.task, need, gpus if gpus else None)


def _serving(task: Task, model: ModelSpec, room: _Room) -> _Found:
    requests = task.concurrent_requests or (task.users if task.requests_per_user_hour is None else None)
    missing = tuple(_missing(task, requests))
    if missing:
        return _Found(model.title, missing=missing)
    precision = task.precision or model.native_precision
    ways = [_served(task, model, split, requests or 1, room) for split in _splits(task, model, room)]
    split, need = _first_that_fits(ways)
    return _Found(model.title, need, split.gpus, room.gpu.computes(precision), precision, _is_split(split, room))


def _is_split(split: Split, room: _Room) -> bool | None:
    """Tell whether one model is spread; None over some of an odd number of GPUs: the others do other things."""
    if split.tensor == 1:
        return False
    return True if room.gpus in _SPLITS else None


def _missing(task: Task, requests: int | None) -> Iterator[str]:
    if task.context_tokens is None:
        yield "context_tokens"
    if requests is None:
        yield "concurrent_requests"


def _splits(task: Task, model: ModelSpec, room: _Room) -> list[Split]:
    """The split that the user states, else one over all GPUs if he says so, else the smallest ones first."""
    stages = task.pipeline_parallel or 1
    if task.tensor_parallel is not None:
        return [Split(task.tensor_parallel, stages)]
    if task.is_split_over_gpus:
        return [Split(max(1, room.gpus // stages), stages)]
    if task.is_split_over_gpus is False:
        return [Split(1, stages)]
    allowed = [count for count in _SPLITS if count <= room.gpus and model.is_split_allowed(count)]
    return [Split(count, stages) for count in allowed or [1]]


def _served(task: Task, model: ModelSpec, split: Split, requests: int, room: _Room) -> tuple[Split, MemoryNeed]:
    copies = max(1, room.gpus // split.gpus) if room.tasks == 1 else 1
    serving = Serving(
        task.precision or model.native_precision,
        task.context_tokens or 1,
        math.ceil(requests / copies),
        task.cache_precision,
        task.has_chunked_prefill is not False,
        task.prompt_tokens,
    )
    return split, summed(serving_terms(model, serving, split, room.assumptions), room.gpu, room.assumptions)


def _first_that_fits(ways: Sequence[tuple[Split, MemoryNeed]]) -> tuple[Split, MemoryNeed]:
    for wanted in (Fit.RECOMMENDED, Fit.TIGHT):
        for way in ways:
            if way[1].fit is wanted:
                return way
    return ways[-1]


def _training(task: Task, model: ModelSpec, room: _Room) -> _Found:
    missing = tuple(name for name in ("method", "sequence_tokens") if getattr(task, name) is None)
    if missing:
        return _Found(model.title, missing=missing)
    jobs = task.jobs or 1
    most = max(1, room.gpus // jobs) if room.tasks == 1 else 1
    gpus = task.tensor_parallel or (most if task.is_split_over_gpus is not False else 1)
    stages = [task.zero_stage] if task.zero_stage is not None else [0, 1, 2, 3] if gpus > 1 else [0]
    ways = [(Split(gpus), _trained(task, model, gpus, stage, room)) for stage in stages]
    split, need = _first_that_fits(ways)
    return _Found(model.title, need, split.gpus * jobs)


def _trained(task: Task, model: ModelSpec, gpus: int, stage: int, room: _Room) -> MemoryNeed:
    training = Training(
        method=task.method or "full",
        sequence_tokens=task.sequence_tokens or 1,
        micro_batch=task.micro_batch or 1,
        gpus=gpus,
        zero_stage=stage,
        optimiser=task.optimiser or "adam",
        checkpointing=task.checkpointing or "selective",
        adapter_ratio=task.adapter_ratio or Training("full", 1).adapter_ratio,
        is_offloaded=bool(task.is_offloaded),
    )
    return summed(training_terms(model, training), room.gpu, room.assumptions)
