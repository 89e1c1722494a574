"""Placement of one kind of server, and of the whole order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.catalog import Catalog, Part
from rackwright.configuration import Configuration, Node, Site
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.placement.bridges import demands_of, form_groups, named_groups, plan_groups
from rackwright.placement.cables import assign_cables
from rackwright.placement.cards import Seating, needs_slot, seat_cards, with_collisions
from rackwright.placement.chains import Chains, Demand, chains_of
from rackwright.placement.levels import Level, weight
from rackwright.placement.lines import CARD_KINDS, At, list_gaps, resolve, resolve_extras, resolve_lines, unknown_place
from rackwright.placement.model import (
    Line,
    NodePlacement,
    PlacedCard,
    PlacedDrive,
    Placement,
    RackPlacement,
    SlotState,
)
from rackwright.placement.search import Solved
from rackwright.placement.slots import cpu_of, mode_names, mode_parts, slot_names, slot_states
from rackwright.placement.storage import place_dimms, place_drives
from rackwright.placement.supplies import node_voltage_v, place_psus
from rackwright.source import Path


def place(configuration: Configuration, catalog: Catalog, at: At) -> tuple[Placement, list[Finding]]:
    """Place the whole order: nodes, racks, extras. Nodes of an unknown chassis are left out (a finding says so)."""
    nodes: list[NodePlacement] = []
    findings: list[Finding] = []
    solved: Solved = {}
    for number, node in enumerate(configuration.nodes):
        placed, problems = place_node(node, ("nodes", number), catalog, configuration.site, at, solved)
        findings += problems
        if placed is not None:
            nodes.append(placed)
    racks: tuple[RackPlacement, ...] = ()
    if _has_racks(configuration):
        from rackwright.placement.racks import place_racks

        racks, problems = place_racks(configuration, tuple(nodes), catalog, at)
        findings += problems
    extras, problems = resolve_extras(configuration.extras, catalog, at)
    findings += problems
    return Placement(configuration, tuple(nodes), racks, extras), findings


def _has_racks(configuration: Configuration) -> bool:
    return bool(configuration.site.racks) or any(node.rack or node.racks for node in configuration.nodes)


def place_node(
    node: Node, path: Path, catalog: Catalog, site: Site, at: At, solved: Solved | None = None
) -> tuple[NodePlacement | None, list[Finding]]:
    """Put everything of a node in its place; `path` is its place in the configuration, `at` finds that in the file.

    `solved` keeps what hard searches for slots found, for equal servers under other names.

    Errors (as findings): CFG020 unknown part, CFG021 part of a wrong kind, CFG022 unknown mode, CFG023 unknown slot or
    bay, CFG024 number of slots, CFG025 group of slots that cannot be joined. None only if the chassis is not known.
    """
    # Longer than most functions because it is the list of the steps and of the fields of their result.
    chassis, findings = resolve(node.chassis, (*path, "chassis"), catalog, at, "chassis")
    lines, problems = resolve_lines(node, path, catalog, at)
    findings += problems
    if chassis is None:
        return None, findings
    findings += _slot_findings(node, chassis, lines, path, at)
    cards, cables_left = assign_cables(_cards(node, lines), lines)
    plans, bridges_left = ([], 0) if node.bridged else plan_groups(lines, cards)
    cpus = tuple(line for line in lines if line.part.kind == "cpu")
    order = _Order(node, chassis, lines, cards, sum(line.count for line in cpus), demands_of(plans), at, solved)
    build, is_mode_known, problems = _choose_mode(order, path)
    findings += [*problems, *build.findings]
    chains = _chains(chassis, build.slots)
    seated = build.seating.cards
    groups = form_groups(node.id, plans, seated, chains)
    if node.bridged:
        groups, bridges_left, problems = named_groups(node, path, lines, seated, chains=chains, catalog=catalog, at=at)
        findings += problems
    psus, problems = place_psus(node, chassis, lines, site, at)
    findings += problems
    dimms, is_even = place_dimms(lines, order.cpus)
    placed = NodePlacement(
        node=node,
        path=path,
        chassis=chassis,
        mode=build.mode,
        is_mode_known=is_mode_known,
        lines=lines,
        cpus=cpus,
        slots=build.slots,
        has_slot_map=bool(chassis.get("slots")),
        cards=seated,
        groups=groups,
        bridges_left=bridges_left,
        drives=build.drives,
        psus=psus,
        dimms=dimms,
        is_dimm_count_even=is_even,
        gpu_cables_left=cables_left,
        input_voltage_v=node_voltage_v(psus, node, site),
        is_decided=build.seating.is_decided,
    )
    return placed, findings


@frozen(slots=True)
class _Order:
    """What is to be placed in one node, before a mode is chosen."""

    node: Node
    chassis: Part
    lines: tuple[Line, ...]
    cards: tuple[PlacedCard, ...]
    cpus: int
    demands: list[Demand]
    at: At
    solved: Solved | None


@frozen(slots=True)
class _Build:
    """A mode with cards and drives in it. `cost` counts what does not fit: pieces without a place, broken limits."""

    mode: str
    slots: tuple[SlotState, ...]
    seating: Seating
    drives: tuple[PlacedDrive, ...]
    findings: tuple[Finding, ...]
    cost: int


def _chains(chassis: Part, slots: Sequence[SlotState]) -> Chains:
    numbers = {slot.name: cpu_of(chassis, slot.data) for slot in slots}
    return chains_of(chassis, {name: number for name, number in numbers.items() if number})


def _cards(node: Node, lines: Sequence[Line]) -> tuple[PlacedCard, ...]:
    """Return every card and module of the node, one entry a piece, with the slot that the user chose."""
    cards: list[PlacedCard] = []
    counts: dict[str, int] = {}
    for line in lines:
        kind = line.part.kind
        if kind not in CARD_KINDS:
            continue
        for piece in range(line.count):
            counts[kind] = counts.get(kind, 0) + 1
            slot = line.slots[piece] if line.slots else None
            is_module = kind == "gpu" and line.part.get("form_factor") != "pcie"
            name = f"{node.id}/{kind.replace('storage_adapter', 'adapter')}{counts[kind]}"
            cards.append(
                PlacedCard(
                    name, line.part, line.path, slot, is_pinned=slot is not None, is_module=is_module, cap_w=line.cap_w
                )
            )
    return tuple(cards)


def _choose_mode(order: _Order, path: Path) -> tuple[_Build, bool, list[Finding]]:
    """Build in the user's mode; else in the first that breaks least, modes whose parts are ordered before others."""
    names = mode_names(order.chassis)
    wanted = order.node.mode
    if wanted is not None and wanted in names:
        return _build(order, wanted), True, []
    findings: list[Finding] = []
    if wanted is not None:
        text = "{chassis} has no mode {mode}" if names else "{chassis} has no modes; {mode} cannot be chosen"
        fix = "choose one of {names}" if names else "take `mode` out"
        place_at = order.at((*path, "mode"))
        title, listed = order.chassis.title, ", ".join(names)
        findings.append(finding("CFG022", text, place_at, fix=fix, chassis=title, mode=wanted, names=listed))
    ordered = {line.part.id for line in order.lines}
    names = tuple(sorted(names, key=lambda name: ordered.isdisjoint(mode_parts(order.chassis, name)))) or ("",)
    best: _Build | None = None
    for name in names:
        build = _build(order, name)
        if best is None or build.cost < best.cost:
            best = build
        if not best.cost:
            break
    assert best is not None  # there is at least the empty mode
    return best, wanted is None, findings


