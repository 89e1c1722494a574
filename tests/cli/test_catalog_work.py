"""`rackwright catalog show|diff|docs|import`: what they print and write."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Call
from tests.cli.test_catalog_check import commit, git

GPU = """\
kind: gpu
id: acme/x
title: Acme X <b>80</b> GB
maker: Acme
form_factor: pcie
card: {length_mm: 267.5, width_slots: 2}
power: {max_w: 350}
power_inputs: [{connector: pcie-16pin}]
nvlink: {is_supported: true, groups: [{cards: 2, bridge: acme/bridge, bridges: 3}]}
notes: [sold in pairs]
sources:
  sheet: {doc: Acme datasheet, number: "7", url: "https://acme.example/sheet?a=1&b=2"}
  forum: {doc: A forum}
evidence:
  "*": {source: sheet, grade: vendor, where: p. 2}
  card.length_mm: {source: sheet, grade: vendor, note: 10.5 in in the source}
  power.max_w: {source: sheet, grade: vendor, others: [{source: forum, value: 300}]}
constraints:
  - id: cool-air
    title: Air of 30 °C at most
    when: node.count > 0
    require: node.site.inlet_c <= 30
    message: the air reaches {node.site.inlet_c}
    fix: Cool the room.
    source: {id: sheet, where: p. 9}
  - id: kit
    adds: {part: acme/bridge, quantity: len(node.gpus), reason: a bridge for each card}
