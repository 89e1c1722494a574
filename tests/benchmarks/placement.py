"""How hard placement can get: `python tests/benchmarks/placement.py` searches for the slowest chassis and prints them.

The chassis are random: 16 slots with unequal limits, rows for wide cards, CPUs and switches, and 12 cards of which no
two are equal. From the slowest of them the search goes on by changing one card or slot at a time. Printed are the CPU
time, the steps, how many cases end undecided, and the middle case of a ten-GPU chassis.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent / "src")]

from placement.builders import chassis, cpu, gpu, line, nic, part, placed, slot
from rackwright.catalog import Part
from rackwright.placement import cards
from rackwright.placement.problem import Problem, Solution
from rackwright.placement.search import Solved, solve

SLOTS, CARDS = 16, 12
LENGTHS, HEIGHTS = ("half", "three-quarter", "full"), ("low", "full")
Genes = list[int]


def case_of(genes: Genes) -> tuple[list[Part], list[dict[str, Any]]]:
    """Make a chassis and its cards from numbers, one a slot or card and one for the whole."""
    whole = random.Random(genes[-1])
    switches = {f"S{i}": {"uplink": {"cpu": i % 2 + 1}} for i in range(whole.choice([0, 0, 2, 4]))}
    names = [str(number) for number in range(1, SLOTS + 1)]
    records = [_slot(name, random.Random(gene), list(switches)) for name, gene in zip(names, genes, strict=False)]
    size = whole.choice([1, 4, 8, 16])
    row = whole.sample(names, SLOTS)
    rows = [row[start : start + size] for start in range(0, SLOTS, size)] if size > 1 else []
    box = chassis(*records, rows=rows, switches=switches)
    kinds = [_card(f"card{index}", random.Random(gene)) for index, gene in enumerate(genes[SLOTS : SLOTS + CARDS])]
    host = cpu()
    return [box, host, *kinds], [line(host, 2), *(line(kind) for kind in kinds)]


def _slot(name: str, rng: random.Random, switches: list[str]) -> dict[str, Any]:
    switch = rng.choice([*switches, None])
    return slot(
        name,
        width_slots=rng.choice([1, 1, 1, 2, None]),
        length_class=rng.choice([*LENGTHS, None]),
        height_class=rng.choice([*HEIGHTS, "full", None]),
        length_max_mm=rng.choice([None, None, 200.0, 270.0]),
        lanes=rng.choice([4, 8, 16, 16, None]),
        connector_lanes=rng.choice([8, 16, 16, None]),
        generation=rng.choice([3, 4, 5, 5]),
        power_max_w=rng.choice([None, 75.0, 150.0, 300.0]),
        is_gpu=rng.choice([True, False, None, None]),
        cpu=None if switch else rng.choice([1, 2, None]),
        switch=switch,
    )


def _card(name: str, rng: random.Random) -> Part:
    make: Callable[..., Part] = rng.choice([gpu, gpu, nic, nic, _adapter])
    card = {
        "width_slots": rng.choice([1, 1, 2, 2, 3]),
        "length_class": rng.choice(LENGTHS),
        "height_class": rng.choice(HEIGHTS),
        "length_mm": rng.uniform(150, 280),
    }
    return make(
        name,
        card=card,
        pcie={"generation": rng.choice([3, 4, 5]), "lanes": rng.choice([4, 8, 16])},
        power={"max_w": rng.uniform(20, 400)},
    )


def _adapter(name: str, **data: Any) -> Part:
    return part("storage_adapter", name, form_factor="pcie", **data)


def measured(parts: list[Part], lines: list[dict[str, Any]]) -> tuple[float, Solution]:
    """Return the CPU time of the search alone, in seconds, and what it found."""
    taken: list[tuple[float, Solution]] = []

    def timed(problem: Problem, solved: Solved | None = None) -> Solution:
        start = time.process_time()
        solution = solve(problem, solved)
        taken.append((time.process_time() - start, solution))
        return solution

    before = cards.solve
    cards.solve = timed
    try:
        placed(parts, lines, is_list_complete=True)
    finally:
        cards.solve = before
    return taken[-1]


def main(rounds: int = 200, climbs: int = 200) -> None:
    """Draw `rounds` cases, climb from the slowest for `climbs` steps, and print what came out."""
    rng = random.Random(1)
    drawn = [[rng.randrange(10**6) for _ in range(SLOTS + CARDS + 1)] for _ in range(rounds)]
    results = sorted(((*measured(*case_of(genes)), genes) for genes in drawn), key=lambda result: result[0])
    undecided = sum(not solution.is_decided for _, solution, _ in results)
    print(f"{CARDS} unequal cards in {SLOTS} slots, {rounds} random chassis (search alone, CPU time)")
    print(
        f"  middle {1000 * results[rounds // 2][0]:.0f} ms, slowest {1000 * results[-1][0]:.0f} ms, undecided {undecided}"
    )
    worst, solution, genes = results[-1]
    for _ in range(climbs):
        other = list(genes)
        other[rng.randrange(len(other))] = rng.randrange(10**6)
        taken, found = measured(*case_of(other))
        if found.nodes > solution.nodes:
            worst, solution, genes = taken, found, other
    worst = min(measured(*case_of(genes))[0] for _ in range(3))
    print(
        f"  worst case found by search: {1000 * worst:.0f} ms, {solution.nodes} steps, decided: {solution.is_decided}"
    )
    ten = [slot(f"{number}", cpu=1 + number // 5) for number in range(10)]
    box, card, host = chassis(*ten), gpu(), cpu()
    middle = sorted(_whole([box, card, nic(), host], [line(host, 2), line(card, 8), line(nic(), 2)]) for _ in range(21))
    print(f"ten-GPU chassis, whole node: middle {1000 * middle[10]:.1f} ms")


def _whole(parts: list[Part], lines: list[dict[str, Any]]) -> float:
    start = time.process_time()
    placed(parts, lines)
    return time.process_time() - start


if __name__ == "__main__":
    main()
