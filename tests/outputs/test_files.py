"""Documents reach the disk whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import signal
from pathlib import Path

import pytest

from rackwright.errors import OutputError
from rackwright.outputs.files import write_bytes_atomic


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "proposal.pdf"
    write_bytes_atomic(path, b"one")
    write_bytes_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["proposal.pdf"]


def test_the_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_bytes_atomic(tmp_path / "made", b"")
    assert (tmp_path / "plain").stat().st_mode == (tmp_path / "made").stat().st_mode


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write .*missing.*: No such file or directory"):
        write_bytes_atomic(tmp_path / "missing" / "a.pdf", b"x")


def test_a_folder_in_the_way_is_told_and_nothing_stays(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").mkdir()
    with pytest.raises(OutputError, match="cannot write"):
        write_bytes_atomic(tmp_path / "a.pdf", b"x")
    assert names(tmp_path) == ["a.pdf"]


def test_a_folder_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal is simulated: the superuser may write anywhere."""

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(OutputError, match="Permission denied"):
        write_bytes_atomic(tmp_path / "a.pdf", b"x")


def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the full disk: the system refuses in the middle of the writing."""
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, hard))
    try:
        with pytest.raises(OutputError, match="cannot write"):
            write_bytes_atomic(path, bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.pdf"]


def test_an_interrupt_leaves_the_old_file_and_passes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_bytes_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.pdf"]


def test_a_very_long_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 240 + ".pdf")
    write_bytes_atomic(path, b"x")
    assert path.read_bytes() == b"x"
