"""What a workload says of itself, over all of its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.facts.records import Record, known, total_count
from rackwright.workloads.shape import Task, Workload


def tasks_of(workload: Workload) -> Sequence[Task]:
    """Return the tasks of a workload: those under `tasks`, else the workload itself."""
    return workload.tasks or (workload,)


def workload_facts(workload: Workload) -> Record:
    """Return the facts of a workload that its tasks share; what no task says is absent.

    Keys of the workload stand for its tasks where these do not say otherwise. The largest context and the shortest wait
    of all tasks count, and their requests together.
    """
    tasks = tasks_of(workload)
    kinds = list(dict.fromkeys(task.task for task in tasks))
    return known(
        kinds=kinds,
        tasks=len(tasks),
        is_inference="llm-inference" in kinds,
        is_tuning=not {"fine-tuning", "training"}.isdisjoint(kinds),
        is_rendering="rendering" in kinds,
        is_vdi="vdi" in kinds,
        is_coupled=_is_coupled(workload, tasks),
        goal=_said(workload, tasks, "goal"),
        load=workload.load,
        utilisation_ratio=workload.utilisation_ratio,
        growth_ratio=workload.growth_ratio,
        is_isolated=workload.is_isolated,
        is_fault_tolerant=workload.is_fault_tolerant,
        has_scheduler=workload.has_scheduler,
        has_admin_team=workload.has_admin_team,
        models=_all(workload, tasks, "model"),
        precisions=_all(workload, tasks, "precision"),
        context_tokens=max(_all(workload, tasks, "context_tokens"), default=None),
        concurrent_requests=total_count([task.concurrent_requests or workload.concurrent_requests for task in tasks]),
        first_token_max_s=min(_all(workload, tasks, "first_token_max_s"), default=None),
        micro_batch=_said(workload, tasks, "micro_batch"),
        scene_gb=max(_all(workload, tasks, "scene_gb"), default=None),
        is_interactive=_said(workload, tasks, "is_interactive"),
        frames=_said(workload, tasks, "frames"),
        hypervisor=_said(workload, tasks, "hypervisor"),
    )


def _all(workload: Workload, tasks: Sequence[Task], field: str) -> list[Any]:
    """Return what tasks and workload say of a field, each value once."""
    values = [getattr(task, field) for task in (*tasks, workload)]
    return list(dict.fromkeys(value for value in values if value is not None))


def _said(workload: Workload, tasks: Sequence[Task], field: str) -> Any:
    return next(iter(_all(workload, tasks, field)), None)


def _is_coupled(workload: Workload, tasks: Sequence[Task]) -> bool | None:
    """Say whether a job is spread over GPUs that exchange data. Frames and desktops never are."""
    said = [True if task.is_split_over_gpus else task.is_split_over_gpus for task in (*tasks, workload)]
    if True in said or any((task.tensor_parallel or 1) > 1 for task in tasks):
        return True
    if False in said or all(task.task in ("rendering", "vdi") for task in tasks):
        return False
    return None
