"""How cells look. A look is a value; the workbook's style records are made once for each look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

from rackwright.diagnostic import Severity
from rackwright.verdict import Outcome, Status

FONT = "Arial"
SIZE = 9
INK = "15232D"
MUTED = "52616B"
ACCENT = "0E3B4C"
LINK = "1D5F8A"
WHITE = "FFFFFF"
HEAD_FILL = "DCE7EB"
GROUP_FILL = "EEF3F5"
INPUT_FILL = "FFF9DB"
HAIRLINE = "C9D3D8"

TEXT = "@"
WHOLE = "#,##0"
DECIMAL = "#,##0.0##"
SHARE = "0.0%"
DISCOUNT = "0.0#%;-0.0#%;"  # no discount shows nothing
WATT = '#,##0.#" W"'
AMPERE = '#,##0.0" A"'
RACK_UNIT = '"U"0'


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a cell."""

    number_format: str = "General"
    align: str = "left"
    indent: int = 0
    wraps: bool = True
    bold: bool = False
    italic: bool = False
    color: str = INK
    fill: str = ""
    size: int = SIZE
    underline: bool = False
    line: str = "hair"  # below the cell: `hair`, `head` (below a head row), `sum` (above a total), or empty
    is_input: bool = False
    digest: int = field(init=False, repr=False, compare=False)  # looks are looked up for every cell: hashed once

    def __post_init__(self) -> None:
        values = (self.number_format, self.align, self.indent, self.wraps, self.bold, self.italic, self.color)
        object.__setattr__(
            self, "digest", hash((*values, self.fill, self.size, self.underline, self.line, self.is_input))
        )

    def __hash__(self) -> int:
        return self.digest


@dataclass(frozen=True, slots=True)
class Tone:
    """What a row (or one cell of it) adds to the looks of its columns."""

    bold: bool = False
    fill: str = ""
    color: str = ""
    line: str = "hair"
    wraps: bool = True


PLAIN = Look()
CODE = Look(TEXT)
BELOW = Look(indent=1)  # the description of a line below its head, or what stands beside a number
CENTER = Look(align="center")
NUMBER = Look(WHOLE, align="right", wraps=False)
INPUT = Look(WHOLE, align="right", wraps=False, bold=True, color=ACCENT, fill=INPUT_FILL, is_input=True)
HEAD = Look(bold=True, color=ACCENT, fill=HEAD_FILL, line="head")
DRAFT = Look(bold=True, color="9B1C13", size=11, wraps=False, line="")

ROW = Tone()
GROUP = Tone(bold=True, fill=GROUP_FILL)
SUM = Tone(bold=True, line="sum", wraps=False)
TOTAL = Tone(bold=True, fill=ACCENT, color=WHITE, line="", wraps=False)
REMARK = Tone(color=MUTED, line="", wraps=False)

GOOD = Tone(bold=True, fill="E2F2E5", color="1B5E20")
CAUTION = Tone(bold=True, fill="FFF0D1", color="7A4100")
BAD = Tone(bold=True, fill="FBE3E1", color="9B1C13")
OPEN = Tone(bold=True, fill="E3EBF7", color="1F3F73")
QUIET = Tone(color=MUTED)
ASKED = Tone(color="7A4100")  # a price on request

_STATUS = {Status.VALID: GOOD, Status.OPEN: OPEN, Status.INVALID: BAD}


def tone_of_status(status: Status) -> Tone:
    """The tone of a run's verdict; the word stands beside it in the cell."""
    return _STATUS[status]


def tone_of_outcome(outcome: Outcome, severity: Severity, waived: str) -> Tone:
    """The tone of a verdict: a failed error is bad, other failures are a caution, an unknown is open."""
    if waived or outcome is Outcome.NOT_APPLICABLE:
        return QUIET
    if outcome is Outcome.PASS:
        return GOOD
    if outcome is Outcome.UNKNOWN:
        return OPEN
    return BAD if severity is Severity.ERROR else CAUTION


@cache
def toned(look: Look, tone: Tone) -> Look:
    """Return the look of a cell in a row of that tone."""
    return replace(
        look,
        bold=look.bold or tone.bold,
        color=tone.color or look.color,
        fill=look.fill if look.is_input else tone.fill or look.fill,
        line=tone.line if look.line == "hair" else look.line,
        wraps=look.wraps and tone.wraps,
    )


class Styles:
    """The style records of one workbook, each look made once."""

    def __init__(self, workbook: Workbook) -> None:
        self._scratch = workbook.active
        self._known: dict[tuple[Look, bool], int] = {}

    def number(self, look: Look, *, is_arming: bool = False) -> int:
        """Return the number of a look's record. `is_arming` marks text that an editor must not take for a formula."""
        known = self._known.get((look, is_arming))
        if known is None:
            known = self._known[look, is_arming] = self._make(look, is_arming)
        return known

    def _make(self, look: Look, is_arming: bool) -> int:
        cell: Any = Cell(self._scratch, row=1, column=1)  # type: ignore[arg-type]
        cell.font = Font(
            name=FONT,
            size=look.size,
            bold=look.bold,
            italic=look.italic,
            color="FF" + look.color,
            underline="single" if look.underline else None,
        )
        if look.fill:
            cell.fill = PatternFill("solid", fgColor="FF" + look.fill)
        cell.border = _border(look)
        cell.alignment = Alignment(horizontal=look.align, vertical="top", wrap_text=look.wraps, indent=look.indent)
        cell.number_format = look.number_format
        cell.quotePrefix = is_arming
        return int(cell.style_id)


def _border(look: Look) -> Border:
    if look.is_input:
        side = Side("thin", color="FF" + ACCENT)
        return Border(left=side, right=side, top=side, bottom=side)
    if look.line == "head":
        return Border(bottom=Side("medium", color="FF" + ACCENT))
    if look.line == "sum":
        return Border(top=Side("thin", color="FF" + ACCENT))
    return Border(bottom=Side("hair", color="FF" + HAIRLINE)) if look.line else Border()
