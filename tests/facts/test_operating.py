"""Energy, cost per GPU-hour and break-even, worked out by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.facts.operating import (
    Bounds,
    Fleet,
    Terms,
    break_even_ratio,
    compare,
    energy_cost,
    energy_kwh,
    gpu_hour_cost,
    million_tokens_cost,
    yearly_cost,
)

D = Decimal
TERMS = Terms(tariff_per_kwh=D("0.25"), pue_ratio=D("1.5"), years=D(5))
EIGHT = Fleet("eight", 1, 8, D(10_000), D(2_000), D(300_000))
FOUR = Fleet("four", 1, 4, D(6_000), D(1_500), D(160_000))


def exact(value: Decimal | int | str) -> Bounds:
    return Bounds(D(value), D(value))


def test_energy_and_cost_of_a_year() -> None:
    # 0.5 x 10 000 + 0.5 x 2 000 = 6 000 W, 8760 h: 52 560 kWh; x 1.5 x 0.25 = 19 710; 300 000 / 5 = 60 000.
    assert energy_kwh(EIGHT, D("0.5")) == exact(52_560)
    assert energy_cost(EIGHT, D("0.5"), TERMS) == exact(19_710)
    assert yearly_cost(EIGHT, D("0.5"), TERMS) == exact(79_710)
    hour = gpu_hour_cost(EIGHT, D("0.5"), TERMS)  # by 8 x 8760 x 0.5 = 35 040 hours
    assert hour is not None
    assert round(hour.low, 4) == D("2.2748")
    assert hour.is_exact


def test_an_idle_draw_that_nobody_states_widens_the_figure() -> None:
    fleet = Fleet("eight", 1, 8, D(10_000), None, D(300_000))
    # Between 0.5 x 10 000 W and 10 000 W.
    assert energy_kwh(fleet, D("0.5")) == Bounds(D(43_800), D(87_600))
    assert energy_kwh(fleet, D(1)) == exact(87_600)


@pytest.mark.parametrize(
    ("fleet", "terms"),
    [
        (Fleet("n", 1, 8, None, D(1), D(1)), TERMS),
        (EIGHT, Terms(None, D(1), D(5))),
        (EIGHT, Terms(D(1), None, D(5))),
        (EIGHT, Terms(D(1), D(1), None)),
        (Fleet("n", 1, 8, D(1), D(1), None), TERMS),
    ],
)
def test_what_is_missing_leaves_the_cost_unknown(fleet: Fleet, terms: Terms) -> None:
    assert gpu_hour_cost(fleet, D("0.5"), terms) is None


def test_an_unused_node_has_no_cost_per_hour() -> None:
    assert gpu_hour_cost(EIGHT, D(0), TERMS) is None
    assert yearly_cost(EIGHT, D(0), TERMS) == exact(60_000 + 6_570)  # 2 kW x 8760 h x 1.5 x 0.25


def test_a_million_tokens() -> None:
    # 3.60 an hour, 1000 tokens a second: 3.6 million an hour.
    assert million_tokens_cost(exact("3.6"), D(1000)) == exact(1)
    assert million_tokens_cost(exact("3.6"), D(0)) is None


def test_one_node_of_eight_against_nodes_of_four() -> None:
    rows = {row.of_large_ratio: row for row in compare(EIGHT, FOUR, TERMS)}
    assert list(rows) == [D(percent) / 100 for percent in range(30, 101, 10)]
    half = rows[D("0.5")]
    # Four GPUs of demand: one node at full use, 6 000 W: 19 710 + 32 000 = 51 710 by 35 040 hours.
    assert (half.demand_gpus, half.nodes, half.utilisation_ratio) == (4, 1, 1)
    assert half.small is not None
    assert round(half.small.low, 4) == D("1.4757")
    assert half.is_large_cheaper is False
    sixty = rows[D("0.6")]
    # 4.8 GPUs: two nodes at 60 %, 2 x 4 200 W: 27 594 + 64 000; the large one 6 800 W: 22 338 + 60 000.
    assert (sixty.nodes, sixty.utilisation_ratio) == (2, D("0.6"))
    assert sixty.small is not None
    assert sixty.large is not None
    hours = D("4.8") * 8760
    assert (round(sixty.small.low * hours), round(sixty.large.low * hours)) == (91_594, 82_338)
    assert sixty.is_large_cheaper is True
    assert break_even_ratio(EIGHT, FOUR, TERMS) == (D("0.51"), True)


def test_smaller_nodes_may_be_cheaper_at_every_use() -> None:
    cheap = Fleet("four", 1, 4, D(4_000), D(500), D(50_000))
    assert break_even_ratio(EIGHT, cheap, TERMS) == (None, True)


def test_a_missing_figure_can_leave_the_break_even_open() -> None:
    assert break_even_ratio(EIGHT, Fleet("four", 1, 4, D(6_000), D(1_500), None), TERMS) == (None, False)
    assert compare(EIGHT, Fleet("four", 1, 4, None), TERMS)[0].is_large_cheaper is None


RATIO = st.decimals(0, 1, places=2)
WATTS = st.decimals(0, 20_000, places=1)


@given(RATIO, RATIO, WATTS, WATTS)
def test_more_use_never_takes_less_energy(one: Decimal, two: Decimal, peak: Decimal, idle: Decimal) -> None:
    fleet = Fleet("n", 2, 4, max(peak, idle), min(peak, idle))
    low, high = (energy_kwh(fleet, ratio) for ratio in sorted((one, two)))
    assert low is not None
    assert high is not None
    assert low.low <= high.low


@given(RATIO, WATTS, WATTS)
def test_the_bounds_hold_every_idle_draw(ratio: Decimal, peak: Decimal, idle: Decimal) -> None:
    wide = energy_kwh(Fleet("n", 1, 1, max(peak, idle)), ratio)
    known = energy_kwh(Fleet("n", 1, 1, max(peak, idle), min(peak, idle)), ratio)
    assert wide is not None
    assert known is not None
    assert wide.low <= known.low <= wide.high
