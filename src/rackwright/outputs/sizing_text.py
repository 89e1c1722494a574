"""The answer to a workload on the terminal: the advice, the sum, the variants side by side, what is to be asked."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TextIO

from rackwright.outputs.screen import Line, Screen
from rackwright.proposal.sizing_model import CountView, SizingView, TaskView, VariantView

_STATUS = {"valid": ("●", "green"), "open": ("▲", "yellow"), "invalid": ("■", "red"), "": ("○", "dim")}
_WIDTH = 112
_BAR_CELLS = 28


def write_sizing(
    view: SizingView, labels: Mapping[str, str], stream: TextIO, *, verbose: int = 0, width: int | None = None
) -> None:
    """Print an answer. `labels` are the headings in its language; `verbose` adds the bill and answered questions."""
    console, wide = Screen(stream, width), width or _WIDTH
    _head(console, view, wide)
    _pairs(console, labels["sizing_request"], [(row.label, row.value) for row in view.request])
    for task in view.tasks:
        _task(console, task, labels, wide)
    _counts(console, view.counts, labels, wide)
    _compare(console, view, labels, wide)
    for variant in view.variants if verbose else view.variants[:1]:
        _variant(console, variant, labels, wide)
    if verbose:
        _pairs(console, labels["sizing_bill"], [(f"{count:>4} x", title) for count, title, _ in view.bill])
    _list(console, labels["sizing_assumptions"], view.assumptions, wide)
    _checklist(console, view, labels, wide, verbose)
    for note in view.notes:
        _wrapped(console, note, wide, style="dim")


def _head(console: Screen, view: SizingView, width: int) -> None:
    shape, colour = _STATUS[view.status]
    if view.title:
        console.print(Line(view.title, style="bold"))
    for number, text in enumerate(textwrap.wrap(view.headline, width - 2)):
        line = Line(f"{shape} " if number == 0 else "  ", style=f"bold {colour}")
        console.print(line.append(text, style="bold"))
    console.print()


def _pairs(console: Screen, title: str, rows: Sequence[tuple[str, str]]) -> None:
    if not rows:
        return
    console.print(Line(title, style="bold"))
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        console.print(Line(f"  {label:<{width}}  {value}"))
    console.print()


def _task(console: Screen, task: TaskView, labels: Mapping[str, str], width: int) -> None:
    console.print(Line(task.title, style="bold").append(f"  {task.split}", style="dim"))
    if task.terms:
        console.print(Line(f"  {labels['sizing_sum']}"))
        name = max(len(term.label) for term in task.terms)
        need = max(len(term.need_text) for term in task.terms)
        for term in task.terms:
            lines = textwrap.wrap(term.how, max(width - name - need - 8, 30)) or [""]
            console.print(Line(f"    {term.label:<{name}}  {term.need_text:>{need}}  ").append(lines[0], style="dim"))
            for text in lines[1:]:
                console.print(Line(" " * (name + need + 8)).append(text, style="dim"))
        console.print(_bar(task))
    else:
        _wrapped(console, task.reason, width, indent="  ")
    if task.quick_text:
        console.print(Line(f"    {labels['sizing_quick']}: {task.quick_text}", style="dim"))
    if task.differs:
        _wrapped(console, task.differs, width, indent="    ", style="dim")
    if task.speed:
        console.print(Line(f"  {labels['sizing_speed']}"))
        name = max(len(row.label) for row in task.speed)
        for row in task.speed:
            console.print(Line(f"    {row.label:<{name}}  {row.value}"))
    for note in task.notes:
        _wrapped(console, note, width, indent="    ", style="dim")
    console.print()


def _bar(task: TaskView) -> Line:
    line = Line("    ")
    if task.used_ratio is not None:
        filled = min(round(task.used_ratio * _BAR_CELLS), _BAR_CELLS)
        line.append("█" * filled, style="red" if task.used_ratio > 1 else "green")
        line.append("░" * (_BAR_CELLS - filled) + " ", style="dim")
    return line.append(f"{task.sum_text}, {task.verdict}", style="bold")


def _counts(console: Screen, counts: Sequence[CountView], labels: Mapping[str, str], width: int) -> None:
    if not counts:
        return
    console.print(Line(labels["sizing_counts"], style="bold"))
    left = max(len(item.count) for item in counts)
    stance = max(len(item.stance) for item in counts)
    indent = " " * (left + stance + 6)
    for item in counts:
        lines = textwrap.wrap(item.reason, width - len(indent))
        console.print(Line(f"  {item.count:<{left}}  {item.stance:<{stance}}  {lines[0] if lines else ''}"))
        for text in [
            *lines[1:],
            *(text for line in item.arithmetic for text in textwrap.wrap(line, width - len(indent))),
        ]:
            console.print(Line(indent + text, style="dim"))
    console.print()


def _compare(console: Screen, view: SizingView, labels: Mapping[str, str], width: int) -> None:
    """Print the variants side by side, as many in one block as the width takes."""
    if not view.variants:
        return
    console.print(Line(labels["sizing_variants"], style="bold"))
    left = max(len(row) for row in view.rows)
    column = 24
    per_block = max(1, (width - left - 4) // (column + 2))
    for start in range(0, len(view.variants), per_block):
        block = view.variants[start : start + per_block]
        head = Line(f"  {labels['sizing_variant']:<{left}}")
        for variant in block:
            shape, colour = _STATUS[variant.status]
            head.append(f"  {variant.number:<{column - 2}}", style="bold").append(f"{shape} ", style=colour)
        console.print(head)
        for index, row in enumerate(view.rows):
            cells = [textwrap.wrap(variant.cells[index], column) or ["–"] for variant in block]
            for line in range(max(map(len, cells))):
                label = row if line == 0 else ""
                text = "".join(f"  {cell[line] if line < len(cell) else '':<{column}}" for cell in cells)
                console.print(Line(f"  {label:<{left}}", style="dim").append(text.rstrip()))
        console.print()
    _wrapped(console, " ".join(text for text in (view.order_text, view.more_text) if text), width, style="dim")
    console.print()


def _variant(console: Screen, variant: VariantView, labels: Mapping[str, str], width: int) -> None:
    console.print(Line(f"{labels['sizing_variant']} {variant.number}: {variant.title}", style="bold"))
    console.print(Line(f"  {variant.key}", style="dim"))
    for label, text in ((labels["sizing_why"], variant.reason), (labels["sizing_risk"], variant.risk)):
        _wrapped(console, f"{label}: {text}", width, indent="  ")
    for question in variant.questions:
        _wrapped(console, f"? {question}", width, indent="  ")
    for failure in variant.failures:
        _wrapped(console, f"{labels['sizing_fails']}: {failure}", width, indent="  ", style="red")
    console.print()


def _list(console: Screen, title: str, lines: Sequence[str], width: int) -> None:
    if not lines:
        return
    console.print(Line(title, style="bold"))
    for line in lines:
        _wrapped(console, f"- {line}", width, indent="  ")
    console.print()


def _checklist(console: Screen, view: SizingView, labels: Mapping[str, str], width: int, verbose: int) -> None:
    """Print the questions that are open; with `verbose` those that are answered too."""
    if not view.checklist:
        return
    answers = [answer for group in view.checklist for answer in group.answers]
    still = sum(answer.is_open for answer in answers)
    title = labels["checklist_open"].replace("{open}", str(still)).replace("{all}", str(len(answers)))
    console.print(Line(title, style="bold"))
    for group in view.checklist:
        console.print(Line(f"  {group.title}", style="dim"))
        for answer in group.answers:
            if answer.is_open:
                keys = f"  [{', '.join(answer.keys)}]" if answer.keys else ""
                _wrapped(console, f"? {answer.question} {answer.ask}{keys}", width, indent="    ")
            elif verbose:
                _wrapped(console, f"✓ {answer.question} {answer.answer}", width, indent="    ", style="dim")
    console.print()


def _wrapped(console: Screen, text: str, width: int, *, indent: str = "", style: str = "") -> None:
    lines = textwrap.wrap(text, max(width - len(indent) - 2, 40))
    for number, line in enumerate(lines):
        console.print(Line(indent + ("  " if number and line else "") + line, style=style))
