"""What was asked, and what each task gets: as it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rackwright.configuration import SizingRequest
from rackwright.diagnostic import Finding, Message
from rackwright.proposal.labels_sizing import (
    COMMON_LABELS,
    FIT_LABELS,
    REQUEST_LABELS,
    ROW_LABELS,
    STANCE_LABELS,
    TERM_LABELS,
)
from rackwright.proposal.sizing_model import CountView, RowView, TaskView, TermView
from rackwright.proposal.texts import Texts
from rackwright.sizing import Assignment, CountAdvice, Option, Speed
from rackwright.units import unit_of
from rackwright.workloads.memory import MemoryNeed
from rackwright.workloads.shape import Task
from rackwright.workloads.speed import Band


def request_view(request: SizingRequest, texts: Texts) -> tuple[RowView, ...]:
    """Return what the user asked for, task by task, then what holds for all of them."""
    workload = request.workload
    rows = [row for task in workload.tasks or (workload,) for row in _task_rows(task, texts)]
    for name, label in COMMON_LABELS.items():
        value = getattr(workload, name)
        if value is not None:
            is_share = name.endswith("_ratio")
            rows.append(
                RowView(texts.text(label), texts.formats.percent(value) if is_share else _value(name, value, texts))
            )
    return tuple(rows)


def _task_rows(task: Task, texts: Texts) -> Iterable[RowView]:
    yield RowView(
        texts.text("task"), f"{task.title} ({texts.term(task.task)})" if task.title else texts.term(task.task)
    )
    for name, label in REQUEST_LABELS.items():
        value = getattr(task, name)
        if value is not None:
            yield RowView(texts.text(label), _value(name, value, texts))
    for profile in task.profiles:
        yield RowView(
            texts.text("users with profile {profile}", profile=profile.profile), texts.quantity(profile.users)
        )


def _value(name: str, value: Any, texts: Texts) -> str:
    if isinstance(value, bool):
        return texts.text("yes" if value else "no")
    if isinstance(value, str):
        return texts.term(value)
    return texts.quantity(value, unit_of(name))


def task_view(item: Assignment, number: int, texts: Texts) -> TaskView:
    """Return what one task gets; `number` counts the tasks from 1."""
    need = item.need
    model = " ".join(part for part in (item.model.title if item.model else "", item.precision or "") if part)
    name = item.task.title or texts.term(item.task.task)
    return TaskView(
        title=f"{number}  {name}" + (f": {model}" if model else ""),
        split=split_text(item, texts),
        reason=texts.message(item.reason),
        terms=tuple(_term(term, texts) for term in need.terms) if need is not None else (),
        sum_text=_sum_text(need, texts) if need is not None else "",
        verdict=texts.text(FIT_LABELS[item.fit.value]),
        used_ratio=need.used_ratio if need is not None else None,
        quick_text=_quick_text(item, texts),
        differs=texts.message(item.quick.differs) if item.quick is not None else "",
        speed=tuple(speed_rows(item.speed, texts)),
        notes=_notes(item, texts),
    )


def split_text(item: Assignment, texts: Texts) -> str:
    """Say over how many GPUs a task is spread, and in how many copies."""
    group = item.tensor_parallel * item.pipeline_parallel
    if group == 1 and item.replicas == 1:
        return texts.text("one GPU")
    if group == 1:
        return texts.text("{copies} GPUs, each with its own copy", copies=str(item.replicas))
    if item.replicas == 1:
        return texts.text("one copy, split over {gpus} GPUs", gpus=str(group))
    return texts.text("{copies} copies, each split over {gpus} GPUs", copies=str(item.replicas), gpus=str(group))


def _term(term: Any, texts: Texts) -> TermView:
    label = texts.text(TERM_LABELS.get(term.name, term.name))
    return TermView(label, texts.quantity(term.need_gib, "GiB", 1), texts.message(term.how))


def _sum_text(need: MemoryNeed, texts: Texts) -> str:
    total = texts.quantity(need.need_gib, "GiB", 1)
    if need.usable_gib is None or need.used_ratio is None:
        return texts.text("{total}; what can be used on this GPU is not known", total=total)
    usable, share = texts.quantity(need.usable_gib, "GiB", 1), texts.formats.percent(round(need.used_ratio, 2))
    if need.is_usable_measured:
        return texts.text("{total} of {usable} that can be used: {share}", total=total, usable=usable, share=share)
    return texts.text(
        "{total} of {usable} that can probably be used (not measured on this GPU): {share}",
        total=total,
        usable=usable,
        share=share,
    )


def _quick_text(item: Assignment, texts: Texts) -> str:
    quick = item.quick
    if quick is None:
        return ""
    return texts.text(
        "{low} to {high} of {memory}: {verdict}",
        low=texts.quantity(quick.low_gb, "GB", 0),
        high=texts.quantity(quick.high_gb, "GB", 0),
        memory=texts.quantity(quick.memory_gb, "GB", 0),
        verdict=texts.text(FIT_LABELS[quick.fit.value]),
    )


def _notes(item: Assignment, texts: Texts) -> tuple[str, ...]:
    notes: list[Message] = [*item.speed.notes]
    if item.need is not None and item.need.note is not None:
        notes.append(item.need.note)
    return tuple(texts.message(note) for note in notes)


def speed_rows(speed: Speed, texts: Texts) -> Iterable[RowView]:
    """Yield the figures of speed that there are."""
    found = {
        "first_token": band_text(speed.first_token_s, "s", texts),
        "per_token": band_text(speed.per_token_ms, "ms", texts),
        "tokens": band_text(speed.tokens_per_s, "", texts),
        "requests": str(speed.concurrency_max) if speed.concurrency_max is not None else "",
        "duration": band_text(speed.duration_h, "h", texts),
        "frames": band_text(speed.frames_per_h, "", texts),
        "users": str(speed.users) if speed.users is not None else "",
    }
    for name, text in found.items():
        if text:
            yield RowView(texts.text(ROW_LABELS[name]), text)


def band_text(band: Band | None, unit: str, texts: Texts) -> str:
    """Print a band: its value with the range that the method vouches for; empty without one."""
    if band is None:
        return ""
    decimals = 0 if band.value >= 100 else 1 if band.value >= 10 else 2
    value = texts.quantity(band.value, unit, decimals)
    if band.low == band.high:
        return value
    low, high = (texts.quantity(figure, "", decimals) for figure in (band.low, band.high))
    return texts.text("{value} ({low} to {high})", value=value, low=low, high=high)


def gpus_text(option: Option, texts: Texts) -> str:
    """Say how many of which GPU are in how many servers."""
    title, cards, nodes = option.gpu.title, str(option.gpus_per_node), str(option.nodes)
    if option.nodes == 1:
        return texts.text("{cards} x {gpu} in one server", cards=cards, gpu=title)
    return texts.text("{nodes} servers with {cards} x {gpu} each", nodes=nodes, cards=cards, gpu=title)


def count_views(counts: Sequence[CountAdvice], texts: Texts) -> tuple[CountView, ...]:
    """Return what is said of 1, 2, 4, 8 GPUs and several servers."""
    return tuple(
        CountView(
            count=texts.term(item.count),
            stance=texts.text(STANCE_LABELS[item.stance.value]),
            reason=texts.message(item.reason),
            risk=texts.message(item.risk),
            arithmetic=tuple(texts.message(line) for line in item.arithmetic),
            questions=tuple(texts.message(line) for line in item.questions),
        )
        for item in counts
    )


def assumption_texts(findings: Sequence[Finding], texts: Texts) -> tuple[str, ...]:
    """Return what was taken for granted because nobody stated it, each with the advice."""
    said = ((texts.message(item.message), texts.message(item.fix)) for item in findings)
    return tuple(f"{message}; {fix}" if fix else message for message, fix in said)
