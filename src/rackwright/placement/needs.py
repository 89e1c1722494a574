"""What a card needs of a slot, and how a slot fails it. The principle: only what is known can be violated."""

from __future__ import annotations

import math
from typing import Any

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.links import link_gb_s, negotiated
from rackwright.placement.model import PlacedCard, SlotState

LENGTH_RANK = {"half": 1, "three-quarter": 2, "full": 3}
HEIGHT_RANK = {"low": 1, "full": 2}


@frozen(slots=True)
class CardNeed:
    """The figures of a card that decide where it can sit; None = not known. Cards of equal needs are one class."""

    part: str
    kind: str
    form_factor: str | None
    width: int | None
    length_mm: float | None
    height_mm: float | None
    length_rank: int | None
    height_rank: int | None
    generation: int | None
    lanes: int | None
    draw_w: float | None


def need_of(card: PlacedCard) -> CardNeed:
    """Return what a card needs, with its power at the cap and at the level of its cable."""
    data = card.part.data
    box: dict[str, Any] = data.get("card") or {}
    pcie: dict[str, Any] = data.get("pcie") or {}
    return CardNeed(
        part=card.part.id,
        kind=card.part.kind,
        form_factor=data.get("form_factor"),
        width=box.get("width_slots"),
        length_mm=box.get("length_mm"),
        height_mm=box.get("height_mm"),
        length_rank=LENGTH_RANK.get(box.get("length_class", "")),
        height_rank=HEIGHT_RANK.get(box.get("height_class", "")),
        generation=pcie.get("generation"),
        lanes=pcie.get("lanes"),
        draw_w=draw_max_w(card.part, card.cable, card.cap_w),
    )


def draw_max_w(part: Part, cable: Part | None, cap_w: float | None) -> float | None:
    """Return the sustained draw of a piece in W: by the level of its 16-pin cable if that is stated, then the cap.

    Unknown: None if the maker states no draw. A cap alone is not a draw: it is only a limit that software sets.
    """
    draw: float | None = part.get("power.max_w")
    limit = cable_limit_w(part, cable)
    draw = draw if limit is None else limit
    if draw is None or cap_w is None:
        return draw
    return min(draw, cap_w)


def cable_limit_w(part: Part, cable: Part | None) -> float | None:
    """Return the power in W to which the level of its 16-pin cable holds a card back; None if it does not."""
    power = part.get("power") or {}
    level = cable.get("level_w") if cable is not None else None
    if level is None:
        return None
    table = {float(key): value for key, value in (power.get("by_cable_level_w") or {}).items()}
    limit: float | None = table.get(float(level))
    return limit if limit is not None and limit < power.get("max_w", math.inf) else None


def can_take(need: CardNeed, slot: SlotState) -> bool:
    """Say whether a card may be put in a slot at all: the slot exists in this mode and has its kind of connector.

    A slot that fails here is no slot for the card; nobody would try it. All other misfits are counted, not excluded.
    """
    form = str(slot.data.get("form_factor") or "pcie")
    wanted = need.form_factor
    if wanted is None:  # not known: PCIe or OCP
        return slot.is_in_mode and (form == "pcie" or form.startswith("ocp"))
    return slot.is_in_mode and form == wanted


def violations(need: CardNeed, slot: SlotState) -> int:
    """Count the hard limits of a slot that a card breaks, neighbours aside (`reach` has those)."""
    return len(broken_limits(need, slot))


def broken_limits(need: CardNeed, slot: SlotState) -> tuple[str, ...]:
    """Return the fields of a slot whose limits a card breaks, neighbours aside; the first is nearest to the root."""
    data: dict[str, Any] = slot.data
    form = str(data.get("form_factor") or "pcie")
    broken = {
        "modes": not slot.is_in_mode,
        "cpu": slot.has_cpu is False,
        "riser": slot.has_riser is False,
        "form_factor": need.form_factor is not None and need.form_factor != form,
        "is_gpu": need.kind == "gpu" and data.get("is_gpu") is False,
        "length_max_mm": _exceeds(need.length_mm, data.get("length_max_mm")),
        "height_max_mm": _exceeds(need.height_mm, data.get("height_max_mm")),
        "length_class": _exceeds(need.length_rank, LENGTH_RANK.get(data.get("length_class", ""))),
        "height_class": _exceeds(need.height_rank, HEIGHT_RANK.get(data.get("height_class", ""))),
        "connector_lanes": _exceeds(need.lanes, data.get("connector_lanes")),
        "power_max_w": _exceeds(need.draw_w, data.get("power_max_w")),
    }
    return tuple(field for field, is_broken in broken.items() if is_broken)


def lost_mb_s(need: CardNeed, slot: SlotState) -> int:
    """Return the bandwidth in MB/s that a card loses in a slot; 0 where either end is not known."""
    data: dict[str, Any] = slot.data
    generation, lanes = need.generation, need.lanes
    if generation is None or lanes is None:
        return 0
    at_generation = negotiated(generation, data.get("generation", generation))
    at_lanes = negotiated(lanes, data.get("lanes", lanes))
    if at_generation is None or at_lanes is None:
        return 0
    return round(1000 * (link_gb_s(generation, lanes) - link_gb_s(at_generation, at_lanes)))


@frozen(slots=True)
class Reach:
    """The further slots that a card covers beside its own, and whether the row (or the slot) is too narrow for it."""

    covers: tuple[str, ...] = ()
    is_too_wide: bool = False


def reach(need: CardNeed, slot: SlotState, rows: dict[str, tuple[str, ...]]) -> Reach:
    """Return what a card of this width takes beside `slot`. `rows` maps a slot's name to the slots that follow it.

    Unknown: a slot outside of every row whose width is not stated covers nothing and is never too narrow.
    """
    if need.width is None:
        return Reach()
    own = slot.data.get("width_slots")
    following = rows.get(slot.name)
    if following is None:
        return Reach(is_too_wide=isinstance(own, int) and need.width > own)
    wanted = max(0, need.width - (own if isinstance(own, int) else 1))
    return Reach(following[:wanted], wanted > len(following))


def rows_of(chassis: Part) -> dict[str, tuple[str, ...]]:
    """Return, for each slot that stands in a row, the slots that follow it there."""
    return {
        str(name): tuple(map(str, row[position + 1 :]))
        for row in chassis.get("rows") or ()
        for position, name in enumerate(row)
    }


def _exceeds(figure: float | None, limit: float | None) -> bool:
    return figure is not None and limit is not None and figure > limit
