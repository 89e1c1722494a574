"""What is stated and what is open: whether a list of parts is complete, and which CPU families a board takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from placement.builders import at, catalog_of, chassis, configured, cpu, line, part
from rackwright.catalog import Part
from rackwright.facts.nodes import build_nodes
from rackwright.facts.stated import is_family_listed
from rackwright.placement.model import Placement
from rackwright.placement.nodes import place_node

BOX = chassis(name="box")
CPU = cpu("cpu")
DIMM = part("memory", "dimm", type="DDR5-RDIMM", capacity_gb=64.0)
PSU = part("psu", "psu", output_w=2000.0)


def node_of(*parts: Part, **node: Any) -> dict[str, Any]:
    configuration = configured(BOX, [line(item) for item in parts], None, **node)
    catalog = catalog_of(BOX, *parts)
    found, findings = place_node(configuration.nodes[0], ("nodes", 0), catalog, configuration.site, at)
    assert found is not None
    assert findings == []
    result: dict[str, Any] = build_nodes(Placement(configuration, (found,)), catalog)["nodes"][0]
    return result


def needed(node: dict[str, Any]) -> list[str]:
    """The figures that the fact would have needed."""
    return [field for _, field in node["_because"].get("is_list_complete") or ()]


def test_a_list_with_processors_memory_and_supplies_is_complete() -> None:
    node = node_of(CPU, DIMM, PSU)

    assert node["is_list_complete"] is True
    assert needed(node) == []


@pytest.mark.parametrize(
    ("parts", "missing"),
    [
        ((CPU, DIMM), ["psus[0].part.id"]),
        ((CPU, PSU), ["dimms[0].part.id"]),
        ((DIMM, PSU), ["cpus[0].part.id"]),
        ((CPU,), ["dimms[0].part.id", "psus[0].part.id"]),
    ],
)
def test_a_list_without_one_of_them_proves_nothing(parts: tuple[Part, ...], missing: list[str]) -> None:
    node = node_of(*parts)

    assert "is_list_complete" not in node
    assert needed(node) == missing


def test_the_configuration_has_the_last_word() -> None:
    published, order = node_of(CPU, DIMM, PSU, is_list_complete=False), node_of(CPU, is_list_complete=True)

    assert "is_list_complete" not in published
    assert needed(published) == ["is_list_complete"]
    assert order["is_list_complete"] is True


def test_stated_memory_stands_beside_that_of_the_modules() -> None:
    stated, silent = node_of(DIMM, memory_gb=2048), node_of(DIMM)

    assert (stated["memory_stated_gb"], stated["has_memory_stated"]) == (2048, True)
    assert ("memory_stated_gb" in silent, silent["has_memory_stated"]) == (False, False)


@pytest.mark.parametrize(
    ("grade", "family", "socket", "expected"),
    [
        ("vendor", "gen-a", "S1", True),
        ("vendor", "gen-b", "S1", False),
        ("transcribed", "gen-b", "S1", False),
        ("measured", "gen-a", "S1", True),
        ("measured", "gen-b", "S1", None),
        ("measured", "gen-c", "S2", False),
    ],
)
def test_what_was_only_seen_does_not_exclude_others_of_its_socket(
    grade: str, family: str, socket: str, expected: bool | None
) -> None:
    seen, asked = cpu("seen", family="gen-a", socket="S1"), cpu("asked", family=family, socket=socket)
    box = replace(
        chassis(name="box", cpu={"sockets": 2, "families": ["gen-a"]}),
        sources={"record": {"doc": "Record"}},
        evidence={"cpu": {"source": "record", "grade": grade}},
    )

    assert is_family_listed(asked, box, catalog_of(box, seen, asked)) is expected


def test_without_a_list_nothing_is_known() -> None:
    assert is_family_listed(CPU, BOX, catalog_of(BOX, CPU)) is None
