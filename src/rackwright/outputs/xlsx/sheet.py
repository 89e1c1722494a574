"""A workbook of tables: one table a sheet, its head row first, every cell typed, every formula with its value."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties

from rackwright.diagnostic import fill
from rackwright.outputs.xlsx.finish import (
    Number,
    empty_cell,
    finished,
    formula_cell,
    number_cell,
    row_xml,
    text_cell,
)
from rackwright.outputs.xlsx.measure import ROW_POINTS, line_count, row_height
from rackwright.outputs.xlsx.styles import DRAFT, FONT, HEAD, LINK, MUTED, PLAIN, ROW, SIZE, Look, Styles, Tone, toned
from rackwright.outputs.xlsx.text import cell_text, is_arming, is_web_address, print_text, sheet_name
from rackwright.proposal.model import Proposal

_DATE_FORMATS = {"de": "dd.mm.yyyy"}
_ISO_DATE_FORMAT = "yyyy-mm-dd"


@dataclass(frozen=True, slots=True)
class Formula:
    """A live formula (without `=`) and the value that it gives for the proposal as it is."""

    text: str
    value: Number | str


@dataclass(frozen=True, slots=True)
class Link:
    """A text that opens an address; it stays a text unless the address is one of the web."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with a look or tone of its own, apart from its column and row.

    `lines_max` limits how much of a long text makes its row taller; 0 shows all of it.
    """

    value: Value
    look: Look | None = None
    tone: Tone | None = None
    lines_max: int = 0


Value = str | int | float | Decimal | datetime.date | Formula | Link | Cell | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, its width in characters, the look of its cells. Unprinted ones stand at the right."""

    heading: str
    width: float
    look: Look = PLAIN
    is_printed: bool = True


class Book:
    """A workbook in the making."""

    def __init__(self, proposal: Proposal, banner: str = "") -> None:
        """Begin a workbook. `banner` stands above each sheet and on each page; a draft has its own."""
        self.proposal = proposal
        self.banner = banner
        self._workbook = Workbook()
        self.styles = Styles(self._workbook)
        self._workbook.remove(self._workbook.worksheets[0])
        self._names: set[str] = set()
        self._sheets: list[Sheet] = []
        normal: Any = self._workbook._named_styles["Normal"]  # type: ignore[attr-defined]
        normal.font = Font(name=FONT, size=SIZE)
        if proposal.is_draft and not banner:
            self.banner = self.label("draft_because", reason=proposal.draft_reason)

    def label(self, key: str, **holes: str) -> str:
        """Return a fixed word in the document's language."""
        return fill(self.proposal.labels[f"sheet.{key}"], holes)

    def date(self, iso: str, text: str) -> Value:
        """Return a date cell for an ISO date, else the text."""
        try:
            day = datetime.date.fromisoformat(iso)
        except ValueError:
            return text or None
        return Cell(day, Look(_DATE_FORMATS.get(self.proposal.language, _ISO_DATE_FORMAT)))

    def sheet(self, key: str, columns: Sequence[Column], *, landscape: bool = True, frozen_columns: int = 0) -> Sheet:
        """Start a sheet with its head row (and the draft row above it, if this is a draft)."""
        worksheet = self._workbook.create_sheet(sheet_name(self.label(key), self._names))
        sheet = Sheet(self, worksheet, columns, landscape, frozen_columns)
        self._sheets.append(sheet)
        return sheet

    def put_first(self, sheet: Sheet) -> None:
        """Move a sheet to the front."""
        self._workbook.move_sheet(sheet.worksheet, -self._workbook.index(sheet.worksheet))

    def content(self) -> bytes:
        """Return the file: same workbook, same bytes."""
        self._describe()
        for sheet in self._sheets:
            sheet.worksheet.sheet_view.tabSelected = self._workbook.index(sheet.worksheet) == 0
        self._workbook.active = 0
        buffer = BytesIO()
        self._workbook.save(buffer)
        ordered = sorted(self._sheets, key=lambda sheet: self._workbook.index(sheet.worksheet))
        return finished(buffer.getvalue(), [sheet.content() for sheet in ordered], self.proposal.date_iso)

    def _describe(self) -> None:
        proposal, properties = self.proposal, self._workbook.properties
        properties.title = cell_text(proposal.title or self.label("bom"))
        properties.subject = cell_text(" ".join(filter(None, (proposal.number, proposal.customer, proposal.project))))
        properties.creator = cell_text(proposal.issuer) or "rackwright"
        properties.language = proposal.language


