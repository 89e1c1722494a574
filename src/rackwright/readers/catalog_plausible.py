"""Figures of a part that contradict each other, or are far from those of similar parts.

An error is something that cannot be: one of the two figures is wrong. A warning is a question. A note under the
evidence of the figure answers it, and the question is not asked again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Figure, Finding, Message, Severity
from rackwright.units import converted, suffix_of, unit_of

_TOLERANCE = 0.05  # printed power of a PDU against volts and amps
# Watts that a plug carries: PCI Express card electromechanical specification; EPS as an integrator states it.
CONNECTORS_W = {"none": 0, "pcie-6pin": 75, "pcie-8pin": 150, "eps-8pin": 300, "pcie-16pin": 600}
SLOT_W = 75
_CONTINUOUS_NA = 0.8  # NEC 210.20(A): continuous load on a North American circuit
# Draws in rising order: none of the first is above one of the others.
_DRAWS = (("idle_w", "typical_w", "max_w"), ("typical_w", "max_w"), ("max_w", "peak_w"))
_FAR = 3
# Units in which a figure may have been copied by mistake, by the unit that it should have.
_SLIPS = {
    "mm": ("in", "cm", "m"), "kg": ("lb", "g"), "w": ("kW",), "gb_s": ("TB/s", "MB/s"),
    "gbit_s": ("Mbit/s",), "m3_h": ("CFM",), "ghz": ("MHz",), "c": ("°F",), "ratio": ("%",),
}  # fmt: skip
_ENOUGH = 5  # parts of a kind and group before one of them can be called unlike the others
# What parts are compared with each other; a kind that is not here is one group.
_GROUPS: dict[str, tuple[str, ...]] = {
    "gpu": ("form_factor", "card.width_slots"),
    "cpu": ("family",),
    "chassis": ("rack.height_u",),
    "psu": ("inlet",),
    "pdu": ("phases", "mount"),
    "memory": ("type",),
    "nic": ("form_factor",),
    "drive": ("form_factor",),
    "storage_adapter": ("form_factor",),
}
_ALL_DIFFER = frozenset({"model"})  # models differ by any factor in every figure
# Last names of figures by which makers grade their products: these differ by any factor, and rightly.
_GRADED = frozenset(
    {
        "capacity_gb", "capacity_max_gb", "memory_max_gb", "cores", "sockets", "sockets_max", "bays", "dimms", "cards",
        "gpus_per_board", "ports", "port_gbit_s", "link_gb_s", "output_w", "circuit_a", "continuous_a", "power_max_w",
        "drives_max", "endurance_dwpd", "count", "pieces", "term_years", "mig_instances", "pdu_positions_0u",
    }
)  # fmt: skip


def implausible(catalog: Catalog) -> list[Finding]:
    """Return what is not plausible in the catalog. Figures that are not known are not judged."""
    parts = [catalog.parts[part_id] for part_id in catalog.parts]
    lanes = _lanes_by_family(parts)
    found: list[Finding] = []
    for part in parts:
        if part.kind in _OF_KIND:
            found += list(_OF_KIND[part.kind](part))
        if part.kind == "chassis":
            found += list(_chassis(part, lanes))
        if part.kind in ("gpu", "nic", "storage_adapter"):
            found += list(_plugs(part))
        found += list(_ranges(part))
    return [*found, *_unlike(parts)]


def _gpu(part: Part) -> Iterator[Finding]:
    """Bandwidth is the width of the bus times the rate of a pin; what a board has is what its GPUs have."""
    bits, rate, stated = (part.get(f"memory.{name}") for name in ("bus_bits", "pin_rate_gbit_s", "bandwidth_gb_s"))
    if bits and rate and stated and _differ(stated, bits * rate / 8, 0.02):
        yield _told(
            part,
            "memory.bandwidth_gb_s",
            "{field} is {value}, but {bits} bits at {rate} are {computed}",
            {"bits": bits, "rate": Figure(rate, unit_of("rate_gbit_s")), "computed": bits * rate / 8},
        )
    whole, each = part.get("memory.capacity_gb"), part.get("memory.per_gpu_gb")
    if whole and each and whole != each * part.get("gpus_per_board"):
        yield _told(
            part,
            "memory.capacity_gb",
            "{field} is {value}, but {count} GPUs with {each} are {computed}",
            {"count": part.get("gpus_per_board"), "each": Figure(each, unit_of("capacity_gb")),
             "computed": each * part.get("gpus_per_board")},
        )  # fmt: skip


def _plugs(part: Part) -> Iterator[Finding]:
    """A card draws from its slot and its plugs; modules are fed by their board."""
    inputs, draw = part.get("power_inputs"), part.get("power.max_w")
    if inputs is None or draw is None or part.get("form_factor") != "pcie":
        return
    limit = SLOT_W + sum(CONNECTORS_W[plug["connector"]] * plug.get("count", 1) for plug in inputs)
    if draw > limit:
        plugs = " and ".join(f"{plug.get('count', 1)} x {plug['connector']}" for plug in inputs) or "no plug"
        message = "{field} is {value}, but the slot ({slot}) and {plugs} carry {computed}"
        yield _told(part, "power.max_w", message, {"slot": _watts(SLOT_W), "plugs": plugs, "computed": limit})


def _ranges(part: Part) -> Iterator[Finding]:
    """The least of something is not above the most of it, nor what is typical above what is sustained at most."""
    figures = dict(_figures(part.data, ""))
    for name, value in figures.items():
        head, _, last = name.rpartition(".")
        steps = last.split("_")
        above = [f"{head}.{_with(steps, 'min', 'max')}"] if "min" in steps else []
        above += [f"{head}.{other}" for low, *high in _DRAWS if last == low for other in high]
        for other in above:
            limit = figures.get(other.removeprefix("."))
            if limit is not None and value > limit:
                message = "{field} is {value}, above {other}, which is {computed}"
                yield _told(part, name, message, {"other": other.removeprefix("."), "computed": limit})


def _with(steps: Sequence[str], old: str, new: str) -> str:
    return "_".join(new if step == old else step for step in steps)


def _pdu(part: Part) -> Iterator[Finding]:
    volts, amps, circuit = part.get("voltage_v"), part.get("continuous_a"), part.get("circuit_a")
    stated, phases = part.get("power_max_w"), part.get("phases")
    if amps and circuit and amps > circuit:
        yield _told(part, "continuous_a", "{field} is {value}, more than the circuit of {computed}",
                    {"computed": circuit})  # fmt: skip
    elif amps and circuit and part.get("region") == "na" and amps > _CONTINUOUS_NA * circuit * 1.001:
        message = "{field} is {value}, more than 80 % of the circuit of {circuit}, which North American rules allow"
        yield _told(part, "continuous_a", message, {"circuit": Figure(circuit, unit_of("circuit_a"))})
    if not (volts and amps and stated and phases):
        return
    computed = volts * amps * (3**0.5 if phases == 3 else 1)
    holes = {"phases": phases, "volts": Figure(volts, unit_of("voltage_v")),
             "amps": Figure(amps, unit_of("continuous_a")), "computed": round(computed)}  # fmt: skip
    message = "{field} is {value}, but {volts} and {amps} on {phases} phases are {computed}"
    if _differ(stated, computed, _TOLERANCE):  # a lower figure may be a limit inside of the unit
        severity = Severity.WARNING if stated < computed else Severity.ERROR
        yield from _asked(part, "power_max_w", message, holes, severity)


def _psu(part: Part) -> Iterator[Finding]:
    ranges, named = part.get("output"), part.get("output_w")
    for index, stated in enumerate(ranges or ()):
        if stated["voltage_min_v"] > stated["voltage_max_v"]:
            yield _told(part, f"output.{index}.voltage_min_v", "{field} is {value}, above voltage_max_v",
                        {})  # fmt: skip
        if stated["output_w"] > named:
            message = "{field} is {value}, more than the rated output_w of {computed}"
            yield _told(part, f"output.{index}.output_w", message, {"computed": named})
    if ranges and max(stated["output_w"] for stated in ranges) < named:
        best = max(stated["output_w"] for stated in ranges)
        message = "{field} is {value}, but the best of its ranges has {computed}"
        yield from _asked(part, "output_w", message, {"computed": best}, Severity.WARNING)


_OF_KIND: dict[str, Callable[[Part], Iterator[Finding]]] = {"gpu": _gpu, "pdu": _pdu, "psu": _psu}


def _lanes_by_family(parts: Sequence[Part]) -> dict[str, int]:
    """The most lanes that a CPU of a family has."""
    lanes: dict[str, int] = defaultdict(int)
    for part in parts:
        if part.kind == "cpu" and part.get("pcie_lanes"):
            lanes[part.get("family")] = max(lanes[part.get("family")], part.get("pcie_lanes"))
    return lanes


def _chassis(part: Part, lanes: Mapping[str, int]) -> Iterator[Finding]:
    """In no mode a CPU feeds more lanes than the largest of the families that the board takes has."""
    known = [lanes[family] for family in part.get("cpu.families") or () if family in lanes]
    if not known:
        return
    for mode in part.get("modes") or {"": {}}:
        for cpu, fed in sorted(_fed(part, mode).items()):
            if fed > max(known):
                message = "in mode {mode} CPU {cpu} feeds {fed} lanes, and the CPUs that fit have {computed}"
                holes = {"mode": mode or "of the board", "cpu": cpu, "fed": fed, "computed": max(known)}
                yield from _asked(part, "slots", message, holes, Severity.WARNING)


def _fed(part: Part, mode: str) -> dict[int, int]:
    """Lanes that slots and switches take from each CPU; a slot that several risers offer counts once."""
    widest: dict[tuple[str, int], int] = {}
    for slot in part.get("slots") or ():
        is_there = not slot.get("modes") or mode in slot["modes"]
        if is_there and not slot.get("switch") and slot.get("lanes") and slot.get("cpu"):
            for name in slot["names"]:
                key = (name, slot["cpu"])
                widest[key] = max(widest.get(key, 0), slot["lanes"])
    fed: dict[int, int] = defaultdict(int)
    for (_, cpu), taken in widest.items():
        fed[cpu] += taken
    for switch in (part.get("switches") or {}).values():
        if switch["uplink"].get("cpu") and switch["uplink"].get("lanes"):
            fed[switch["uplink"]["cpu"]] += switch["uplink"]["lanes"]
    return fed


def _unlike(parts: Sequence[Part]) -> Iterator[Finding]:
    """Figures three times above or below the median of their group: often a wrong unit."""
    groups: dict[tuple[Any, ...], list[tuple[float, Part]]] = defaultdict(list)
    for part in parts:
        if part.kind in _ALL_DIFFER:
            continue
        group = tuple(part.get(name) for name in _GROUPS.get(part.kind, ()))
        for name, value in _figures(part.data, ""):
            groups[(part.kind, *map(str, group), name)].append((value, part))
    for (kind, *_, name), members in groups.items():
        if len(members) < _ENOUGH:
            continue
        middle = median(value for value, _ in members)
        for value, part in members:
            if value >= _FAR * middle or value * _FAR <= middle:
                message = "{field} is {value}; the median of {count} similar parts of kind {kind} is {computed}"
                holes = {"count": len(members), "kind": kind, "computed": middle}
                yield from _asked(part, name, message, holes | _slip(name, value, middle), Severity.WARNING)


def _slip(name: str, value: float, middle: float) -> dict[str, Figure]:
    """The figure in the right unit, if it would be like those of similar parts had it been copied in another one."""
    suffix = suffix_of(name.rpartition(".")[2]) or ""
    for unit in _SLIPS.get(suffix, ()):
        figure = converted(value, unit, suffix)
        if figure is not None and middle / 2 <= figure <= middle * 2:
            return {"printed": Figure(f"{value:g} {unit}"), "figure": Figure(f"{figure:.12g}")}
    return {}


def _figures(data: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, float]]:
    """All positive numbers that stand in records, by dotted name; lists have no fellow to compare with."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            if key != "evidence":
                yield from _figures(value, f"{prefix}{key}.")
        elif isinstance(value, int | float) and not isinstance(value, bool) and value > 0 and key not in _GRADED:
            yield f"{prefix}{key}", value


