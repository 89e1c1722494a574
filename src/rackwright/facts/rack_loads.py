"""The power in a rack: what every supply, line and PDU carries, in normal operation and after the loss of one element.

The model: in normal operation the supplies of a domain (of the node, where it has one domain) share its input power
equally. After a loss the surviving ones share all of it. A domain without a surviving supply draws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rackwright.configuration import Feed
from rackwright.facts.circuits import LINES, current_a, line_currents_a, section_lines
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement, PlacedPdu, Placement, RackPlacement
from rackwright.placement.racks import wiring_of
from rackwright.placement.supplies import inlet_voltage_v


@frozen(slots=True)
class Loss:
    """What is lost: nothing, a feed, a PDU, or one supply of one server. `text` says it in a sentence."""

    kind: Literal["none", "feed", "pdu", "psu"]
    name: str
    number: int
    text: str


NOTHING = Loss("none", "", 0, "nothing lost")


@frozen(slots=True)
class Supply:
    """A power supply of one server in its outlet; `voltage_v` is that of the outlet, None if not known."""

    node: str
    number: int
    psu: str
    domain: str
    pdu: str
    feed: str
    section: str | None
    voltage_v: float | None

    def is_lost(self, loss: Loss) -> bool:
        """Say whether a loss takes this supply away."""
        match loss.kind:
            case "feed":
                return self.feed == loss.name
            case "pdu":
                return self.pdu == loss.name
            case "psu":
                return self.psu == loss.name and self.number == loss.number
        return False


def value_of(record: Mapping[str, Any], key: str) -> Any:
    """Return a fact of a record, computed if it is a quantity; None if it is not known."""
    try:
        return record[key]
    except KeyError:
        return None


def domain_powers_w(placed: NodePlacement, node: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the input power in W of each power domain of a server at peak.

    The domain's own figure where all domains have one (or the node has none); else that of the node in proportion to
    what the domains draw, or if that is not known to their numbers of supplies. Unknown: None.
    """
    counts: dict[str, int] = {}
    for psu in placed.psus:
        if psu.has_bay is not False:
            counts[psu.domain] = counts.get(psu.domain, 0) + 1
    total = value_of(node, "input_peak_w")
    stated = {domain["name"]: value_of(domain, "input_peak_w") for domain in node.get("psu_domains", ())}
    own = {name: stated.get(name) for name in counts}
    if total is None or None not in own.values():
        return own if len(own) > 1 or total is None else dict.fromkeys(own, total)
    draws = {domain["name"]: value_of(domain, "draw_peak_w") for domain in node.get("psu_domains", ())}
    drawn = {name: draws[name] for name in counts if draws.get(name) is not None}
    weights = drawn if len(drawn) == len(counts) and sum(drawn.values()) else counts
    return {name: total * weight / sum(weights.values()) for name, weight in weights.items()}


