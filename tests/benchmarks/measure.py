"""CPU times of functions and of processes, and the fixed loop that they are compared with."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STEPS = 100_000


@dataclass(frozen=True)
class Row:
    """A ratio, what is wanted of it, and the bound that the tests hold it to (generous: machines are shared)."""

    name: str
    against: str
    ratio: float
    wanted: float | None
    bound: float


def loop() -> int:
    """Go through the fixed loop: 100,000 steps of plain Python arithmetic."""
    total = 0
    for number in range(STEPS):
        total += number * number % 7
    return total


def cpu_s(work: Callable[[], object], repeats: int) -> float:
    """Return the least CPU time in seconds of several calls; the first call, which warms up, does not count."""
    work()
    return min(_cpu_s(work) for _ in range(repeats))


def middle_cpu_s(work: Callable[[], object], repeats: int) -> float:
    """Return the middle CPU time in seconds of several calls after a first one."""
    work()
    return sorted(_cpu_s(work) for _ in range(repeats))[repeats // 2]


def _cpu_s(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def processes_cpu_s(commands: Sequence[Sequence[str]], folder: Path, repeats: int) -> list[float]:
    """Return the least CPU time in seconds of each Python command line, run in turn so that all see the same machine.

    `folder` keeps byte code and caches; a first round, which does not count, fills it.
    """
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "RACKWRIGHT_CACHE": str(folder / "cache"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    best = [float("inf")] * len(commands)
    for turn in range(repeats + 1):
        for index, command in enumerate(commands):
            spent = _process_cpu_s([sys.executable, *command], environment)
            best[index] = min(best[index], spent) if turn else best[index]
    return best


def _process_cpu_s(command: Sequence[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.returncode in (0, 1), ended.stderr.decode()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
