"""Facts about power supplies and their domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.conversion import class_points, efficiency_points, segments
from rackwright.facts.lines import with_count
from rackwright.facts.records import Context, Make, Needs, Record, known, lacking, total, without
from rackwright.facts.stated import is_redundancy_offered
from rackwright.placement.model import NodePlacement, PlacedPsu
from rackwright.placement.supplies import SINGLE_DOMAIN, domain_bays

# Rating in A of the inlet coupler. Source: PR-10 of the fact pack (AS/NZS 60320.1 table; North American ratings where
# they differ). The pack gives no North American figure for C21/C22, so the lower international one stands.
_COUPLER_IEC_A = {"C14": 10.0, "C16": 10.0, "C20": 16.0, "C22": 16.0}
_COUPLER_NA_A = {"C14": 15.0, "C16": 15.0, "C20": 20.0, "C22": 16.0}
_COUPLERS_A = {
    "eu": _COUPLER_IEC_A,
    "uk": _COUPLER_IEC_A,
    "ch": _COUPLER_IEC_A,
    "other": _COUPLER_IEC_A,
    "na": _COUPLER_NA_A,
}

# A range printed as 200-240 V is meant for the nominal voltages in it; rounding of these must not end outside.
_VOLTAGE_TOLERANCE_V = 0.5


def output_w(psu: Part, voltage_v: float | None) -> float | None:
    """Return what a supply delivers at an AC voltage, in W; the lowest figure where ranges overlap.

    Unknown: None if no ranges are stated, the voltage is not known, or it lies in no stated range (PR-05: refuse).
    """
    if voltage_v is None:
        return None
    return min((float(entry["output_w"]) for entry in _ranges(psu, voltage_v)), default=None)


def is_voltage_in_range(psu: Part, voltage_v: float | None) -> bool | None:
    """Say whether the supply takes an AC voltage: its maker states an output there, or names it as an input.

    Unknown: None without stated ranges or a known voltage.
    """
    if voltage_v is None or (psu.get("output") is None and psu.get("input_ranges") is None):
        return None
    stated = [*(psu.get("output") or ()), *(psu.get("input_ranges") or ())]
    return bool(_at_voltage(stated, voltage_v))


def efficiency_at_full_load(psu: Part, voltage_v: float | None = None) -> float | None:
    """Return the efficiency at full output (0 to 1): the maker's own point, else the least of its class, else None."""
    for point in psu.get("efficiency") or ():
        if point["load_ratio"] == 1:
            return float(point["efficiency_ratio"])
    points = class_points(psu, voltage_v)
    return points[-1][1] if points is not None else None


def psu_record(psu: PlacedPsu, context: Context, cord: str) -> Record:
    """Return the facts of a supply; `cord` is the connector of its cord, empty without one.

    The inlet current is output / (efficiency x voltage) at power factor 1 (PR-10).
    """
    site = context.site
    voltage = psu.input_voltage_v
    output = output_w(psu.part, voltage)
    efficiency = efficiency_at_full_load(psu.part, voltage)
    points = efficiency_points(psu.part, voltage)
    models = context.chassis.get("psu.models")
    current = output / (efficiency * voltage) if output is not None and efficiency and voltage else None
    record = known(
        lambda: _psu_reasons(psu, context),
        _path=psu.path,
        id=psu.id,
        part=psu.part.data,
        bay=psu.bay,
        domain=psu.domain or None,
        feed=psu.feed,
        cord_connector=cord,
        has_cord_rating=(rating := _cord_rating_a(context, cord)) is not None,
        cord_max_a=rating,
        input_voltage_v=voltage,
        is_voltage_in_range=is_voltage_in_range(psu.part, voltage),
        output_w=output,
        has_output=output is not None,
        inlet_a=current,
        inlet_max_a=_COUPLERS_A.get(site.get("region", ""), {}).get(psu.part.get("inlet") or ""),
        efficiency_ratio=efficiency,
        efficiency_segments=segments(points) if points is not None else None,
        _points=points,
        has_bay=psu.has_bay,
        is_listed=None if models is None else context.is_named(psu.part, models),
    )
    return context.make("psu", record)


# Inlets and the cord connectors that fit them, the usual one first. C15 and C21 are the same shapes for higher
# temperature and fit the cooler inlet too. Source: AS/NZS 60320.1 coupler table.
_CORDS = {"C14": ("C13", "C15"), "C16": ("C15",), "C20": ("C19", "C21"), "C22": ("C21",)}


def cord_connectors(placed: NodePlacement) -> list[str]:
    """Return the connector of the cord of each supply, in order: one that fits, else one that is left."""
    cords = [
        str(line.part.get("connector")) for line in placed.lines if line.part.kind == "cord" for _ in range(line.count)
    ]
    chosen: list[str] = []
    for psu in placed.psus:
        fitting = [name for name in _CORDS.get(psu.part.get("inlet") or "", ()) if name in cords]
        connector = fitting[0] if fitting else (cords[0] if cords else "")
        if connector:
            cords.remove(connector)
        chosen.append(connector)
    return chosen


