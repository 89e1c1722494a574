"""Placement of one kind of server, and of the whole order."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.catalog import Catalog, Part
from rackwright.configuration import Configuration, Node, Site
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.placement.bridges import demands_of, form_groups, named_groups, plan_groups
from rackwright.placement.build import Build, Order, build
from rackwright.placement.cables import assign_cables
from rackwright.placement.chains import Chains, chains_of
from rackwright.placement.lines import CARD_KINDS, At, resolve, resolve_extras, resolve_lines, unknown_place
from rackwright.placement.model import (
    Line,
    NodePlacement,
    PlacedCard,
    Placement,
    RackPlacement,
    SlotState,
)
from rackwright.placement.search import Solved
from rackwright.placement.slots import cpu_of, mode_names, mode_parts, slot_names
from rackwright.placement.storage import place_dimms
from rackwright.placement.supplies import node_voltage_v, place_psus
from rackwright.source import Path


def place(configuration: Configuration, catalog: Catalog, at: At) -> tuple[Placement, list[Finding]]:
    """Place the whole order: nodes, racks, extras. Nodes of an unknown chassis are left out (a finding says so).

    Errors (as findings): those of the steps; and CFG040 (advice), why cards do not fit and what would make them fit.
    """
    nodes: list[NodePlacement] = []
    findings: list[Finding] = []
    solved: Solved = {}
    explained: set[object] = set()
    for number, node in enumerate(configuration.nodes):
        path: Path = ("nodes", number)
        made, problems = _make(node, path, catalog, configuration.site, at, solved)
        findings += problems
        if made is not None:
            nodes.append(made.placed)
            findings += _advice(made, path, explained)
    racks: tuple[RackPlacement, ...] = ()
    if _has_racks(configuration):
        from rackwright.placement.racks import place_racks

        racks, problems = place_racks(configuration, tuple(nodes), catalog, at)
        findings += problems
    extras, offered, problems = resolve_extras(configuration.extras, catalog, at)
    findings += problems
    return Placement(configuration, tuple(nodes), racks, extras, offered), findings


def _has_racks(configuration: Configuration) -> bool:
    return bool(configuration.site.racks) or any(node.rack or node.racks for node in configuration.nodes)


def place_node(
    node: Node, path: Path, catalog: Catalog, site: Site, at: At, solved: Solved | None = None
) -> tuple[NodePlacement | None, list[Finding]]:
    """Put everything of a node in its place; `path` is its place in the configuration, `at` finds that in the file.

    `solved` keeps what hard searches for slots found, for equal servers under other names.

    Errors (as findings): CFG020 unknown part, CFG021 part of a wrong kind, CFG022 unknown mode, CFG023 unknown slot or
    bay, CFG024 number of slots, CFG025 group of slots that cannot be joined. None only if the
    chassis is not known.
    """
    made, findings = _make(node, path, catalog, site, at, solved)
    return made.placed if made is not None else None, findings


def _make(
    node: Node, path: Path, catalog: Catalog, site: Site, at: At, solved: Solved | None
) -> tuple[_Made | None, list[Finding]]:
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
    order = Order(node, chassis, lines, cards, sum(line.count for line in cpus), demands_of(plans), at, solved)
    built, is_mode_known, problems = _choose_mode(order, path)
    findings += [*problems, *built.findings]
    chains = _chains(chassis, built.slots)
    seated = built.seating.cards
    groups = form_groups(node.id, plans, seated, chains)
    if node.bridged:
        groups, bridges_left, problems = named_groups(node, path, lines, seated, chains=chains, catalog=catalog, at=at)
        findings += problems
    psus, problems = place_psus(node, chassis, lines, site, at)
    findings += problems
    dimms, is_even = place_dimms(lines, order.cpus, chassis)
    placed = NodePlacement(
        node=node,
        path=path,
        chassis=chassis,
        mode=built.mode,
        is_mode_known=is_mode_known,
        lines=lines,
        cpus=cpus,
        slots=built.slots,
        has_slot_map=bool(chassis.get("slots")),
        cards=seated,
        groups=groups,
        bridges_left=bridges_left,
        drives=built.drives,
        psus=psus,
        dimms=dimms,
        is_dimm_count_even=is_even,
        gpu_cables_left=cables_left,
        input_voltage_v=node_voltage_v(psus, node, site),
        is_decided=built.seating.is_decided,
    )
    return _Made(placed, order, built), findings


@frozen(slots=True)
class _Made:
    """A placed node with what it was made from."""

    placed: NodePlacement
    order: Order
    built: Build


def _advice(made: _Made, path: Path, known: set[object]) -> list[Finding]:
    """Say why cards of a node do not fit, once for nodes that are equal in all but their name (`known`)."""
    seating, order = made.built.seating, made.order
    if not seating.cost or not seating.is_decided:
        return []
    lines = tuple((line.part.id, line.count, line.slots, line.cap_w) for line in order.lines)
    kind = (order.chassis.id, made.built.mode, lines)
    if kind in known:
        return []
    known.add(kind)
    from rackwright.placement.whynot import why_not

    return why_not(order, made.built, path)


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


def _choose_mode(order: Order, path: Path) -> tuple[Build, bool, list[Finding]]:
    """Build in the user's mode; else in the first that breaks least, modes whose parts are ordered before others."""
    names = mode_names(order.chassis)
    wanted = order.node.mode
    if wanted is not None and wanted in names:
        return build(order, wanted), True, []
    findings: list[Finding] = []
    if wanted is not None:
        text = "{chassis} has no mode {mode}" if names else "{chassis} has no modes; {mode} cannot be chosen"
        fix = "choose one of {names}" if names else "take `mode` out"
        place_at = order.at((*path, "mode"))
        title, listed = order.chassis.title, ", ".join(names)
        findings.append(finding("CFG022", text, place_at, fix=fix, chassis=title, mode=wanted, names=listed))
    ordered = {line.part.id for line in order.lines}
    names = tuple(sorted(names, key=lambda name: ordered.isdisjoint(mode_parts(order.chassis, name)))) or ("",)
    best: Build | None = None
    for name in names:
        built = build(order, name)
        if best is None or built.cost < best.cost:
            best = built
        if not best.cost:
            break
    assert best is not None  # there is at least the empty mode
    return best, wanted is None, findings


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
