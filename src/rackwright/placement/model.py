"""Who sits where: the values that placement hands to facts, BOM and drawings. All frozen, all in a defined order."""

from __future__ import annotations

from dataclasses import field

from rackwright.catalog import Part
from rackwright.configuration import Configuration, Feed, Node, Rack
from rackwright.frozen import frozen
from rackwright.source import Path


@frozen(slots=True)
class Line:
    """A part line of a node with the part that it names. `path` is its place in the configuration."""

    part: Part
    count: int
    path: Path
    cap_w: float | None = None
    slots: tuple[str, ...] = ()
    bay: str | None = None
    feed: str | None = None
    note: str | None = None
    is_implied: bool = False
    reason: str = ""


@frozen(slots=True)
class SlotState:
    """A slot of the chassis in this build.

    `data` is the slot's record of the chassis file (without `names`). `has_riser` is None if the riser is not listed
    and the list is not complete. `has_cpu` is None if the maker does not say which CPU feeds the slot and not all CPU
    sockets are filled. `order` is the position in the maker's list.
    """

    name: str
    data: dict[str, object]
    order: int
    is_in_mode: bool
    has_riser: bool | None
    has_cpu: bool | None


@frozen(slots=True)
class PlacedCard:
    """An expansion card or accelerator module.

    `slot` is None if no slot was left, or if the chassis's slots are not known (`is_placed` tells which: False or
    None). `covers` are further slots that the card's width takes. `collides_with` are ids of cards whose space
    overlaps. `number` counts the cards of the node from 1.
    """

    id: str
    part: Part
    path: Path
    slot: str | None = None
    is_placed: bool | None = None
    covers: tuple[str, ...] = ()
    collides_with: tuple[str, ...] = ()
    is_pinned: bool = False
    is_module: bool = False
    cap_w: float | None = None
    cable: Part | None = None
    cables_fitted: int = 0


@frozen(slots=True)
class BridgeGroup:
    """GPUs joined by bridges. `cards` are ids of placed cards; `is_adjacent` is None if the pairs are not known."""

    id: str
    bridge: Part
    cards: tuple[str, ...]
    bridges: int
    bridges_needed: int | None
    is_adjacent: bool | None
    path: Path


@frozen(slots=True)
class PlacedDrive:
    """A drive and its bays. `bays` is the name of the bay group; None if no bay takes it or bays are not known."""

    id: str
    part: Part
    path: Path
    bays: str | None
    is_placed: bool | None
    option: str | None = None
    has_option: bool = True


@frozen(slots=True)
class PlacedPsu:
    """A power supply: its bay, domain, feed, and the voltage at its inlet (None = not known)."""

    id: str
    part: Part
    path: Path
    bay: str | None
    has_bay: bool | None
    domain: str
    feed: str | None
    input_voltage_v: float | None


@frozen(slots=True)
class PlacedDimm:
    """A memory module at a CPU and in a channel of it (numbered from 1).

    `channel` is None if the CPU's channels are not known, `socket` if the maker's order of sockets is not.
    """

    part: Part
    path: Path
    cpu: int
    channel: int | None = None
    socket: str | None = None


@frozen(slots=True)
class NodePlacement:
    """One kind of server with everything in its place. `is_decided` is False if a limit ended the search for slots
    and what it had found breaks something: then rules are not told where the cards sit that the user did not pin.
    """

    node: Node
    path: Path
    chassis: Part
    mode: str
    is_mode_known: bool
    lines: tuple[Line, ...]
    cpus: tuple[Line, ...]
    slots: tuple[SlotState, ...]
    has_slot_map: bool
    cards: tuple[PlacedCard, ...]
    groups: tuple[BridgeGroup, ...]
    bridges_left: int
    drives: tuple[PlacedDrive, ...]
    psus: tuple[PlacedPsu, ...]
    dimms: tuple[PlacedDimm, ...]
    is_dimm_count_even: bool
    gpu_cables_left: int
    input_voltage_v: float | None
    is_decided: bool = True


@frozen(slots=True)
class RackedNode:
    """One server in a rack: node id, running number of that kind from 1, lowest unit."""

    node: str
    number: int
    unit_low_u: int
    height_u: int


@frozen(slots=True)
class PluggedCord:
    """A supply's cord in an outlet. `section` is the phase or pair of phases, None if the PDU's map is not known."""

    node: str
    number: int
    psu: str
    pdu: str
    outlet_type: str
    outlet_number: int
    section: str | None
    bank: str | None = None


@frozen(slots=True)
class PlacedPdu:
    """One PDU of a feed: R1/A1."""

    id: str
    feed: str
    part: Part
    supply: Feed


@frozen(slots=True)
class RackPlacement:
    """A rack with its nodes, PDUs and cords. `cords_left` are supplies that found no outlet: (psu id, outlet kind)."""

    rack: Rack
    path: Path
    part: Part
    nodes: tuple[RackedNode, ...]
    unplaced: int
    pdus: tuple[PlacedPdu, ...]
    cords: tuple[PluggedCord, ...]
    cords_left: tuple[tuple[str, str, str], ...] = ()
    units_used_u: int = 0


@frozen(slots=True)
class Placement:
    """The whole order in place. `extras` are parts of the order as a whole.

    `offered` are options and alternatives: they have prices, but no rule and no total counts them.
    """

    configuration: Configuration
    nodes: tuple[NodePlacement, ...]
    racks: tuple[RackPlacement, ...] = ()
    extras: tuple[Line, ...] = field(default_factory=tuple)
    offered: tuple[Line, ...] = field(default_factory=tuple)

    def node(self, node_id: str) -> NodePlacement:
        """Return the node with this id; KeyError if there is none."""
        for placed in self.nodes:
            if placed.node.id == node_id:
                return placed
        raise KeyError(node_id)
