"""What to write where a number is expected and something else was found."""

from __future__ import annotations

import re
from typing import Any

from rackwright.readers.files import printable
from rackwright.units import converted, is_same_unit, suffix_of, unit_of

NUMBER = re.compile(r"\s*([-+]?[0-9]+(?:\.[0-9]+)?)\s*(\S.{0,20})?\s*", re.DOTALL)
_COUNT_IN_WORDS = re.compile(r"[^\d.,]{1,20}(\d{1,6})[^\d.,]{0,20}")  # x16, CPU 2, Gen 4


def number_fix(found: Any, key: str, kind: str) -> tuple[str | None, dict[str, str]]:
    """Return the advice and what goes into its holes. `key` carries the unit, `kind` is pydantic's type of error."""
    symbol = unit_of(key).symbol
    is_count = kind.startswith("int")
    if is_count and isinstance(found, float):
        whole = found.is_integer() and abs(found) < 1e15
        return ("write {number}", {"number": str(int(found))}) if whole else ("write a number without decimals", {})
    match = NUMBER.fullmatch(found) if isinstance(found, str) else None
    if match is None:
        inside = _COUNT_IN_WORDS.fullmatch(found) if is_count and isinstance(found, str) else None
        if inside:
            return "write {number} alone", {"number": inside[1]}
        return "write a number in {unit}" if symbol else "write a number, with digits", {"unit": symbol}
    number, unit = match[1].removeprefix("+"), (match[2] or "").strip()
    texts = {"number": number, "unit": symbol, "key": printable(key)}
    if not unit:
        return "write {number} without quotes", texts
    figure = converted(float(number), unit, suffix_of(key) or "")
    if figure is not None:
        texts |= {"figure": f"{figure:.12g}", "printed": printable(found.strip())}
        return "write {figure}: {printed} are {figure} {unit}" if symbol else "write {figure}", texts
    if not symbol:
        return "write {number} alone, without a unit", texts
    if is_same_unit(unit, symbol):
        return "write {number}: the unit is in the key's name ({key})", texts
    return "write the figure in {unit}: the unit is in the key's name ({key})", texts
