"""Small synthetic parts and nodes for tests: `test/...` ids, only the fields that a test is about."""

from __future__ import annotations

from typing import Any

from rackwright import catalog
from rackwright.catalog import Catalog, Part
from rackwright.configuration import Configuration
from rackwright.diagnostic import Finding
from rackwright.placement.model import NodePlacement
from rackwright.placement.nodes import place_node
from rackwright.readers.configuration_file import configuration_of
from rackwright.source import Location, Path


def part(kind: str, name: str, **data: Any) -> Part:
    """Make a part `test/<name>` of a kind."""
    part_id = f"test/{name}"
    return Part(part_id, kind, {"kind": kind, "id": part_id, "title": name, "maker": "Test", **data})


def gpu(name: str = "gpu", width: int | None = 2, **data: Any) -> Part:
    """Make a PCIe 5.0 x16 GPU of 300 W without power connectors."""
    card = {"width_slots": width, "length_class": "full", "height_class": "full"} if width is not None else {}
    base = {
        "form_factor": "pcie",
        "card": card,
        "pcie": {"generation": 5, "lanes": 16},
        "power": {"max_w": 300.0},
        "power_inputs": [],
        "memory": {"capacity_gb": 80.0},
    }
    return part("gpu", name, **{**base, **data})


def nic(name: str = "nic", **data: Any) -> Part:
    """Make a PCIe 5.0 x16 network adapter, half length, full height, one slot wide."""
    base = {
        "form_factor": "pcie",
        "card": {"width_slots": 1, "length_class": "half", "height_class": "full"},
        "pcie": {"generation": 5, "lanes": 16},
        "power": {"max_w": 25.0},
        "power_inputs": [],
    }
    return part("nic", name, **{**base, **data})


def cpu(name: str = "cpu", **data: Any) -> Part:
    """Make a processor with 80 lanes."""
    return part(
        "cpu", name, **{"family": "xeon-sp-5", "socket": "LGA4677", "pcie_lanes": 80, "power": {"max_w": 350.0}, **data}
    )


def slot(*names: str, **data: Any) -> dict[str, Any]:
    """Make a slot record: PCIe 5.0 x16, two slots wide, for full cards, at CPU 1."""
    base = {
        "names": list(names),
        "generation": 5,
        "lanes": 16,
        "connector_lanes": 16,
        "width_slots": 2,
        "length_class": "full",
        "height_class": "full",
        "cpu": 1,
    }
    return {key: value for key, value in {**base, **data}.items() if value is not None}


def chassis(*slots: dict[str, Any], name: str = "box", **data: Any) -> Part:
    """Make a chassis with two CPU sockets and these slots."""
    return part("chassis", name, **{"cpu": {"sockets": 2}, **({"slots": list(slots)} if slots else {}), **data})


def line(of: Part, count: int = 1, **data: Any) -> dict[str, Any]:
    """Make a part line."""
    return {"part": of.id, "count": count, **data}


def at(path: Path) -> Location:
    """Return a place whose file name shows the path."""
    return Location("/".join(map(str, path)))


def catalog_of(*parts: Part) -> Catalog:
    """Make a catalog."""
    return catalog.index(parts)


def configured(
    box: Part, lines: list[dict[str, Any]], site: dict[str, Any] | None = None, **node: Any
) -> Configuration:
    """Make a configuration with one node `n`."""
    record = {"id": "n", "chassis": box.id, "parts": lines, **node}
    return configuration_of({"site": site or {}, "nodes": [record]})


def placed(
    parts: list[Part], lines: list[dict[str, Any]], site: dict[str, Any] | None = None, **node: Any
) -> tuple[NodePlacement, list[Finding]]:
    """Place one node; the first part is its chassis."""
    configuration = configured(parts[0], lines, site, **node)
    result, findings = place_node(configuration.nodes[0], ("nodes", 0), catalog_of(*parts), configuration.site, at)
    assert result is not None
    return result, findings


def seats(node: NodePlacement) -> dict[str, str | None]:
    """Return the slot of each card by its name without the node."""
    return {card.id.split("/")[1]: card.slot for card in node.cards}


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    """Return code and place of findings."""
    return [(finding.code, finding.at.file if finding.at else "") for finding in findings]
