"""The cells of a sheet as the file holds them, and the pass over the finished file that makes it reproducible.

openpyxl writes the workbook around the cells: styles, page set-up, filters, marks, links. The cells are written here,
because openpyxl has no place for the value of a formula (readers that do not calculate would show nothing) and takes
three times as long. Dates and the order in the file are fixed, so that the same proposal gives the same bytes.
"""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from xml.sax.saxutils import escape

from rackwright.outputs.xlsx.text import without_controls

Number = Decimal | int | float

_SHEET = re.compile(r"xl/worksheets/sheet([0-9]+)\.xml")
_CELLS = re.compile(r"<dimension [^>]*/>(.*)<sheetData\s*(?:/>|>.*</sheetData>)", re.DOTALL)
_MODIFIED = re.compile(r"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:\2>)")
_APPLICATION = re.compile(r"(<Application>)[^<]*(</Application>)(<AppVersion>[^<]*</AppVersion>)?")
_FONT = re.compile(r"(?<=<font>).*?(?=</font>)", re.DOTALL)
_FONT_PART = re.compile(r"<(\w+)\b[^>]*/>")
# The order that the standard has (ECMA-376, part 1, CT_Font); openpyxl writes another.
_FONT_PARTS = ("b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name",
               "family", "charset", "scheme")  # fmt: skip
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_NO_DATE = "1980-01-01"
_FIRST_DAY = datetime.date(1899, 12, 30)  # day 0 of the spreadsheet calendar, for all days from 1900-03-01 on
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def text_cell(place: str, style: int, text: str) -> str:
    """A cell with text; the type says so, whatever the text looks like."""
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def number_cell(place: str, style: int, value: Number | datetime.date) -> str:
    """A cell with a number or a date."""
    number = (value - _FIRST_DAY).days if isinstance(value, datetime.date) else value
    return f'<c r="{place}" s="{style}"><v>{_shown(number)}</v></c>'


def formula_cell(place: str, style: int, formula: str, value: Number | str) -> str:
    """A cell with a formula and the value that it gives."""
    kind, shown = (' t="str"', escape(without_controls(value))) if isinstance(value, str) else ("", _shown(value))
    return f'<c r="{place}" s="{style}"{kind}><f>{escape(formula)}</f><v>{shown}</v></c>'


def empty_cell(place: str, style: int) -> str:
    """A cell without content."""
    return f'<c r="{place}" s="{style}"/>'


def row_xml(number: int, height: float, level: int, cells: str) -> str:
    """A row with its height in points and its depth in the outline."""
    outline = f' outlineLevel="{level}"' if level else ""
    return f'<row r="{number}" ht="{height:.4g}" customHeight="1"{outline}>{cells}</row>'


def finished(content: bytes, sheets: Sequence[tuple[str, str]], date_iso: str) -> bytes:
    """Rewrite a saved workbook: the cells of each sheet (area and rows, in the order of the sheets) and fixed dates."""
    result = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            sheet = _SHEET.fullmatch(name)
            if sheet:
                data = _with_cells(data.decode(), *sheets[int(sheet[1]) - 1]).encode()
            elif name == "xl/styles.xml":
                data = _FONT.sub(_in_order, data.decode()).encode()
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


def _in_order(font: re.Match[str]) -> str:
    parts = sorted(_FONT_PART.finditer(font[0]), key=lambda part: _FONT_PARTS.index(part[1]))
    return "".join(part[0] for part in parts)


def _with_cells(xml: str, area: str, rows: str) -> str:
    cells, count = _CELLS.subn(
        lambda match: f'<dimension ref="{area}"/>{match[1]}<sheetData>{rows}</sheetData>', xml, count=1
    )
    if count != 1:
        raise ValueError("the sheet has no place for its cells")
    return cells


def _shown(value: Number) -> str:
    return format(value, "f") if isinstance(value, Decimal) else repr(value)


def _dated(xml: str, date_iso: str) -> str:
    day = date_iso if _ISO_DATE.fullmatch(date_iso) else _NO_DATE
    return _MODIFIED.sub(rf"\g<1>{day}T00:00:00Z\g<3>", xml)
