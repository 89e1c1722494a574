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


# What stacked folders say together is kept, for as long as no file of a part changes.


def kept_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: str) -> tuple[list[Path], list[str]]:
    """A part in two folders with a cache of their own; the files, and the merges that are made from now on."""
    from rackwright.readers import catalog_dir

    monkeypatch.setenv("RACKWRIGHT_CACHE", str(tmp_path / "cache"))
    places = []
    for number, text in enumerate((part("Below"), above)):
        place = tmp_path / str(number) / "cord" / "us" / "cord.yaml"
        place.parent.mkdir(parents=True)
        place.write_text(text)
        places.append(place)
    merges: list[str] = []
    plain = catalog_dir._merged
    monkeypatch.setattr(catalog_dir, "_merged", lambda layers: merges.append(layers[-1][1]) or plain(layers))
    return places, merges


def read_both(tmp_path: Path) -> tuple[Catalog, list[str]]:
    catalog, findings = read_catalog([(tmp_path / number, number) for number in ("0", "1")])
    return catalog, [f"{item.code} {item.at}" for item in findings]


def test_nothing_is_merged_until_a_part_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _places, merges = kept_stack(tmp_path, monkeypatch, "kind: cord\nid: us/cord\nsku: S-1\n")
    assert read_both(tmp_path)[1] == []
    assert merges == ["cord/us/cord.yaml"]
    merges.clear()
    catalog, told = read_both(tmp_path)
    assert (told, merges) == ([], [])
    found = catalog.find("us/cord")
    assert found is not None
    assert (found.title, found.get("sku"), merges) == ("Below", "S-1", ["cord/us/cord.yaml"])


def test_a_change_of_either_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places, merges = kept_stack(tmp_path, monkeypatch, "kind: cord\nid: us/cord\nsku: S-1\n")
    read_both(tmp_path)
    places[1].write_text("kind: cord\nid: us/cord\nplug: C99\n")
    assert read_both(tmp_path)[1] == ["CAT006 1/cord/us/cord.yaml:3:7"]
    assert read_both(tmp_path)[1] == ["CAT006 1/cord/us/cord.yaml:3:7"]
    places[1].write_text('kind: cord\nid: us/cord\nevidence: {plug: {source: gone, grade: vendor}}\nplug: "C20"\n')
    assert read_both(tmp_path)[1] == ["CAT005 1/cord/us/cord.yaml:3:27"]
    merges.clear()
    assert read_both(tmp_path)[1] == ["CAT005 1/cord/us/cord.yaml:3:27"]
    assert merges == []
    places[0].write_text(part("Below").replace("sources: {s:", "sources: {gone: {doc: Test}, s:"))
    catalog, told = read_both(tmp_path)
    assert told == []
    assert catalog.parts["us/cord"].get("plug") == "C20"


def test_a_damaged_answer_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    kept_stack(tmp_path, monkeypatch, "kind: cord\nid: us/cord\nsku: S-1\n")
    read_both(tmp_path)
    for place in (tmp_path / "cache").glob("*"):
        with sqlite3.connect(place) as database:
            database.execute("update head set head = 'zzzzzzzz{}' where path = '*stacks'")
    catalog, told = read_both(tmp_path)
    assert told == []
    assert catalog.parts["us/cord"].get("sku") == "S-1"
