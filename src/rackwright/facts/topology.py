"""How GPUs and NICs of a node reach each other: the codes of `nvidia-smi topo -m`, bandwidths, and loads of switches.

Codes, nearest first: NV# (NVLink, # links; XGMI for Infinity Fabric), PIX (below one PCIe switch), PXB (below several
switches that hang together), PHB (one host bridge of a CPU), NODE (one CPU), SYS (across CPUs). Where the maker does
not say which host bridge of the CPU a slot hangs at, PHB and NODE cannot be told apart (`PHB/NODE`); where the CPU is
not known, nothing can be said (`?`). A CPU is one NUMA node here; firmware can cut it into more.
Source: legend of nvidia-smi topo -m (NVIDIA System Management Interface).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.records import Record
from rackwright.frozen import frozen
from rackwright.placement.links import link_gb_s
from rackwright.placement.model import BridgeGroup, NodePlacement, PlacedCard

SELF, UNKNOWN, SAME_CPU = "X", "?", "PHB/NODE"
# Nearest first; NVLink is not a way to a NIC.
WAYS = ("PIX", "PXB", "PHB", SAME_CPU, "NODE", "SYS", UNKNOWN)


@frozen(slots=True)
class Device:
    """A GPU or NIC. `switches` are those above it, nearest first; `root` the host bridge of the CPU, None = not known.

    `link_gb_s` is its negotiated PCIe link in one direction.
    """

    id: str
    name: str
    part: Part
    slot: str | None
    cpu: int | None
    switches: tuple[str, ...]
    root: str | None
    link_gb_s: float | None


@frozen(slots=True)
class Peer:
    """How two devices reach each other. `gb_s` is what the links between them carry at most, one direction."""

    code: str
    gb_s: float | None = None


@frozen(slots=True)
class Topology:
    """Devices, GPUs first, and a row of peers a device.

    `nearest_nics` has for each GPU its name, its nearest NIC and the code of the way; empty without NICs.
    """

    devices: tuple[Device, ...]
    peers: tuple[tuple[Peer, ...], ...]
    nearest_nics: tuple[tuple[str, str, str], ...]


def topology_of(placed: NodePlacement, record: Mapping[str, Any]) -> Topology:
    """Return the topology of a placed node; `record` is its record of facts."""
    devices = _devices(placed, record)
    cards = {card.id: card for card in placed.cards}
    rows = tuple(
        tuple(
            Peer(SELF) if one is other else _nvlink(cards[one.id], cards[other.id], placed) or _pcie(one, other, placed)
            for other in devices
        )
        for one in devices
    )
    nics = [index for index, device in enumerate(devices) if device.part.kind == "nic"]
    nearest = []
    for index, device in enumerate(devices):
        if device.part.kind == "gpu" and nics:
            best = min(nics, key=lambda nic: (WAYS.index(rows[index][nic].code), nic))
            nearest.append((device.name, devices[best].name, rows[index][best].code))
    return Topology(tuple(devices), rows, tuple(nearest))


def _devices(placed: NodePlacement, record: Mapping[str, Any]) -> list[Device]:
    parts = {card.id: card.part for card in placed.cards}
    is_alone = sum(line.count for line in placed.cpus) == 1
    devices = []
    for kind, name in (("gpus", "GPU"), ("nics", "NIC")):
        for number, card in enumerate(record.get(kind, ())):
            slot: Record = card.get("slot", {})
            chain, root = _above(placed.chassis, slot)
            cpu = slot.get("cpu") or (1 if is_alone else None)
            devices.append(
                Device(
                    id=card["id"],
                    name=f"{name}{number}",
                    part=parts[card["id"]],
                    slot=slot.get("name"),
                    cpu=cpu,
                    switches=chain,
                    root=root,
                    link_gb_s=card.get("link_gb_s"),
                )
            )
    return devices


def _above(chassis: Part, slot: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """Return the switches above a slot, nearest first, and the host bridge at their end."""
    switches: Mapping[str, Any] = chassis.get("switches") or {}
    chain: list[str] = []
    name = str(slot.get("switch"))
    while name in switches and name not in chain:
        chain.append(name)
        name = str(switches[name].get("above"))
    if not chain:
        return (), _root_of(chassis, slot)
    root = (switches[chain[-1]].get("uplink") or {}).get("root")
    return tuple(chain), root


def _root_of(chassis: Part, slot: Mapping[str, Any]) -> str | None:
    for entry in chassis.get("slots") or ():
        if slot.get("name") in entry["names"] and "root" in entry:
            return str(entry["root"])
    return None


def _pcie(one: Device, other: Device, placed: NodePlacement) -> Peer:
    """Return the way over PCIe, and the narrowest known link on it (None if one of the links is not known)."""
    code = _code(one, other)
    links = [one.link_gb_s, other.link_gb_s]
    if code not in ("PIX", UNKNOWN):
        meeting = set(one.switches) & set(other.switches)
        links += [
            _uplink_gb_s(placed.chassis, name) for name in (*one.switches, *other.switches) if name not in meeting
        ]
    figures = [link for link in links if link is not None]
    return Peer(code, min(figures) if code != UNKNOWN and len(figures) == len(links) else None)


def _code(one: Device, other: Device) -> str:
    if one.switches and other.switches:
        if one.switches[0] == other.switches[0]:
            return "PIX"
        if one.switches[-1] == other.switches[-1]:
            return "PXB"
    if one.cpu is None or other.cpu is None:
        return UNKNOWN
    if one.cpu != other.cpu:
        return "SYS"
    if one.root is None or other.root is None:
        return SAME_CPU
    return "PHB" if one.root == other.root else "NODE"


def _uplink_gb_s(chassis: Part, switch: str) -> float | None:
    uplink: Mapping[str, Any] = (chassis.get("switches") or {})[switch].get("uplink") or {}
    generation, lanes = uplink.get("generation"), uplink.get("lanes")
    return None if generation is None or lanes is None else link_gb_s(generation, lanes)


def _nvlink(one: PlacedCard, other: PlacedCard, placed: NodePlacement) -> Peer | None:
    """Return the NVLink (or Infinity Fabric) between two GPUs; None if there is none that is known."""
    if one.part.kind != "gpu" or other.part.kind != "gpu":
        return None
    if one.is_module and other.is_module:
        return _on_board(one, placed)
    for group in placed.groups:
        if one.id in group.cards and other.id in group.cards and _is_whole(group):
            return _shared(one.part, len(group.cards) - 1, "NV")
    return None


def _is_whole(group: BridgeGroup) -> bool:
    """Say whether all bridges of a group are there and its cards are not known to be apart."""
    return group.is_adjacent is not False and group.bridges >= (group.bridges_needed or 1)


def _on_board(one: PlacedCard, placed: NodePlacement) -> Peer | None:
    """Return the link between modules of one board: through switches each has all its links for any other."""
    fabric = placed.chassis.get("gpu_limits.module_fabric") or one.part.get("nvlink.fabric")
    modules = sum(card.is_module for card in placed.cards)
    if fabric == "nvswitch":
        return _shared(one.part, 1, "NV")
    if fabric == "direct":
        return _shared(one.part, modules - 1, "NV")
    return _shared(one.part, modules - 1, "XGMI") if fabric == "infinity-fabric" else None


def _shared(part: Part, peers: int, name: str) -> Peer:
    """Return a link that a card has to each of `peers` others: its links and their bandwidth in equal shares."""
    links, both_gb_s = part.get("nvlink.links"), part.get("nvlink.link_gb_s")
    count = "" if name == "XGMI" else str(links // peers) if links is not None else "#"
    return Peer(f"{name}{count}", both_gb_s / 2 / peers if both_gb_s is not None else None)


def cells(topology: Topology) -> Sequence[Sequence[str]]:
    """Return the codes alone, a row a device."""
    return [[peer.code for peer in row] for row in topology.peers]
