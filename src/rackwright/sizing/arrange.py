"""From groups of GPUs to equal nodes: how many nodes of 1, 2, 4, 5 or 8 take them, and what is left over."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rackwright.frozen import frozen
from rackwright.sizing.model import Assignment
from rackwright.workloads.gpu import GpuSpec

# Sizes of nodes that are built: modules sit on boards of four or eight, cards in chassis for up to eight double-width
# ones; five are what a 4U chassis of the trade takes, a group of four and one more.
_OF_MODULES = (4, 8)
_OF_CARDS = (1, 2, 4, 5, 8)
_ODD = 5
_IN_NODE = 8


@frozen(slots=True)
class Arrangement:
    """Equal nodes: cards in each, how many, and how many cards no task uses (the spare node of N+1 is not idle)."""

    cards_per_node: int
    nodes: int
    cards_idle: int


def groups_of(item: Assignment) -> list[int]:
    """GPUs that must sit in one node, one entry a copy; a copy of more than eight fills whole nodes."""
    group = item.tensor_parallel * item.pipeline_parallel
    whole, rest = divmod(group, _IN_NODE)
    each = [_IN_NODE] * whole + ([rest] if rest else [])
    return each * item.replicas


def arrangements(
    items: Sequence[Assignment], gpu: GpuSpec, *, is_isolated: bool, is_fault_tolerant: bool
) -> list[Arrangement]:
    """Return every sensible way to put the groups into equal nodes, fewest nodes first.

    `is_isolated`: tasks share no node. `is_fault_tolerant`: one node more than the work needs, two at least.
    """
    by_task = [_on_boards(groups_of(item), gpu.gpus_per_board) for item in items]
    pools = by_task if is_isolated else [[group for groups in by_task for group in groups]]
    used = sum(sum(pool) for pool in pools)
    found: list[Arrangement] = []
    for size in _OF_MODULES if gpu.is_module else _OF_CARDS:
        if any(group > size for pool in pools for group in pool):
            continue
        nodes = sum(_bins(pool, size) for pool in pools)
        idle = nodes * size - used
        if size == _ODD and (idle or nodes > 1 or len(items) == 1):
            continue
        if any(known.nodes == nodes and known.cards_idle <= idle for known in found):
            continue  # a smaller node does the same
        spare = 1 if is_fault_tolerant else 0
        found.append(Arrangement(size, nodes + spare, idle))
    return sorted(found, key=lambda item: (item.nodes, item.cards_per_node))


def _on_boards(groups: list[int], gpus_per_board: int) -> list[int]:
    """Boards for the groups; GPUs of a board with several of them serve one group or several."""
    return groups if gpus_per_board == 1 else [1] * math.ceil(sum(groups) / gpus_per_board)


def _bins(groups: Sequence[int], size: int) -> int:
    """Nodes of `size` that take the groups, largest first into the first node with room."""
    room: list[int] = []
    for group in sorted(groups, reverse=True):
        for index, left in enumerate(room):
            if left >= group:
                room[index] -= group
                break
        else:
            room.append(size - group)
    return len(room)
