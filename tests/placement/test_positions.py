"""Slots that a chassis's maker prescribes: excluded ones are not used, his order comes before balance."""

from __future__ import annotations

import pytest

from placement.builders import chassis, cpu, gpu, line, nic, part, placed, seats, slot


def test_a_card_goes_where_its_maker_allows_it_alone() -> None:
    box = chassis(slot("1", "2", "3"), positions=[{"parts": ["test/gpu"], "slots": ["2", "3"], "is_only": True}])
    node, _ = placed([box, gpu(), nic()], [line(nic()), line(gpu(), 2)])
    assert seats(node) == {"nic1": "1", "gpu1": "2", "gpu2": "3"}


def test_an_excluded_slot_is_still_better_than_none() -> None:
    box = chassis(slot("1", "2"), positions=[{"kinds": ["gpu"], "slots": ["2"], "is_only": True}])
    node, _ = placed([box, gpu()], [line(gpu(), 2)])
    assert list(seats(node).values()) == ["1", "2"]


def test_the_order_comes_before_balance_and_after_bandwidth() -> None:
    slots = [slot("1", cpu=1), slot("2", cpu=2, lanes=8), slot("3", cpu=2), slot("4", cpu=1)]
    box = chassis(*slots, positions=[{"kinds": ["gpu"], "slots": ["2", "4", "1", "3"], "is_in_order": True}])
    node, _ = placed([box, gpu(), cpu()], [line(cpu(), 2), line(gpu(), 2)])
    assert list(seats(node).values()) == ["1", "4"]


def test_a_set_without_an_order_leaves_balance_to_decide() -> None:
    slots = [slot("1", "2", cpu=1), slot("3", "4", cpu=2)]
    box = chassis(*slots, positions=[{"kinds": ["gpu"], "slots": ["2", "1", "3"]}])
    node, _ = placed([box, gpu(), cpu()], [line(cpu(), 2), line(gpu(), 2)])
    assert list(seats(node).values()) == ["1", "3"]


@pytest.mark.parametrize(
    ("entry", "is_taken"),
    [
        ({"kinds": ["gpu"]}, True),
        ({"kinds": ["nic"]}, False),
        ({"width_slots": 2}, True),
        ({"width_slots": 1}, False),
        ({"form_factor": "pcie"}, True),
        ({"form_factor": "ocp3"}, False),
        ({"is_dpu": True}, False),
        ({"parts": ["test/old-name"]}, True),
        ({"if_parts": ["test/kit"]}, False),
        ({"if_parts": ["test/kit", "test/cpu"]}, True),
    ],
)
def test_an_entry_counts_where_all_of_it_fits(entry: dict[str, object], is_taken: bool) -> None:
    box = chassis(slot("1", "2"), positions=[{**entry, "slots": ["2"]}])
    card, kit = gpu(aliases=["test/old-name"]), part("option", "kit")
    node, _ = placed([box, card, kit, cpu()], [line(cpu(), 1), line(card)])
    assert seats(node) == {"gpu1": "2" if is_taken else "1"}


def test_the_first_entry_that_fits_counts() -> None:
    box = chassis(slot("1", "2", "3"), positions=[{"parts": ["test/gpu"], "slots": ["3"]}, {"slots": ["2"]}])
    node, _ = placed([box, gpu(), nic()], [line(gpu()), line(nic())])
    assert seats(node) == {"gpu1": "3", "nic1": "2"}
