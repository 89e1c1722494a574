"""Modes of the chassis, and findings on names that lead nowhere."""

from __future__ import annotations

from placement.builders import at, catalog_of, chassis, codes, configured, gpu, line, part, placed, seats, slot
from rackwright.placement.nodes import place_node

MODES = {"narrow": {"title": "Narrow"}, "wide": {"title": "Wide", "parts": ["test/kit"]}}


def box_with_modes():  # type: ignore[no-untyped-def]
    return chassis(
        slot("1", "2", width_slots=1, modes=["narrow"]),
        slot("1", width_slots=2, modes=["wide"]),
        modes=MODES,
    )


def test_the_first_mode_without_a_violation_is_built() -> None:
    box, single, double = box_with_modes(), gpu("single", 1), gpu("double", 2)
    narrow, _ = placed([box, single], [line(single)])
    wide, _ = placed([box, double], [line(double)])
    assert (narrow.mode, wide.mode) == ("narrow", "wide")


def test_without_a_clean_mode_the_one_that_breaks_least_is_built() -> None:
    box, double = box_with_modes(), gpu("double", 2)
    node, _ = placed([box, double], [line(double, 2)])
    assert node.mode == "narrow"
    assert all(card.is_placed for card in node.cards)


def test_a_mode_whose_parts_are_ordered_comes_first() -> None:
    box, single, kit = box_with_modes(), gpu("single", 1), part("option", "kit")
    node, _ = placed([box, single, kit], [line(single), line(kit)])
    assert node.mode == "wide"


def test_the_mode_that_the_user_names_is_kept() -> None:
    box, double = box_with_modes(), gpu("double", 2)
    node, findings = placed([box, double], [line(double)], mode="narrow")
    assert (node.mode, node.is_mode_known, findings) == ("narrow", True, [])


def test_an_unknown_mode_is_named_with_the_known_ones() -> None:
    node, findings = placed([box_with_modes()], [], mode="tall")
    assert codes(findings) == [("CFG022", "nodes/0/mode")]
    assert str(findings[0].fix) == "choose one of narrow, wide"
    assert not node.is_mode_known


def test_an_unknown_part_is_dropped_with_its_nearest_names() -> None:
    card = gpu("accelerator")
    node, findings = placed([chassis(slot("1")), card], [{"part": "test/accelerater"}, line(card)])
    assert codes(findings) == [("CFG020", "nodes/0/parts/0/part")]
    assert "test/accelerator" in str(findings[0].fix)
    assert seats(node) == {"gpu1": "1"}


def test_an_unknown_chassis_leaves_no_node() -> None:
    configuration = configured(chassis(), [])
    node, findings = place_node(configuration.nodes[0], ("nodes", 0), catalog_of(), configuration.site, at)
    assert node is None
    assert codes(findings) == [("CFG020", "nodes/0/chassis")]


def test_parts_of_a_wrong_kind_are_refused() -> None:
    box, rack = chassis(slot("1")), part("rack", "rack")
    _, findings = placed([box, rack], [line(rack)])
    assert codes(findings) == [("CFG021", "nodes/0/parts/0/part")]
    assert str(findings[0].message) == "test/rack is a rack, which is not a part of a node"
    configuration = configured(gpu(), [])
    nothing, findings = place_node(configuration.nodes[0], ("nodes", 0), catalog_of(gpu()), configuration.site, at)
    assert nothing is None
    assert str(findings[0].message) == "test/gpu is a GPU; a chassis belongs here"


def test_unknown_slots_and_bays_are_named() -> None:
    box, card, drive, psu = chassis(slot("1"), bays=[], psu={"bays": 1}), gpu(), part("drive", "d"), part("psu", "p")
    lines = [line(card, 2, slots=["1", "9"]), line(card, slot="8"), line(drive, bay="x"), line(psu, bay="y")]
    _, findings = placed([box, card, drive, psu], lines, bridged=[["1", "7"]])
    assert ("CFG023", "nodes/0/parts/0/slots/1") in codes(findings)
    assert ("CFG023", "nodes/0/parts/1/slot") in codes(findings)
    assert ("CFG023", "nodes/0/parts/2/bay") in codes(findings)
    assert ("CFG023", "nodes/0/parts/3/bay") in codes(findings)
    assert ("CFG023", "nodes/0/bridged/0/1") in codes(findings)
    assert str(findings[0].fix) == "slots of this chassis: 1"


def test_the_number_of_slots_must_be_the_number_of_pieces() -> None:
    box, card = chassis(slot("1", "2")), gpu()
    _, findings = placed([box, card], [line(card, 3, slots=["2"]), line(card, 2, slot="1")])
    assert codes(findings) == [("CFG024", "nodes/0/parts/0/slots"), ("CFG024", "nodes/0/parts/1/slot")]
    assert str(findings[0].message) == "3 pieces of test/gpu, but 1 slot is named"
