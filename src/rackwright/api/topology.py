"""Topology and places of a node as the machine-readable report has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.facts.topology import topology_of
from rackwright.placement.model import NodePlacement
from rackwright.proposal.nodes import read
from rackwright.proposal.report import (
    DeviceEntry,
    DimmEntry,
    DriveEntry,
    NvlinkEntry,
    PsuEntry,
    SwitchEntry,
    TopologyEntry,
)


def topology_entry(placed: NodePlacement, record: Mapping[str, Any]) -> TopologyEntry | None:
    """Return the topology of a placed node; None without GPUs and NICs."""
    topology = topology_of(placed, record)
    if not topology.devices:
        return None
    return TopologyEntry(
        devices=[
            DeviceEntry(
                name=device.name,
                card=device.id,
                slot=device.slot,
                numa_node=None if device.cpu is None else device.cpu - 1,
                switches=list(device.switches),
                link_gb_s=device.link_gb_s,
            )
            for device in topology.devices
        ],
        codes=[[peer.code for peer in row] for row in topology.peers],
        gb_s=[[peer.gb_s for peer in row] for row in topology.peers],
        nearest_nics={gpu: nic for gpu, nic, _ in topology.nearest_nics},
        nvlink=[
            NvlinkEntry(
                cards=[gpu["id"] for gpu in group["gpus"]],
                bridge=group["bridge"]["id"],
                link_gb_s=read(group, "link_gb_s"),
            )
            for group in record.get("bridge_groups", ())
        ],
        switches=[_switch(switch) for switch in record.get("switches", ())],
    )


def seats(placed: NodePlacement) -> dict[str, Any]:
    """Return where drives, memory modules and supplies of a node sit, as fields of its entry."""
    return {
        "drives": [DriveEntry(id=drive.id, part=drive.part.id, bays=drive.bays) for drive in placed.drives],
        "dimms": [
            DimmEntry(part=dimm.part.id, cpu=dimm.cpu, channel=dimm.channel, socket=dimm.socket)
            for dimm in placed.dimms
        ],
        "psus": [
            PsuEntry(id=psu.id, part=psu.part.id, bay=psu.bay, domain=psu.domain, feed=psu.feed) for psu in placed.psus
        ],
    }


def _switch(switch: Mapping[str, Any]) -> SwitchEntry:
    down, up = read(switch, "down_gb_s"), read(switch, "uplink_gb_s")
    ratio = down / up if down is not None and up else None
    return SwitchEntry(name=switch["name"], down_gb_s=down, uplink_gb_s=up, oversubscription_ratio=ratio)
