"""What a power supply takes from the mains for what it delivers: its efficiency at every load.

PR numbers are those of the project's collection of power and rack rules, with the sources that each names.
"""

from __future__ import annotations

from itertools import pairwise

from rackwright.catalog import Part
from rackwright.facts.records import Record

# Share of the rated output -> efficiency, each 0 to 1, in rising order of load.
Points = tuple[tuple[float, float], ...]

_LOADS = (0.1, 0.2, 0.5, 1.0)
# Least efficiency of each class at 10, 20, 50 and 100 % load; None where the class asks for nothing.
# Source: PR-02 (tables of the 80 PLUS programme). Redundant supplies on 230 V are those of servers; the other table is
# that of the programme on 115 V.
_ON_230_V: dict[str, tuple[float | None, ...]] = {
    "titanium": (0.90, 0.94, 0.96, 0.91),
    "platinum": (None, 0.90, 0.94, 0.91),
    "gold": (None, 0.88, 0.92, 0.88),
    "silver": (None, 0.85, 0.89, 0.85),
    "bronze": (None, 0.81, 0.85, 0.81),
}
_ON_115_V: dict[str, tuple[float | None, ...]] = {
    "titanium": (0.90, 0.92, 0.94, 0.90),
    "platinum": (None, 0.90, 0.92, 0.89),
    "gold": (None, 0.87, 0.90, 0.87),
    "silver": (None, 0.85, 0.88, 0.85),
    "bronze": (None, 0.82, 0.85, 0.82),
}
# The lower of the nominal ranges, 100-127 V, ends here. Source: PR-05.
_LOW_LINE_MAX_V = 127.5
# A load that no supply reaches: where the last piece of a curve ends.
_NO_LOAD_REACHES = 1000.0


def efficiency_points(psu: Part, voltage_v: float | None) -> Points | None:
    """Return the efficiency of a supply by load: the maker's own points, else the least that its class asks for.

    The class counts with its table for 115 V up to 127 V, else with that for redundant supplies on 230 V (PR-02).
    Where the maker's points end below full load, that of the class is added there, else the lowest of his own.
    Unknown: None without points and without a class.
    """
    own = {float(point["load_ratio"]): float(point["efficiency_ratio"]) for point in psu.get("efficiency") or ()}
    least = class_points(psu, voltage_v)
    if not own:
        return least
    own.setdefault(1.0, least[-1][1] if least is not None else min(own.values()))
    return tuple(sorted(own.items()))


def class_points(psu: Part, voltage_v: float | None) -> Points | None:
    """Return the least efficiency that the class of a supply asks for, by load; None without a class."""
    table = _ON_115_V if voltage_v is not None and voltage_v <= _LOW_LINE_MAX_V else _ON_230_V
    least = table.get(psu.get("efficiency_class") or "")
    if least is None:
        return None
    return tuple((load, value) for load, value in zip(_LOADS, least, strict=True) if value is not None)


def efficiency_at(points: Points, load_ratio: float) -> float:
    """Return the efficiency at a share of the rated output, on the line between the points beside it (PR-02).

    Outside of the points nothing is extrapolated: below the lowest and above the highest of them their value holds.
    """
    if load_ratio <= points[0][0]:
        return points[0][1]
    for (low, at_low), (high, at_high) in pairwise(points):
        if load_ratio <= high:
            return at_low + (at_high - at_low) * (load_ratio - low) / (high - low)
    return points[-1][1]


def segments(points: Points) -> list[Record]:
    """Return the same curve as pieces that formulas can pick: loads from and to, and the efficiency at both ends."""
    first, last = points[0], points[-1]
    pieces = [((0.0, first[1]), first), *pairwise(points), (last, (_NO_LOAD_REACHES, last[1]))]
    return [
        {
            "load_from_ratio": low,
            "load_to_ratio": high,
            "efficiency_from_ratio": at_low,
            "efficiency_to_ratio": at_high,
        }
        for (low, at_low), (high, at_high) in pieces
    ]
