"""Electrical and thermal formulas of a rack: pure arithmetic on plain figures.

PR numbers are those of the project's collection of power and rack rules, with the sources that each names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

LINES = ("L1", "L2", "L3")
# Line conductor -> the next one in the order of rotation, to which the outlets of its first pair are wired.
_NEXT = {"L1": "L2", "L2": "L3", "L3": "L1"}
_COS_30, _SIN_30 = math.sqrt(3) / 2, 0.5

# Air at 20 C and sea level: density in kg/m3 and heat capacity in J/(kg K). Source: PR-41.
_AIR_DENSITY = 1.2
_AIR_HEAT = 1005.0
_FOOT_M = 0.3048
# Height in feet -> pressure as a share of that at sea level. Source: PR-42 (Dell, at insidehpc.com, 2011).
_PRESSURE = ((0, 1.0), (2000, 0.93), (4000, 0.86), (6000, 0.80), (8000, 0.74), (10000, 0.69))


def single_phase_power_w(voltage_v: float, current_a: float) -> float:
    """Return the power of a single-phase circuit in W at a power factor of 1: V x A. Source: PR-20."""
    return voltage_v * current_a


def three_phase_power_w(voltage_ll_v: float, current_a: float) -> float:
    """Return the power in W of three equally loaded lines, wye and delta alike: sqrt(3) x V (line to line) x A.

    The power factor is 1. Source: PR-21 (within 5 % of 22 published PDU ratings).
    """
    return math.sqrt(3) * voltage_ll_v * current_a


def current_a(power_w: float, voltage_v: float, power_factor_ratio: float) -> float:
    """Return the current in A of a load of `power_w` between two conductors: P / (V x PF). Source: PR-04."""
    return power_w / (voltage_v * power_factor_ratio)


def three_phase_current_a(power_w: float, voltage_ll_v: float, power_factor_ratio: float) -> float:
    """Return the current in A of each line when `power_w` is spread evenly: P / (sqrt(3) x V x PF). Source: PR-32."""
    return power_w / (math.sqrt(3) * voltage_ll_v * power_factor_ratio)


def pair(one: str, other: str) -> str:
    """Return the name of the outlets between two lines as part files spell it: `L1-L2`, `L2-L3`, `L3-L1`."""
    return f"{one}-{other}" if _NEXT.get(one) == other else f"{other}-{one}"


@lru_cache(maxsize=256)
def section_lines(section: str) -> tuple[str, ...]:
    """Return the line conductors of a section: (`L1`,) to neutral, (`L1`, `L2`) between lines; empty if unknown."""
    names = tuple(section.split("-"))
    return names if all(name in LINES for name in names) and len(set(names)) == len(names) <= 2 else ()


def line_currents_a(section_a: Mapping[str, float]) -> dict[str, float]:
    """Return the current in A of L1, L2 and L3, given that of the outlets of each section.

    Shapes: sections are `L1`, `L2`, `L3` (line to neutral) and `L1-L2`, `L2-L3`, `L3-L1` (line to line); absent: 0.
    Loads to neutral of one line add up. Those between lines are 30 degrees ahead of and behind the line's own voltage,
    so two equal ones of 10 A make 17.32 A. All loads have the same power factor, voltages are balanced.
    Source: PR-26; for both kinds on one line the same sum of vectors.
    """
    amps: dict[str, float] = {}
    for section, value in section_a.items():
        lines = section_lines(section)
        name = pair(*lines) if len(lines) == 2 else section
        amps[name] = amps.get(name, 0.0) + value
    before = {following: line for line, following in _NEXT.items()}
    result = {}
    for line in LINES:
        neutral = amps.get(line, 0.0)
        ahead, behind = amps.get(pair(line, _NEXT[line]), 0.0), amps.get(pair(before[line], line), 0.0)
        result[line] = math.hypot(neutral + _COS_30 * (ahead + behind), _SIN_30 * (ahead - behind))
    return result


def delta_line_currents_a(pair_12_a: float, pair_23_a: float, pair_31_a: float) -> tuple[float, float, float]:
    """Return the currents in A of L1, L2 and L3 for outlets between lines.

    I1 = sqrt(I12^2 + I31^2 + I12 x I31), cyclic. Source: PR-26 (that the line currents are not obvious: Raritan, 2011).
    """
    amps = line_currents_a({"L1-L2": pair_12_a, "L2-L3": pair_23_a, "L3-L1": pair_31_a})
    return amps["L1"], amps["L2"], amps["L3"]


def neutral_current_a(line_1_a: float, line_2_a: float, line_3_a: float) -> float:
    """Return the current in A of the neutral of a wye: sqrt(a^2 + b^2 + c^2 - ab - bc - ca).

    Source: PR-27 (pingdo.net).
    """
    a, b, c = line_1_a, line_2_a, line_3_a
    return math.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2)


def imbalance_ratio(currents_a: Sequence[float]) -> float:
    """Return the largest distance of a current from the mean, as a share of the mean; 0 without load. Source: PR-28."""
    mean = sum(currents_a) / len(currents_a) if currents_a else 0.0
    return max(abs(value - mean) for value in currents_a) / mean if mean else 0.0


def breaker_limit_a(breaker_a: float, use_ratio: float) -> float:
    """Return the current in A that a breaker may carry continuously: its rating times the share for the region.

    North America 0.8 (NEC 210.20(A)); a PDU's own continuous rating there has it already and is not derated again.
    Source: PR-22, PR-23.
    """
    return breaker_a * use_ratio


def pressure_ratio(altitude_m: float) -> float | None:
    """Return the air pressure at a height as a share of that at sea level, between the points of the table.

    Below sea level 1. Unknown: None above 10,000 ft (3,048 m), where the table ends. Source: PR-42.
    """
    feet = altitude_m / _FOOT_M
    if feet <= 0:
        return 1.0
    for (low, at_low), (high, at_high) in pairwise(_PRESSURE):
        if feet <= high:
            return at_low + (at_high - at_low) * (feet - low) / (high - low)
    return None


def airflow_m3_h(power_w: float, temperature_rise_c: float, altitude_m: float = 0.0) -> float | None:
    """Return the air in m3/h that carries `power_w` away: 2.985 x W / C at sea level, more where the air is thinner.

    2.985 = 3600 s/h / (1.2 kg/m3 x 1005 J/(kg K)). Unknown: None above 3,048 m. Source: PR-41, PR-42.
    """
    pressure = pressure_ratio(altitude_m)
    if pressure is None:
        return None
    return 3600 / (_AIR_DENSITY * _AIR_HEAT) * power_w / temperature_rise_c / pressure
