"""The exact path: values by hand, three-valued logic, bounds, and what is named as missing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from rackwright.expression import (
    Expression,
    Field,
    LazyRecord,
    Number,
    Record,
    Result,
    Unknown,
    evaluate,
    parse,
)

H100 = {"id": "nvidia/h100-pcie-80gb", "evidence": {}, "power": {"max_w": 350}}
L4 = {"id": "nvidia/l4", "evidence": {}, "power": {}}
NODE = {
    "id": "node-1",
    "gpus": [{"part": H100, "slot": 1}, {"part": H100, "slot": 2}, {"part": L4, "slot": 3}],
    "psu_w": 1600,
    "lanes": 16,
    "kind": "sxm",
    "is_on": True,
    "sizes": [3, 1, 2],
    "none": [],
}


def read(text: str) -> Expression:
    expression, findings = parse(text)
    assert expression is not None, findings
    return expression


def value(text: str, **extra: Any) -> Any:
    return evaluate(read(text), {"node": {**NODE, **extra}}).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum(g.part.power.max_w for g in node.gpus if g.slot < 3)", 700),
        ("node.psu_w - 2 * 350 // 3 % 100", 1567),
        ("node.gpus[0].part.power.max_w / 100", 3.5),
        ("node.gpus[-1].slot", 3),
        ("max(node.sizes) - min(node.sizes) + len(node.sizes)", 5),
        ("count(s for s in node.sizes if s > 1)", 2),
        ("sorted(node.sizes)", [1, 2, 3]),
        ("max((s for s in node.sizes if s > 9), default=-1)", -1),
        ("sum(node.none)", 0),
        ("all(s > 9 for s in node.none)", True),
        ("any(s > 9 for s in node.none)", False),
        ("round(2.5) + ceil(0.1) + floor(0.9) + abs(-4)", 7),
        ("round(node.psu_w / 7, 2)", 228.57),
        ("1 if node.kind in ['sxm', 'oam'] else 2", 1),
        ("1 < 2 < 3 > 2", True),
        ("not node.is_on or node.kind == 'pcie'", False),
    ],
)
def test_known_values(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Kleene: what is known settles it, on either side.
        ("False and node.x_w > 1", False),
        ("node.x_w > 1 and False", False),
        ("True or node.x_w > 1", True),
        ("node.x_w > 1 or True", True),
        ("node.is_missing and node.is_gone", None),
        ("not node.is_missing", None),
        ("node.is_missing or not node.is_missing", None),
        # A missing figure with an unsigned unit is at least zero; with a signed unit, or none, it can be anything.
        ("node.x_w >= 0", True),
        ("node.x_w < 0", False),
        ("node.x_w > 0", None),
        ("node.inlet_c >= -300", None),
        ("node.slots >= 0", None),
        ("node.x_w == -1", False),
        ("node.x_w != -1", True),
        ("node.x_w == 0", None),
        ("-node.x_w == 0", None),
        ("node.x_w + 1600 > node.psu_w - 1", True),
        ("node.x_w * 0 == 0", True),
        ("-node.x_w <= 0", True),
        ("1600 - node.x_w <= 1600", True),
        ("abs(node.inlet_c) >= 0", True),
        ("ceil(node.x_w / 3) >= 0", True),
        ("min(node.x_w, 5) <= 5", True),
        ("max(node.x_w, 5) >= 5", True),
        ("max(node.x_w, 5) > 5", None),
        ("7 % (node.x_w + 2) >= 0", True),
        # Sums of non-negative figures already over the limit fail whatever is missing.
        ("sum(g.part.power.max_w for g in node.gpus) <= 699", False),
        ("sum(g.part.power.max_w for g in node.gpus) <= 700", None),
        ("sum(g.part.power.max_w for g in node.gpus) >= 700", True),
        ("any(g.part.power.max_w > 300 for g in node.gpus)", True),
        ("any(g.part.power.max_w > 400 for g in node.gpus)", None),
        ("all(g.part.power.max_w > 400 for g in node.gpus)", False),
        ("all(g.part.power.max_w > 300 for g in node.gpus)", None),
        ("max(g.part.power.max_w for g in node.gpus) >= 350", True),
        ("min(g.part.power.max_w for g in node.gpus) <= 350", True),
        ("min(g.part.power.max_w for g in node.gpus) >= 350", None),
        ("len(node.gpus) == 3", True),
        # Filters that nobody knows.
        ("count(g for g in node.gpus if g.part.power.max_w > 300) >= 2", True),
        ("count(g for g in node.gpus if g.part.power.max_w > 300) <= 3", True),
        ("count(g for g in node.gpus if g.part.power.max_w > 300) == 2", None),
        ("sum(g.slot for g in node.gpus if g.part.power.max_w > 300) <= 6", True),
        ("max((g.slot for g in node.gpus if g.part.power.max_w > 300), default=0) <= 3", True),
        ("all(g.slot > 0 for g in node.gpus if g.part.power.max_w > 300)", True),
        ("any(g.slot > 3 for g in node.gpus if g.is_spare)", False),
        ("any(g.slot > 0 for g in node.gpus if g.is_spare)", None),
        ("all(g.slot > 3 for g in node.gpus if g.is_spare)", None),
        # Lists that nobody knows.
        ("len(node.nics) >= 0", True),
        ("sum(n.power_w for n in node.nics) >= 0", True),
        ("sum(n.power_w for n in node.nics) <= 1", None),
        ("all(True for n in node.nics)", True),
        ("any(False for n in node.nics)", False),
        ("any(n.is_up for n in node.nics)", None),
        ("max(n.power_w for n in node.nics) >= 0", None),
        ("-1 in node.sizes_mm", False),
        ("1 in node.sizes_mm", None),
        ("node.what in []", False),
        ("node.what in ['a']", None),
        # Choices.
        ("(1 if node.is_missing else 1) == 1", True),
        ("(5 if node.is_missing else 7) > 4", True),
        ("(5 if node.is_missing else 7) > 5", None),
        ("('a' if node.is_missing else 'b') == 'c'", None),
        # What has no value counts as a figure that nobody knows.
        ("1 / (node.lanes - 16) > 0", None),
        ("1 / (node.lanes - 16) > 0 or True", True),
        ("1 / node.x_w >= 0", None),
        ("min(node.none) > 0", None),
        ("node.gpus[7].slot == 1", None),
    ],
)
def test_three_values(text: str, expected: bool | None) -> None:
    found = value(text)
    assert (None if isinstance(found, Unknown) else found) == expected


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("sum(g.part.power.max_w for g in node.gpus)", 700, math.inf),
        ("max(g.part.power.max_w for g in node.gpus)", 350, math.inf),
        ("min(g.part.power.max_w for g in node.gpus)", 0, 350),
        ("count(g for g in node.gpus if g.part.power.max_w > 1)", 2, 3),
        ("sum(g.slot for g in node.gpus if g.part.power.max_w > 1)", 3, 6),
        ("sum(-g.slot for g in node.gpus if g.part.power.max_w > 1)", -6, -3),
        ("min(4 - g.slot for g in node.gpus if g.part.power.max_w > 1)", 1, 2),
        ("max(g.slot for g in node.gpus if g.part.power.max_w > 1)", 2, 3),
        ("max((g.slot for g in node.gpus if g.is_spare), default=0)", 0, 3),
        ("min(g.slot for g in node.gpus if g.is_spare)", -math.inf, math.inf),
        ("node.x_w - node.y_w", -math.inf, math.inf),
        ("node.x_w * (node.y_w + 1) * 2 + 1", 1, math.inf),
        ("node.lanes % -(node.x_w + 1)", -math.inf, 0),
        ("node.inlet_c", -math.inf, math.inf),
        ("node.x_w - 5", -5, math.inf),
        ("(node.x_w + 1) * -2", -math.inf, -2),
        ("10 / (node.x_w + 2)", 0, 5),
        ("10 // (node.x_w + 3)", 0, 3),
        ("-10 // (node.x_w + 4)", -3, -1),
        ("5 if node.is_missing else node.x_w", 0, math.inf),
    ],
)
def test_bounds(text: str, low: float, high: float) -> None:
    found = value(text)
    assert isinstance(found, Unknown)
    assert (found.low, found.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("node.x_w > 1", [("node.x_w", "node-1", "x_w")]),
        (
            "sum(g.part.power.max_w for g in node.gpus)",
            [("node.gpus[2].part.power.max_w", "nvidia/l4", "power.max_w")],
        ),
        ("node.chassis.power.base_w", [("node.chassis.power.base_w", "node-1", "chassis.power.base_w")]),
        (
            "all(g.part.length_mm < 1 for g in node.gpus)",
            [
                (f"node.gpus[{n}].part.length_mm", owner, "length_mm")
                for n, owner in enumerate([H100["id"], H100["id"], L4["id"]])
            ],
        ),
        ("sum(n.power_w for n in node.nics) < 1 and node.x_w > 1",
         [("node.nics", "node-1", "nics"), ("node.x_w", "node-1", "x_w")]),
        ("policy.limit_w > 1", [("policy.limit_w", "", "policy.limit_w")]),
        ("node.gpus[0].part.id == 'a' and node.x_w > 1", []),
        ("1 / 0 > 1", []),
    ],
)  # fmt: skip
def test_missing_facts_name_their_owner(text: str, missing: list[tuple[str, str, str]]) -> None:
    result = evaluate(read(text), {"node": NODE})
    assert [(read.path, read.owner_id, read.field) for read in result.missing] == missing


def test_reason_of_a_division_by_zero() -> None:
    found = value("1 / (node.lanes - 16)")
    assert found == Unknown(reason="division by zero in 1 / (node.lanes - 16)")


def test_shapes_tell_what_can_be_negative() -> None:
    fields = {"slots": Field(Number(is_integer=True)), "margin_w": Field(Number(is_signed=True))}
    shapes = {"node": Record("node", fields)}
    found = [evaluate(read(text), {"node": {}}, shapes).value for text in ("node.slots >= 0", "node.margin_w >= 0")]
    assert found[0] is True
    assert isinstance(found[1], Unknown)


def test_resolver_supplies_quantities_with_their_bounds() -> None:
    total = read("sum(g.part.power.max_w for g in node.gpus)")
    asked: list[str] = []

    def resolver(record: Mapping[str, Any], key: str) -> Result | None:
        asked.append(key)
        return evaluate(total, {"node": record}, resolver=resolver) if key == "draw_w" else None

    scope = {"node": NODE}
    assert evaluate(read("node.draw_w <= 600"), scope, resolver=resolver).value is False
    found = evaluate(read("node.draw_w <= 900 and node.kind == 'sxm'"), scope, resolver=resolver)
    assert [read.path for read in found.missing] == ["node.gpus[2].part.power.max_w"]
    assert asked == ["draw_w", "max_w", "draw_w", "max_w"]


def test_missing_quantity_without_resolver_has_no_bounds() -> None:
    record = LazyRecord({"id": "node-1"}, {"margin_w": lambda node: node["limit_w"] - 1})
    found = evaluate(read("node.margin_w"), {"node": record}).value
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_trace_is_absent_unless_asked_for() -> None:
    assert evaluate(read("node.lanes"), {"node": NODE}).trace is None


def test_trace_records_reads_of_known_facts() -> None:
    trace = evaluate(read("sum(g.part.power.max_w for g in node.gpus if g.slot < 3)"), {"node": NODE}, trace=True).trace
    assert trace is not None
    reads = [(read.owner_id, read.field) for read in trace.all_reads()]
    assert reads == [
        ("node-1", "gpus[0].slot"),
        ("nvidia/h100-pcie-80gb", "power.max_w"),
        ("node-1", "gpus[1].slot"),
        ("nvidia/h100-pcie-80gb", "power.max_w"),
        ("node-1", "gpus[2].slot"),
    ]
