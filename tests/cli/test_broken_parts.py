"""Broken part files of all kinds: each is told in its own file, with a fix, and none ends in a traceback."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.conftest import Call

HEAD = """\
kind: {kind}
id: acme/x
title: Acme X
maker: Acme
{more}sources: {{s: {{doc: Acme sheet}}}}
evidence: {{"*": {{source: s, grade: vendor}}}}
"""
CASE = "constraints: [{id: c, require: node.count <= 4, source: {id: s}, tests: [%s]}]\n"
# what is written below the head, and the codes that it is told with
GPU = [
    ("memory: null", "CFG006"),
    ("power: {max_w: .nan}", "CFG006"),
    ("power: {max_w: 1e400}", "CFG005"),
    ('power: {max_w: "350"}', "CAT002"),
    ("power: {max_w: 1_000}", "CAT002"),
    ("card: {width_slots: true}", "CAT002"),
    ("title: twice", "CFG004"),
    ("notes: just text", "CAT002"),
    ("memory: [1, 2]", "CAT002"),
    ("? [a, b]\n: c", "CFG003"),
    ("memory: &m {capacity_gb: 5}\nnotes: [*m]", "CAT002"),
    ("x: !!python/object:os.system {}", "CFG007"),
    ("<<: {weight_kg: 3}", "CFG007"),
    ("\tweight_kg: 3", "CFG003"),
    ("weight_kg: 3\n---\nkind: gpu", "CFG003"),
    ("mpn: [900-21, true, null]", "CFG006"),
    ("mpn: [1.10]", "CAT002"),
    ("True: 3", "CFG003"),
    ("~: 3", "CFG006"),
    ("1: 2", "CAT002"),
    ('title2: "\u202e evil \x1b[31m"', "CFG003"),
    ("aliases: [ACME/X]", "CAT002"),
    ("lifecycle: {replaced_by: acme/x}", "CAT017"),
    ("lifecycle: {announced: 2026-13-45}", "CAT002"),
    ("power: {by_cable_level_w: {x: 310}}", "CAT002"),
    ("power_inputs: []\npower: {max_w: 500}", "CAT031"),
    ("power: {max_w: 300, min_w: 400}", "CAT031"),
    ("nvlink: {is_supported: true, groups: [{cards: 2, bridge: acme/x}]}", "CAT017"),
]
CHASSIS = [
    ("slots: [{names: []}]", "CAT002"),
    ('slots: [{names: ["1", "1"]}]', "CAT015"),
    ("slots: 8", "CAT002"),
    ('rows: [["1"]]\nslots: []', "CAT015"),
    ("modes: [a]", "CAT002"),
    ("modes: {a: {title: A, parts: [acme/nope]}}", "CAT010"),
    ("psu: {models: [acme/x]}", "CAT017"),
    ("rack: {height_u: 400}", "CAT002"),
    ("cpu: {counts: [3], sockets: 2}", "CAT015"),
    ('psu: {domains: {a: {bays: ["1", "2", "3"]}}, bays: 2}', "CAT015"),
    ("inlet: {min_c: 40, max_c: 35}", "CAT031"),
    ("risers: {r: {}}", "CAT002"),
    ("rails_part: acme/x", "CAT017"),
    ("included: cable", "CAT002"),
    ("constraints: {id: c}", "CAT002"),
    ("constraints: [{id: c, source: {id: s}, tests: []}]", "CAT016 RUL023"),
    ("constraints: [{id: c, require: 1 + 1, source: {id: s}}]", "RUL012"),
    ('constraints: [{id: c, require: ""}]', "CAT016 RUL010"),
    ("constraints: [{id: c, require: __import__(1) == 1}]", "RUL011"),
    ('constraints: [{id: c, require: node.count <= 4, message: "{node.count"}]', "RUL010"),
    ("constraints: [{id: c, require: node.count <= 4, source: {id: s, page: 3}}]", "CAT002"),
    ("constraints: [{id: c, adds: {part: acme/nope, quantity: 1 per gpu, reason: x}}]", "CAT010 RUL010"),
    *(
        (CASE % case, codes)
        for case, codes in (
            ("5", "CAT002"),
            ("{}", "CAT002"),
            ("{name: x}", "CAT002"),
            ("{name: x, expect: maybe}", "CAT002"),
            ("{name: x, given: 5, expect: pass}", "CAT002"),
            ("{name: x, given: {node: {count: many}}, expect: pass}", "RUL020"),
            ("{name: x, given: {node: {count: [3]}}, expect: pass}", "RUL020"),
            ("{name: x, expct: pass}", "CAT002"),
        )
    ),
]
FILES = [
    b"",
    b"\xff\xfek",
    b"kind: gpu\x00",
    b"[]",
    b"3",
    b"{" * 3000,
    b"a: [" * 2000,
    b"kind: [gpu]\nid: 3",
    b"kind: {a: b}\n",
]


def told(done_out: str) -> str:
    return " ".join(sorted(set(re.findall(r"^(?:error|warning) (\w+)", done_out, re.MULTILINE))))


@pytest.mark.parametrize(
    ("kind", "more", "codes"), [("gpu", *case) for case in GPU] + [("chassis", *case) for case in CHASSIS]
)
def test_a_broken_part_file_is_told(kind: str, more: str, codes: str, rackwright: Call) -> None:
    place = Path(f"ours/{kind}/acme/x.yaml")
    place.parent.mkdir(parents=True)
    own = "form_factor: pcie\n" if kind == "gpu" else ""
    place.write_text(HEAD.format(kind=kind, more=own) + more + "\n", encoding="utf-8")

    done = rackwright("catalog", "check", place, "--alone")

    assert (done.code, done.err) == (1, "")
    assert told(done.out) == codes
    assert str(place) in done.out


@pytest.mark.parametrize("content", FILES)
def test_a_file_that_is_no_part_at_all_is_told(content: bytes, rackwright: Call) -> None:
    place = Path("ours/gpu/acme/x.yaml")
    place.parent.mkdir(parents=True)
    place.write_bytes(content)

    done = rackwright("catalog", "check", "ours", "--alone")

    assert (done.code, done.err) == (1, "")
    assert "ours/gpu/acme/x.yaml:1:" in done.out
    assert "  fix: " in done.out
