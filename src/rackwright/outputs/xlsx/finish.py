"""The pass over the finished file: the value of every formula, fixed dates, fixed order. openpyxl writes neither.

Readers that do not calculate (previews, protected view, data readers) show the stored values; the file is the same
byte for byte in every run.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from xml.sax.saxutils import escape

Cached = Decimal | int | float | str

_FORMULA = re.compile(r'<c r="([A-Z]+[0-9]+)"((?: s="[0-9]+")?)><f>(.*?)</f><v\s*(?:/>|></v>)</c>', re.DOTALL)
_MODIFIED = re.compile(r"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)")
_APPLICATION = re.compile(r"(<Application>)[^<]*(</Application>)(<AppVersion>[^<]*</AppVersion>)?")
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_NO_DATE = "1980-01-01"
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def finished(content: bytes, cached: Sequence[Mapping[str, Cached]], date_iso: str) -> bytes:
    """Rewrite a saved workbook. `cached` has the formula values of each sheet, in the order of the sheets.

    Raises ValueError if a formula has no value or a value has no formula: such a file must not leave.
    """
    result = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            sheet = re.fullmatch(r"xl/worksheets/sheet([0-9]+)\.xml", name)
            if sheet:
                data = with_values(data.decode(), cached[int(sheet[1]) - 1]).encode()
            elif name == "docProps/core.xml":
                data = _dated(data.decode(), date_iso).encode()
            elif name == "docProps/app.xml":
                data = _APPLICATION.sub(r"\1rackwright\2", data.decode()).encode()
            entry = zipfile.ZipInfo(name, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            entry.external_attr = 0
            target.writestr(entry, data)
    return result.getvalue()


def with_values(xml: str, cached: Mapping[str, Cached]) -> str:
    """Put the stored value into each formula cell of a sheet."""
    used: set[str] = set()

    def store(match: re.Match[str]) -> str:
        place, style, formula = match.groups()
        if place not in cached:
            raise ValueError(f"the formula in {place} has no value")
        used.add(place)
        value = cached[place]
        kind = ' t="str"' if isinstance(value, str) else ""
        return f'<c r="{place}"{style}{kind}><f>{formula}</f><v>{_shown(value)}</v></c>'

    result = _FORMULA.sub(store, xml)
    if len(used) != len(cached) or result.count("<f>") != len(used):
        raise ValueError(f"{len(cached)} values for {result.count('<f>')} formulas")
    return result


def _shown(value: Cached) -> str:
    if isinstance(value, str):
        return escape(value)
    return format(value, "f") if isinstance(value, Decimal) else repr(value)


def _dated(xml: str, date_iso: str) -> str:
    day = date_iso if _ISO_DATE.fullmatch(date_iso) else _NO_DATE
    return _MODIFIED.sub(rf"\g<1>{day}T00:00:00Z\g<3>", xml)
