"""Which slot each card gets: small cases with the answer worked out by hand."""

from __future__ import annotations

from placement.builders import chassis, cpu, gpu, line, nic, part, placed, seats, slot


def test_cards_take_the_lowest_slots_in_the_order_of_the_chassis() -> None:
    box, card = chassis(slot("B", "A", "C")), gpu()
    node, findings = placed([box, card], [line(card, 2)])
    assert seats(node) == {"gpu1": "B", "gpu2": "A"}
    assert findings == []
    assert node.is_decided


def test_a_long_card_leaves_the_short_slot_to_the_short_one_whatever_the_order() -> None:
    box = chassis(slot("1", length_class="full"), slot("2", length_class="half"))
    long, short = gpu(width=1), nic()
    node, _ = placed([box, long, short], [line(short), line(long)])
    assert seats(node) == {"nic1": "2", "gpu1": "1"}


def test_lengths_in_mm_and_classes_both_count() -> None:
    box = chassis(slot("1", length_max_mm=250.0), slot("2", length_max_mm=267.0))
    card = gpu(card={"length_mm": 266.7, "width_slots": 2})
    node, _ = placed([box, card], [line(card)])
    assert seats(node) == {"gpu1": "2"}


def test_an_unknown_figure_is_never_a_violation() -> None:
    box = chassis(
        slot("1", length_class=None, width_slots=None, lanes=None, generation=None, connector_lanes=None, cpu=None)
    )
    card = gpu(width=None, power={})
    node, _ = placed([box, card], [line(card)])
    assert seats(node) == {"gpu1": "1"}


def test_cards_beyond_the_slots_stay_without_one() -> None:
    box, card = chassis(slot("1", "2")), gpu()
    node, _ = placed([box, card], [line(card, 3)])
    assert [(entry.slot, entry.is_placed) for entry in node.cards] == [("1", True), ("2", True), (None, False)]


def test_without_a_slot_map_it_is_not_known_whether_cards_fit() -> None:
    box, card = chassis(), gpu()
    node, _ = placed([box, card], [line(card)])
    assert [(entry.slot, entry.is_placed) for entry in node.cards] == [(None, None)]
    assert not node.has_slot_map


def test_the_least_bad_slot_is_used_when_none_fits() -> None:
    box = chassis(slot("1", length_class="half", height_class="low"), slot("2", length_class="half"))
    card = gpu()
    node, _ = placed([box, card], [line(card)])
    assert seats(node) == {"gpu1": "2"}


def test_a_slot_without_its_cpu_is_used_last() -> None:
    box, card, host = chassis(slot("1", cpu=2), slot("2", cpu=1)), gpu(), cpu()
    node, _ = placed([box, card, host], [line(host, 1), line(card, 1)])
    assert seats(node) == {"gpu1": "2"}
    assert [state.has_cpu for state in node.slots] == [False, True]


def test_a_slot_whose_cpu_is_not_known_is_awake_only_if_all_sockets_are_filled() -> None:
    box, host = chassis(slot("1", cpu=None)), cpu()
    one, _ = placed([box, host], [line(host, 1)])
    two, _ = placed([box, host], [line(host, 2)])
    none, _ = placed([box, host], [])
    assert [node.slots[0].has_cpu for node in (one, two, none)] == [None, True, None]


def test_risers_wake_slots_when_they_are_ordered_standard_or_part_of_the_mode() -> None:
    risers = {
        "R1": {"title": "one", "part": "test/riser"},
        "R2": {"title": "two", "is_standard": True},
        "R3": {"title": "x"},
    }
    box = chassis(slot("1", riser="R1"), slot("2", riser="R2"), slot("3", riser="R3"), risers=risers)
    riser = part("riser", "riser")
    without, _ = placed([box, riser], [], is_list_complete=True)
    open_list, _ = placed([box, riser], [])
    ordered, _ = placed([box, riser], [line(riser)])
    moded = chassis(slot("1", riser="R1"), risers=risers, modes={"m": {"title": "M", "parts": ["test/riser"]}})
    by_mode, _ = placed([moded, riser], [])
    assert [state.has_riser for state in without.slots] == [False, True, True]
    assert [state.has_riser for state in open_list.slots] == [None, True, True]
    assert [state.has_riser for state in ordered.slots] == [True, True, True]
    assert by_mode.slots[0].has_riser


