"""Why an option, what it would cost to be wrong, and what to ask before choosing it: in words for people who buy.

The statements on numbers of GPUs follow "1, 2, 4 oder 8 GPUs in einem Server" (2026), article of ChangFan.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.diagnostic import Message, sentence
from rackwright.sizing.arrange import Arrangement
from rackwright.sizing.model import Assignment, Link
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.verdicts import Fit


def reason_for(
    gpu: GpuSpec,
    items: Sequence[Assignment],
    way: Arrangement,
    fit: Fit,
    *,
    draw_w: float | None,
    power_max_w: float | None,
) -> Message:
    """Say why this many of this GPU, or what speaks against it."""
    cards = way.cards_per_node * way.nodes
    if power_max_w is not None and draw_w is not None and draw_w * cards > power_max_w:
        return sentence(
            "{cards} x {gpu} draw {draw_w} at their peak; the site allows {limit_w}",
            cards=cards, gpu=gpu.title, draw_w=draw_w * cards, limit_w=power_max_w,
        )  # fmt: skip
    if len(items) == 1:
        return items[0].reason
    used = sum(item.gpus for item in items)
    if fit is Fit.DOES_NOT_FIT:
        return next(item.reason for item in items if item.fit is Fit.DOES_NOT_FIT)
    if way.nodes == 1:
        return sentence(
            "{tasks} tasks take {used} GPUs of {gpu} together, each its own", tasks=len(items), used=used, gpu=gpu.title
        )
    return sentence(
        "{tasks} tasks take {used} GPUs of {gpu} together, each its own, in {nodes} equal nodes",
        tasks=len(items), used=used, gpu=gpu.title, nodes=way.nodes,
    )  # fmt: skip


def risk_for(items: Sequence[Assignment], way: Arrangement, fit: Fit, is_link_there: bool | None) -> Message:
    """Say what it would cost if the answer turned out to be wrong; the gravest comes first."""
    if fit is Fit.DOES_NOT_FIT:
        return sentence("it does not start: the money for it would be lost")
    if fit is Fit.UNKNOWN:
        return sentence("a figure of the card is missing; until somebody confirms it, this is no offer")
    if is_link_there is not True and any(item.tensor_parallel > 1 for item in items):
        return sentence(
            "the GPUs exchange data for every token over a connection that is too slow for it: answers may take "
            "several times as long as planned"
        )
    if fit is Fit.TIGHT:
        return sentence(
            "there is no reserve: with longer prompts or more requests at a time, users wait or the engine stops"
        )
    if way.nodes > 1:
        return sentence(
            "if the work turns out to need all GPUs at once, several servers cannot be joined into one later without a "
            "fast network"
        )
    return _risk_of_number(way.cards_per_node)


def _risk_of_number(cards: int) -> Message:
    if cards == 1:
        return sentence(
            "one service takes the whole card, and when the work grows, a second card needs a free slot, lanes, power "
            "and air that must be there from the start"
        )
    if cards == 2:
        return sentence("two cards help only if the software uses both; otherwise one larger card would be better")
    if cards <= 5:
        return sentence(
            "without a scheduler that shares the cards out, some of them idle and are paid for all the same"
        )
    return sentence("power, cooling and licences are paid for eight cards, whether they work or not")


def questions_for(gpu: GpuSpec, items: Sequence[Assignment], way: Arrangement, link: Link) -> tuple[Message, ...]:
    """Return what to ask before choosing an option."""
    count = "several" if way.nodes > 1 else str(way.cards_per_node)
    found = [*questions_of_count(count)]
    if link is Link.BRIDGE:
        found.append(sentence("In which slots do the NVLink bridges go, and does the chassis take them there?"))
    if any(item.need is not None and not item.need.is_usable_measured for item in items):
        found.append(
            sentence("How much memory can be used on {gpu}? Nobody has measured it; a share is assumed", gpu=gpu.title)
        )
    if gpu.maker != "NVIDIA":
        found.append(sentence("Does the software of this task run on {gpu}, and who supports it there?", gpu=gpu.title))
    if gpu.market == "consumer":
        found.append(
            sentence(
                "May {gpu} run in this place all day? It is a consumer card: its licence and its cooling are not made "
                "for a data centre",
                gpu=gpu.title,
            )
        )
    return tuple(found)


def questions_of_count(count: str) -> list[Message]:
    """Return the questions that a number of GPUs raises."""
    if count == "1":
        return [
            sentence("How much will the work grow within a year?"),
            sentence("Is it right that one service takes the whole card?"),
        ]
    if count == "2":
        return [
            sentence("Does the software use two GPUs for this task?"),
            sentence("Are both cards equal, at the same CPU, with all their lanes?"),
            sentence("Would one larger card cost less?"),
        ]
    if count == "several":
        return [
            sentence("Is the work really independent, or do parts of it wait for each other?"),
            sentence("How fast is the network between the servers?"),
            sentence("Who or what spreads the work over them?"),
        ]
    if count == "8":
        return [
            sentence("Will all eight cards be busy most of the time?"),
            sentence("Do rack, circuits, cooling and noise allow it?"),
            sentence("Who looks after it every day, and what happens when a card fails?"),
        ]
    return [
        sentence("Is there a scheduler that shares the cards out, and who watches how busy they are?"),
        sentence("How are the cards connected with each other: at one CPU, through a switch, or across two CPUs?"),
    ]
