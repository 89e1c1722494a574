"""What is said of 1, 2, 4, 8 GPUs or several servers, each with its reason.

The order of the questions and the refusal of idle eight-GPU servers follow "1, 2, 4 oder 8 GPUs in einem Server"
(2026), article of ChangFan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rackwright.diagnostic import Message, sentence
from rackwright.sizing.model import CountAdvice, Option, Stance
from rackwright.sizing.texts import questions_of_count
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.shape import Workload
from rackwright.workloads.verdicts import Fit

COUNTS = ("1", "2", "4", "8", "several")


def advise(
    workload: Workload, chosen: Sequence[Option], refused: Sequence[Option], assumptions: Assumptions
) -> tuple[CountAdvice, ...]:
    """Return one piece of advice for each number. `chosen` and `refused` are in their order, best first."""
    if not chosen and not refused:
        return ()
    return tuple(_advice(count, workload, chosen, refused, assumptions) for count in COUNTS)


def shape_of(option: Option) -> str:
    """The number that an option stands for; five cards in one chassis are a group of four and one more."""
    if option.nodes > 1:
        return "several"
    return "4" if option.gpus_per_node == 5 else str(option.gpus_per_node)


def _advice(
    count: str,
    workload: Workload,
    chosen: Sequence[Option],
    refused: Sequence[Option],
    assumptions: Assumptions,
) -> CountAdvice:
    questions = tuple(questions_of_count(count))
    idle = _idle_eight(count, workload, assumptions)
    if idle:
        return CountAdvice(
            count,
            Stance.REFUSED,
            sentence("eight GPUs would idle most of the time; a smaller server does the same work"),
            sentence("power, cooling and licences are paid for eight cards, whether they work or not"),
            questions,
            idle,
        )
    best = _best(count, chosen)
    if best is not None:
        is_best = best is chosen[0]
        stance = Stance.RECOMMENDED if is_best and best.fit is Fit.RECOMMENDED else Stance.POSSIBLE
        return CountAdvice(count, stance, best.reason, best.risk, best.questions)
    nearest = _nearest(count, refused) if not chosen else None
    if nearest is not None:
        return CountAdvice(count, Stance.REFUSED, nearest.reason, nearest.risk, questions)
    return CountAdvice(count, Stance.REFUSED, _nothing(count, workload, chosen), _cost_of_more(count), questions)


def _nearest(count: str, refused: Sequence[Option]) -> Option | None:
    """The refused option of a number that lacks the least memory."""
    same = [option for option in refused if shape_of(option) == count]
    return min(same, key=_lack, default=None)


def _lack(option: Option) -> float:
    return max((item.need.used_ratio or 0.0 for item in option.assignments if item.need is not None), default=0.0)


def _best(count: str, chosen: Sequence[Option]) -> Option | None:
    """The best option of a number that uses all its cards, or idles some because no smaller number is offered."""
    same = [option for option in chosen if shape_of(option) == count]
    full = [option for option in same if not option.gpus_idle]
    return full[0] if full else same[0] if same and not _does_smaller(count, chosen) else None


def _does_smaller(count: str, chosen: Sequence[Option]) -> bool:
    return count.isdigit() and any(option.gpus < int(count) for option in chosen)


def _nothing(count: str, workload: Workload, chosen: Sequence[Option]) -> Message:
    """Say why there is no option with this number at all."""
    if count == "1" and workload.is_fault_tolerant:
        return sentence("the task must go on when one server fails, so one server is not enough")
    fewest = min((option.gpus for option in chosen), default=None)
    if fewest is not None and count.isdigit() and fewest < int(count):
        return sentence("{fewest} GPUs do the work; more of them would idle", fewest=fewest)
    if fewest is not None and count == "several":
        return sentence("one server does the work, and nothing here asks for a second one")
    if fewest is not None:
        return sentence("the work does not fit on so few: {fewest} are the fewest that hold it", fewest=fewest)
    return sentence("no card of the catalog holds the task with so many")


def _cost_of_more(count: str) -> Message:
    if count == "several":
        return sentence("each server more is another chassis, another rack space and another thing to look after")
    return sentence("every card more is paid, powered and cooled without doing more work")


def _idle_eight(count: str, workload: Workload, assumptions: Assumptions) -> tuple[Message, ...]:
    """The arithmetic that refuses eight GPUs, empty if it does not."""
    use = workload.utilisation_ratio
    if count != "8" or use is None or use >= assumptions.eight_gpu_utilisation_min_ratio:
        return ()
    busy = 8 * use
    needed = math.ceil(assumptions.peak_factor_ratio * busy - 1e-9)
    fitting = next((number for number in (1, 2, 4, 8) if number >= needed), 8)
    return (
        sentence(
            "eight GPUs that are busy {use_percent} % of the time do the work of {busy}",
            use_percent=round(100 * use), busy=busy,
        ),
        sentence("with {factor} times as much at peak, {needed} are enough", factor=assumptions.peak_factor_ratio,
                 needed=needed),
        sentence("a server with {fitting} would be busy {use_percent} % of the time", fitting=fitting,
                 use_percent=round(100 * busy / fitting)),
    )  # fmt: skip
