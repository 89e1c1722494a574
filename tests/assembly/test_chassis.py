"""Which chassis are offered for a GPU, and in which order: synthetic parts, each of them about one reason."""

from __future__ import annotations

from typing import Any

from placement.builders import gpu, part, slot
from rackwright import catalog
from rackwright.assembly import Offer, Stock, offers
from rackwright.assembly.chassis import Standing
from rackwright.catalog import Part


def box(name: str, **data: Any) -> Part:
    return part("chassis", name, **{"cpu": {"families": ["xeon-sp-5"], "sockets": 2}, **data})


def offered(card: Part, count: int, *boxes: Part) -> list[Offer]:
    return offers(Stock(catalog.index([card, *boxes])), card, count)


def names(card: Part, count: int, *boxes: Part) -> list[str]:
    return [offer.chassis.title for offer in offered(card, count, *boxes)]


def test_a_chassis_with_too_few_places_is_not_offered() -> None:
    four = box("four", gpu_limits={"double_width_max": 4})
    eight = box("eight", gpu_limits={"double_width_max": 8})
    assert names(gpu(), 5, four, eight) == ["eight"]


def test_the_chassis_that_is_just_large_enough_comes_first() -> None:
    four = box("four", gpu_limits={"double_width_max": 4})
    eight = box("eight", gpu_limits={"double_width_max": 8})
    assert names(gpu(), 2, eight, four) == ["four", "eight"]


def test_a_chassis_whose_maker_lists_the_card_comes_before_one_that_lists_others() -> None:
    listed = box("listed", qualified_gpus=[{"gpu": "test/gpu", "count_max": 4}])
    silent = box("silent", gpu_limits={"double_width_max": 4})
    other = box("other", gpu_limits={"double_width_max": 4}, qualified_gpus=[{"gpu": "test/another"}])
    found = offered(gpu(), 2, other, silent, listed)
    assert [(offer.chassis.title, offer.standing) for offer in found] == [
        ("listed", Standing.LISTED),
        ("silent", Standing.NO_LIST),
        ("other", Standing.NOT_LISTED),
    ]


def test_a_number_that_the_maker_does_not_list_stands_behind_a_chassis_without_a_list() -> None:
    counted = box("counted", gpu_limits={"double_width_max": 4}, qualified_gpus=[{"gpu": "test/gpu", "counts": [2, 4]}])
    assert [offer.standing for offer in offered(gpu(), 3, counted)] == [Standing.OTHER_COUNT]


def test_a_card_above_the_power_limit_of_the_chassis_is_not_offered() -> None:
    limited = box("limited", gpu_limits={"double_width_max": 4, "card_power_max_w": 299.0})
    assert names(gpu(), 1, limited) == []


def test_a_chassis_without_processors_to_choose_is_left_out() -> None:
    silent = part("chassis", "silent", gpu_limits={"double_width_max": 4})
    assert names(gpu(), 1, silent) == []


def test_modules_go_on_a_board_of_their_form_in_its_number() -> None:
    module = part("gpu", "module", form_factor="sxm5")
    board = box("board", gpu_limits={"module_form_factor": "sxm5", "module_counts": [8]})
    cards = box("cards", gpu_limits={"double_width_max": 8})
    assert names(module, 8, board, cards) == ["board"]
    assert names(module, 4, board, cards) == []


def test_a_chassis_that_has_ended_comes_last() -> None:
    ended = box("ended", gpu_limits={"double_width_max": 4}, lifecycle={"status": "end_of_sale"})
    active = box("sold", gpu_limits={"double_width_max": 8})
    assert names(gpu(), 4, ended, active) == ["sold", "ended"]


def test_the_mode_with_the_fewest_places_that_suffice_is_built_with_its_parts() -> None:
    modes = {"small": {"title": "two", "parts": ["test/cage-two"]}, "large": {"title": "four", "parts": ["test/cage"]}}
    slots = [slot("1", "2", is_gpu=True), slot("3", "4", is_gpu=True, modes=["large"])]
    chassis = box("modes", modes=modes, slots=slots, gpu_limits={"double_width_max": 4})
    assert [(o.mode, o.parts) for o in offered(gpu(), 2, chassis)] == [("small", ("test/cage-two",))]
    assert [(o.mode, o.parts) for o in offered(gpu(), 3, chassis)] == [("large", ("test/cage",))]


def test_risers_are_ordered_only_as_far_as_the_cards_need_them() -> None:
    risers = {"a": {"title": "a", "part": "test/riser-a"}, "b": {"title": "b", "part": "test/riser-b"}}
    slots = [slot("1", "2", is_gpu=True, riser="a"), slot("3", is_gpu=True, riser="b")]
    chassis = box("risers", risers=risers, slots=slots, gpu_limits={"double_width_max": 3})
    assert [o.parts for o in offered(gpu(), 2, chassis)] == [("test/riser-a",)]
    assert [o.parts for o in offered(gpu(), 3, chassis)] == [("test/riser-a", "test/riser-b")]


def test_wide_cards_in_narrow_slots_cover_the_slot_beside_them() -> None:
    narrow = box("row", slots=[slot("1", "2", "3", "4", is_gpu=True, width_slots=1)], rows=[["1", "2", "3", "4"]])
    assert names(gpu(), 2, narrow) == ["row"]
    assert names(gpu(), 3, narrow) == []