def _differ(stated: float, computed: float, tolerance: float) -> bool:
    return abs(stated - computed) > tolerance * stated


def _asked(
    part: Part, name: str, message: str, holes: Mapping[str, Any], severity: Severity = Severity.WARNING
) -> Iterator[Finding]:
    """A question, unless a note of the evidence answers it."""
    entry = part.evidence.get(name)
    if entry is None or not entry.get("note"):
        yield _told(part, name, message, holes, severity)


def _told(
    part: Part, name: str, message: str, holes: Mapping[str, Any], severity: Severity = Severity.ERROR
) -> Finding:
    unit = unit_of(name.rpartition(".")[2])
    citation, grade = part.evidence_of(name)
    figures = {key: hole if isinstance(hole, Figure) else Figure(hole) for key, hole in holes.items()}
    if "computed" in figures:
        figures["computed"] = Figure(figures["computed"].value, unit)
    figures |= {"field": Figure(name), "value": Figure(_value(part, name), unit)}
    fix = (
        "compare both with the source and correct the wrong one"
        if severity is Severity.ERROR
        else "check the unit and the source; if it is right, say why: evidence: {field}: {source: …, grade: …, note: …}"
    )
    if "printed" in figures:
        fix = f"if the document says {{printed}}, write {{figure}}; {fix}"
    return Finding(
        code="CAT031" if severity is Severity.ERROR else "CAT032",
        severity=severity,
        message=Message(message, figures),
        at=part.at(name),
        fix=Message(fix, figures),
        subject=part.id,
        sources=(citation,) if citation else (),
        grade=grade,
    )


def _value(part: Part, name: str) -> Any:
    value: Any = part.data
    for step in name.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value if isinstance(value, int | float | str) else ""


def _watts(value: float) -> Figure:
    return Figure(value, unit_of("power_w"))
