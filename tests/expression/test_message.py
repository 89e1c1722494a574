"""Messages with holes."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright.diagnostic import Figure
from rackwright.expression import Field, ListOf, Number, Record, Text, parse_template
from rackwright.source import Location
from rackwright.units import unit_of

NODE: dict[str, Any] = {
    "id": "node-1",
    "title": "Training node",
    "draw_peak_w": 1980,
    "ids": ["a", "b"],
    "none": [],
    "is_on": True,
    "gpus": [{"x_w": 350}, {}],
    "chassis": {"id": "dell/r760xa"},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("peak draw {node.draw_peak_w} exceeds {node.draw_peak_w * 0.5}", "peak draw 1 980 W exceeds 990 W"),
        ("{node.ids}; {node.none}", "a, b; none"),
        ("{node} in {node.chassis}", "Training node in dell/r760xa"),
        ("{node.missing_w} of {node.is_on}", "unknown of yes"),
        ("{sum(g.x_w for g in node.gpus)} and {count(g for g in node.gpus)}", "≥ 350 W and 2"),
        ("{{not a hole}} {node.ids[0]} }}", "{not a hole} a }"),
        ("{'sxm' if node.is_on else 'pcie'}", "sxm"),
        ("no holes", "no holes"),
    ],
)
def test_filled_text(text: str, expected: str) -> None:
    template, findings = parse_template(text)
    assert findings == []
    assert template is not None
    assert str(template.fill({"node": NODE})) == expected


def test_source_text_stays_the_key() -> None:
    template, _ = parse_template("{node.draw_peak_w} W")
    assert template is not None
    assert template.keys == ("node.draw_peak_w",)
    message = template.fill({"node": NODE})
    assert message.template == "{node.draw_peak_w} W"
    assert message.figures == {"node.draw_peak_w": Figure(1980, unit_of("x_w"))}


def test_unit_comes_from_the_shapes() -> None:
    shapes = {"node": Record("node", {"limits": Field(ListOf(Number(unit_of("x_mm")))), "name": Field(Text())})}
    template, _ = parse_template("{node.limits[0]} {node.limits} {node.name}")
    assert template is not None
    assert template.check(shapes) == []
    assert str(template.fill({"node": {"limits": [3, 4], "name": "x"}}, shapes)) == "3 mm 3 mm, 4 mm x"


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("draw {node.x", "RUL010", 15),
        ("draw node.x}", "RUL010", 21),
        ("draw {} x", "RUL010", 16),
        ("draw {node.__class__}", "RUL011", 16),
        ("draw {node.x!r:>1000000000}", "RUL010", 22),
    ],
)
def test_problem_has_a_place(text: str, code: str, column: int) -> None:
    template, [finding] = parse_template(text, Location("r.yaml", 2, 10))
    assert template is None
    assert (finding.code, finding.at) == (code, Location("r.yaml", 2, column))


def test_holes_are_checked() -> None:
    template, _ = parse_template("{node.nam} {node.name + 1}")
    assert template is not None
    shapes = {"node": Record("node", {"name": Field(Text())})}
    assert [finding.code for finding in template.check(shapes)] == ["RUL014", "RUL012"]
