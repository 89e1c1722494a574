"""Facts about slots, cards, GPUs, bridge groups, CPUs and PCIe switches of a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rackwright.catalog import Part
from rackwright.facts.records import Context, Needs, Record, known, lacking, total, total_count, without
from rackwright.facts.stated import card_flags, is_count_qualified, is_family_listed, memory_speed_mt_s, slot_flags
from rackwright.placement.bridges import group_record
from rackwright.placement.cables import cables_needed, card_connector
from rackwright.placement.lines import list_gaps
from rackwright.placement.links import link_gb_s, negotiated
from rackwright.placement.model import BridgeGroup, NodePlacement, PlacedCard, SlotState
from rackwright.placement.needs import HEIGHT_RANK, LENGTH_RANK, cable_limit_w, rows_of
from rackwright.placement.positions import prescribed
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


def slot_records(context: Context) -> dict[str, Record]:
    """Return the facts of every slot by name, those that do not exist in the chosen mode included."""
    rows = rows_of(context.chassis)
    return {slot.name: _slot_record(slot, context, rows) for slot in context.placed.slots}


def _slot_record(slot: SlotState, context: Context, rows: Mapping[str, tuple[str, ...]]) -> Record:
    data: Mapping[str, Any] = slot.data
    record = known(
        lambda: {
            **_slot_reasons(slot.name, context.chassis),
            "has_riser": [(context.placed_id, gap) for gap in list_gaps(context.placed.node, context.placed.lines)],
        },
        **{name: data.get(name) for name in _SLOT_FIGURES},
        **slot_flags(data),
        _path=context.placed.path,
        name=slot.name,
        form_factor=data.get("form_factor", "pcie"),
        is_in_mode=slot.is_in_mode,
        has_riser=slot.has_riser,
        has_cpu=slot.has_cpu,
        cpu=cpu_of(context.chassis, slot.data),
        length_rank=LENGTH_RANK.get(data.get("length_class", "")),
        height_rank=HEIGHT_RANK.get(data.get("height_class", "")),
        slots_free_beside=_free_beside(slot, context.placed.cards, rows) if context.placed.is_decided else None,
    )
    return context.make("slot", record)


def _slot_reasons(name: str, chassis: Part) -> dict[str, Needs]:
    """Return the field of the chassis file that each fact of a slot comes from."""
    fields = {figure: figure for figure in (*_SLOT_FIGURES, "cpu")}
    fields |= {"has_cpu": "cpu", "length_rank": "length_class", "height_rank": "height_class"}
    fields["slots_free_beside"] = "width_slots"
    return {fact: [(chassis.data, f"slots.{name}.{field}")] for fact, field in fields.items()}


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


def card_record(card: PlacedCard, context: Context, slots: Mapping[str, Record], group: str) -> Record:
    """Return the facts of a card or module; `group` is its bridge group. The record of the node comes later.

    Links are counted in one direction.
    """
    if not context.placed.is_decided and not card.is_pinned:
        card = replace(card, slot=None, is_placed=None, covers=(), collides_with=())
    part = card.part
    box: Mapping[str, Any] = part.get("card") or {}
    slot = slots.get(card.slot or "")
    needed = cables_needed(part)
    wanted = prescribed(part, context.chassis, {line.part.id for line in context.placed.lines})
    record = known(
        lambda: _card_reasons(card, slot, context),
        **_links(part, slot),
        **card_flags(slot, box),
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
        has_prescribed_slots=bool(wanted.slots) and wanted.is_only,
        prescribed_slots=", ".join(wanted.slots),
        is_in_prescribed_slot=None if slot is None else not wanted.excludes(slot["name"]),
        cap_w=card.cap_w,
        is_capped=card.cap_w is not None,
        has_cable_limit=(limit := cable_limit_w(part, card.cable)) is not None,
        cable_limit_w=limit,
        is_powered_by_cable=None if needed is None else needed > 0,
        cables_needed=needed,
        cables_fitted=card.cables_fitted,
        cable_connector=card.cable.get("to_connector") if card.cable is not None else None,
        card_connector=card_connector(part),
        cable_level_w=card.cable.get("level_w") if card.cable is not None else None,
        is_qualified=_is_qualified(part, context),
        is_count_qualified=_is_count_qualified(part, context),
        group=group if part.kind == "gpu" else None,
        cpu=slot.get("cpu") if slot is not None and part.kind == "gpu" else None,
    )
    return context.make(part.kind if part.kind in ("gpu", "nic") else "card", record)


def _links(part: Part, slot: Mapping[str, Any] | None) -> Record:
    """Return what card and slot agree on, and what the card alone could do."""
    generation, lanes = part.get("pcie.generation"), part.get("pcie.lanes")
    link_generation = negotiated(generation, slot.get("generation")) if slot is not None else None
    link_lanes = negotiated(lanes, slot.get("lanes")) if slot is not None else None
    return {
        "link_generation": link_generation,
        "link_lanes": link_lanes,
        "link_gb_s": _gb_s(link_generation, link_lanes),
        "card_gb_s": _gb_s(generation, lanes),
        "link_gbit_s": _gbit_s(link_generation, link_lanes),
    }


def _card_reasons(card: PlacedCard, slot: Record | None, context: Context) -> dict[str, Needs]:
    """Return which figures each derived fact of a card would have needed."""
    part = card.part
    data, chassis = part.data, context.chassis.data

    def ends(figure: str) -> Needs:
        own = [] if part.get(f"pcie.{figure}") is not None else without(data, f"pcie.{figure}")
        other = place if slot is None else lacking([slot], figure)
        return [*own, *other]

    inputs = without(data, "power_inputs")
    place = without(chassis, "slots") if context.placed.is_decided else [(context.placed_id, "slots_of_cards")]
    no_cable: Needs = [(context.placed_id, "gpu_cables")]
    return {
        "is_placed": place,
        "slot": place,
        "is_in_prescribed_slot": place,
        "is_count_qualified": without(chassis, "qualified_gpus"),
        "link_generation": ends("generation"),
        "link_lanes": ends("lanes"),
        "link_gb_s": [*ends("generation"), *ends("lanes")],
        "link_gbit_s": [*ends("generation"), *ends("lanes")],
        "card_gb_s": without(data, "pcie.generation", "pcie.lanes"),
        "width_slots": without(data, "card.width_slots"),
        "length_rank": without(data, "card.length_class"),
        "height_rank": without(data, "card.height_class"),
        "is_powered_by_cable": inputs,
        "cables_needed": inputs,
        "card_connector": inputs,
        "cable_level_w": without(card.cable.data, "level_w") if card.cable is not None else no_cable,
        "cable_connector": without(card.cable.data, "to_connector") if card.cable is not None else no_cable,
        "is_qualified": without(chassis, "qualified_gpus"),
        "cpu": lacking([slot], "cpu") if slot is not None else [],
    }


def _gb_s(generation: int | None, lanes: int | None) -> float | None:
    return None if generation is None or lanes is None else link_gb_s(generation, lanes)


def _gbit_s(generation: int | None, lanes: int | None) -> float | None:
    rate = _gb_s(generation, lanes)
    return None if rate is None else rate * 8


def _is_count_qualified(part: Part, context: Context) -> bool | None:
    if part.kind != "gpu":
        return None
    count = sum(card.part.id == part.id for card in context.placed.cards)
    names = [part.id, *(alias for alias, target in context.catalog.aliases.items() if target == part.id)]
    return is_count_qualified(context.chassis.get("qualified_gpus"), count, names)


def _is_qualified(part: Part, context: Context) -> bool | None:
    """Say whether the chassis's maker lists a GPU; None for other cards, and without a list."""
    listed = context.chassis.get("qualified_gpus")
    if part.kind != "gpu" or listed is None:
        return None
    return context.is_named(part, [entry["gpu"] for entry in listed])