def _cord_rating_a(context: Context, connector: str) -> float | None:
    """Return the lowest rating in A of the ordered cords with a connector; None if one of them states none."""
    cords = [line.part for line in context.placed.lines if line.part.kind == "cord"]
    ratings = [cord.get("rating_a") for cord in cords if connector and cord.get("connector") == connector]
    return float(min(ratings)) if ratings and None not in ratings else None


def _psu_reasons(psu: PlacedPsu, context: Context) -> dict[str, Needs]:
    """Return which figures each derived fact of a supply would have needed."""
    data, site, chassis = psu.part.data, context.site, context.chassis.data
    no_voltage: Needs = [(site, "voltage_v")] if psu.input_voltage_v is None else []
    no_output = no_voltage or without(data, "output")
    no_efficiency: Needs = without(data, "efficiency") if efficiency_at_full_load(psu.part) is None else []
    is_silent = output_w(psu.part, psu.input_voltage_v) is None
    return {
        "input_voltage_v": no_voltage,
        "is_voltage_in_range": no_output,
        "output_w": no_output,
        "inlet_a": [*(no_output if is_silent else ()), *no_efficiency],
        "inlet_max_a": without(data, "inlet") if "region" in site else [(site, "region")],
        "efficiency_ratio": no_efficiency,
        "efficiency_segments": without(data, "efficiency"),
        "feed": [(context.placed_id, "rack")],
        "has_bay": without(chassis, "psu.bays"),
        "is_listed": without(chassis, "psu.models"),
    }


def domain_records(
    context: Context, psus: Sequence[Record], lines: Sequence[Record], cards: Sequence[Record]
) -> list[Record]:
    """Return the power domains of a node in the maker's order; `psus`, `lines` and `cards` are its finished records."""
    placed = context.placed
    domains: Mapping[str, Any] = placed.chassis.get("psu.domains") or {SINGLE_DOMAIN: {"feeds": ["all"]}}
    fed = {name: list(domains[name].get("feeds") or ()) for name in domain_bays(placed.chassis)}
    records = []
    for name, feeds in fed.items():
        own = [psu for psu in psus if psu.get("domain") == name]
        loads = _loads(feeds, fed, lines, cards, context.make) if feeds else None
        redundancy = domains[name].get("redundancy") or placed.node.redundancy
        records.append(
            _domain_record(
                context,
                name,
                own,
                loads=loads,
                redundancy=redundancy,
                carries_base=_carries_base(feeds) if feeds else None,
            )
        )
    return records


def _domain_record(
    context: Context,
    name: str,
    psus: Sequence[Record],
    *,
    loads: list[Record] | None,
    redundancy: str | None,
    carries_base: bool | None,
) -> Record:
    spare = psus_spare(redundancy, len(psus))
    outputs = [psu.get("output_w") for psu in psus]
    feeds = [psu.get("feed") for psu in psus]
    record = known(
        lambda: _domain_reasons(context, name, psus, spare),
        _path=context.placed.path,
        id=f"{context.placed.node.id}/{name}",
        name=name,
        psus=list(psus),
        loads=loads,
        redundancy=redundancy,
        is_redundancy_possible=None if redundancy is None else spare is not None,
        psus_spare=spare,
        capacity_w=total(outputs),
        capacity_after_psu_loss_w=_after_psu_loss(outputs, spare),
        capacity_after_feed_loss_w=_after_feed_loss(outputs, feeds),
        has_two_feeds=None if None in feeds else len(set(feeds)) > 1,
        carries_base=carries_base,
        is_redundancy_offered=is_redundancy_offered(redundancy, len(psus), _offered(context, name)),
        is_throttling_stated=context.chassis.get("psu.is_throttled_after_loss") is True,
    )
    return context.make("psu_domain", record)


def _offered(context: Context, name: str) -> Sequence[str] | None:
    """Return the redundancy modes that the maker offers: for the domain, else for the chassis."""
    own = context.chassis.get(f"psu.domains.{name}.redundancy")
    return [own] if own is not None else context.chassis.get("psu.redundancy")


def _domain_reasons(context: Context, name: str, psus: Sequence[Record], spare: int | None) -> dict[str, Needs]:
    no_output, no_feed = lacking(psus, "output_w"), lacking(psus, "feed")
    no_redundancy: Needs = [(context.placed_id, "redundancy")]
    domains = context.chassis.get("psu.domains") or {}
    silent = [other for other in domains if not domains[other].get("feeds")]
    no_loads = [
        need for other in silent or [name] for need in without(context.chassis.data, f"psu.domains.{other}.feeds")
    ]
    return {
        "loads": no_loads,
        "carries_base": no_loads,
        "redundancy": no_redundancy,
        "is_redundancy_possible": no_redundancy,
        "psus_spare": no_redundancy,
        "is_redundancy_offered": without(context.chassis.data, "psu.redundancy"),
        "capacity_w": no_output,
        "capacity_after_psu_loss_w": [*no_output, *(no_redundancy if spare is None else ())],
        "capacity_after_feed_loss_w": [*no_output, *no_feed],
        "has_two_feeds": no_feed,
    }


