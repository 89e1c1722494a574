from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
import yaml

from examples.running import GOOD, example
from rackwright.catalog import Part
from rackwright.outputs.netbox import write_device_types, write_module_types
from rackwright.proposal import netbox
from rackwright.proposal.netbox import NetboxTypes, netbox_types

from .official import SCHEMAS, netbox_faults


def types(name: str) -> NetboxTypes:
    placement = example(name).run.placement
    assert placement is not None
    return netbox_types(placement)


@pytest.mark.parametrize("name", GOOD)
def test_the_types_of_every_example_can_be_imported(name: str) -> None:
    made = types(name)
    assert netbox_faults(write_device_types(made), "device-type") == []
    assert netbox_faults(write_module_types(made), "module-type") == []
    assert made.devices
    assert made.left_out == ()


def test_the_check_itself_finds_faults() -> None:
    faults = netbox_faults(b"---\nmanufacturer: Dell\nmodel: X\nslug: X Y\nu_height: 1.3\n", "device-type")
    assert [fault.split(":")[0] for fault in sorted(faults)] == ["$.slug", "$.u_height", "$"]


def test_a_chassis_has_the_bays_of_the_mode_that_is_built() -> None:
    (device,) = types("inference-4x-l40s").devices
    assert {key: device[key] for key in ("manufacturer", "model", "slug", "u_height", "airflow", "description")} == {
        "manufacturer": "Dell",
        "model": "PowerEdge R760xa (dw)",
        "slug": "dell-poweredge-r760xa-dw",
        "u_height": 2,
        "airflow": "front-to-rear",
        "description": "Mode dw: Front with four x16 double-width slots",
    }
    names = [bay["name"] for bay in device["module-bays"]]
    assert [name for name in names if name.startswith("Slot")] == [
        f"Slot {name}" for name in ("F1", "F2", "F3", "F4", "1", "2", "7", "8", "OCP")
    ]
    kinds = [name.split()[0] for name in names]
    assert {kind: kinds.count(kind) for kind in kinds} == {"CPU": 2, "DIMM": 32, "Slot": 9, "Bay": 8, "PSU": 2}


def test_a_rack_pdu_has_its_outlets_with_their_legs() -> None:
    (pdu,) = [device for device in types("rack-ab").devices if "power-outlets" in device]
    assert (pdu["u_height"], pdu["is_full_depth"]) == (0, False)
    assert pdu["power-ports"] == [{"name": "Inlet", "type": "iec-60309-3p-n-e-6h"}]
    legs = [outlet["feed_leg"] for outlet in pdu["power-outlets"]]
    assert set(legs) == {"A", "B", "C"}
    assert legs.count("A") == legs.count("B") == legs.count("C")


def test_every_word_is_one_of_netbox() -> None:
    schema = json.loads((SCHEMAS / "netbox-4.7.3.json").read_text(encoding="utf-8"))["$defs"]["device-type"]

    def words(port: str) -> set[str]:
        found: list[str] = schema["properties"][port]["items"]["properties"]["type"]["enum"]
        return set(found)

    assert set(netbox._INLETS.values()) <= words("power-ports")
    assert set(netbox._OUTLETS.values()) <= words("power-outlets")
    assert {*netbox._ETHERNET.values(), *netbox._INFINIBAND.values(), "other"} <= words("interfaces")
    assert set(netbox._AIRFLOW.values()) <= set(schema["properties"]["airflow"]["enum"])


@pytest.mark.parametrize(
    ("plug", "word"),
    [
        ("IEC 60309 3P+N+E 6h", "iec-60309-3p-n-e-6h"),
        ("IEC 60309 2P+E 6h", "iec-60309-2p-e-6h"),
        ("IEC 60309 3P+E 9h", "iec-60309-3p-e-9h"),
        ("NEMA L21-30P", "nema-l21-30p"),
        ("CS8365C", "cs8365c"),
        ("IEC 60320 C20", "iec-60320-c20"),
        ("somebody's own", "other"),
        ("NEMA 99-30P", "other"),
    ],
)
def test_inlet_plugs(plug: str, word: str) -> None:
    assert netbox._plug(plug) == word


def test_a_chassis_of_unknown_height_is_left_out_and_named() -> None:
    placement = example("inference-4x-l40s").run.placement
    assert placement is not None
    node = placement.nodes[0]
    bare = Part(node.chassis.id, "chassis", {"title": "Box", "maker": "Dell"})
    bent = dataclasses.replace(placement, nodes=(dataclasses.replace(node, chassis=bare),))
    made = netbox_types(bent)
    assert (made.devices, made.left_out) == ((), (("dell/poweredge-r760xa", "rack.height_u"),))
    assert yaml.safe_load(write_device_types(made)) == []


def test_long_and_hostile_texts_are_one_short_line() -> None:
    record: dict[str, Any] = netbox._named(
        Part("a/b", "gpu", {"title": "A\n--- !!python/object" + "x" * 300, "maker": "A", "mpn": ["9" * 60]})
    )
    assert (len(record["model"]), len(record["part_number"])) == (100, 50)
    content = write_module_types(NetboxTypes((), (record,)))
    assert list(yaml.safe_load_all(content)) == [record]
