"""NVLink bridges: which GPUs they join, and which slots that asks for."""

from __future__ import annotations

from typing import Any

from placement.builders import chassis, codes, cpu, gpu, line, part, placed, seats, slot

NVLINK = {"is_supported": True, "link_gb_s": 600.0, "groups": [{"cards": 2, "bridge": "test/bridge", "bridges": 3}]}


def bridge(name: str = "bridge", cards: int = 2, **data: Any):  # type: ignore[no-untyped-def]
    return part("nvlink_bridge", name, cards=cards, **data)


def joined(name: str = "gpu", **data: Any):  # type: ignore[no-untyped-def]
    return gpu(name, nvlink=NVLINK, **data)


def four_slots(**data: Any):  # type: ignore[no-untyped-def]
    return chassis(slot("1", "2"), slot("3", "4", cpu=2), **data)


def groups(node) -> list[tuple[tuple[str, ...], int, int | None, bool | None]]:  # type: ignore[no-untyped-def]
    return [(group.cards, group.bridges, group.bridges_needed, group.is_adjacent) for group in node.groups]


def test_full_groups_come_first_and_the_rest_makes_one_incomplete_group() -> None:
    box = four_slots(bridges={"groups": [["1", "2"], ["3", "4"]]})
    node, _ = placed([box, joined(), bridge()], [line(joined(), 4), line(bridge(), 4)])
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 3, 3, True), (("n/gpu3", "n/gpu4"), 1, 3, True)]
    assert node.bridges_left == 0


def test_bridges_that_no_group_can_use_are_left() -> None:
    node, _ = placed([four_slots(), joined(), bridge()], [line(joined(), 2), line(bridge(), 7)])
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 3, 3, None)]
    assert node.bridges_left == 4


def test_bridged_cards_sit_together_at_the_cost_of_balance() -> None:
    box, host = four_slots(bridges={"groups": [["1", "2"], ["3", "4"]]}), cpu()
    alone, _ = placed([box, joined(), host], [line(host, 2), line(joined(), 2)])
    together, _ = placed([box, joined(), bridge(), host], [line(host, 2), line(joined(), 2), line(bridge(), 3)])
    assert list(seats(alone).values()) == ["1", "3"]
    assert list(seats(together).values()) == ["1", "2"]


def test_without_known_pairs_groups_stay_at_one_cpu() -> None:
    box, host = chassis(slot("1", "4"), slot("2", "3", cpu=2)), cpu()
    node, _ = placed([box, joined(), bridge(), host], [line(host, 2), line(joined(), 4), line(bridge(), 6)])
    slots = seats(node)
    assert [sorted(str(slots[card.split("/")[1]]) for card in group.cards) for group in node.groups] == [
        ["1", "4"],
        ["2", "3"],
    ]


def test_a_pair_must_be_neighbours_within_a_longer_run() -> None:
    box = four_slots(bridges={"groups": [["1", "2", "3", "4"]]})
    apart, _ = placed([box, joined(), bridge()], [line(joined(), 2, slots=["1", "3"]), line(bridge(), 3)])
    beside, _ = placed([box, joined(), bridge()], [line(joined(), 2, slots=["2", "3"]), line(bridge(), 3)])
    assert [node.groups[0].is_adjacent for node in (apart, beside)] == [False, True]


def test_a_four_way_bridge_takes_a_run_of_four() -> None:
    record = {"is_supported": True, "groups": [{"cards": 4, "bridge": "test/four", "bridges": 1}]}
    box, card, four = four_slots(bridges={"groups": [["1", "2", "3", "4"]]}), gpu(nvlink=record), bridge("four", 4)
    node, _ = placed([box, card, four], [line(card, 4), line(four)])
    assert groups(node) == [(("n/gpu1", "n/gpu2", "n/gpu3", "n/gpu4"), 1, 1, True)]


def test_unequal_gpus_are_grouped_so_that_a_rule_can_refuse_it() -> None:
    other = gpu("other")
    node, _ = placed([four_slots(), joined(), other, bridge()], [line(joined()), line(other), line(bridge(), 3)])
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 3, 3, None)]


def test_gpus_without_nvlink_are_grouped_so_that_a_rule_can_refuse_it() -> None:
    node, _ = placed([four_slots(), gpu(), bridge()], [line(gpu(), 2), line(bridge(), 1)])
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 1, None, None)]


def test_a_single_gpu_leaves_its_bridges_over() -> None:
    node, _ = placed([four_slots(), joined(), bridge()], [line(joined()), line(bridge(), 3)])
    assert (groups(node), node.bridges_left) == ([], 3)


def test_bridges_whose_number_is_not_stated_are_spread() -> None:
    record = {"is_supported": True, "groups": [{"cards": 2, "bridge": "test/bridge"}]}
    card = gpu(nvlink=record)
    node, _ = placed([four_slots(), card, bridge()], [line(card, 4), line(bridge(), 3)])
    assert [(group.bridges, group.bridges_needed) for group in node.groups] == [(2, None), (1, None)]


def test_the_slots_that_the_user_names_are_filled_and_joined() -> None:
    box = four_slots(bridges={"groups": [["1", "2"], ["3", "4"]]})
    lines = [line(joined(), 2), line(bridge(), 4)]
    node, findings = placed([box, joined(), bridge()], lines, bridged=[["3", "4"]])
    assert seats(node) == {"gpu1": "3", "gpu2": "4"}
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 3, 3, True)]
    assert (node.bridges_left, findings) == (1, [])


def test_named_groups_without_ordered_bridges_show_none_of_three() -> None:
    node, findings = placed([four_slots(), joined(), bridge()], [line(joined(), 2)], bridged=[["1", "2"]])
    assert groups(node) == [(("n/gpu1", "n/gpu2"), 0, 3, None)]
    assert findings == []


def test_named_groups_without_gpus_or_bridges_are_findings() -> None:
    empty, first = placed([four_slots(), joined()], [line(joined())], bridged=[["1", "2"]])
    none, second = placed([four_slots(), gpu()], [line(gpu(), 2)], bridged=[["1", "2"]])
    assert (codes(first), codes(second)) == ([("CFG025", "nodes/0/bridged/0")], [("CFG025", "nodes/0/bridged/0")])
    assert (empty.groups, none.groups) == ((), ())
