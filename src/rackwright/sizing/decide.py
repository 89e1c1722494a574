"""The decision: which GPU, how many, in how many nodes, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.configuration import SizingFile
from rackwright.diagnostic import Finding, Severity, in_order, sentence
from rackwright.frozen import frozen
from rackwright.sizing.arrange import Arrangement, arrangements
from rackwright.sizing.counts import advise
from rackwright.sizing.links import is_link_there
from rackwright.sizing.model import Assignment, Link, Option, Sizing
from rackwright.sizing.request import check_request, gpus_of
from rackwright.sizing.screens import render_assignments, vdi_assignments
from rackwright.sizing.serving import Case, assignments, load_of
from rackwright.sizing.texts import questions_for, reason_for, risk_for
from rackwright.sizing.tuning import tuning_assignments
from rackwright.workloads.architecture import ModelSpec, find_model, spec_of
from rackwright.workloads.assumptions import Assumptions, assumptions_of
from rackwright.workloads.checks import tasks_of
from rackwright.workloads.gpu import GpuSpec, gpu_spec, with_exchanges_of_like
from rackwright.workloads.shape import Task, Workload
from rackwright.workloads.verdicts import Fit, worst

_FITS = list(Fit)
_LINKS = list(Link)
_TARGETS = (True, None, False)
_GPUS_MAX = 512  # beyond that a plan of its own is needed; a choice
_KEPT = 3  # answers of one task that are combined with those of the others, for each kind of GPU


@frozen
class _Room:
    """What every step of one sizing needs."""

    workload: Workload
    tasks: tuple[tuple[Task, ModelSpec | None], ...]
    assumptions: Assumptions
    power_max_w: float | None
    gpus_max: int | None

    @property
    def growth_ratio(self) -> float:
        """Growth that is expected; none if nobody states any."""
        return self.workload.growth_ratio or 0.0


def size(file: SizingFile, catalog: Catalog, policy: Mapping[str, Any]) -> Sizing:
    """Work out what a workload needs, over all GPUs of the catalog (or those that the request names).

    `catalog` must have the models and GPUs loaded (`Catalog.of_kind`); `policy` are the parameters by name
    (`Policy.facts`). Nothing is read from a file: a `model` that is a config.json was read with
    the request (`SizingFile.models`). Never raises for bad input: the findings say it.
    """
    assumptions = assumptions_of(policy)
    catalog = catalog.with_models(file.models)
    findings = check_request(file, catalog, assumptions)
    if any(item.severity is Severity.ERROR for item in findings):
        return Sizing(file, findings=tuple(in_order(findings)))
    request = file.request
    tasks = tuple((task, _model(task, catalog)) for task, _ in tasks_of(request.workload))
    room = _Room(request.workload, tasks, assumptions, request.limits.power_max_w, request.limits.gpus_max)
    parts = gpus_of(request, catalog)
    options: list[Option] = []
    for part, gpu in _specs(parts, catalog, assumptions):
        options += _options(room, part, gpu)
    good = [option for option in options if option.fit in (Fit.RECOMMENDED, Fit.TIGHT, Fit.UNKNOWN)]
    refused = [option for option in options if option.fit is Fit.DOES_NOT_FIT]
    good, turned_down = _without_idle_eights(room, good)
    models = {model.id: model for _, model in tasks if model is not None}
    chosen = tuple(sorted(good, key=_order))
    rest = tuple(sorted([*refused, *turned_down], key=_order))
    return Sizing(
        file,
        tuple(models.values()),
        chosen,
        rest,
        advise(request.workload, chosen, rest, assumptions),
        tuple(in_order(findings)),
    )


def _model(task: Task, catalog: Catalog) -> ModelSpec | None:
    part = find_model(catalog, task.model) if task.model is not None else None
    return spec_of(part) if part is not None else None


def _specs(parts: Sequence[Part], catalog: Catalog, assumptions: Assumptions) -> list[tuple[Part, GpuSpec]]:
    every = [
        (gpu_spec(part, assumptions.vram_nominal_ratio), part.get("nvlink.link_gb_s"))
        for part in catalog.of_kind("gpu")
    ]
    return [
        (
            part,
            with_exchanges_of_like(gpu_spec(part, assumptions.vram_nominal_ratio), part.get("nvlink.link_gb_s"), every),
        )
        for part in parts
    ]


def _of_task(room: _Room, task: Task, model: ModelSpec | None, gpu: GpuSpec) -> Iterator[Assignment]:
    if task.task == "rendering":
        return render_assignments(task, gpu, room.assumptions)
    if task.task == "vdi":
        return vdi_assignments(task, gpu, room.assumptions, room.growth_ratio)
    assert model is not None
    if task.task == "llm-inference":
        load = load_of(task, model, room.assumptions, room.growth_ratio)
        return assignments(Case(task, model, gpu, load, room.assumptions, task.precision or model.native_precision))
    return tuning_assignments(task, model, gpu, room.assumptions)


def _options(room: _Room, part: Part, gpu: GpuSpec) -> list[Option]:
    """Every sensible combination of answers to the tasks on this GPU, in every sensible number of nodes."""
    answers = [sorted(_of_task(room, task, model, gpu), key=_answer_order) for task, model in room.tasks]
    combined: list[tuple[Assignment, ...]] = [()]
    for found in answers:
        kept = found if len(answers) == 1 else found[:_KEPT]
        combined = [(*before, item) for before in combined for item in kept]
    options: dict[str, Option] = {}
    for chosen in combined:
        items = tuple(_bounded(item) for item in chosen)
        ways = arrangements(
            items,
            gpu,
            is_isolated=room.workload.is_isolated is True and len(items) > 1,
            is_fault_tolerant=room.workload.is_fault_tolerant is True,
        )
        for way in ways:
            option = _option(room, part, gpu, items, way)
            known = options.get(option.key)
            if known is None or (*_order(option), _slowness(option)) < (*_order(known), _slowness(known)):
                options[option.key] = option
    return list(options.values())


def _bounded(item: Assignment) -> Assignment:
    """Show a refused answer with one copy: it is not bought, whatever the number of copies would be."""
    if item.gpus > _GPUS_MAX and item.fit is not Fit.DOES_NOT_FIT:
        reason = sentence("{gpus} GPUs would be needed, more than sizing plans for", gpus=item.gpus)
        item = dataclasses.replace(item, fit=Fit.DOES_NOT_FIT, reason=reason)
    if item.fit is not Fit.DOES_NOT_FIT:
        return item
    return dataclasses.replace(item, replicas=1, gpus=item.tensor_parallel * item.pipeline_parallel)


def _option(room: _Room, part: Part, gpu: GpuSpec, items: tuple[Assignment, ...], way: Arrangement) -> Option:
    links = [is_link_there(item.link, gpu, item.tensor_parallel) for item in items]
    targets = [item.speed.is_target_met for item in items]
    fit = worst([item.fit for item in items])
    findings: list[Finding] = []
    cards = way.cards_per_node * way.nodes
    draw = part.get("power.max_w")
    if room.power_max_w is not None and draw is not None and draw * cards > room.power_max_w:
        fit = Fit.DOES_NOT_FIT
    if room.gpus_max is not None and cards > room.gpus_max:
        fit = Fit.DOES_NOT_FIT
    link = max((item.link for item in items), key=_LINKS.index, default=Link.NONE)
    is_there = False if False in links else None if None in links else True
    return Option(
        gpu=part,
        gpus_per_node=way.cards_per_node,
        nodes=way.nodes,
        gpus_idle=way.cards_idle,
        assignments=items,
        fit=fit,
        link=link,
        is_link_there=is_there,
        is_target_met=False if False in targets else True if targets and all(targets) else None,
        reason=reason_for(gpu, items, way, fit, draw_w=draw, power_max_w=room.power_max_w),
        risk=risk_for(items, way, fit, is_there),
        questions=questions_for(gpu, items, way, link),
        findings=tuple(findings),
        is_for_graphics=gpu.is_for_graphics,
    )


def _answer_order(item: Assignment) -> tuple[Any, ...]:
    return (_FITS.index(item.fit), _TARGETS.index(item.speed.is_target_met), item.gpus, _LINKS.index(item.link))


def _order(option: Option) -> tuple[Any, ...]:
    """Order options: see `Sizing.options`."""
    each = option.gpu.get("memory.capacity_gb") or 0.0
    return (
        _FITS.index(option.fit),
        _TARGETS.index(option.is_target_met),
        _TARGETS.index(option.is_link_there),
        any(item.is_precision_native is False for item in option.assignments),
        option.gpu.get("market") == "consumer",
        any(_is_speed_unknown(item) for item in option.assignments),
        not option.is_for_graphics and any(item.task.task in ("rendering", "vdi") for item in option.assignments),
        option.gpus + option.nodes,
        option.gpus,
        each * option.gpus,
        option.gpu.id,
        option.gpus_per_node,
    )


def _is_speed_unknown(item: Assignment) -> bool:
    """Tell whether the method gives no speed for this card; the load, where it is to blame, is the same for all."""
    return item.task.task == "llm-inference" and item.speed.per_token_ms is None and item.speed.first_token_s is None


def _slowness(option: Option) -> tuple[float, ...]:
    """Between two ways to use the same cards: time per token where answers are waited for, else tokens a second."""
    found = []
    for item in option.assignments:
        pace, rate = item.speed.per_token_ms, item.speed.tokens_per_s
        wants_rate = item.task.goal == "throughput" or item.task.tokens_per_second_min is not None
        found.append(-(rate.value if rate else 0.0) if wants_rate else pace.value if pace else 1e9)
    return tuple(found)


def _without_idle_eights(room: _Room, options: list[Option]) -> tuple[list[Option], list[Option]]:
    """Turn down nodes with eight GPUs that would idle, where something smaller does the work."""
    use = room.workload.utilisation_ratio
    if use is None or use >= room.assumptions.eight_gpu_utilisation_min_ratio:
        return options, []
    smaller = [option for option in options if option.gpus_per_node < 8]
    return (smaller, [option for option in options if option.gpus_per_node >= 8]) if smaller else (options, [])
