"""What the spread of GPUs and NICs over CPUs and switches costs, given how many sit at each place.

A place is a CPU and a switch (0 = not known or none). Counts of all places are one whole number, `PLACE_BITS` bits a
place, so that they can be keys and are cheap to add to.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.placement.levels import Balance, Level, weight

PLACE_BITS = 12
_MASK = (1 << PLACE_BITS) - 1


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return 0 below one switch, 1 at one CPU, 2 across CPUs; 0 where a CPU is not known."""
    if one[1] and one[1] == other[1]:
        return 0
    if not one[0] or not other[0]:
        return 0
    return 1 if one[0] == other[0] else 2


class Spread:
    """The levels of balance and nearness; what was computed is kept.

    `slots_for_gpus` are the slots that any GPU could take; `gpus` is the number of GPUs.
    """

    def __init__(self, cpu: Sequence[int], switch: Sequence[int], slots_for_gpus: set[int], gpus: int) -> None:
        pairs = list(zip(cpu, switch, strict=True))
        self.places = sorted(set(pairs))
        numbers = {pair: number for number, pair in enumerate(self.places)}
        self.unit = [1 << (PLACE_BITS * numbers[pair]) for pair in pairs]
        self.apart = [[distance(one, other) for other in self.places] for one in self.places]
        self.balances = (
            (0, Balance(_room(cpu, slots_for_gpus), Level.CPU_BALANCE, 2 * gpus + 1)),
            (1, Balance(_room(switch, slots_for_gpus), Level.SWITCH_BALANCE, 0)),
        )
        self.balanced: dict[tuple[int, int], int] = {}
        self.near: dict[tuple[int, int], int] = {}

    def cost(self, gpus: int, nics: int) -> int:
        """Return the cost of these counts of GPUs and NICs, all levels together."""
        return self.least(gpus, 0) + self._nearness(gpus, nics)

    def least(self, gpus: int, left: int) -> int:
        """Return the cost of the balance of these GPUs and the least that `left` more add."""
        if (gpus, left) not in self.balanced:
            self.balanced[gpus, left] = sum(self._balance(part, balance, gpus, left) for part, balance in self.balances)
        return self.balanced[gpus, left]

    def _balance(self, part: int, balance: Balance, gpus: int, left: int) -> int:
        counts = dict.fromkeys(balance.counts, 0)
        for pair, count in zip(self.places, self._counts(gpus), strict=True):
            if count:
                counts[pair[part]] = counts.get(pair[part], 0) + count
        balance.counts = counts
        units = sum(count * count if place else count * balance.elsewhere for place, count in counts.items())
        return weight(balance.level, units) + (balance.least(left) if left > 0 else 0)

    def _nearness(self, gpus: int, nics: int) -> int:
        if not gpus or not nics:
            return 0
        if (gpus, nics) not in self.near:
            some_gpus = [(place, count) for place, count in enumerate(self._counts(gpus)) if count]
            some_nics = [(place, count) for place, count in enumerate(self._counts(nics)) if count]
            total = sum(count * min(self.apart[nic][gpu] for gpu, _ in some_gpus) for nic, count in some_nics)
            total += sum(count * min(self.apart[gpu][nic] for nic, _ in some_nics) for gpu, count in some_gpus)
            self.near[gpus, nics] = weight(Level.PROXIMITY, total)
        return self.near[gpus, nics]

    def _counts(self, counts: int) -> list[int]:
        return [counts >> (PLACE_BITS * number) & _MASK for number in range(len(self.places))]


def _room(places: Sequence[int], slots: set[int]) -> dict[int, int]:
    """Return how many of some slots each CPU (switch) has."""
    room: dict[int, int] = {}
    for slot in sorted(slots):
        room[places[slot]] = room.get(places[slot], 0) + 1
    return room
