"""Kinds of parts. One registry line a kind; the JSON schemas are generated from these models."""

from rackwright.parts.base import Part
from rackwright.parts.cards import Gpu, Nic, NvlinkBridge, StorageAdapter
from rackwright.parts.chassis import Chassis
from rackwright.parts.host import Cpu, Drive, Heatsink, Memory
from rackwright.parts.model import Model
from rackwright.parts.power import Cable, Cord, Pdu, Psu, Rack
from rackwright.parts.small import FanKit, Licence, Option, Rail, RiserKit, Service

PART_KINDS: dict[str, type[Part]] = {
    "cable": Cable,
    "chassis": Chassis,
    "cord": Cord,
    "cpu": Cpu,
    "drive": Drive,
    "fan_kit": FanKit,
    "gpu": Gpu,
    "heatsink": Heatsink,
    "licence": Licence,
    "memory": Memory,
    "model": Model,
    "nic": Nic,
    "nvlink_bridge": NvlinkBridge,
    "option": Option,
    "pdu": Pdu,
    "psu": Psu,
    "rack": Rack,
    "rail": Rail,
    "riser": RiserKit,
    "service": Service,
    "storage_adapter": StorageAdapter,
}

__all__ = ["PART_KINDS", "Part"]
