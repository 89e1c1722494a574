"""The power in a rack: what every supply, line, bank and PDU carries, normally and after the loss of any element.

The model: in normal operation the supplies of a domain (of the node, where it has one domain) share what its parts
draw equally. After a loss the surviving ones share all of it. A domain without a surviving supply draws nothing. What
a supply takes from the mains for its share is that share divided by its efficiency there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rackwright.configuration import Feed
from rackwright.facts.circuits import LINES, current_a, line_currents_a, section_lines
from rackwright.facts.conversion import Points, efficiency_at
from rackwright.facts.losses import NOTHING, Loss, Supply, losses_of
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement, PlacedPdu, Placement, RackPlacement
from rackwright.placement.racks import wiring_of
from rackwright.placement.supplies import inlet_voltage_v


def value_of(record: Mapping[str, Any], key: str) -> Any:
    """Return a fact of a record, computed if it is a quantity; None if it is not known."""
    try:
        return record[key]
    except KeyError:
        return None


@frozen(slots=True)
class DomainPower:
    """What the parts of a power domain draw behind its supplies, and what they take from the mains, both at peak.

    `input_w` counts where the efficiency of a supply at its share is not known; then it is the same after any loss.
    Unknown: None.
    """

    draw_w: float | None
    input_w: float | None


@frozen(slots=True)
class Conversion:
    """A supply as it turns power: rated output at its voltage in W and efficiency by load, None if not known."""

    output_w: float | None
    points: Points | None

    def input_w(self, power: DomainPower, alive: int) -> float | None:
        """Return what it takes from the mains in W while `alive` supplies share the load of its domain."""
        if power.draw_w is not None and self.output_w and self.points is not None:
            share = power.draw_w / alive
            return share / efficiency_at(self.points, share / self.output_w)
        return None if power.input_w is None else power.input_w / alive


_UNKNOWN = Conversion(None, None)
# One power domain of one server: node, number, domain.
Group = tuple[str, int, str]


@frozen(slots=True)
class RackState:
    """What a rack carries after a loss: power in W by PDU, current in A by PDU and line and by PDU and bank.

    `alive` counts the surviving supplies of each domain of each server that the loss touches. None: not known.
    """

    loss: Loss
    power_w: Mapping[str, float | None]
    lines_a: Mapping[str, Mapping[str, float | None]]
    banks_a: Mapping[str, Mapping[str, float | None]]
    alive: Mapping[Group, int | None]


def domain_powers(placed: NodePlacement, node: Mapping[str, Any]) -> dict[str, DomainPower]:
    """Return the power of each domain of a server at peak: its own figures, those of the node where it is the only one.

    Where only the input is known, the draw follows from the efficiency of the supplies at full load.
    Unknown: None for a domain of several whose maker does not say what it feeds; nothing is shared out by guess.
    """
    names = list(dict.fromkeys(psu.domain for psu in placed.psus if psu.has_bay is not False))
    domains = {domain["name"]: domain for domain in node.get("psu_domains", ())}
    efficiencies = [psu["efficiency_ratio"] for psu in node.get("psus", ()) if "efficiency_ratio" in psu]
    powers = {}
    for name in names:
        sources = [domains.get(name, {}), *([node] if len(names) == 1 else [])]
        draw, power = _first(sources, "draw_peak_w"), _first(sources, "input_peak_w")
        if draw is None and power is not None and efficiencies:
            draw = power * min(efficiencies)
        powers[name] = DomainPower(draw, power)
    return powers


def _first(records: Iterable[Mapping[str, Any]], field: str) -> float | None:
    """Return a figure of the first record that has it."""
    figures = (value_of(record, field) for record in records)
    return next((figure for figure in figures if figure is not None), None)


class RackLoads:
    """The supplies of one rack with their power, ready for any loss.

    `powers` are the loads by (node, domain), `conversions` the supplies by (node, psu); the power factor may be None.
    """

    def __init__(
        self,
        rack: RackPlacement,
        nodes: Mapping[str, NodePlacement],
        powers: Mapping[tuple[str, str], DomainPower],
        conversions: Mapping[tuple[str, str], Conversion],
        power_factor_ratio: float | None,
    ) -> None:
        self.rack = rack
        self.powers = powers
        self.conversions = conversions
        self.power_factor_ratio = power_factor_ratio
        self.pdus: dict[str, PlacedPdu] = {pdu.id: pdu for pdu in rack.pdus}
        domains = {(name, psu.id): psu.domain for name, placed in nodes.items() for psu in placed.psus}
        self.supplies: list[Supply] = []
        for cord in rack.cords:
            pdu = self.pdus[cord.pdu]
            self.supplies.append(
                Supply(
                    node=cord.node,
                    number=cord.number,
                    psu=cord.psu,
                    domain=domains[cord.node, cord.psu],
                    pdu=pdu.id,
                    feed=pdu.feed,
                    section=cord.section,
                    bank=cord.bank,
                    voltage_v=_outlet_voltage_v(pdu, cord.section),
                    outlet=f"{cord.outlet_type} {cord.outlet_number}" if cord.outlet_number else cord.outlet_type,
                )
            )
        self.groups: dict[Group, list[int]] = {}
        self.at_pdu: dict[str, list[int]] = {pdu: [] for pdu in self.pdus}
        for index, supply in enumerate(self.supplies):
            self.groups.setdefault((supply.node, supply.number, supply.domain), []).append(index)
            self.at_pdu[supply.pdu].append(index)
        self._lines = {pdu: self._lines_of(placed) for pdu, placed in self.pdus.items()}
        self._mapped = {pdu: self._is_mapped(pdu) for pdu in self.pdus}
        self._inputs: dict[tuple[str, str, str, int], float | None] = {}
        self._normal: list[float | None] = [0.0] * len(self.supplies)
        for members in self.groups.values():
            self._share_out(members, [False] * len(members), self._normal)
        self.normal = self._state(NOTHING, self._normal, {}, self.pdus)

    def losses(self, *, is_whole: bool = False) -> list[Loss]:
        """Return every single loss: feeds, PDUs, then supplies; of equally plugged servers only the first.

        With `is_whole` also lines and banks, between PDUs and supplies.
        """
        return losses_of(self.rack.pdus, self._lines, self.supplies, is_whole=is_whole)

    def shares_w(self, loss: Loss = NOTHING) -> list[float | None]:
        """Return the input power in W of each of `supplies` after a loss; 0 for lost ones, None if not known."""
        return self._after(loss)[0]

    def state(self, loss: Loss) -> RackState:
        """Return what everything carries after a loss; what the loss does not touch is taken from before."""
        shares, alive = self._after(loss)
        touched = {self.supplies[index].pdu for group in alive for index in self.groups[group]}
        return self._state(loss, shares, alive, [pdu for pdu in self.pdus if pdu in touched])

    def _state(
        self, loss: Loss, shares: Sequence[float | None], alive: Mapping[Group, int | None], touched: Iterable[str]
    ) -> RackState:
        pdus = list(touched)
        power = {pdu: self.power_at_w(pdu, shares) for pdu in pdus}
        lines = {pdu: self.line_loads_a(pdu, shares) for pdu in pdus}
        banks = {pdu: self.bank_loads_a(pdu, shares) for pdu in pdus}
        if loss.kind == "none":
            return RackState(loss, power, lines, banks, alive)
        before = self.normal
        return RackState(
            loss, {**before.power_w, **power}, {**before.lines_a, **lines}, {**before.banks_a, **banks}, alive
        )

    def _after(self, loss: Loss) -> tuple[list[float | None], dict[Group, int | None]]:
        """Return the shares after a loss, and the survivors of each domain that it touches."""
        shares = list(self._normal)
        lost = {i: state for i, supply in enumerate(self.supplies) if (state := supply.is_lost(loss)) is not False}
        alive: dict[Group, int | None] = {}
        for index in lost:
            supply = self.supplies[index]
            group = supply.node, supply.number, supply.domain
            if group not in alive:
                members = self.groups[group]
                states = [lost.get(member, False) for member in members]
                alive[group] = None if None in states else states.count(False)
                self._share_out(members, states, shares)
        return shares, alive

    def _share_out(self, members: Sequence[int], lost: Sequence[bool | None], shares: list[float | None]) -> None:
        """Set the shares of the supplies of one domain of one server.

        If it is not known whether one of them is lost, nobody can say what any of them carries.
        """
        alive = lost.count(False)
        for index, is_lost in zip(members, lost, strict=True):
            shares[index] = None if None in lost else 0.0 if is_lost else self.input_w(index, alive)

    def input_w(self, index: int, alive: int) -> float | None:
        """Return what a supply takes from the mains in W while `alive` supplies share the load of its domain."""
        supply = self.supplies[index]
        key = (supply.node, supply.domain, supply.psu, alive)
        if key not in self._inputs:
            power = self.powers.get((supply.node, supply.domain))
            conversion = self.conversions.get((supply.node, supply.psu), _UNKNOWN)
            self._inputs[key] = None if power is None else conversion.input_w(power, alive)
        return self._inputs[key]

    def lines(self, pdu: str) -> tuple[str, ...]:
        """Return the line conductors of a PDU: `L1`, `L2`, `L3`, or `L` for a single phase."""
        return self._lines[pdu]

    @staticmethod
    def _lines_of(placed: PlacedPdu) -> tuple[str, ...]:
        is_three = placed.part.get("phases") == 3 or wiring_of(placed.part, placed.supply) != "single"
        return LINES if is_three else ("L",)

    def is_mapped(self, pdu: str) -> bool:
        """Say whether it is known which cord loads which line of a PDU; without cords, whether the maker tells."""
        return self._mapped[pdu]

    def _is_mapped(self, pdu: str) -> bool:
        if len(self.lines(pdu)) == 1:
            return True
        sections = [self.supplies[index].section for index in self.at_pdu[pdu]]
        if not sections:
            sections = [group.get("section") for group in self.pdus[pdu].part.get("outlets") or [{}]]
        return all(section is not None and section_lines(section) for section in sections)

    def section_loads_a(self, pdu: str, shares: Sequence[float | None]) -> dict[str, float | None]:
        """Return the current in A of the outlets of each section of a PDU that has cords; None if one is not known."""
        return self._summed_a(pdu, shares, lambda supply: supply.section or "")

    def bank_loads_a(self, pdu: str, shares: Sequence[float | None]) -> dict[str, float | None]:
        """Return the current in A through each breaker inside a PDU, by name.

        Unknown: None for every bank where the maker does not say which outlets it protects.
        """
        banks = [str(bank["name"]) for bank in self.pdus[pdu].part.get("banks") or ()]
        if not banks:
            return {}
        if any(self.supplies[index].bank is None for index in self.at_pdu[pdu]):
            return dict.fromkeys(banks)
        found = self._summed_a(pdu, shares, lambda supply: supply.bank or "")
        return {bank: found.get(bank, 0.0) for bank in banks}

    def _summed_a(
        self, pdu: str, shares: Sequence[float | None], place: Callable[[Supply], str]
    ) -> dict[str, float | None]:
        amps: dict[str, float | None] = {}
        for index in self.at_pdu[pdu]:
            where = place(self.supplies[index])
            current = self.current_a(index, shares[index])
            before = amps.get(where, 0.0)
            amps[where] = None if current is None or before is None else before + current
        return amps

    def line_loads_a(self, pdu: str, shares: Sequence[float | None]) -> dict[str, float | None]:
        """Return the current in A of each line of a PDU.

        Unknown: None where the power of a supply on the line, its voltage or phase, or the power factor is not known.
        """
        amps = self.section_loads_a(pdu, shares)
        lines = self.lines(pdu)
        known = {section: value for section, value in amps.items() if value is not None}
        if len(lines) == 1:
            return {lines[0]: sum(known.values()) if len(known) == len(amps) else None}
        if amps and not self.is_mapped(pdu):
            return dict.fromkeys(lines)
        unknown = {line for section in amps if section not in known for line in section_lines(section)}
        return {line: None if line in unknown else value for line, value in line_currents_a(known).items()}

    def current_a(self, index: int, share: float | None) -> float | None:
        """Return the current in A in the cord of a supply that takes `share` W; None if a figure is not known."""
        voltage = self.supplies[index].voltage_v
        if share == 0:
            return 0.0
        if share is None or voltage is None or self.power_factor_ratio is None:
            return None
        return current_a(share, voltage, self.power_factor_ratio)

    def power_at_w(self, pdu: str, shares: Sequence[float | None]) -> float | None:
        """Return the input power in W of all supplies at a PDU; None if one is not known."""
        return total_w(shares[index] for index in self.at_pdu[pdu])


def total_w(values: Iterable[float | None]) -> float | None:
    """Return the sum of powers in W, None if one is not known."""
    figures = list(values)
    return math.fsum(value for value in figures if value is not None) if None not in figures else None


def _outlet_voltage_v(pdu: PlacedPdu, section: str | None) -> float | None:
    """Return the voltage at an outlet: line to line for a pair of lines, else to neutral; as the feed says otherwise.

    Source: PR-24 (400 V wye gives 230 V at an outlet to neutral, 208 V between lines stays 208 V).
    """
    feed: Feed = pdu.supply
    lines = section_lines(section) if section is not None else ()
    if len(lines) == 2:
        neutral = feed.voltage_ln_v
        return feed.voltage_ll_v or (neutral * math.sqrt(3) if neutral is not None else None)
    if len(lines) == 1:
        line = feed.voltage_ll_v
        return feed.voltage_ln_v or (line / math.sqrt(3) if line is not None else None)
    return inlet_voltage_v(feed)


def rack_loads(
    rack: RackPlacement, placement: Placement, nodes: Sequence[Mapping[str, Any]], policy: Mapping[str, Any]
) -> RackLoads:
    """Return the loads of a rack; `nodes` are the records of the nodes. Reads `power_factor_ratio` of the policy."""
    records = {node["id"]: node for node in nodes}
    placed = {name: placement.node(name) for name in dict.fromkeys(server.node for server in rack.nodes)}
    powers = {
        (name, domain): power
        for name, node in placed.items()
        for domain, power in domain_powers(node, records[name]).items()
    }
    conversions = {
        (name, psu["id"]): Conversion(psu.get("output_w"), psu.get("_points"))
        for name in placed
        for psu in records[name].get("psus", ())
    }
    return RackLoads(rack, placed, powers, conversions, policy.get("power_factor_ratio"))