def test_a_double_width_card_covers_the_next_slot_of_its_row() -> None:
    box = chassis(slot("1", "2", "3", "4", width_slots=1), rows=[["1", "2", "3", "4"]])
    card = gpu()
    node, _ = placed([box, card], [line(card, 2)])
    assert [(entry.slot, entry.covers, entry.collides_with) for entry in node.cards] == [
        ("1", ("2",), ()),
        ("3", ("4",), ()),
    ]


def test_a_wide_and_a_narrow_card_that_overlap_name_each_other() -> None:
    box = chassis(slot("1", "2", width_slots=1), rows=[["1", "2"]])
    card, small = gpu(), nic()
    node, _ = placed([box, card, small], [line(card), line(small)])
    assert [entry.collides_with for entry in node.cards] == [("n/nic1",), ("n/gpu1",)]


def test_a_wide_card_avoids_the_end_of_its_row() -> None:
    box = chassis(slot("2", "1", width_slots=1), rows=[["1", "2"]])
    card = gpu()
    node, _ = placed([box, card], [line(card)])
    assert seats(node) == {"gpu1": "1"}


def test_pinned_cards_keep_their_slots_whatever_they_break() -> None:
    box = chassis(slot("1"), slot("2", length_class="half"))
    card = gpu()
    node, _ = placed([box, card], [line(card, 1, slot="2"), line(card, 1)])
    assert seats(node) == {"gpu1": "2", "gpu2": "1"}
    assert [entry.is_pinned for entry in node.cards] == [True, False]


def test_two_cards_pinned_to_one_slot_collide() -> None:
    box, card = chassis(slot("1"), slot("2")), gpu()
    node, _ = placed([box, card], [line(card, 2, slots=["1", "1"])])
    assert [entry.collides_with for entry in node.cards] == [("n/gpu2",), ("n/gpu1",)]


def test_links_are_degraded_as_little_as_possible() -> None:
    box = chassis(slot("1", lanes=8), slot("2", generation=4), slot("3"))
    wide, narrow = gpu(), gpu("small", pcie={"generation": 4, "lanes": 16})
    node, _ = placed([box, wide, narrow], [line(narrow), line(wide)])
    assert seats(node) == {"gpu1": "2", "gpu2": "3"}


def test_gpus_take_gpu_slots_and_leave_the_others_to_nics() -> None:
    box = chassis(slot("1", is_gpu=True), slot("2"))
    node, _ = placed([box, gpu(), nic()], [line(nic()), line(gpu())])
    assert seats(node) == {"nic1": "2", "gpu1": "1"}


def test_ocp_cards_take_ocp_slots_and_pcie_cards_never_do() -> None:
    box = chassis(slot("1"), slot("OCP", form_factor="ocp3"))
    ocp = nic("ocp", form_factor="ocp3")
    node, _ = placed([box, ocp, nic()], [line(ocp), line(nic(), 2)])
    assert seats(node) == {"nic1": "OCP", "nic2": "1", "nic3": None}


def test_gpus_are_spread_over_cpus_and_then_over_switches() -> None:
    switches = {name: {"uplink": {"cpu": number}} for name, number in (("P", 1), ("Q", 1), ("R", 2), ("S", 2))}
    slots = [slot(f"{name}1", f"{name}2", switch=name, cpu=None) for name in "PQRS"]
    box, card, host = chassis(*slots, switches=switches), gpu(), cpu()
    two, _ = placed([box, card, host], [line(host, 2), line(card, 2)])
    four, _ = placed([box, card, host], [line(host, 2), line(card, 4)])
    assert list(seats(two).values()) == ["P1", "R1"]
    assert list(seats(four).values()) == ["P1", "Q1", "R1", "S1"]


