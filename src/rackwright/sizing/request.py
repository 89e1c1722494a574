"""What a request must say before it can be sized, and which GPUs it allows."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.catalog import Catalog, Part
from rackwright.configuration import SizingFile, SizingRequest
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.source import Path
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.checks import check_workload, tasks_of
from rackwright.workloads.shape import Task

_SOLD = (None, "announced", "active")


def gpus_of(request: SizingRequest, catalog: Catalog) -> list[Part]:
    """Return the GPUs that may be proposed: those that the request names, else all that are still sold."""
    if request.limits.gpus:
        named = (catalog.find(name) for name in request.limits.gpus)
        return [part for part in named if part is not None and part.kind == "gpu"]
    return [part for part in catalog.of_kind("gpu") if part.get("lifecycle.status") in _SOLD]


def check_request(file: SizingFile, catalog: Catalog, assumptions: Assumptions) -> list[Finding]:
    """Return all findings on a request: its workload, what it leaves out, and the GPUs that it names."""
    findings = check_workload(file.request.workload, ("workload",), catalog, file.at, is_model_needed=True)
    for task, below in tasks_of(file.request.workload):
        findings += _left_out(task, ("workload", *below), file, assumptions)
    for number, name in enumerate(file.request.limits.gpus):
        part = catalog.find(name)
        if part is None or part.kind != "gpu":
            near = ", ".join(item for item in catalog.nearest(name, 8) if catalog.parts[item].kind == "gpu")
            fix = "did you mean {near}?" if near else "name GPUs of the catalog"
            place = file.at(("limits", "gpus", number))
            findings.append(
                finding("CFG069", "no GPU of the catalog is called {name}", place, fix=fix, name=name, near=near)
            )
    return findings


def _left_out(task: Task, path: Path, file: SizingFile, assumptions: Assumptions) -> Iterator[Finding]:
    at = file.at(path)
    if task.task == "mixed":
        yield finding("CFG068", "the mixed workload has no tasks", at, fix="list them under `tasks`")
        return
    needed = {"rendering": "scene_gb", "vdi": "profiles"}.get(task.task, "model")
    if not getattr(task, needed):
        fix = "state `{name}`"
        yield finding("CFG068", "{task} cannot be sized without `{name}`", at, fix=fix, task=task.task, name=needed)
    if task.users is not None and _is_rate_open(task):
        yield finding(
            "CFG068", "how often they ask is not stated; worked out with all {users} users at the same time", at,
            severity=Severity.WARNING, fix="state `requests_per_user_hour` or `concurrent_requests`", users=task.users,
        )  # fmt: skip
    for name, assumed in _assumed(task, assumptions).items():
        yield finding(
            "CFG068", "`{name}` is not stated; worked out with {assumed}", at, severity=Severity.WARNING,
            fix="state it: the answer depends on it", name=name, assumed=assumed,
        )  # fmt: skip


def _is_rate_open(task: Task) -> bool:
    stated = (task.concurrent_requests, task.requests_per_user_hour, task.tokens_per_second_min)
    return task.task == "llm-inference" and all(value is None for value in stated)


def _assumed(task: Task, assumptions: Assumptions) -> dict[str, float | str]:
    """What is taken for a task where nobody states it, by its key."""
    found: dict[str, float | str] = {}
    if task.task == "llm-inference":
        if task.context_tokens is None:
            found["context_tokens"] = assumptions.context_assumed_tokens
        if task.concurrent_requests is None and task.tokens_per_second_min is None and task.users is None:
            found["concurrent_requests"] = assumptions.requests_assumed
    elif task.task in ("fine-tuning", "training"):
        if task.method is None:
            found["method"] = "full" if task.task == "training" else "lora"
        if task.sequence_tokens is None and task.context_tokens is None:
            found["sequence_tokens"] = assumptions.sequence_assumed_tokens
    return found
