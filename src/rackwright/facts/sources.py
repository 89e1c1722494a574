"""What the feeds of several racks hang on, panels, UPS and busways: their load, also when another of them is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.configuration import Source
from rackwright.facts.circuits import line_currents_a
from rackwright.facts.losses import NOTHING, Loss
from rackwright.facts.rack_loads import RackLoads, rack_loads, total_w
from rackwright.facts.records import Make, Record
from rackwright.frozen import frozen
from rackwright.placement.model import Placement

_ROUNDING = 1 + 1e-9
_NEEDS = ("power_normal_w", "power_worst_w", "worst_failure", "line_worst_a")


@frozen(slots=True)
class _Load:
    """What a source carries: power in W, and the current in A of its most loaded line; None: not known."""

    text: str
    power_w: float | None
    line_a: float | None


def build_sources(placement: Placement, nodes: Sequence[Record], make: Make, policy: Mapping[str, Any]) -> list[Record]:
    """Return the records of the sources of the site, in its order; `nodes` are the finished records.

    The loss of a source is that of every feed that hangs on it, in all racks at once. The current of a line is worked
    out from the sums of the outlets between the same lines in all racks, so lines keep their names on the way.
    """
    sources = placement.configuration.site.sources
    if not sources:
        return []
    racks = [rack_loads(rack, placement, nodes, policy) for rack in placement.racks if rack.pdus and rack.nodes]
    losses = ["", *(source.id for source in sources)]
    return [
        make(
            "source",
            _record(source, number, [_load(racks, source.id, lost) for lost in losses if lost != source.id], nodes),
        )
        for number, source in enumerate(sources)
    ]


def _record(source: Source, number: int, loads: Sequence[_Load], nodes: Sequence[Record]) -> Record:
    normal, worst = loads[0], loads[0]
    is_known = all(load.power_w is not None for load in loads)
    for load in loads if is_known else ():
        if (load.power_w or 0) > (worst.power_w or 0) * _ROUNDING:
            worst = load
    lines = [load.line_a for load in loads]
    known = [amps for amps in lines if amps is not None]
    facts = {
        "_path": ("site", "sources", number),
        "id": source.id,
        "has_power_limit": source.power_max_w is not None,
        "power_limit_w": source.power_max_w,
        "has_current_limit": source.current_max_a is not None,
        "current_limit_a": source.current_max_a,
        "power_normal_w": normal.power_w,
        "power_worst_w": worst.power_w if is_known else None,
        "worst_failure": worst.text if is_known else None,
        "line_worst_a": max(known) if known and len(known) == len(lines) else None,
    }
    record: Record = {name: value for name, value in facts.items() if value is not None}
    needs = [(node, "input_peak_w") for node in nodes]
    record["_because"] = {name: needs for name in _NEEDS if name not in record}
    return record


def _load(racks: Sequence[RackLoads], source: str, lost: str) -> _Load:
    """Return what a source carries after the loss of another one, or of none."""
    powers: list[float | None] = []
    sections: dict[str, float | None] = {}
    for rack in racks:
        shares = rack.shares_w(_loss(rack, lost))
        for pdu, placed in rack.pdus.items():
            if placed.supply.source != source:
                continue
            powers.append(rack.power_at_w(pdu, shares))
            is_three = len(rack.lines(pdu)) == 3 and rack.is_mapped(pdu)
            for section, amps in rack.section_loads_a(pdu, shares).items():
                before = sections.get(section, 0.0)
                is_known = is_three and amps is not None and before is not None
                sections[section] = (before or 0) + (amps or 0) if is_known else None
    known = {section: amps for section, amps in sections.items() if amps is not None}
    line = max(line_currents_a(known).values()) if len(known) == len(sections) else None
    return _Load(f"{lost} lost" if lost else NOTHING.text, total_w(powers), line)


def _loss(rack: RackLoads, lost: str) -> Loss:
    feeds = [name for name, feed in rack.rack.rack.feeds.items() if lost and feed.source == lost]
    if not feeds:
        return NOTHING
    return Loss(
        "pair", lost, 0, f"{lost} lost", parts=tuple(Loss("feed", feed, 0, f"feed {feed} lost") for feed in feeds)
    )
