"""A rack as documents print it: elevation, feeds, phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rackwright.placement.model import Placement, RackPlacement
from rackwright.proposal.model import BarView, FailureRow, Labelled, RackItem, RackView
from rackwright.proposal.nodes import read
from rackwright.proposal.texts import LOSS_PHRASES, Texts

if TYPE_CHECKING:
    from rackwright.facts.failures import FailureRowData, FailureTable, State

Record = Mapping[str, Any]

# How a node runs after a loss.
STATE_LABELS: dict[State, str] = {
    "full": "full power",
    "throttled": "slower",
    "unknown": "not known",
    "overloaded": "overloaded",
    "down": "down",
}


def rack_view(
    placed: RackPlacement, record: Record, placement: Placement, table: FailureTable | None, texts: Texts
) -> RackView:
    """Lay out one rack; `table` is the replay of its failures."""
    items = []
    for node in placed.nodes:
        owner = placement.node(node.node)
        label = f"{node.node} {node.number}"
        items.append(RackItem(label, node.unit_low_u, node.height_u, owner.chassis.title, node=node.node))
    height = placed.part.data.get("height_u")
    return RackView(
        id=placed.rack.id,
        title=placed.part.title,
        height_u=height if isinstance(height, int) else 0,
        items=tuple(items),
        figures=_figures(record, texts),
        phases=_phases(record, texts),
        feeds=_feeds(placed, record, texts),
        failure_columns=tuple(texts.phrase(name, *LOSS_PHRASES) for name in table.columns) if table is not None else (),
        failures=tuple(_failure(row, texts) for row in table.rows) if table is not None else (),
    )


def _failure(row: FailureRowData, texts: Texts) -> FailureRow:
    known = [(ratio, index) for index, ratio in enumerate(row.ratios) if ratio is not None]
    return FailureRow(
        lost=texts.phrase(row.lost, *LOSS_PHRASES),
        cells=tuple("–" if ratio is None else texts.formats.percent(ratio) for ratio in row.ratios),
        ratios=row.ratios,
        worst=max(known)[1] if known else None,
        nodes=", ".join(f"{node}: {texts.text(STATE_LABELS[state])}" for node, state in row.nodes),
    )


def _figures(record: Record, texts: Texts) -> tuple[Labelled, ...]:
    rows = [
        ("power at full load", texts.power(read(record, "power_w"))),
        ("heat", texts.power(read(record, "heat_w"))),
        ("weight of nodes and PDUs", texts.of_field("weight_kg", read(record, "weight_kg"))),
        ("units used", texts.of_field("units_used_u", read(record, "units_used_u"), 0)),
    ]
    airflow = read(record, "airflow_m3_h")
    if airflow is not None:
        rows.append(("air volume", texts.quantity(airflow, "m³/h", 0)))
    return tuple(Labelled(texts.text(label), value) for label, value in rows)


def _phases(record: Record, texts: Texts) -> tuple[BarView, ...]:
    bars = []
    for feed in record.get("feeds", ()):
        for pdu in feed.get("pdus", ()):
            for phase in pdu.get("phases", ()):
                bars.append(_phase(phase, texts))  # noqa: PERF401 (three levels read better as loops)
    return tuple(bars)


def _phase(phase: Record, texts: Texts) -> BarView:
    load = read(phase, "load_worst_a")
    limits = [limit for limit in (read(phase, "breaker_limit_a"), read(phase, "pdu_limit_a")) if limit is not None]
    limit = min(limits, default=None)
    ratio = load / limit if load is not None and limit else None
    return BarView(
        label=str(phase["id"]),
        value=load,
        value_text=texts.of_field("load_worst_a", load),
        limit=limit,
        limit_text=texts.of_field("breaker_limit_a", limit),
        ratio_text=texts.formats.percent(ratio) if ratio is not None else "",
        is_over=ratio is not None and ratio > 1,
    )


def _feeds(placed: RackPlacement, record: Record, texts: Texts) -> tuple[tuple[str, str, str], ...]:
    """Rows: feed, PDU, circuit."""
    rows = []
    for feed in record.get("feeds", ()):
        supply = placed.rack.feeds[feed["name"]]
        voltage = texts.quantity(supply.voltage_ll_v or supply.voltage_ln_v, "V", 0)
        circuit = f"{voltage}, {texts.quantity(supply.breaker_a, 'A', 0)}, {texts.term(supply.wiring)}"
        part = feed["part"]["title"]
        rows.append((str(feed["name"]), f"{supply.count} × {part}", circuit))
    return tuple(rows)
