"""GPU power cables: which card gets which."""

from __future__ import annotations

from typing import Any

from placement.builders import chassis, gpu, line, part, placed, slot

BOX = chassis(slot("1", "2", "3", "4"))


def cable(name: str, connector: str = "pcie-16pin", **data: Any):  # type: ignore[no-untyped-def]
    return part("cable", name, **{"purpose": "gpu-power", "to_connector": connector, "cards": 1, **data})


def sixteen(name: str = "gpu", **data: Any):  # type: ignore[no-untyped-def]
    return gpu(name, power_inputs=[{"connector": "pcie-16pin", "count": 1, **data}])


def fed(node) -> list[tuple[str | None, int]]:  # type: ignore[no-untyped-def]
    return [(card.cable.title if card.cable else None, card.cables_fitted) for card in node.cards]


def test_each_card_takes_one_cable_and_the_rest_is_left() -> None:
    lead = cable("lead")
    node, _ = placed([BOX, sixteen(), lead], [line(sixteen(), 2), line(lead, 3)])
    assert (fed(node), node.gpu_cables_left) == ([("lead", 1), ("lead", 1)], 1)


def test_the_strongest_card_gets_the_strongest_cable() -> None:
    weak, strong = cable("weak", level_w=300.0), cable("strong", level_w=600.0)
    small, large = sixteen("small", level_full_w=300.0), sixteen("large", level_full_w=600.0)
    node, _ = placed([BOX, small, large, weak, strong], [line(small), line(large), line(strong), line(weak)])
    assert fed(node) == [("weak", 1), ("strong", 1)]


def test_a_cable_with_another_connector_is_assigned_last() -> None:
    eps, lead = cable("eps", "eps-8pin"), cable("lead")
    node, _ = placed([BOX, sixteen(), eps, lead], [line(sixteen(), 2), line(eps), line(lead)])
    assert sorted(fed(node)) == [("eps", 1), ("lead", 1)]
    assert node.gpu_cables_left == 0


def test_cards_fed_by_their_slot_take_no_cable() -> None:
    lead = cable("lead")
    node, _ = placed([BOX, gpu(), lead], [line(gpu()), line(lead)])
    assert (fed(node), node.gpu_cables_left) == ([(None, 0)], 1)


def test_a_kit_for_two_cards_feeds_two() -> None:
    kit = cable("kit", cards=2)
    node, _ = placed([BOX, sixteen(), kit], [line(sixteen(), 3), line(kit, 2)])
    assert (fed(node), node.gpu_cables_left) == ([("kit", 1)] * 3, 0)


def test_a_card_with_two_connectors_takes_two_cables() -> None:
    card = gpu(power_inputs=[{"connector": "pcie-8pin", "count": 2}])
    lead = cable("lead", "pcie-8pin")
    node, _ = placed([BOX, card, lead], [line(card, 2), line(lead, 3)])
    assert fed(node) == [("lead", 2), ("lead", 1)]


def test_a_card_of_unknown_connector_takes_what_is_over() -> None:
    card = gpu(power_inputs=None)
    lead = cable("lead")
    node, _ = placed([BOX, card, lead], [line(card), line(lead)])
    assert (fed(node), node.gpu_cables_left) == ([("lead", 1)], 0)


def test_data_cables_feed_nothing() -> None:
    data = cable("data", purpose="data")
    node, _ = placed([BOX, sixteen(), data], [line(sixteen()), line(data)])
    assert (fed(node), node.gpu_cables_left) == ([(None, 0)], 0)
