"""Part files that name only what they change: what comes out, whose evidence it has, and where each value stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rackwright.catalog import Part
from rackwright.readers.catalog_check import check_catalog
from rackwright.readers.catalog_dir import read_catalog
from rackwright.rules.model import Ruleset
from rackwright.source import Location

BASE = """\
kind: gpu
id: us/x
title: Us X
maker: Us
form_factor: pcie
card: {length_mm: 267, width_slots: 2}
power: {max_w: 350, idle_w: 40}
notes: [public]
sources:
  sheet: {doc: Datasheet}
  letter: {doc: Letter}
evidence:
  "*": {source: sheet, grade: vendor}
  power: {source: letter, grade: vendor, where: p. 1}
  power.max_w: {source: sheet, grade: transcribed, note: rounded}
constraints:
  - {id: warm, require: node.site.inlet_c <= 30, message: too warm}
  - {id: cold, require: node.site.inlet_c >= 5, message: too cold}
"""
HEAD = "kind: gpu\nid: us/x\n"


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_CACHE", "off")


def read(tmp_path: Path, *texts: str) -> tuple[Part | None, list[str]]:
    folders = []
    for number, text in enumerate(texts):
        place = tmp_path / str(number) / "gpu" / "us"
        place.mkdir(parents=True)
        (place / "x.yaml").write_text(text)
        folders.append((tmp_path / str(number), str(number)))
    catalog, findings = read_catalog(folders)
    return catalog.find("us/x"), [f"{item.code} {item.at} {item.message}" for item in findings]


def merged(tmp_path: Path, *texts: str) -> Part:
    part, told = read(tmp_path, BASE, *texts)
    assert told == []
    assert part is not None
    return part


def cited(part: Part, name: str) -> str:
    citation, grade = part.evidence_of(name)
    return f"{grade} {citation}"


def test_a_number_of_the_seller_needs_no_more_than_that(tmp_path: Path) -> None:
    part = merged(tmp_path, HEAD + "sku: A-17\n")
    assert (part.get("sku"), part.title, part.get("power.max_w"), part.file) == ("A-17", "Us X", 350, "1/gpu/us/x.yaml")
    assert part.at("sku") == Location("1/gpu/us/x.yaml", 3, 6)
    assert part.at("power.max_w") == Location("0/gpu/us/x.yaml", 7, 16)
    assert part.replaced == ()


def test_a_corrected_figure_brings_its_own_evidence_and_leaves_the_others_theirs(tmp_path: Path) -> None:
    part = merged(
        tmp_path,
        HEAD
        + 'power: {max_w: 300}\nsources: {test: {doc: Our test}}\nevidence: {"*": {source: test, grade: measured}}\n',
    )
    assert part.data["power"] == {"max_w": 300, "idle_w": 40}
    assert cited(part, "power.max_w") == "measured Our test"
    assert cited(part, "power.idle_w") == "vendor Letter, p. 1"
    assert cited(part, "card.length_mm") == "vendor Datasheet"
    assert part.at("power.max_w") == Location("1/gpu/us/x.yaml", 3, 16)
    assert part.at("power.idle_w") == Location("0/gpu/us/x.yaml", 7, 29)
    assert part.replaced == (("power.max_w", 350, Location("0/gpu/us/x.yaml", 7, 16)),)


def test_the_evidence_of_a_record_covers_what_is_changed_in_it(tmp_path: Path) -> None:
    part = merged(
        tmp_path,
        HEAD + "power: {max_w: 300}\nsources: {t: {doc: Test}}\nevidence: {power: {source: t, grade: measured}}\n",
    )
    assert (cited(part, "power.max_w"), cited(part, "power.idle_w")) == ("measured Test", "vendor Letter, p. 1")


def test_a_key_of_sources_that_means_another_document_stays_apart(tmp_path: Path) -> None:
    part = merged(
        tmp_path,
        HEAD
        + "card: {length_mm: 268}\nsources: {sheet: {doc: Our ruler}}\n"
        + "evidence: {card.length_mm: {source: sheet, grade: measured}}\n"
        + "constraints: [{id: ours, require: node.count < 9, message: m, source: {id: sheet}}]\n",
    )
    assert (cited(part, "card.length_mm"), cited(part, "form_factor")) == ("measured Our ruler", "vendor Datasheet")
    assert part.constraints[-1]["source"] == {"id": "sheet (1/gpu/us/x.yaml)"}


def test_a_source_of_the_file_below_may_be_cited(tmp_path: Path) -> None:
    part = merged(
        tmp_path, HEAD + "weight_kg: 1.2\nevidence: {weight_kg: {source: letter, grade: vendor, where: p. 2}}\n"
    )
    assert cited(part, "weight_kg") == "vendor Letter, p. 2"


def test_constraints_are_joined_by_their_id_and_notes_are_added(tmp_path: Path) -> None:
    part = merged(
        tmp_path,
        HEAD
        + "notes: [ours]\nconstraints:\n"
        + "  - {id: cold, require: node.site.inlet_c >= 10, message: colder than our rooms}\n"
        + "  - {id: few, require: node.count <= 4, message: too many}\n",
    )
    assert [(item["id"], item["message"]) for item in part.constraints] == [
        ("warm", "too warm"),
        ("cold", "colder than our rooms"),
        ("few", "too many"),
    ]
    assert part.data["notes"] == ["public", "ours"]
    assert [str(part.at(f"constraints.{number}.require")) for number in range(3)] == [
        "0/gpu/us/x.yaml:17:25",
        "1/gpu/us/x.yaml:5:25",
        "1/gpu/us/x.yaml:6:24",
    ]


def test_three_layers(tmp_path: Path) -> None:
    part = merged(tmp_path, HEAD + "sku: A\n", HEAD + "sku: B\nnotes: [last]\n")
    assert (part.get("sku"), part.data["notes"], part.file) == ("B", ["public", "last"], "2/gpu/us/x.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("power: {max_w: 300}\n", "CAT006 1/gpu/us/x.yaml:3:16 power.max_w has no evidence"),
        (
            "weight_kg: 1\nevidence: {weight_kg: {source: none, grade: vendor}}\n",
            "CAT005 1/gpu/us/x.yaml:4:32 the evidence of weight_kg names the source 'none', which is not under sources",
        ),
        ("sku: A\nskuu: B\n", "CAT002 1/gpu/us/x.yaml:4:1 skuu is not a key of the file"),
        (
            "evidence: {weight_kg: {grade: vendor}}\n",
            "CAT002 1/gpu/us/x.yaml:3:23 evidence.weight_kg lacks the key source",
        ),
        ("constraints: [{require: a < 1}]\n", "CAT002 1/gpu/us/x.yaml:3:15 constraints[0] lacks the key id"),
    ],
)
def test_a_change_that_is_wrong_takes_the_part_out(text: str, told: str, tmp_path: Path) -> None:
    part, findings = read(tmp_path, BASE, HEAD + text)
    assert part is None
    assert findings == [told] or told in findings


def test_another_kind_is_told(tmp_path: Path) -> None:
    for number, kind in enumerate(("gpu", "cord")):
        place = tmp_path / str(number) / kind / "us"
        place.mkdir(parents=True)
        (place / "x.yaml").write_text(BASE if kind == "gpu" else "kind: cord\nid: us/x\nsku: A\n")
    catalog, findings = read_catalog([(tmp_path / "0", "0"), (tmp_path / "1", "1")])
    assert catalog.find("us/x") is None
    assert [f"{item.code} {item.at} {item.message}" for item in findings] == [
        "CAT007 1/cord/us/x.yaml:1:7 us/x is a cord here, and a gpu in the catalog below"
    ]


def test_a_change_to_nothing_is_a_part_that_lacks_keys(tmp_path: Path) -> None:
    part, told = read(tmp_path, HEAD + "sku: A\n")
    assert part is None
    assert told == ["CAT002 0/gpu/us/x.yaml:1:1 the file lacks the keys title, maker, sources, evidence, form_factor"]


def test_what_a_layer_changes_is_shown_by_the_check(tmp_path: Path) -> None:
    texts = (BASE, HEAD + "power: {max_w: 300}\nevidence: {power.max_w: {source: letter, grade: vendor}}\n")
    for number, text in enumerate(texts):
        place = tmp_path / str(number) / "gpu" / "us"
        place.mkdir(parents=True)
        (place / "x.yaml").write_text(text)
    catalog, _ = read_catalog([(tmp_path / "0", "0"), (tmp_path / "1", "1")])
    rules: Any = Ruleset((), (), {})
    shown = [item for item in check_catalog(catalog, rules) if item.code == "CAT020"]
    assert [f"{item.severity} {item.at} {item.message}" for item in shown] == [
        "advice 1/gpu/us/x.yaml:3:16 power.max_w is 300 W; the catalog below has 350 W"
    ]
    assert [str(place) for place, _ in shown[0].related] == ["0/gpu/us/x.yaml:7:16"]
