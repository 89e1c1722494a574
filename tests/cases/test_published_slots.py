"""Published systems with known slots: without them placement finds positions that are equal or better by its order."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rackwright import api
from rackwright.catalog import Part
from rackwright.configuration import Node
from rackwright.placement import cards
from rackwright.placement.model import NodePlacement
from rackwright.placement.nodes import place_node
from rackwright.placement.problem import Problem, Solution
from rackwright.placement.search import Solved, solve
from rackwright.readers.configuration_file import configuration_of, read_configuration
from rackwright.source import Location

ROOT = Path(__file__).resolve().parents[2]
# Configurations whose slots are those of a running system, or of its maker's own example.
PUBLISHED = (
    "tests/cases/valid/G90.yaml",
    "examples/h200-nvl/configuration.yaml",
    "examples/hgx-8x-h200/configuration.yaml",
    "examples/prototype-1x/configuration.yaml",
)


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


def placed(node: Node, monkeypatch: pytest.MonkeyPatch) -> tuple[NodePlacement, int]:
    """Place a node; return it with the cost of its cards on all levels."""
    costs: list[int] = []

    def spy(problem: Problem, solved: Solved | None = None) -> Solution:
        solution = solve(problem, solved)
        costs.append(solution.cost)
        return solution

    monkeypatch.setattr(cards, "solve", spy)
    site = configuration_of({"nodes": [{"id": "n", "chassis": node.chassis}]}).site
    result, _ = place_node(node, ("nodes", 0), workshop().catalog, site, lambda path: Location("x"))
    assert result is not None
    return result, costs[-1]


@pytest.mark.parametrize("file", PUBLISHED)
def test_free_cards_sit_as_well_as_where_they_were_published(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration, _ = read_configuration(ROOT / file, file)
    assert configuration is not None
    node = configuration.configuration.nodes[0]
    assert any(part.slot or part.slots for part in node.parts)
    free = replace(node, parts=[replace(part, slot=None, slots=None) for part in node.parts])
    (published, published_cost), (found, cost) = placed(node, monkeypatch), placed(free, monkeypatch)
    assert found.mode == published.mode
    assert found.is_decided
    assert cost <= published_cost


def of_kind(kind: str, **figures: object) -> Part:
    """Return the first part of a kind with these figures."""
    parts = sorted(workshop().catalog.of_kind(kind), key=lambda part: part.id)
    return next(
        part for part in parts if all(part.get(name.replace("__", ".")) == value for name, value in figures.items())
    )


@pytest.mark.parametrize(
    ("chassis", "card", "count", "expected"),
    [
        # The running unit of the maker has its double-width cards in odd slots.
        ("hpe/dl380a-gen12", "nvidia/h200-nvl-141gb", 4, ["13", "15", "17", "19"]),
        ("hpe/dl380a-gen12", "nvidia/h200-nvl-141gb", 8, ["9", "11", "13", "15", "17", "19", "21", "23"]),
        # QuickSpecs: L4 in the slots of the GPU risers, L40S in slots 2 and 6.
        ("hpe/ml110-gen11", "nvidia/l4", 2, ["2", "3"]),
        ("hpe/ml350-gen12", "nvidia/l40s", 2, ["2", "6"]),
    ],
)
def test_cards_go_where_the_maker_has_them(
    chassis: str, card: str, count: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cpu = of_kind("cpu")
    node = configuration_of(
        {
            "nodes": [
                {"id": "n", "chassis": chassis, "parts": [{"part": cpu.id, "count": 2}, {"part": card, "count": count}]}
            ]
        }
    ).nodes[0]
    found, _ = placed(node, monkeypatch)
    assert sorted((entry.slot or "" for entry in found.cards), key=int) == expected
