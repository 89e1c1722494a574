"""Types and units are checked when a rule is loaded."""

from __future__ import annotations

import pytest

from rackwright.expression import (
    Expression,
    Field,
    Flag,
    ListOf,
    Number,
    Record,
    Text,
    Type,
    parse,
)
from rackwright.expression.check import check, check_flag
from rackwright.source import Location
from rackwright.units import NUMBER, unit_of

NAMES = ("draw_peak_w", "feed_va", "current_a", "line_to_line_v", "depth_mm", "memory_gb", "lanes", "inlet_c")
PART = Record("part", {name: Field(Number(unit_of(name), is_signed=name == "inlet_c")) for name in NAMES})
NODE_FIELDS: dict[str, Field] = {
    **PART.fields,
    "parts": Field(ListOf(PART)),
    "is_rack": Field(Flag()),
    "redundancy": Field(Text(frozenset({"none", "1+1", "2+2"}))),
    "name": Field(Text()),
    "tags": Field(ListOf(Text())),
    "sizes_mm": Field(ListOf(Number(unit_of("mm")))),
    "flags": Field(ListOf(Flag())),
}
NODE = Record("node", NODE_FIELDS)
NODE_FIELDS["peer"] = Field(NODE)  # records may be recursive
SCOPE: dict[str, Type] = {
    "node": NODE,
    "policy": Record("policy", {"breaker_ratio": Field(Number(NUMBER)), "limit_w": Field(Number(unit_of("limit_w")))}),
}


def read(text: str) -> Expression:
    expression, findings = parse(text, Location("r.yaml", 5, 11))
    assert expression is not None, findings
    return expression


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node.line_to_line_v * node.current_a", "W"),
        ("sum(p.draw_peak_w for p in node.parts) + node.draw_peak_w", "W"),
        ("sum(p.lanes * p.draw_peak_w for p in node.parts)", "W"),
        ("node.draw_peak_w / node.line_to_line_v", "A"),
        ("node.draw_peak_w * policy.breaker_ratio", "W"),
        ("node.draw_peak_w / policy.limit_w", ""),
        ("node.draw_peak_w // policy.limit_w", ""),
        ("node.depth_mm % 2", "mm"),
        ("-node.peer.peer.depth_mm", "mm"),
        ("node.draw_peak_w if node.is_rack else 0", "W"),
        ("max(node.draw_peak_w, 0, policy.limit_w)", "W"),
        ("max((p.draw_peak_w for p in node.parts), default=0)", "W"),
        ("min(node.sizes_mm)", "mm"),
        ("ceil(node.memory_gb / 16)", "GB"),
        ("count(p for p in node.parts if p.lanes > 8) + len(node.parts)", ""),
        ("0 + node.draw_peak_w", "W"),
        ("sum(p.draw_peak_w if p.lanes == 16 else 0 for p in node.parts)", "W"),
    ],
)
def test_unit_of_a_figure(text: str, expected: str) -> None:
    found, findings = check(read(text), SCOPE)
    assert findings == []
    assert isinstance(found, Number)
    assert found.unit.symbol == expected


@pytest.mark.parametrize(
    "text",
    [
        "node.draw_peak_w <= node.feed_va",
        "node.draw_peak_w <= 5000",
        "0 < node.draw_peak_w < 5000 * 2",
        "node.draw_peak_w in [350, 700]",
        "node.line_to_line_v * node.current_a * 0.8 >= node.draw_peak_w",
        "node.redundancy != 'none'",
        "node.redundancy in ['1+1', '2+2']",
        "node.name == 'none' and 'a' in node.tags",
        "node.name < 'b'",
        "node.tags == []",
        "node.is_rack == True",
        "any(node.flags) or all(p.lanes in [8, 16] for p in node.parts)",
        "node.parts[0].lanes == len(node.parts)",
        "('1+1' if node.is_rack else 'none') == node.redundancy",
        "node.lanes in []",
        "node.draw_peak_w <= (350 if node.is_rack else 2 * 150)",
    ],
)
def test_flags_that_are_fine(text: str) -> None:
    assert check_flag(read(text), SCOPE) == []


