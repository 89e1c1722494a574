"""The search for the best slots: exact branch and bound over cards in a fixed order.

The cost is one whole number whose digits are the levels of `Level`, most important first, so that comparing numbers
compares the levels in order. A partial assignment is dropped when its cost and the least that the remaining cards can
add is not below the best cost known. Equal cards take slots in ascending order and equal slots are used lowest first;
neither loses a solution. Among equal costs the first in the order of the search wins: card by card the slot of
least own cost, then the lowest slot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """Weight of one unit on each level, as a power of two; the widths hold the largest sums of 64 cards."""

    PROXIMITY = 0
    SWITCH_BALANCE = 16
    CPU_BALANCE = 32
    GPU_SLOT = 48
    LOST_MB_S = 60
    BRIDGE = 92
    HARD = 104
    UNPLACED = 120


def weight(level: Level, units: int = 1) -> int:
    """Return the cost of `units` on a level."""
    return units << level


@dataclass(frozen=True, slots=True)
class Choice:
    """A slot for a card: index of the slot (None = no slot), its own cost, and a bit mask of the space that it takes."""

    slot: int | None
    cost: int
    mask: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """Cards in the order of the search, each with its choices in the order in which they are tried.

    `classes[i]` is equal for cards that can be exchanged. `twins[j]` is equal for slots that can be exchanged.
    `is_gpu` cards come first, `is_nic` cards after all GPUs. `cpu[j]` and `switch[j]` are 0 where not known or none.
    `bridging` returns the cost of the bridged groups, given the slot index (or None) of each GPU.
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
    bridging: Callable[[Sequence[int | None]], int] | None = None
    node_limit: int = 20_000


@dataclass(frozen=True, slots=True)
class Solution:
    """Slot index (or None) of each card; `is_decided` is False if the node limit ended the search."""

    slots: tuple[int | None, ...]
    cost: int
    is_decided: bool
    nodes: int


def solve(problem: Problem) -> Solution:
    """Return the assignment of least cost. Errors: none; without cards the solution is empty."""
    return _Search(problem).run()


