"""The exact search for hard cases: the slots are passed once, row by row, and each takes one of the cards left or none.

After each slot only two things matter for the levels above balance: which cards are left, and which of the next slots
earlier cards reach over. All ways that lead to the same of these are followed as one. A way ends where its cost and
the least that is still to come (`relaxation`) is above what is looked for. What is looked for rises from the bound:
first the least number of broken limits that is possible at all, so that nothing worse is ever followed.

Then only the ways that are left are followed again with the counts of GPUs and NICs at each CPU and switch and with
the slots of GPUs that are to be bridged, for the levels that need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from rackwright.placement.assignment import prices
from rackwright.placement.levels import Level, weight
from rackwright.placement.problem import Problem, Solution
from rackwright.placement.relaxation import COVER_BITS, COVER_MASK, Bound, Option, Relaxation, covered
from rackwright.placement.spread import Spread

_HARD = weight(Level.HARD)
# Steps of the bound: it does not rise noticeably after them (tests/benchmarks/placement.py prints it).
_STEPS = 40
# Ways that are followed at first after each slot; where there are no more, the first pass is exact already.
_NARROW = 40

# A state is one whole number: the cards that are left as a bit mask, then the cover of the next slots.
_COVER_WIDTH = 10 * COVER_BITS
_COVER = (1 << _COVER_WIDTH) - 1
_Arc = tuple[int, int, int, int]  # state before a slot, state after it, card that starts there (-1: none), cost
_Chosen = tuple[tuple[int, int], ...]  # card and its slot
_Way = tuple[int, int, int, int]  # state, counts of GPUs and of NICs by place, slots of GPUs to be bridged
# Cost above the price, bit of the card, bit of the twin before it, cover, change of the state, own cost, card.
_Move = tuple[int, int, int, int, int, int, int]


@dataclass(slots=True)
class _Passed:
    """What one pass left: the steps of each slot, and the states after the last. `is_cut`: some were left out."""

    arcs: list[list[_Arc]] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    is_cut: bool = False


def sweep(problem: Problem, known: Solution) -> Solution | None:
    """Return the assignment of least cost, `known` if nothing is better; `is_decided` is False at the node limit.

    None where a card takes other slots than those that follow its own in `problem.rows`: that cannot be swept.
    """
    run = _Sweep.of(problem, known)
    return None if run is None else run.solve()


class _Sweep:
    """State of one search. Cards are numbered without those that the user pinned, which are part of the problem."""

    def __init__(self, problem: Problem, known: Solution, order: list[int], options: list[list[Option]]) -> None:
        self.problem = problem
        self.order = order
        self.options = options
        self.cards = [i for i, is_pinned in enumerate(problem.is_pinned) if not is_pinned]
        self.unplaced = [problem.choices[i][-1].cost for i in self.cards]
        self.twin_before = _equal_before(problem, self.cards)
        self.slots, self.cost, self.nodes = known.slots, known.cost, known.nodes
        self.limit = known.nodes + problem.node_limit
        self.given = _given(problem)
        gpus = sum(problem.is_gpu)
        rows = problem.choices[:gpus]
        for_gpus = {choice.slot for row in rows for choice in row if choice.slot is not None}
        self.spread = Spread(problem.cpu, problem.switch, for_gpus, gpus)
        # The own costs of the cards below the level of broken limits are never above this.
        self.low = sum(max(choice.cost % _HARD for choice in problem.choices[i]) for i in self.cards)

    @classmethod
    def of(cls, problem: Problem, known: Solution) -> _Sweep | None:
        """Prepare a search; None if a card takes other slots than those that follow its own in the row."""
        order = [slot for row in problem.rows for slot in row]
        options = _options(problem, order)
        if options is None or sorted(order) != list(range(len(problem.cpu))):
            return None
        return cls(problem, known, order, options)

    def solve(self) -> Solution:
        """Raise what is looked for until something is found or nothing better than what is known can be."""
        first = Relaxation(self.options, self.unplaced)
        bound = first.best(self._first_prices(), self.cost - self.given, _STEPS)
        top = max(0, -((self.low - bound.total) // _HARD))
        while True:
            is_last = self._ceiling(top) < top * _HARD + self.low
            is_found, is_cut = self._level(first, bound, top)
            if is_cut or self.nodes >= self.limit or is_found or is_last:
                return Solution(self.slots, self.cost, not is_cut and self.nodes < self.limit, self.nodes)
            top += 1

    def _level(self, first: Relaxation, bound: Bound, top: int) -> tuple[bool, bool]:
        """Look for what breaks `top` limits; say whether something better was found, and whether ways were left out."""
        is_found, relaxation = False, first
        for width in (_NARROW, None):
            ceiling = self._ceiling(top)
            relaxation = Relaxation(relaxation.within(bound, ceiling), self.unplaced)
            bound = relaxation.best(bound.prices, ceiling + 1, _STEPS)
            if bound.total > ceiling:
                return is_found, False
            passed = self._pass(relaxation.options, bound, ceiling, width)
            is_found |= self._finish(passed, ceiling)
            if not passed.is_cut or self.nodes >= self.limit:
                break
        return is_found, passed.is_cut

    def _ceiling(self, top: int) -> int:
        """Return the highest own cost of the free cards that is of interest."""
        better = self.cost - 1 - self.given
        if top < weight(Level.UNPLACED) // _HARD:
            better -= self.spread.least(0, sum(self.problem.is_gpu)) + self._floor(0, (1 << len(self.order)) - 1)
        return min(top * _HARD + self.low, better)

    def _first_prices(self) -> list[int]:
        """Return the prices of the cheapest assignment that knows of no collision."""
        width = len(self.order)
        never = sum(self.unplaced) + 1
        costs = [[never] * width + [never] * len(self.cards) for _ in self.cards]
        for index, row in enumerate(self.options):
            for option in row:
                costs[option.card][index] = option.cost
        for card, cost in enumerate(self.unplaced):
            costs[card][width + card] = cost
        return prices(costs)[0] if costs else []

    def _pass(self, options: Sequence[Sequence[Option]], bound: Bound, ceiling: int, width: int | None) -> _Passed:
        """Follow all ways whose cost stays within `ceiling`, at most `width` after each slot."""
        passed = _Passed()
        price = bound.prices
        states = {(1 << len(price)) - 1 << _COVER_WIDTH: sum(price)}
        later = _later(options) if ceiling < weight(Level.UNPLACED) else None
        for index, row in enumerate(options):
            least = bound.least[index + 1]
            moves = sorted(
                (
                    option.cost - price[option.card],
                    1 << option.card + _COVER_WIDTH,
                    self.twin_before[option.card],
                    reach := covered(option.reach),
                    reach - (1 << option.card + _COVER_WIDTH),
                    option.cost,
                    option.card,
                )
                for option in row
            )
            states, arcs = self._step(states, moves, least, ceiling)
            if later is not None:
                must, room = later[index + 1]
                states = {
                    state: value
                    for state, value in states.items()
                    if not state & must and (state >> _COVER_WIDTH).bit_count() <= room
                }
            if width is not None and len(states) > width:
                best = sorted(states, key=lambda state: (states[state] + least[state & _COVER], state))[:width]
                states = {state: states[state] for state in best}
                passed.is_cut = True
            passed.arcs.append(arcs)
            if self.nodes >= self.limit:
                passed.is_cut = True
                return passed
        passed.last = list(states)
        return passed

    def _step(
        self, states: dict[int, int], moves: Sequence[_Move], least: dict[int, int], ceiling: int
    ) -> tuple[dict[int, int], list[_Arc]]:
        """Return the states after one slot with their values, and all steps that may lead to a cost within `ceiling`.

        The value of a state is its cost and the prices of the cards that are left.
        """
        after: dict[int, int] = {}
        arcs: list[_Arc] = []
        lowest, nodes = min(least.values()), self.nodes
        for state, value in states.items():
            cover = state & _COVER
            following, collisions = cover >> COVER_BITS, (cover & COVER_MASK) * _HARD
            plain = state - cover + following
            room = ceiling - value - collisions
            for added, bit, twin, reach, change, cost, card in moves:
                if added + lowest > room:
                    break
                if not state & bit or state & twin:
                    continue
                nodes += 1
                if added + least[following + reach] <= room:
                    target = plain + change
                    arcs.append((state, target, card, cost + collisions))
                    reached = value + collisions + added
                    if reached < after.get(target, reached + 1):
                        after[target] = reached
            if nodes >= self.limit:  # the caller sees it and gives up
                break
            nodes += 1
            if value + least[following] <= ceiling:
                arcs.append((state, plain, -1, 0))
                if value < after.get(plain, value + 1):
                    after[plain] = value
        self.nodes = nodes
        return after, arcs

    def _finish(self, passed: _Passed, ceiling: int) -> bool:
        """Follow the ways that are left once more with all levels; keep what is better than what is known."""
        if not passed.last or len(passed.arcs) < len(self.order):
            return False
        rest = self._rest(passed)
        first = (1 << len(self.cards)) - 1 << _COVER_WIDTH
        ways: dict[_Way, tuple[int, _Chosen]] = {(first, *self._given_counts()): (0, ())}
        for index, arcs in enumerate(passed.arcs):
            ways = self._follow(ways, arcs, rest[index + 1], self.order[index], ceiling)
            ways = self._bridgeable(ways, rest[index + 1], index + 1)
            if self.nodes >= self.limit:
                return False
        is_found = False
        for (state, gpus, nics, _), (cost, chosen) in ways.items():
            slots = self._slots(chosen)
            total = cost + rest[-1][state] + self.given + self.spread.cost(gpus, nics) + self._bridging(slots)
            if total < self.cost:
                self.cost, self.slots, is_found = total, slots, True
        return is_found

    def _bridgeable(
        self, ways: dict[_Way, tuple[int, _Chosen]], rest: dict[int, int], index: int
    ) -> dict[_Way, tuple[int, _Chosen]]:
        """Leave out the ways that cannot be better for the groups that they can still bridge from slot `index` on."""
        if self.problem.bridging_floor is None:
            return ways
        better = self.cost - self.given
        later = sum(1 << slot for slot in self.order[index:])
        floors: dict[int, int] = {}
        kept = {}
        for way, (cost, chosen) in ways.items():
            held = way[3]
            if held not in floors:
                floors[held] = self._floor(held, later)
            if cost + rest[way[0]] + floors[held] < better:
                kept[way] = cost, chosen
        return kept

    def _floor(self, held: int, later: int) -> int:
        """Return the least cost of bridging with some slots held, part by part, and some open to all parts."""
        if self.problem.bridging_floor is None:
            return 0
        width = len(self.order)
        parts = range(max(self.problem.bridged) + 1)
        return self.problem.bridging_floor([held >> part * width & (1 << width) - 1 | later for part in parts])

    def _rest(self, passed: _Passed) -> list[dict[int, int]]:
        """Return for each slot what each state before it costs at least until the end, exactly."""
        last = {
            state: sum(cost for card, cost in enumerate(self.unplaced) if state >> card + _COVER_WIDTH & 1)
            for state in passed.last
        }
        rest = [last]
        for arcs in reversed(passed.arcs):
            following, here = rest[-1], dict[int, int]()
            for before, after, _, cost in arcs:
                if after in following:
                    value = cost + following[after]
                    if value < here.get(before, value + 1):
                        here[before] = value
            rest.append(here)
        return rest[::-1]

    def _follow(
        self,
        ways: dict[_Way, tuple[int, _Chosen]],
        arcs: Sequence[_Arc],
        rest: dict[int, int],
        slot: int,
        ceiling: int,
    ) -> dict[_Way, tuple[int, _Chosen]]:
        """Return the ways after one slot; of two that end alike the cheaper one, of equal ones the first."""
        onward: dict[int, list[_Arc]] = {}
        for arc in arcs:
            if arc[1] in rest:
                onward.setdefault(arc[0], []).append(arc)
        after: dict[_Way, tuple[int, _Chosen]] = {}
        for (state, gpus, nics, held), (cost, chosen) in ways.items():
            for _, target, card, added in onward.get(state, ()):
                self.nodes += 1
                total = cost + added
                if total + rest[target] > ceiling:
                    continue
                if card < 0:
                    way, made = (target, gpus, nics, held), chosen
                else:
                    way = (target, *self._counted(self.cards[card], slot, gpus, nics, held))
                    made = (*chosen, (card, slot))
                if way not in after or total < after[way][0]:
                    after[way] = total, made
        return after

    def _counted(self, number: int, slot: int, gpus: int, nics: int, held: int) -> tuple[int, int, int]:
        """Return the counts with a card in a slot; `held` has the slots of GPUs to be bridged, part by part."""
        problem = self.problem
        if problem.is_gpu[number]:
            if problem.bridging is not None and problem.bridged[number] >= 0:
                held |= 1 << (problem.bridged[number] * len(self.order) + slot)
            return gpus + self.spread.unit[slot], nics, held
        if problem.is_nic[number]:
            return gpus, nics + self.spread.unit[slot], held
        return gpus, nics, held

    def _given_counts(self) -> tuple[int, int, int]:
        counts = (0, 0, 0)
        for number, is_pinned in enumerate(self.problem.is_pinned):
            slot = self.problem.choices[number][0].slot
            if is_pinned and slot is not None:
                counts = self._counted(number, slot, *counts)
        return counts

    def _slots(self, chosen: _Chosen) -> tuple[int | None, ...]:
        """Return the slot of each card of the problem."""
        problem = self.problem
        slots = [row[0].slot if pin else None for row, pin in zip(problem.choices, problem.is_pinned, strict=True)]
        for card, slot in chosen:
            slots[self.cards[card]] = slot
        return tuple(slots)

    def _bridging(self, slots: tuple[int | None, ...]) -> int:
        gpus = sum(self.problem.is_gpu)
        return self.problem.bridging(slots[:gpus]) if self.problem.bridging is not None and gpus else 0


def _options(problem: Problem, order: Sequence[int]) -> list[list[Option]] | None:
    """Return what may start at each slot, in the order of the rows; None if a card reaches over other slots than those.

    What a card of the user's own choice takes is counted into the cost of the others.
    """
    pinned = [row[0] for row, is_pinned in zip(problem.choices, problem.is_pinned, strict=True) if is_pinned]
    taken = {choice.slot for choice in pinned}
    at = {slot: index for index, slot in enumerate(order)}
    options: list[list[Option]] = [[] for _ in order]
    free = [row for row, is_pinned in zip(problem.choices, problem.is_pinned, strict=True) if not is_pinned]
    for card, row in enumerate(free):
        for choice in row:
            if choice.slot is None or choice.slot in taken:
                continue
            index, reach = at[choice.slot], choice.mask.bit_count() - 1
            space = sum(1 << slot for slot in order[index : index + reach + 1])
            if choice.mask != space or reach * COVER_BITS > _COVER_WIDTH:
                return None
            collisions = sum(1 for other in pinned if other.mask & choice.mask)
            options[index].append(Option(card, choice.cost + collisions * _HARD, reach))
    return options


def _later(options: Sequence[Sequence[Option]]) -> list[tuple[int, int]]:
    """Return for each slot the cards (bits) that no slot from it on can take, and how many these slots can take."""
    every = sum({1 << option.card + _COVER_WIDTH for row in options for option in row})
    found, room = 0, 0
    later = [(every, 0)]
    for row in reversed(options):
        for option in row:
            found |= 1 << option.card + _COVER_WIDTH
        room += bool(row)
        later.append((every & ~found, room))
    return later[::-1]


def _given(problem: Problem) -> int:
    """Return what the cards in slots of the user's choice cost among themselves."""
    pinned = [row[0] for row, is_pinned in zip(problem.choices, problem.is_pinned, strict=True) if is_pinned]
    pairs = sum(1 for one, other in combinations(pinned, 2) if one.mask & other.mask)
    return sum(choice.cost for choice in pinned) + pairs * _HARD


def _equal_before(problem: Problem, cards: Sequence[int]) -> list[int]:
    """Return for each card the bit of the equal card before it, 0 if there is none: equal cards are used in order."""
    bits = []
    for index, card in enumerate(cards):
        is_equal = index > 0 and problem.classes[cards[index - 1]] == problem.classes[card]
        bits.append(1 << (index - 1 + _COVER_WIDTH) if is_equal else 0)
    return bits