def _build(order: _Order, mode: str) -> _Build:
    ordered = frozenset(line.part.id for line in order.lines)
    is_complete = not list_gaps(order.node, order.lines)
    slots = slot_states(order.chassis, mode, ordered, order.cpus, is_complete=is_complete)
    seating = _seat(order, slots)
    drives, problems = place_drives(order.node.id, order.chassis, mode, order.lines, order.at)
    homeless = sum(drive.is_placed is False for drive in drives)
    return _Build(mode, slots, seating, drives, tuple(problems), seating.cost + weight(Level.HARD, homeless))


def _seat(order: _Order, slots: tuple[SlotState, ...]) -> Seating:
    """Seat what needs a slot; settle modules and inner adapters without one. Without a slot map nothing is known."""
    known = {slot.name for slot in slots}
    forms = {str(slot.data.get("form_factor") or "pcie") for slot in slots}
    has_module_slots = not forms.isdisjoint(_MODULE_FORMS)
    cards = [replace(card, slot=card.slot if card.slot in known else None) for card in order.cards]
    cards = [replace(card, is_pinned=card.slot is not None) for card in cards]
    seated = [i for i, card in enumerate(cards) if slots and needs_slot(card, has_module_slots)]
    ordered = frozenset(line.part.id for line in order.lines)
    joined = frozenset(name for group in order.node.bridged or () for name in group)
    result = seat_cards(
        order.chassis, slots, [cards[i] for i in seated], order.demands, joined, ordered=ordered, solved=order.solved
    )
    for i, card in zip(seated, result.cards, strict=True):
        cards[i] = card
    for i in sorted(set(range(len(cards))) - set(seated)):
        cards[i] = _without_slot(cards[i], order.chassis)
    return Seating(with_collisions(cards) if slots else tuple(cards), result.cost, result.is_decided)


_MODULE_FORMS = frozenset({"sxm2", "sxm4", "sxm5", "sxm6", "oam"})


def _without_slot(card: PlacedCard, chassis: Part) -> PlacedCard:
    """Settle a card for which there are no slots: a module on the chassis's board, an adapter inside, or not known."""
    if card.is_module:
        return replace(card, slot=None, is_placed=_takes_module(card.part, chassis))
    is_internal = card.part.get("form_factor") == "internal"
    return replace(card, slot=None, is_placed=True if is_internal else None)


def _takes_module(module: Part, chassis: Part) -> bool | None:
    """Say whether a chassis's board carries a module; None if nothing says what kind of board it has.

    A chassis whose maker states slots or numbers of double-width cards, and no modules, is made for cards.
    """
    limits = chassis.get("gpu_limits") or {}
    board = limits.get("module_form_factor")
    if board is not None:
        return bool(board == module.get("form_factor"))
    is_for_cards = bool(chassis.get("slots")) or "double_width_max" in limits or "single_width_max" in limits
    return False if is_for_cards and "module_counts" not in limits else None


def _slot_findings(node: Node, chassis: Part, lines: Sequence[Line], path: Path, at: At) -> list[Finding]:
    """Return a finding for each named slot that the chassis does not have; nothing if its slots are not known."""
    known = slot_names(chassis)
    if not known:
        return []
    places: list[tuple[str, Path]] = []
    for line in lines:
        is_list = node.parts[int(line.path[-1])].slots is not None
        places += [
            (name, (*line.path, "slots", i) if is_list else (*line.path, "slot")) for i, name in enumerate(line.slots)
        ]
    for i, group in enumerate(node.bridged or ()):
        places += [(name, (*path, "bridged", i, j)) for j, name in enumerate(group)]
    return [
        unknown_place(name, place_at, at, chassis, what="slot", known=known)
        for name, place_at in places
        if name not in known
    ]
