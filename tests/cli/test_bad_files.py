"""Whatever stands in a configuration file: findings with their place, exit code 1, nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import SERVER, Call


def edited(old: str, new: str) -> str:
    assert SERVER.count(old) == 1
    return SERVER.replace(old, new)


UNKNOWN_KEY = """\
error CFG010  nodes[0].redundncy
  redundncy is not a key of nodes[0]
  --> c.yaml:9:5
     9 |     redundncy: 1+1
       |     ^
  fix: did you mean redundancy?

"""
TWICE_AND_UNKNOWN = """\
error CFG004
  the key mode is given twice
  --> c.yaml:9:5
     9 |     mode: dw
       |     ^
  ... c.yaml:8:5
  fix: keep one of the two

error CFG010  nodes[0].bridgd
  bridgd is not a key of nodes[0]
  --> c.yaml:10:5
    10 |     bridgd: []
       |     ^
  fix: did you mean bridged?

"""
UNIT = """\
error CFG010  site.voltage_v
  voltage_v: expected a number, found the text "230 V"
  --> c.yaml:4:44
     4 | site: {region: eu, inlet_c: 24, voltage_v: 230 V}
       |                                            ^
  fix: write 230: the unit is in the key's name (voltage_v)

"""
NEGATIVE = """\
error CFG010  nodes[0].parts[2].count
  count is -4, below the least allowed 1
  --> c.yaml:13:36
    13 |       - {part: nvidia/l40s, count: -4}
       |                                    ^
  fix: write 1 or more

"""
NO_SUCH_DAY = """\
error CFG010  quote.date
  date: the calendar has no day 2026-02-30
  --> c.yaml:3:9
     3 |   date: "2026-02-30"
       |         ^

"""
SLOT_AND_SLOTS = """\
error CFG013
  both slot and slots are given
  --> c.yaml:13:49
    13 |       - {part: nvidia/l40s, count: 1, slot: F1, slots: [F1]}
       |                                                 ^
  ... c.yaml:13:39
  fix: keep one of the two

"""
UNIT_WITHOUT_RACK = """\
error CFG014
  a rack unit is given, but no rack
  --> c.yaml:8:5
     8 |     unit: 5
       |     ^
  fix: name the rack too, or leave out `unit`

"""
FEED = """\
error CFG015
  no rack of this node has a feed B
  --> c.yaml:14:57
    14 |       - {part: dell/psu-2400w-platinum, count: 2, feed: B}
       |                                                         ^
  fix: name the rack of the node, and describe its feeds under `site`

"""
ONE_SLOT = """\
error CFG010  nodes[0].bridged[0]
  bridged[0] has fewer than 2 entries
  --> c.yaml:8:15
     8 |     bridged: [[F1]]
       |               ^
  fix: give at least 2

