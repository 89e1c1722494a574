"""The work sheets of a rack: every step from the draw of a server to the current of a line, to be redone by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.facts.circuits import neutral_current_a, section_lines
from rackwright.facts.conversion import Points, efficiency_at
from rackwright.facts.losses import Loss, Supply
from rackwright.facts.rack_loads import RackLoads, RackState
from rackwright.frozen import frozen


@frozen(slots=True)
class SupplyStep:
    """One supply of a domain while `alive` of `supplies` share its load; None for what is not known.

    `output_w` is its share, `rated_w` what it can deliver, `input_w` and `apparent_va` what it takes from the mains at
    `voltage_v`, `cord_a` the current in its cord and `cord_max_a` the rating of its inlet.
    """

    node: str
    domain: str
    alive: int
    supplies: int
    draw_w: float | None
    output_w: float | None
    rated_w: float | None
    efficiency_ratio: float | None
    input_w: float | None
    apparent_va: float | None
    voltage_v: float | None
    cord_a: float | None
    cord_max_a: float | None


@frozen(slots=True)
class SectionSheet:
    """The cords in the outlets of one section of a PDU with the current in A of each: normally, and at the worst.

    `section` is a line, a pair of lines, or empty where there is one phase or the maker does not say.
    """

    section: str
    cords: tuple[str, ...]
    normal_a: tuple[float | None, ...]
    worst_a: tuple[float | None, ...]


@frozen(slots=True)
class LineSheet:
    """A line conductor: the sections that load it, its current and limits in A, and the loss that makes it worst."""

    id: str
    name: str
    pdu: str
    sections: tuple[SectionSheet, ...]
    normal_a: float | None
    worst_a: float | None
    worst_loss: str
    breaker_a: float
    breaker_use_ratio: float | None
    breaker_limit_a: float | None
    pdu_limit_a: float | None


@frozen(slots=True)
class CordSheet:
    """A cord: server, supply, and where it is plugged in. `section` and `bank` are empty where they are not known."""

    node: str
    number: int
    psu: str
    pdu: str
    outlet: str
    section: str
    bank: str


@frozen(slots=True)
class CurveSheet:
    """The efficiency of a supply by its share of the rated output."""

    part: str
    points: Points


@frozen(slots=True)
class RackSheet:
    """All work sheets of a rack."""

    power_factor_ratio: float | None
    curves: tuple[CurveSheet, ...]
    steps: tuple[SupplyStep, ...]
    lines: tuple[LineSheet, ...]
    cords: tuple[CordSheet, ...]


def rack_sheet(
    loads: RackLoads, nodes: Mapping[str, Mapping[str, Any]], record: Mapping[str, Any], losses: Sequence[Loss]
) -> RackSheet:
    """Return the work sheets of a rack; `record` is its finished record, `losses` are those that were replayed."""
    cords = tuple(
        CordSheet(s.node, s.number, s.psu, s.pdu, s.outlet, s.section or "", s.bank or "") for s in loads.supplies
    )
    return RackSheet(
        power_factor_ratio=loads.power_factor_ratio,
        curves=tuple(_curves(loads, nodes)),
        steps=tuple(_steps(loads, nodes)),
        lines=tuple(_lines(loads, record, losses)),
        cords=cords,
    )


def _curves(loads: RackLoads, nodes: Mapping[str, Mapping[str, Any]]) -> list[CurveSheet]:
    """Return the curve of each kind of supply that is plugged in, once."""
    found: dict[tuple[object, ...], CurveSheet] = {}
    parts = {(name, psu["id"]): psu.get("part") for name, node in nodes.items() for psu in node.get("psus", ())}
    for supply in loads.supplies:
        conversion, part = loads.conversions.get((supply.node, supply.psu)), parts[supply.node, supply.psu]
        if conversion is not None and conversion.points is not None and part is not None:
            curve = CurveSheet(str(part["title"]), conversion.points)
            found.setdefault((curve.part, curve.points), curve)
    return list(found.values())


def _steps(loads: RackLoads, nodes: Mapping[str, Mapping[str, Any]]) -> list[SupplyStep]:
    """Return a step for each kind of supply, voltage and number of survivors, from all down to one."""
    steps: dict[tuple[object, ...], SupplyStep] = {}
    psus = {(name, psu["id"]): psu for name, node in nodes.items() for psu in node.get("psus", ())}
    largest: dict[tuple[str, str], int] = {}
    for (node, _, domain), members in loads.groups.items():
        largest[node, domain] = max(largest.get((node, domain), 0), len(members))
    for index, supply in enumerate(loads.supplies):
        count = largest[supply.node, supply.domain]
        cord_max_a = psus[supply.node, supply.psu].get("inlet_max_a")
        for alive in range(count, 0, -1):
            step = _step(loads, index, alive, count, cord_max_a)
            key = (step.node, step.domain, -alive, step.rated_w, step.efficiency_ratio, step.voltage_v)
            steps.setdefault(key, step)
    order = list(dict.fromkeys((step.node, step.domain) for step in steps.values()))
    return sorted(steps.values(), key=lambda step: (order.index((step.node, step.domain)), -step.alive))


def _step(loads: RackLoads, index: int, alive: int, count: int, cord_max_a: float | None) -> SupplyStep:
    supply = loads.supplies[index]
    power = loads.powers.get((supply.node, supply.domain))
    conversion = loads.conversions.get((supply.node, supply.psu))
    draw = power.draw_w if power is not None else None
    share = None if draw is None else draw / alive
    rated = conversion.output_w if conversion is not None else None
    points = conversion.points if conversion is not None else None
    taken = loads.input_w(index, alive)
    efficiency = None
    if share is not None and rated and points is not None:
        efficiency = efficiency_at(points, share / rated)
    elif share is not None and taken:
        efficiency = share / taken
    factor = loads.power_factor_ratio
    return SupplyStep(
        node=supply.node,
        domain=supply.domain,
        alive=alive,
        supplies=count,
        draw_w=draw,
        output_w=share,
        rated_w=rated,
        efficiency_ratio=efficiency,
        input_w=taken,
        apparent_va=taken / factor if taken is not None and factor else None,
        voltage_v=supply.voltage_v,
        cord_a=loads.current_a(index, taken),
        cord_max_a=cord_max_a,
    )


def _lines(loads: RackLoads, record: Mapping[str, Any], losses: Sequence[Loss]) -> list[LineSheet]:
    states = {loads.normal.loss.text: loads.normal}
    states |= {loss.text: loads.state(loss) for loss in losses if loss.kind in ("feed", "pdu", "psu")}
    sheets = []
    for feed in record.get("feeds", ()):
        for pdu in feed["pdus"]:
            for phase in pdu["phases"]:
                worst = states.get(phase.get("worst_failure", ""))
                sheets.append(
                    LineSheet(
                        id=phase["id"],
                        name=phase["name"],
                        pdu=pdu["id"],
                        sections=tuple(_sections(loads, pdu["id"], phase["name"], worst)),
                        normal_a=phase.get("load_normal_a"),
                        worst_a=phase.get("load_worst_a"),
                        worst_loss=phase.get("worst_failure", ""),
                        breaker_a=feed["breaker_a"],
                        breaker_use_ratio=feed.get("breaker_use_ratio"),
                        breaker_limit_a=phase.get("breaker_limit_a"),
                        pdu_limit_a=phase.get("pdu_limit_a"),
                    )
                )
            neutral = _neutral(loads, pdu["id"], sheets[-1], list(states.values())) if sheets else None
            sheets += [neutral] if neutral is not None else []
    return sheets


def _neutral(loads: RackLoads, pdu: str, line: LineSheet, states: Sequence[RackState]) -> LineSheet | None:
    """Return the neutral of a PDU whose outlets are all between a line and the neutral (PR-27), else None."""
    sections = {loads.supplies[index].section or "" for index in loads.at_pdu[pdu]}
    if len(loads.lines(pdu)) != 3 or not sections or any(len(section_lines(section)) != 1 for section in sections):
        return None
    normal, *after = ((_neutral_a(state.lines_a[pdu]), state.loss.text) for state in states)
    known = [(amps, text) for amps, text in (normal, *after) if amps is not None]
    is_known = len(known) == len(states)
    worst, loss = max(known, key=lambda item: item[0]) if is_known else (None, "")
    return LineSheet(
        id=f"{pdu}/N",
        name="N",
        pdu=pdu,
        sections=(),
        normal_a=normal[0],
        worst_a=worst,
        worst_loss=loss,
        breaker_a=line.breaker_a,
        breaker_use_ratio=line.breaker_use_ratio,
        breaker_limit_a=line.breaker_limit_a,
        pdu_limit_a=line.pdu_limit_a,
    )


def _neutral_a(lines_a: Mapping[str, float | None]) -> float | None:
    one, two, three = lines_a.values()
    return None if one is None or two is None or three is None else neutral_current_a(one, two, three)


def _sections(loads: RackLoads, pdu: str, line: str, worst: RackState | None) -> list[SectionSheet]:
    """Return the sections that load a line, by name; all cords of the PDU where sections are not known."""
    normal = loads.shares_w()
    at_worst = loads.shares_w(worst.loss) if worst is not None else [None] * len(normal)
    is_mapped = loads.is_mapped(pdu)
    by_section: dict[str, list[int]] = {}
    for index in loads.at_pdu[pdu]:
        section = loads.supplies[index].section or ""
        if line == "L" or not is_mapped or line in section_lines(section):
            by_section.setdefault(section, []).append(index)
    return [
        SectionSheet(
            section=section,
            cords=tuple(_cord(loads.supplies[index]) for index in here),
            normal_a=tuple(loads.current_a(index, normal[index]) for index in here),
            worst_a=tuple(loads.current_a(index, at_worst[index]) for index in here),
        )
        for section, here in sorted(by_section.items())
    ]


def _cord(supply: Supply) -> str:
    return f"{supply.node} {supply.number} {supply.psu.rpartition('/')[2]}"
