"""The power of a rack as documents print it: the failure matrix and the work sheets that lead to its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rackwright.proposal.model import FailureRow
from rackwright.proposal.power_model import CordRow, ElementHead, LineRow, PowerSheets, SourceRow, StepRow
from rackwright.proposal.texts import LOSS_PHRASES, Texts

if TYPE_CHECKING:
    from rackwright.facts.failures import Element, FailureRowData, FailureTable, State
    from rackwright.facts.rack_sheets import CordSheet, CurveSheet, LineSheet, RackSheet, SectionSheet, SupplyStep

# How a node runs after a loss.
STATE_LABELS: dict[State, str] = {
    "full": "full power",
    "throttled": "slower",
    "unknown": "not known",
    "overloaded": "overloaded",
    "down": "down",
}
_DECIMALS = {"A": 2, "W": 0}


def element_heads(table: FailureTable, texts: Texts) -> tuple[ElementHead, ...]:
    """The columns of the failure matrix."""
    return tuple(_head(element, texts) for element in table.elements)


def _head(element: Element, texts: Texts) -> ElementHead:
    limit = "–" if element.limit is None else texts.formats.fixed(element.limit, _DECIMALS[element.unit])
    return ElementHead(texts.phrase(element.id, *LOSS_PHRASES), element.limit, limit, element.unit, element.kind)


def failure_rows(table: FailureTable, texts: Texts) -> tuple[FailureRow, ...]:
    """The rows of the failure matrix."""
    return tuple(_failure(row, table.elements, texts) for row in table.rows)


def _failure(row: FailureRowData, elements: Sequence[Element], texts: Texts) -> FailureRow:
    loads = [
        "–" if load is None else texts.formats.fixed(load, _DECIMALS[element.unit])
        for load, element in zip(row.loads, elements, strict=True)
    ]
    cells = ["–" if ratio is None else texts.formats.percent(ratio) for ratio in row.ratios]
    for index in row.gone:
        loads[index], cells[index] = texts.text("lost"), ""
    states = [f"{node}: {texts.text(STATE_LABELS[state])}" for node, state in row.nodes]
    if row.servers_down:
        states.append(texts.text("servers down: {number}", number=str(row.servers_down)))
    return FailureRow(
        lost=" + ".join(texts.phrase(word, *LOSS_PHRASES) for word in row.lost),
        cells=tuple(cells),
        ratios=tuple(None if index in row.gone else ratio for index, ratio in enumerate(row.ratios)),
        worst=row.worst,
        nodes=", ".join(states),
        loads=tuple(None if index in row.gone else load for index, load in enumerate(row.loads)),
        load_texts=tuple(loads),
        servers_down=row.servers_down,
    )


def source_row(record: Mapping[str, Any], texts: Texts) -> SourceRow:
    """A panel, UPS or busway of the site."""
    worst, limit = record.get("power_worst_w"), record.get("power_limit_w")
    line, line_limit = record.get("line_worst_a"), record.get("current_limit_a")
    pairs = ((worst, limit), (line, line_limit))
    return SourceRow(
        label=str(record["id"]),
        normal_text=texts.power(record.get("power_normal_w")),
        worst_text=texts.power(worst),
        worst_loss=texts.phrase(str(record.get("worst_failure", "")), *LOSS_PHRASES),
        limit_text="–" if limit is None else texts.power(limit),
        line_text=_quantity(texts, line, "A", 1),
        line_limit_text="–" if line_limit is None else _quantity(texts, line_limit, "A", 1),
        is_over=any(load is not None and bound is not None and load > bound for load, bound in pairs),
    )


def power_sheets(sheet: RackSheet, texts: Texts) -> PowerSheets:
    """The work sheets of a rack."""
    is_between = any(len(section.section) > 2 for line in sheet.lines for section in line.sections)
    return PowerSheets(
        steps=tuple(_step(step, texts) for step in sheet.steps),
        lines=tuple(_line(line, texts) for line in sheet.lines),
        cords=tuple(_cord(cord) for cord in sheet.cords),
        formulas=_formulas(sheet, is_between=is_between, texts=texts),
        power_factor_ratio=sheet.power_factor_ratio,
    )


def _formulas(sheet: RackSheet, *, is_between: bool, texts: Texts) -> tuple[str, ...]:
    factor = sheet.power_factor_ratio
    shown = texts.text("not known") if factor is None else texts.formats.number(factor, 3)
    formulas = [
        texts.text("Each supply delivers the draw divided by the supplies that work, a share of its rated output."),
        texts.text(
            "It takes what it delivers divided by its efficiency at that share (on the line between the points of its "
            "curve); in VA that divided by the power factor {factor}; in A the VA divided by the voltage.",
            factor=shown,
        ),
    ]
    formulas += [_curve(curve, texts) for curve in sheet.curves]
    if any(line.name == "N" for line in sheet.lines):
        formulas.append(
            texts.text(
                "Line to neutral: the currents of the cords on a line add up; the neutral N carries "
                "√(a² + b² + c² − a × b − b × c − c × a) of the three lines."
            )
        )
    if is_between:
        formulas.append(
            texts.text(
                "Line to line: a line carries √(a² + b² + a × b), a and b being the sums of the cords on its two pairs."
            )
        )
    formulas.append(
        texts.text(
            "The limit of a line is the lower of two: the breaker times the share that the region allows for a "
            "continuous load, and the PDU's own continuous rating, which is not reduced again."
        )
    )
    formulas.append(texts.text("All figures are computed unrounded and rounded for print."))
    return tuple(formulas)


def _curve(curve: CurveSheet, texts: Texts) -> str:
    points = [f"{_percent(value, texts)} ({_percent(load, texts)})" for load, value in curve.points]
    return texts.text(
        "Efficiency of {part} (at that share of its output): {points}.", part=curve.part, points=", ".join(points)
    )


def _step(step: SupplyStep, texts: Texts) -> StepRow:
    where = step.node if step.domain == "node" else f"{step.node} / {step.domain}"
    load = None if step.output_w is None or not step.rated_w else step.output_w / step.rated_w
    draw, output = _quantity(texts, step.draw_w, "W", 1), _quantity(texts, step.output_w, "W", 1)
    rated = _quantity(texts, step.rated_w, "W", 0)
    share = _percent(load, texts)
    volts = _quantity(texts, step.voltage_v, "V", 1)
    return StepRow(
        where=where,
        alive_text=texts.text("{alive} of {all}", alive=str(step.alive), all=str(step.supplies)),
        draw_text=draw,
        output_text=output,
        rated_text=rated,
        load_text=share,
        efficiency_text=_percent(step.efficiency_ratio, texts),
        input_text=_quantity(texts, step.input_w, "W", 1),
        apparent_text=_quantity(texts, step.apparent_va, "VA", 1),
        voltage_text=volts,
        cord_text=_quantity(texts, step.cord_a, "A", 3),
        limit_text=_quantity(texts, step.cord_max_a, "A", 1),
        is_over=step.cord_a is not None and step.cord_max_a is not None and step.cord_a > step.cord_max_a,
        node=step.node,
        domain=step.domain,
        alive=step.alive,
        supplies=step.supplies,
        draw_w=step.draw_w,
        output_w=step.output_w,
        rated_w=step.rated_w,
        efficiency_ratio=step.efficiency_ratio,
        input_w=step.input_w,
        apparent_va=step.apparent_va,
        voltage_v=step.voltage_v,
        cord_a=step.cord_a,
        cord_max_a=step.cord_max_a,
    )


def _quantity(texts: Texts, value: float | None, unit: str, decimals: int) -> str:
    """A figure with its unit and just as many decimals."""
    if value is None:
        return texts.text("not known")
    return f"{texts.formats.fixed(value, decimals)}{texts.formats.space}{unit}"


def _percent(ratio: float | None, texts: Texts) -> str:
    if ratio is None:
        return texts.text("not known")
    return f"{texts.formats.fixed(ratio * 100, 2)}{texts.formats.space}%"


def _line(line: LineSheet, texts: Texts) -> LineRow:
    limits = [limit for limit in (line.breaker_limit_a, line.pdu_limit_a) if limit is not None]
    limit = min(limits) if len(limits) == 2 else None
    share = line.worst_a / limit if line.worst_a is not None and limit else None
    return LineRow(
        label=line.id,
        cords=" · ".join(_cords(section) for section in line.sections) or "–",
        normal_text=_sum_text(line, [section.normal_a for section in line.sections], line.normal_a, texts),
        worst_text=_sum_text(line, [section.worst_a for section in line.sections], line.worst_a, texts),
        worst_loss=texts.phrase(line.worst_loss, *LOSS_PHRASES),
        limit_text=_limit_text(line, texts),
        share_text=texts.text("not known") if share is None else texts.formats.percent(share),
        is_over=share is not None and share > 1,
    )


def _cords(section: SectionSheet) -> str:
    """`L1-L2: infer 1 psu1, infer 4 psu1`; the section only where it is a pair."""
    names = ", ".join(section.cords)
    return f"{section.section}: {names}" if len(section.section) > 2 else names


def _limit_text(line: LineSheet, texts: Texts) -> str:
    breaker = _quantity(texts, line.breaker_a, "A", 2)
    use = texts.text("not known") if line.breaker_use_ratio is None else texts.formats.percent(line.breaker_use_ratio)
    allowed = _quantity(texts, line.breaker_limit_a, "A", 2)
    own = _quantity(texts, line.pdu_limit_a, "A", 2)
    return texts.text("{breaker} × {use} = {allowed}; PDU {own}", breaker=breaker, use=use, allowed=allowed, own=own)


def _sum_text(line: LineSheet, sums: Sequence[Sequence[float | None]], total: float | None, texts: Texts) -> str:
    """How the current of a line comes about: `2 × 5.349 = 10.70 A`, `√(11.83² + 5.91² + 11.83 × 5.91) = 15.64 A`."""
    shown = _quantity(texts, total, "A", 2)
    if total is None or not sums or any(None in currents for currents in sums):
        return shown
    amps = [_added(currents, texts) for currents in sums]
    if not any(len(section.section) > 2 for section in line.sections):
        text = " + ".join(text for text, _ in amps if text)
        return f"{text} = {shown}" if text and not _is_single(sums) else shown
    return _vector_text(line, amps, shown, texts)


def _is_single(sums: Sequence[Sequence[float | None]]) -> bool:
    return sum(1 for currents in sums for current in currents if current) <= 1


def _added(currents: Sequence[float | None], texts: Texts) -> tuple[str, float]:
    """Equal currents counted, others added: `2 × 5.349 + 3.2`; and the sum in A."""
    counted: dict[str, int] = {}
    for current in currents:
        if current:
            text = texts.formats.fixed(current, 3)
            counted[text] = counted.get(text, 0) + 1
    words = [f"{count} × {text}" if count > 1 else text for text, count in counted.items()]
    return " + ".join(words), sum(current for current in currents if current is not None)


def _vector_text(line: LineSheet, amps: Sequence[tuple[str, float]], shown: str, texts: Texts) -> str:
    """Pairs of lines first, each with its sum, then the root; a line with loads to neutral too has no short formula."""
    pairs = [(section.section, *amp) for section, amp in zip(line.sections, amps, strict=True)]
    if any(len(name) <= 2 for name, _, _ in pairs):
        return shown
    sums = []
    for name, text, value in pairs:
        total = texts.formats.fixed(value, 2)
        sums.append(f"{name}: {text} = {total}" if "×" in text or "+" in text else f"{name}: {total}")
    if len(pairs) == 1:
        return f"{sums[0]} · {shown}"
    first, second = (texts.formats.fixed(value, 2) for _, _, value in pairs)
    return f"{' · '.join(sums)} · √({first}² + {second}² + {first} × {second}) = {shown}"


def _cord(cord: CordSheet) -> CordRow:
    return CordRow(
        server=f"{cord.node} {cord.number}",
        psu=cord.psu.rpartition("/")[2],
        pdu=cord.pdu,
        outlet=cord.outlet,
        section=cord.section,
        bank=cord.bank,
    )
