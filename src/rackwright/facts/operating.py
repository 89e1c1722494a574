"""What it costs to run nodes: energy by use, cost per GPU-hour and per token, and where one large node beats several.

The model: a node draws its peak for a share of the time, its utilisation, and its idle draw for the rest; the room adds
its own consumption by the PUE; the price is spread evenly over the years of use. Money is decimal and is never rounded
here. What is not known widens a figure to bounds: an idle draw that nobody states lies between nothing and the peak.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from rackwright.frozen import frozen

# Hours of a year of 365 days.
YEAR_H = Decimal(8760)
_KILO = Decimal(1000)
_SECONDS = Decimal(3600)
_MILLION = Decimal(1_000_000)
# The utilisations for which a comparison is worked out, and the least of them.
UTILISATIONS = tuple(Decimal(percent) / 100 for percent in range(30, 101, 10))
_LEAST_PERCENT = 30


@frozen(slots=True)
class Bounds:
    """A figure that lies between two others, both of them included."""

    low: Decimal
    high: Decimal

    @property
    def is_exact(self) -> bool:
        """Whether the figure is known."""
        return self.low == self.high

    def times(self, factor: Decimal) -> Bounds:
        """Return the figure times a factor that is not negative."""
        return Bounds(self.low * factor, self.high * factor)

    def plus(self, other: Bounds) -> Bounds:
        """Return the sum of two figures."""
        return Bounds(self.low + other.low, self.high + other.high)


@frozen(slots=True)
class Terms:
    """What energy costs, how much the room adds to it, and over how many years the price is spread; None: not known."""

    tariff_per_kwh: Decimal | None = None
    pue_ratio: Decimal | None = None
    years: Decimal | None = None


@frozen(slots=True)
class Fleet:
    """Equal nodes: their number, GPUs in each, input power in W at peak and idle, price of one; None: not known."""

    id: str
    nodes: int
    gpus: int
    input_peak_w: Decimal | None
    input_idle_w: Decimal | None = None
    price: Decimal | None = None


def energy_kwh(fleet: Fleet, utilisation_ratio: Decimal) -> Bounds | None:
    """Return what the nodes take from the mains in a year, in kWh: 8760 h x (u x peak + (1 - u) x idle) x nodes.

    Unknown: None without the peak; without the idle draw the bounds are those of an idle draw of 0 and of the peak.
    """
    peak, idle = fleet.input_peak_w, fleet.input_idle_w
    if peak is None:
        return None
    ends = (Decimal(0), peak) if idle is None else (idle, idle)
    means = [utilisation_ratio * peak + (1 - utilisation_ratio) * rest for rest in ends]
    low, high = (YEAR_H * mean * fleet.nodes / _KILO for mean in means)
    return Bounds(low, high)


def energy_cost(fleet: Fleet, utilisation_ratio: Decimal, terms: Terms) -> Bounds | None:
    """Return what the energy of a year costs, with that of the room: kWh x PUE x tariff; None if one is not known."""
    energy = energy_kwh(fleet, utilisation_ratio)
    if energy is None or terms.pue_ratio is None or terms.tariff_per_kwh is None:
        return None
    return energy.times(terms.pue_ratio * terms.tariff_per_kwh)


def yearly_cost(fleet: Fleet, utilisation_ratio: Decimal, terms: Terms) -> Bounds | None:
    """Return energy and the year's part of the price together; None if one of them is not known."""
    energy = energy_cost(fleet, utilisation_ratio, terms)
    if energy is None or fleet.price is None or not terms.years:
        return None
    share = fleet.price * fleet.nodes / terms.years
    return energy.plus(Bounds(share, share))


def gpu_hour_cost(fleet: Fleet, utilisation_ratio: Decimal, terms: Terms) -> Bounds | None:
    """Return the cost of an hour in which one GPU works: that of the year by GPUs x 8760 h x utilisation."""
    cost = yearly_cost(fleet, utilisation_ratio, terms)
    hours = fleet.nodes * fleet.gpus * YEAR_H * utilisation_ratio
    return None if cost is None or not hours else cost.times(1 / hours)


def million_tokens_cost(cost_per_h: Bounds, tokens_per_s: Decimal) -> Bounds | None:
    """Return the cost of a million tokens of whatever costs so much an hour and yields so many a second.

    The hook for sizing: `cost_per_h` is that of the same GPUs that yield the tokens. None without any token.
    """
    if tokens_per_s <= 0:
        return None
    return cost_per_h.times(_MILLION / (tokens_per_s * _SECONDS))


@frozen(slots=True)
class Comparison:
    """The demand of a utilisation met by one large node, or by as many smaller ones as it takes.

    `demand_gpus` work at once; `nodes` smaller ones carry them, each used to `utilisation_ratio` of its own. The costs
    are those of an hour in which one GPU works.
    """

    of_large_ratio: Decimal
    demand_gpus: Decimal
    nodes: int
    utilisation_ratio: Decimal
    large: Bounds | None
    small: Bounds | None

    @property
    def is_large_cheaper(self) -> bool | None:
        """Whether the large node costs no more; None if the bounds do not decide it."""
        if self.large is None or self.small is None:
            return None
        if self.large.high <= self.small.low:
            return True
        return False if self.small.high < self.large.low else None


def compare(
    large: Fleet, small: Fleet, terms: Terms, utilisations: Sequence[Decimal] = UTILISATIONS
) -> tuple[Comparison, ...]:
    """Compare large nodes with smaller ones that are bought only as far as the demand needs them."""
    return tuple(_comparison(large, small, terms, ratio) for ratio in utilisations)


def _comparison(large: Fleet, small: Fleet, terms: Terms, ratio: Decimal) -> Comparison:
    demand = ratio * large.gpus * large.nodes
    count = max(1, math.ceil(demand / small.gpus))
    own = demand / (count * small.gpus)
    needed = Fleet(small.id, count, small.gpus, small.input_peak_w, small.input_idle_w, small.price)
    return Comparison(
        of_large_ratio=ratio,
        demand_gpus=demand,
        nodes=count,
        utilisation_ratio=own,
        large=gpu_hour_cost(large, ratio, terms),
        small=gpu_hour_cost(needed, own, terms),
    )


def break_even_ratio(large: Fleet, small: Fleet, terms: Terms) -> tuple[Decimal | None, bool]:
    """Return the least utilisation, in steps of 1 % from 30 %, from which on the large node costs no more; and whether
    that is certain.

    None with certainty: the smaller nodes are cheaper at full use too. Not certain: a figure that is not known could
    move it; the ratio is then None.
    """
    found: Decimal | None = None
    for percent in range(100, _LEAST_PERCENT - 1, -1):
        ratio = Decimal(percent) / 100
        decided = _comparison(large, small, terms, ratio).is_large_cheaper
        if decided is None:
            return None, False
        if not decided:
            break
        found = ratio
    return found, True
