"""The table of power failures for documents: each single loss, what remains loaded how far, and what the nodes do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from rackwright.facts.rack_loads import NOTHING, Loss, RackLoads, rack_loads, value_of
from rackwright.frozen import frozen
from rackwright.placement.model import Placement

State = Literal["full", "throttled", "unknown", "overloaded", "down"]
# From best to worst. `overloaded`: more than the supplies give, and the maker does not say whether the node throttles.
_STATES: tuple[State, ...] = ("full", "throttled", "unknown", "overloaded", "down")
_ROUNDING = 1 + 1e-9


@frozen(slots=True)
class FailureRowData:
    """What remains after a loss.

    `loads` and `limits` have one entry a column, in its unit, None if not known. `nodes` says for each node of the
    rack how its worst server runs: full, throttled, down, overloaded (its maker does not say which) or unknown.
    `servers_down` counts the servers that are down.
    """

    lost: str
    loads: tuple[float | None, ...]
    limits: tuple[float | None, ...]
    nodes: tuple[tuple[str, State], ...]
    servers_down: int = 0

    @property
    def ratios(self) -> tuple[float | None, ...]:
        """Each load as a share of its limit; None if one of them is not known."""
        return tuple(_ratio(load, limit) for load, limit in zip(self.loads, self.limits, strict=True))


@frozen(slots=True)
class FailureTable:
    """The replay of a rack: rows are losses, the first is none; columns are lines (A), PDUs and supplies (W)."""

    rack: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[FailureRowData, ...]


def replay(
    placement: Placement,
    nodes: Sequence[Mapping[str, Any]],
    racks: Sequence[Mapping[str, Any]],
    policy: Mapping[str, Any],
) -> tuple[FailureTable, ...]:
    """Return the table of all single losses of each rack that has PDUs.

    `nodes` and `racks` are the finished records. A row for a supply stands for its loss in any one server: each cell
    is the worst over the servers. The limit of a line is the lower of breaker and PDU; that of supplies is the input
    power of one of them at full output.
    """
    records = {rack["id"]: rack for rack in racks}
    return tuple(
        _Replay(rack_loads(rack, placement, nodes, policy), placement, nodes, records[rack.rack.id]).table()
        for rack in placement.racks
        if rack.pdus and rack.nodes
    )


class _Replay:
    """The replay of one rack."""

    def __init__(
        self,
        loads: RackLoads,
        placement: Placement,
        nodes: Sequence[Mapping[str, Any]],
        record: Mapping[str, Any],
    ) -> None:
        self.loads = loads
        self.servers: dict[str, list[int]] = {}
        for server in loads.rack.nodes:
            self.servers.setdefault(server.node, []).append(server.number)
        self.nodes = {name: placement.node(name) for name in self.servers}
        records = {node["id"]: node for node in nodes}
        self.supply_limits = {name: _supply_limits_w(records[name]) for name in self.servers}
        pdus = [pdu for feed in record.get("feeds", ()) for pdu in feed["pdus"]]
        self.limits: dict[str, float | None] = {pdu["id"]: pdu.get("power_max_w") for pdu in pdus}
        for phase in (phase for pdu in pdus for phase in pdu["phases"]):
            breaker, own = phase.get("breaker_limit_a"), phase.get("pdu_limit_a")
            self.limits[phase["id"]] = None if breaker is None or own is None else min(breaker, own)

    def table(self) -> FailureTable:
        """Return the whole table."""
        columns: list[str] = []
        units: list[str] = []
        for pdu in self.loads.pdus:
            lines = self.loads.lines(pdu)
            columns += [*(f"{pdu}/{line}" for line in lines), pdu]
            units += [*("A" for _ in lines), "W"]
        columns += [f"{name} supplies" for name in self.nodes]
        units += ["W" for _ in self.nodes]
        rows: dict[str, FailureRowData] = {}
        for loss in (NOTHING, *self.loads.losses()):
            lost = f"{loss.name} lost in one server" if loss.kind == "psu" else loss.text
            row = self._row(loss, lost)
            rows[lost] = _worse(rows[lost], row) if lost in rows else row
        return FailureTable(self.loads.rack.rack.id, tuple(columns), tuple(units), tuple(rows.values()))

    def _row(self, loss: Loss, lost: str) -> FailureRowData:
        shares = self.loads.shares_w(loss)
        loads: list[float | None] = []
        limits: list[float | None] = []
        for pdu in self.loads.pdus:
            currents = self.loads.line_loads_a(pdu, shares)
            loads += [*currents.values(), self.loads.power_at_w(pdu, shares)]
            limits += [*(self.limits.get(f"{pdu}/{line}") for line in currents), self.limits.get(pdu)]
        states: list[tuple[str, State]] = []
        down = 0
        for name, numbers in self.servers.items():
            cells, found = self._supplies(loss, name, numbers)
            load, limit = _worst(cells)
            loads.append(load)
            limits.append(limit)
            states.append((name, max(found, key=_STATES.index, default="full")))
            down += found.count("down")
        return FailureRowData(lost, tuple(loads), tuple(limits), tuple(states), down)

    def _supplies(
        self, loss: Loss, name: str, numbers: Sequence[int]
    ) -> tuple[list[tuple[float | None, float | None]], list[State]]:
        """Return load and limit of a surviving supply of each domain and server, and the state of each server."""
        placed, limits = self.nodes[name], self.supply_limits[name]
        domains = dict.fromkeys(psu.domain for psu in placed.psus if psu.has_bay is not False)
        throttles = placed.chassis.get("psu.is_throttled_after_loss")
        cells: list[tuple[float | None, float | None]] = []
        states: list[State] = []
        for number in numbers:
            worst: State = "full"
            for domain in domains:
                alive, share = self.loads.domain_share_w(loss, name, number, domain)
                state = _state(alive, share, limits.get(domain), throttles)
                worst = max(worst, state, key=_STATES.index)
                if alive:
                    cells.append((share, limits.get(domain)))
            states.append(worst)
        return cells, states


def _supply_limits_w(node: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the input power in W of one supply of each domain at full output: output / efficiency (PR-01).

    Of unequal supplies the weakest counts, since all take an equal share. Unknown: None without output or efficiency.
    """
    limits: dict[str, float | None] = {}
    for psu in node.get("psus", ()):
        output, efficiency = value_of(psu, "output_w"), value_of(psu, "efficiency_ratio")
        limit = output / efficiency if output is not None and efficiency else None
        domain = psu.get("domain", "")
        before = limits.get(domain, limit)
        limits[domain] = None if before is None or limit is None else min(before, limit)
    return limits


