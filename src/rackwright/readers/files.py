"""Reading files that somebody else wrote, and showing what they hold without trusting it.

Every way in which reading can go wrong is a finding.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path, PureWindowsPath
from typing import Any

from rackwright.diagnostic import Finding, finding
from rackwright.source import Location
from rackwright.source import Path as SourcePath

LIMIT_BYTES = 2_000_000
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_BOM_UTF8 = b"\xef\xbb\xbf"
_BOMS_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: Path, shown: str, limit_bytes: int = LIMIT_BYTES) -> tuple[str | None, list[Finding]]:
    """Read a UTF-8 text file, or say why it cannot be read.

    Shapes: `shown` is the path as the user gave it; the text comes without a byte order mark, line ends as they are.
    Units: `limit_bytes` is bytes on the disk; a longer file is refused after at most that many.
    Errors: none raised. CFG001 (and only that) if the file cannot be opened: missing, a folder, not a plain file, not
    readable; CFG002 not UTF-8, NUL bytes; CFG003 empty; CFG005 too large. The text is None exactly when there is a
    finding.
    """
    raw, findings = read_bytes(path, shown, limit_bytes)
    if raw is None:
        return None, findings
    return _decode(raw, shown)


def resolve_inside(folder: Path, relative: str, at: Location) -> tuple[Path | None, list[Finding]]:
    """Turn a path that a file names into a real one, and refuse it if it leads out of `folder`.

    Shapes: `relative` uses `/`; `at` is where it was written. The result has no symbolic links left in it; whether
    anything is there is not looked at.
    Errors: none raised. CFG008 empty, absolute, a drive, a backslash, out by `..` or by a symbolic link.
    """
    problem, fix = _written_outside(relative)
    if not problem:
        try:
            root = folder.resolve()
            target = (root / relative).resolve()
        except (OSError, RuntimeError, ValueError):  # a loop of links, a name too long
            problem, fix = 'the path "{path}" cannot be followed', "name an existing file in the folder"
        else:
            if target.is_relative_to(root):
                return target, []
            climbs = not Path(os.path.normpath(root / relative)).is_relative_to(root)
            problem = (
                'the path "{path}" leads out of the folder'
                if climbs
                else 'the path "{path}" is a link that leads out of the folder'
            )
            fix = "copy the file into the folder and name it there"
    return None, [finding("CFG008", problem, at, fix=fix, path=printable(relative))]


def as_text(path: Path) -> str:
    """Return the name of a file in characters: names are bytes to the system, and what is no character is escaped."""
    return str(path).encode("utf-8", "backslashreplace").decode()


def printable(text: str, limit: int = 60) -> str:
    """Return `text` fit to print inside a message: one line, at most `limit` characters, no control characters.

    What a terminal could take for a command, line ends and marks that turn the reading direction come out as
    escapes (`\\x1b`).
    """
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[: limit + 1])
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"


def place_in(text: str, index: int, shown: str) -> Location:
    """Return the place of the character at `index`; a line ends with LF, CR or both."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return Location(shown, before.count("\n") + 1, len(before) - before.rfind("\n"))


def written(value: Any) -> str:
    """Return a value as it is written in a file: `true`, not `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def dotted(path: SourcePath) -> str:
    """Name a place in the data, fit to print: `nodes[0].parts[2].count`."""
    if not path:
        return "the file"
    text = "".join(f"[{e}]" if isinstance(e, int) else f".{printable(e, 40)}" for e in path).removeprefix(".")
    return text if len(text) <= 60 else "…" + text[-59:]


def short_name(path: SourcePath) -> str:
    """Name a place by its last key, with the indices after it: `mpn[1]`."""
    start = next((i for i in range(len(path) - 1, -1, -1) if isinstance(path[i], str)), 0)
    return dotted(path[start:])


def listed(names: Sequence[str]) -> str:
    """Return the first twenty names with commas between them."""
    return ", ".join(names[:20]) + (", …" if len(names) > 20 else "")


def described(value: Any) -> str:
    """Say what a value of a file is, fit to print: its kind, and the value itself where it is short."""
    if isinstance(value, bool):
        return written(value)
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return "keys with values"
    return f'the text "{printable(str(value), 50)}"' if value else "an empty text"


def closest(word: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably meant, None if nothing is near; hyphens and capitals do not count."""
    if len(word) > 60:  # the comparison takes the product of both lengths
        return None
    plain = {name.replace("-", "_").casefold(): name for name in reversed(names)}
    matches = get_close_matches(word.replace("-", "_").casefold(), plain, n=1)
    return plain[matches[0]] if matches else None


