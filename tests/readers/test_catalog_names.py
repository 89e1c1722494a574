"""Names inside of one part file, and references to parts of the right kind: each kind of slip, and what is right."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright.catalog import Catalog, Part, index
from rackwright.readers.catalog_names import (
    constraint_sources,
    double_constraints,
    loose_names,
    unknown_choices,
    wrong_kinds,
)

SLOTS = [{"names": ["1", "2"], "cpu": 1}, {"names": ["3"], "cpu": 2}]


def part(kind: str = "chassis", name: str = "a", constraints: tuple[Any, ...] = (), **data: Any) -> Part:
    full = {"kind": kind, "id": f"us/{name}", "title": name, "maker": "Us", **data}
    return Part(f"us/{name}", kind, full, f"{name}.yaml", sources={"sheet": {"doc": "S"}}, constraints=constraints)


def told(**data: Any) -> list[str]:
    return [f"{item.message} ({item.fix})" for item in loose_names(part(**{"slots": SLOTS, **data}))]


def test_names_that_lead_somewhere() -> None:
    assert told(
        rows=[["1", "2"]],
        bridges={"groups": [["1", "2"]], "modes": ["gpu"]},
        modes={"gpu": {"title": "GPU"}},
        bays=[{"name": "front", "count": 1, "modes": ["gpu"]}],
        risers={"r1": {"title": "R1", "cpu": 2}},
        switches={"s1": {"uplink": {"cpu": 1}}},
        cpu={"sockets": 2},
        psu={"domains": {"board": {"bays": ["1"], "feeds": ["cpus", "fans", "3"]}}},
    ) == []  # fmt: skip


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"rows": [["1", "9"]]}, "rows.0.1 names 9, and the file has no such slot (the slot names are 1, 2, 3)"),
        ({"bridges": {"groups": [["4", "1"]]}},
         "bridges.groups.0.0 names 4, and the file has no such slot (the slot names are 1, 2, 3)"),
        ({"psu": {"domains": {"b": {"bays": ["1"], "feeds": ["cpu"]}}}},
         "psu.domains.b.feeds.0 names cpu, and the file has no such slot (the slot names are 1, 2, 3)"),
        ({"slots": [{"names": ["1"], "switch": "sw1"}]},
         "slots.0.switch names sw1, and the file has no such switch (the file has none: add it, or remove the name)"),
        ({"slots": [{"names": ["1"], "riser": "riser-1"}], "risers": {"riser1": {"title": "R"}}},
         ("slots.0.riser names riser-1, and the file has no such riser "
         "(did you mean riser1? The riser names are riser1)")),
        ({"slots": [{"names": ["1"], "modes": ["gpu"]}]},
         "slots.0.modes.0 names gpu, and the file has no such mode (the file has none: add it, or remove the name)"),
        ({"bays": [{"name": "f", "count": 1, "modes": ["x"]}], "modes": {"gpu": {"title": "G"}}},
         "bays.0.modes.0 names x, and the file has no such mode (the mode names are gpu)"),
        ({"cpu": {"sockets": 1}},
         ("slots.1.cpu is CPU 2, and the board has 1 sockets "
         "(CPUs are counted from 1: correct slots.1.cpu, or cpu.sockets)")),
        ({"cpu": {"sockets": 2}, "switches": {"s": {"uplink": {"cpu": 3}}}},
         ("switches.s.uplink.cpu is CPU 3, and the board has 2 sockets "
         "(CPUs are counted from 1: correct switches.s.uplink.cpu, or cpu.sockets)")),
    ],
)  # fmt: skip
def test_a_name_that_leads_nowhere(data: dict[str, Any], message: str) -> None:
    assert told(**data) == [message]


def test_without_a_slot_map_no_slot_can_be_missed() -> None:
    assert told(slots=None, rows=[["1", "2"]]) == []


@pytest.mark.parametrize(
    ("first", "second", "is_double"),
    [
        ({}, {}, True),
        ({"riser": "a"}, {"riser": "b"}, False),
        ({"riser": "a"}, {"riser": "a"}, True),
        ({"modes": ["x"]}, {"modes": ["y"]}, False),
        ({"modes": ["x"]}, {"modes": ["x", "y"]}, True),
        ({"modes": ["x"]}, {}, True),
    ],
)
def test_a_slot_is_described_twice(first: dict[str, Any], second: dict[str, Any], is_double: bool) -> None:
    slots = [{"names": ["1"], **first}, {"names": ["2", "1"], **second}]
    names = {"risers": {"a": {}, "b": {}}, "modes": {"x": {}, "y": {}}}
    assert told(slots=slots, **names) == (
        ["slot 1 is described twice (keep one entry, or say by riser or modes which of them exists when)"]
        if is_double
        else []
    )


def test_constraints_with_one_id() -> None:
    owner = part(constraints=({"id": "a"}, {"id": "b"}, {"id": "a"}))
    assert [str(item.message) for item in double_constraints(owner)] == ["there are two constraints with the id a"]


def test_the_source_of_a_constraint() -> None:
    owner = part(constraints=({"id": "a", "source": {"id": "sheet"}}, {"id": "b", "source": {"id": "guide"}}))
    assert [f"{item.message} ({item.fix})" for item in constraint_sources(owner)] == [
        "constraints.1.source.id names guide, and the file has no such source (the source names are sheet)"
    ]


def stock() -> Catalog:
    return index(
        [
            part("psu", "psu"),
            part("gpu", "gpu"),
            part("cpu", "cpu", family="epyc-9004"),
            part("memory", "dimm", type="DDR5-RDIMM"),
            part("chassis", "c1", memory={"types": ["DDR5-MRDIMM"]}),
            part("chassis", "c2", memory={"types": ["DDR5-MRDIMM"]}),
        ]
    )


def test_a_part_of_another_kind() -> None:
    names = [("psu.models.0", "us/gpu"), ("qualified_gpus.0.gpu", "us/gpu"), ("lifecycle.replaced_by", "us/c1"),
             ("modes.a.parts.0", "us/gpu")]  # fmt: skip
    assert [f"{item.message} ({item.fix})" for item in wrong_kinds(part(), stock(), names)] == [
        "psu.models.0 names us/gpu, which is of the kind gpu; here belongs a psu (write the id of a psu)"
    ]


def test_families_and_kinds_of_memory_that_no_part_has() -> None:
    """What one chassis alone names is a slip of its writer; what several name, the catalog lacks."""
    odd = part("chassis", "c3", cpu={"families": ["epyc-9004", "EPYC 9004"]}, memory={"types": ["DDR5-MRDIMM", "DDR5"]})
    catalog = index([*stock().parts.values(), odd])
    assert [f"{item.severity} {item.message} ({item.fix})" for item in unknown_choices(odd, catalog, {})] == [
        (
            "warning cpu.families names EPYC 9004; no part of the kind cpu has this family "
            "(did you mean epyc-9004? There are epyc-9004)"
        ),
        (
            "warning memory.types names DDR5; no part of the kind memory has this type "
            "(write it as those parts do: DDR5-MRDIMM, DDR5-RDIMM)"
        ),
    ]
