"""Electrical and thermal formulas against the worked examples PR-20 to PR-42, with their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.facts.circuits import (
    airflow_m3_h,
    breaker_limit_a,
    current_a,
    delta_line_currents_a,
    imbalance_ratio,
    line_currents_a,
    neutral_current_a,
    pressure_ratio,
    section_lines,
    single_phase_power_w,
    three_phase_current_a,
    three_phase_power_w,
)
from rackwright.units import btu_h_from_w, cfm_from_m3_h

AMPS = st.floats(0, 1000)


@pytest.mark.parametrize(("volts", "amps", "kilowatts"), [(230, 32, 7.36), (208, 24, 4.99), (120, 24, 2.88)])
def test_pr_20_single_phase_power(volts: float, amps: float, kilowatts: float) -> None:
    assert round(single_phase_power_w(volts, amps) / 1000, 2) == kilowatts


@pytest.mark.parametrize(
    ("volts", "amps", "kilowatts"),
    [
        (400, 32, 22.17),
        (400, 16, 11.09),
        (208, 24, 8.65),
        (208, 40, 14.41),
        (208, 48, 17.29),
        (415, 24, 17.25),
        (415, 32, 23.0),
    ],
)
def test_pr_21_three_phase_power(volts: float, amps: float, kilowatts: float) -> None:
    digits = 1 if kilowatts == 23.0 else 2
    # 400 V x 16 A is 11.085 kW, printed as 11.09
    assert round(three_phase_power_w(volts, amps) / 1000, digits) == pytest.approx(kilowatts, abs=0.006)


def test_pr_04_current_of_a_load() -> None:
    assert round(current_a(1300, 180, 1.0), 1) == 7.2


@pytest.mark.parametrize(("breaker", "limit"), [(20, 16), (30, 24), (50, 40), (60, 48)])
def test_pr_22_continuous_load_in_north_america(breaker: float, limit: float) -> None:
    assert breaker_limit_a(breaker, 0.8) == limit


@pytest.mark.parametrize(
    ("pairs", "lines"),
    [
        ((10, 0, 0), (10, 10, 0)),
        ((10, 10, 0), (10, 17.32, 10)),
        ((10, 10, 10), (17.32, 17.32, 17.32)),
        ((20, 10, 10), (26.46, 26.46, 17.32)),
    ],
)
def test_pr_26_line_currents_of_a_delta(pairs: tuple[float, float, float], lines: tuple[float, float, float]) -> None:
    assert tuple(round(value, 2) for value in delta_line_currents_a(*pairs)) == lines


def test_line_currents_of_a_wye_are_those_of_its_sections() -> None:
    assert line_currents_a({"L1": 5.0, "L3": 2.5}) == {"L1": 5.0, "L2": 0.0, "L3": 2.5}


def test_a_pair_may_be_spelled_either_way() -> None:
    assert line_currents_a({"L1-L3": 4.0}) == line_currents_a({"L3-L1": 4.0})


def test_a_load_to_neutral_and_one_between_lines_add_as_vectors() -> None:
    assert round(line_currents_a({"L1": 10.0, "L1-L2": 10.0})["L1"], 2) == 19.32  # 2 x 10 x cos(15 degrees)


@given(AMPS, AMPS, AMPS)
def test_a_line_carries_at_least_its_larger_pair_and_at_most_both(one: float, two: float, three: float) -> None:
    first, _, _ = delta_line_currents_a(one, two, three)
    assert max(one, three) * (1 - 1e-9) <= first <= (one + three) * (1 + 1e-9)


@pytest.mark.parametrize(("lines", "neutral"), [((20, 10, 10), 10), ((16, 16, 0), 16), ((12, 12, 12), 0)])
def test_pr_27_neutral(lines: tuple[float, float, float], neutral: float) -> None:
    assert round(neutral_current_a(*lines), 9) == neutral


@given(AMPS, AMPS, AMPS)
def test_the_neutral_never_carries_more_than_the_most_loaded_line(one: float, two: float, three: float) -> None:
    assert neutral_current_a(one, two, three) <= max(one, two, three) * (1 + 1e-9)


@pytest.mark.parametrize(("currents", "ratio"), [((10, 10, 10), 0), ((12, 9, 9), 0.2), ((), 0), ((0, 0, 0), 0)])
def test_pr_28_imbalance(currents: tuple[float, ...], ratio: float) -> None:
    assert imbalance_ratio(currents) == pytest.approx(ratio)


def test_pr_32_two_nodes_of_10200_w_on_400_v() -> None:
    assert round(three_phase_current_a(20_400, 400, 0.98), 1) == 30.0


def test_pr_40_heat() -> None:
    assert round(btu_h_from_w(304.5)) == 1039


def test_pr_41_airflow() -> None:
    flow = airflow_m3_h(10_000, 20)
    assert flow is not None
    assert round(flow / 10_000 * 20, 3) == 2.985
    assert round(cfm_from_m3_h(flow)) == 878
    one_kilowatt = airflow_m3_h(1000, 20 / 1.8)
    assert one_kilowatt is not None
    assert cfm_from_m3_h(one_kilowatt) == pytest.approx(157.2, rel=0.03)
    assert cfm_from_m3_h(one_kilowatt) == pytest.approx(154, rel=0.03)


@pytest.mark.parametrize(
    ("feet", "ratio"),
    [(-500, 1.0), (0, 1.0), (2000, 0.93), (3000, 0.895), (4000, 0.86), (6000, 0.80), (8000, 0.74), (10000, 0.69)],
)
def test_pr_42_pressure_at_a_height(feet: float, ratio: float) -> None:
    assert pressure_ratio(feet * 0.3048) == pytest.approx(ratio)


def test_pr_42_airflow_at_6000_feet() -> None:
    flow = airflow_m3_h(10_000, 20, 6000 * 0.3048)
    assert flow is not None
    assert round(cfm_from_m3_h(flow)) == 1098


def test_above_the_table_the_airflow_is_not_known() -> None:
    assert pressure_ratio(3049) is None
    assert airflow_m3_h(1000, 10, 3049) is None


@pytest.mark.parametrize(
    ("section", "lines"),
    [("L1", ("L1",)), ("L2-L3", ("L2", "L3")), ("A", ()), ("L1-L1", ()), ("L1-L2-L3", ()), ("", ())],
)
def test_lines_of_a_section(section: str, lines: tuple[str, ...]) -> None:
    assert section_lines(section) == lines
