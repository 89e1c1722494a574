"""Reads part files; of a folder with thousands of them, a second process reads every other one.

Run as a program it is that process: `python -m rackwright.readers.part_worker FOLDER SHOWN`, paths on its input.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from rackwright.readers.catalog_part import read_part

if TYPE_CHECKING:
    import subprocess  # loaded when a second process is wanted: most runs want none

Read = tuple[dict[str, Any], str]
MANY = 2_000  # the second process takes as long to start as some hundred files to read


def read_all(paths: Sequence[str], folder: Path, shown: str) -> list[Read]:
    """Return head and body of each part file (`catalog_part.read_part`), in order."""
    if len(paths) < MANY or (os.cpu_count() or 1) < 2 or not sys.executable:
        return [read_part(folder, path, f"{shown}/{path}") for path in paths]
    with _second_process(paths[1::2], folder, shown) as results:
        mine = [read_part(folder, path, f"{shown}/{path}") for path in paths[::2]]
        theirs = results()
    if theirs is None:  # it could not be started, or was killed
        theirs = [read_part(folder, path, f"{shown}/{path}") for path in paths[1::2]]
    found: list[Read] = [({}, "")] * len(paths)
    found[::2], found[1::2] = mine, theirs
    return found


@contextlib.contextmanager
def _second_process(paths: Sequence[str], folder: Path, shown: str) -> Iterator[Callable[[], list[Read] | None]]:
    """Let a process read; files stand between the two, so that neither waits for the other to take what it says."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as told:
        asked.write("".join(json.dumps(path) + "\n" for path in paths).encode())
        asked.seek(0)
        command = [sys.executable, "-m", __name__, str(folder.resolve()), shown]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            process = subprocess.Popen(command, stdin=asked, stdout=told, stderr=subprocess.DEVNULL, env=environment)
        try:
            yield lambda: _results(process, told, len(paths))
        finally:
            if process is not None:
                process.kill()
                process.wait()


def _results(process: subprocess.Popen[bytes] | None, told: IO[bytes], wanted: int) -> list[Read] | None:
    if process is None or process.wait() != 0:
        return None
    told.seek(0)
    found = [(head, body) for head, body in map(json.loads, told.read().splitlines())]
    return found if len(found) == wanted else None


def main() -> None:
    """Read the files that the other process names."""
    folder, shown = Path(sys.argv[1]), sys.argv[2]
    for line in sys.stdin:
        path = json.loads(line)
        sys.stdout.write(json.dumps(read_part(folder, path, f"{shown}/{path}")) + "\n")


if __name__ == "__main__":
    main()
