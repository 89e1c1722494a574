"""Takes attached files out of a PDF that somebody sent. Nothing of the PDF is trusted, rendered or run."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Iterator
from pathlib import Path

from rackwright.diagnostic import Finding, finding
from rackwright.readers.files import printable, read_bytes
from rackwright.source import Location

LIMIT_BYTES = 50_000_000
LIMIT_FILES = 100


def read_attachments(path: Path, shown: str) -> tuple[dict[str, bytes] | None, list[Finding]]:
    """Return the attached files by name.

    Errors: none raised. CFG001, CFG005 the file cannot be opened, or is too large; DOC001 no PDF; DOC002 encrypted;
    DOC003 damaged, or its attachments are too large, too many, or two of one name.
    """
    raw, findings = read_bytes(path, shown, LIMIT_BYTES)
    if raw is None:
        return None, findings
    at = Location(shown)
    if b"%PDF-" not in raw[:1024]:
        return None, [finding("DOC001", "{file} is no PDF", at, fix="name the proposal", file=printable(shown))]
    try:
        with _quiet():
            return _files(raw, shown)
    except Exception as error:  # a damaged file fails anywhere in the library that reads it
        return None, [_damaged(shown, f"{type(error).__name__}: {error}")]


def _files(raw: bytes, shown: str) -> tuple[dict[str, bytes] | None, list[Finding]]:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(raw), strict=False)
    if reader.is_encrypted:
        return None, [
            finding("DOC002", "{file} is encrypted", Location(shown), fix="save it without a password",
                    file=printable(shown))
        ]  # fmt: skip
    files: dict[str, bytes] = {}
    size = 0
    for entry in reader.attachment_list:
        content = entry.content
        size += len(content)
        if len(files) >= LIMIT_FILES or size > LIMIT_BYTES:
            return None, [_damaged(shown, f"more than {LIMIT_FILES} attached files or {LIMIT_BYTES} bytes in them")]
        if entry.name in files:
            return None, [_damaged(shown, "two attached files have one name")]
        files[str(entry.name)] = bytes(content)
    return files, []


def _damaged(shown: str, reason: str) -> Finding:
    return finding("DOC003", "the attached files of {file} cannot be read: {reason}", Location(shown),
                   fix="ask for the proposal again", file=printable(shown), reason=printable(reason, 200))  # fmt: skip


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's warnings on damaged files from the terminal: what matters is a finding."""
    logger = logging.getLogger("pypdf")
    before = logger.disabled, logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.disabled, logger.level = before
