"""The matrix of how GPUs and NICs reach each other, against captures of running systems.

Each capture was published as the output of `nvidia-smi topo -m`; the chassis here has the PCIe tree that the capture's
own text, or the maker, states.
"""

from __future__ import annotations

from typing import Any

import pytest

from placement.builders import catalog_of, chassis, cpu, gpu, line, nic, part, placed, slot
from rackwright.catalog import Part
from rackwright.facts.cards import card_record, slot_records
from rackwright.facts.records import Context, plain
from rackwright.facts.topology import Topology, cells, topology_of


def topology(parts: list[Part], lines: list[dict[str, Any]], **node: Any) -> Topology:
    made, _ = placed(parts, lines, **node)
    context = Context(made, catalog_of(*parts), {"id": "site"}, plain)
    slots = slot_records(context)
    records = [card_record(card, context, slots, "") for card in made.cards]
    record = {"gpus": [r for r in records if r["kind"] == "gpu"], "nics": [r for r in records if r["kind"] == "nic"]}
    return topology_of(made, record)


def matrix(text: str) -> list[list[str]]:
    return [row.split() for row in text.strip().splitlines()]


def test_eight_cards_below_four_switches() -> None:
    """ASUS ESC8000A-E13P, 8 x RTX PRO 6000: two partitions of switches at each CPU, each at its own root port."""
    switches = {
        name: {"uplink": {"cpu": number, "root": name, "generation": 5, "lanes": 16}}
        for name, number in (("S1", 1), ("S2", 1), ("S3", 2), ("S4", 2))
    }
    slots = [
        slot(f"{name}a", f"{name}b", switch=name, cpu=number)
        for name, number in (("S1", 1), ("S2", 1), ("S3", 2), ("S4", 2))
    ]
    found = topology([chassis(*slots, switches=switches), gpu(), cpu()], [line(cpu(), 2), line(gpu(), 8)])
    assert cells(found) == matrix(
        """
        X    PIX  NODE NODE SYS  SYS  SYS  SYS
        PIX  X    NODE NODE SYS  SYS  SYS  SYS
        NODE NODE X    PIX  SYS  SYS  SYS  SYS
        NODE NODE PIX  X    SYS  SYS  SYS  SYS
        SYS  SYS  SYS  SYS  X    PIX  NODE NODE
        SYS  SYS  SYS  SYS  PIX  X    NODE NODE
        SYS  SYS  SYS  SYS  NODE NODE X    PIX
        SYS  SYS  SYS  SYS  NODE NODE PIX  X
        """
    )
    assert {round(peer.gb_s or 0, 1) for row in found.peers for peer in row if peer.code != "X"} == {63.0}


def test_eight_cards_at_two_cpus_and_a_nic_at_neither_gpu() -> None:
    """8 x L40S at their own root ports, four a CPU (nccl-tests issue 273, first matrix, without its NIC)."""
    slots = [slot(f"{number}{port}", cpu=number, root=f"{number}{port}") for number in (1, 2) for port in "abcd"]
    found = topology([chassis(*slots), gpu(), cpu()], [line(cpu(), 2), line(gpu(), 8)])
    near, far = ["NODE"] * 3, ["SYS"] * 4
    for index, row in enumerate(cells(found)):
        own = [*near[: index % 4], "X", *near[index % 4 :]]
        assert row == ([*own, *far] if index < 4 else [*far, *own])


