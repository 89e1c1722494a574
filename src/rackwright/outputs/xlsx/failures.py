"""The failure replay of racks, and the steps from the draw of a server to the current in its cords."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.outputs.xlsx.sheet import Book, Cell, Column, Formula, Sheet, Value
from rackwright.outputs.xlsx.styles import BAD, CODE, INK, NUMBER, PLAIN, SHARE, SUM, Look, Tone
from rackwright.proposal.model import FailureRow, RackView
from rackwright.proposal.power_model import StepRow

# Work sheets are redone by hand: more decimals than elsewhere.
_WATT, _AMPERE, _VOLT, _VOLT_AMPERE = '#,##0.0" W"', '#,##0.00" A"', '#,##0.0" V"', '#,##0.0" VA"'
_RATIO, _COUNT = "0.00%", "0"
# The name of an element within its rack, and its number among equal names.
_Key = tuple[str, int]
# The least margin of a row.
_TIGHT = Tone(bold=True, fill="E8F1F4", color=INK)


def add_failures(book: Book) -> None:
    """Add the failure replay, if the racks have one: loads, and their shares of the limits as formulas.

    Racks share the columns: the name of an element is that within its rack. Each rack begins with its limits.
    """
    racks = [rack for rack in book.proposal.racks if rack.failures]
    if not racks:
        return
    label = book.label
    keys = list(dict.fromkeys(key for rack in racks for key in _local_names(rack)))
    names = [name for name, _ in keys]
    load, share = Look(align="right", wraps=False), Look(SHARE, align="right")
    columns = [Column(label("rack"), 16, CODE), Column(label("lost"), 32)]
    columns += [Column(name, 11, load) for name in names]
    columns += [Column(label("share_of", name=name), 11, share) for name in names]
    columns += [
        Column(label("worst"), 18, replace(PLAIN, bold=True, indent=1)),
        Column(label("nodes_after"), 36),
        Column(label("servers_down"), 10, NUMBER),
    ]
    sheet = book.sheet("failures", columns, frozen_columns=2)
    for rack in racks:
        _add_rack_failures(book, sheet, rack, keys)
    first, last = sheet.letter(len(names) + 3), sheet.letter(2 * len(names) + 2)
    place = f"{first}{sheet.head_row + 1}"
    row = f"${first}{sheet.head_row + 1}:${last}{sheet.head_row + 1}"
    sheet.mark(f"{place}:{last}{sheet.row}", f"AND(ISNUMBER({place}),{place}>1)", BAD)
    sheet.mark(f"{place}:{last}{sheet.row}", f"AND(ISNUMBER({place}),{place}=MAX({row}))", _TIGHT)
    sheet.filter_to(sheet.row)
    sheet.close()


def _local_names(rack: RackView) -> list[_Key]:
    """The names of the elements within their rack, `A1/L1` for `R1/A1/L1`; equal ones are told apart by a number."""
    names = [name.removeprefix(f"{rack.id}/") for name in rack.failure_columns]
    return [(name, names[:index].count(name)) for index, name in enumerate(names)]


def _add_rack_failures(book: Book, sheet: Sheet, rack: RackView, names: Sequence[_Key]) -> None:
    local = _local_names(rack)
    limits: dict[_Key, Value] = {name: head.limit for name, head in zip(local, rack.elements, strict=False)}
    units = {name: head.unit for name, head in zip(local, rack.elements, strict=False)}
    head: list[Value] = [rack.id, book.label("limit"), *(_load(limits.get(name), units.get(name)) for name in names)]
    limit_row = sheet.add([*head, *(None for _ in names), None, None, None], SUM)
    for failure in rack.failures:
        number = sheet.next_row
        loads: list[Value] = []
        shares: list[Value] = []
        for index, name in enumerate(names, start=3):
            load, share = _failure_cells(failure, local.index(name)) if name in local else (None, None)
            loads.append(load if isinstance(load, str) else _load(load, units.get(name)))
            place, letter = f"{sheet.letter(index)}{number}", sheet.letter(index)
            is_live = isinstance(load, int | float) and isinstance(share, float) and bool(limits.get(name))
            shares.append(
                Formula(f"{place}/{letter}${limit_row}", share) if is_live and isinstance(share, float) else share
            )
        worst = local[failure.worst][0] if failure.worst is not None else ""
        sheet.add([rack.id, failure.lost, *loads, *shares, worst, failure.nodes, failure.servers_down])


def _failure_cells(failure: FailureRow, column: int) -> tuple[Value, Value]:
    """Load and share of a column; what is lost or not known as its text."""
    load = failure.loads[column] if column < len(failure.loads) else None
    ratio = failure.ratios[column]
    text = failure.load_texts[column] if column < len(failure.load_texts) else ""
    return (text if load is None else load), (failure.cells[column] or None) if ratio is None else ratio


def _load(value: Value, unit: str | None) -> Value:
    """A number with the decimals of its unit."""
    if isinstance(value, int | float):
        return Cell(value, Look(_AMPERE if unit == "A" else _WATT, align="right", wraps=False))
    return value


def add_power_steps(book: Book) -> None:
    """Add the steps from the draw of a server to the current in its cords, as live formulas, if there are any."""
    racks = [rack for rack in book.proposal.racks if rack.sheets.steps]
    if not racks:
        return
    label = book.label
    right = Look(align="right", wraps=False)
    heads = [("draw_w", _WATT), ("supplies_at_work", _COUNT), ("delivers", _WATT), ("rated", _WATT)]
    heads += [("load_share", _RATIO), ("efficiency", _RATIO), ("takes", _WATT), ("power_factor", "0.00")]
    heads += [("apparent", _VOLT_AMPERE), ("voltage", _VOLT), ("cord", _AMPERE), ("inlet_limit", _AMPERE)]
    heads += [("share", _RATIO)]
    columns = [Column(label("rack"), 16, CODE), Column(label("server"), 24)]
    columns += [Column(label(name), 13, replace(right, number_format=form)) for name, form in heads]
    sheet = book.sheet("power_steps", columns, frozen_columns=2)
    for rack in racks:
        for step in rack.sheets.steps:
            _add_step(sheet, rack, step)
    sheet.filter_to(sheet.row)
    sheet.close()


def _add_step(sheet: Sheet, rack: RackView, step: StepRow) -> None:
    n = sheet.next_row
    factor = rack.sheets.power_factor_ratio

    def live(text: str, value: float | None) -> Value:
        return "–" if value is None else Formula(text, value)

    load = None if step.output_w is None or not step.rated_w else step.output_w / step.rated_w
    share = None if step.cord_a is None or not step.cord_max_a else step.cord_a / step.cord_max_a
    sheet.add(
        [
            rack.id,
            step.where,
            step.draw_w,
            step.alive,
            live(f"C{n}/D{n}", step.output_w),
            step.rated_w,
            live(f"E{n}/F{n}", load),
            step.efficiency_ratio,
            live(f"E{n}/H{n}", step.input_w),
            factor,
            live(f"I{n}/J{n}", step.apparent_va),
            step.voltage_v,
            live(f"K{n}/L{n}", step.cord_a),
            step.cord_max_a,
            live(f"M{n}/N{n}", share),
        ]
    )
