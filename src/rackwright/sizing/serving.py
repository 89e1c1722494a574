"""What serving a model needs on one kind of GPU: every split that is allowed, how many copies, how fast."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from rackwright.diagnostic import Message, sentence
from rackwright.frozen import frozen
from rackwright.sizing.links import link_needed
from rackwright.sizing.model import Assignment, Speed
from rackwright.workloads.architecture import ModelSpec
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import (
    MemoryNeed,
    Serving,
    Split,
    quick_rule,
    requests_that_fit,
    serving_terms,
    summed,
)
from rackwright.workloads.shape import Task
from rackwright.workloads.speed import Band, Pace, pace
from rackwright.workloads.training import host_memory_gb
from rackwright.workloads.verdicts import Fit

# Splits that are tried: GPUs of a layer and stages. Two stages of eight are two nodes.
_SPLITS = (Split(1), Split(2), Split(4), Split(8), Split(8, 2))
_ROUNDS = 20  # of concurrency and speed depending on each other
_FIRST_TOKEN_ASSUMED_S = 2.0  # where the method gives no time: "chat" of the reference, a choice
_VERSIONS = 2  # model files are kept in two versions, so that one can be swapped


@frozen(slots=True)
class Load:
    """What is asked of all copies together. `requests`: at a time; None if it follows from `requests_per_s`."""

    serving: Serving
    answer_tokens: int
    requests: int | None
    requests_per_s: float | None
    tokens_per_s: float | None
    first_token_max_s: float | None
    per_token_max_ms: float | None


@frozen(slots=True)
class Case:
    """One task on one kind of GPU."""

    task: Task
    model: ModelSpec
    gpu: GpuSpec
    load: Load
    assumptions: Assumptions
    precision: str


def load_of(task: Task, model: ModelSpec, assumptions: Assumptions, growth_ratio: float) -> Load:
    """Read the load of a task, grown by what is expected; what nobody states is assumed (and told by `notes_on`)."""
    more = 1 + growth_ratio
    context = task.context_tokens or min(assumptions.context_assumed_tokens, model.context_max or 10**9)
    answer = task.answer_tokens or (context - task.prompt_tokens if task.prompt_tokens else max(1, context // 4))
    prompt = task.prompt_tokens or max(1, context - answer)
    rate = None
    if task.users is not None and task.requests_per_user_hour is not None:
        rate = task.users * task.requests_per_user_hour / 3600 * more
    requests = math.ceil(task.concurrent_requests * more) if task.concurrent_requests is not None else None
    if requests is None and rate is None and task.tokens_per_second_min is None:
        requests = math.ceil((task.users or assumptions.requests_assumed) * more)
    serving = Serving(
        precision=task.precision or model.native_precision,
        context_tokens=context,
        concurrent_requests=requests or 1,
        cache_precision=task.cache_precision,
        has_chunked_prefill=task.has_chunked_prefill is not False,
        prompt_tokens=prompt,
    )
    tokens = task.tokens_per_second_min * more if task.tokens_per_second_min is not None else None
    return Load(serving, max(1, answer), requests, rate, tokens, task.first_token_max_s, task.per_token_max_ms)


def assignments(case: Case) -> Iterator[Assignment]:
    """Every allowed split of the model on this GPU, with the copies that the load needs; refused ones too."""
    for split in _splits(case):
        yield from _of_split(case, split)


def _splits(case: Case) -> list[Split]:
    task, model = case.task, case.model
    if task.tensor_parallel is not None or task.pipeline_parallel is not None:
        return [Split(task.tensor_parallel or 1, task.pipeline_parallel or 1)]
    return [split for split in _SPLITS if model.is_split_allowed(split.tensor) and split.pipeline <= model.layers]


def _of_split(case: Case, split: Split) -> Iterator[Assignment]:
    usable, assumptions = case.gpu.usable_gib, case.assumptions
    if usable is None:
        yield _assignment(case, split, 1, 1, None)
        return
    good = requests_that_fit(
        case.model, case.load.serving, split, assumptions.vram_recommended_ratio * usable, assumptions
    )
    most = requests_that_fit(case.model, case.load.serving, split, usable, assumptions)
    if most == 0:
        yield _assignment(case, split, 1, 1, most)
        return
    if good:
        yield _copies(case, split, good, most)
    requests = case.load.requests
    if not good or (requests is not None and good < requests <= most):
        yield _copies(case, split, most, most)


def _copies(case: Case, split: Split, limit: int, most: int) -> Assignment:
    """Find the fewest copies that take the load with at most `limit` requests each and meet the targets."""
    load, top = case.load, case.assumptions.replicas_max
    if load.requests is None and load.requests_per_s is None:  # only tokens a second are asked for
        each = _pace(case, split, limit, most)
        rate = each.tokens_per_s.value if each.tokens_per_s else None
        copies = math.ceil((load.tokens_per_s or 0) / rate) if rate else 1
        return _assignment(case, split, max(1, copies), limit, most, each)
    copies = math.ceil(load.requests / limit) if load.requests is not None else 1
    while copies <= top:
        per_copy = math.ceil(load.requests / copies) if load.requests else _requests_at_rate(case, split, copies, limit)
        if per_copy <= limit:
            each = _pace(case, split, per_copy, most)
            if per_copy <= 1 or copies == top or not _is_too_slow(case, each, copies):
                return _assignment(case, split, copies, per_copy, most, each)
        copies += 1
    return _too_many(_assignment(case, split, top, limit, most), top)


def _requests_at_rate(case: Case, split: Split, copies: int, limit: int) -> int:
    """Requests at a time of one copy = rate x time of one (Little). With more of them each takes longer, so it is found
    in rounds; more than `limit` means that they pile up.
    """
    rate = (case.load.requests_per_s or 0.0) / copies
    requests = 1
    for _ in range(_ROUNDS):
        took = math.ceil(rate * _duration_s(case, _pace(case, split, requests, requests)))
        if took <= requests or requests > limit:
            break
        requests = took
    return requests


def _too_many(item: Assignment, top: int) -> Assignment:
    """Refuse an answer that would take more copies than are looked for."""
    reason = sentence("more than {copies} copies would be needed: {gpus} GPUs and more", copies=top, gpus=item.gpus)
    return dataclasses.replace(item, fit=Fit.DOES_NOT_FIT, reason=reason)


def _duration_s(case: Case, each: Pace) -> float:
    first = each.first_token_s.value if each.first_token_s else _FIRST_TOKEN_ASSUMED_S
    token = each.per_token_ms.value if each.per_token_ms else case.assumptions.per_token_assumed_ms
    return first + case.load.answer_tokens * token / 1e3


def _pace(case: Case, split: Split, per_copy: int, most: int) -> Pace:
    serving = dataclasses.replace(case.load.serving, concurrent_requests=per_copy)
    return pace(case.model, case.gpu, split, serving, case.load.answer_tokens, most)


def _is_too_slow(case: Case, each: Pace, copies: int) -> bool:
    load = case.load
    slow = load.per_token_max_ms is not None and each.per_token_ms is not None
    if slow and each.per_token_ms is not None and each.per_token_ms.value > (load.per_token_max_ms or 0):
        return True
    if load.tokens_per_s is not None and each.tokens_per_s is not None:
        return each.tokens_per_s.value * copies < load.tokens_per_s
    return False


def _assignment(
    case: Case, split: Split, copies: int, per_copy: int, most: int | None, each: Pace | None = None
) -> Assignment:
    serving = dataclasses.replace(case.load.serving, concurrent_requests=max(1, per_copy))
    need = summed(serving_terms(case.model, serving, split, case.assumptions), case.gpu, case.assumptions)
    each = each or _pace(case, split, max(1, per_copy), max(1, most or 1))
    speed = _speed(case, split, each, copies, per_copy, most)
    fit = need.fit
    if fit is Fit.RECOMMENDED and _caution(case, split) is not None:
        fit = Fit.TIGHT
    return Assignment(
        task=case.task,
        model=case.model,
        precision=case.precision,
        tensor_parallel=split.tensor,
        pipeline_parallel=split.pipeline,
        replicas=copies,
        gpus=split.gpus * copies,
        need=need,
        quick=quick_rule(case.model, case.precision, case.gpu, split.gpus, need, case.assumptions),
        speed=speed,
        fit=fit,
        link=link_needed(case.model, case.gpu, split, serving, case.load.answer_tokens, case.assumptions),
        reason=_reason(case, split, copies, per_copy, need),
        store_gb=case.model.weight_bytes(case.precision) * _VERSIONS / 1e9,
        host_memory_gb=host_memory_gb(case.model),
        is_precision_native=case.gpu.computes(case.precision),
    )


def _speed(case: Case, split: Split, each: Pace, copies: int, per_copy: int, most: int | None) -> Speed:
    notes = [*each.notes, *_notes(case, split)]
    return Speed(
        first_token_s=each.first_token_s,
        per_token_ms=each.per_token_ms,
        tokens_per_s=each.tokens_per_s.times(copies) if each.tokens_per_s else None,
        concurrency_per_replica=per_copy,
        concurrency_max=most,
        link_ratio=each.link_ratio,
        is_target_met=_is_target_met(case, each, copies),
        notes=tuple(notes),
    )


def _notes(case: Case, split: Split) -> list[Message]:
    caution = _caution(case, split)
    notes = [caution] if caution is not None else []
    if case.gpu.computes(case.precision) is False:
        notes.append(
            sentence(
                "{gpu} does not compute in {precision}: the weights are stored in it and computed in 16 bits",
                gpu=case.gpu.title, precision=case.precision,
            )
        )  # fmt: skip
    if case.precision != case.model.native_precision and case.precision not in ("fp32", "bf16", "fp16"):
        notes.append(
            sentence(
                "the files must be in {precision} already: an engine that converts while loading needs {whole_gib} for "
                "the original first",
                precision=case.precision, whole_gib=case.model.weight_bytes(case.model.native_precision) / 2**30,
            )
        )  # fmt: skip
    return notes


def _is_target_met(case: Case, each: Pace, copies: int) -> bool | None:
    """True if the whole band keeps the targets, False if none of it does, None if it cannot be said, or none is set."""
    load, tokens = case.load, each.tokens_per_s.times(copies) if each.tokens_per_s else None
    answers = []
    for band, limit in ((each.first_token_s, load.first_token_max_s), (each.per_token_ms, load.per_token_max_ms)):
        if limit is not None:
            answers.append(_is_below(band, limit))
    if load.tokens_per_s is not None:
        answers.append(None if tokens is None else True if tokens.low >= load.tokens_per_s else
                       False if tokens.high < load.tokens_per_s else None)  # fmt: skip
    if False in answers:
        return False
    return True if answers and None not in answers else None


def _is_below(band: Band | None, limit: float) -> bool | None:
    if band is None:
        return None
    return True if band.high <= limit else False if band.low > limit else None


# Engines gave these generations up, and reports of models that should fit and did not are of them (vLLM issue 2348).
_OLD = frozenset({"Pascal", "Volta", "Turing"})
_SMALL_GB = 24  # cards on which 4-bit files of other layouts ran out although they fit (vLLM issues 2382 and 2856)


def _caution(case: Case, split: Split) -> Message | None:
    """What keeps a split from being recommended although the sum fits, None if nothing does."""
    if case.gpu.architecture in _OLD:
        return sentence(
            "{gpu} is of a generation that engines support less and less; models that should fit were reported not to",
            gpu=case.gpu.title,
        )
    is_small = case.gpu.memory_gb is not None and case.gpu.memory_gb <= _SMALL_GB
    if split.tensor > 1 and is_small and case.precision == "int4":
        return sentence(
            "4-bit files split over cards with {memory_gb} were reported not to fit although they should",
            memory_gb=case.gpu.memory_gb or 0.0,
        )
    return None


def _reason(case: Case, split: Split, copies: int, per_copy: int, need: MemoryNeed) -> Message:
    percent = round(100 * need.used_ratio) if need.used_ratio is not None else 0
    figures: dict[str, float | str] = {
        "model": case.model.title,
        "precision": case.precision,
        "requests": per_copy,
        "tokens": case.load.serving.context_tokens,
        "need_gib": need.need_gib,
        "usable_gib": need.usable_gib or 0.0,
        "percent": percent,
        "gpus": split.gpus,
        "copies": copies,
    }
    if need.usable_gib is None:
        return sentence("{model} in {precision} takes {need_gib} on a GPU whose memory is not stated", **figures)
    if split.gpus == 1 and copies == 1:
        return sentence(
            "{model} in {precision} with {requests} requests of {tokens} tokens takes {need_gib} of {usable_gib} on "
            "one GPU ({percent} %)",
            **figures,
        )
    if split.gpus == 1:
        return sentence(
            "{model} in {precision} with {requests} requests of {tokens} tokens takes {need_gib} of {usable_gib} on "
            "one GPU ({percent} %); {copies} copies share the requests",
            **figures,
        )
    if copies == 1:
        return sentence(
            "{model} in {precision} with {requests} requests of {tokens} tokens takes {need_gib} of {usable_gib} on "
            "each of {gpus} GPUs ({percent} %)",
            **figures,
        )
    return sentence(
        "{model} in {precision} with {requests} requests of {tokens} tokens takes {need_gib} of {usable_gib} on each "
        "of {gpus} GPUs ({percent} %); {copies} copies share the requests",
        **figures,
    )
