"""A private cache of what was read and checked: catalog parts and rules. Losing it costs time, never a result.

One SQLite file per folder of sources. It is bound to the code that wrote it: other code starts anew. A cache that
cannot be opened, read or written is simply not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FORMAT = 3


def cache_folder() -> Path | None:
    """Return the folder for caches, None if caching is switched off (RACKWRIGHT_CACHE=off) or has no place."""
    stated = os.environ.get("RACKWRIGHT_CACHE")
    if stated == "off":
        return None
    if stated:
        return Path(stated)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rackwright"
    except RuntimeError:  # no home folder
        return None


def code_key(*packages: Path) -> str:
    """Name the code that a cache depends on: sizes and times of the modules of `packages`."""
    digest = hashlib.blake2b(str(FORMAT).encode(), digest_size=12)
    for package in packages:
        entries = [package] if package.is_file() else sorted(package.glob("*.py"))
        for entry in entries:
            stat = entry.stat()
            digest.update(f"{entry.name}:{stat.st_size}:{stat.st_mtime_ns};".encode())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a folder as it is on disk. `stamp` changes when the file does."""

    path: str
    stamp: str


def scan(folder: Path, suffix: str = ".yaml") -> list[Entry]:
    """List the files below `folder`, in order of their names; folders that start with a dot or `schema` are left out."""
    found: list[Entry] = []

    def visit(directory: str, prefix: str) -> None:
        with os.scandir(directory) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
        for entry in ordered:
            if entry.name.startswith(".") or entry.name == "schema":
                continue
            if entry.is_dir(follow_symlinks=False):
                visit(entry.path, f"{prefix}{entry.name}/")
            elif entry.name.endswith(suffix):
                stat = entry.stat()
                found.append(Entry(prefix + entry.name, f"{stat.st_ino}:{stat.st_mtime_ns}:{stat.st_size}"))

    visit(str(folder), "")
    return found


class Store:
    """Texts by key in one SQLite file. Every failure of the database makes it an empty store that forgets."""

    def __init__(self, folder: Path, kind: str, key: str) -> None:
        self._database: sqlite3.Connection | None = None
        place = cache_folder()
        if place is None:
            return
        name = hashlib.blake2b(str(folder.resolve()).encode(), digest_size=8).hexdigest()
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._open(place / f"{kind}-{name}.sqlite", key)
        except (OSError, sqlite3.Error):
            self._database = None

    def _open(self, path: Path, key: str) -> None:
        try:
            self._connect(path, key)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            path.unlink(missing_ok=True)  # damaged: rebuild
            self._connect(path, key)

    def _connect(self, path: Path, key: str) -> None:
        database = sqlite3.connect(path, timeout=2)
        try:
            database.execute("create table if not exists meta (key text primary key)")
            database.execute("create table if not exists head (path text primary key, stamp text, head text)")
            database.execute("create table if not exists body (path text primary key, body text)")
            known = database.execute("select key from meta").fetchone()
            if known is None or known[0] != key:
                with database:
                    database.execute("delete from meta")
                    database.execute("delete from head")
                    database.execute("delete from body")
                    database.execute("insert into meta values (?)", (key,))
        except sqlite3.Error:
            database.close()
            raise
        self._database = database

    def heads(self) -> dict[str, tuple[str, str]]:
        """Return stamp and head text of every entry."""
        if self._database is None:
            return {}
        try:
            rows = self._database.execute("select path, stamp, head from head").fetchall()
        except sqlite3.Error:
            self._database = None
            return {}
        return {path: (stamp, head) for path, stamp, head in rows}

    def body(self, path: str) -> str | None:
        """Return the body text of an entry, None if it is gone."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("select body from body where path = ?", (path,)).fetchone()
        except sqlite3.Error:
            self._database = None
            return None
        return row[0] if row else None

    def update(self, changed: Mapping[str, tuple[str, str, str]], gone: list[str]) -> None:
        """Keep (stamp, head, body) of changed entries and forget the ones that are gone."""
        if self._database is None or not (changed or gone):
            return
        with contextlib.suppress(sqlite3.Error), self._database as database:
            database.executemany("delete from head where path = ?", [(path,) for path in gone])
            database.executemany("delete from body where path = ?", [(path,) for path in gone])
            database.executemany(
                "insert or replace into head values (?, ?, ?)",
                [(path, stamp, head) for path, (stamp, head, _) in changed.items()],
            )
            database.executemany(
                "insert or replace into body values (?, ?)", [(path, body) for path, (_, _, body) in changed.items()]
            )

    def __iter__(self) -> Iterator[str]:
        return iter(self.heads())
