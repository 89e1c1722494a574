"""What to write where a number is expected and something else was found."""

from __future__ import annotations

import re
from typing import Any

from rackwright.readers.files import printable
from rackwright.units import unit_of

_NUMBER = re.compile(r"\s*([-+]?[0-9]+(?:\.[0-9]+)?)\s*(\S.{0,20})?\s*", re.DOTALL)


def number_fix(found: Any, key: str, kind: str) -> tuple[str | None, dict[str, str]]:
    """Return the advice and what goes into its holes. `key` carries the unit, `kind` is pydantic's type of error."""
    symbol = unit_of(key).symbol
    match = _NUMBER.fullmatch(found) if isinstance(found, str) else None
    if match is None:
        fix = "write a number in {unit}" if symbol else "write a number, with digits"
        is_broken = kind.startswith("int") and isinstance(found, float)
        return "write a number without decimals" if is_broken else fix, {"unit": symbol}
    number, unit = match[1].removeprefix("+"), (match[2] or "").strip()
    texts = {"number": number, "unit": symbol, "key": printable(key)}
    if not unit:
        return "write {number} without quotes", texts
    if not symbol:
        return "write {number} alone, without a unit", texts
    if unit.casefold() == symbol.casefold():
        return "write {number}: the unit is in the key's name ({key})", texts
    return "write the figure in {unit}: the unit is in the key's name ({key})", texts
