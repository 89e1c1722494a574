"""Facts about slots, cards, GPUs, bridge groups, CPUs and PCIe switches of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.lines import Record, known, total, total_count
from rackwright.placement.bridges import group_record
from rackwright.placement.cables import cables_needed, card_connector
from rackwright.placement.links import link_gb_s, negotiated
from rackwright.placement.model import BridgeGroup, NodePlacement, PlacedCard, SlotState
from rackwright.placement.needs import HEIGHT_RANK, LENGTH_RANK, draw_max_w, rows_of
from rackwright.placement.slots import cpu_of

_SLOT_FIGURES = (
    "side",
    "is_gpu",
    "switch",
    "riser",
    "generation",
    "lanes",
    "connector_lanes",
    "width_slots",
    "length_max_mm",
    "height_max_mm",
    "power_max_w",
)


def slot_records(placed: NodePlacement) -> dict[str, Record]:
    """Return the facts of every slot by name, those that do not exist in the chosen mode included."""
    rows = rows_of(placed.chassis)
    return {slot.name: _slot_record(slot, placed, rows) for slot in placed.slots}


def _slot_record(slot: SlotState, placed: NodePlacement, rows: Mapping[str, tuple[str, ...]]) -> Record:
    data: Mapping[str, Any] = slot.data
    return known(
        **{name: data.get(name) for name in _SLOT_FIGURES},
        _path=placed.path,
        name=slot.name,
        form_factor=data.get("form_factor", "pcie"),
        is_in_mode=slot.is_in_mode,
        has_riser=slot.has_riser,
        has_cpu=slot.has_cpu,
        cpu=cpu_of(placed.chassis, slot.data),
        length_rank=LENGTH_RANK.get(data.get("length_class", "")),
        height_rank=HEIGHT_RANK.get(data.get("height_class", "")),
        slots_free_beside=_free_beside(slot, placed.cards, rows),
    )


def _free_beside(slot: SlotState, cards: Sequence[PlacedCard], rows: Mapping[str, tuple[str, ...]]) -> int | None:
    """Count the slots from this one on along its row up to the first that another card uses.

    A slot outside of every row stands alone (1) if its width is stated; else nothing is known about its neighbours.
    """
    following = rows.get(slot.name)
    if following is None:
        return None if slot.data.get("width_slots") is None else 1
    taken = {name for card in cards if card.slot not in (None, slot.name) for name in (card.slot, *card.covers)}
    free = 1
    for name in following:
        if name in taken:
            break
        free += 1
    return free


def card_record(card: PlacedCard, placed: NodePlacement, slots: Mapping[str, Record], group: str) -> Record:
    """Return the facts of a card or module; the record of the node is added by its maker. Links are one direction."""
    part = card.part
    box: Mapping[str, Any] = part.get("card") or {}
    pcie: Mapping[str, Any] = part.get("pcie") or {}
    slot = slots.get(card.slot or "")
    generation, lanes = pcie.get("generation"), pcie.get("lanes")
    link_generation = negotiated(generation, slot.get("generation")) if slot else None
    link_lanes = negotiated(lanes, slot.get("lanes")) if slot else None
    needed = cables_needed(part)
    record = known(
        _path=card.path,
        id=card.id,
        kind=part.kind,
        part=part.data,
        is_placed=card.is_placed,
        is_in_ocp=None if slot is None else str(slot["form_factor"]).startswith("ocp"),
        is_module=card.is_module,
        slot=slot,
        slots_covered=[slots[name] for name in card.covers if name in slots],
        collides_with=list(card.collides_with),
        width_slots=box.get("width_slots"),
        length_rank=LENGTH_RANK.get(box.get("length_class", "")),
        height_rank=HEIGHT_RANK.get(box.get("height_class", "")),
        is_pinned=card.is_pinned,
        link_generation=link_generation,
        link_lanes=link_lanes,
        link_gb_s=_gb_s(link_generation, link_lanes),
        card_gb_s=_gb_s(generation, lanes),
        cap_w=card.cap_w,
        is_capped=card.cap_w is not None,
        draw_max_w=draw_max_w(part, card.cable, card.cap_w),
        is_powered_by_cable=None if needed is None else needed > 0,
        cables_needed=needed,
        cables_fitted=card.cables_fitted,
        cable_connector=card.cable.get("to_connector") if card.cable is not None else None,
        card_connector=card_connector(part),
        cable_level_w=card.cable.get("level_w") if card.cable is not None else None,
        is_qualified=_is_qualified(part, placed.chassis),
    )
    if part.kind == "gpu":
        record["group"] = group
        if slot is not None and "cpu" in slot:
            record["cpu"] = slot["cpu"]
    return record


def _gb_s(generation: int | None, lanes: int | None) -> float | None:
    return None if generation is None or lanes is None else link_gb_s(generation, lanes)


def _is_qualified(part: Part, chassis: Part) -> bool | None:
    """Say whether the chassis's maker lists a GPU; None for other cards, and without a list."""
    listed = chassis.get("qualified_gpus")
    if part.kind != "gpu" or listed is None:
        return None
    names = {part.id, *part.data.get("aliases", ())}
    return any(entry["gpu"] in names for entry in listed)