def test_dgx_a100_with_a_nic_pair_behind_two_switches_for_each_gpu_pair() -> None:
    """DGX A100 320GB (DCGM issue 149): NV12 between all modules; the NICs of a pair PXB, all other NICs SYS.

    The system runs with four NUMA nodes a socket pair that its firmware sets; a CPU stands for a NUMA node here.
    """
    switches: dict[str, Any] = {}
    slots = []
    for number in range(1, 5):
        switches[f"T{number}"] = {"uplink": {"cpu": number, "root": f"T{number}"}}
        switches[f"G{number}"] = {"above": f"T{number}"}
        switches[f"N{number}"] = {"above": f"T{number}"}
        slots.append(slot(f"M{number}a", f"M{number}b", form_factor="sxm4", switch=f"G{number}", cpu=number))
        slots.append(slot(f"{number}a", f"{number}b", switch=f"N{number}", cpu=number))
    box = chassis(*slots, switches=switches, cpu={"sockets": 4}, gpu_limits={"module_fabric": "nvswitch"})
    module = gpu("a100", form_factor="sxm4", card={}, nvlink={"is_supported": True, "links": 12, "link_gb_s": 600})
    found = topology([box, module, nic(), cpu()], [line(cpu(), 4), line(module, 8), line(nic(), 8)])
    rows = cells(found)
    assert rows[0] == ["X", *["NV12"] * 7, "PXB", "PXB", *["SYS"] * 6]
    assert rows[3] == [*["NV12"] * 3, "X", *["NV12"] * 4, "SYS", "SYS", "PXB", "PXB", *["SYS"] * 4]
    assert rows[7] == [*["NV12"] * 7, "X", *["SYS"] * 6, "PXB", "PXB"]
    assert rows[8][9] == "PIX"
    assert found.peers[0][1].gb_s == 300
    assert found.nearest_nics[2] == ("GPU2", "NIC2", "PXB")


def test_a_bridged_pair_beside_a_third_card() -> None:
    """Two cards joined by a bridge of four links and a third at the same CPU (nccl-tests issue 320): NV4 and NODE."""
    bridge = part("nvlink_bridge", "bridge", cards=2)
    nvlink = {
        "is_supported": True,
        "links": 4,
        "link_gb_s": 112.5,
        "groups": [{"cards": 2, "bridge": "test/bridge", "bridges": 1}],
    }
    card = gpu("a6000", nvlink=nvlink)
    slots = [slot(name, root=name) for name in ("1", "2", "3")]
    box = chassis(*slots, bridges={"groups": [["1", "2"]]})
    found = topology([box, card, bridge, cpu()], [line(cpu(), 1), line(card, 3), line(bridge, 1)])
    assert cells(found) == matrix("X NV4 NODE \n NV4 X NODE \n NODE NODE X")
    assert found.peers[0][1].gb_s == 56.25


@pytest.mark.parametrize(
    ("fabric", "expected", "gb_s"),
    [("nvswitch", "NV18", 450), ("direct", "NV6", 150), ("infinity-fabric", "XGMI", 150)],
)
def test_modules_by_the_fabric_of_their_board(fabric: str, expected: str, gb_s: float) -> None:
    module = gpu("module", form_factor="sxm5", card={}, nvlink={"is_supported": True, "links": 18, "link_gb_s": 900})
    box = chassis(gpu_limits={"module_form_factor": "sxm5", "module_fabric": fabric})
    found = topology([box, module], [line(module, 4)])
    assert cells(found)[0] == ["X", expected, expected, expected]
    assert found.peers[0][1].gb_s == gb_s


def test_what_is_not_known_is_said_to_be_so() -> None:
    box = chassis(slot("1", "2", cpu=1), slot("3", cpu=2), slot("4", cpu=None))
    found = topology([box, gpu(), cpu()], [line(cpu(), 2), line(gpu(), 4)])
    assert cells(found)[0] == ["X", "PHB/NODE", "SYS", "?"]
    assert found.peers[0][3].gb_s is None


def test_one_host_bridge_for_two_slots() -> None:
    box = chassis(slot("1", "2", root="A", cpu=1))
    assert cells(topology([box, gpu(), cpu()], [line(cpu(), 1), line(gpu(), 2)])) == [["X", "PHB"], ["PHB", "X"]]


def test_a_narrow_uplink_is_what_two_cards_share_on_the_way_out() -> None:
    switches = {"S": {"uplink": {"cpu": 1, "generation": 4, "lanes": 16}}}
    box = chassis(slot("1", switch="S", cpu=1), slot("2", cpu=1), switches=switches)
    found = topology([box, gpu(), cpu()], [line(cpu(), 1), line(gpu(), 2)])
    assert round(found.peers[0][1].gb_s or 0, 1) == 31.5
