"""Which GPUs the ordered NVLink bridges join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.configuration import Node
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.placement.chains import Chains, Demand, best_windows, is_adjacent
from rackwright.placement.lines import At
from rackwright.placement.model import BridgeGroup, Line, PlacedCard
from rackwright.source import Path


@frozen(slots=True)
class Plan:
    """A group to be formed: `bridges` of `bridge` over `cards` GPUs of part id `gpu` (None = any; rules refuse it)."""

    bridge: Part
    gpu: str | None
    cards: int
    bridges: int
    needed: int | None
    path: Path


def group_record(gpu: Part, bridge: Part, cards: int | None) -> dict[str, Any] | None:
    """Return what the GPU's maker states for groups with this bridge (of `cards` cards, if given)."""
    names = {bridge.id, *bridge.data.get("aliases", ())}
    for group in gpu.get("nvlink.groups") or ():
        if group["bridge"] in names and cards in (None, group["cards"]):
            return dict(group)
    return None


def plan_groups(lines: Sequence[Line], cards: Sequence[PlacedCard]) -> tuple[list[Plan], int]:
    """Distribute the ordered bridges over groups of equal GPUs; return the groups and the number of bridges left.

    Large groups first; full groups first, leftovers make one incomplete group, so that 'one of three' is seen.
    Bridges that suit no GPU form one group of the first GPUs, so that a rule can refuse it.
    """
    free = [card.part for card in cards if card.part.kind == "gpu"]
    plans: list[Plan] = []
    left = 0
    stock: dict[str, list[Line]] = {}
    for line in lines:
        if line.part.kind == "nvlink_bridge":
            stock.setdefault(line.part.id, []).append(line)
    for same in sorted(stock.values(), key=lambda same: (-_size(same[0].part, free), same[0].part.id)):
        bridge, count, path = same[0].part, sum(line.count for line in same), same[0].path
        made, count = _suited(bridge, count, path, free)
        if not made:
            made, count = _unsuited(bridge, count, path, free)
        plans += made
        left += count
    return plans, left


def demands_of(plans: Sequence[Plan]) -> list[Demand]:
    """Return what the search for slots must know of the plans: groups of equal GPUs."""
    counts: dict[tuple[str, int], int] = {}
    for plan in plans:
        if plan.gpu is not None:
            counts[plan.gpu, plan.cards] = counts.get((plan.gpu, plan.cards), 0) + 1
    return [Demand(gpu, cards, groups) for (gpu, cards), groups in counts.items()]


def form_groups(
    node: str, plans: Sequence[Plan], cards: Sequence[PlacedCard], chains: Chains
) -> tuple[BridgeGroup, ...]:
    """Say which placed cards each planned group joins: neighbours first, then whatever is left, in slot order."""
    demands = demands_of(plans)
    free = [card for card in cards if card.part.kind == "gpu"]
    held: dict[str, list[str]] = {}
    for card in free:
        if card.slot is not None:
            held.setdefault(card.part.id, []).append(card.slot)
    found, _ = best_windows(held, demands, chains)
    windows = {(demand.gpu, demand.cards): list(group) for demand, group in zip(demands, found, strict=True)}
    reserved = {slot for group in found for window in group for slot in window}
    groups = []
    for number, plan in enumerate(plans, 1):
        ready = windows.get((plan.gpu or "", plan.cards))
        if ready:
            window = set(ready.pop(0))
            members = [card for card in free if card.slot in window]
        else:
            members = _first(free, plan, reserved)
        free = [card for card in free if card not in members]
        groups.append(_group(f"{node}/bridge{number}", plan, members, chains))
    return tuple(groups)


def named_groups(
    node: Node,
    path: Path,
    lines: Sequence[Line],
    cards: Sequence[PlacedCard],
    *,
    chains: Chains,
    catalog: Catalog,
    at: At,
) -> tuple[tuple[BridgeGroup, ...], int, list[Finding]]:
    """Form the groups that the user names by slots (`bridged`); return them, the bridges left, and findings.

    Errors: CFG025 for a group with fewer than two GPUs in its slots, or without any bridge that could join them.
    """
    stock = [line for line in lines if line.part.kind == "nvlink_bridge"]
    counts = {line.part.id: 0 for line in stock}
    for line in stock:
        counts[line.part.id] += line.count
    groups: list[BridgeGroup] = []
    findings: list[Finding] = []
    for number, names in enumerate(node.bridged or ()):
        here: Path = (*path, "bridged", number)
        members = [card for card in cards if card.slot in names and card.part.kind == "gpu"]
        bridge = _bridge_for(members, stock, counts, catalog)
        if len(members) < 2 or bridge is None:
            text = "the slots {names} hold {count} GPUs that a bridge could join" if len(members) < 2 else _NO_BRIDGE
            findings.append(finding("CFG025", text, at(here), names=", ".join(names), count=len(members)))
            continue
        record = group_record(members[0].part, bridge, len(members)) or group_record(members[0].part, bridge, None)
        needed = record.get("bridges") if record else None
        used = min(counts.get(bridge.id, 0), needed or 1)
        counts[bridge.id] = counts.get(bridge.id, 0) - used
        plan = Plan(bridge, None, len(members), used, needed, here)
        groups.append(_group(f"{node.id}/bridge{len(groups) + 1}", plan, members, chains))
    return tuple(groups), sum(counts.values()), findings


