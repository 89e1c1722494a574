"""What is put into a chassis: each figure of the result is worked out beside it."""

from __future__ import annotations

from typing import Any

from placement.builders import cpu, gpu, nic, part
from rackwright import catalog
from rackwright.assembly import Adapters, Assembled, Choices, NodeNeed, Stock, assemble, offers
from rackwright.catalog import Part
from rackwright.configuration import PartLine, Site


def need(card: Part, gpus: int, **changes: Any) -> NodeNeed:
    base: dict[str, Any] = {
        "id": "n",
        "title": "node",
        "gpu": card,
        "gpus": gpus,
        "nodes": 1,
        "workload": None,
        "site": Site(voltage_v=230),
        "memory_gb": 500.0,
        "cores": 28,
        "clock_min_ghz": 0.0,
        "storage_gb": 1000.0,
        "adapters": (Adapters(1, 2, 25),),
        "joined": 1,
        "allowance_ratio": 0.25,
        "allowance_min_w": 100.0,
        "headroom_ratio": 0.1,
    }
    return NodeNeed(**{**base, **changes})


def cores(name: str, number: int, watts: float, **data: Any) -> Part:
    return cpu(
        name,
        cores=number,
        power={"max_w": watts},
        sockets_max=2,
        memory_channels=8,
        memory_types=["DDR5-RDIMM"],
        **data,
    )


def module(gb: float) -> Part:
    return part("memory", f"dimm-{gb:g}", type="DDR5-RDIMM", capacity_gb=gb)


def supply(watts: float) -> Part:
    ranges = [{"voltage_min_v": 200, "voltage_max_v": 240, "output_w": watts}]
    return part("psu", f"psu-{watts:g}", output_w=watts, output=ranges, inlet="C20")


CARD = gpu(power={"max_w": 400.0})
BOX = part(
    "chassis",
    "box",
    cpu={"families": ["xeon-sp-5"], "sockets": 2},
    memory={"types": ["DDR5-RDIMM"], "dimms": 32},
    gpu_limits={"double_width_max": 4},
    bays=[{"name": "front", "count": 8, "form_factors": ["u2"], "protocols": ["nvme"]}],
    psu={"bays": 4, "models": ["test/psu-1600", "test/psu-2000"], "redundancy": ["3+1", "2+2"]},
)
DRIVE = part("drive", "drive", form_factor="u2", protocol="nvme", capacity_gb=1920.0)
PORTS = nic("nic", ports=2, port_gbit_s=25.0, power={})
CORD = part("cord", "cord", plug="C20", connector="C19")
SHELF = [CARD, BOX, DRIVE, PORTS, CORD, cores("cpu-16", 16, 200), cores("cpu-32", 32, 250)]
SHELF += [module(16), module(32), module(64), supply(1600), supply(2000)]


def built(asked: NodeNeed, *more: Part, choices: Choices | None = None) -> Assembled:
    stock = Stock(catalog.index([*SHELF, *more]))
    return assemble(asked, offers(stock, asked.gpu, asked.gpus)[0], stock, choices or Choices())


def counts(found: Assembled) -> dict[str, int]:
    return {line.part.removeprefix("test/"): line.count for line in found.node.parts}


def test_a_whole_node_is_made_up() -> None:
    found = built(need(CARD, 4))
    # processors: 2 x 16 cores for 28; memory: 16 x 32 = 512 for 500 GB; draw: 4 x 400 + 2 x 200 = 2 000 W and a quarter
    # of it; supplies: two must carry 2 500 W and a tenth, 1 375 W each
    assert counts(found) == {
        "cpu-16": 2, "dimm-32": 16, "gpu": 4, "drive": 2, "nic": 1, "psu-1600": 4, "cord": 4,
    }  # fmt: skip
    assert (found.node.allowance_w, found.node.redundancy, found.lacking) == (500.0, "2+2", ())


