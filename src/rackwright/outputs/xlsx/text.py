"""Text that can only ever be text: cells, sheet names, headers, links and literals inside formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

CELL_MAX = 32_767  # characters that a cell holds
LITERAL_MAX = 255  # characters of a text literal in a formula
URL_MAX = 2_000  # longer addresses are refused by spreadsheet programs
SHEET_NAME_MAX = 31

# What XML cannot carry, other control characters, and characters that reverse the direction of what follows.
_REMOVED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?")
# `_x0041_` in a cell is read as `A`; the escape of the underscore keeps it as it was written.
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_ARMING = ("=", "+", "-", "@", "\t", "\r", "\n")
_HOLE = re.compile(r"\{([^{}]+)\}")
_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")


def cell_text(text: str) -> str:
    """Return a text as it goes into a cell: no control characters, `\\n` as line end, cut to what a cell holds."""
    if text.isprintable() and "_x" not in text and len(text) <= CELL_MAX:
        return text
    kept = _REMOVED.sub("", _LINE_ENDS.sub("\n", text))[:CELL_MAX]
    return _ESCAPE.sub("_x005F_", kept) if "_x" in kept else kept


def without_controls(text: str) -> str:
    """Return a text without the characters that no XML file may hold."""
    return _REMOVED.sub("", text)


def is_arming(text: str) -> bool:
    """Tell whether an editor would read the text as a formula once a person has entered the cell."""
    return text.startswith(_ARMING) or text.lstrip().startswith(_ARMING)


def is_web_address(text: str) -> bool:
    """Tell whether a text is a link that may be made clickable: http or https with a host, nothing unprintable."""
    if len(text) > URL_MAX or not text.isprintable() or any(char in text for char in ' "<>\\^`{|}'):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def sheet_name(text: str, taken: set[str]) -> str:
    """Return a name that a sheet can have and that no other sheet has."""
    base = _SHEET_NAME.sub(" ", cell_text(text)).replace("\n", " ").strip(" '")[:SHEET_NAME_MAX] or "Sheet"
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = base[: SHEET_NAME_MAX - len(ending)] + ending
    taken.add(name.casefold())
    return name


def print_text(text: str, length: int) -> str:
    """Return a text for a page header or footer: one line, `&` without meaning, cut to `length` characters."""
    line = " ".join(cell_text(text).split())
    if len(line.replace("&", "&&")) <= length:
        return line.replace("&", "&&")
    while len(line.replace("&", "&&")) >= length:
        line = line[:-1]
    return line.rstrip().replace("&", "&&") + "…"


def literal(text: str) -> str:
    """Return a text as a formula writes it: quoted, in pieces that are not too long."""
    clean = cell_text(text)
    pieces = [clean[start : start + LITERAL_MAX] for start in range(0, len(clean), LITERAL_MAX)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)


def joined(template: str, formulas: Mapping[str, str]) -> str:
    """Return a formula that builds the text of `template` with the results of `formulas` in its holes."""
    parts = []
    for index, piece in enumerate(_HOLE.split(template)):
        if index % 2 == 0:
            parts += [literal(piece)] if piece else []
        else:
            parts.append(formulas[piece] if piece in formulas else literal("{" + piece + "}"))
    return "&".join(parts) or '""'
