"""A private cache of what was read and checked: catalog parts and rules. Losing it costs time, never a result.

One SQLite file per folder of sources and version of the code: other code starts anew, and removes the old file. A
cache that cannot be opened, read or written is not used, and a damaged one is made anew. Each text carries its
checksum, so that a flipped bit costs time as well, and never changes a figure.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

FORMAT = 4


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


def _digest(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _sealed(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}{text}"


def _unsealed(sealed: object) -> str | None:
    """Return the text without its checksum, None if they do not fit."""
    text = sealed[8:] if isinstance(sealed, str) else ""
    return text if sealed == _sealed(text) else None


class Entry(NamedTuple):
    """A file of a folder as it is on disk. `stamp` changes when the file does."""

    path: str
    stamp: str


def scan(folder: Path, suffix: str = ".yaml") -> list[Entry]:
    """List the files below `folder`, in order of their names; names that start with a dot and `schema` are left out.

    A file that cannot be looked at (a link that leads nowhere) has an empty stamp. Raises OSError for a folder.
    """
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
                found.append(Entry(prefix + entry.name, _stamp(entry)))

    visit(str(folder), "")
    return found


def _stamp(entry: os.DirEntry[str]) -> str:
    try:
        stat = entry.stat()
    except OSError:
        return ""
    return f"{stat.st_ino}:{stat.st_mtime_ns}:{stat.st_size}"


def stamp_of(entries: Iterable[Entry]) -> str:
    """One stamp of all files of a folder; it changes when a file does, comes or goes."""
    return _digest(os.fsencode(";".join(f"{entry.path}={entry.stamp}" for entry in entries)))


def _is_private(path: Path) -> bool:
    """Tell whether only this user (and root) can write a file or folder."""
    stat = path.stat()
    return not hasattr(os, "getuid") or (stat.st_uid == os.getuid() and not stat.st_mode & 0o022)


class Store:
    """Texts by key in one SQLite file. Every failure of the database makes it an empty store that forgets.

    `is_private` tells whether nobody else can have written it: only then may it be trusted with code.
    """

    def __init__(self, folder: Path, kind: str, key: str, *, is_kept: bool = True) -> None:
        self.is_private = False
        self._database: sqlite3.Connection | None = None
        place = cache_folder() if is_kept else None
        if place is None:
            return
        source = f"{kind}-{_digest(os.fsencode(folder.resolve()))}"
        path = self._path = place / f"{source}-{_digest(os.fsencode(key))}.sqlite"
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            is_new = not path.exists()
            if is_new:
                for old in place.glob(f"{source}*"):
                    if old != path:
                        old.unlink(missing_ok=True)
            self._connect(path)
            if is_new:
                path.chmod(0o600)
            self.is_private = _is_private(place) and _is_private(path)
        except sqlite3.OperationalError:  # a folder that is not writable, a disk that is full, or others are writing
            self._database = None
        except (sqlite3.DatabaseError, UnicodeError):
            self._remove()
        except OSError:
            self._database = None

    def _remove(self) -> None:
        """Give up a damaged file, so that the next run makes it anew."""
        self._database = None
        with contextlib.suppress(OSError):
            self._path.unlink()

    def _connect(self, path: Path) -> None:
        database = sqlite3.connect(path, timeout=2)
        try:
            database.execute("create table if not exists head (path text primary key, stamp text, head text)")
            database.execute("create table if not exists body (path text primary key, body text)")
        except (sqlite3.Error, UnicodeError):
            database.close()
            raise
        self._database = database

    def heads(self) -> dict[str, tuple[str, str]]:
        """Return stamp and head text of every entry."""
        if self._database is None:
            return {}
        try:
            rows = self._database.execute("select path, stamp, head from head").fetchall()
        except (sqlite3.Error, UnicodeError):
            self._remove()
            return {}
        return {path: (stamp, head) for path, stamp, sealed in rows if (head := _unsealed(sealed)) is not None}

    def head(self, path: str) -> tuple[str, str] | None:
        """Return stamp and head text of an entry, None if it is gone."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("select stamp, head from head where path = ?", (path,)).fetchone()
        except (sqlite3.Error, UnicodeError):
            self._remove()
            return None
        text = _unsealed(row[1]) if row else None
        return None if text is None else (row[0], text)

    def body(self, path: str) -> str | None:
        """Return the body text of an entry, None if it is gone."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("select body from body where path = ?", (path,)).fetchone()
        except (sqlite3.Error, UnicodeError):
            self._remove()
            return None
        return _unsealed(row[0]) if row else None

    def update(self, changed: Mapping[str, tuple[str, str, str]], gone: list[str]) -> None:
        """Keep (stamp, head, body) of changed entries and forget the ones that are gone."""
        if self._database is None or not (changed or gone):
            return
        # UnicodeError: the name of a file that is no text
        with contextlib.suppress(sqlite3.Error, UnicodeError), self._database as database:
            database.executemany("delete from head where path = ?", [(path,) for path in gone])
            database.executemany("delete from body where path = ?", [(path,) for path in gone])
            database.executemany(
                "insert or replace into head values (?, ?, ?)",
                [(path, stamp, _sealed(head)) for path, (stamp, head, _) in changed.items()],
            )
            database.executemany(
                "insert or replace into body values (?, ?)",
                [(path, _sealed(body)) for path, (_, _, body) in changed.items()],
            )

    def __iter__(self) -> Iterator[str]:
        return iter(self.heads())