class Sheet:
    """One table."""

    def __init__(
        self, book: Book, worksheet: Any, columns: Sequence[Column], landscape: bool, frozen_columns: int
    ) -> None:
        self.book = book
        self.worksheet = worksheet
        self.columns = columns
        self.row = self.head_row = 0
        self._rows: list[str] = []
        self._letters = ["", *(get_column_letter(number) for number in range(1, len(columns) + 1))]
        self._height = 0.0
        self._set_page(landscape)
        if book.banner:
            self._add_banner()
        self._add_head_row()
        worksheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}{self.head_row + 1}"
        worksheet.print_title_rows = f"1:{self.head_row}"

    @property
    def next_row(self) -> int:
        """The number of the row that comes next."""
        return self.row + 1

    @property
    def reference(self) -> str:
        """The sheet as formulas of other sheets name it, with its `!`."""
        return "'" + str(self.worksheet.title).replace("'", "''") + "'!"

    def letter(self, number: int) -> str:
        """The letter of a column, counted from 1."""
        return self._letters[number]

    def add(self, values: Sequence[Value], tone: Tone = ROW, *, level: int = 0) -> int:
        """Add a row; returns its number. `level` is its depth in the outline."""
        self.row += 1
        self._height = 0.0
        cells = []
        for number, (value, column) in enumerate(zip(values, self.columns, strict=True), start=1):
            if isinstance(value, Cell):
                look = toned(value.look or column.look, value.tone or tone)
                cells.append(self._cell(number, value.value, look, value.lines_max))
            else:
                cells.append(self._cell(number, value, toned(column.look, tone)))
        self._end_row(cells, level)
        return self.row

    def filter_to(self, last_row: int) -> None:
        """Let the user filter the rows from the head row to `last_row`."""
        last = self._letters[-1]
        self.worksheet.auto_filter.ref = f"A{self.head_row}:{last}{max(last_row, self.head_row)}"

    def mark(self, area: str, formula: str, tone: Tone) -> None:
        """Give the cells of an area a tone while a formula (written for the first cell) holds."""
        mark: Any = Rule(type="expression", formula=[formula], dxf=_difference(tone))
        self.worksheet.conditional_formatting.add(area, mark)

    def content(self) -> tuple[str, str]:
        """The area of the cells and their rows, as the file holds them."""
        return f"A1:{self._letters[-1]}{self.row}", "".join(self._rows)

    def close(self) -> None:
        """Finish the sheet: what is printed."""
        printed = [column for column in self.columns if column.is_printed]
        self.worksheet.print_area = f"A1:{self._letters[len(printed)]}{self.row}"

    def _cell(self, number: int, value: Value, look: Look, lines_max: int = 0) -> str:
        place = f"{self._letters[number]}{self.row}"
        if isinstance(value, Link):
            if is_web_address(value.url):
                self.worksheet[place].hyperlink = value.url
                look = replace(look, underline=True, color=LINK)
            value = value.text
        if isinstance(value, str):
            text = cell_text(value)
            if not text:
                return empty_cell(place, self.book.styles.number(look))
            self._stretch(text, look, number, lines_max)
            return text_cell(place, self.book.styles.number(look, is_arming=is_arming(text)), text)
        style = self.book.styles.number(look)
        if isinstance(value, Formula):
            if isinstance(value.value, str):
                self._stretch(value.value, look, number)
            return formula_cell(place, style, value.text, value.value)
        if value is None or isinstance(value, Cell) or (isinstance(value, float) and not math.isfinite(value)):
            return empty_cell(place, style)
        return number_cell(place, style, value)

    def _end_row(self, cells: list[str], level: int = 0, extra: float = 0.0) -> None:
        self._rows.append(row_xml(self.row, (self._height or row_height(1, SIZE)) + extra, level, "".join(cells)))

    def _stretch(self, text: str, look: Look, number: int, lines_max: int = 0) -> None:
        lines = line_count(text, look, self.columns[number - 1].width)
        if lines_max:
            lines = min(lines, lines_max)
        self._height = max(self._height, row_height(lines, look.size))

    def _add_banner(self) -> None:
        self.row += 1
        self._end_row([self._cell(1, self.book.banner, DRAFT)], extra=ROW_POINTS)

    def _add_head_row(self) -> None:
        self.row += 1
        self._height = 0.0
        self.head_row = self.row
        cells = []
        for number, column in enumerate(self.columns, start=1):
            look = replace(HEAD, align=column.look.align, indent=column.look.indent)
            cells.append(self._cell(number, column.heading, look))
            self.worksheet.column_dimensions[self._letters[number]].width = column.width
        self._end_row(cells)

    def _set_page(self, landscape: bool) -> None:
        sheet, proposal, label = self.worksheet, self.book.proposal, self.book.label
        sheet.page_setup.orientation = "landscape" if landscape else "portrait"
        sheet.page_setup.paperSize = 9  # A4
        sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        sheet.sheet_view.showGridLines = False
        sheet.sheet_format.outlineLevelRow = 1
        margins = sheet.page_margins
        margins.left = margins.right = 0.4
        margins.top, margins.bottom, margins.header, margins.footer = 0.75, 0.65, 0.35, 0.3
        head, foot = sheet.oddHeader, sheet.oddFooter
        _print_part(head.left, " · ".join(filter(None, (proposal.number, proposal.customer))), 70)
        if self.book.banner:
            _print_part(head.center, self.book.banner, 60, color=DRAFT.color, bold=True)
        _print_part(head.right, f"{label('status')}: {proposal.status_label}", 50)
        _print_part(foot.left, " · ".join(filter(None, (proposal.number, proposal.title))), 70)
        _print_part(foot.center, sheet.title, 31)
        _print_part(foot.right, label("page"), 60)
        foot.right.text = fill(foot.right.text, {"page": "&P", "pages": "&N"})


def _difference(tone: Tone) -> DifferentialStyle:
    fill_of = PatternFill(bgColor=f"FF{tone.fill}") if tone.fill else None
    return DifferentialStyle(font=Font(bold=tone.bold, color=f"FF{tone.color}"), fill=fill_of)


def _print_part(part: Any, text: str, length: int, *, color: str = MUTED, bold: bool = False) -> None:
    line = print_text(text, length)
    if line:
        part.text, part.size, part.color = line, 8, color
        part.font = f"{FONT},{'Bold' if bold else 'Regular'}"