"""
BRIDGE = """\
kind: nvlink_bridge
id: acme/bridge
title: Acme bridge
maker: Acme
sources: {}
evidence: {}
"""


def catalog(folder: str = "ours", gpu: str = GPU) -> Path:
    for kind, name, text in (("gpu", "x", gpu), ("nvlink_bridge", "bridge", BRIDGE)):
        place = Path(folder) / kind / "acme" / f"{name}.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return Path(folder)


# show


def test_a_part_with_the_note_and_the_other_figure(rackwright: Call) -> None:
    done = rackwright("catalog", "show", "acme/x", "--catalog", catalog())
    lines = done.out.splitlines()
    assert lines[0] == "acme/x  Acme X <b>80</b> GB  (gpu)  ours/gpu/acme/x.yaml"
    assert "  card.length_mm = 267.5    [vendor: Acme datasheet, 7]" in lines
    assert "      note: 10.5 in in the source" in lines
    assert "      otherwise: 300 (A forum)" in lines
    assert "  gpus_per_board = 1    [by default]" in lines
    assert "  constraint cool-air: Air of 30 °C at most" in lines


def test_the_file_of_each_value_of_a_stacked_part(rackwright: Call) -> None:
    house = Path("house/gpu/acme/x.yaml")
    house.parent.mkdir(parents=True)
    house.write_text(
        "kind: gpu\nid: acme/x\nsku: H-1\npower: {max_w: 300}\n"
        "sources: {test: {doc: Our test}}\nevidence: {power.max_w: {source: test, grade: measured}}\n"
    )
    lines = rackwright("catalog", "show", "acme/x", "--catalog", catalog(), "--catalog", "house").out.splitlines()
    assert "  sku = H-1    [house/gpu/acme/x.yaml:3:6]" in lines
    assert "  power.max_w = 300    [measured: Our test]    [house/gpu/acme/x.yaml:4:16]" in lines
    assert "  card.width_slots = 2    [vendor: Acme datasheet, 7, p. 2]    [ours/gpu/acme/x.yaml:6:39]" in lines
    assert "  power.max_w: was 350 in ours/gpu/acme/x.yaml:7:16" in lines


# diff


def test_what_a_change_means(rackwright: Call) -> None:
    git("init", "-q", ".")
    catalog("catalog")
    old = commit()
    changed = (
        GPU.replace("max_w: 350", "max_w: 300")
        .replace("width_slots: 2", "width_slots: 3")
        .replace("length_mm: {source: sheet, grade: vendor", "length_mm: {source: forum, grade: secondary")
        .replace("inlet_c <= 30", "inlet_c <= 28")
        .replace("bridges: 3", "bridges: 2")
        .replace("sold in pairs", "sold in pairs only")
        .replace(
            "  - id: kit\n    adds: {part: acme/bridge, quantity: len(node.gpus), reason: a bridge for each card}\n", ""
        )
        + "  - {id: new, require: node.count < 9, message: few}\n"
        + "weight_kg: 1.2\n"
    )
    catalog("catalog", changed)
    Path("catalog/nvlink_bridge/acme/bridge.yaml").rename("catalog/nvlink_bridge/acme/b2.yaml")
    place = Path("catalog/nvlink_bridge/acme/b2.yaml")
    place.write_text(BRIDGE.replace("acme/bridge", "acme/b2") + "aliases: [acme/bridge]\n")
    done = rackwright("catalog", "diff", old)
    assert (done.code, done.out.splitlines()) == (
        0,
        [
            "acme/b2",
            "  + part: Acme bridge",
            "acme/bridge",
            "  ~ part: Acme bridge -> now acme/b2",
            "acme/x",
            "  ~ grade card.length_mm: vendor -> secondary",
            "  ~ figure card.width_slots: 2 -> 3",
            "  ~ figure notes: sold in pairs -> sold in pairs only",
            "  ~ figure nvlink.groups[acme/bridge].bridges: 3 -> 2",
            "  ~ figure power.max_w: 350 W -> 300 W",
            "  + figure weight_kg: 1.2 kg",
            "  ~ constraint cool-air.require: node.site.inlet_c <= 30 -> node.site.inlet_c <= 28",
            "  - constraint kit: kit",
            "  + constraint new: new",
            "11 changes in 3 parts; 0 of 0 configurations judged otherwise",
        ],
    )
    new = commit()
    data = json.loads(rackwright("catalog", "diff", old, new, "-f", "json").out)
    assert len(data["changes"]) == 11
    assert data["changes"][6] == {
        "part": "acme/x", "what": "figure", "name": "power.max_w", "old": "350 W", "new": "300 W"
    }  # fmt: skip


def test_what_is_only_written_otherwise_is_no_change(rackwright: Call) -> None:
    git("init", "-q", ".")
    catalog("catalog")
    old = commit()
    text = GPU.replace(
        "card: {length_mm: 267.5, width_slots: 2}", "card:\n  width_slots: 2\n  length_mm: 267.50  # same"
    )
    head, rest = text.split("maker: Acme\n")
    catalog("catalog", rest.partition("notes:")[0] + head + "maker: Acme\n" + "notes:" + rest.partition("notes:")[2])
    assert rackwright("catalog", "diff", old).out == ("0 changes in 0 parts; 0 of 0 configurations judged otherwise\n")


def test_a_figure_that_becomes_unverified(rackwright: Call) -> None:
    git("init", "-q", ".")
    catalog("catalog")
    old = commit()
    stated = '"*": {source: sheet, grade: vendor, where: p. 2}\n'
    catalog("catalog", GPU.replace(stated, stated + "  card.width_slots: {source: forum, grade: unverified}\n"))
    assert rackwright("catalog", "diff", old).out.splitlines()[:3] == [
        "acme/x",
        "  ~ figure card.width_slots: 2 -> 2 (unverified)",
        "  ~ grade card.width_slots: vendor -> unverified",
    ]


def test_which_configurations_are_judged_otherwise(rackwright: Call) -> None:
    git("init", "-q", ".")
    catalog("catalog")
    chassis = Path("catalog/chassis/acme/c.yaml")
    chassis.parent.mkdir(parents=True)
    text = "kind: chassis\nid: acme/c\ntitle: Acme C\nmaker: Acme\nrack: {height_u: 4}\nsources: {s: {doc: Sheet}}\n"
    chassis.write_text(text + 'evidence: {"*": {source: s, grade: vendor}}\n')
    old = commit()
    Path("examples/one").mkdir(parents=True)
    Path("examples/one/configuration.yaml").write_text(
        "quote: {title: T}\nsite: {inlet_c: 29}\n"
        "nodes:\n  - {id: n1, chassis: acme/c, parts: [{part: acme/x, count: 1}]}\n"
    )
    catalog("catalog", GPU.replace("inlet_c <= 30", "inlet_c <= 28"))
    lines = rackwright("catalog", "diff", old).out.splitlines()
    assert lines[2:] == [
        "examples/one: open -> invalid",
        "  acme/x#cool-air n1: pass -> fail",
        "1 changes in 1 parts; 1 of 1 configurations judged otherwise",
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["diff", "none"], "git knows no revision none"),
        (["diff", "HEAD", "--folder", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_a_comparison_that_cannot_be_made(arguments: list[str], reason: str, rackwright: Call) -> None:
    git("init", "-q", ".")
    catalog("catalog")
    commit()
    done = rackwright("catalog", *arguments)
    assert (done.code, done.err) == (2, f"rackwright: {reason}\n")


# docs


def test_the_page_of_a_part(rackwright: Call) -> None:
    done = rackwright("catalog", "docs", "pages", "--catalog", catalog(), "--part", "acme/x", "--part", "acme/bridge")
    assert (done.code, done.out) == (0, "5 pages in pages: open pages/index.html\n")
    written = sorted(path.relative_to("pages").as_posix() for path in Path("pages").rglob("*.html"))
    assert written == [
        "gpu/acme/x.html", "gpu/index.html", "index.html", "nvlink_bridge/acme/bridge.html", "nvlink_bridge/index.html"
    ]  # fmt: skip
    page = Path("pages/gpu/acme/x.html").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<style>.*</style>|<[^>]+>", " ", page, flags=re.DOTALL).split())
    assert "Acme X &lt;b&gt;80&lt;/b&gt; GB" in text
    assert "card.length_mm length of the card without bracket 267.5\xa0mm vendor Acme datasheet, 7 10.5 in in the" in (
        re.sub(r"[ \n]+", " ", re.sub(r"<[^>]+>", " ", page))
    )
    assert "A forum has 300\xa0W" in page
    assert (
        "Must hold node.site.inlet_c &lt;= 30 Otherwise the air reaches {node.site.inlet_c} Fix Cool the room." in text
    )
    assert "Must come along len(node.gpus) × acme/bridge: a bridge for each card" in text
    assert '<a href="https://acme.example/sheet?a=1&amp;b=2" rel="noreferrer">Acme datasheet, 7</a>' in page


def test_all_links_between_pages_lead_somewhere(rackwright: Call) -> None:
    rackwright("catalog", "docs", "pages", "--catalog", catalog(), "--part", "acme/x", "--part", "acme/bridge",
               "--part", "hpe/dl380a-gen12", "--part", "nvidia/l40s")  # fmt: skip
    dead = [
        (path.name, target)
        for path in Path("pages").rglob("*.html")
        for target in re.findall(r'href="([^"]+)"', path.read_text(encoding="utf-8"))
        if not target.startswith("http") and not (path.parent / target).is_file()
    ]
    assert dead == []
    bridge = Path("pages/nvlink_bridge/acme/bridge.html").read_text(encoding="utf-8")
    assert '<a href="../../gpu/acme/x.html">acme/x</a>' in bridge  # who names this part


def test_a_part_that_there_is_not_has_no_page(rackwright: Call) -> None:
    assert rackwright("catalog", "docs", "pages", "--part", "acme/none").code == 2


# import

PDU = """\
manufacturer: Acme Power
model: AP-1
slug: acme-ap-1
part_number: AP1
u_height: 0
weight: 10
weight_unit: lb
comments: Rack PDU, 14.4kW, 208V
power-ports: [{name: In, type: cs8365c}]
power-outlets:
  - {name: "1", type: iec-60320-c19, power_port: In, feed_leg: A}
  - {name: "2", type: iec-60320-c19, power_port: In, feed_leg: B}
  - {name: "3", type: iec-60320-c13, power_port: In, feed_leg: B}
