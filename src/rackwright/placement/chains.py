"""Groups of neighbouring slots for NVLink bridges: how many can be formed from the slots that hold equal GPUs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.catalog import Part
from rackwright.frozen import frozen

Window = tuple[str, ...]


@frozen(slots=True)
class Demand:
    """`groups` groups of `cards` equal GPUs (part id `gpu`) are to be joined."""

    gpu: str
    cards: int
    groups: int


@frozen(slots=True)
class Chains:
    """Where bridges can go. `lists` are runs of slots in the order of their neighbourhood, None = not known.

    `cpu` maps a slot to the CPU that feeds it; slots whose CPU is not known are absent.
    """

    lists: tuple[tuple[str, ...], ...] | None
    cpu: Mapping[str, int]


def chains_of(chassis: Part, cpu: Mapping[str, int]) -> Chains:
    """Return the runs of slots that the maker states for bridges."""
    groups = chassis.get("bridges.groups")
    return Chains(None if groups is None else tuple(tuple(map(str, group)) for group in groups), cpu)


def is_adjacent(slots: Sequence[str], chains: Chains) -> bool | None:
    """Say whether slots follow each other in one run, so that one bridge spans them; None if the runs are not known."""
    if chains.lists is None:
        return None
    wanted = sorted(slots)
    return any(
        sorted(run[start : start + len(slots)]) == wanted
        for run in chains.lists
        for start in range(len(run) - len(slots) + 1)
    )


def best_windows(
    held: Mapping[str, Sequence[str]], demands: Sequence[Demand], chains: Chains
) -> tuple[list[list[Window]], int]:
    """Choose slots for the demanded groups among those that hold GPUs.

    `held` maps a GPU's part id to its slots. Returns one list of windows a demand, and the penalty: 1 for every group
    that no run of neighbours can hold, 1 for every group that crosses CPUs. Without known runs, groups are only
    counted against the CPUs. Exact: the largest number of groups, then the least crossing.
    """
    taken: set[str] = set()
    chosen: list[list[Window]] = []
    penalty = 0
    for demand in demands:
        slots = [slot for slot in held.get(demand.gpu, ()) if slot not in taken]
        windows = _candidates(slots, demand.cards, chains)
        found = _disjoint(windows, demand.groups, chains)
        if chains.lists is not None or all(slot in chains.cpu for slot in slots):
            penalty += demand.groups - len(found)
        penalty += sum(_crosses(window, chains) for window in found)
        taken.update(slot for window in found for slot in window)
        chosen.append(found)
    return chosen, penalty


def least_penalty(held: Mapping[str, Sequence[str]], demands: Sequence[Demand], chains: Chains) -> int:
    """Return the least penalty of `best_windows` for any choice among the slots of `held`; 0 without known runs.

    A group costs nothing only in a run of neighbours at one CPU; each demand is counted as if it were alone.
    """
    if chains.lists is None:
        return 0
    total = 0
    for demand in demands:
        windows = _candidates(held.get(demand.gpu, ()), demand.cards, chains)
        free = [window for window in windows if not _crosses(window, chains)]
        total += demand.groups - len(_disjoint(free, demand.groups, chains))
    return total


def _candidates(slots: Sequence[str], size: int, chains: Chains) -> list[Window]:
    """Return all runs of `size` neighbours among `slots`; without known runs, the slots of each CPU cut into pieces."""
    if chains.lists is None:
        by_cpu: dict[int | None, list[str]] = {}
        for slot in slots:
            by_cpu.setdefault(chains.cpu.get(slot), []).append(slot)
        return [
            tuple(group[start : start + size])
            for group in by_cpu.values()
            for start in range(0, len(group) - size + 1, size)
        ]
    here = set(slots)
    return list(
        dict.fromkeys(
            run[start : start + size]
            for run in chains.lists
            for start in range(len(run) - size + 1)
            if here.issuperset(run[start : start + size])
        )
    )


def _disjoint(windows: list[Window], wanted: int, chains: Chains) -> list[Window]:
    """Return the most windows without a common slot, at most `wanted`, crossing CPUs as little as possible."""
    best: list[Window] = []
    best_key = (0, 0)

    def extend(start: int, chosen: list[Window], taken: frozenset[str], crossing: int) -> None:
        nonlocal best, best_key
        key = (len(chosen), -crossing)
        if key > best_key:
            best, best_key = list(chosen), key
        if len(chosen) == wanted or best_key == (wanted, 0):
            return
        for index in range(start, len(windows)):
            window = windows[index]
            if taken.isdisjoint(window):
                extend(index + 1, [*chosen, window], taken.union(window), crossing + _crosses(window, chains))

    extend(0, [], frozenset(), 0)
    return best


def _crosses(window: Window, chains: Chains) -> int:
    known = {chains.cpu[slot] for slot in window if slot in chains.cpu}
    return int(len(known) > 1)
