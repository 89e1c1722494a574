"""Derivations as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rackwright.expression import Expression, Result, evaluate, lines, parse

H100 = {"id": "nvidia/h100-pcie-80gb", "evidence": {}, "power": {"max_w": 350}}
CPU = {"id": "amd/epyc-9454", "evidence": {}, "power": {"max_w": 290}}
BARE = {"id": "nvidia/l4", "evidence": {}, "power": {}}


def read(text: str) -> Expression:
    expression, findings = parse(text)
    assert expression is not None, findings
    return expression


QUANTITIES = {
    "draw_peak_w": "node.gpus_w + sum(c.count * c.part.power.max_w for c in node.cpus)",
    "gpus_w": "sum(g.part.power.max_w for g in node.gpus)",
}


def resolver(record: Mapping[str, Any], key: str) -> Result | None:
    text = QUANTITIES.get(key)
    return evaluate(read(text), {"node": record}, resolver=resolver, trace=True) if text else None


def derivation(text: str, gpus: list[dict[str, Any]]) -> list[str]:
    node = {
        "id": "node-1",
        "gpus": [{"part": part} for part in gpus],
        "cpus": [{"part": CPU, "count": 2}],
        "psus": 2,
        "kind": "sxm",
    }
    trace = evaluate(read(text), {"node": node}, resolver=resolver, trace=True).trace
    assert trace is not None
    return lines(trace)


def test_quantities_are_expanded_down_to_the_catalog() -> None:
    assert derivation("node.draw_peak_w <= 2000", [H100] * 4) == [
        "node.draw_peak_w <= 2000: 1 980 W <= 2 000 W is true",
        "  node.draw_peak_w = 1 400 W + 2 x 290 W = 1 980 W",
        "    node.gpus_w = 4 x 350 W = 1 400 W",
        "      nvidia/h100-pcie-80gb power.max_w = 350 W",
        "    node-1 cpus[0].count = 2",
        "    amd/epyc-9454 power.max_w = 290 W",
    ]


def test_sum_over_the_limit_with_a_missing_figure() -> None:
    assert derivation("node.gpus_w <= 1000", [H100, H100, H100, BARE]) == [
        "node.gpus_w <= 1000: (≥ 1 050 W) <= 1 000 W is false",
        "  node.gpus_w = 3 x 350 W + unknown ≥ 1 050 W",
        "    nvidia/h100-pcie-80gb power.max_w = 350 W",
        "    nvidia/l4 power.max_w = unknown",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1 + 2) * 3", "(1 + 2) * 3: (1 + 2) x 3 = 9"),
        ("7 - (3 - 1)", "7 - (3 - 1): 7 - (3 - 1) = 5"),
        ("sum(g.part.power.max_w for g in node.gpus) * 2",
         "sum(g.part.power.max_w for g in node.gpus) * 2: 2 x 350 W x 2 = 1 400 W"),
        ("all(g.part.power.max_w < 300 for g in node.gpus)",
         "all(g.part.power.max_w < 300 for g in node.gpus): 0 of 2 hold; not 350 W < 300 W is false"),
        ("any(g.part.power.max_w > 300 for g in node.gpus)",
         "any(g.part.power.max_w > 300 for g in node.gpus): 2 of 2 hold: 350 W > 300 W is true"),
        ("node.psus == 2 and node.kind == 'pcie'",
         "node.psus == 2 and node.kind == 'pcie': (2 == 2) and (sxm == pcie) is false"),
        ("node.psus if node.kind == 'sxm' else 0", "node.psus if node.kind == 'sxm' else 0: 2"),
        ("max(node.psus, 3)", "max(node.psus, 3): max(2, 3) = 3"),
        ("1 / (node.psus - 2)", "1 / (node.psus - 2): 1 / (2 - 2) = unknown (division by zero in 1 / (node.psus - 2))"),
        ("node.kind in ['sxm', 'oam']", "node.kind in ['sxm', 'oam']: sxm in sxm, oam is true"),
        ("len(node.gpus)", "len(node.gpus): 2"),
        ("-node.psus", "-node.psus: -2"),
    ],
)  # fmt: skip
def test_first_line(text: str, expected: str) -> None:
    assert derivation(text, [H100, H100])[0] == expected


def test_arithmetic_inside_a_comparison_is_shown() -> None:
    assert derivation("sum(g.part.power.max_w for g in node.gpus) * 2 <= 1000", [H100]) == [
        "sum(g.part.power.max_w for g in node.gpus) * 2 <= 1000: 700 W <= 1 000 W is true",
        "  sum(g.part.power.max_w for g in node.gpus) * 2 = 350 W x 2 = 700 W",
        "    nvidia/h100-pcie-80gb power.max_w = 350 W",
    ]


def test_missing_list_is_named() -> None:
    assert derivation("sum(n.power_w for n in node.nics) <= 10", [])[1:] == [
        "  node-1 nics = unknown",
    ]


def test_facts_can_be_annotated() -> None:
    trace = evaluate(read("gpu.power.max_w"), {"gpu": H100}, trace=True).trace
    assert trace is not None
    assert lines(trace, lambda fact: f"{fact.field}: PB-1, p. 4, vendor")[1:] == [
        "  nvidia/h100-pcie-80gb power.max_w = 350 W (power.max_w: PB-1, p. 4, vendor)",
    ]
