"""A second process that reads part files changes nothing but the time; without it the files are read all the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rackwright.readers import part_worker
from rackwright.readers.catalog_part import read_part
from rackwright.readers.part_worker import read_all
from rackwright.readers.shipped import shipped_folder

FOLDER = shipped_folder("catalog")
PATHS = [path.relative_to(FOLDER).as_posix() for path in sorted((FOLDER / "gpu").glob("*/*.yaml"))[:9]]


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_worker, "MANY", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


def expected(paths: list[str]) -> list[tuple[object, str]]:
    return [read_part(FOLDER, path, f"catalog/{path}") for path in paths]


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_two_processes_read_what_one_reads(count: int) -> None:
    assert read_all(PATHS[:count], FOLDER, "catalog") == expected(PATHS[:count])


def test_the_second_process_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(
        part_worker, "read_part", lambda folder, path, shown: read.append(path) or read_part(folder, path, shown)
    )
    read_all(PATHS, FOLDER, "catalog")
    assert read == PATHS[::2]


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false"])
def test_a_second_process_that_fails(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert read_all(PATHS, FOLDER, "catalog") == expected(PATHS)


def test_files_with_errors_and_odd_names(tmp_path: Path) -> None:
    names = ["gpu/a/ü b.yaml", "gpu/a/c.yaml", "gpu/a/d.yaml"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("kind: [")
    found = read_all(names, tmp_path, "x")
    assert found == [read_part(tmp_path, name, f"x/{name}") for name in names]