_NO_BRIDGE = "no bridge is ordered for the GPUs in {names}, and none is known for them"


def _size(bridge: Part, gpus: Sequence[Part]) -> int:
    """Return how many cards a group of this bridge joins: its own figure, else that of a GPU naming it, else 2."""
    if bridge.get("cards"):
        return int(bridge.get("cards"))
    records = (group_record(gpu, bridge, None) for gpu in gpus)
    return next((int(record["cards"]) for record in records if record), 2)


def _suited(bridge: Part, count: int, path: Path, free: list[Part]) -> tuple[list[Plan], int]:
    """Form groups of GPUs whose maker names this bridge; takes them out of `free`."""
    size = _size(bridge, free)
    plans: list[Plan] = []
    for gpu in {part.id: part for part in free}.values():
        record = group_record(gpu, bridge, size)
        if record is None:
            continue
        possible = sum(part.id == gpu.id for part in free) // size
        needed = record.get("bridges")
        for number in range(possible):
            # Without a stated number the bridges are spread evenly over the groups that can be formed.
            share = needed or -(-count // (possible - number))
            if count <= 0:
                break
            used = min(share, count)
            plans.append(Plan(bridge, gpu.id, size, used, needed, path))
            count -= used
            _take(free, size, gpu.id)
    return plans, count


def _unsuited(bridge: Part, count: int, path: Path, free: list[Part]) -> tuple[list[Plan], int]:
    """Form one group of the first GPUs, whatever they are, if there are enough of them."""
    size = _size(bridge, free)
    if len(free) < size:
        return [], count
    gpu = free[0].id if len({part.id for part in free[:size]}) == 1 else None
    records = [record for part in free[:size] if (record := group_record(part, bridge, size))]
    needed = records[0].get("bridges") if records else None
    used = min(count, needed or count)
    _take(free, size, None)
    return [Plan(bridge, gpu, size, used, needed, path)], count - used


def _take(free: list[Part], size: int, wanted: str | None) -> None:
    """Take the first `size` GPUs (of part id `wanted`, if given) out of the free ones."""
    taken = [part for part in free if wanted in (None, part.id)][:size]
    for part in taken:
        free.remove(part)


def _first(free: Sequence[PlacedCard], plan: Plan, reserved: set[str]) -> list[PlacedCard]:
    """Return cards for a group that no run of neighbours holds, keeping off the cards that other groups will use."""
    suited = [card for card in free if plan.gpu in (None, card.part.id)]
    return sorted(suited, key=lambda card: card.slot in reserved)[: plan.cards]


def _bridge_for(
    members: Sequence[PlacedCard], stock: Sequence[Line], counts: dict[str, int], catalog: Catalog
) -> Part | None:
    """Return the bridge for a group: an ordered one that the GPU's maker names, else any ordered one, else his own."""
    if not members:
        return None
    gpu = members[0].part
    suited = [line.part for line in stock if group_record(gpu, line.part, len(members))]
    for bridge in (*(part for part in suited if counts[part.id] > 0), *suited):
        return bridge
    if stock:
        return stock[0].part
    for group in gpu.get("nvlink.groups") or ():
        if group["cards"] == len(members):
            return catalog.find(group["bridge"])
    return None


def _group(group_id: str, plan: Plan, members: Sequence[PlacedCard], chains: Chains) -> BridgeGroup:
    slots = [card.slot for card in members if card.slot is not None]
    # Modules and cards without a slot have no neighbours; where slots are known at all, that is a plain no.
    adjacent = is_adjacent(slots, chains) if len(slots) == len(members) else (None if chains.lists is None else False)
    return BridgeGroup(
        id=group_id,
        bridge=plan.bridge,
        cards=tuple(card.id for card in members),
        bridges=plan.bridges,
        bridges_needed=plan.needed,
        is_adjacent=adjacent,
        path=plan.path,
    )