class _Search:
    """State of one search; lives for one call of `solve`."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        count = len(problem.choices)
        self.slots: list[int | None] = [None] * count
        self.best: tuple[int | None, ...] = (None,) * count
        self.best_cost: int | None = None
        self.nodes = 0
        self.masks: list[int] = []
        self.used = [False] * len(problem.cpu)
        self.is_wide = any(choice.mask.bit_count() > 1 for row in problem.choices for choice in row)
        for row, pinned in zip(problem.choices, problem.is_pinned, strict=True):
            if pinned and row[0].slot is not None:
                self.used[row[0].slot] = True
        self.gpus = sum(problem.is_gpu)
        self.nics = sum(problem.is_nic)
        self.rest = [0] * (count + 1)
        for index in range(count - 1, -1, -1):
            self.rest[index] = self.rest[index + 1] + min(choice.cost for choice in problem.choices[index])
        self.cpus = _Balance(self._places(problem.cpu), Level.CPU_BALANCE)
        self.switches = _Balance(self._places(problem.switch), Level.SWITCH_BALANCE)
        self.nearest = self._least_distance()
        self.floor = 0
        self.twin_sets = _twin_sets(problem.twins)

    def run(self) -> Solution:
        total = len(self.problem.choices)
        self.floor = self.rest[0] + self.cpus.least(self.gpus) + self.switches.least(self.gpus) + self._near_least(0)
        self._descend(0, 0, 0)
        decided = self.nodes < self.problem.node_limit
        return Solution(self.best, self.best_cost or 0, decided, self.nodes) if total else Solution((), 0, True, 0)

    def _places(self, places: tuple[int, ...]) -> list[int] | None:
        """Return the CPUs (switches) that GPUs can be at; None if a GPU can be where nothing is known."""
        reachable = {
            0 if choice.slot is None else places[choice.slot]
            for row, is_gpu in zip(self.problem.choices, self.problem.is_gpu, strict=True)
            if is_gpu
            for choice in row
            if choice.slot is not None
        }
        return None if 0 in reachable else sorted(reachable)

    def _descend(self, index: int, cost: int, first: int) -> None:
        """Place card `index` and all after it; `first` is the lowest choice that keeps equal cards in ascending order."""
        problem = self.problem
        if index == self.gpus and self.gpus:
            cost += problem.bridging(self.slots[: self.gpus]) if problem.bridging else 0
        if index == len(problem.choices):
            cost += self._coverage()
            if self.best_cost is None or cost < self.best_cost:
                self.best, self.best_cost = tuple(self.slots), cost
            return
        row = problem.choices[index]
        is_gpu, is_pinned = problem.is_gpu[index], problem.is_pinned[index]
        is_repeated = index + 1 < len(problem.choices) and problem.classes[index + 1] == problem.classes[index]
        for position in range(first, len(row)):
            choice = row[position]
            slot = choice.slot
            if slot is not None and not is_pinned and (self.used[slot] or self._has_free_twin(slot)):
                continue
            self.nodes += 1
            if self.nodes >= problem.node_limit and self.best_cost is not None:
                return
            new_cost = cost + choice.cost + self._enter(index, choice)
            if self.best_cost is None or new_cost + self._bound(index + 1) < self.best_cost:
                self._descend(index + 1, new_cost, self._first(position, choice) if is_repeated else 0)
            self._leave(choice, is_gpu, is_pinned)
            if self.best_cost is not None and self.best_cost <= self.floor:
                return

    @staticmethod
    def _first(position: int, choice: Choice) -> int:
        """The next equal card may stay without a slot too, but never share one."""
        return position if choice.slot is None else position + 1

    def _enter(self, index: int, choice: Choice) -> int:
        """Take the space of a choice; return what it costs beside its own cost."""
        slot = choice.slot
        self.slots[index] = slot
        if slot is None:
            return 0
        problem = self.problem
        cost = 0
        if self.is_wide:
            cost += weight(Level.HARD, sum(1 for mask in self.masks if mask & choice.mask))
            self.masks.append(choice.mask)
        self.used[slot] = True
        if problem.is_gpu[index]:
            cost += self.cpus.add(problem.cpu[slot]) + self.switches.add(problem.switch[slot])
        elif problem.is_nic[index]:
            cost += weight(Level.PROXIMITY, min((self._distance(slot, gpu) for gpu in self._placed_gpus()), default=0))
        return cost

    def _leave(self, choice: Choice, is_gpu: bool, is_pinned: bool) -> None:
        slot = choice.slot
        if slot is None:
            return
        if self.is_wide:
            self.masks.pop()
        self.used[slot] = is_pinned
        if is_gpu:
            self.cpus.remove(self.problem.cpu[slot])
            self.switches.remove(self.problem.switch[slot])

    def _bound(self, index: int) -> int:
        """Return the least that the cards from `index` on add."""
        left = max(0, self.gpus - index)
        bound = self.rest[index] + self._near_least(index)
        return bound + self.cpus.least(left) + self.switches.least(left) if left else bound

    def _has_free_twin(self, slot: int) -> bool:
        for twin in self.twin_sets[slot]:
            if twin >= slot:
                return False
            if not self.used[twin]:
                return True
        return False

    def _placed_gpus(self) -> list[int]:
        return [slot for slot in self.slots[: self.gpus] if slot is not None]

    def _distance(self, one: int, other: int) -> int:
        """0 below one switch, 1 at one CPU, 2 across CPUs; 0 where a CPU is not known."""
        problem = self.problem
        if problem.switch[one] and problem.switch[one] == problem.switch[other]:
            return 0
        if not problem.cpu[one] or not problem.cpu[other]:
            return 0
        return 1 if problem.cpu[one] == problem.cpu[other] else 2

    def _coverage(self) -> int:
        """Return the distance of each GPU to its nearest NIC, so that NICs spread over the CPUs."""
        nics = [self.slots[i] for i in range(self.gpus, self.gpus + self.nics)]
        placed = [slot for slot in nics if slot is not None]
        if not placed:
            return 0
        return weight(
            Level.PROXIMITY, sum(min(self._distance(gpu, nic) for nic in placed) for gpu in self._placed_gpus())
        )

    def _least_distance(self) -> int:
        """Return the least distance that any GPU can have to any NIC."""
        if not self.gpus or not self.nics:
            return 0
        gpu = {c.slot for row in self.problem.choices[: self.gpus] for c in row if c.slot is not None}
        nic = {
            c.slot for row in self.problem.choices[self.gpus : self.gpus + self.nics] for c in row if c.slot is not None
        }
        places = {(self.problem.cpu[s], self.problem.switch[s]) for s in gpu}
        for slot in nic:
            cpu, switch = self.problem.cpu[slot], self.problem.switch[slot]
            if not cpu or any(not other or (switch and switch == below) for other, below in places):
                return 0
        return 1 if any(self.problem.cpu[s] == cpu for s in nic for cpu, _ in places) else 2

    def _near_least(self, index: int) -> int:
        """Return the least distance costs that are still to come; a card without a slot has none, but costs far more."""
        if not self.nearest:
            return 0
        nics = min(self.nics, max(0, self.gpus + self.nics - index))
        return weight(Level.PROXIMITY, self.nearest * (nics + self.gpus))


class _Balance:
    """GPUs over CPUs (or switches): the cost is the sum of the squares of the counts, least when they are equal."""

    def __init__(self, places: list[int] | None, level: Level) -> None:
        self.level = level
        self.is_bounded = bool(places)
        self.counts: dict[int, int] = dict.fromkeys(places or (), 0)
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def add(self, place: int) -> int:
        if not place:
            return 0
        before = self.counts.get(place, 0)
        self.counts[place] = before + 1
        return weight(self.level, 2 * before + 1)

    def remove(self, place: int) -> None:
        if place:
            self.counts[place] -= 1

    def least(self, left: int) -> int:
        """Return the least that `left` more GPUs add; 0 if they can sit where nothing is known."""
        if not self.is_bounded or not left:
            return 0
        key = (tuple(self.counts.values()), left)
        if key not in self.known:
            counts = list(key[0])
            added = 0
            for _ in range(left):
                lowest = counts.index(min(counts))
                added += 2 * counts[lowest] + 1
                counts[lowest] += 1
            self.known[key] = added
        return weight(self.level, self.known[key])


def _twin_sets(twins: Sequence[int]) -> list[list[int]]:
    members: dict[int, list[int]] = {}
    for slot, twin in enumerate(twins):
        members.setdefault(twin, []).append(slot)
    return [members[twin] for twin in twins]
