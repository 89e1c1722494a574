"""The table of power failures for documents: each loss, what remains loaded how far, and what the nodes do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rackwright.facts.losses import Loss, pairs_of
from rackwright.facts.rack_loads import Group, RackLoads, RackState, rack_loads, value_of
from rackwright.facts.rack_sheets import RackSheet, rack_sheet
from rackwright.frozen import frozen
from rackwright.placement.model import Placement

State = Literal["full", "throttled", "unknown", "overloaded", "down"]
# From best to worst. `overloaded`: more than the supplies give, and the maker does not say whether the node throttles.
_STATES: tuple[State, ...] = ("full", "throttled", "unknown", "overloaded", "down")
_ROUNDING = 1 + 1e-9


@frozen(slots=True)
class Element:
    """What is loaded: a column of the table. `limit` is None if it is not known.

    `kind` is `line` or `bank` (A at the mains), `pdu` (W at the mains) or `supplies` (W that one supply delivers).
    `pdu` is the one that a line or bank belongs to, `name` its own name there.
    """

    id: str
    kind: Literal["line", "bank", "pdu", "supplies"]
    unit: Literal["A", "W"]
    limit: float | None
    pdu: str = ""
    name: str = ""


@frozen(slots=True)
class FailureRowData:
    """What remains after a loss.

    `loads` has one entry a column, in its unit, None if not known. `nodes` says for each node of the rack how its
    worst server runs: full, throttled, down, overloaded (its maker does not say which) or unknown. `servers_down`
    counts the servers that are down. `lost` has two entries for a pair. `gone` are the columns that the loss takes away
    themselves; their load is 0.
    """

    kind: str
    lost: tuple[str, ...]
    loads: tuple[float | None, ...]
    ratios: tuple[float | None, ...]
    nodes: tuple[tuple[str, State], ...]
    servers_down: int = 0
    gone: frozenset[int] = frozenset()

    @property
    def worst(self) -> int | None:
        """The column whose load is the highest share of its limit; None if no share is known."""
        known = [(r, -index) for index, r in enumerate(self.ratios) if r is not None and index not in self.gone]
        return -max(known)[1] if known else None


@frozen(slots=True)
class FailureTable:
    """The replay of a rack: rows are losses, the first is none; columns are lines, banks, PDUs and supplies.

    `sheet` has the figures that each cell can be worked out from by hand.
    """

    rack: str
    elements: tuple[Element, ...]
    rows: tuple[FailureRowData, ...]
    sheet: RackSheet


def replay(
    placement: Placement,
    nodes: Sequence[Mapping[str, Any]],
    racks: Sequence[Mapping[str, Any]],
    policy: Mapping[str, Any],
) -> tuple[FailureTable, ...]:
    """Return the table of all single losses of each rack that has PDUs; with `replay_pairs` of the policy also pairs.

    `nodes` and `racks` are the finished records. A row for a supply or fan stands for its loss in any one server: each
    cell is the worst over the servers. The limit of a line is the lower of breaker and PDU, that of a bank its breaker
    with the share that the region allows; that of supplies is the output of the weakest of them.
    """
    records = {rack["id"]: rack for rack in racks}
    tables = []
    for rack in placement.racks:
        if rack.pdus and rack.nodes:
            loads = rack_loads(rack, placement, nodes, policy)
            tables.append(_Replay(loads, placement, nodes, records[rack.rack.id], policy).table())
    return tuple(tables)


class _Replay:
    """The replay of one rack."""

    def __init__(
        self,
        loads: RackLoads,
        placement: Placement,
        nodes: Sequence[Mapping[str, Any]],
        record: Mapping[str, Any],
        policy: Mapping[str, Any],
    ) -> None:
        self.loads, self.record, self.policy = loads, record, policy
        self.records = {node["id"]: node for node in nodes}
        self.servers: dict[str, list[int]] = {}
        for server in loads.rack.nodes:
            self.servers.setdefault(server.node, []).append(server.number)
        self.throttles: dict[str, bool | None] = {}
        self.fans: dict[str, str | None] = {}
        self.domains: dict[str, list[str]] = {}
        for name in self.servers:
            placed = placement.node(name)
            self.throttles[name] = placed.chassis.get("psu.is_throttled_after_loss")
            self.fans[name] = placed.chassis.get("fans.after_loss")
            self.domains[name] = list(dict.fromkeys(psu.domain for psu in placed.psus if psu.has_bay is not False))
        self.outputs = {
            (name, domain): _output_w(self.records[name], domain)
            for name in self.servers
            for domain in self.domains[name]
        }
        # Survivors of each domain while nothing is lost; a server whose supplies found no outlet has none.
        self.whole: dict[Group, int] = {
            (name, number, domain): len(loads.groups.get((name, number, domain), ()))
            for name, numbers in self.servers.items()
            for number in numbers
            for domain in self.domains[name]
        }

    def table(self) -> FailureTable:
        """Return the whole table."""
        singles = self.loads.losses(is_whole=True)
        losses = [*singles, *self._fan_losses()]
        if self.policy.get("replay_pairs"):
            losses += pairs_of(self.loads.supplies, singles)
        elements = self._elements()
        rows: dict[tuple[str, ...], FailureRowData] = {}
        for state in (self.loads.normal, *(self.loads.state(loss) for loss in losses)):
            row = self._row(state, elements)
            rows[row.lost] = _worse(rows[row.lost], row) if row.lost in rows else row
        sheet = rack_sheet(self.loads, self.records, self.record, singles)
        return FailureTable(self.loads.rack.rack.id, elements, tuple(rows.values()), sheet)

    def _elements(self) -> tuple[Element, ...]:
        found: list[Element] = []
        for feed in self.record.get("feeds", ()):
            for pdu in feed["pdus"]:
                for phase in pdu["phases"]:
                    breaker, own = phase.get("breaker_limit_a"), phase.get("pdu_limit_a")
                    limit = None if breaker is None or own is None else min(breaker, own)
                    found.append(Element(phase["id"], "line", "A", limit, pdu["id"], phase["name"]))
                for bank in pdu.get("banks", ()):
                    label, limit = f"{pdu['id']} bank {bank['name']}", bank.get("breaker_limit_a")
                    found.append(Element(label, "bank", "A", limit, pdu["id"], bank["name"]))
                found.append(Element(pdu["id"], "pdu", "W", pdu.get("power_max_w"), pdu["id"]))
        for (name, domain), output in self.outputs.items():
            label = f"{name} supplies" if len(self.domains[name]) == 1 else f"{name}/{domain} supplies"
            found.append(Element(label, "supplies", "W", output))
        return tuple(found)

    def _fan_losses(self) -> list[Loss]:
        return [Loss("fan", name, 0, f"a fan of {name} lost in one server") for name in self.servers]

    def _row(self, state: RackState, elements: Sequence[Element]) -> FailureRowData:
        loss = state.loss
        loads: list[float | None] = []
        for pdu in self.loads.pdus:
            loads += [*state.lines_a[pdu].values(), *state.banks_a[pdu].values(), state.power_w[pdu]]
        alive = {**self.whole, **state.alive}
        loads += [self._supply_load_w(name, domain, alive) for name, domain in self.outputs]
        states: list[tuple[str, State]] = []
        down = 0
        for name, numbers in self.servers.items():
            found = [self._server_state(name, number, alive) for number in numbers]
            if loss.kind == "fan" and loss.name == name:
                found[0] = max(found[0], self._after_fan(name), key=_STATES.index)
            states.append((name, max(found, key=_STATES.index, default="full")))
            down += found.count("down")
        ratios = tuple(_ratio(load, element.limit) for load, element in zip(loads, elements, strict=True))
        gone = frozenset(index for index, element in enumerate(elements) if self._is_gone(element, loss))
        return FailureRowData(loss.kind, _words(loss), tuple(loads), ratios, tuple(states), down, gone)

    def _is_gone(self, element: Element, loss: Loss) -> bool:
        """Say whether a loss takes an element away itself, so that there is nothing left to be loaded."""
        if loss.kind == "pair":
            return any(self._is_gone(element, part) for part in loss.parts)
        if not element.pdu:
            return False
        feed = self.loads.pdus[element.pdu].feed
        if loss.kind in ("line", "bank"):
            is_here = loss.place in (element.pdu, feed)
            return is_here and element.kind == loss.kind and element.name == loss.name
        return (loss.kind, loss.name) in (("feed", feed), ("pdu", element.pdu))

    def _supply_load_w(self, name: str, domain: str, alive: Mapping[Group, int | None]) -> float | None:
        """Return what the most loaded supply of a domain delivers over all servers; 0 where none is left."""
        power = self.loads.powers.get((name, domain))
        counts = {alive[name, number, domain] for number in self.servers[name]}
        left = [count for count in counts if count]
        if None in counts or ((power is None or power.draw_w is None) and left):
            return None
        return power.draw_w / min(left) if power is not None and power.draw_w is not None and left else 0.0

    def _server_state(self, name: str, number: int, alive: Mapping[Group, int | None]) -> State:
        worst: State = "full"
        for domain in self.domains[name]:
            power = self.loads.powers.get((name, domain))
            draw = None if power is None else power.draw_w
            state = _state(alive[name, number, domain], draw, self.outputs[name, domain], self.throttles[name])
            worst = max(worst, state, key=_STATES.index)
        return worst

    def _after_fan(self, name: str) -> State:
        """Return how a server runs without one fan; not known unless its maker says so."""
        stated: dict[str | None, State] = {"full": "full", "throttled": "throttled", "down": "down"}
        return stated.get(self.fans[name], "unknown")


def _words(loss: Loss) -> tuple[str, ...]:
    """Return what is lost, one entry an element; a supply stands for that of any server."""
    if loss.kind == "pair":
        return tuple(word for part in loss.parts for word in _words(part))
    return (f"{loss.name} lost in one server",) if loss.kind == "psu" else (loss.text,)


def _output_w(node: Mapping[str, Any], domain: str) -> float | None:
    """Return what the weakest supply of a domain delivers in W at its voltage, since all take an equal share.

    Unknown: None if that of one of them is not known.
    """
    outputs = [value_of(psu, "output_w") for psu in node.get("psus", ()) if psu.get("domain", "") == domain]
    return min(outputs) if outputs and None not in outputs else None


def _state(alive: int | None, draw: float | None, output: float | None, throttles: bool | None) -> State:
    """Return how a domain runs with `alive` supplies of `output` W each that share a draw."""
    if alive == 0:
        return "down"
    if alive is None or draw is None or output is None:
        return "unknown"
    if draw / alive <= output * _ROUNDING:
        return "full"
    if throttles is None:
        return "overloaded"
    return "throttled" if throttles else "down"


def _ratio(load: float | None, limit: float | None) -> float | None:
    return load / limit if load is not None and limit else None


def _worse(one: FailureRowData, other: FailureRowData) -> FailureRowData:
    """Return the row of the worse cells of two rows; an unknown load is worse than any other."""
    loads, ratios = [], []
    for index, pair in enumerate(zip(one.loads, other.loads, strict=True)):
        side = one if pair[0] is None or (pair[1] is not None and pair[0] >= pair[1]) else other
        loads.append(side.loads[index])
        ratios.append(side.ratios[index])
    nodes = zip(one.nodes, other.nodes, strict=True)
    states = [(name, max(state, second, key=_STATES.index)) for (name, state), (_, second) in nodes]
    down = max(one.servers_down, other.servers_down)
    return FailureRowData(one.kind, one.lost, tuple(loads), tuple(ratios), tuple(states), down, one.gone)
