"""A server as documents print it: key figures, slots, power, topology."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.placement.model import NodePlacement, PlacedCard, SlotState
from rackwright.proposal.model import BarView, Labelled, NodeView, PsuView, SlotView, TopologyView
from rackwright.proposal.peers import peers_view
from rackwright.proposal.texts import Texts

Record = Mapping[str, Any]


def read(record: Record, field: str) -> Any:
    """Return a fact or quantity of a record, None if it is not known."""
    try:
        return record[field]
    except KeyError:
        return None


def node_view(placed: NodePlacement, record: Record, texts: Texts) -> NodeView:
    """Lay out one kind of server."""
    modes = placed.chassis.get("modes") or {}
    return NodeView(
        id=placed.node.id,
        title=placed.node.title or placed.chassis.title,
        count=placed.node.count,
        chassis=placed.chassis.title,
        mode=modes.get(placed.mode, {}).get("title", "") if placed.mode else "",
        figures=_figures(placed, record, texts),
        slots=_slots(placed, texts),
        slot_note=_slot_note(placed, texts),
        modules=tuple(_short(card.part.title) for card in placed.cards if card.is_module),
        power=_power_bars(record, texts),
        power_lines=_power_lines(record, texts),
        power_note=_power_note(record, texts),
        power_numbers=_power_numbers(record),
        psus=_psus(placed),
        topology=_topology(placed, record, texts),
        peers=peers_view(placed, record, texts),
    )


def _slot_note(placed: NodePlacement, texts: Texts) -> str:
    if not placed.has_slot_map:
        return texts.text("The maker's slot map is not known; positions are not checked.")
    if not placed.is_decided:
        return texts.text("Not decided: the search for slots was not finished; better positions may exist than these.")
    return ""


def _short(title: str) -> str:
    for maker in ("NVIDIA ", "AMD ", "Intel ", "Dell ", "HPE ", "Lenovo ", "Supermicro "):
        title = title.removeprefix(maker)
    return title


def _listed(parts: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} × {title}" for title, count in parts)


def _of_kind(placed: NodePlacement, kind: str) -> str:
    counted: dict[str, int] = {}
    for line in placed.lines:
        if line.part.kind == kind:
            counted[line.part.title] = counted.get(line.part.title, 0) + line.count
    return _listed(list(counted.items()))


def _figures(placed: NodePlacement, record: Record, texts: Texts) -> tuple[Labelled, ...]:
    rows: list[tuple[str, str]] = [
        ("CPU", _of_kind(placed, "cpu")),
        ("memory", _memory(placed, record, texts)),
        ("GPU", _of_kind(placed, "gpu")),
        ("NVLink", _nvlink(placed, texts)),
        ("drives", _of_kind(placed, "drive")),
        ("network", _of_kind(placed, "nic")),
        ("power supplies", _supplies(placed, texts)),
        ("peak draw", _power_text(record, "draw_peak_w", texts)),
        ("typical draw", _optional_power(read(record, "draw_typical_w"), texts)),
        ("idle draw", _idle(placed, record, texts)),
        ("draw in short peaks", _optional_power(read(record, "draw_excursion_w"), texts)),
        ("input power", _input(record, texts)),
        ("heat", _heat(record, texts)),
        ("sound power", _noise(placed, texts)),
        ("rack units", texts.quantity(placed.chassis.get("rack.height_u"), "U")),
    ]
    return tuple(Labelled(texts.text(label), value) for label, value in rows if value)


def _memory(placed: NodePlacement, record: Record, texts: Texts) -> str:
    listed = _of_kind(placed, "memory")
    total = read(record, "memory_gb")
    return f"{listed} = {texts.quantity(total, 'GB', 0)}" if listed and total is not None else listed


def _nvlink(placed: NodePlacement, texts: Texts) -> str:
    fabric = placed.chassis.get("gpu_limits.module_fabric")
    if any(card.is_module for card in placed.cards) and fabric:
        return texts.term(str(fabric))
    return texts.text("{groups} bridged groups", groups=str(len(placed.groups))) if placed.groups else ""


def _supplies(placed: NodePlacement, texts: Texts) -> str:
    listed = _of_kind(placed, "psu")
    redundancy = placed.node.redundancy
    return (
        f"{listed}, {redundancy if redundancy != 'none' else texts.text('no redundancy')}"
        if listed and redundancy
        else listed
    )


def _power_text(record: Record, field: str, texts: Texts) -> str:
    value = read(record, field)
    if value is None and field == "draw_peak_w":
        known = read(record, "draw_known_w")
        if known is not None:
            return texts.text("at least {power}; some figures are not known", power=texts.power(known))
    return texts.power(value)


def _optional_power(watts: float | None, texts: Texts) -> str:
    """Print a figure that few makers state; nothing where it is not known, for no rule waits for it."""
    return "" if watts is None else texts.power(watts)


def _idle(placed: NodePlacement, record: Record, texts: Texts) -> str:
    own = placed.node.idle_w
    if own is not None:
        return texts.text("{power} at the mains, as stated in this configuration", power=texts.power(own))
    return _optional_power(read(record, "draw_idle_w"), texts)


def _input(record: Record, texts: Texts) -> str:
    """In watts, volt-amperes and amperes, with the voltage that the amperes are for."""
    watts, apparent, amps = (read(record, name) for name in ("input_peak_w", "input_peak_va", "input_peak_a"))
    voltage = read(record, "input_voltage_v")
    if watts is None or apparent is None or amps is None or voltage is None:
        return _power_text(record, "input_peak_w", texts)
    current = texts.text("{amps} at {volts}", amps=texts.quantity(amps, "A", 1), volts=texts.quantity(voltage, "V", 0))
    # W and VA are one unit to the library; here they must be told apart.
    volt_amperes = f"{texts.formats.number(apparent, 0)}{texts.formats.space}VA"
    return f"{texts.power(watts)} = {volt_amperes}, {current}"


def _noise(placed: NodePlacement, texts: Texts) -> str:
    noise = placed.chassis.get("noise_db")
    return "" if noise is None else texts.quantity(noise, "dB", 1)


def _heat(record: Record, texts: Texts) -> str:
    heat = read(record, "heat_w")
    if heat is None:
        return texts.text("not known")
    from rackwright.units import btu_h_from_w

    return f"{texts.power(heat)} = {texts.quantity(btu_h_from_w(heat), 'BTU/h', 0)}"


def _slots(placed: NodePlacement, texts: Texts) -> tuple[SlotView, ...]:
    by_slot = {card.slot: card for card in placed.cards if card.slot}
    covered = {name: card for card in placed.cards for name in card.covers}
    groups = {card: number for number, group in enumerate(placed.groups, start=1) for card in group.cards}
    views = []
    for slot in placed.slots:
        if not slot.is_in_mode:
            continue
        card = by_slot.get(slot.name)
        views.append(_slot(slot, card, covered.get(slot.name), groups, texts))
    return tuple(views)


def _slot(
    slot: SlotState, card: PlacedCard | None, cover: PlacedCard | None, groups: Mapping[str, int], texts: Texts
) -> SlotView:
    data = slot.data
    generation, lanes = data.get("generation"), data.get("lanes")
    link = f"Gen{generation} x{lanes}" if generation and lanes else f"x{lanes}" if lanes else ""
    state = "free"
    if card is not None:
        state = "used"
    elif cover is not None:
        state = "covered"
    elif slot.has_riser is False:
        state = "no riser"
    elif slot.has_cpu is False:
        state = "no CPU"
    width = data.get("width_slots")
    return SlotView(
        name=slot.name,
        side=texts.term(str(data.get("side", ""))),
        lanes_text=link,
        cpu=str(data.get("cpu", "")),
        card=_short(card.part.title) if card else "",
        card_kind=card.part.kind if card else "",
        width_slots=width if isinstance(width, int) else 1,
        state=texts.text(state),
        group=groups.get(card.id, 0) if card else 0,
        covered_by=cover.slot or "" if cover and not card else "",
    )


def _power_bars(record: Record, texts: Texts) -> tuple[BarView, ...]:
    bars = []
    for domain in record.get("psu_domains", ()):
        draw = read(domain, "draw_peak_w")
        limit = read(domain, "capacity_after_psu_loss_w")
        full = read(domain, "capacity_w")
        ratio = draw / limit if draw is not None and limit else None
        name = str(domain.get("name", ""))
        bars.append(
            BarView(
                label=texts.text("supplies") if name == "node" else texts.text("domain {name}", name=name),
                value=draw,
                value_text=texts.power(draw),
                limit=limit,
                limit_text=texts.power(limit),
                second_limit=full,
                second_limit_text=texts.power(full),
                ratio_text=texts.formats.percent(ratio) if ratio is not None else "",
                is_over=ratio is not None and ratio > 1,
            )
        )
    return tuple(bars)


def _power_lines(record: Record, texts: Texts) -> tuple[tuple[str, str, str, str], ...]:
    """Rows of the power sum: part, count, each, together."""
    rows: list[tuple[str, str, str, str]] = []
    for line in record.get("lines", ()):
        if not line.get("is_powered"):
            continue
        each = read(line, "draw_max_w")
        count = line["count"]
        together = None if each is None else each * count
        rows.append((line["part"]["title"], str(count), texts.power(each), texts.power(together)))
    allowance = read(record, "allowance_w")
    base = record["chassis"]["part"].get("power_base_w")
    if allowance is not None:
        rows.append(
            (texts.text("allowance stated in this configuration"), "1", texts.power(allowance), texts.power(allowance))
        )
    else:
        rows.append((texts.text("chassis: board, fans, management"), "1", texts.power(base), texts.power(base)))
    rows.append((texts.text("sum"), "", "", _power_text(record, "draw_peak_w", texts)))
    return tuple(rows)


def _power_numbers(record: Record) -> tuple[tuple[int | None, float | None, float | None], ...]:
    """The numbers of the rows of `_power_lines`: count, watts each, watts together."""
    rows: list[tuple[int | None, float | None, float | None]] = []
    for line in record.get("lines", ()):
        if line.get("is_powered"):
            each = read(line, "draw_max_w")
            rows.append((line["count"], each, None if each is None else each * line["count"]))
    extra = read(record, "allowance_w")
    if extra is None:
        extra = record["chassis"]["part"].get("power_base_w")
    return (*rows, (1, extra, extra), (None, None, read(record, "draw_peak_w")))


def _power_note(record: Record, texts: Texts) -> str:
    voltage = read(record, "input_voltage_v")
    return texts.text("at {voltage} input", voltage=texts.quantity(voltage, "V", 0)) if voltage is not None else ""


def _psus(placed: NodePlacement) -> tuple[PsuView, ...]:
    return tuple(
        PsuView(f"PSU {number}", _short(psu.part.title), psu.bay or "", psu.feed or "", psu.domain)
        for number, psu in enumerate(placed.psus, start=1)
    )


def _topology(placed: NodePlacement, record: Record, texts: Texts) -> tuple[TopologyView, ...]:
    """One tree a CPU, with switches, cards and modules; empty if the CPU of a GPU is not known.

    Other cards whose CPU is not known are left out: nothing is drawn that is not in the data.
    """
    if not placed.has_slot_map:
        return ()
    switches = placed.chassis.get("switches") or {}
    slots = {slot.name: slot.data for slot in placed.slots}
    below: dict[int, dict[str, list[TopologyView]]] = {}
    gpus = record.get("gpus", ())
    for card in (*gpus, *(card for card in record.get("cards", ()) if card["kind"] != "gpu")):
        slot = slots.get(read(card, "slot")["name"], {}) if read(card, "slot") else {}
        switch = str(slot.get("switch", ""))
        cpu = slot.get("cpu") or (switches.get(switch, {}).get("uplink", {}).get("cpu") if switch else None)
        if not isinstance(cpu, int):
            if card["kind"] == "gpu":
                return ()
            continue
        below.setdefault(cpu, {}).setdefault(switch, []).append(_card_view(card))
    cpus = [line.part.title for line in placed.cpus for _ in range(line.count)]
    trees = []
    for number, title in enumerate(cpus, start=1):
        children: list[TopologyView] = []
        for switch, cards in sorted(below.get(number, {}).items()):
            children += (
                [TopologyView(texts.text("switch {name}", name=switch), "", "switch", "", tuple(cards))]
                if switch
                else cards
            )
        trees.append(TopologyView(f"CPU {number}", _short(title), "cpu", "", tuple(children)))
    return tuple(trees)


def _card_view(card: Record) -> TopologyView:
    generation, lanes = read(card, "link_generation"), read(card, "link_lanes")
    link = f"Gen{generation} x{lanes}" if generation and lanes else ""
    return TopologyView(str(card["slot"]["name"]), _short(card["part"]["title"]), str(card["kind"]), link)
