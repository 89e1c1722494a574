"""The view model of a rack's power: what is loaded, what is lost, and the work sheets behind every figure.

Texts are in the language of the document and ready to print; numbers stand beside them for spreadsheets and reports.
"""

from __future__ import annotations

from rackwright.frozen import frozen


@frozen(slots=True)
class ElementHead:
    """A column of the failure matrix: what is loaded, its limit, and the unit of both."""

    label: str
    limit: float | None
    limit_text: str
    unit: str
    kind: str = ""


@frozen(slots=True)
class StepRow:
    """One supply while `alive` of `supplies` share the load of a domain, from its share to the current in its cord."""

    where: str
    alive_text: str
    draw_text: str
    output_text: str
    rated_text: str
    load_text: str
    efficiency_text: str
    input_text: str
    apparent_text: str
    voltage_text: str
    cord_text: str
    limit_text: str
    is_over: bool = False
    node: str = ""
    domain: str = ""
    alive: int = 0
    supplies: int = 0
    draw_w: float | None = None
    output_w: float | None = None
    rated_w: float | None = None
    efficiency_ratio: float | None = None
    input_w: float | None = None
    apparent_va: float | None = None
    voltage_v: float | None = None
    cord_a: float | None = None
    cord_max_a: float | None = None


@frozen(slots=True)
class LineRow:
    """A line conductor: the cords on it, the sums of their currents, and how its limit comes about."""

    label: str
    cords: str
    normal_text: str
    worst_text: str
    worst_loss: str
    limit_text: str
    share_text: str
    is_over: bool = False


@frozen(slots=True)
class CordRow:
    """A cord: the supply at one end, the outlet at the other."""

    server: str
    psu: str
    pdu: str
    outlet: str
    section: str
    bank: str = ""


@frozen(slots=True)
class SourceRow:
    """A panel, UPS or busway: its load in normal operation and at the worst, with its limits, as texts."""

    label: str
    normal_text: str
    worst_text: str
    worst_loss: str
    limit_text: str
    line_text: str
    line_limit_text: str
    is_over: bool = False


@frozen(slots=True)
class PowerSheets:
    """The work sheets of a rack. `formulas` say in words and signs how each column follows from the one before."""

    steps: tuple[StepRow, ...] = ()
    lines: tuple[LineRow, ...] = ()
    cords: tuple[CordRow, ...] = ()
    formulas: tuple[str, ...] = ()
    power_factor_ratio: float | None = None
