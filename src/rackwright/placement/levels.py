"""The levels on which placements are compared, as digits of one whole number, and the level of balance."""

from __future__ import annotations

from enum import IntEnum


class Level(IntEnum):
    """Weight of one unit on each level, as a power of two; the widths hold the largest sums of 64 cards."""

    PROXIMITY = 0
    SWITCH_BALANCE = 16
    CPU_BALANCE = 32
    ORDER = 48
    GPU_SLOT = 64
    LOST_MB_S = 76
    BRIDGE = 108
    HARD = 120
    UNPLACED = 136


def weight(level: Level, units: int = 1) -> int:
    """Return the cost of `units` on a level."""
    return units << level


class Balance:
    """GPUs over CPUs (or switches): the cost is the sum of the squares of the counts, least when they are equal.

    `room` are the slots that each place offers to GPUs; place 0 stands for slots of which the place is not known (or
    that have none), and costs `elsewhere` units a GPU.
    """

    def __init__(self, room: dict[int, int], level: Level, elsewhere: int) -> None:
        self.level = level
        self.elsewhere = elsewhere
        self.room = [number for place, number in room.items() if place]
        self.outside = room.get(0, 0)
        self.counts: dict[int, int] = {0: 0, **dict.fromkeys(room, 0)}
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def next(self, place: int) -> int:
        """Return what one more GPU at a place adds."""
        return weight(self.level, 2 * self.counts[place] + 1 if place else self.elsewhere)

    def move(self, place: int, step: int) -> None:
        """Count a GPU in (1) or out (-1)."""
        self.counts[place] += step

    def least(self, left: int) -> int:
        """Return the least that `left` more GPUs add: first where it costs nothing, then evenly, then elsewhere."""
        if not self.elsewhere:
            left -= self.outside - self.counts[0]
        if left <= 0:
            return 0
        key = (tuple(count for place, count in self.counts.items() if place), left)
        if key not in self.known:
            self.known[key] = self._filled(list(key[0]), left)
        return weight(self.level, self.known[key])

    def _filled(self, counts: list[int], left: int) -> int:
        """Put GPUs one by one where the fewest are, as far as there is room."""
        added = 0
        for number in range(left):
            open_places = [index for index, count in enumerate(counts) if count < self.room[index]]
            if not open_places:
                return added + self.elsewhere * (left - number)
            lowest = min(open_places, key=counts.__getitem__)
            added += 2 * counts[lowest] + 1
            counts[lowest] += 1
        return added
