"""How much video memory: weights, cache, activations, runtime, for ONE GPU of a split. Bytes inside, GiB outside."""

from __future__ import annotations

from rackwright.diagnostic import Message
from rackwright.frozen import frozen
from rackwright.workloads.verdicts import Fit


@frozen(slots=True)
class Term:
    """One line of the sum. `name` is a stable key: weights, cache, state, activations, runtime, exchange, gradients,
    optimiser, adapters, logits, scene, reserve, profile, stated. `how` is its arithmetic for a person.
    """

    name: str
    need_gib: float
    how: Message


@frozen(slots=True)
class MemoryNeed:
    """The sum for one GPU against what it can really use.

    `usable_gib` is None if nobody states the memory of the card; `is_usable_measured` is False if it is the rule's
    share of the nominal size. `recommended_ratio` is the share up to which a need is `recommended` (policy).
    `note` is set where more than the default share of an engine would have to be released (`vram_use_ratio`).
    """

    terms: tuple[Term, ...]
    usable_gib: float | None
    is_usable_measured: bool
    recommended_ratio: float
    fit: Fit
    note: Message | None = None

    @property
    def need_gib(self) -> float:
        """The whole sum."""
        return sum(term.need_gib for term in self.terms)

    @property
    def free_gib(self) -> float | None:
        """What is left of the usable memory; below zero if it does not fit."""
        return None if self.usable_gib is None else self.usable_gib - self.need_gib

    @property
    def used_ratio(self) -> float | None:
        """The need as a share of the usable memory."""
        return None if self.usable_gib is None else self.need_gib / self.usable_gib


@frozen(slots=True)
class QuickRule:
    """The rule of thumb beside the sum: 2, 1 or 0.5 byte a parameter, and 15 to 30 % for cache and runtime.

    For all GPUs of a replica together, in GB as the trade counts. `fit` is what the rule would say of them; `differs`
    says in a sentence how that differs from the sum and why, None where both agree.
    """

    low_gb: float
    high_gb: float
    memory_gb: float
    fit: Fit
    differs: Message | None = None