def group_record_of(group: BridgeGroup, gpus: Sequence[Record], context: Context) -> Record:
    """Return the facts of a bridge group; `gpus` are all GPU records of the node."""
    parts = {card.id: card.part for card in context.placed.cards}
    members = [gpu for gpu in gpus if gpu["id"] in group.cards]
    cpus = [gpu.get("cpu") for gpu in members]
    suits = [_suits(parts[gpu["id"]], group, context) for gpu in members]
    first = parts[members[0]["id"]]
    record = known(
        lambda: {
            "bridges_needed": without(first.data, "nvlink.groups"),
            "is_bridge_for_gpus": [(gpu["part"], "nvlink") for gpu in members],
            "is_adjacent": without(context.chassis.data, "bridges.groups")
            if context.placed.is_decided
            else [(context.placed_id, "slots_of_cards")],
            "cpus": lacking(members, "cpu"),
            "link_gb_s": without(first.data, "nvlink.link_gb_s"),
        },
        _path=group.path,
        id=group.id,
        gpus=members,
        bridge=group.bridge.data,
        cards=len(members),
        bridges=group.bridges,
        bridges_needed=group.bridges_needed,
        is_bridge_for_gpus=False if False in suits else (None if None in suits else True),
        is_adjacent=group.is_adjacent if context.placed.is_decided else None,
        cpus=None if None in cpus else len(set(cpus)),
        link_gb_s=first.get("nvlink.link_gb_s") or group.bridge.get("link_gb_s"),
    )
    return context.make("bridge_group", record)