def test_the_supplies_grow_with_the_draw() -> None:
    # 4 x 600 + 400 + 700 = 3 500 W and a tenth on two supplies: 1 925 W each
    assert counts(built(need(gpu(power={"max_w": 600.0}), 4), gpu(power={"max_w": 600.0})))["psu-2000"] == 4


def test_the_user_decides_what_the_supplies_must_survive() -> None:
    assert built(need(CARD, 4, redundancy="3+1")).node.redundancy == "3+1"


def test_a_small_node_has_the_least_allowance() -> None:
    # 72 + 2 x 200 W; a quarter of it is 118 W, rounded up to 150 W, and 300 W are asked for
    small = gpu("small", power={"max_w": 72.0})
    assert built(need(small, 1, allowance_min_w=300.0), small).node.allowance_w == 300.0


def test_cores_decide_the_processor() -> None:
    assert counts(built(need(CARD, 4, cores=33)))["cpu-32"] == 2


def test_two_modules_a_channel_are_taken_where_they_leave_less_to_spare() -> None:
    # 16 x 64 = 1 024 and 32 x 32 = 1 024 GB: one a channel; 1 100 GB need 32 x 64
    assert counts(built(need(CARD, 4, memory_gb=1024.0)))["dimm-64"] == 16
    assert counts(built(need(CARD, 4, memory_gb=1100.0)))["dimm-64"] == 32


def test_drives_keep_everything_twice() -> None:
    assert counts(built(need(CARD, 4, storage_gb=2000.0)))["drive"] == 4


def test_bridges_join_the_cards_of_one_task() -> None:
    groups = [{"cards": 2, "bridge": "test/bridge", "bridges": 3}]
    card = gpu("pair", nvlink={"is_supported": True, "groups": groups})
    assert counts(built(need(card, 4, joined=4), card))["bridge"] == 6
    assert "bridge" not in counts(built(need(card, 4, joined=1), card))
    assert "bridge" not in counts(built(need(card, 3, joined=2), card))


def test_bridges_of_unknown_number_are_not_guessed() -> None:
    card = gpu("pair", nvlink={"is_supported": True, "groups": [{"cards": 2, "bridge": "test/bridge"}]})
    assert "bridge" not in counts(built(need(card, 4, joined=2), card))


def test_cables_have_the_level_that_the_card_needs() -> None:
    def lead(watts: int) -> Part:
        return part(
            "cable", f"lead-{watts}", purpose="gpu-power", to_connector="pcie-16pin", level_w=watts, is_generic=True
        )

    card = gpu("hungry", power_inputs=[{"connector": "pcie-16pin", "count": 1}], power={"max_w": 350.0})
    found = counts(built(need(card, 4), card, lead(300), lead(450), lead(600)))
    assert {name: n for name, n in found.items() if name.startswith("lead")} == {"lead-450": 4}


def test_what_the_catalog_does_not_have_is_named() -> None:
    stock = Stock(catalog.index([CARD, BOX]))
    found = assemble(need(CARD, 4), offers(stock, CARD, 4)[0], stock)
    assert found.lacking == ("cpu", "memory", "drive", "nic", "psu")


def test_lines_that_checks_asked_for_are_added_once() -> None:
    kit = part("fan_kit", "fans")
    asked = Choices(lines=(PartLine(part="test/fans", count=1), PartLine(part="test/fans", count=2)))
    assert counts(built(need(CARD, 4), kit, choices=asked))["fans"] == 2


def test_a_supply_of_another_chassis_is_not_taken() -> None:
    silent = part(
        "chassis", "r900-x", cpu={"families": ["xeon-sp-5"]}, gpu_limits={"double_width_max": 4}, psu={"bays": 2}
    )
    other = part("chassis", "r800-x", psu={})
    named, plain = part("psu", "psu-r800-9000w", output_w=9000.0), part("psu", "psu-plain", output_w=9000.0)
    shelf = catalog.index([CARD, silent, other, named, plain])
    found = assemble(need(CARD, 4), offers(Stock(shelf), CARD, 4)[0], Stock(shelf))
    assert counts(found) == {"gpu": 4, "psu-plain": 2}
