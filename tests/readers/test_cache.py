"""The cache: losing or damaging it costs time, never a result."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from rackwright.readers import cache
from rackwright.readers.cache import Store, scan


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RACKWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


def filled(folder: Path, key: str = "k") -> Path:
    Store(folder, "test", key).update({"a": ("1", "head of a", "body of a"), "b": ("2", "head ü", "body ü")}, [])
    (file,) = (folder.parent / "cache").glob("*.sqlite")
    return file


def test_what_is_kept_comes_back(folder: Path) -> None:
    filled(folder)
    store = Store(folder, "test", "k")
    assert store.heads() == {"a": ("1", "head of a"), "b": ("2", "head ü")}
    assert (store.body("a"), store.body("b"), store.body("c")) == ("body of a", "body ü", None)
    store.update({}, ["a"])
    assert Store(folder, "test", "k").heads() == {"b": ("2", "head ü")}


def test_other_code_starts_anew_and_removes_the_old_file(folder: Path) -> None:
    first = filled(folder)
    assert Store(folder, "test", "other").heads() == {}
    assert not first.exists()
    assert len(list((folder.parent / "cache").iterdir())) == 1


def test_a_store_in_use_survives_other_code(folder: Path) -> None:
    filled(folder)
    store = Store(folder, "test", "k")
    assert Store(folder, "test", "other").heads() == {}
    assert store.body("a") == "body of a"


def test_a_flipped_bit_is_never_served(folder: Path) -> None:
    file = filled(folder)
    raw = file.read_bytes()
    right = {"a": ("1", "head of a", "body of a"), "b": ("2", "head ü", "body ü")}
    chance = random.Random(7)
    for _ in range(300):
        damaged = bytearray(raw)
        for _ in range(chance.choice((1, 20, 500))):
            damaged[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        store = Store(folder, "test", "k")
        for path, (_, head) in store.heads().items():
            if path in right:
                assert (head, store.body(path) or right[path][2]) == right[path][1:]


@pytest.mark.parametrize("raw", [b"", b"x" * 5000, b"SQLite format 3\0" + bytes(3000)])
def test_a_damaged_file_is_made_anew(raw: bytes, folder: Path) -> None:
    filled(folder).write_bytes(raw)
    assert Store(folder, "test", "k").heads() == {}
    filled(folder)
    assert len(Store(folder, "test", "k").heads()) == 2


@pytest.mark.parametrize("place", ["off", "/dev/null", "/dev/null/x", "/proc/nothing"])
def test_without_a_place_nothing_is_kept(place: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_CACHE", place)
    store = Store(folder, "test", "k")
    store.update({"a": ("1", "h", "b")}, [])
    assert (store.heads(), store.body("a")) == ({}, None)


def test_a_file_that_others_write_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = filled(folder)
    real = sqlite3.connect
    monkeypatch.setattr(cache.sqlite3, "connect", lambda path, timeout: real(path, timeout=0))
    other = real(file)
    other.execute("begin exclusive")
    store = Store(folder, "test", "k")
    store.update({"c": ("3", "h", "b")}, [])
    assert store.heads() == {}
    other.close()
    assert len(Store(folder, "test", "k").heads()) == 2


def test_links_that_lead_nowhere_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("x")
    (tmp_path / "b.yaml").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.yaml").write_text("x")
    found = scan(tmp_path)
    assert [entry.path for entry in found] == ["a.yaml", "b.yaml"]
    assert (found[0].stamp != "", found[1].stamp) == (True, "")
