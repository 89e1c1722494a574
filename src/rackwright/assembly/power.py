"""GPU power cables, NVLink bridges, supplies and their cords."""

from __future__ import annotations

import math
from typing import Any

from rackwright.assembly.need import Choices, NodeNeed
from rackwright.assembly.stock import Stock, closeness, vendor_of, words_of
from rackwright.catalog import Part
from rackwright.configuration import PartLine
from rackwright.frozen import frozen
from rackwright.placement.cables import cables_needed, card_connector
from rackwright.placement.outlets import connectors_of


def choose_cables(need: NodeNeed, chassis: Part, stock: Stock) -> PartLine | None:
    """Return the GPU power cables: the chassis's own, else plain ones of the least level that gives full power.

    None if the card is known to need none, or nobody says which connector it has.
    """
    wanted, connector = cables_needed(need.gpu), card_connector(need.gpu)
    if not wanted or need.gpu.get("form_factor") != "pcie":
        return None
    inputs = need.gpu.get("power_inputs") or ()
    level = max((float(entry.get("level_full_w") or 0) for entry in inputs), default=0.0) or _draw(need.gpu)

    def is_fit(cable: Part) -> bool:
        own = cable.get("chassis") or ()
        is_listed = chassis.id in own
        return (
            cable.get("purpose") == "gpu-power"
            and cable.get("to_connector") == connector
            and (is_listed or (not own and cable.get("is_generic") is True))
            and (cable.get("level_w") is None or cable.get("level_w") >= level)
        )

    def key(cable: Part) -> tuple[Any, ...]:
        return chassis.id not in (cable.get("chassis") or ()), cable.get("level_w") or 0, cable.id

    best = min(filter(is_fit, stock.of("cable")), key=key, default=None)
    if best is None:
        return None
    return PartLine(part=best.id, count=math.ceil(need.gpus * wanted / (best.get("cards") or 1)))


def _draw(part: Part) -> float:
    return float(part.get("power.max_w") or 0)


def choose_bridges(need: NodeNeed, chassis: Part, mode: str) -> PartLine | None:
    """Return the NVLink bridges that join the cards of one task: the largest groups that it can use.

    None if the task needs none, the GPU has none, or the chassis excludes them. A number of bridges that the maker does
    not state is not guessed: then none are proposed.
    """
    if need.joined < 2 or chassis.get("bridges.is_supported") is False:
        return None
    if ((chassis.get("modes") or {}).get(mode) or {}).get("bridges_allowed") is False:
        return None
    modes = chassis.get("bridges.modes")
    if modes is not None and mode not in modes:
        return None
    usable = [
        group
        for group in need.gpu.get("nvlink.groups") or ()
        if group["cards"] <= need.joined and need.gpus % group["cards"] == 0 and group.get("bridges")
    ]
    if not usable:
        return None
    best = max(usable, key=lambda group: group["cards"])
    return PartLine(part=best["bridge"], count=need.gpus // best["cards"] * best["bridges"])


@frozen(slots=True)
class Supplies:
    """The supplies of a node: how many, which, under which redundancy, with their cords. None = not to be chosen."""

    lines: tuple[PartLine, ...]
    redundancy: str | None


def choose_supplies(need: NodeNeed, chassis: Part, draw_w: float, stock: Stock, choices: Choices) -> Supplies:
    """Return supplies that carry `draw_w` and the reserve after the loss that their redundancy promises.

    The smallest such unit of those that `choices` leaves. Without supplies to choose from the redundancy alone.
    """
    redundancy, count, working = _shape(need, chassis)
    known = [unit for unit in stock.of("psu") if _is_for(unit, chassis, stock) and unit.get("current") != ["dc"]]
    best = min((_standing(unit, chassis) for unit in known), default=None)
    units = [unit for unit in known if _standing(unit, chassis) == best]
    units = [unit for unit in units if unit.id in choices.psus] or units
    if not units:
        return Supplies((), redundancy)
    wanted = draw_w * (1 + need.headroom_ratio) / working

    def key(unit: Part) -> tuple[Any, ...]:
        output = _output_w(unit, need.site.voltage_v)
        is_stated = unit.get("output") is not None and unit.get("inlet") is not None
        return output < wanted, not is_stated, output if output >= wanted else -output, unit.id

    ordered = sorted(units, key=key)
    unit = ordered[min(choices.psu_skip, len(ordered) - 1)]
    cord = _cord(unit, chassis, stock)
    lines = [PartLine(part=unit.id, count=count), *([PartLine(part=cord.id, count=count)] if cord else [])]
    return Supplies(tuple(lines), redundancy)


def _shape(need: NodeNeed, chassis: Part) -> tuple[str | None, int, int]:
    """Return redundancy, number of supplies, and how many of them must carry the node.

    What the user asks for; else the maker's offer that survives most; else halves of the bays; else two that stand in
    for each other. Power domains have a redundancy of their own: all bays are filled.
    """
    domains = chassis.get("psu.domains")
    if domains:
        count = sum(len(domain["bays"]) for domain in domains.values())
        return need.redundancy, count, max(1, count // 2)
    bays = chassis.get("psu.bays")
    offered = [text for text in chassis.get("psu.redundancy") or () if text != "none"]
    wanted = need.redundancy or max(offered, key=lambda text: _spare(text, bays), default=None)
    if wanted is None or wanted == "N+N":
        half = max(1, (bays or 2) // 2)
        return wanted or (f"{half}+{half}" if bays is None or bays > 1 else "none"), 2 * half, half
    if wanted == "none":
        count = int(bays or 1)
        return wanted, count, count
    if wanted == "N+1":
        count = int(bays or 2)
        return wanted, count, max(1, count - 1)
    working, spare = (int(text) for text in wanted.split("+"))
    return wanted, working + spare, working


def _spare(text: str, bays: int | None) -> tuple[int, int]:
    """How much a redundancy survives, among those for which there are bays."""
    if text == "N+N":
        return (bays or 2) // 2, 0
    if text == "N+1":
        return 1, 0
    working, spare = (int(number) for number in text.split("+"))
    return (spare, working) if bays is None or working + spare <= bays else (0, 0)


def _is_for(unit: Part, chassis: Part, stock: Stock) -> bool:
    """Listed by the chassis's maker; where he lists none, sold by the same house and not for another of its chassis."""
    models = chassis.get("psu.models")
    if models is not None:
        return unit.id in models
    if vendor_of(unit) != vendor_of(chassis) or unit.id in stock.listed_psus:
        return False
    named = words_of(unit) & stock.model_words.get(vendor_of(chassis), frozenset())
    return not named or bool(named & words_of(chassis))


def _standing(unit: Part, chassis: Part) -> int:
    return 0 if unit.id in (chassis.get("psu.models") or ()) or words_of(unit) & words_of(chassis) else 1


def _output_w(unit: Part, voltage_v: float | None) -> float:
    """Return the output at the site's voltage where ranges are stated, else the rated output."""
    for entry in unit.get("output") or ():
        if voltage_v is not None and entry["voltage_min_v"] <= voltage_v <= entry["voltage_max_v"]:
            return float(entry["output_w"])
    return float(unit.get("output_w"))


def _cord(unit: Part, chassis: Part, stock: Stock) -> Part | None:
    """Return the cord for the supply's inlet, None if its inlet is not known."""
    connectors = connectors_of(unit.get("inlet"))
    cords = [cord for cord in stock.of("cord") if cord.get("connector") in connectors and closeness(cord, chassis) < 2]
    return min(cords, key=lambda c: (connectors.index(c.get("connector")), closeness(c, chassis), c.id), default=None)
