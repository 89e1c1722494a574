"""Device types and module types of what was quoted, for NetBox and its device type library.

A chassis and a PDU become device types, the parts that are fitted into a chassis module types. Bays are those of the
mode that is built. What nobody stated is left out, with one exception: a device type must say whether it is as deep as
the rack. What takes rack units says yes, so that nothing else is planned behind it, and the comment says that nobody
stated it.

Source of the fields and of the words in them: NetBox 4.7.3, its import forms and its choices (package netbox), and the
schema of the device type library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement, Placement

Record = dict[str, Any]

MODULE_KINDS = ("cpu", "memory", "gpu", "storage_adapter", "drive", "nic", "psu")
_AIRFLOW = {"front-to-back": "front-to-rear", "back-to-front": "rear-to-front"}
_INLETS = {f"C{number}": f"iec-60320-c{number}" for number in (6, 8, 14, 16, 20, 22)}
_OUTLETS = {f"C{number}": f"iec-60320-c{number}" for number in (13, 15, 19, 21)} | {
    "5-15R": "nema-5-15r", "5-20R": "nema-5-20r", "L5-20R": "nema-l5-20r", "L6-20R": "nema-l6-20r",
    "L6-30R": "nema-l6-30r",
}  # fmt: skip
# NetBox has three feed legs; on a delta they stand for pairs of lines, as readers/netbox.py reads them.
_LEGS = {"L1": "A", "L2": "B", "L3": "C", "L1-L2": "A", "L2-L3": "B", "L3-L1": "C"}
# Cage and rate in Gbit/s -> the word of NetBox.
_ETHERNET = {
    ("BASE-T", 1): "1000base-t",
    ("BASE-T", 10): "10gbase-t",
    ("SFP+", 10): "10gbase-x-sfpp",
    ("SFP28", 25): "25gbase-x-sfp28",
    ("SFP56", 50): "50gbase-x-sfp56",
    ("QSFP28", 100): "100gbase-x-qsfp28",
    ("QSFP56", 200): "200gbase-x-qsfp56",
    ("QSFP112", 400): "400gbase-x-qsfp112",
    ("OSFP", 400): "400gbase-x-osfp",
    ("OSFP", 800): "800gbase-x-osfp",
}
_INFINIBAND = {100: "infiniband-edr", 200: "infiniband-hdr", 400: "infiniband-ndr", 800: "infiniband-xdr"}
# Longest texts that NetBox takes.
_NAME, _MODEL, _NUMBER, _POSITION = 64, 100, 50, 30


@frozen(slots=True)
class NetboxTypes:
    """Records in the words of NetBox, by id of the part. `left_out` has parts that NetBox cannot take: (id, why)."""

    devices: tuple[Record, ...]
    modules: tuple[Record, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def netbox_types(placement: Placement) -> NetboxTypes:
    """Return the types of everything that was quoted, each once, in the order of part and mode."""
    devices: dict[str, Record] = {}
    modules: dict[str, Record] = {}
    left_out: dict[str, str] = {}
    for node in placement.nodes:
        key = f"{node.chassis.id} {node.mode}"
        if node.chassis.get("rack.height_u") is None:
            left_out[node.chassis.id] = "rack.height_u"
        else:
            devices.setdefault(key, _chassis(node))
        for line in node.lines:
            if line.part.kind in MODULE_KINDS:
                modules.setdefault(line.part.id, _module(line.part))
    for pdu in (pdu.part for rack in placement.racks for pdu in rack.pdus):
        if pdu.get("mount") is None:
            left_out[pdu.id] = "mount"
        else:
            devices.setdefault(pdu.id, _pdu(pdu))
    return NetboxTypes(
        tuple(devices[key] for key in sorted(devices)),
        tuple(modules[key] for key in sorted(modules)),
        tuple(sorted(left_out.items())),
    )


def _named(part: Part, suffix: str = "") -> Record:
    """Maker, model and order number of a part; NetBox puts the maker in front of the model itself."""
    maker = _cut(str(part.data.get("maker", "")), _MODEL)
    title = part.title.removeprefix(f"{maker} ")
    record: Record = {"manufacturer": maker, "model": _cut(title + suffix, _MODEL)}
    numbers = part.data.get("mpn", ())
    if numbers:
        record["part_number"] = _cut(str(numbers[0]), _NUMBER)
    return record


def _cut(text: str, limit: int) -> str:
    """One line of at most `limit` characters; names must tell things apart, so it is the middle that goes."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 18]}…{line[-17:]}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-")[:100] or "part"


def _device(part: Part, height_u: float, suffix: str = "") -> Record:
    record = _named(part, f" ({suffix})" if suffix else "")
    record |= {
        "slug": _slug(f"{part.id} {suffix}"),
        "u_height": height_u,
        "is_full_depth": height_u > 0,
        "comments": f"From the rackwright catalog: {part.id}.",
    }
    if height_u:
        record["comments"] += " is_full_depth: not stated; NetBox must know it, and true keeps the space behind free."
    if airflow := _AIRFLOW.get(str(part.get("airflow"))):
        record["airflow"] = airflow
    return record | _weight(part.get("weight_kg"))


