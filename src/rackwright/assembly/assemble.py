"""One complete node from an offer: every line with the reason for it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rackwright.assembly.chassis import Offer
from rackwright.assembly.host import choose_adapters, choose_cpu, choose_drives, choose_memory, cpu_count
from rackwright.assembly.licences import choose_licences
from rackwright.assembly.need import NOTHING_SETTLED, Choices, NodeNeed
from rackwright.assembly.power import choose_bridges, choose_cables, choose_supplies
from rackwright.assembly.stock import Stock
from rackwright.catalog import Part
from rackwright.configuration import Extra, Node, PartLine
from rackwright.frozen import frozen

# Kinds of parts that take power (those without a stated draw are in the allowance).
_POWERED = frozenset({"cpu", "gpu", "memory", "drive", "nic", "storage_adapter", "fan_kit", "option"})


@frozen(slots=True)
class Assembled:
    """A node that is proposed. `lacking` are kinds of parts that could not be chosen from the catalog.

    `extras` are licences of the whole order.
    """

    offer: Offer
    node: Node
    lacking: tuple[str, ...]
    extras: tuple[Extra, ...] = ()


def assemble(need: NodeNeed, offer: Offer, stock: Stock, choices: Choices = NOTHING_SETTLED) -> Assembled:
    """Complete a node in the chassis of an offer; `choices` are what checks of an earlier attempt have settled.

    Unknown: a kind that cannot be chosen is left out and named, and the checks then say what is missing.
    """
    chassis, mode = offer.chassis, choices.mode or offer.mode
    lines = [PartLine(part=part, count=1) for part in offer.parts]
    lacking: list[str] = []
    cpu = choose_cpu(need, chassis, stock, choices.families)
    memory = choose_memory(need, chassis, cpu, stock) if cpu is not None else None
    lines += _present("cpu", PartLine(part=cpu.id, count=cpu_count(chassis)) if cpu is not None else None, lacking)
    lines += _present("memory", memory, lacking)
    lines.append(PartLine(part=need.gpu.id, count=need.gpus))
    lines += [line for line in (choose_bridges(need, chassis, mode), choose_cables(need, chassis, stock)) if line]
    drives = choose_drives(need, chassis, mode, stock)
    lines += drives or _present("drive", None, lacking)
    for wanted in need.adapters:
        lines += _present("nic", choose_adapters(wanted, chassis, mode, stock), lacking)
    lines += _maker_parts(need, chassis)
    lines = merged([*lines, *choices.lines])
    stated = draw_w(lines, stock)
    allowance = max(math.ceil(stated * need.allowance_ratio / 50) * 50.0, need.allowance_min_w)
    supplies = choose_supplies(need, chassis, stated + allowance, stock, choices)
    if not supplies.lines:
        lacking.append("psu")
    node = Node(
        id=need.id,
        title=need.title or None,
        count=need.nodes,
        rack=need.racks[0] if len(need.racks) == 1 else None,
        racks=list(need.racks) if len(need.racks) > 1 else None,
        chassis=chassis.id,
        mode=mode or None,
        redundancy=supplies.redundancy,
        parts=merged([*lines, *supplies.lines]),
        allowance_w=allowance if chassis.get("power_base_w") is None else None,
        workload=need.workload,
    )
    return Assembled(offer, node, tuple(dict.fromkeys(lacking)), choose_licences(need, stock))


def _present(kind: str, line: PartLine | None, lacking: list[str]) -> list[PartLine]:
    if line is None:
        lacking.append(kind)
        return []
    return [line]


def _maker_parts(need: NodeNeed, chassis: Part) -> list[PartLine]:
    """The fan module for passive cards and the rails, where the chassis's file names them as parts to order."""
    lines = []
    module = chassis.get("fans.gpu_module_part")
    if chassis.get("fans.gpu_module") == "option" and module and need.gpu.get("cooling.type") in (None, "passive"):
        lines.append(PartLine(part=module, count=1))
    rails = chassis.get("rails_part")
    if rails and chassis.get("is_rail_included") is not True:
        lines.append(PartLine(part=rails, count=1))
    return lines


def merged(lines: Sequence[PartLine]) -> list[PartLine]:
    """Put lines of the same part together: what two rules ask for of one part is the larger number, not the sum."""
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.part] = max(counts.get(line.part, 0), line.count)
    return [PartLine(part=part, count=count) for part, count in counts.items()]


def draw_w(lines: Sequence[PartLine], stock: Stock) -> float:
    """Return the draw that makers state for these lines, in W; parts without a figure count nothing here."""
    total = 0.0
    for line in lines:
        part = stock.catalog.find(line.part)
        if part is not None and part.kind in _POWERED:
            total += line.count * float(part.get("power.max_w") or 0)
    return total
