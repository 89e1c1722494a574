"""The matrix of peers of a server as documents print it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.facts.topology import SAME_CPU, UNKNOWN, Device, Topology, topology_of
from rackwright.placement.model import NodePlacement
from rackwright.proposal.model import Labelled, PeerRow, PeersView
from rackwright.proposal.texts import Texts

# What each code means, in the words of the documents.
CODE_LABELS = {
    "NV": "NVLink, number of links",
    "XGMI": "Infinity Fabric",
    "PIX": "below one PCIe switch",
    "PXB": "below several PCIe switches that hang together",
    "PHB": "at one host bridge of a CPU",
    SAME_CPU: "at one CPU; the maker does not say whether at one host bridge",
    "NODE": "at one CPU, over its host bridges",
    "SYS": "across CPUs",
    UNKNOWN: "the CPU of one of the two is not known",
}


def peers_view(placed: NodePlacement, record: Mapping[str, Any], texts: Texts) -> PeersView | None:
    """Lay out how the GPUs of a node reach each other and its NICs; None where nothing is known or there is one GPU."""
    topology = topology_of(placed, record)
    gpus = [index for index, device in enumerate(topology.devices) if device.part.kind == "gpu"]
    codes = {peer.code for index in gpus for peer in topology.peers[index]}
    if len(topology.devices) < 2 or not gpus or codes <= {"X", UNKNOWN}:
        return None
    rows = tuple(
        PeerRow(
            topology.devices[index].name,
            _place(topology.devices[index], texts),
            tuple(peer.code for peer in topology.peers[index]),
        )
        for index in gpus
    )
    return PeersView(
        names=tuple(device.name for device in topology.devices),
        rows=rows,
        legend=_legend(topology, gpus, texts),
        nearest=tuple(Labelled(gpu, nic, code) for gpu, nic, code in topology.nearest_nics if code != UNKNOWN),
        switches=_switches(record, texts),
    )


def _place(device: Device, texts: Texts) -> str:
    slot = texts.text("slot {name}", name=device.slot) if device.slot else ""
    return " · ".join(part for part in (slot, f"CPU {device.cpu}" if device.cpu else "") if part)


def _legend(topology: Topology, gpus: list[int], texts: Texts) -> tuple[Labelled, ...]:
    """Say of each code that occurs what it means and what the links carry in one direction, least to most."""
    carried: dict[str, set[float]] = {}
    for index in gpus:
        for peer in topology.peers[index]:
            if peer.code != "X":
                figures = carried.setdefault(peer.code, set())
                if peer.gb_s is not None:
                    figures.add(peer.gb_s)
    order = list(CODE_LABELS)
    rows = []
    for code in sorted(carried, key=lambda code: (order.index(_family(code)), code)):
        ends = [texts.quantity(value, "GB/s", 1) for value in sorted(carried[code])]
        rows.append(
            Labelled(code, texts.text(CODE_LABELS[_family(code)]), " – ".join(dict.fromkeys([*ends[:1], *ends[-1:]])))
        )
    return tuple(rows)


def _family(code: str) -> str:
    return "NV" if code.startswith("NV") else code


def _switches(record: Mapping[str, Any], texts: Texts) -> tuple[Labelled, ...]:
    rows = []
    for switch in record.get("switches", ()):
        below, above = switch.get("down_gb_s"), switch.get("uplink_gb_s")
        if below is None and above is None:
            continue
        ratio = f"{texts.formats.number(below / above, 2)} : 1" if below is not None and above else ""
        text = texts.text(
            "{below} below, {above} to the CPU",
            below=texts.quantity(below, "GB/s", 1),
            above=texts.quantity(above, "GB/s", 1),
        )
        rows.append(Labelled(texts.text("switch {name}", name=str(switch["name"])), text, ratio))
    return tuple(rows)
