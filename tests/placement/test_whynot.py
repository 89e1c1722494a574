"""Why cards do not fit, and what would make them fit: each change that is told was tried."""

from __future__ import annotations

from typing import Any

from placement.builders import at, catalog_of, chassis, configured, cpu, gpu, line, nic, part, slot
from rackwright.catalog import Part
from rackwright.placement.nodes import place


def told(parts: list[Part], lines: list[dict[str, Any]], **node: Any) -> list[tuple[str, str, str]]:
    """Return place, message and fix of each piece of advice."""
    configuration = configured(parts[0], lines, **{"is_list_complete": True, **node})
    _, findings = place(configuration, catalog_of(*parts), at)
    advice = [item for item in findings if item.code == "CFG040"]
    assert {item.severity.value for item in advice} <= {"advice"}
    return [(item.at.file if item.at else "", str(item.message), str(item.fix)) for item in advice]


def test_what_fits_needs_no_advice() -> None:
    assert told([chassis(slot("1")), gpu()], [line(gpu())]) == []


def test_too_many_cards() -> None:
    assert told([chassis(slot("1", "2")), gpu()], [line(gpu(), 5)]) == [
        (
            "nodes/0/parts/0/count",
            "5 x gpu are more than box takes beside the other cards, as it is ordered",
            "take 3 off: with 2 all cards fit",
        )
    ]


def test_either_kind_of_card_may_go() -> None:
    advice = told([chassis(slot("1", "2")), gpu(), nic()], [line(gpu(), 2), line(nic(), 1)])
    assert [(place, fix) for place, _, fix in advice] == [
        ("nodes/0/parts/0/count", "take 1 off: with 1 all cards fit"),
        ("nodes/0/parts/1/count", "without them all other cards fit"),
    ]


def test_the_second_cpu_wakes_slots_and_comes_first() -> None:
    box = chassis(slot("1", cpu=1), slot("2", "3", cpu=2))
    advice = told([box, gpu(), cpu()], [line(cpu(), 1), line(gpu(), 3)])
    assert advice[0] == (
        "nodes/0/parts/0/count",
        "the slots 2, 3 of box hang at CPU 2, and 1 of 2 CPUs are ordered",
        "with 2 CPUs these slots wake and all cards fit",
    )
    assert [place for place, _, _ in advice[1:]] == ["nodes/0/parts/1/count"]


def test_a_riser_brings_slots() -> None:
    risers = {"R": {"title": "Riser 2", "part": "test/riser"}}
    box = chassis(slot("1"), slot("2", "3", riser="R"), risers=risers)
    advice = told([box, gpu(), part("riser", "riser")], [line(gpu(), 2)])
    assert advice[0] == (
        "nodes/0/chassis",
        "the slots 2, 3 of box need the riser test/riser, which is not ordered",
        "with test/riser these slots are there (2) and all cards fit",
    )


def test_another_mode_of_the_chassis() -> None:
    box = chassis(
        slot("1", modes=["few"]), slot("1", "2", modes=["many"]), modes={"few": {"title": "F"}, "many": {"title": "M"}}
    )
    advice = told([box, gpu()], [line(gpu(), 2)], mode="few")
    assert advice[0] == (
        "nodes/0/mode",
        "box is built in mode few, which does not have the slots for these cards",
        "in mode many all cards fit",
    )


def test_a_chosen_slot_that_is_in_the_way() -> None:
    box = chassis(slot("1"), slot("2", length_class="half"))
    advice = told([box, gpu(), nic()], [line(nic(), 1, slot="1"), line(gpu(), 1)])
    assert advice[0] == (
        "nodes/0/parts/0/slot",
        "nic is meant for slot 1",
        "without a chosen slot for it all cards fit",
    )


def test_two_changes_that_are_enough_only_together() -> None:
    risers = {"R": {"title": "Riser 2", "part": "test/riser"}}
    box = chassis(slot("1"), slot("2", riser="R", cpu=2), risers=risers)
    pinned = line(gpu(), 1, slot="2")
    advice = told(
        [box, gpu(), cpu(), part("riser", "riser")], [line(cpu(), 1), line(gpu(), 1), pinned], redundancy=None
    )
    assert advice == [
        (
            "nodes/0/parts/0/count",
            "the slots 2 of box hang at CPU 2, and 1 of 2 CPUs are ordered",
            "with this and the other change that is named here all cards fit",
        ),
        (
            "nodes/0/chassis",
            "the slots 2 of box need the riser test/riser, which is not ordered",
            "with this and the other change that is named here all cards fit",
        ),
    ]


def test_a_card_that_no_slot_takes_is_the_root_cause_and_told_alone() -> None:
    box = chassis(slot("1", "2", length_max_mm=200.0))
    card = gpu(card={"width_slots": 1, "length_mm": 267.0})
    assert told([box, card, nic()], [line(card, 1), line(nic(), 2)]) == [
        (
            "nodes/0/parts/0/part",
            "no slot of box takes gpu; nearest is slot 1, where length_max_mm is 200.0",
            "choose another card, or a chassis whose slots take this one",
        )
    ]
