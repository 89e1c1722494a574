"""Findings on what a user says of a workload: unknown models, figures that contradict the model or each other.

Types and ranges are checked when the file is read; here is what needs the catalog, or two values at a time: CFG060 to
CFG067.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.source import Location, Path
from rackwright.workloads.architecture import ModelSpec, find_model, lacking, nearest_models, spec_of
from rackwright.workloads.precision import BYTES
from rackwright.workloads.shape import Task, Workload

At = Callable[[Path], Location]

_MODEL_TASKS = frozenset({"llm-inference", "fine-tuning", "training"})
# Keys that belong to some tasks only; a key that is not here belongs to all.
_BELONGS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("model", "precision", "tensor_parallel", "pipeline_parallel"), _MODEL_TASKS),
    **dict.fromkeys(
        (
            "cache_precision", "context_tokens", "prompt_tokens", "answer_tokens", "concurrent_requests", "goal",
            "requests_per_user_hour", "first_token_max_s", "per_token_max_ms", "tokens_per_second_min",
            "has_chunked_prefill",
        ),
        frozenset({"llm-inference"}),
    ),
    **dict.fromkeys(
        (
            "method", "optimiser", "zero_stage", "checkpointing", "sequence_tokens", "micro_batch", "adapter_ratio",
            "is_offloaded", "tokens_billion", "jobs",
        ),
        frozenset({"fine-tuning", "training"}),
    ),
    "duration_max_h": frozenset({"fine-tuning", "training", "rendering"}),
    **dict.fromkeys(("engine", "scene_gb", "is_interactive", "frames", "frame_gpu_s"), frozenset({"rendering"})),
    **dict.fromkeys(("profiles", "hypervisor"), frozenset({"vdi"})),
}  # fmt: skip


def tasks_of(workload: Workload) -> list[tuple[Task, Path]]:
    """Return the single tasks of a workload with their place below it; what they have in common is filled in."""
    if not workload.tasks:
        return [(Task(**{item.name: getattr(workload, item.name) for item in fields(Task)}), ())]
    return [(_with_common(task, workload), ("tasks", number)) for number, task in enumerate(workload.tasks)]


def _with_common(task: Task, workload: Workload) -> Task:
    values = {}
    for item in fields(Task):
        own = getattr(task, item.name)
        belongs = item.name not in _BELONGS or task.task in _BELONGS[item.name]
        is_common = item.name not in ("title", "note", "users", "memory_gb", "memory_per_gpu_gb") and belongs
        values[item.name] = getattr(workload, item.name) if own in (None, []) and is_common else own
    return Task(**values)


def check_workload(
    workload: Workload, path: Path, catalog: Catalog, at: At, *, is_model_needed: bool = False
) -> list[Finding]:
    """Return the findings on a workload, of a node or alone. `path` is its place in the file.

    Where memory is stated, `model` may be a word to people, unless `is_model_needed`.
    """
    findings: list[Finding] = []
    if workload.tasks and workload.task != "mixed" and any(task.task != workload.task for task in workload.tasks):
        findings.append(
            finding(
                "CFG060", "the workload is {task}, but has tasks of other kinds", at((*path, "task")),
                fix="write `task: mixed`", task=workload.task,
            )
        )  # fmt: skip
    for task, below in tasks_of(workload):
        findings += check_task(task, (*path, *below), catalog, at, is_model_needed=is_model_needed)
    return findings


def check_task(task: Task, path: Path, catalog: Catalog, at: At, *, is_model_needed: bool = False) -> list[Finding]:
    """Return the findings on one task."""
    findings = list(_strays(task, path, at))
    if task.model is not None and task.task in _MODEL_TASKS:
        part = find_model(catalog, task.model)
        is_word = part is None and (task.memory_gb or task.memory_per_gpu_gb) and not is_model_needed
        if is_word:
            return [*findings, *_numbers(task, path, at)]
        findings += _model_findings(task, part, path, catalog, at)
    findings += _numbers(task, path, at)
    return findings


def _strays(task: Task, path: Path, at: At) -> Iterator[Finding]:
    for name, tasks in _BELONGS.items():
        if getattr(task, name) not in (None, []) and task.task not in tasks and task.task != "mixed":
            yield finding(
                "CFG061", "`{name}` says nothing about {task}", at((*path, name)), severity=Severity.WARNING,
                fix="leave it out; it belongs to {tasks}", name=name, task=task.task, tasks=", ".join(sorted(tasks)),
            )  # fmt: skip


def _model_findings(task: Task, part: Part | None, path: Path, catalog: Catalog, at: At) -> Iterator[Finding]:
    here = (*path, "model")
    if part is None:
        near = ", ".join(nearest_models(catalog, task.model or ""))
        text = "no model of the catalog is called {model}"
        fix = "did you mean {near}?" if near else "add a part file of kind model, or name a config.json from disk"
        yield finding("CFG062", text, at(here), fix=fix, model=task.model or "", near=near)
        return
    missing = lacking(part)
    if missing:
        yield finding(
            "CFG063", "{model} lacks figures that the sum needs: {missing}", at(here),
            fix="add them to its part file with their source, or state `memory_gb` yourself", model=part.title,
            missing=", ".join(missing),
        )  # fmt: skip
        return
    model = spec_of(part)
    assert model is not None
    yield from _against_model(task, model, path, at)


def _against_model(task: Task, model: ModelSpec, path: Path, at: At) -> Iterator[Finding]:
    for name in ("context_tokens", "sequence_tokens"):
        tokens = getattr(task, name)
        if tokens is not None and model.context_max is not None and tokens > model.context_max:
            yield finding(
                "CFG064", "{tokens} tokens are more than {model} can take, which is {most}", at((*path, name)),
                fix="plan with {most} tokens at most, or another model", tokens=tokens, model=model.title,
                most=model.context_max,
            )  # fmt: skip
        elif tokens is not None and model.context_max is None:
            yield finding(
                "CFG064", "how many tokens {model} can take at most is not known; {tokens} are planned",
                at((*path, name)), severity=Severity.WARNING, fix="confirm it with the maker of the model",
                tokens=tokens, model=model.title,
            )  # fmt: skip
    split = task.tensor_parallel
    if split is not None and not model.is_split_allowed(split):
        allowed = [number for number in (1, 2, 4, 8, 16) if model.is_split_allowed(number)]
        yield finding(
            "CFG065",
            "{heads} attention heads and {kv_heads} KV heads of {model} do not divide over {gpus} GPUs",
            at((*path, "tensor_parallel")), fix="it can be split over {allowed} GPUs", heads=model.heads,
            kv_heads=model.kv_heads, model=model.title, gpus=split, allowed=", ".join(map(str, allowed)),
        )  # fmt: skip
    if task.pipeline_parallel is not None and task.pipeline_parallel > model.layers:
        yield finding(
            "CFG065", "{model} has {layers} layers, too few for {stages} stages", at((*path, "pipeline_parallel")),
            fix="plan {layers} stages at most", model=model.title, layers=model.layers, stages=task.pipeline_parallel,
        )  # fmt: skip
    if task.precision is not None and BYTES[task.precision] > BYTES[model.native_precision] and model.experts:
        yield finding(
            "CFG066", "{model} is published in {native}; {precision} would only take more memory",
            at((*path, "precision")), severity=Severity.WARNING, fix="plan with {native}", model=model.title,
            native=model.native_precision, precision=task.precision,
        )  # fmt: skip


def _numbers(task: Task, path: Path, at: At) -> Iterator[Finding]:
    context, prompt, answer = task.context_tokens, task.prompt_tokens, task.answer_tokens
    if context is not None and (prompt or 0) + (answer or 0) > context:
        name = "prompt_tokens" if prompt else "answer_tokens"
        yield finding(
            "CFG067", "prompt and answer are {tokens} tokens together, more than the context of {context}",
            at((*path, name)), fix="`context_tokens` counts both: raise it or shorten them",
            tokens=(prompt or 0) + (answer or 0), context=context,
        )  # fmt: skip
    if task.users is not None and (task.concurrent_requests or 0) > task.users:
        yield finding(
                "CFG067", "{requests} requests at a time are more than one for each of {users} users",
                at((*path, "concurrent_requests")), severity=Severity.WARNING,
                fix="agents send several at a time; otherwise count again", requests=task.concurrent_requests or 0,
                users=task.users,
            )  # fmt: skip
    if task.method in ("lora", "qlora") and task.adapter_ratio is not None and task.adapter_ratio > 0.2:
        yield finding(
            "CFG067", "adapters with {adapter_percent} % of the parameters are no small adapters",
            at((*path, "adapter_ratio")), severity=Severity.WARNING, fix="0.001 to 0.01 is usual",
            adapter_percent=100 * task.adapter_ratio,
        )  # fmt: skip