def clearly_closest(word: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably meant, None if another one is about as near."""
    best = closest(word, names)
    if best is None:
        return None
    ahead = _likeness(word, best) - max((_likeness(word, name) for name in names if name != best), default=0)
    return best if ahead > 0.1 or _likeness(word, best) == 1 else None


def _likeness(word: str, name: str) -> float:
    return SequenceMatcher(None, name.replace("-", "_").casefold(), word.replace("-", "_").casefold()).ratio()


def _written_outside(relative: str) -> tuple[str, str]:
    """What is wrong with the path as it is written, and the fix; two empty texts if nothing is."""
    if not relative.strip():
        return "the path is empty", "name a file in the folder"
    if "\0" in relative:
        return 'the path "{path}" holds a NUL character', "name a file in the folder"
    if relative.startswith("/") or PureWindowsPath(relative).drive or PureWindowsPath(relative).root:
        return 'the path "{path}" is absolute', "write it relative to the folder"
    if "\\" in relative:
        return 'the path "{path}" holds a backslash', "separate folders with /"
    return "", ""


def read_bytes(path: Path, shown: str, limit_bytes: int) -> tuple[bytes | None, list[Finding]]:
    """Read a file of any kind, or say why it cannot be read: CFG001 or CFG005, as `read_text`."""
    at = Location(shown)
    try:
        # Not blocking: a pipe that nobody writes to would hold the program for ever.
        descriptor = os.open(path, _OPEN_FLAGS)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None, [_not_a_file(at, status.st_mode)]
            raw = _read_at_most(descriptor, status.st_size, limit_bytes)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        return None, [_not_opened(at, error)]
    if raw is None:
        message = "{file} is over the limit of {limit} bytes"
        fix = "split the file, or check that it is the right one"
        return None, [finding("CFG005", message, at, fix=fix, file=printable(shown), limit=limit_bytes)]
    return raw, []


def _read_at_most(descriptor: int, size: int, limit_bytes: int) -> bytes | None:
    """Read to the end, or return None as soon as it is clear that there are more than `limit_bytes`."""
    if size > limit_bytes:
        return None
    chunks: list[bytes] = []
    left = limit_bytes + 1  # a file can grow, or (under /proc) state the size 0
    while left and (chunk := os.read(descriptor, left)):
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks) if left else None


def _not_a_file(at: Location, mode: int) -> Finding:
    if stat.S_ISDIR(mode):
        return _unreadable(at, "{file} is a folder, not a file", "name a file in it")
    return _unreadable(at, "{file} is not a plain file", "save the text to a file and name that")


def _not_opened(at: Location, error: OSError | ValueError) -> Finding:
    if isinstance(error, FileNotFoundError):
        return _unreadable(at, "{file} does not exist", "check the path and the spelling of the name")
    if isinstance(error, PermissionError):
        return _unreadable(at, "{file} may not be read by this user", "change the permissions of the file")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "the path is not valid"
    return _unreadable(at, "{file} cannot be read: {reason}", "check the path and the disk", reason)


def _unreadable(at: Location, message: str, fix: str, reason: str = "") -> Finding:
    return finding("CFG001", message, at, fix=fix, file=printable(at.file), reason=reason)


def _decode(raw: bytes, shown: str) -> tuple[str | None, list[Finding]]:
    fix = "save the file as UTF-8"
    name = printable(shown)
    if raw.startswith(_BOMS_UTF16):
        return None, [finding("CFG002", "{file} is UTF-16, not UTF-8", Location(shown), fix=fix, file=name)]
    raw = raw.removeprefix(_BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        at = place_in(before, len(before), shown)
        message = "{file} is not UTF-8: the byte {byte} does not fit"
        return None, [finding("CFG002", message, at, fix=fix, file=name, byte=f"0x{raw[error.start]:02X}")]
    nul = text.find("\0")
    if nul >= 0:
        message = "{file} holds a NUL byte: it is not a text file"
        fix = "name the text file, not a binary one"
        return None, [finding("CFG002", message, place_in(text, nul, shown), fix=fix, file=name)]
    if not text.strip():
        fix = "write the file first: the examples show one"
        return None, [finding("CFG003", "{file} is empty", Location(shown), fix=fix, file=name)]
    return text, []