def group_record_of(group: BridgeGroup, gpus: Sequence[Record], parts: Mapping[str, Part]) -> Record:
    """Return the facts of a bridge group. `gpus` are all GPU records of the node, `parts` their parts by card id."""
    members = [gpu for gpu in gpus if gpu["id"] in group.cards]
    cpus = [gpu.get("cpu") for gpu in members]
    suits = [_suits(parts[gpu["id"]], group) for gpu in members]
    first = parts[members[0]["id"]]
    return known(
        _path=group.path,
        id=group.id,
        gpus=members,
        bridge=group.bridge.data,
        cards=len(members),
        bridges=group.bridges,
        bridges_needed=group.bridges_needed,
        is_bridge_for_gpus=False if False in suits else (None if None in suits else True),
        is_adjacent=group.is_adjacent,
        cpus=None if None in cpus else len(set(cpus)),
        link_gb_s=first.get("nvlink.link_gb_s") or group.bridge.get("link_gb_s"),
    )


def _suits(gpu: Part, group: BridgeGroup) -> bool | None:
    """Say whether the maker names the bridge for a GPU; None if nothing is known about the GPU's NVLink."""
    names = {gpu.id, *gpu.data.get("aliases", ())}
    if group_record(gpu, group.bridge, None) is not None or not names.isdisjoint(group.bridge.data.get("gpus", ())):
        return True
    return None if gpu.get("nvlink") is None else False


def cpu_records(placed: NodePlacement, cards: Sequence[Record]) -> list[Record]:
    """Return the processors, numbered from 1 in the user's order.

    `lanes_used` counts the links of cards at the CPU's own slots and the uplinks of its switches with cards below them
    (PR-65). Drives count only in a node with one CPU: no maker in the catalog says which CPU feeds a bay.
    Unknown: absent if the CPU of a card's slot, or the lanes of a link, are not known.
    """
    parts = [(line.part, line.path) for line in placed.cpus for _ in range(line.count)]
    is_alone = len(parts) == 1
    records = []
    for number, (part, path) in enumerate(parts, 1):
        here = [_cpu_number(card, is_alone) for card in cards]
        gpus = [cpu for card, cpu in zip(cards, here, strict=True) if card["kind"] == "gpu"]
        own = [card for card, cpu in zip(cards, here, strict=True) if cpu == number]
        lanes = None if None in here else lanes_used(placed, own, with_drives=is_alone)
        records.append(
            known(
                _path=path,
                id=f"{placed.node.id}/cpu{number}",
                part=part.data,
                dimms=sum(dimm.cpu == number for dimm in placed.dimms),
                lanes_used=lanes,
                gpus=None if None in gpus else gpus.count(number),
            )
        )
    return records


def _cpu_number(card: Mapping[str, Any], is_alone: bool) -> int | None:
    """Return the CPU of a card: that of its slot, the only one, or 0 for a card without a place."""
    if is_alone:
        return 1
    if card.get("is_placed") is False:
        return 0
    number: int | None = card.get("slot", {}).get("cpu")
    return number


def lanes_used(placed: NodePlacement, cards: Sequence[Mapping[str, Any]], *, with_drives: bool) -> int | None:
    """Return the CPU lanes that cards (and NVMe drives) take; None if a link or an uplink is not known (PR-65)."""
    switches: Mapping[str, Any] = placed.chassis.get("switches") or {}
    below: dict[str, None] = {}
    lanes: list[int | None] = []
    for card in cards:
        if card.get("is_placed") is False:
            continue
        switch = card.get("slot", {}).get("switch")
        if switch in switches:
            below[switch] = None
        elif not card["is_module"] and card["part"].get("form_factor") != "internal":
            lanes.append(card.get("link_lanes"))
    lanes += [(switches[name].get("uplink") or {}).get("lanes") for name in below]
    if with_drives:
        lanes += [drive.part.get("lanes") for drive in placed.drives if drive.part.get("protocol") == "nvme"]
    return total_count(lanes)


def switch_records(placed: NodePlacement, cards: Sequence[Record]) -> list[Record]:
    """Return the switches that have cards below them, in the maker's order."""
    records = []
    for name, switch in (placed.chassis.get("switches") or {}).items():
        below = [card for card in cards if card.get("slot", {}).get("switch") == name]
        if not below:
            continue
        uplink: Mapping[str, Any] = switch.get("uplink") or {}
        records.append(
            known(
                _path=placed.path,
                id=f"{placed.node.id}/{name}",
                name=name,
                cards=below,
                lanes_down=total_count([card.get("link_lanes") for card in below]),
                uplink_lanes=uplink.get("lanes"),
                down_gb_s=total([card.get("link_gb_s") for card in below]),
                uplink_gb_s=_gb_s(uplink.get("generation"), uplink.get("lanes")),
            )
        )
    return records
