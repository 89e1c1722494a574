"""The search for the best slots: exact branch and bound over cards in a fixed order.

The cost is one whole number whose digits are the levels of `Level`, most important first, so that comparing numbers
compares the levels in order. A partial assignment is dropped when its cost and the least that the remaining cards can
add is not below the best cost known. A set of slots is tried once for a set of equal cards, and equal slots are used
lowest first; neither loses a solution. Among equal costs the first in the order of the search wins: card by card the
slot of least added cost, then the lowest slot. If the first tries do not settle it, `sweep`
starts from what they found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.placement.levels import Balance, Level, weight
from rackwright.placement.problem import Choice, Problem, Solution
from rackwright.placement.spread import distance

# Nested tuples of slot masks: which slots the classes of equal cards have, whatever the order within a class.
_Key = tuple[Any, ...]

# Nodes after which the search gives up and the sweep begins; easy cases end before, so they never pay for it.
_EASY_NODES = 150
# Nodes where the sweep is not possible, because a chassis has slots that do not lie in rows.
_UNSWEPT_NODES = 4_000


# What hard problems came to, by the problem: servers of one kind under several names share one search.
Solved = dict[Problem, Solution]


def solve(problem: Problem, solved: Solved | None = None) -> Solution:
    """Return the assignment of least cost. Errors: none; without cards the solution is empty.

    `solved` is what was found for problems before, and is added to.
    """
    if not problem.choices:
        return Solution((), 0, True, 0)
    first = _solution(problem, min(_EASY_NODES, problem.node_limit))
    if first.is_decided:
        return first
    from rackwright.placement.sweep import sweep

    known = solved.get(problem) if solved is not None else None
    solution = known or sweep(problem, first) or _solution(problem, _UNSWEPT_NODES)
    if solved is not None:
        solved[problem] = solution
    return solution


def _solution(problem: Problem, node_limit: int) -> Solution:
    search = _Search(problem, node_limit)
    search.run()
    return Solution(search.best, search.best_cost or 0, search.nodes < node_limit, search.nodes)


class _Search:
    """State of one search; lives for one call of `solve`."""

    def __init__(self, problem: Problem, node_limit: int) -> None:
        self.problem = problem
        self.node_limit = node_limit
        count = len(problem.choices)
        self.slots: list[int | None] = [None] * count
        self.best: tuple[int | None, ...] = (None,) * count
        self.best_cost: int | None = None
        self.nodes = 0
        self.homeless = 0
        self.seen: set[_Key] = set()
        self.masks: list[int] = []
        self.taken = [0]  # the union of the masks, after each card
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
        # A slot whose CPU is not known is worse than any that is known; a slot without a switch is as good as can be.
        self.cpus = Balance(self._places(problem.cpu), Level.CPU_BALANCE, 2 * self.gpus + 1)
        self.switches = Balance(self._places(problem.switch), Level.SWITCH_BALANCE, 0)
        self.nearest = self._least_distance()
        self.floor = 0
        self.twin_sets = _twin_sets(problem.twins)
        self.ends = _ends(problem.classes)

    def run(self) -> None:
        """Search; afterwards `best` is the best assignment, proven if `nodes` stayed below the limit."""
        self.floor = self._bound(0)
        if not self._is_over(self.floor):
            self._descend(0, 0, (), 0)

    def _places(self, places: tuple[int, ...]) -> dict[int, int]:
        """Return how many slots each CPU (switch) offers to GPUs; 0 stands for slots of which it is not known."""
        rows = self.problem.choices[: self.gpus]
        slots = {choice.slot for row in rows for choice in row if choice.slot is not None}
        room: dict[int, int] = {}
        for slot in sorted(slots):
            room[places[slot]] = room.get(places[slot], 0) + 1
        return room

    def _descend(self, index: int, cost: int, before: _Key, mine: int) -> None:
        """Place card `index` and all after it.

        `before` stands for the slots of all classes of equal cards that are complete, `mine` for those of this class.
        """
        problem = self.problem
        if index == self.gpus and self.gpus:
            cost += problem.bridging(self.slots[: self.gpus]) if problem.bridging else 0
        if index == len(problem.choices):
            cost += self._coverage()
            if self.best_cost is None or cost < self.best_cost:
                self.best, self.best_cost = tuple(self.slots), cost
            return
        row, is_last = problem.choices[index], self.ends[index] == index + 1
        for added, position in self._tries(index):
            if self._is_over(cost + added + self.rest[index + 1]):
                return
            choice = row[position]
            slots = mine if choice.slot is None else mine | 1 << choice.slot
            if self._is_known((index, before, slots)):
                continue
            self.nodes += 1
            self._enter(index, choice)
            if not self._is_over(cost + added + self._bound(index + 1)):
                self._descend(index + 1, cost + added, *(((before, slots), 0) if is_last else (before, slots)))
            self._leave(index, choice)

    def _is_known(self, key: _Key) -> bool:
        """Say whether equal cards had these slots before, in another order; remember that they have now."""
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def _is_over(self, bound: int) -> bool:
        """Say whether nothing better can come of a branch: its bound is reached, the best is proven, or time is up."""
        if self.best_cost is None:
            return False
        return bound >= self.best_cost or self.best_cost <= self.floor or self.nodes >= self.node_limit

    def _tries(self, index: int) -> list[tuple[int, int]]:
        """Return what each free choice of a card adds to the cost, least first; equal ones in their own order."""
        row, is_pinned = self.problem.choices[index], self.problem.is_pinned[index]
        tries = []
        for position, choice in enumerate(row):
            slot = choice.slot
            if slot is not None and not is_pinned and (self.used[slot] or self._has_free_twin(slot)):
                continue
            tries.append((choice.cost + self._added(index, choice), position))
        tries.sort()
        return tries

    def _added(self, index: int, choice: Choice) -> int:
        """Return what a choice costs beside its own cost, given what is placed so far."""
        slot = choice.slot
        if slot is None:
            return 0
        problem = self.problem
        cost = 0
        if self.taken[-1] & choice.mask:
            cost = weight(Level.HARD, sum(1 for mask in self.masks if mask & choice.mask))
        if problem.is_gpu[index]:
            cost += self.cpus.next(problem.cpu[slot]) + self.switches.next(problem.switch[slot])
        elif problem.is_nic[index]:
            cost += weight(Level.PROXIMITY, min((self._distance(slot, gpu) for gpu in self._placed_gpus()), default=0))
        return cost

    def _enter(self, index: int, choice: Choice) -> None:
        """Take the space of a choice."""
        slot = choice.slot
        self.slots[index] = slot
        if slot is None:
            self.homeless += 1
            return
        self.masks.append(choice.mask)
        self.taken.append(self.taken[-1] | choice.mask)
        self.used[slot] = True
        if self.problem.is_gpu[index]:
            self.cpus.move(self.problem.cpu[slot], 1)
            self.switches.move(self.problem.switch[slot], 1)

    def _leave(self, index: int, choice: Choice) -> None:
        slot = choice.slot
        if slot is None:
            self.homeless -= 1
            return
        self.masks.pop()
        self.taken.pop()
        if not self.problem.is_pinned[index]:
            self.used[slot] = False
        if self.problem.is_gpu[index]:
            self.cpus.move(self.problem.cpu[slot], -1)
            self.switches.move(self.problem.switch[slot], -1)

    def _bound(self, index: int) -> int:
        """Return the least that the cards from `index` on add."""
        least = self.rest[index]
        if self.is_wide and index < len(self.ends):
            least = max(least, self._crowded(index))
        # Cards that must stay without a slot are at no CPU and near to nothing.
        homeless = least >> Level.UNPLACED
        if not homeless and not self.homeless:
            least += self._near_least(index)
        left = self.gpus - index - homeless
        return least + self.cpus.least(left) + self.switches.least(left) if left > 0 else least

    def _crowded(self, index: int) -> int:
        """Return the least that is still to come if equal wide cards from `index` on run out of free space.

        At most as many of them as the free space holds get by without a broken limit; each of the others breaks one.
        """
        row, end = self.problem.choices[index], self.ends[index]
        own, taken = row[0].cost, self.taken[-1]
        width, room = row[0].mask.bit_count(), 0
        if self.problem.is_pinned[index] or own >= weight(Level.HARD):
            return 0
        for choice in row:
            if choice.cost >= weight(Level.HARD):
                break
            if not choice.mask & taken:
                room |= choice.mask
                width = min(width, choice.mask.bit_count())
        free = min(end - index, room.bit_count() // width)
        return self.rest[end] + free * own + weight(Level.HARD, end - index - free)

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
        problem = self.problem
        return distance((problem.cpu[one], problem.switch[one]), (problem.cpu[other], problem.switch[other]))

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
        """Return the least distance that is still to come if all cards find a slot."""
        if not self.nearest:
            return 0
        nics = min(self.nics, max(0, self.gpus + self.nics - index))
        return weight(Level.PROXIMITY, self.nearest * (nics + self.gpus))


def _twin_sets(twins: Sequence[int]) -> list[list[int]]:
    members: dict[int, list[int]] = {}
    for slot, twin in enumerate(twins):
        members.setdefault(twin, []).append(slot)
    return [members[twin] for twin in twins]


def _ends(classes: Sequence[int]) -> list[int]:
    """Return for each card the index after the last of its equals."""
    ends = [len(classes)] * len(classes)
    for index in range(len(classes) - 2, -1, -1):
        ends[index] = ends[index + 1] if classes[index] == classes[index + 1] else index + 1
    return ends
