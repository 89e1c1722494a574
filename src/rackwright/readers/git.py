"""Asks git what a repository held and what changed in it. Nothing in the repository is written."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

from rackwright.errors import UsageError


def repository_of(path: Path) -> Path | None:
    """Return the top folder of the repository that `path` is in, None if it is in none."""
    folder = path if path.is_dir() else path.parent
    try:
        return Path(_git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    except UsageError:
        return None


def commit_of(repository: Path, revision: str) -> str:
    """Return the id of the commit that `revision` names. Raises UsageError if there is none."""
    try:
        found = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except UsageError:
        raise UsageError(f"git knows no revision {revision}") from None
    return found.decode().strip()


def fork_point(repository: Path, commit: str) -> str:
    """Return where the current branch left the one of `commit`; `commit` itself if they have nothing in common."""
    try:
        return _git(repository, "merge-base", commit, "HEAD").decode().strip()
    except UsageError:
        return commit


def changed_files(repository: Path, commit: str) -> tuple[list[str], list[str]]:
    """Return the paths that are new or different in the work tree since `commit`, and those that are gone."""
    words = _git(repository, "diff", "--name-status", "--no-renames", "-z", commit, "--").split(b"\0")
    pairs = list(zip(words[::2], words[1::2], strict=False))
    new = _git(repository, "ls-files", "--others", "--exclude-standard", "-z").split(b"\0")
    there = {os.fsdecode(path) for state, path in pairs if state != b"D"} | {os.fsdecode(path) for path in new if path}
    return sorted(there), sorted(os.fsdecode(path) for state, path in pairs if state == b"D")


def text_at(repository: Path, commit: str, path: str) -> str | None:
    """Return the text of a file as it was in a commit, None if it was not there or is no text."""
    try:
        return _git(repository, "show", f"{commit}:{path}").decode()
    except (UsageError, UnicodeDecodeError):
        return None


def export(repository: Path, commit: str, folder: str, target: Path) -> bool:
    """Write the plain files of a folder as they were in a commit below `target`; return whether it was there."""
    try:
        packed = _git(repository, "archive", "--format=tar", commit, "--", folder)
    except UsageError:
        return False
    # Not extractall: its safe filter is missing in Python 3.11.2. Here only plain files are ever written.
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            place = target / member.name
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and place.resolve().is_relative_to(target.resolve()):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.read())
    return True


def _git(folder: Path, *arguments: str) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise UsageError(f"git is not installed, or there is no folder {folder}") from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"git {arguments[0]} failed" + (f": {reason[-1]}" if reason else ""))
    return done.stdout
