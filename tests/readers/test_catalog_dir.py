"""Stacked catalog folders: a file that is wrong never lets the file below it through."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.catalog import Catalog
from rackwright.readers.catalog_dir import read_catalog

PART = """\
kind: cord
id: us/cord
title: {title}
maker: Us
plug: C14
connector: C13
sources: {{s: {{doc: Test, date: "2026-01-01", read: "2026-12-01"}}}}
evidence: {{"*": {{source: s, grade: vendor}}}}
{more}
"""


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_CACHE", "off")


def stacked(tmp_path: Path, *texts: str) -> tuple[Catalog, list[str]]:
    folders = []
    for number, text in enumerate(texts):
        place = tmp_path / str(number) / "cord" / "us"
        place.mkdir(parents=True)
        (place / "cord.yaml").write_text(text)
        folders.append((tmp_path / str(number), str(number)))
    catalog, findings = read_catalog(folders)
    return catalog, [f"{item.code} {item.at}" for item in findings]


def part(title: str, more: str = "") -> str:
    return PART.format(title=title, more=more)


def test_a_later_file_overrides_key_by_key(tmp_path: Path) -> None:
    catalog, told = stacked(tmp_path, part("one", "rating_a: 10"), part("two"))
    assert told == []
    found = catalog.find("us/cord")
    assert found is not None
    assert (found.title, found.get("rating_a"), found.file) == ("two", 10, "1/cord/us/cord.yaml")


@pytest.mark.parametrize("text", ["id: [", "kind: cord\n", part("two").replace("us/cord", "us/other")])
def test_a_later_file_with_errors_takes_the_part_out(text: str, tmp_path: Path) -> None:
    catalog, told = stacked(tmp_path, part("one"), text)
    assert catalog.find("us/cord") is None
    assert [line.split(" ")[1].partition(":")[0] for line in told] == ["1/cord/us/cord.yaml"]


def test_a_file_that_is_right_again_counts(tmp_path: Path) -> None:
    catalog, told = stacked(tmp_path, part("one"), "id: [", part("three"))
    found = catalog.find("us/cord")
    assert found is not None
    assert (found.title, len(told)) == ("three", 1)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    _, findings = read_catalog([(tmp_path / "none", "none")])
    assert [(item.code, str(item.at), str(item.message)) for item in findings] == [
        ("CAT001", "none:1:1", "there is no catalog folder none")
    ]


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", "parts/gpu")

    monkeypatch.setattr("rackwright.readers.cache.scan", refused)
    catalog, findings = read_catalog([(tmp_path, "parts")])
    assert len(catalog.parts) == 0
    assert [(item.code, str(item.at)) for item in findings] == [("CAT001", "parts:1:1")]
    assert str(findings[0].message) == "the catalog folder parts/gpu cannot be read: Permission denied"
