"""What the search for slots works on, in numbers, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field

from rackwright.frozen import frozen

# Steps of a search after which it ends undecided. A choice: 12 unequal cards in 16 slots then take some 50 ms at most.
NODE_LIMIT = 20_000


@frozen(slots=True)
class Choice:
    """A slot for a card: index of the slot (None = no slot), its own cost, a bit mask of the space that it takes."""

    slot: int | None
    cost: int
    mask: int = 0


@frozen(slots=True)
class Problem:
    """Cards in the order of the search, each with its choices in the order in which they are tried.

    `classes[i]` is equal for cards that can be exchanged. `twins[j]` is equal for slots that can be exchanged.
    `is_gpu` cards come first, `is_nic` cards after all GPUs. `cpu[j]` and `switch[j]` are 0 where not known or none.
    `bridging` returns the cost of the bridged groups, given the slot index (or None) of each GPU; it asks only where
    the GPUs are of which `bridged[i]` is a number: that of their part, -1 = not to be bridged. `bridging_floor` returns
    the least such cost if the GPUs of each of these parts are in some of the slots of a bit mask each. `rows` has each
    slot once, slots that a wide card covers in their order. `about` is what `bridging` depends on; problems that are
    equal in it and in all figures have the same solution.
    `is_pinned` cards have one choice and may share its slot. Every card has at least one slot among its choices: what
    nothing can take is left out by the caller, so that each bound may count on a place for each card.
    """

    choices: tuple[tuple[Choice, ...], ...]
    classes: tuple[int, ...]
    is_gpu: tuple[bool, ...]
    is_nic: tuple[bool, ...]
    is_pinned: tuple[bool, ...]
    twins: tuple[int, ...]
    cpu: tuple[int, ...]
    switch: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    bridging: Callable[[Sequence[int | None]], int] | None = field(default=None, compare=False)
    bridging_floor: Callable[[Sequence[int]], int] | None = field(default=None, compare=False)
    bridged: tuple[int, ...] = ()
    about: Hashable = None
    node_limit: int = NODE_LIMIT


@frozen(slots=True)
class Solution:
    """Slot index (or None) of each card; `is_decided` is False if the node limit ended the search."""

    slots: tuple[int | None, ...]
    cost: int
    is_decided: bool
    nodes: int
