"""The answer to 'what do I need for this task', as values: the sum of the memory, the speed, the options, the reasons.

Texts are `Message`s (English template and figures), so that each language prints them in its own way. A figure that the
method cannot give is None, and a message says why. All values are frozen and in a defined order.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from rackwright.catalog import Part
from rackwright.configuration import SizingFile
from rackwright.diagnostic import Finding, Message
from rackwright.frozen import frozen
from rackwright.workloads.architecture import ModelSpec
from rackwright.workloads.memory import MemoryNeed, QuickRule
from rackwright.workloads.shape import Task
from rackwright.workloads.speed import Band
from rackwright.workloads.verdicts import Fit


class Link(StrEnum):
    """What must join the GPUs of one group for this task. The weaker come first."""

    NONE = "none"  # the GPUs work alone, or one is enough
    PCIE = "pcie"  # they exchange data, and PCIe carries it
    BRIDGE = "bridge"  # groups of two or four cards on NVLink bridges are enough
    NVSWITCH = "nvswitch"  # all GPUs of the group at full speed: a board with NVSwitch


class Stance(StrEnum):
    """What is said of a number of GPUs."""

    RECOMMENDED = "recommended"
    POSSIBLE = "possible"
    REFUSED = "refused"


@frozen(slots=True)
class Speed:
    """How fast one option does one task, as bands with their stated error. None = the method gives no figure.

    `first_token_s`, `per_token_ms`: one request among `concurrency_per_replica` at a time. `tokens_per_s`: all replicas
    together. `concurrency_max`: requests of one replica above which they queue, because the cache is full (the knee);
    `is_target_met`: the user's own limits on it, None if there are none or nothing can be said.
    `link_ratio`: share of the time per token that goes into the exchange between the GPUs.
    `duration_h`: one training run. `frames_per_h`: rendering, all GPUs together. `users`: VDI, all GPUs together.
    `notes` say how far the figures carry, and why there are none where there are none.
    """

    first_token_s: Band | None = None
    per_token_ms: Band | None = None
    tokens_per_s: Band | None = None
    concurrency_per_replica: int | None = None
    concurrency_max: int | None = None
    link_ratio: float | None = None
    duration_h: Band | None = None
    frames_per_h: Band | None = None
    users: int | None = None
    is_target_met: bool | None = None
    notes: tuple[Message, ...] = ()


@frozen(slots=True)
class Assignment:
    """What one task gets in an option.

    `gpus` = tensor_parallel x pipeline_parallel x replicas. `need` is the sum for ONE GPU and None where nothing can
    be summed (a finding says what is missing). `store_gb`: what the task keeps on drives (model files in two versions,
    checkpoints), `host_memory_gb`: what it needs in main memory beside the rule for the whole node; None = not known.
    `is_precision_native`: the GPU computes in the number format; None where that is no question.
    """

    task: Task
    model: ModelSpec | None
    precision: str | None
    tensor_parallel: int
    pipeline_parallel: int
    replicas: int
    gpus: int
    need: MemoryNeed | None
    quick: QuickRule | None
    speed: Speed
    fit: Fit
    link: Link
    reason: Message
    store_gb: float | None = None
    host_memory_gb: float | None = None
    is_precision_native: bool | None = None


@frozen(slots=True)
class Option:
    """One way to do it: this GPU, so many of them, in so many equal nodes. Candidates are built from it.

    `gpus_per_node` x `nodes` cards or modules are bought (an A16 is one card with four GPUs), `gpus_idle` of them are
    left over by the split. `fit` is the worst of its assignments. `link` is the strongest of their needs,
    `is_link_there` whether this GPU can have it (None = not known). `is_target_met` is False if a target of the user
    is missed, None if nothing can be said. `reason`: why this many and this card; `risk`: what it would cost to be
    wrong; `questions`: what to ask before choosing it. `is_for_graphics`: known to be made for pictures too.
    """

    gpu: Part
    gpus_per_node: int
    nodes: int
    gpus_idle: int
    assignments: tuple[Assignment, ...]
    fit: Fit
    link: Link
    is_link_there: bool | None
    is_target_met: bool | None
    reason: Message
    risk: Message
    questions: tuple[Message, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_for_graphics: bool = False

    @property
    def gpus(self) -> int:
        """GPUs that are bought for this option."""
        return self.gpus_per_node * self.nodes

    @property
    def key(self) -> str:
        """A name for this option that is unique within a sizing and the same in every run: `nvidia/l40s:4x2`."""
        return f"{self.gpu.id}:{self.gpus_per_node}x{self.nodes}"


@frozen(slots=True)
class CountAdvice:
    """What is said of 1, 2, 4, 8 GPUs or several servers for this workload, for a person who compares them.

    `count` is `1`, `2`, `4`, `8` or `several`. `arithmetic` are printable lines (the refusal of eight idle GPUs).
    """

    count: str
    stance: Stance
    reason: Message
    risk: Message
    questions: tuple[Message, ...] = ()
    arithmetic: tuple[Message, ...] = ()


@frozen(slots=True)
class Sizing:
    """The whole answer.

    `options` best first: fit (recommended, tight), targets met, the link that is needed there, number format of the
    card, no consumer card, speed known (for rendering and desktops: a card for pictures), fewest cards and nodes
    together, fewest cards, least memory bought, id of the GPU; those that do not fit are under `refused`, with their
    sums, best first too. `findings` are on the request itself; with an error among them there are no options.
    """

    file: SizingFile
    models: tuple[ModelSpec, ...] = ()
    options: tuple[Option, ...] = ()
    refused: tuple[Option, ...] = ()
    counts: tuple[CountAdvice, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[Message, ...] = field(default_factory=tuple)
