"""Figures that contradict each other, or are unlike those of similar parts: one case on each side of each limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rackwright.catalog import Part, index
from rackwright.readers.catalog_plausible import implausible


def part(kind: str, name: str = "a", note: str = "", **data: Any) -> Part:
    evidence: dict[str, Mapping[str, Any]] = {"*": {"source": "s", "grade": "vendor"}}
    if note:
        evidence[note] = {"source": "s", "grade": "vendor", "note": "so it is printed"}
    full = {"kind": kind, "id": f"us/{name}", "title": name, "maker": "Us", **data}
    return Part(f"us/{name}", kind, full, f"{name}.yaml", sources={"s": {"doc": "Sheet"}}, evidence=evidence)


def told(*parts: Part) -> list[str]:
    return [f"{item.severity} {item.message}" for item in implausible(index(parts))]


def pdu(power: float, note: str = "", **data: Any) -> Part:
    figures = {"voltage_v": 400, "continuous_a": 32, "circuit_a": 32, "phases": 3, "region": "iec"}
    return part("pdu", note=note, **{**figures, "power_max_w": power, **data})


def test_the_printed_power_of_a_pdu() -> None:
    """400 V x 32 A x sqrt 3 = 22 170 W; 5 % of 21 115 W are 1 056 W, and of 23 336 W 1 167 W."""
    assert told(pdu(22_000)) == []
    assert told(pdu(21_115)) == []
    assert told(pdu(23_336)) == []
    message = "power_max_w is {} W, but 400 V and 32 A on 3 phases are 22 170 W"
    assert told(pdu(23_340)) == ["error " + message.format("23 340")]
    assert told(pdu(21_100)) == ["warning " + message.format("21 100")]
    assert told(pdu(21_100, note="power_max_w")) == []


def test_one_phase_and_figures_that_are_not_known() -> None:
    assert told(pdu(7_360, voltage_v=230, phases=1)) == []
    assert told(pdu(9_000, voltage_v=None)) == []


def test_the_continuous_current_of_a_pdu() -> None:
    assert told(pdu(22_000, circuit_a=32)) == []
    assert told(pdu(22_000, circuit_a=30)) == ["error continuous_a is 32 A, more than the circuit of 30 A"]
    american = {"voltage_v": 208, "region": "na"}
    assert told(pdu(8_600, continuous_a=24, circuit_a=30, **american)) == []
    assert told(pdu(9_000, continuous_a=25, circuit_a=30, **american)) == [
        "error continuous_a is 25 A, more than 80 % of the circuit of 30 A, which North American rules allow"
    ]


@pytest.mark.parametrize(
    ("plugs", "limit"),
    [([], 75), (["pcie-6pin"], 150), (["pcie-8pin", "pcie-8pin"], 375), (["eps-8pin"], 375), (["pcie-16pin"], 675)],
)
def test_what_a_card_can_draw_through_its_plugs(plugs: list[str], limit: int) -> None:
    inputs = [{"connector": plug, "count": 1} for plug in plugs]
    card = {"form_factor": "pcie", "power_inputs": inputs}
    assert told(part("gpu", power={"max_w": limit}, **card)) == []
    assert [line.partition(",")[0] for line in told(part("gpu", power={"max_w": limit + 1}, **card))] == [
        f"error power.max_w is {limit + 1} W"
    ]


def test_plugs_that_are_not_known_and_modules_that_have_none() -> None:
    assert told(part("gpu", form_factor="pcie", power={"max_w": 900})) == []
    assert told(part("gpu", form_factor="sxm5", power={"max_w": 900}, power_inputs=[])) == []


def test_the_words_on_plugs() -> None:
    inputs = [{"connector": "pcie-8pin", "count": 2}]
    assert told(part("nic", form_factor="pcie", power={"max_w": 400}, power_inputs=inputs)) == [
        "error power.max_w is 400 W, but the slot (75 W) and 2 x pcie-8pin carry 375 W"
    ]


def test_bandwidth_against_bus_and_rate() -> None:
    """384 bits x 18 Gbit/s / 8 = 864 GB/s; 2 % of 882 are 17.6."""
    memory = {"bus_bits": 384, "pin_rate_gbit_s": 18}
    assert told(part("gpu", form_factor="pcie", memory={**memory, "bandwidth_gb_s": 881})) == []
    assert told(part("gpu", form_factor="pcie", memory={**memory, "bandwidth_gb_s": 900})) == [
        "error memory.bandwidth_gb_s is 900 GB/s, but 384 bits at 18 Gbit/s are 864 GB/s"
    ]
    assert told(part("gpu", form_factor="pcie", memory={"bus_bits": 384, "bandwidth_gb_s": 900})) == []


def test_the_memory_of_a_board_with_several_gpus() -> None:
    memory = {"capacity_gb": 64, "per_gpu_gb": 16}
    assert told(part("gpu", form_factor="pcie", gpus_per_board=4, memory=memory)) == []
    assert told(part("gpu", form_factor="pcie", gpus_per_board=2, memory=memory)) == [
        "error memory.capacity_gb is 64 GB, but 2 GPUs with 16 GB are 32 GB"
    ]


def psu(named: float, *outputs: float, note: str = "") -> Part:
    ranges = [{"voltage_min_v": 200, "voltage_max_v": 240, "output_w": output} for output in outputs]
    return part("psu", note=note, output_w=named, output=ranges)


def test_the_ranges_of_a_power_supply() -> None:
    assert told(psu(2000, 1000, 2000)) == []
    assert told(psu(2000, 2001)) == ["error output.0.output_w is 2 001 W, more than the rated output_w of 2 000 W"]
    assert told(psu(2000, 1000)) == ["warning output_w is 2 000 W, but the best of its ranges has 1 000 W"]
    assert told(psu(2000, 1000, note="output_w")) == []
    turned = part("psu", output_w=9, output=[{"voltage_min_v": 240, "voltage_max_v": 200, "output_w": 9}])
    assert told(turned) == ["error output.0.voltage_min_v is 240 V, above voltage_max_v"]


CPU = part("cpu", "cpu", family="f", pcie_lanes=64)


def chassis(*slots: Mapping[str, Any], **data: Any) -> Part:
    return part("chassis", cpu={"families": ["f", "unknown"]}, slots=list(slots), **data)


def slot(names: str, lanes: int = 16, **data: Any) -> dict[str, Any]:
    return {"names": list(names), "lanes": lanes, "cpu": 1, **data}


def test_the_lanes_of_a_chassis_against_its_cpus() -> None:
    assert told(CPU, chassis(slot("1234"))) == []
    assert told(CPU, chassis(slot("12345"))) == [
        "warning in mode of the board CPU 1 feeds 80 lanes, and the CPUs that fit have 64"
    ]
    assert told(CPU, chassis(slot("1234"), slot("5", cpu=2))) == []
    assert told(chassis(slot("12345"))) == []  # no CPU of these families is in the catalog


def test_lanes_by_mode_riser_and_switch() -> None:
    modes = {"modes": {"a": {}, "b": {}}}
    assert told(CPU, chassis(slot("1234", modes=["a"]), slot("5678", modes=["b"]), **modes)) == []
    assert told(CPU, chassis(slot("1234"), slot("5", modes=["b"]), **modes)) == [
        "warning in mode b CPU 1 feeds 80 lanes, and the CPUs that fit have 64"
    ]
    risers = (slot("1234"), slot("1", lanes=8, riser="r2"))
    assert told(CPU, chassis(*risers)) == []
    switches = {"switches": {"s": {"uplink": {"cpu": 1, "lanes": 16}}}}
    assert told(CPU, chassis(slot("123"), slot("45678", switch="s"), **switches)) == []
    assert told(CPU, chassis(slot("1234"), slot("5678", switch="s"), **switches)) == [
        "warning in mode of the board CPU 1 feeds 80 lanes, and the CPUs that fit have 64"
    ]


def cards(length: float, note: str = "") -> list[Part]:
    same = [part("gpu", str(number), form_factor="pcie", card={"length_mm": 267}) for number in range(4)]
    return [*same, part("gpu", "z", note=note, form_factor="pcie", card={"length_mm": length})]


def test_a_figure_unlike_the_others() -> None:
    """A third of 267 is 89, three times 267 is 801."""
    assert told(*cards(90)) == []
    assert told(*cards(800)) == []
    message = "warning card.length_mm is {} mm; the median of 5 similar parts of kind gpu is 267 mm"
    assert told(*cards(10.5)) == [message.format("10.5")]
    assert told(*cards(801)) == [message.format("801")]
    assert told(*cards(801, note="card.length_mm")) == []
    assert told(*cards(801)[1:]) == []  # four are too few


def test_where_the_figure_stands_and_what_to_write() -> None:
    (item,) = implausible(index(cards(801)))
    assert (item.code, str(item.at), item.subject) == ("CAT032", "z.yaml:1:1", "us/z")
    assert str(item.fix) == (
        "check the unit and the source; if it is right, say why: "
        "evidence: card.length_mm: {source: …, grade: …, note: …}"
    )
    assert ([str(source) for source in item.sources], item.grade) == (["Sheet"], "vendor")


def test_the_least_is_not_above_the_most() -> None:
    assert told(part("chassis", inlet={"min_c": 10, "max_c": 10})) == []
    assert told(part("chassis", inlet={"min_c": 35, "max_c": 10})) == [
        "error inlet.min_c is 35 °C, above inlet.max_c, which is 10 °C"
    ]
    assert told(part("gpu", power={"min_w": 200, "max_w": 150})) == [
        "error power.min_w is 200 W, above power.max_w, which is 150 W"
    ]


def test_draws_rise_from_idle_to_peak() -> None:
    assert told(part("gpu", power={"idle_w": 50, "typical_w": 50, "max_w": 50, "peak_w": 50})) == []
    assert told(part("gpu", power={"max_w": 700, "peak_w": 650})) == [
        "error power.max_w is 700 W, above power.peak_w, which is 650 W"
    ]
    assert told(part("gpu", power={"idle_w": 80, "typical_w": 60})) == [
        "error power.idle_w is 80 W, above power.typical_w, which is 60 W"
    ]


def fixes_of_the_last(kind: str, field: str, *values: float) -> list[str]:
    record, _, name = field.rpartition(".")
    parts = [
        part(kind, f"p{number}", **({record: {name: value}} if record else {name: value}))
        for number, value in enumerate(values)
    ]
    return [str(item.fix) for item in implausible(index(parts))]


def test_a_figure_in_another_unit_is_told_with_the_right_one() -> None:
    """9.5 in x 25.4 = 241.3 mm, near the 267 mm of the others; 2.2 lb are below three times 1.2 kg: no question."""
    (fix,) = fixes_of_the_last("gpu", "card.length_mm", 267, 267, 267, 267, 9.5)
    assert fix.startswith("if the document says 9.5 in, write 241.3; check the unit and the source")
    (fix,) = fixes_of_the_last("gpu", "memory.bandwidth_gb_s", 3350, 3350, 2000, 2000, 3.35)
    assert fix.startswith("if the document says 3.35 TB/s, write 3350; ")
    (fix,) = fixes_of_the_last("gpu", "card.length_mm", 267, 267, 267, 267, 2)
    assert fix.startswith("check the unit and the source")
    assert fixes_of_the_last("gpu", "weight_kg", 1.2, 1.2, 1.2, 1.2, 2.2) == []
