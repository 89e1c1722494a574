"""The answer to a workload as it is printed: texts in the language of the document, ready to print."""

from __future__ import annotations

from rackwright.frozen import frozen


@frozen(slots=True)
class RowView:
    """A label and its value."""

    label: str
    value: str


@frozen(slots=True)
class AnswerView:
    """A question as it is printed. An open one has no answer; `ask` is then the advice beside it.

    `keys` are the keys of a workload file that answer an open question.
    """

    id: str
    question: str
    answer: str
    ask: str
    is_open: bool
    keys: tuple[str, ...] = ()


@frozen(slots=True)
class GroupView:
    """A group of questions as it is printed."""

    title: str
    answers: tuple[AnswerView, ...]


@frozen(slots=True)
class TermView:
    """A line of the sum of memory on one GPU: what, how much, and how that was worked out."""

    label: str
    need_text: str
    how: str


@frozen(slots=True)
class TaskView:
    """What one task gets: its GPUs, the sum for one of them, how fast it runs, and why.

    `terms` is empty where nothing can be summed. `quick_text` is the rule of thumb beside the sum, `differs` says why
    the two differ. `used_ratio` is the length of a bar.
    """

    title: str
    split: str
    reason: str
    terms: tuple[TermView, ...]
    sum_text: str
    verdict: str
    used_ratio: float | None
    quick_text: str
    differs: str
    speed: tuple[RowView, ...]
    notes: tuple[str, ...]


@frozen(slots=True)
class VariantView:
    """A complete node that does the work. `cells` are its figures in the order of the comparison's rows.

    `status` is the word for the verdict on its configuration, `key` its name in this answer and in every other run.
    """

    number: int
    key: str
    title: str
    cells: tuple[str, ...]
    status: str
    status_label: str
    reason: str
    risk: str
    questions: tuple[str, ...]
    failures: tuple[str, ...]
    is_best: bool = False


@frozen(slots=True)
class CountView:
    """What is said of 1, 2, 4, 8 GPUs or several servers."""

    count: str
    stance: str
    reason: str
    risk: str
    arithmetic: tuple[str, ...]
    questions: tuple[str, ...]


@frozen(slots=True)
class SizingView:
    """The whole answer.

    `headline` says in one sentence what is recommended. `request` is what was asked, `rows` the labels of the
    comparison. `bill` are the parts of the best variant (count, part, id), `assumptions` what was taken for granted.
    """

    title: str
    headline: str
    status: str
    status_label: str
    request: tuple[RowView, ...]
    tasks: tuple[TaskView, ...]
    counts: tuple[CountView, ...]
    rows: tuple[str, ...]
    variants: tuple[VariantView, ...]
    order_text: str
    more_text: str
    bill: tuple[tuple[str, str, str], ...]
    assumptions: tuple[str, ...]
    notes: tuple[str, ...]
    checklist: tuple[GroupView, ...] = ()
