"""Places inside a text value of a YAML file: from 'so many characters into the value' to the line and column there.

The check of an expression counts columns from the place where its value stands. For a plain value that is right; a
quoted one begins a character later, a folded one (`>-`) lines below. Only the columns of a finding change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rackwright.diagnostic import Finding
from rackwright.source import Location

_BLOCK = re.compile(r"[\s:-]([>|])[-+0-9]{0,2}[ \t]*(?:#.*)?$")
_QUOTED = re.compile(r"^\s*(?:- +)*[\w-]+:\s+([\"'])")


def settled(findings: Sequence[Finding], text: str) -> list[Finding]:
    """Return findings on expressions of one file with the place where the characters really stand."""
    lines = text.splitlines()
    return [replace(item, at=_settled(item.at, lines)) if item.at is not None else item for item in findings]


def _settled(at: Location, lines: Sequence[str]) -> Location:
    if not 1 <= at.line <= len(lines):
        return at
    line = lines[at.line - 1]
    block = _BLOCK.search(line)
    if block is not None and at.column > block.start(1):
        return _in_block(at, at.column - block.start(1) - 1, lines, is_folded=block[1] == ">")
    quoted = _QUOTED.match(line)
    if quoted is not None and at.column > quoted.start(1):
        return replace(at, column=at.column + 1)
    return at


def _in_block(at: Location, offset: int, lines: Sequence[str], *, is_folded: bool) -> Location:
    """Walk the lines of a block: each is as long as it is without its indentation, and one for the line's end."""
    indent = None
    for number in range(at.line, len(lines)):
        line = lines[number]
        content = line.strip()
        if not content:
            offset -= 0 if is_folded else 1
            continue
        depth = len(line) - len(line.lstrip())
        indent = depth if indent is None else indent
        if depth < indent:
            break
        if offset <= len(line.rstrip()) - indent:
            return Location(at.file, number + 1, indent + max(offset, 0) + 1)
        offset -= len(line.rstrip()) - indent + 1
    return at