def _state(alive: int, share: float | None, limit: float | None, throttles: bool | None) -> State:
    """Return how a domain with `alive` supplies runs, each with `share` W of at most `limit` W."""
    if not alive:
        return "down"
    if share is None or limit is None:
        return "unknown"
    if share <= limit * _ROUNDING:
        return "full"
    if throttles is None:
        return "overloaded"
    return "throttled" if throttles else "down"


def _ratio(load: float | None, limit: float | None) -> float | None:
    return load / limit if load is not None and limit else None


def _worst(cells: Iterable[tuple[float | None, float | None]]) -> tuple[float | None, float | None]:
    """Return the cell with the highest load by its limit; an unknown load before all, 0 without any cell."""

    def order(cell: tuple[float | None, float | None]) -> tuple[bool, float, float]:
        return cell[0] is None, _ratio(*cell) or 0.0, cell[0] or 0.0

    return max(cells, key=order, default=(0.0, None))


def _worse(one: FailureRowData, other: FailureRowData) -> FailureRowData:
    """Return the row of the worse cells of two rows."""
    pairs = zip(one.loads, one.limits, other.loads, other.limits, strict=True)
    cells = [_worst([(load, limit), (second, its_limit)]) for load, limit, second, its_limit in pairs]
    loads, limits = (tuple(cell[side] for cell in cells) for side in (0, 1))
    nodes = zip(one.nodes, other.nodes, strict=True)
    states = [(name, max(state, second, key=_STATES.index)) for (name, state), (_, second) in nodes]
    return FailureRowData(one.lost, loads, limits, tuple(states), max(one.servers_down, other.servers_down))
