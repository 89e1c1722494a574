"""A folder of a commit is written out on every Python that is supported."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from rackwright.readers.git import export


def test_export_needs_nothing_that_older_pythons_lack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    monkeypatch.delattr(tarfile.TarFile, "extractall")
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "catalog" / "gpu").mkdir(parents=True)
    (source / "catalog" / "gpu" / "a.yaml").write_text("id: a\n")
    (source / "other.txt").write_text("x")
    (source / "catalog" / "link.yaml").symlink_to("/etc/hostname")
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", *identity, *words], cwd=source, check=True)
    assert export(source, "HEAD", "catalog", target)
    written = {str(path.relative_to(target)): path.read_text() for path in target.rglob("*") if path.is_file()}
    assert written == {"catalog/gpu/a.yaml": "id: a\n"}
    assert not export(source, "HEAD", "nothing", target)