@pytest.mark.parametrize(
    ("text", "code", "message", "fix"),
    [
        ("node.draw_peak_w <= node.current_a", "RUL013",
         "node.draw_peak_w is in W, but node.current_a is in A", None),
        ("node.lanes + node.depth_mm > 1", "RUL013", "node.lanes is in no unit, but node.depth_mm is in mm", None),
        ("node.draw_peak_w + 5 > 1", "RUL013", "node.draw_peak_w is in W, but 5 is in no unit", None),
        ("max(node.draw_peak_w, 1) > 1", "RUL013", "node.draw_peak_w is in W, but 1 is in no unit", None),
        ("node.memory_gb * 2 == node.lanes", "RUL013", "node.memory_gb * 2 is in GB, but node.lanes is in no unit",
         None),
        ("node.draw_peek_w <= 5", "RUL014", "node has no field draw_peek_w", "did you mean draw_peak_w?"),
        ("node.parts[0].lane <= 5", "RUL014", "node.parts[0] has no field lane", "did you mean lanes?"),
        ("nod.lanes <= 5", "RUL014", "there is no nod here; there are node, policy", "did you mean node?"),
        ("true", "RUL014", "there is no true here; there are node, policy", "did you mean True?"),
        ("node.lanes == 'x16'", "RUL012", "node.lanes is a pure number, but 'x16' is a text", None),
        ("node.draw_peak_w <= '205 W'", "RUL012", "node.draw_peak_w is a number in W, but '205 W' is a text",
         "write the figure without quotes and unit: 205"),
        ("node.parts > 0", "RUL012", "node.parts is a list of record part, but 0 is a pure number",
         "count it: len(node.parts)"),
        ("node.parts[0] == 'x'", "RUL012", "node.parts[0] is a record part, but 'x' is a text",
         "compare node.parts[0].id"),
        ("limit_w > 1", "RUL014", "there is no limit_w here; there are node, policy", "did you mean policy.limit_w?"),
        ("node.redundancy == 'n+1'", "RUL012", "'n+1' is no possible value: 1+1, 2+2, none", "did you mean 1+1?"),
        ("node.redundancy in ['none', 'N+N']", "RUL012", "'N+N' is no possible value: 1+1, 2+2, none", None),
        ("node.redundancy < '2+2'", "RUL012", "a text has no order: node.redundancy < '2+2'", None),
        ("node.name in node.redundancy", "RUL012", "node.redundancy is a text, not a list", None),
        ("node.lanes", "RUL012", "node.lanes is a pure number, not a flag", None),
        ("node.is_rack and node.lanes", "RUL012", "node.lanes is a pure number, not a flag", None),
        ("not node.name", "RUL012", "node.name is a text, not a flag", None),
        ("node.name + 1 > 2", "RUL012", "node.name is a text, not a number", None),
        ("node.is_rack * 2 > 1", "RUL012", "node.is_rack is a flag, not a number", None),
        ("node.parts.lanes > 1", "RUL012", "node.parts is a list of record part and has no fields", None),
        ("node.lanes[0] > 1", "RUL012", "node.lanes is a pure number, not a list", None),
        ("node.peer == node.peer", "RUL012", "records cannot be compared: node.peer, node.peer",
         "compare their ids"),
        ("sum(p.lanes for p in node.name) > 1", "RUL012", "node.name is a text, not a list", None),
        ("any(p.lanes for p in node.parts)", "RUL012",
         "any takes flags; p.lanes yields a pure number", None),
        ("sum(node.tags) > 1", "RUL012", "sum takes numbers; node.tags yields a text", None),
        ("node.lanes in [1, 'a']", "RUL012", "a list holds values of one type: [1, 'a']", None),
        ("any(node.is_rack for node in policy.x)", "RUL011", "the name node is already taken", None),
        ("all(p.lanes > 1 for p in node.parts if p.lanes)", "RUL012", "p.lanes is a pure number, not a flag", None),
    ],
)  # fmt: skip
def test_problem_is_named(text: str, code: str, message: str, fix: str | None) -> None:
    [finding] = check_flag(read(text), SCOPE)
    assert (finding.code, str(finding.message)) == (code, message)
    assert (str(finding.fix) if finding.fix else None) == fix


def test_all_problems_are_found_at_their_place() -> None:
    findings = check_flag(read("node.lane == 1 and node.name > 2 and node.depth_mm == node.current_a"), SCOPE)
    assert [(f.code, f.at) for f in findings] == [
        ("RUL014", Location("r.yaml", 5, 16)),
        ("RUL012", Location("r.yaml", 5, 42)),
        ("RUL013", Location("r.yaml", 5, 65)),
    ]


def test_sign_is_carried() -> None:
    signs = [
        check(read(text), SCOPE)[0] for text in ("node.lanes", "node.lanes - 1", "node.inlet_c", "abs(node.inlet_c)")
    ]
    assert [isinstance(found, Number) and found.is_signed for found in signs] == [False, True, True, False]