def test_nics_sit_near_gpus_and_spread_over_their_cpus() -> None:
    box = chassis(
        slot("G1", cpu=1, is_gpu=True), slot("G2", cpu=2, is_gpu=True), slot("1", "2", cpu=1), slot("3", cpu=2)
    )
    node, _ = placed([box, gpu(), nic(), cpu()], [line(cpu(), 2), line(gpu(), 2), line(nic(), 2)])
    assert seats(node) == {"gpu1": "G1", "gpu2": "G2", "nic1": "1", "nic2": "3"}


def test_a_card_too_strong_for_its_slot_goes_elsewhere_unless_its_cap_or_cable_tames_it() -> None:
    box = chassis(slot("1", power_max_w=250.0), slot("2"))
    card = gpu(power={"max_w": 300.0, "by_cable_level_w": {"300": 240.0}}, power_inputs=[{"connector": "pcie-16pin"}])
    cable = part("cable", "cable", purpose="gpu-power", to_connector="pcie-16pin", level_w=300.0, cards=1)
    plain, _ = placed([box, card], [line(card)])
    capped, _ = placed([box, card], [line(card, cap_w=250)])
    cabled, _ = placed([box, card, cable], [line(card), line(cable)])
    assert [seats(node)["gpu1"] for node in (plain, capped, cabled)] == ["2", "1", "1"]


def test_modules_take_the_slots_of_their_board_and_choose_its_mode() -> None:
    box = chassis(
        slot("1", "2", form_factor="sxm4", modes=["a"]),
        slot("1", "2", form_factor="sxm5", modes=["b"]),
        slot("3"),
        modes={"a": {"title": "A"}, "b": {"title": "B"}},
    )
    module = gpu("module", form_factor="sxm5", card={})
    node, _ = placed([box, module], [line(module, 2)])
    assert (node.mode, list(seats(node).values())) == ("b", ["1", "2"])
    assert all(card.is_module and card.is_placed for card in node.cards)


def test_modules_without_named_slots_fit_if_the_board_is_theirs() -> None:
    module = gpu("module", form_factor="sxm5", card={})
    boxes = [
        chassis(slot("1"), gpu_limits={"module_form_factor": "sxm5"}),
        chassis(slot("1"), gpu_limits={"module_form_factor": "oam"}),
        chassis(slot("1")),
        chassis(gpu_limits={"double_width_max": 4}),
        chassis(),
    ]
    nodes = [placed([box, module], [line(module)])[0] for box in boxes]
    assert [node.cards[0].is_placed for node in nodes] == [True, False, False, False, None]
    assert [node.cards[0].slot for node in nodes] == [None] * 5


def test_an_adapter_inside_the_node_needs_no_slot() -> None:
    raid = part("storage_adapter", "raid", form_factor="internal")
    node, _ = placed([chassis(slot("1")), raid], [line(raid)])
    assert [(card.id, card.slot, card.is_placed) for card in node.cards] == [("n/adapter1", None, True)]


def test_equal_cards_with_unequal_caps_are_not_mixed_up() -> None:
    box = chassis(slot("1", power_max_w=200.0), slot("2", power_max_w=300.0))
    card = gpu()
    node, _ = placed([box, card], [line(card, 1), line(card, 1, cap_w=200)])
    assert seats(node) == {"gpu1": "2", "gpu2": "1"}


def test_a_thousand_cards_are_no_problem() -> None:
    box, card = chassis(slot("1", "2")), gpu()
    node, _ = placed([box, card], [line(card, 1000)])
    assert sum(entry.slot is not None for entry in node.cards) == 2
