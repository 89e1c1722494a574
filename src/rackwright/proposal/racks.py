"""A rack as documents print it: elevation, feeds, phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rackwright.placement.model import Placement, RackPlacement
from rackwright.proposal.model import BarView, CordView, Labelled, RackItem, RackView
from rackwright.proposal.nodes import read
from rackwright.proposal.power_model import PowerSheets
from rackwright.proposal.power_sheets import element_heads, failure_rows, power_sheets
from rackwright.proposal.texts import LOSS_PHRASES, Texts
from rackwright.units import btu_h_from_w, cfm_from_m3_h

if TYPE_CHECKING:
    from rackwright.facts.failures import FailureTable

Record = Mapping[str, Any]


def rack_view(
    placed: RackPlacement, record: Record, placement: Placement, table: FailureTable | None, texts: Texts
) -> RackView:
    """Lay out one rack; `table` is the replay of its failures."""
    items = []
    for node in placed.nodes:
        owner = placement.node(node.node)
        label = f"{node.node} {node.number}"
        items.append(RackItem(label, node.unit_low_u, node.height_u, owner.chassis.title, node=node.node))
    heads = element_heads(table, texts) if table is not None else ()
    height = placed.part.data.get("height_u")
    return RackView(
        id=placed.rack.id,
        title=placed.part.title,
        height_u=height if isinstance(height, int) else 0,
        items=tuple(items),
        figures=_figures(record, texts),
        phases=_phases(record, texts),
        feeds=_feeds(placed, record, texts),
        cords=_cords(placed),
        failure_columns=tuple(head.label for head in heads),
        failures=failure_rows(table, texts) if table is not None else (),
        elements=heads,
        sheets=power_sheets(table.sheet, texts) if table is not None else PowerSheets(),
    )


def _cords(placed: RackPlacement) -> tuple[CordView, ...]:
    """List the cords server by server from the bottom up; the outlet with its number in the PDU, as far as known."""
    units = {(server.node, server.number): server.unit_low_u for server in placed.nodes}
    feeds = {pdu.id: pdu.feed for pdu in placed.pdus}
    views = [
        CordView(
            unit_low_u=units.get((cord.node, cord.number), 0),
            server=f"{cord.node} {cord.number}",
            psu=cord.psu.rpartition("/")[2],
            feed=feeds.get(cord.pdu, ""),
            pdu=cord.pdu.rpartition("/")[2],
            outlet=f"{cord.outlet_type} {cord.outlet_number}" if cord.outlet_number else cord.outlet_type,
            phase=cord.section or "",
        )
        for cord in placed.cords
    ]
    return tuple(sorted(views, key=lambda view: (view.unit_low_u, view.server, view.psu)))


def _figures(record: Record, texts: Texts) -> tuple[Labelled, ...]:
    power, heat, worst = read(record, "power_w"), read(record, "heat_w"), read(record, "power_worst_w")
    rows: list[tuple[str, str, str]] = [("power at full load", texts.power(power), "")]
    if worst is not None and power is not None and worst > power:
        loss = texts.phrase(str(read(record, "worst_failure")), *LOSS_PHRASES)
        rows.append(("power in the worst failure", texts.power(worst), loss))
    rows.append(("heat", texts.power(heat), "" if heat is None else texts.quantity(btu_h_from_w(heat), "BTU/h", 0)))
    limits = (read(record, "power_limit_w"), read(record, "cooling_limit_w"))
    if limits[0] is not None:
        rows.append(("power limit of the site", texts.power(limits[0]), _used(power, limits[0], texts)))
    if limits[1] is not None:
        rows.append(("cooling limit of the site", texts.power(limits[1]), _used(heat, limits[1], texts)))
    rows.append(("weight of nodes and PDUs", texts.of_field("weight_kg", read(record, "weight_kg")), ""))
    rows.append(("units used", texts.of_field("units_used_u", read(record, "units_used_u"), 0), ""))
    airflow = read(record, "airflow_m3_h")
    if airflow is not None:
        rows.append(("air volume", texts.quantity(airflow, "m³/h", 0), _air_note(record, airflow, texts)))
    directions = read(record, "airflows")
    if directions is not None:
        rows.append(("airflow", texts.words(", ".join(directions)), ""))
    return tuple(Labelled(texts.text(label), value, note) for label, value, note in rows)


def _used(load: float | None, limit: float, texts: Texts) -> str:
    return "" if load is None else texts.text("{share} used", share=texts.formats.percent(load / limit))


def _air_note(record: Record, airflow: float, texts: Texts) -> str:
    """In cubic feet a minute, and what it was worked out with."""
    rise, altitude = read(record, "air_rise_c"), read(record, "air_altitude_m")
    feet = f"{texts.formats.number(cfm_from_m3_h(airflow), 0)}{texts.formats.space}CFM"
    if rise is None or altitude is None:
        return feet
    at = texts.text(
        "{rise} warmer, at {altitude}", rise=texts.quantity(rise, "°C", 1), altitude=texts.quantity(altitude, "m", 0)
    )
    return f"{feet}; {at}"


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
