"""What only a process of its own shows: signals, closed pipes, narrow alphabets, streams that are full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from .conftest import SERVER

SOURCE = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def started(tmp_path: Path, cache: Path) -> tuple[list[str], dict[str, str], Path]:
    (tmp_path / "c.yaml").write_text(SERVER)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "RACKWRIGHT_CACHE": str(cache)}
    return [sys.executable, "-m", "rackwright"], environment, tmp_path


Started = tuple[list[str], dict[str, str], Path]


def run(
    arguments: list[str], environment: dict[str, str], folder: Path, stdout: IO[str] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(arguments, cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE, check=False)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_quote_leaves_nothing(number: signal.Signals, code: int, started: Started) -> None:
    command, environment, folder = started
    process = subprocess.Popen(
        [*command, "quote", "c.yaml", "-o", "new/out"],
        cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "making bom.xlsx …\n"
    process.send_signal(number)
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), err.splitlines()[-1]) == (code, "rackwright: interrupted")
    assert "Traceback" not in err
    assert [path.name for path in folder.iterdir()] == ["c.yaml"]


def test_an_interrupt_while_modules_are_loaded(started: Started) -> None:
    """The command is stopped from within, at the import of the commands: before typer could catch anything."""
    command, environment, folder = started
    (folder / "sitecustomize.py").write_text(
        "import builtins, os, signal\n"
        "real = builtins.__import__\n"
        "def stop(name, *rest, **more):\n"
        "    if name == 'rackwright.cli.commands':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest, **more)\n"
        "builtins.__import__ = stop\n"
    )
    environment["PYTHONPATH"] += os.pathsep + str(folder)
    result = run([*command, "validate", "-q", "c.yaml"], environment, folder)
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"rackwright: interrupted\n")


def test_a_reader_that_goes_away(started: Started) -> None:
    command, environment, folder = started
    process = subprocess.Popen(
        [*command, "rules", "list"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == -signal.SIGPIPE


def test_an_output_that_is_full(started: Started) -> None:
    command, environment, folder = started
    for arguments in (["--version"], ["validate", "c.yaml", "-f", "json"]):
        with Path("/dev/full").open("w") as full:
            result = run([*command, *arguments], environment, folder, full)
        assert (result.returncode, result.stderr) == (2, b"rackwright: No space left on device\n")


def test_a_terminal_with_few_letters(started: Started, few_rules: Path) -> None:
    command, environment, folder = started
    environment["PYTHONIOENCODING"] = "ascii"
    (folder / "c.yaml").write_text(SERVER.replace("title: Test", "title: Zürich"))
    arguments = [*command, "validate", "c.yaml", "--rules", str(few_rules)]
    result = run(arguments, environment, folder)
    assert result.stdout.startswith(b"c.yaml ? Z?rich\n? VALID  ")
    assert (result.returncode, result.stderr) == (0, b"")
    result = run([*arguments, "-f", "json"], environment, folder)
    report = json.loads(result.stdout)
    assert "?" not in report["bom"][0]["title"]
    assert report["status"] == "valid"