"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(edited("redundancy:", "redundncy:"), UNKNOWN_KEY, id="unknown key"),
        pytest.param(edited("mode: dw\n", "mode: dw\n    mode: dw\n    bridgd: []\n"), TWICE_AND_UNKNOWN, id="twice"),
        pytest.param(edited("voltage_v: 230", "voltage_v: 230 V"), UNIT, id="unit"),
        pytest.param(edited("l40s, count: 4", "l40s, count: -4"), NEGATIVE, id="negative"),
        pytest.param(edited("2026-12-01", "2026-02-30"), NO_SUCH_DAY, id="day"),
        pytest.param(edited("count: 4}", "count: 1, slot: F1, slots: [F1]}"), SLOT_AND_SLOTS, id="slot and slots"),
        pytest.param(edited("    mode: dw\n", "    unit: 5\n"), UNIT_WITHOUT_RACK, id="unit without rack"),
        pytest.param(edited("platinum, count: 2", "platinum, count: 2, feed: B"), FEED, id="feed"),
        pytest.param(edited("    mode: dw\n", "    bridged: [[F1]]\n"), ONE_SLOT, id="one slot bridged"),
    ],
)
def test_each_finding_has_its_place_and_its_fix(text: str, told: str, rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(text)
    result = rackwright("validate", "c.yaml")
    assert result.out == told
    assert (result.code, result.err) == (1, "")


BOMB = b"a: &a [1,1,1,1,1,1,1,1,1]\n" + b"".join(
    b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 9)) for i in range(9)
)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        pytest.param(b"", ["error CFG003", "  c.yaml is empty", "  --> c.yaml:1:1"], id="empty"),
        pytest.param(b"# x\n", ["error CFG003", "  c.yaml holds no values, only comments or nothing"], id="comments"),
        pytest.param(b"- 1\n", ["error CFG011", "  the file is not a configuration: it has no keys"], id="list"),
        pytest.param(
            b"{{{{", ["error CFG003", "  a bracket or comma stands where a value is expected", "  --> c.yaml:1:5"],
            id="not YAML",
        ),
        pytest.param(
            b"quote:\n  title: \xe9\n",
            ["error CFG002", "  c.yaml is not UTF-8: the byte 0xE9 does not fit", "  --> c.yaml:2:10"],
            id="not UTF-8",
        ),
        pytest.param(
            b"a: " + b"x" * 10_000_000,
            ["error CFG005", "  c.yaml is over the limit of 2 000 000 bytes", "  --> c.yaml:1:1"],
            id="10 MB",
        ),
        pytest.param(
            b"a: " + b"[" * 10_000,
            ["error CFG003", "  brackets are opened too deep inside each other", "  --> c.yaml:1:1003"],
            id="deep brackets",
        ),
        pytest.param(
            b"\n".join(b" " * i + b"a:" for i in range(1000)),
            ["error CFG005", "  lists and keys are nested more than 50 deep", "  --> c.yaml:51:51"],
            id="deep keys",
        ),
        pytest.param(
            BOMB,
            ["error CFG005", "  the file has more than 200 000 values, aliases written out", "  --> c.yaml:6:11"],
            id="alias bomb",
        ),
        pytest.param(
            b"!!python/object/apply:os.system ['id']\n",
            ["error CFG007", "  the tag !!python/object/apply:os.system is not used", "  --> c.yaml:1:1"],
            id="tag",
        ),
    ],
)  # fmt: skip
def test_what_is_no_configuration(raw: bytes, told: list[str], rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_bytes(raw)
    result = rackwright("validate", "c.yaml")
    assert result.out.splitlines()[: len(told)] == told
    assert (result.code, result.err) == (1, "")


@pytest.mark.parametrize("title", ["\u202etxt.exe", '"\\u202etxt.exe"', "a\u2066b", '"\\e[31m"'])
def test_characters_that_make_a_text_look_like_another(title: str, rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(edited("title: Test", f"title: {title}"))
    result = rackwright("validate", "c.yaml")
    assert result.out.startswith("error CFG003\n  the ")
    assert "\n  --> c.yaml:2:" in result.out
    assert "\u202e" not in result.out
    assert result.code == 1


def test_a_long_list_of_problems_is_cut(rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(SERVER + "".join(f"k{number}: 1\n" for number in range(500)))
    result = rackwright("validate", "c.yaml")
    assert result.code == 1
    assert result.out.count("error CFG010") == 201
    assert "  300 more problems are not shown\n  --> c.yaml:215:1\n" in result.out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param(
            "nvidia/l40s,", "nvidia/l40z,",
            "error CFG020\n  no part of the catalog is called nvidia/l40z\n  --> c.yaml:13:16\n"
            "    13 |       - {part: nvidia/l40z, count: 4}\n       |                ^\n"
            "  fix: did you mean nvidia/l40, nvidia/l40s, nvidia/l4?\n",
            id="unknown part",
        ),
        pytest.param(
            "chassis: dell/poweredge-r760xa", "chassis: nvidia/l40s",
            "error CFG021\n  nvidia/l40s is a GPU; a chassis belongs here\n  --> c.yaml:7:14\n",
            id="GPU as chassis",
        ),
        pytest.param(
            "part: nvidia/l40s,", "part: dell/poweredge-r760xa,",
            "error CFG021\n  dell/poweredge-r760xa is a chassis, which is not a part of a node\n  --> c.yaml:13:16\n",
            id="chassis as part",
        ),
        pytest.param(
            "mode: dw", "mode: dwx",
            "error CFG022\n  Dell PowerEdge R760xa has no mode dwx\n  --> c.yaml:8:11\n",
            id="unknown mode",
        ),
        pytest.param(
            "count: 4}", "count: 1, slot: Q9}",
            "error CFG023\n  Dell PowerEdge R760xa has no slot Q9\n  --> c.yaml:13:45\n",
            id="unknown slot",
        ),
        pytest.param(
            "    mode: dw\n", "    mode: dw\n    bridged: [[1, 2]]\n",
            "error CFG010  nodes[0].bridged[0][0]\n  bridged[0][0]: expected a text, found the number 1\n",
            id="slot that is a number",
        ),
    ],
)  # fmt: skip
def test_names_that_lead_nowhere(old: str, new: str, told: str, rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(edited(old, new))
    result = rackwright("validate", "c.yaml")
    assert told in result.out
    assert (result.code, result.err) == (1, "")


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        pytest.param(
            "policies: {psu_headroom: 1}\n",
            "error CFG030\n  there is no policy parameter 'psu_headroom'\n",
            id="unknown parameter",
        ),
        pytest.param(
            "policies: {psu_headroom_ratio: much}\n",
            "error CFG032\n  psu_headroom_ratio: expected a number, 0 or more, found much\n",
            id="text as figure",
        ),
        pytest.param(
            "policies: {psu_headroom_ratio: -1}\n",
            "error CFG032\n  psu_headroom_ratio: expected a number, 0 or more, found -1\n",
            id="negative",
        ),
        pytest.param("policy: nope\n", "error CFG031\n  there is no policy 'nope'\n  --> c.yaml:15:9\n", id="policy"),
        pytest.param(
            "waivers:\n  - {rule: TST007, reason: because, by: me, until: '2027-01-01'}\n",
            "error CFG042\n  there is no rule TST007 to be waived\n  --> c.yaml:16:5\n",
            id="waiver of no rule",
        ),
        pytest.param(
            "waivers:\n  - {rule: PWR001, reason: because, by: me, until: '2026-11-30'}\n",
            "error CFG040\n  the waiver of PWR001 ended on 2026-11-30; it is 2026-12-01\n  --> c.yaml:16:5\n",
            id="expired waiver",
        ),
    ],
)
def test_policies_and_waivers(extra: str, told: str, rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(SERVER + extra)
    result = rackwright("validate", "c.yaml")
    assert told in result.out
    assert result.code == 1


def test_a_waiver_that_covers_nothing_is_a_warning(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    waiver = "waivers:\n  - {rule: TST002, reason: because, by: me, until: '2027-01-01'}\n"
    (tmp_path / "c.yaml").write_text(SERVER + waiver)
    result = rackwright("validate", "c.yaml", "--rules", few_rules)
    assert "warning CFG041\n  the waiver of TST002 covers nothing\n  --> c.yaml:16:5\n" in result.out
    assert result.code == 0


@pytest.mark.parametrize("name", ["a b.yaml", "ü漢.yaml", "[bold]%s{x}.yaml", "-f.yaml"])
def test_names_of_files_may_be_odd(name: str, rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    (tmp_path / name).write_text(SERVER)
    result = rackwright("validate", f"./{name}", "--rules", few_rules)
    assert result.out.startswith(f"{name} · Test\n● VALID  ")
    assert (result.code, result.err) == (0, "")


def test_names_of_files_cannot_command_the_terminal(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    for name, shown in ((b"\x1b[31m\n.yaml", "\\x1b[31m\\n.yaml"), (b"\xff.yaml", "\\udcff.yaml")):
        path = os.fsdecode(name)
        (tmp_path / path).write_text(SERVER)
        result = rackwright("validate", path, "--rules", few_rules)
        assert result.out.startswith(f"{shown} · Test\n● VALID  ")
        assert rackwright("validate", path, "--rules", few_rules, "-f", "json").code == 0


def test_texts_of_users_cannot_command_the_terminal(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    text = edited("title: Test", 'title: "[bold]{x} \\u200b\\u2028"')
    (tmp_path / "c.yaml").write_text(text)
    result = rackwright("validate", "c.yaml", "--rules", few_rules)
    assert result.out.startswith("c.yaml · [bold]{x} \\u200b\\u2028\n● VALID  ")
