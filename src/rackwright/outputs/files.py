"""Writes finished documents to disk: whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from rackwright.errors import OutputError


def write_bytes_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path`: first beside it, then moved over it in one step.

    Errors: OutputError if the folder does not exist or is not writable, the disk is full, or `path` is a folder.
    Whatever stops the writing (an interrupt included), an older file stays as it was and nothing half-written stays.
    """
    beside = path.with_name(f".{path.name[:80]}.{os.urandom(6).hex()}.part")
    try:
        try:
            _write_new(beside, data)
            beside.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def write_all_atomic(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write several documents to a folder, which is made if it is not there: all of them, or none.

    Returns their paths. All are written beside their places first; only when each is complete they are moved.
    Errors: OutputError as for one file; older files stay as they were.
    """
    places = {folder / name: data for name, data in files.items()}
    waiting: dict[Path, Path] = {}
    is_written = False
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in places.items():
            if path.is_dir():  # it would stop the moving when others have been moved
                raise OutputError(f"cannot write {path}: a folder of this name is there")
            beside = path.with_name(f".{path.name[:80]}.{os.urandom(6).hex()}.part")
            waiting[path] = beside
            _write_new(beside, data)
        for path, beside in waiting.items():
            beside.replace(path)
        is_written = True
    except FileExistsError as error:
        raise OutputError(f"cannot write to {folder}: it is no folder") from error
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from error
    finally:
        for beside in waiting.values():
            with contextlib.suppress(OSError):
                beside.unlink()
        if not is_written:
            for parent in made:
                with contextlib.suppress(OSError):
                    parent.rmdir()
    return list(places)


def _write_new(path: Path, data: bytes) -> None:
    """Create a file that nobody else has, with the usual permissions, and push it to the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
