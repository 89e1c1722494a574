"""The search for slots against brute force, on every level of the cost, and its limits."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from placement.builders import chassis, cpu, gpu, line, part, placed, slot
from rackwright.placement import cards, search
from rackwright.placement.assignment import prices
from rackwright.placement.levels import Level, weight
from rackwright.placement.problem import Choice, Problem, Solution
from rackwright.placement.search import solve


def random_problem(seed: int) -> Problem:
    """Make a problem with up to six slots and five cards that uses every level; equal cards and equal slots occur."""
    rng = random.Random(seed)
    slots = rng.randint(2, 6)
    cpu = [rng.choice([0, 1, 1, 2]) for _ in range(slots)]
    switch = [rng.choice([0, 0, 1, 2]) if number else 0 for number in cpu]
    is_wide = rng.random() < 0.5
    cut = rng.randint(1, slots)
    end_of_row = [cut - 1 if slot < cut else slots - 1 for slot in range(slots)]
    kinds = []
    for _ in range(3):
        own = [
            rng.choice([0, 0, weight(Level.HARD), weight(Level.LOST_MB_S, 5), weight(Level.GPU_SLOT)])
            for _ in range(slots)
        ]
        reach = rng.choice([0, 1, 2]) if is_wide else 0
        rows = [Choice(j, own[j], mask_of(j, min(reach, end_of_row[j] - j))) for j in range(slots)]
        kept = [choice for choice in rows if rng.random() < 0.9] or rows[:1]
        kept.sort(key=lambda choice: (choice.cost, choice.slot))
        kinds.append((*kept, Choice(None, weight(Level.UNPLACED))))
    kinds_of = sorted(rng.randrange(3) for _ in range(rng.randint(1, 5)))
    gpus, nics = kinds_of.count(0), kinds_of.count(1)
    pins: list[int | None] = [None] * len(kinds_of)
    if rng.random() < 0.3:
        pins[0] = rng.randrange(slots)
    choices = [kinds[kind] for kind in kinds_of]
    if pins[0] is not None:
        choices[0] = (Choice(pins[0], weight(Level.HARD), 1 << pins[0]),)
    wanted = rng.sample(range(slots), 2)
    return Problem(
        choices=tuple(choices),
        classes=tuple(-1 if pin is not None else kind for kind, pin in zip(kinds_of, pins, strict=True)),
        is_gpu=tuple(index < gpus for index in range(len(kinds_of))),
        is_nic=tuple(gpus <= index < gpus + nics for index in range(len(kinds_of))),
        is_pinned=tuple(pin is not None for pin in pins),
        twins=tuple(range(slots)),
        cpu=tuple(cpu),
        switch=tuple(switch),
        rows=tuple(row for row in (tuple(range(cut)), tuple(range(cut, slots))) if row),
        bridged=(0,) * len(kinds_of),
        bridging=(lambda used: weight(Level.BRIDGE, sum(s not in used for s in wanted)))
        if rng.random() < 0.5
        else None,
    )


def mask_of(slot: int, reach: int) -> int:
    return sum(1 << (slot + step) for step in range(reach + 1))


def cost_of(problem: Problem, chosen: Sequence[Choice]) -> int:
    """Return the whole cost of an assignment, level by level, in the words of the documentation."""
    cost = sum(choice.cost for choice in chosen)
    pairs = itertools.combinations([choice for choice in chosen if choice.slot is not None], 2)
    cost += weight(Level.HARD, sum(bool(one.mask & other.mask) for one, other in pairs))
    gpus = [c.slot for c, is_gpu in zip(chosen, problem.is_gpu, strict=True) if is_gpu]
    nics = [c.slot for c, is_nic in zip(chosen, problem.is_nic, strict=True) if is_nic and c.slot is not None]
    if problem.bridging is not None and gpus:
        cost += problem.bridging(gpus)
    placed = [slot for slot in gpus if slot is not None]
    for places, level in ((problem.cpu, Level.CPU_BALANCE), (problem.switch, Level.SWITCH_BALANCE)):
        counts = Counter(places[slot] for slot in placed)
        elsewhere = counts.pop(0, 0) * (2 * len(gpus) + 1 if level is Level.CPU_BALANCE else 0)
        cost += weight(level, elsewhere)
        cost += weight(level, sum(count * count for count in counts.values()))
    if placed and nics:
        near = sum(min(distance(problem, nic, gpu) for gpu in placed) for nic in nics)
        near += sum(min(distance(problem, nic, gpu) for nic in nics) for gpu in placed)
        cost += weight(Level.PROXIMITY, near)
    return cost


def distance(problem: Problem, one: int, other: int) -> int:
    if problem.switch[one] and problem.switch[one] == problem.switch[other]:
        return 0
    if not problem.cpu[one] or not problem.cpu[other]:
        return 0
    return 1 if problem.cpu[one] == problem.cpu[other] else 2


def least_cost(problem: Problem) -> int:
    best: int | None = None
    pinned = {row[0].slot for row, is_pinned in zip(problem.choices, problem.is_pinned, strict=True) if is_pinned}
    for chosen in itertools.product(*problem.choices):
        free = [
            c.slot
            for c, is_pinned in zip(chosen, problem.is_pinned, strict=True)
            if c.slot is not None and not is_pinned
        ]
        if len(free) == len(set(free)) and pinned.isdisjoint(free):
            cost = cost_of(problem, chosen)
            best = cost if best is None else min(best, cost)
    assert best is not None
    return best


@pytest.mark.parametrize("easy_nodes", [0, 2, 150])
@pytest.mark.parametrize("block", range(4))
def test_no_assignment_costs_less_on_any_level(block: int, easy_nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_EASY_NODES", easy_nodes)
    for seed in range(block * 100, block * 100 + 100):
        problem = random_problem(seed)
        solution = solve(problem)
        chosen = [
            next(choice for choice in row if choice.slot == slot)
            for row, slot in zip(problem.choices, solution.slots, strict=True)
        ]
        assert solution.is_decided
        assert solution.cost == cost_of(problem, chosen), f"seed {seed}"
        assert solution.cost == least_cost(problem), f"seed {seed}"


@pytest.mark.parametrize("seed", range(60))
def test_prices_bound_every_assignment_and_the_best_one_reaches_them(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 4), rng.randint(4, 5)
    costs = [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
    row_price, column_price = prices(costs)
    assert all(row_price[i] + column_price[j] <= costs[i][j] for i in range(rows) for j in range(columns))
    assert all(price <= 0 for price in column_price)
    least = min(
        sum(costs[i][j] for i, j in enumerate(chosen)) for chosen in itertools.permutations(range(columns), rows)
    )
    assert sum(row_price) + sum(column_price) == least


def test_equal_slots_and_equal_cards_are_tried_once() -> None:
    row = (*(Choice(slot, 0, 1 << slot) for slot in range(16)), Choice(None, weight(Level.UNPLACED)))
    problem = Problem(
        choices=(row,) * 12,
        classes=(0,) * 12,
        is_gpu=(True,) * 12,
        is_nic=(False,) * 12,
        is_pinned=(False,) * 12,
        twins=(0,) * 16,
        cpu=(1,) * 16,
        switch=(0,) * 16,
        rows=(tuple(range(16)),),
    )
    solution = solve(problem)
    assert (solution.slots, solution.nodes) == (tuple(range(12)), 12)


def test_the_node_limit_ends_undecided_with_the_best_that_was_found() -> None:
    rng = random.Random(1)
    rows = []
    for _ in range(10):
        choices = sorted(
            (Choice(s, weight(Level.LOST_MB_S, rng.randint(1, 99)), 3 << s) for s in range(11)), key=lambda c: c.cost
        )
        rows.append((*choices, Choice(None, weight(Level.UNPLACED))))
    problem = Problem(
        choices=tuple(rows),
        classes=tuple(range(10)),
        is_gpu=(True,) * 10,
        is_nic=(False,) * 10,
        is_pinned=(False,) * 10,
        twins=tuple(range(12)),
        cpu=(0,) * 12,
        switch=(0,) * 12,
        rows=(tuple(range(12)),),
        node_limit=200,
    )
    solution = solve(problem)
    assert not solution.is_decided
    assert None not in solution.slots


def test_no_cards_need_no_search() -> None:
    empty = Problem((), (), (), (), (), (), (), (), ())
    assert solve(empty) == Solution((), 0, True, 0)


def bridged_problem(seed: int, monkeypatch: pytest.MonkeyPatch) -> Problem:
    """Let the builder make the problem of a chassis with runs of slots for bridges, and two kinds of bridged GPUs."""
    rng = random.Random(seed)
    names = [str(number) for number in range(1, rng.randint(4, 7) + 1)]
    records = [
        slot(name, cpu=rng.choice([1, 2]), lanes=rng.choice([8, 16]), width_slots=rng.choice([1, 2])) for name in names
    ]
    row = rng.sample(names, len(names))
    box = chassis(*records, rows=[row] if rng.random() < 0.5 else [], bridges={"groups": [row[:3], row[3:]]})
    group = {"cards": 2, "bridge": "test/bridge", "bridges": 1}
    kinds = [gpu(name, nvlink={"is_supported": True, "groups": [group]}) for name in ("one", "two")]
    bridge = part("nvlink_bridge", "bridge", cards=2)
    lines = [line(kinds[0], rng.randint(1, 3)), line(kinds[1], rng.randint(1, 2)), line(bridge, rng.randint(1, 2))]
    if rng.random() < 0.3:
        lines.append(line(kinds[1], 1, slot=rng.choice(names)))
    seen: list[Problem] = []

    def spy(problem: Problem, solved: search.Solved | None) -> Solution:
        seen.append(problem)
        return solve(problem, solved)

    monkeypatch.setattr(cards, "solve", spy)
    placed([box, *kinds, bridge, cpu()], [line(cpu(), 2), *lines])
    return seen[0]


@pytest.mark.parametrize("easy_nodes", [0, 150])
def test_bridged_groups_are_as_good_as_any_assignment_makes_them(
    easy_nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_EASY_NODES", easy_nodes)
    for seed in range(150):
        problem = bridged_problem(seed, monkeypatch)
        solution = solve(problem)
        assert solution.is_decided
        assert solution.cost == least_cost(problem), f"seed {seed}"


def test_equal_problems_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_EASY_NODES", 0)
    solved: search.Solved = {}
    one, other = random_problem(7), random_problem(7)
    assert solve(one, solved) is solve(other, solved)
    assert list(solved) == [one]