def _weight(kilograms: float | None) -> Record:
    """The library takes hundredths."""
    return {} if kilograms is None else {"weight": float(round(Decimal(str(kilograms)), 2)), "weight_unit": "kg"}


def _chassis(node: NodePlacement) -> Record:
    part = node.chassis
    modes = part.get("modes") or {}
    record = _device(part, part.get("rack.height_u"), node.mode if len(modes) > 1 else "")
    if len(modes) > 1 and node.mode in modes:
        record["description"] = _cut(f"Mode {node.mode}: {modes[node.mode]['title']}", 200)
    bays = [*_socket_bays(part), *_slot_bays(node), *_drive_bays(node), *_psu_bays(part)]
    if bays:
        record["module-bays"] = bays
    return record


def _bay(name: str, position: str) -> Record:
    return {"name": _cut(name, _NAME), "position": _cut(position, _POSITION)}


def _socket_bays(part: Part) -> Iterable[Record]:
    for name, count in (("CPU", part.get("cpu.sockets")), ("DIMM", part.get("memory.dimms"))):
        for number in range(1, (count or 0) + 1):
            yield _bay(f"{name} {number}", f"{name}{number}")


def _slot_bays(node: NodePlacement) -> Iterable[Record]:
    for slot in node.slots:
        if slot.is_in_mode:
            form = "Module" if str(slot.data.get("form_factor", "pcie")).startswith(("sxm", "oam")) else "Slot"
            yield _bay(f"{form} {slot.name}", slot.name)


def _drive_bays(node: NodePlacement) -> Iterable[Record]:
    """The groups of bays that hold a drive: others may be a front that is not built."""
    used = {drive.bays for drive in node.drives}
    for group in node.chassis.get("bays") or ():
        if group["name"] in used:
            for number in range(1, group["count"] + 1):
                yield _bay(f"Bay {group['name']} {number}", f"{group['name']}-{number}")


def _psu_bays(part: Part) -> Iterable[Record]:
    for number in range(1, (part.get("psu.bays") or 0) + 1):
        yield _bay(f"PSU {number}", f"PSU{number}")


def _module(part: Part) -> Record:
    record = _named(part) | _weight(part.get("weight_kg"))
    record["comments"] = f"From the rackwright catalog: {part.id}."
    if part.kind == "psu" and (inlet := _INLETS.get(str(part.get("inlet")))):
        record["power-ports"] = [{"name": "{module}", "type": inlet}]
    if part.kind == "nic" and part.get("ports"):
        kind = _interface(part)
        record["interfaces"] = [
            {"name": f"{{module}}/{number}", "type": kind} for number in range(1, part.get("ports") + 1)
        ]
    return record


def _interface(part: Part) -> str:
    """The word of NetBox for a port, `other` if it has none for this cage and rate."""
    rate = part.get("port_gbit_s")
    protocols = part.get("protocol") or ()
    if "ethernet" in protocols:
        return _ETHERNET.get((str(part.get("port_type")), rate), "other")
    return _INFINIBAND.get(rate, "other") if "infiniband" in protocols else "other"


def _pdu(part: Part) -> Record:
    record = _device(part, int(str(part.get("mount")).removesuffix("U")))
    record["power-ports"] = [{"name": "Inlet", "type": _plug(str(part.get("inlet_plug") or ""))}]
    outlets: list[Record] = []
    for group in part.get("outlets") or ():
        for _ in range(group["count"]):
            outlet: Record = {
                "name": f"Outlet {len(outlets) + 1}",
                "type": _OUTLETS.get(group["type"], "other"),
                "power_port": "Inlet",
            }
            if leg := _LEGS.get(group.get("section", "")):
                outlet["feed_leg"] = leg
            outlets.append(outlet)
    if outlets:
        record["power-outlets"] = outlets
    return record


def _plug(plug: str) -> str:
    """The word of NetBox for an inlet plug, `other` if it is not known."""
    if found := re.fullmatch(r"IEC 60309 (2P|3P)(\+N)?\+E ([469])h", plug):
        return f"iec-60309-{found[1].lower()}{'-n' if found[2] else ''}-e-{found[3]}h"
    if found := re.fullmatch(r"NEMA (L?[56]-(?:15|20|30|50)P|L?1[45]-[235]0P|L21-[23]0P|L22-30P)", plug):
        return f"nema-{found[1].lower()}"
    if re.fullmatch(r"CS(6361|6365|8165|8265|8365|8465)C", plug):
        return plug.lower()
    return _INLETS.get(plug.removeprefix("IEC 60320 "), "other")
