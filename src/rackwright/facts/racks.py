"""The facts about racks: units, depth, weight, heat, and the load of every feed, PDU and phase, as the vocabulary says.

A fact that is not known is absent, and `_because` says which figures it would have needed. `_path` is the place in the
configuration that a record comes from. Records refer to each other, so they are cyclic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.circuits import airflow_m3_h, breaker_limit_a, pressure_ratio
from rackwright.facts.rack_loads import RackLoads, RackState, rack_loads, total_w, value_of
from rackwright.facts.records import Make, Record
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement, PlacedPdu, Placement, RackPlacement
from rackwright.placement.supplies import inlet_voltage_v

# Loads that differ by less than this share are equal: the first failure that causes a load is the one that is named.
_ROUNDING = 1 + 1e-9
# Field of the worst failure of a line, PDU or feed.
_WORST = "worst_failure"

# What a fact would have needed: (record, field) pairs; and such pairs by fact.
Needs = list[tuple[Mapping[str, Any], str]]
Because = dict[str, Needs]
# A load of one element in a state of the rack.
Load = Callable[[RackState], float | None]


def build_racks(placement: Placement, nodes: Sequence[Record], make: Make, policy: Mapping[str, Any]) -> list[Record]:
    """Return the records of the racks with their feeds, PDUs and phases; racks that no node names are left out.

    `nodes` are the finished records of the placed nodes; `make` finishes a record of a kind. Of the policy it reads
    `power_factor_ratio` and `breaker_use_<region>_ratio`.
    """
    racks = [rack for rack in placement.racks if rack.nodes or rack.unplaced]
    return [_Rack(rack, placement, nodes, make, policy).record() for rack in racks]


@frozen(slots=True)
class _Worst:
    """The highest of several loads and what causes it; `value` is None if one of them is not known."""

    value: float | None
    failure: str | None


class _Rack:
    """Everything that the records of one rack are made from."""

    def __init__(
        self,
        rack: RackPlacement,
        placement: Placement,
        nodes: Sequence[Record],
        make: Make,
        policy: Mapping[str, Any],
    ) -> None:
        self.rack, self.make, self.policy = rack, make, policy
        self.site = placement.configuration.site
        self.counts = Counter(server.node for server in rack.nodes)
        self.nodes = [node for node in nodes if node["id"] in self.counts]
        self.placed: dict[str, NodePlacement] = {name: placement.node(name) for name in self.counts}
        self.loads: RackLoads = rack_loads(rack, placement, nodes, policy)
        self.normal = self.loads.normal
        promised = self.loads.losses()
        self.failures = [self.loads.state(loss) for loss in promised]
        self.partial = [self.loads.state(loss) for loss in self.loads.losses(is_whole=True) if loss not in promised]

    def record(self) -> Record:
        """Return the record of the rack."""
        rack, part = self.rack, self.rack.part
        because: Because = {}
        facts: Record = {**self._space(because), **self._heat(because)}
        site = rack.rack
        record = _known(
            because,
            _path=rack.path,
            id=site.id,
            part=part.data,
            nodes=len(rack.nodes),
            units_unplaced=rack.unplaced,
            has_power_limit=site.power_max_w is not None,
            power_limit_w=site.power_max_w,
            has_cooling_limit=site.cooling_max_w is not None,
            cooling_limit_w=site.cooling_max_w,
            **facts,
        )
        made = self.make("rack", record)
        made["has_feeds"] = bool(rack.pdus)
        made["feeds"] = [self._feed(name) for name in dict.fromkeys(pdu.feed for pdu in rack.pdus)]
        return made

    def _space(self, because: Because) -> Record:
        """Return units, depth and weight."""
        rack, part = self.rack, self.rack.part
        chassis = [placed.chassis for placed in self.placed.values()]
        depths = [item.get("rack.depth_mm") for item in chassis]
        cable = rack.rack.cable_depth_mm
        is_high_known = all(item.get("rack.height_u") is not None for item in chassis)
        available = part.get("mounting_depth_max_mm")
        weights = [(node, value_of(node, "weight_kg")) for node in self.nodes]
        because |= {
            "units_used_u": _unstated(chassis, "rack.height_u"),
            "units_free_u": [(part.data, "height_u")],
            "depth_needed_mm": _unstated(chassis, "rack.depth_mm"),
            "depth_available_mm": [(part.data, "mounting_depth_max_mm"), (part.data, "outer_depth_mm")],
            "weight_kg": [
                *((node, "weight_kg") for node, weight in weights if weight is None),
                *_unstated([pdu.part for pdu in rack.pdus], "weight_kg"),
            ],
        }
        return {
            "units_used_u": rack.units_used_u if is_high_known else None,
            "units_free_u": rack.rack.free_u if rack.rack.free_u is not None else part.get("height_u"),
            "depth_needed_mm": max(depths) + (cable or 0) if depths and None not in depths else None,
            "depth_available_mm": available if available is not None else self._depth_behind_rails_mm(),
            "has_cable_depth": cable is not None,
            "weight_kg": self._weight_kg(weights),
        }

    def _weight_kg(self, weights: Sequence[tuple[Record, float | None]]) -> float | None:
        each = [None if weight is None else weight * self.counts[node["id"]] for node, weight in weights]
        return total_w([*each, *(pdu.part.get("weight_kg") for pdu in self.rack.pdus)])

    def _heat(self, because: Because) -> Record:
        """Return power, heat, air volume and airflow directions. All input power becomes heat."""
        powers = [(node, value_of(node, "input_peak_w")) for node in self.nodes]
        power = total_w(None if watts is None else watts * self.counts[node["id"]] for node, watts in powers)
        needs: Needs = [(node, "input_peak_w") for node, watts in powers if watts is None]
        rise, altitude = self.site.temperature_rise_c, self.site.altitude_m
        owner = {"id": "site", "_path": ("site",)}
        because["power_w"] = because["heat_w"] = needs
        because["airflow_m3_h"] = [
            *needs,
            *([(owner, "temperature_rise_c")] if rise is None else []),
            *([(owner, "altitude_m")] if altitude is None or pressure_ratio(altitude) is None else []),
        ]
        worst = self._worst(lambda state: total_w(state.power_w.values()))
        because["power_worst_w"] = because[_WORST] = [
            need for pdu in self.rack.pdus for need in self._power_needs(pdu.id)
        ]
        has_air = None not in (power, rise, altitude)
        directions = [placed.chassis.get("airflow") for placed in self.placed.values()]
        stated = sorted({direction for direction in directions if direction is not None})
        # Two stated directions are mixed whatever the others are; one is only known to be the only one if all are.
        is_decided = None not in directions or len(stated) > 1
        because["airflows"] = _unstated([placed.chassis for placed in self.placed.values()], "airflow")
        return {
            "power_w": power,
            "heat_w": power,
            "power_worst_w": worst.value if self.rack.pdus else None,
            _WORST: worst.failure if self.rack.pdus else None,
            "airflow_m3_h": airflow_m3_h(power or 0, rise or 0, altitude or 0) if has_air else None,
            "air_rise_c": rise,
            "air_altitude_m": altitude,
            "airflows": stated if is_decided else None,
        }

    def _feed(self, name: str) -> Record:
        """Return the record of a feed with its PDUs."""
        rack = self.rack
        pdus = [pdu for pdu in rack.pdus if pdu.feed == name]
        supply = pdus[0].supply
        region = self.site.region
        use = f"breaker_use_{region}_ratio"
        ids = [pdu.id for pdu in pdus]
        owner = {"id": f"{rack.rack.id}/{name}"}
        needs = [need for pdu in ids for need in self._power_needs(pdu)]
        worst = self._worst(lambda state: total_w(state.power_w[pdu] for pdu in ids))
        record = _known(
            {
                "outlet_voltage_v": [(owner, "voltage_ln_v" if supply.wiring == "wye" else "voltage_ll_v")],
                "breaker_use_ratio": [_region_need(region, use)],
                "power_normal_w": needs,
                "power_worst_w": needs,
                _WORST: needs,
            },
            _path=(*rack.path, "feeds", name),
            id=f"{rack.rack.id}/{name}",
            name=name,
            rack=rack.rack.id,
            part=pdus[0].part.data,
            is_alone=len(rack.rack.feeds) == 1,
            outlet_voltage_v=inlet_voltage_v(supply),
            breaker_a=supply.breaker_a,
            breaker_use_ratio=self.policy.get(use) if region is not None else None,
            power_normal_w=total_w(self.normal.power_w[pdu] for pdu in ids),
            power_worst_w=worst.value,
            worst_failure=worst.failure,
        )
        made = self.make("feed", record)
        made["pdus"] = [self._pdu(pdu, made) for pdu in pdus]
        return made

    def _pdu(self, pdu: PlacedPdu, feed: Record) -> Record:
        """Return the record of a PDU with its phases."""
        part = pdu.part
        left = [kind for _, place, kind in self.rack.cords_left if place == pdu.id]
        needs = self._power_needs(pdu.id)
        lost = [(part.data, "outlets")] if part.get("outlets") is None else self._inlet_needs(pdu.id)
        record = _known(
            {
                "outlets_missing": lost,
                "outlets_missing_type": lost,
                "power_worst_w": needs,
                "power_max_w": [(part.data, "power_max_w")],
                "breakers_inside": [(part.data, "banks")],
                "is_for_region": [(part.data, "region")] if part.get("region") is None else [_region_need(None, "")],
            },
            _path=(*feed["_path"], "pdu"),
            id=pdu.id,
            feed=feed,
            part=part.data,
            outlets_missing=None if lost else len(left),
            outlets_missing_type=None if lost else ", ".join(dict.fromkeys(left)),
            cords=len(self.loads.at_pdu[pdu.id]),
            is_phase_map_known=self.loads.is_mapped(pdu.id),
            power_worst_w=self._worst(lambda state: state.power_w[pdu.id]).value,
            power_max_w=part.get("power_max_w"),
            has_power_limit=part.get("power_max_w") is not None,
            breakers_inside=len(part.get("banks")) if part.get("banks") is not None else None,
            is_for_region=is_for_region(part.get("region"), self.site.region),
        )
        made = self.make("pdu", record)
        made["phases"] = [self._phase(pdu, line, feed) for line in self.loads.lines(pdu.id)]
        made["site"] = {"id": "site", "_path": ("site",)} | ({"region": self.site.region} if self.site.region else {})
        made["banks"] = [self._bank(pdu, bank, feed) for bank in part.get("banks") or ()]
        return made

    def _bank(self, pdu: PlacedPdu, bank: Mapping[str, Any], feed: Record) -> Record:
        """Return the record of a breaker inside a PDU (PR-29)."""
        name, breaker, use = str(bank["name"]), float(bank["breaker_a"]), feed.get("breaker_use_ratio")
        needs = self._current_needs(pdu, feed)
        if self.normal.banks_a[pdu.id][name] is None:
            needs = needs or [(pdu.part.data, "outlets.bank")]
        worst = self._worst(lambda state: state.banks_a[pdu.id][name])
        record = _known(
            {
                "load_normal_a": needs,
                "load_worst_a": needs,
                _WORST: needs,
                "breaker_limit_a": [(feed, "breaker_use_ratio")],
            },
            _path=feed["_path"],
            id=f"{pdu.id}/{name}",
            pdu=pdu.id,
            name=name,
            load_normal_a=self.normal.banks_a[pdu.id][name],
            load_worst_a=worst.value,
            worst_failure=worst.failure,
            breaker_a=breaker,
            breaker_limit_a=breaker_limit_a(breaker, use) if use is not None else None,
        )
        return self.make("bank", record)

    def _phase(self, pdu: PlacedPdu, line: str, feed: Record) -> Record:
        """Return the record of a line. The PDU's own rating is a continuous one: not derated again (PR-23)."""
        breaker, use = feed["breaker_a"], feed.get("breaker_use_ratio")
        needs = self._load_needs(pdu, feed)
        worst = self._worst(lambda state: state.lines_a[pdu.id][line])
        part_lost = self._worst(lambda state: state.lines_a[pdu.id][line], self.partial)
        record = _known(
            {
                "load_normal_a": needs,
                "load_worst_a": needs,
                _WORST: needs,
                "load_part_lost_a": needs,
                "part_lost": needs,
                "breaker_limit_a": [(feed, "breaker_use_ratio")],
                "pdu_limit_a": [(pdu.part.data, "continuous_a")],
            },
            _path=feed["_path"],
            id=f"{pdu.id}/{line}",
            pdu=pdu.id,
            name=line,
            load_normal_a=self.normal.lines_a[pdu.id][line],
            load_worst_a=worst.value,
            worst_failure=worst.failure,
            load_part_lost_a=part_lost.value,
            part_lost=part_lost.failure,
            breaker_limit_a=breaker_limit_a(breaker, use) if use is not None else None,
            pdu_limit_a=pdu.part.get("continuous_a"),
        )
        return self.make("phase", record)

    def _depth_behind_rails_mm(self) -> float | None:
        """Return the outer depth without the room that the front door needs (PR-51); None without either figure."""
        outer, gap = self.rack.part.get("outer_depth_mm"), self.policy.get("rack_front_gap_mm")
        return None if outer is None or gap is None else float(outer - gap)

    def _worst(self, load: Load, states: Sequence[RackState] | None = None) -> _Worst:
        """Return the highest of a load over normal operation and every single failure; the first of equal ones."""
        highest, failure = load(self.normal), self.normal.loss.text
        for state in self.failures if states is None else states:
            value = load(state)
            if value is None or highest is None:
                return _Worst(None, None)
            if value > highest * _ROUNDING:
                highest, failure = value, state.loss.text
        return _Worst(highest, failure if highest is not None else None)

    def _power_needs(self, pdu: str) -> Needs:
        """Return the nodes at a PDU whose input power is not known, or their domains, as needs."""
        shares = self.loads.shares_w()
        here = [self.loads.supplies[index] for index in self.loads.at_pdu[pdu] if shares[index] is None]
        unknown = {(supply.node, supply.domain) for supply in here}
        needs: Needs = []
        for node in self.nodes:
            names = [domain for name, domain in sorted(unknown) if name == node["id"]]
            domains = [domain for domain in node.get("psu_domains", ()) if domain["name"] in names]
            is_whole = value_of(node, "input_peak_w") is not None
            needs += [(domain, "draw_peak_w") for domain in domains] if domains and is_whole else []
            needs += [(node, "input_peak_w")] if names and not (domains and is_whole) else []
        return needs

    def _current_needs(self, pdu: PlacedPdu, feed: Record) -> Needs:
        """Return what the currents in the cords of a PDU would have needed."""
        needs = self._power_needs(pdu.id)
        if any(self.loads.supplies[index].voltage_v is None for index in self.loads.at_pdu[pdu.id]):
            needs.append((feed, "outlet_voltage_v"))
        if self.loads.power_factor_ratio is None:
            needs.append(({"id": "policy"}, "power_factor_ratio"))
        return needs

    def _load_needs(self, pdu: PlacedPdu, feed: Record) -> Needs:
        """Return what the currents of the lines of a PDU would have needed."""
        needs = self._current_needs(pdu, feed)
        if not self.loads.is_mapped(pdu.id):
            needs += self._inlet_needs(pdu.id) or [(pdu.part.data, "outlets.section")]
        return needs

    def _inlet_needs(self, pdu: str) -> Needs:
        """Return the supplies at a PDU whose kind of outlet is not known, as needs: the inlet of each part once."""
        names = {(cord.node, cord.psu) for cord in self.rack.cords if cord.pdu == pdu and not cord.outlet_type}
        parts = [psu.part for node, placed in self.placed.items() for psu in placed.psus if (node, psu.id) in names]
        return [(part.data, "inlet") for part in {part.id: part for part in parts}.values()]


def _known(because: Because, /, **facts: Any) -> Record:
    """Return the facts that are known, and for the derived ones that are not what they would have needed."""
    record = {name: value for name, value in facts.items() if value is not None}
    record["_because"] = {name: needs for name, needs in because.items() if name not in record and needs}
    return record


def _unstated(parts: Sequence[Part], field: str) -> Needs:
    """Return the parts whose maker does not state a figure, each once."""
    return [(part.data, field) for part in {part.id: part for part in parts}.values() if part.get(field) is None]


# Region of a PDU's ratings and plugs -> regions of the site that it is made for. Source: PR-23, NetBox device records.
_PDU_REGIONS = {"na": {"na"}, "jp": {"jp"}, "iec": {"eu", "uk", "ch", "other"}}


def is_for_region(ratings: str | None, region: str | None) -> bool | None:
    """Say whether a PDU with ratings of one region is made for the site's; None if either is not known."""
    return None if ratings is None or region is None else region in _PDU_REGIONS[ratings]


def _region_need(region: str | None, use: str) -> tuple[Mapping[str, Any], str]:
    return ({"id": "site", "_path": ("site",)}, "region") if region is None else ({"id": "policy"}, use)