def has_domain_loads(domains: Sequence[Record]) -> bool:
    """Say whether the parts of a node are shared out to its domains without rest: each has supplies, one the base."""
    feeding = [domain for domain in domains if domain["psus"] or domain.get("loads") != []]
    is_whole = bool(feeding) and all(domain["psus"] and "loads" in domain for domain in feeding)
    return is_whole and any(domain["carries_base"] for domain in feeding)


def psus_spare(redundancy: str | None, count: int) -> int | None:
    """Return how many of `count` supplies may fail; None if redundancy is not stated or the count does not allow it.

    `none` 0, `N+1` 1 of at least 2, `N+N` half of an even number, `k+m` m of at least k+m. Source: PR-06.
    """
    if redundancy == "none":
        return 0
    if redundancy == "N+1":
        return 1 if count >= 2 else None
    if redundancy == "N+N":
        return count // 2 if count >= 2 and count % 2 == 0 else None
    if redundancy is None:
        return None
    carrying, spare = (int(number) for number in redundancy.split("+"))
    return spare if count >= carrying + spare else None


def _ranges(psu: Part, voltage_v: float) -> list[Mapping[str, Any]]:
    return _at_voltage(psu.get("output") or (), voltage_v)


def _at_voltage(ranges: Sequence[Mapping[str, Any]], voltage_v: float) -> list[Mapping[str, Any]]:
    return [
        entry
        for entry in ranges
        if entry.get("current", "ac") == "ac"
        and entry["voltage_min_v"] - _VOLTAGE_TOLERANCE_V <= voltage_v <= entry["voltage_max_v"] + _VOLTAGE_TOLERANCE_V
    ]


def _after_psu_loss(outputs: Sequence[float | None], spare: int | None) -> float | None:
    """Return the output in W without the `spare` largest supplies (PR-06, PR-07)."""
    figures = [output for output in outputs if output is not None]
    if spare is None or len(figures) < len(outputs):
        return None
    return sum(sorted(figures)[: max(0, len(figures) - spare)])


def _after_feed_loss(outputs: Sequence[float | None], feeds: Sequence[str | None]) -> float | None:
    """Return the output in W that is left after the worst loss of a feed; 0 if all supplies are on one (PR-09)."""
    if not outputs or None in feeds or None in outputs:
        return None
    return min(
        sum(output for output, feed in zip(outputs, feeds, strict=True) if feed != lost and output is not None)
        for lost in set(feeds)
    )


def _carries_base(feeds: Sequence[str]) -> bool:
    return not {"all", "fans", "board"}.isdisjoint(feeds)


_CATEGORIES = {"cpus": ("cpu",), "memory": ("memory",), "drives": ("drive",), "fans": ("fan_kit",)}
_CARDS = ("gpu", "nic", "storage_adapter")


def _loads(
    feeds: Sequence[str],
    every: Mapping[str, Sequence[str]],
    lines: Sequence[Record],
    cards: Sequence[Record],
    make: Make,
) -> list[Record] | None:
    """Return the lines that a domain feeds, each with the number of pieces that it feeds.

    Unknown: None if a card is in no named slot and another domain does not say what it feeds: it could be its card.
    Cards belong to the domain that names their slot; those in no named slot to the domain of `cards`, else to the one
    that carries board and fans. What no category names (options) goes with board and fans too.
    """
    if "all" in feeds:
        return list(lines)
    named = {slot for names in every.values() for slot in names}
    base = _carries_base(feeds)
    has_rest = "cards" in feeds or (base and not any("cards" in names for names in every.values()))
    kinds = {kind for feed in feeds for kind in _CATEGORIES.get(feed, ())}
    named_kinds = {kind for names in every.values() for feed in names for kind in _CATEGORIES.get(feed, ())}
    is_all_said = all(every.values())
    loads = []
    for line in lines:
        kind = line["kind"]
        if kind in _CARDS:
            slots = [
                card["slot"]["name"] if "slot" in card else None for card in cards if card["_path"] == line["_path"]
            ]
            if not is_all_said and line["is_powered"] and any(slot not in named for slot in slots):
                return None
            count = sum(slot in feeds or (has_rest and slot not in named) for slot in slots)
        else:
            count = line["count"] if kind in kinds or (base and kind not in named_kinds) else 0
        if count and line["is_powered"]:
            loads.append(with_count(line, count, make))
    return loads
