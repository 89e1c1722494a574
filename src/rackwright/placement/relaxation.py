"""The lower bound of the sweep: what the rest of the slots costs at least if a card may be used more than once.

The slots are passed in the order of their rows. What is still to come depends on how many earlier cards reach over the
next slots; which cards are left is relaxed: a card may be used again or not at all, but each use brings its price.
Any prices bound every assignment from below: the sum of all prices plus the least that the slots add. They are
improved by raising the price of a card that is left out and lowering that of one that is used twice.
Source: state-space relaxation of dynamic programs (Christofides, Mingozzi, Toth 1981); subgradient with the step of
Polyak (1969).
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.frozen import frozen
from rackwright.placement.levels import Level, weight

# Covered slots are counted in one whole number: four bits a slot, the slot that is passed next in the lowest ones.
COVER_BITS = 4
COVER_MASK = (1 << COVER_BITS) - 1


@frozen(slots=True)
class Option:
    """A card may start at a slot: `card`, own `cost`, and how many further slots of the row it takes (`reach`)."""

    card: int
    cost: int
    reach: int


@frozen(slots=True)
class Stretch:
    """What a card of one reach does at a slot in one state of cover: the state after it, and the cost of collisions."""

    reach: int
    after: int
    collisions: int


@frozen(slots=True)
class Bound:
    """Prices of the cards, the bound that they give, and for each slot the least that it and all after it add.

    `least[k]` maps a state of cover before slot `k` to that.
    """

    total: int
    prices: tuple[int, ...]
    least: tuple[dict[int, int], ...]


def covered(reach: int) -> int:
    """Return the state of cover that a card leaves on the slots after its own."""
    return sum(1 << (COVER_BITS * step) for step in range(reach))


class Relaxation:
    """The relaxed problem for fixed options; `options[k]` are those of the slot that is passed as number `k`."""

    def __init__(self, options: Sequence[Sequence[Option]], unplaced: Sequence[int]) -> None:
        self.options = options
        self.unplaced = unplaced  # the cost of each card without a slot, no price is above it
        self.reaches = [sorted({option.reach for option in row}) for row in options]
        self.covers: list[list[int]] = [[0]]
        self.stretches: list[list[list[Stretch]]] = []
        for reaches in self.reaches:
            here = [
                [
                    Stretch(reach, (cover >> COVER_BITS) + covered(reach), weight(Level.HARD, cover & COVER_MASK))
                    for reach in reaches
                ]
                for cover in self.covers[-1]
            ]
            after = {cover >> COVER_BITS for cover in self.covers[-1]}
            after |= {stretch.after for stretches in here for stretch in stretches}
            self.stretches.append(here)
            self.covers.append(sorted(after))

    def best(self, prices: Sequence[int], target: int, steps: int) -> Bound:
        """Return the best bound that `steps` steps from `prices` find; it ends early once it reaches `target`."""
        bound, uses = self._bound(prices)
        best, stride, misses = bound, 1.0, 0
        for _ in range(steps):
            square = sum((1 - count) ** 2 for count in uses)
            if not square or best.total >= target:
                break
            step = int(stride * 1024) * (target - bound.total) // (square * 1024)
            if not step:
                break
            moved = (price + step * (1 - count) for price, count in zip(bound.prices, uses, strict=True))
            bound, uses = self._bound([min(price, top) for price, top in zip(moved, self.unplaced, strict=True)])
            if bound.total > best.total:
                best, misses = bound, 0
            elif misses == 2:
                stride, misses = stride * 0.6, 0
            else:
                misses += 1
        return best

    def within(self, bound: Bound, ceiling: int) -> list[list[Option]]:
        """Return the options that can be part of an assignment of at most `ceiling`; the others lead above it."""
        price, base = bound.prices, sum(bound.prices)
        kept: list[list[Option]] = []
        ways: dict[int, int] = {0: base}  # the least before a slot by its state of cover
        for index, row in enumerate(self.options):
            following = bound.least[index + 1]
            cheapest = self._cheapest(row, price)
            onward: dict[int, int] = {}
            least: dict[int, int] = {}
            for cover, stretches in zip(self.covers[index], self.stretches[index], strict=True):
                if cover not in ways:
                    continue
                _lower(onward, cover >> COVER_BITS, ways[cover])
                for stretch in stretches:
                    value = ways[cover] + stretch.collisions
                    _lower(least, stretch.reach, value + following[stretch.after])
                    _lower(onward, stretch.after, value + cheapest[stretch.reach][0])
            kept.append([one for one in row if least[one.reach] + one.cost - price[one.card] <= ceiling])
            ways = onward
        return kept

    def _bound(self, prices: Sequence[int]) -> tuple[Bound, list[int]]:
        """Return the bound that prices give, and how often each card is used in the relaxed solution."""
        cheapest = [self._cheapest(row, prices) for row in self.options]
        least: list[dict[int, int]] = [{} for _ in self.options] + [dict.fromkeys(self.covers[-1], 0)]
        chosen: list[dict[int, Stretch | None]] = [{} for _ in self.options]
        for index in range(len(self.options) - 1, -1, -1):
            following, added = least[index + 1], cheapest[index]
            for cover, stretches in zip(self.covers[index], self.stretches[index], strict=True):
                value, choice = following[cover >> COVER_BITS], None
                for stretch in stretches:
                    other = added[stretch.reach][0] + stretch.collisions + following[stretch.after]
                    if other < value:
                        value, choice = other, stretch
                least[index][cover], chosen[index][cover] = value, choice
        uses = [0] * len(prices)
        cover = 0
        for index, choices in enumerate(chosen):
            taken = choices[cover]
            if taken is None:
                cover >>= COVER_BITS
            else:
                uses[cheapest[index][taken.reach][1]] += 1
                cover = taken.after
        return Bound(sum(prices) + least[0][0], tuple(prices), tuple(least)), uses

    @staticmethod
    def _cheapest(row: Sequence[Option], prices: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return for each reach the least cost above the price, and the card that has it."""
        found: dict[int, tuple[int, int]] = {}
        for option in row:
            pair = (option.cost - prices[option.card], option.card)
            if option.reach not in found or pair < found[option.reach]:
                found[option.reach] = pair
        return found


def _lower(values: dict[int, int], key: int, value: int) -> None:
    if value < values.get(key, value + 1):
        values[key] = value