class RackLoads:
    """The supplies of one rack with their power, ready for any loss.

    `power_w` is the input power by (node, domain), None if not known; so is the power factor.
    """

    def __init__(
        self,
        rack: RackPlacement,
        nodes: Mapping[str, NodePlacement],
        power_w: Mapping[tuple[str, str], float | None],
        power_factor_ratio: float | None,
    ) -> None:
        self.rack = rack
        self.power_w = power_w
        self.power_factor_ratio = power_factor_ratio
        self.pdus: dict[str, PlacedPdu] = {pdu.id: pdu for pdu in rack.pdus}
        domains = {(name, psu.id): psu.domain for name, placed in nodes.items() for psu in placed.psus}
        self.supplies: list[Supply] = []
        for cord in rack.cords:
            pdu = self.pdus[cord.pdu]
            voltage = _outlet_voltage_v(pdu, cord.section)
            domain = domains[cord.node, cord.psu]
            self.supplies.append(
                Supply(cord.node, cord.number, cord.psu, domain, pdu.id, pdu.feed, cord.section, voltage)
            )
        self._groups: dict[tuple[str, int, str], list[int]] = {}
        self.at_pdu: dict[str, list[int]] = {pdu: [] for pdu in self.pdus}
        for index, supply in enumerate(self.supplies):
            self._groups.setdefault((supply.node, supply.number, supply.domain), []).append(index)
            self.at_pdu[supply.pdu].append(index)
        self._lines = {pdu: self._lines_of(placed) for pdu, placed in self.pdus.items()}
        self._mapped = {pdu: self._is_mapped(pdu) for pdu in self.pdus}

    def losses(self) -> list[Loss]:
        """Return every single loss: feeds, PDUs, then supplies; of equally plugged servers only the first."""
        feeds = dict.fromkeys(pdu.feed for pdu in self.rack.pdus)
        found = [Loss("feed", feed, 0, f"feed {feed} lost") for feed in feeds]
        found += [Loss("pdu", pdu, 0, f"PDU {pdu} lost") for pdu in self.pdus]
        servers: dict[tuple[str, int], list[Supply]] = {}
        for supply in self.supplies:
            servers.setdefault((supply.node, supply.number), []).append(supply)
        seen: set[tuple[object, ...]] = set()
        for (node, number), supplies in sorted(servers.items()):
            plugging = (node, *((supply.psu, supply.pdu, supply.section) for supply in supplies))
            if plugging not in seen:
                seen.add(plugging)
                where = f" of server {number}" if (node, 2) in servers or number > 1 else ""
                found += [Loss("psu", s.psu, number, f"{s.psu}{where} lost") for s in supplies]
        return found

    def shares_w(self, loss: Loss = NOTHING) -> list[float | None]:
        """Return the input power in W of each of `supplies` after a loss; 0 for lost ones, None if not known."""
        shares: list[float | None] = [0.0] * len(self.supplies)
        for (node, _, domain), members in self._groups.items():
            alive = [index for index in members if not self.supplies[index].is_lost(loss)]
            power = self.power_w.get((node, domain))
            for index in alive:
                shares[index] = None if power is None else power / len(alive)
        return shares

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

    def line_loads_a(self, pdu: str, shares: Sequence[float | None]) -> dict[str, float | None]:
        """Return the current in A of each line of a PDU.

        Unknown: None where the power of a supply on the line, its voltage or phase, or the power factor is not known.
        """
        amps: dict[str, float | None] = {}
        for index in self.at_pdu[pdu]:
            section = self.supplies[index].section or ""
            current = self._current_a(index, shares[index])
            before = amps.get(section, 0.0)
            amps[section] = None if current is None or before is None else before + current
        lines = self.lines(pdu)
        known = {section: value for section, value in amps.items() if value is not None}
        if len(lines) == 1:
            return {lines[0]: sum(known.values()) if len(known) == len(amps) else None}
        if amps and not self.is_mapped(pdu):
            return dict.fromkeys(lines)
        unknown = {line for section in amps if section not in known for line in section_lines(section)}
        return {line: None if line in unknown else value for line, value in line_currents_a(known).items()}

    def _current_a(self, index: int, share: float | None) -> float | None:
        voltage = self.supplies[index].voltage_v
        if share == 0:
            return 0.0
        if share is None or voltage is None or self.power_factor_ratio is None:
            return None
        return current_a(share, voltage, self.power_factor_ratio)

    def power_at_w(self, pdu: str, shares: Sequence[float | None]) -> float | None:
        """Return the input power in W of all supplies at a PDU; None if one is not known."""
        return total_w(shares[index] for index in self.at_pdu[pdu])

    def domain_share_w(self, loss: Loss, node: str, number: int, domain: str) -> tuple[int, float | None]:
        """Return how many supplies of a server's domain survive a loss, and the input power in W of each of them.

        The power is 0 without survivors and None if it is not known.
        """
        members = self._groups.get((node, number, domain), ())
        alive = sum(not self.supplies[index].is_lost(loss) for index in members)
        power = self.power_w.get((node, domain))
        if not alive:
            return 0, 0.0
        return alive, None if power is None else power / alive


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
    power = {
        (name, domain): figure
        for name, node in placed.items()
        for domain, figure in domain_powers_w(node, records[name]).items()
    }
    return RackLoads(rack, placed, power, policy.get("power_factor_ratio"))
