"""The search against a slow oracle that tries every assignment, on random small chassis.

The oracle has its own definition of what a placement breaks, written from the chassis data and not from the code
under test: a card without a slot, a limit of the slot, a card too wide for its row, two cards in one space.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from placement.builders import chassis, cpu, gpu, line, nic, placed, slot
from rackwright.catalog import Part
from rackwright.placement.model import NodePlacement

LENGTHS = ["half", "three-quarter", "full"]
HEIGHTS = ["low", "full"]
Case = tuple[Part, list[Part], list[tuple[int, str | None]], int]


def random_case(seed: int) -> Case:
    """Make a chassis with at most six slots and at most four cards, one of them sometimes pinned."""
    rng = random.Random(seed)
    names = [str(number) for number in range(1, rng.randint(2, 6) + 1)]
    records = [
        slot(
            name,
            form_factor=rng.choice(["pcie"] * 6 + ["ocp3"]),
            width_slots=rng.choice([1, 1, 1, 2, None]),
            length_class=rng.choice([*LENGTHS, None]),
            height_class=rng.choice([*HEIGHTS, None]),
            length_max_mm=rng.choice([None, None, 200.0]),
            lanes=rng.choice([8, 16, None]),
            connector_lanes=rng.choice([8, 16, 16, None]),
            power_max_w=rng.choice([None, 75.0, 300.0]),
            is_gpu=rng.choice([True, False, None, None]),
            cpu=rng.choice([1, 2, 2, None]),
            riser=rng.choice([None, None, "R"]),
        )
        for name in names
    ]
    risers = {"R": {"title": "Riser", "part": "test/absent", "is_standard": rng.random() < 0.5}}
    row = rng.sample(names, len(names))
    cut = rng.randint(0, len(row))
    box = chassis(*records, rows=[part for part in (row[:cut], row[cut : cut + 2]) if part], risers=risers)
    kinds = [random_card(rng, f"card{number}") for number in range(rng.randint(1, 3))]
    cards = [(rng.randrange(len(kinds)), None) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.25:
        cards[0] = (cards[0][0], rng.choice(names))
    return box, kinds, cards, rng.choice([0, 1, 2])


def random_card(rng: random.Random, name: str) -> Part:
    make = rng.choice([gpu, nic])
    card = {
        "width_slots": rng.choice([1, 1, 2, 2, 3, None]),
        "length_class": rng.choice([*LENGTHS, None]),
        "height_class": rng.choice([*HEIGHTS, None]),
        "length_mm": rng.choice([None, 180.0, 266.7]),
    }
    return make(
        name,
        form_factor=rng.choice(["pcie"] * 6 + ["ocp3"]) if make is nic else "pcie",
        card={key: value for key, value in card.items() if value is not None},
        pcie={"generation": 5, "lanes": rng.choice([8, 16])},
        power=rng.choice([{}, {"max_w": 70.0}, {"max_w": 350.0}]),
    )


def broken(
    box: Part, cards: list[tuple[Part, str | None]], chosen: tuple[str | None, ...], cpus: int
) -> tuple[int, int]:
    """Return (cards without a slot, limits broken) of an assignment, by the words of the chassis file."""
    records = {name: record for record in box.data["slots"] for name in record["names"]}
    spaces: list[set[str]] = []
    count = 0
    for (card, _), name in zip(cards, chosen, strict=True):
        if name is None:
            spaces.append(set())
            continue
        record, envelope = records[name], card.data["card"]
        count += sum(limits_broken(box, card, record, cpus))
        width, own = envelope.get("width_slots", 1), record.get("width_slots")
        row = next((row for row in box.data["rows"] if name in row), None)
        beside = row[row.index(name) + 1 :] if row else []
        wanted = max(0, width - (own or 1)) if row or own else 0
        count += wanted > len(beside)
        spaces.append({name, *beside[:wanted]})
    count += sum(bool(one & other) for one, other in itertools.combinations(spaces, 2))
    return chosen.count(None), count


def limits_broken(box: Part, card: Part, record: dict[str, Any], cpus: int) -> list[bool]:
    envelope = card.data["card"]
    riser = box.data["risers"].get(record.get("riser"), {"is_standard": True})

    def over(figure: Any, limit: Any) -> bool:
        return figure is not None and limit is not None and figure > limit

    def rank(order: list[str], name: str | None) -> int | None:
        return None if name is None else order.index(name)

    return [
        card.data["form_factor"] != record.get("form_factor", "pcie"),
        not riser["is_standard"],
        cpus > 0 and record.get("cpu", 0) > cpus,
        card.kind == "gpu" and record.get("is_gpu") is False,
        over(rank(LENGTHS, envelope.get("length_class")), rank(LENGTHS, record.get("length_class"))),
        over(rank(HEIGHTS, envelope.get("height_class")), rank(HEIGHTS, record.get("height_class"))),
        over(envelope.get("length_mm"), record.get("length_max_mm")),
        over(card.data["pcie"]["lanes"], record.get("connector_lanes")),
        over(card.data["power"].get("max_w"), record.get("power_max_w")),
    ]


def least_broken(box: Part, cards: list[tuple[Part, str | None]], cpus: int) -> tuple[int, int]:
    """Try everything: each unpinned card in any slot of its connector, or in none; no slot twice by our own choice."""
    records = {name: record for record in box.data["slots"] for name in record["names"]}
    options: list[list[str | None]] = [
        [pin]
        if pin
        else [*(n for n, r in records.items() if r.get("form_factor", "pcie") == card.data["form_factor"]), None]
        for card, pin in cards
    ]
    best = (len(cards) + 1, 0)
    for chosen in itertools.product(*options):
        used = [name for name in chosen if name is not None]
        if len(used) == len(set(used)):
            best = min(best, broken(box, cards, chosen, cpus))
    return best


def run(case: Case, order: list[int]) -> NodePlacement:
    box, kinds, cards, cpus = case
    host = cpu()
    lines = [line(host, cpus)] if cpus else []
    for index in order:
        kind, pin = cards[index]
        lines.append(line(kinds[kind], 1, slot=pin) if pin else line(kinds[kind], 1))
    node, findings = placed([box, host, *kinds], lines, is_list_complete=True)
    assert findings == []
    return node


@pytest.mark.parametrize("block", range(12))
def test_no_assignment_breaks_less_than_the_one_that_is_found(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        case = random_case(seed)
        box, kinds, cards, cpus = case
        node = run(case, list(range(len(cards))))
        chosen = tuple(card.slot for card in node.cards)
        as_parts = [(kinds[kind], pin) for kind, pin in cards]
        assert node.is_decided
        assert broken(box, as_parts, chosen, cpus) == least_broken(box, as_parts, cpus), f"seed {seed}"


@pytest.mark.parametrize("block", range(4))
def test_the_order_of_the_lines_changes_no_slot(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        case = random_case(seed)
        order = list(range(len(case[2])))
        random.Random(seed).shuffle(order)
        one, other = run(case, sorted(order)), run(case, order)
        assert seated(one) == seated(other), f"seed {seed}"


def seated(node: NodePlacement) -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted((card.part.id, card.slot or "", card.covers) for card in node.cards)


@pytest.mark.parametrize("block", range(4))
def test_every_card_has_at_most_one_slot_and_every_slot_one_card(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        case = random_case(seed)
        node = run(case, list(range(len(case[2]))))
        slots = [card.slot for card in node.cards if card.slot is not None]
        assert len(slots) == len(set(slots)), f"seed {seed}"
        assert [card.id for card in node.cards] == list(dict.fromkeys(card.id for card in node.cards))
        for card in node.cards:
            assert card.is_placed is (card.slot is not None)
