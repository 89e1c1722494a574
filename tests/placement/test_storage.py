"""Drives in bays, memory modules at CPUs."""

from __future__ import annotations

from typing import Any

from placement.builders import chassis, cpu, line, part, placed


def drive(name: str = "drive", form_factor: str | None = "u2", protocol: str | None = "nvme"):  # type: ignore[no-untyped-def]
    return part("drive", name, **{k: v for k, v in (("form_factor", form_factor), ("protocol", protocol)) if v})


def bays(name: str, count: int, *forms: str, **data: Any) -> dict[str, Any]:
    return {"name": name, "count": count, "form_factors": list(forms), **data}


def where(node) -> list[tuple[str | None, bool | None]]:  # type: ignore[no-untyped-def]
    return [(entry.bays, entry.is_placed) for entry in node.drives]


def test_drives_fill_the_bays_that_take_them() -> None:
    box = chassis(bays=[bays("front", 2, "2.5in", protocols=["nvme", "sas"]), bays("m2", 1, "m2")])
    boot = drive("boot", "m2")
    node, _ = placed([box, drive(), boot], [line(drive(), 3), line(boot)])
    assert where(node) == [("front", True), ("front", True), (None, False), ("m2", True)]


def test_a_protocol_that_the_bays_do_not_carry_does_not_fit() -> None:
    box = chassis(bays=[bays("front", 2, "2.5in", protocols=["sata"])])
    node, _ = placed([box, drive()], [line(drive())])
    assert where(node) == [(None, False)]


def test_a_drive_that_fits_one_kind_only_is_not_crowded_out() -> None:
    box = chassis(bays=[bays("any", 1, "u2", protocols=["nvme", "sata"]), bays("fast", 1, "u2", protocols=["nvme"])])
    slow = drive("slow", "2.5in", "sata")
    node, _ = placed([box, drive(), slow], [line(drive()), line(slow)])
    assert where(node) == [("fast", True), ("any", True)]


def test_bays_that_need_no_option_come_first() -> None:
    box = chassis(bays=[bays("cage", 2, "u2", option="test/cage"), bays("plain", 1, "u2")])
    cage = part("option", "cage")
    without, _ = placed([box, drive(), cage], [line(drive(), 2)])
    ordered, _ = placed([box, drive(), cage], [line(drive(), 2), line(cage)])
    assert [(entry.bays, entry.has_option) for entry in without.drives] == [("plain", True), ("cage", False)]
    assert [(entry.bays, entry.has_option) for entry in ordered.drives] == [("cage", True), ("cage", True)]


def test_bays_of_another_mode_do_not_exist() -> None:
    box = chassis(bays=[bays("a", 1, "u2", modes=["x"])], modes={"y": {"title": "Y"}})
    node, _ = placed([box, drive()], [line(drive())])
    assert where(node) == [(None, False)]


def test_drives_choose_the_mode_that_has_their_bays() -> None:
    box = chassis(bays=[bays("a", 1, "u2", modes=["y"])], modes={"x": {"title": "X"}, "y": {"title": "Y"}})
    node, _ = placed([box, drive()], [line(drive())])
    assert (node.mode, where(node)) == ("y", [("a", True)])


def test_unknown_bays_or_drives_are_not_known() -> None:
    bare, _ = placed([chassis(), drive()], [line(drive())])
    shapeless, _ = placed(
        [chassis(bays=[bays("a", 1, "u2")]), drive(form_factor=None)], [line(drive(form_factor=None))]
    )
    assert where(bare) == where(shapeless) == [(None, None)]


def test_the_bay_that_the_user_names_is_used() -> None:
    box = chassis(bays=[bays("front", 1, "u2"), bays("rear", 1, "u2")])
    node, _ = placed([box, drive()], [line(drive(), bay="rear")])
    assert where(node) == [("rear", True)]


def test_modules_are_spread_evenly_over_the_cpus() -> None:
    dimm, host = part("memory", "dimm"), cpu()
    even, _ = placed([chassis(), dimm, host], [line(host, 2), line(dimm, 16)])
    odd, _ = placed([chassis(), dimm, host], [line(host, 2), line(dimm, 3)])
    alone, _ = placed([chassis(), dimm], [line(dimm, 3)])
    assert [sum(entry.cpu == number for entry in even.dimms) for number in (1, 2)] == [8, 8]
    assert [entry.cpu for entry in odd.dimms] == [1, 1, 2]
    assert (even.is_dimm_count_even, odd.is_dimm_count_even, alone.is_dimm_count_even) == (True, False, True)


def test_modules_fill_each_channel_once_before_any_gets_a_second() -> None:
    box = chassis(memory={"order": ["A1", "C1", "B1"]})
    host, module = cpu(memory_channels=2), part("memory", "module")
    node, _ = placed([box, host, module], [line(host, 2), line(module, 6)])
    assert [(dimm.cpu, dimm.channel, dimm.socket) for dimm in node.dimms] == [
        (1, 1, "A1"),
        (1, 2, "C1"),
        (1, 1, "B1"),
        (2, 1, "A1"),
        (2, 2, "C1"),
        (2, 1, "B1"),
    ]


def test_channels_and_sockets_that_nobody_states_are_not_known() -> None:
    module = part("memory", "module")
    node, _ = placed([chassis(), cpu(), module], [line(cpu(), 1), line(module, 1)])
    assert [(dimm.channel, dimm.socket) for dimm in node.dimms] == [(None, None)]
