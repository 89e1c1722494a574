"""The rows of a price list that is a workbook (xlsx)."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rackwright.diagnostic import Finding, finding
from rackwright.readers.files import LIMIT_BYTES, printable
from rackwright.source import Location

_LIMIT_UNPACKED_BYTES = 100_000_000


def rows_of(path: Path, shown: str) -> tuple[Iterator[tuple[int, list[str]]] | None, list[Finding]]:
    """Return the rows of the first sheet as (number, cells), cells as they are written in a csv list.

    Shapes: numbers keep at most the two decimals that amounts have if more are only the noise of binary figures;
    dates are ISO. Empty cells at the end of a row are left out.
    Errors: none raised. CFG001 the file cannot be opened; CFG005 too large; BOM096 no workbook.
    """
    at = Location(shown)
    try:
        size = path.stat().st_size
        if size > LIMIT_BYTES:
            return None, [_too_large(at, shown, LIMIT_BYTES)]
        with zipfile.ZipFile(path) as package:
            if sum(entry.file_size for entry in package.infolist()) > _LIMIT_UNPACKED_BYTES:
                return None, [_too_large(at, shown, _LIMIT_UNPACKED_BYTES)]
            if any(_declares(package.read(entry)) for entry in package.infolist() if _is_xml(entry.filename)):
                return None, [_not_read(at, "it declares entities, which no price list needs and which can do harm")]
        return iter(_rows(path)), []
    except OSError as error:
        message, reason = "{file} cannot be opened: {reason}", error.strerror or ""
        return None, [finding("CFG001", message, at, fix="check the path and the permissions of the file",
                              file=printable(shown), reason=reason)]  # fmt: skip
    except Exception as error:  # a damaged package fails anywhere in the libraries that read it
        return None, [_not_read(at, f"{type(error).__name__}: {error}")]


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def _declares(member: bytes) -> bool:
    """Whether a member has a document type, in which entities are declared. Workbooks have none, and are UTF-8.

    It is looked for here because which library reads the XML, and how, depends on what is installed.
    """
    return b"<!DOCTYPE" in member or b"<!ENTITY" in member or b"\0" in member[:4]


def _not_read(at: Location, reason: str) -> Finding:
    return finding("BOM096", "the price list cannot be read on: {reason}", at,
                   fix="save the list anew as xlsx or csv", reason=printable(reason, 200))  # fmt: skip


def _too_large(at: Location, shown: str, limit: int) -> Finding:
    message = "{file} is over the limit of {limit} bytes"
    fix = "split the file, or check that it is the right one"
    return finding("CFG005", message, at, fix=fix, file=printable(shown), limit=limit)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        rows = []
        for number, values in enumerate(book.worksheets[0].iter_rows(values_only=True), start=1):
            cells = [_cell(value) for value in values]
            while cells and not cells[-1]:
                cells.pop()
            rows.append((number, cells))
        return rows
    finally:
        book.close()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()[:10]
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return f"{value:.2f}" if abs(value - round(value, 2)) < 1e-9 else repr(value)
    return str(value)