def _suits(gpu: Part, group: BridgeGroup, context: Context) -> bool | None:
    """Say whether the maker names the bridge for a GPU; None if nothing is known about the GPU's NVLink."""
    named = context.is_named(gpu, group.bridge.data.get("gpus", ()))
    if named or group_record(gpu, group.bridge, None) is not None:
        return True
    return None if gpu.get("nvlink") is None else False


def cpu_records(context: Context, cards: Sequence[Record]) -> list[Record]:
    """Return the processors, numbered from 1 in the user's order.

    `lanes_used` counts the links of cards at the CPU's own slots and the uplinks of its switches with cards below them
    (PR-65). Drives count only in a node with one CPU: no maker in the catalog says which CPU feeds a bay.
    Unknown: absent if the CPU of a card's slot, or the lanes of a link, are not known.
    """
    placed = context.placed
    parts = [(line.part, line.path) for line in placed.cpus for _ in range(line.count)]
    is_alone = len(parts) == 1
    here = [_cpu_number(card, is_alone) for card in cards]
    gpus = [cpu for card, cpu in zip(cards, here, strict=True) if card["kind"] == "gpu"]
    homeless = [(card.get("slot", card), "cpu") for card, cpu in zip(cards, here, strict=True) if cpu is None]
    lists = [[card for card, cpu in zip(cards, here, strict=True) if cpu == number] for number in range(len(parts) + 1)]
    records = []
    for number, (part, path) in enumerate(parts, 1):
        own = lists[number]
        record = known(
            _cpu_reasons(homeless, own, part, context),
            _path=path,
            id=f"{placed.node.id}/cpu{number}",
            part=part.data,
            dimms=(dimms := sum(dimm.cpu == number for dimm in placed.dimms)),
            memory_speed_mt_s=memory_speed_mt_s(placed, part, dimms),
            has_memory_limit=part.get("memory_max_gb") is not None,
            is_family_listed=is_family_listed(part, placed.chassis, context.catalog),
            lanes_used=None if homeless else lanes_used(placed, own, with_drives=is_alone),
            gpus=None if None in gpus else gpus.count(number),
        )
        records.append(context.make("cpu", record))
    return records


def _cpu_reasons(homeless: Needs, own: Sequence[Record], cpu: Part, context: Context) -> Callable[[], dict[str, Needs]]:
    modules = [dimm.part.data for dimm in context.placed.dimms if dimm.part.get("speed_mt_s") is None]
    return lambda: {
        "lanes_used": homeless or lacking(own, "link_lanes"),
        "gpus": homeless,
        "is_family_listed": [(context.chassis.data, "cpu.families")],
        "memory_speed_mt_s": [(data, "speed_mt_s") for data in modules[:1]]
        or (
            without(cpu.data, "memory_speed_mt_s", "memory_speed_2dpc_mt_s", "memory_channels")
            if cpu.get("memory_speed_2dpc_mt_s") is None or cpu.get("memory_channels") is None
            else without(context.chassis.data, "memory.speed_max_mt_s", "memory.speed_2dpc_mt_s")
        ),
    }


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


def switch_records(context: Context, cards: Sequence[Record]) -> list[Record]:
    """Return the switches that have cards below them, in the maker's order."""
    records = []
    for name in context.chassis.get("switches") or ():
        below = [card for card in cards if card.get("slot", {}).get("switch") == name]
        if below:
            records.append(_switch_record(context, name, below))
    return records


def _switch_record(context: Context, name: str, below: list[Record]) -> Record:
    chassis = context.chassis
    uplink: Mapping[str, Any] = (chassis.get("switches") or {})[name].get("uplink") or {}
    lanes, generation = f"switches.{name}.uplink.lanes", f"switches.{name}.uplink.generation"
    record = known(
        lambda: {
            "lanes_down": lacking(below, "link_lanes"),
            "down_gb_s": lacking(below, "link_gb_s"),
            "uplink_lanes": without(chassis.data, lanes),
            "uplink_gb_s": without(chassis.data, lanes, generation),
        },
        _path=context.placed.path,
        id=f"{context.placed.node.id}/{name}",
        name=name,
        cards=below,
        lanes_down=total_count([card.get("link_lanes") for card in below]),
        uplink_lanes=uplink.get("lanes"),
        down_gb_s=total([card.get("link_gb_s") for card in below]),
        uplink_gb_s=_gb_s(uplink.get("generation"), uplink.get("lanes")),
    )
    return context.make("switch", record)