"""
SUPPLY = """\
manufacturer: Acme
model: PS 1600
part_number: PS1600
weight: 900
weight_unit: g
power-ports: [{name: "PSU{module}", type: iec-60320-c14, maximum_draw: 1734}]
"""
RACK = """\
manufacturer: Acme
model: R42
slug: acme-r42
form_factor: 4-post-cabinet
u_height: 42
outer_width: 23.62
outer_depth: 42.13
outer_unit: in
max_weight: 1020
weight_unit: kg
mounting_depth: 190
"""
SERVER = """\
manufacturer: Acme
model: Server 4
slug: acme-server-4
u_height: 4
airflow: front-to-rear
weight: 50
weight_unit: kg
power-ports: [{name: PSU1, type: iec-60320-c20}, {name: PSU2, type: iec-60320-c20}]
module-bays: [{name: Slot 1}]
"""


def drafted(rackwright: Call, text: str, *more: str) -> tuple[int, str, list[str]]:
    Path("module-types/Acme").mkdir(parents=True, exist_ok=True)
    Path("module-types/Acme/x.yaml").write_text(text)
    done = rackwright("catalog", "import", "netbox", "module-types/Acme/x.yaml", "--read", "2026-12-01", *more)
    told = re.findall(r"^(?:error|warning|advice) (\w+)[^\n]*\n  ([^\n]*)", done.err, re.MULTILINE)
    return done.code, done.out, [" ".join(item) for item in told]


def test_a_power_strip(rackwright: Call) -> None:
    code, text, told = drafted(rackwright, PDU)
    assert code == 0
    assert text.splitlines()[:17] == [
        "# yaml-language-server: $schema=../../schema/pdu.schema.json",
        "kind: pdu",
        "id: acme-power/ap-1",
        "title: Acme Power AP-1 rack PDU",
        "maker: Acme Power",
        "mpn:",
        "  - AP1",
        "inlet_plug: CS8365C",
        "phases: 3",
        "region: na",
        "circuit_a: 50",
        "voltage_v: 208",
        "power_max_w: 14400",
        "outlets:",
        "  - type: C13",
        "    count: 1",
        "  - type: C19",
    ]
    assert 'mount: "0U"\nweight_kg: 4.536\n' in text
    assert "note: 'feed legs in the record: A 1, B 2'" in text
    assert "doc: 'NetBox device type library: module-types/Acme/x.yaml'" in text
    assert told == [f"CAT042 the record does not say {name}" for name in ("wiring", "continuous_a", "banks")]


def test_a_power_supply_whose_output_is_not_certain(rackwright: Call) -> None:
    code, text, told = drafted(rackwright, SUPPLY)
    assert code == 0
    assert "output_w: 1734\ninlet: C14\nweight_kg: 0.9\n" in text
    assert "grade: unverified\n    note: maximum_draw of the record, which may be the input" in text
    assert told[-1] == "CAT043 output_w is not certain: maximum_draw of the record, which may be the input"
    assert "output_w: 1600\n" in drafted(rackwright, SUPPLY.replace("PS 1600", "PS 1600W"))[1]


def test_a_rack(rackwright: Call) -> None:
    code, text, told = drafted(rackwright, RACK)
    assert code == 0
    assert "height_u: 42\nouter_width_mm: 599.9\nouter_depth_mm: 1070.1\nload_static_max_kg: 1020\n" in text
    assert "mounting_depth" not in text  # 190 is the smallest one
    assert "CAT042 the record does not say mounting_depth_max_mm" in told
    assert told[-1].startswith("CAT043 load_static_max_kg is not certain")


def test_a_server(rackwright: Call) -> None:
    code, text, told = drafted(rackwright, SERVER)
    assert code == 0
    assert "rack:\n  height_u: 4\nairflow: front-to-back\npsu:\n  bays: 2\nweight_kg: 50\n" in text
    assert "CAT042 the record does not say slots" in told
    assert "CAT042 the record does not say power_base_w" in told


def test_drafts_are_part_files_that_the_check_accepts(rackwright: Call) -> None:
    for name, text in {"pdu": PDU, "psu": SUPPLY, "rack": RACK, "server": SERVER}.items():
        Path(f"{name}.yaml").write_text(text)
        done = rackwright("catalog", "import", "netbox", f"{name}.yaml", "-o", "drafts")
        assert done.code == 0
        assert Path(done.out.strip()).is_file()
    done = rackwright("catalog", "check", "drafts", "--alone")
    assert (done.code, done.out) == (0, "4 parts, 0 findings\n")
    assert rackwright("catalog", "import", "netbox", "pdu.yaml", "-o", "drafts").code == 2  # it is there already


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "a: b\n",
            "CAT041 module-types/Acme/x.yaml is no device, module or rack type: it has no manufacturer and model",
        ),
        ("manufacturer: A\nmodel: B\n", "CAT041 the record does not show what kind of part it is"),
        ("manufacturer: [", "CFG003 a bracket or comma stands where a value is expected"),
        (
            "manufacturer: Acme\nmodel: PS\npower-ports: [{type: iec-60320-c14}]\n",
            "CAT002 the file lacks the key output_w",
        ),
    ],
)
def test_records_that_give_no_draft_or_no_whole_one(text: str, told: str, rackwright: Call) -> None:
    code, _, findings = drafted(rackwright, text)
    assert (code, findings[0]) == (1, told)


def test_another_library(rackwright: Call) -> None:
    done = rackwright("catalog", "import", "other", "x.yaml")
    assert (done.code, done.err) == (2, "rackwright: 'other' cannot be imported: write netbox\n")
