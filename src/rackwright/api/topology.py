"""The topology of a node as the machine-readable report has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.facts.topology import topology_of
from rackwright.placement.model import NodePlacement
from rackwright.proposal.nodes import read
from rackwright.proposal.report import DeviceEntry, NvlinkEntry, SwitchEntry, TopologyEntry


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


def _switch(switch: Mapping[str, Any]) -> SwitchEntry:
    down, up = read(switch, "down_gb_s"), read(switch, "uplink_gb_s")
    ratio = down / up if down is not None and up else None
    return SwitchEntry(name=switch["name"], down_gb_s=down, uplink_gb_s=up, oversubscription_ratio=ratio)
