"""Operating cost as documents print it: energy of a year, its cost, and cost per GPU-hour by utilisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from rackwright.configuration import Operation
from rackwright.facts.operating import (
    UTILISATIONS,
    Bounds,
    Comparison,
    Fleet,
    Terms,
    break_even_ratio,
    compare,
    energy_cost,
    energy_kwh,
    gpu_hour_cost,
    million_tokens_cost,
    yearly_cost,
)
from rackwright.placement.model import Placement
from rackwright.pricing import PricedBom
from rackwright.proposal.nodes import read
from rackwright.proposal.operation_model import ComparisonView, OperationView, UseRow
from rackwright.proposal.texts import Texts

Record = Mapping[str, Any]

# Which of two ways costs less.
CHEAPER_LABELS = {True: "one large node", False: "several smaller ones", None: "not known"}


def terms_of(operation: Operation | None) -> Terms:
    """Return the terms that a configuration states."""
    if operation is None:
        return Terms()
    tariff, pue, years = (_decimal(v) for v in (operation.tariff_per_kwh, operation.pue_ratio, operation.years))
    return Terms(tariff, pue, years)


def fleets_of(placement: Placement, nodes: Sequence[Record], bill: PricedBom) -> list[Fleet]:
    """Return the nodes of an order that have GPUs as fleets; a price counts where every line of the node has one."""
    fleets = []
    for placed, record in zip(placement.nodes, nodes, strict=True):
        gpus = read(record, "gpu_processors") or len(record.get("gpus", ()))
        if gpus:
            fleets.append(
                Fleet(
                    id=placed.node.id,
                    nodes=placed.node.count,
                    gpus=gpus,
                    input_peak_w=_decimal(read(record, "input_peak_w")),
                    input_idle_w=_decimal(placed.node.idle_w),
                    price=_price(placed.node.id, bill),
                )
            )
    return fleets


def _price(node: str, bill: PricedBom) -> Decimal | None:
    """Return the net price of one node; None if one of its lines is on request."""
    group = next((group for group in bill.bom.groups if group.id == node), None)
    if group is None or not group.count:
        return None
    totals = [line.net_total for line in bill.lines if line.line.position.startswith(f"{group.position}.")]
    known = [total for total in totals if total is not None]
    return sum(known, Decimal(0)) / group.count if totals and len(known) == len(totals) else None


def _decimal(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(round(value, 6)))


def operation_view(
    operation: Operation | None, fleets: Sequence[Fleet], currency: str, texts: Texts
) -> OperationView | None:
    """Lay out the operating cost; None if the configuration states nothing about it."""
    if operation is None or not fleets:
        return None
    terms = terms_of(operation)
    used = _decimal(operation.utilisation_ratio)
    rows = tuple(_row(fleet, ratio, terms, currency, texts) for fleet in fleets for ratio in _ratios(used))
    return OperationView(
        figures=_figures(operation, fleets, terms, currency, texts),
        rows=rows,
        comparisons=tuple(_comparisons(fleets, terms, currency, texts)),
        notes=_notes(fleets, terms, texts),
    )


def _ratios(used: Decimal | None) -> list[Decimal]:
    return sorted({*UTILISATIONS, *([used] if used is not None else [])})


def _figures(
    operation: Operation, fleets: Sequence[Fleet], terms: Terms, currency: str, texts: Texts
) -> tuple[tuple[str, str], ...]:
    """What was stated, and what a year costs at the stated utilisation."""
    rows: list[tuple[str, str]] = [
        ("price of a kWh", _money(_exact(terms.tariff_per_kwh), currency, texts)),
        ("consumption of the room by that of the servers (PUE)", _plain(terms.pue_ratio, texts)),
        ("years of use", _plain(terms.years, texts)),
    ]
    used = _decimal(operation.utilisation_ratio)
    if used is not None:
        energy = _sum([energy_kwh(fleet, used) for fleet in fleets])
        cost = _sum([energy_cost(fleet, used, terms) for fleet in fleets])
        whole = _sum([yearly_cost(fleet, used, terms) for fleet in fleets])
        rows += [
            ("share of the time at peak draw", texts.formats.percent(float(used))),
            ("energy of the servers a year", _kwh(energy, texts)),
            ("cost of energy a year, with the room", _money(cost, currency, texts)),
            ("energy and share of the price a year", _money(whole, currency, texts)),
        ]
        tokens = _decimal(operation.tokens_per_s)
        if tokens is not None:
            hourly = None if whole is None else whole.times(1 / Decimal(8760))
            million = None if hourly is None else million_tokens_cost(hourly, tokens * used)
            rows.append(("cost of a million tokens", _money(million, currency, texts)))
    return tuple((texts.text(label), value) for label, value in rows)


def _exact(value: Decimal | None) -> Bounds | None:
    return None if value is None else Bounds(value, value)


def _sum(values: Sequence[Bounds | None]) -> Bounds | None:
    total = Bounds(Decimal(0), Decimal(0))
    for value in values:
        if value is None:
            return None
        total = total.plus(value)
    return total


def _row(fleet: Fleet, ratio: Decimal, terms: Terms, currency: str, texts: Texts) -> UseRow:
    return UseRow(
        node=fleet.id,
        utilisation_text=texts.formats.percent(float(ratio)),
        energy_text=_kwh(energy_kwh(fleet, ratio), texts),
        energy_cost_text=_money(energy_cost(fleet, ratio, terms), currency, texts),
        yearly_text=_money(yearly_cost(fleet, ratio, terms), currency, texts),
        gpu_hour_text=_money(gpu_hour_cost(fleet, ratio, terms), currency, texts),
    )


def _comparisons(fleets: Sequence[Fleet], terms: Terms, currency: str, texts: Texts) -> list[ComparisonView]:
    """The node with the most GPUs against each kind with fewer."""
    large = max(fleets, key=lambda fleet: fleet.gpus)
    one = Fleet(large.id, 1, large.gpus, large.input_peak_w, large.input_idle_w, large.price)
    smaller = [fleet for fleet in fleets if fleet.gpus < large.gpus]
    return [comparison_view(one, small, terms, currency, texts) for small in smaller]


def comparison_view(large: Fleet, small: Fleet, terms: Terms, currency: str, texts: Texts) -> ComparisonView:
    """Lay out the comparison of one large node with smaller ones."""
    ratio, is_certain = break_even_ratio(large, small, terms)
    names = {"large": large.id, "small": small.id}
    if ratio is not None:
        share = texts.formats.percent(float(ratio))
        said = texts.text("From {share} use on, one {large} costs no more than several {small}.", share=share, **names)
    elif is_certain:
        said = texts.text("Several {small} cost less than one {large} at every use.", **names)
    else:
        said = texts.text("Whether and when one {large} costs less than several {small} is not known.", **names)
    return ComparisonView(
        title=texts.text(
            "one {large} with {gpus} GPUs against {small} with {few}",
            large=large.id,
            gpus=str(large.gpus),
            small=small.id,
            few=str(small.gpus),
        ),
        rows=tuple(_compared(row, currency, texts) for row in compare(large, small, terms)),
        conclusion=said,
    )


def _compared(row: Comparison, currency: str, texts: Texts) -> tuple[str, ...]:
    return (
        texts.formats.percent(float(row.of_large_ratio)),
        texts.formats.number(float(row.demand_gpus), 1),
        f"{row.nodes} ({texts.formats.percent(float(row.utilisation_ratio))})",
        _money(row.large, currency, texts),
        _money(row.small, currency, texts),
        texts.text(CHEAPER_LABELS[row.is_large_cheaper]),
    )


def _notes(fleets: Sequence[Fleet], terms: Terms, texts: Texts) -> tuple[str, ...]:
    notes = [
        texts.text(
            "Energy of a year: 8760 h × (use × peak + (1 − use) × idle) × nodes, at the mains; its cost: × PUE × price "
            "of a kWh. A GPU-hour: (energy and price by the years of use) by GPUs × 8760 h × use."
        )
    ]
    idle = [fleet.id for fleet in fleets if fleet.input_idle_w is None]
    if idle:
        notes.append(
            texts.text(
                "The idle draw of {nodes} is not known (`idle_w` at the node): figures lie between those of 0 W and "
                "of the peak.",
                nodes=", ".join(idle),
            )
        )
    prices = [fleet.id for fleet in fleets if fleet.price is None]
    if prices:
        notes.append(
            texts.text("Not every part of {nodes} has a price: no cost with it is given.", nodes=", ".join(prices))
        )
    if terms.pue_ratio is None or terms.tariff_per_kwh is None or terms.years is None:
        notes.append(texts.text("What is not stated under `operation` is not known here."))
    return tuple(notes)


def _plain(value: Decimal | None, texts: Texts) -> str:
    return texts.text("not known") if value is None else texts.formats.number(float(value), 2)


def _kwh(value: Bounds | None, texts: Texts) -> str:
    if value is None:
        return texts.text("not known")
    low, high = (texts.formats.number(float(end), 0) for end in (value.low, value.high))
    return f"{low}{texts.formats.space}kWh" if low == high else f"{low} – {high}{texts.formats.space}kWh"


def _money(value: Bounds | None, currency: str, texts: Texts) -> str:
    if value is None:
        return texts.text("not known")
    low, high = (_amount(end, currency, texts) for end in (value.low, value.high))
    return low if low == high else f"{low} – {high}"


def _amount(amount: Decimal, currency: str, texts: Texts) -> str:
    """An amount of money; small ones, as for a kWh or a GPU-hour, with four decimals."""
    if 0 < amount < 10:
        return f"{texts.formats.fixed(float(amount), 4)}{texts.formats.space}{currency}"
    return texts.formats.money(amount.quantize(Decimal("0.01")), currency)
