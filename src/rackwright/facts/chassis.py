"""Facts about the chassis as it is built: mode, inlet limit at the site's height, lanes of the platform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.facts.lines import has_ended
from rackwright.facts.records import Context, Needs, Record, known, total, without
from rackwright.facts.stated import chassis_flags
from rackwright.placement.model import NodePlacement

# Above this height air is thinner than every class of server is rated for without derating. Source: PR-44 of the fact
# pack (ASHRAE classes derate above 900 m, some makers above 950 m).
_RATED_ALTITUDE_M = 900


def chassis_record(context: Context) -> Record:
    """Return the facts of the chassis of a node."""
    placed, chassis = context.placed, context.chassis
    inlet: Mapping[str, Any] = chassis.get("inlet") or {}
    outlets = chassis.get("gpu_power")
    record = known(
        lambda: {
            "bridges_allowed": without(chassis.data, "bridges.is_supported"),
            "inlet_max_c": _inlet_needs(context, inlet),
            "gpu_outlets": without(chassis.data, "gpu_power"),
            "platform_lanes": _lanes_needs(context),
        },
        **chassis_flags(chassis),
        _path=(*placed.path, "chassis"),
        part=chassis.data,
        has_ended=has_ended(chassis),
        mode=placed.mode,
        mode_named=_mode_named(placed),
        has_mode=bool(placed.mode) or not chassis.get("modes"),
        is_mode_known=placed.is_mode_known,
        mode_parts_missing=_mode_parts_missing(placed),
        bridges_allowed=bridges_allowed(placed),
        has_slot_map=placed.has_slot_map,
        inlet_max_c=inlet_max_c(inlet, context.site.get("altitude_m")),
        gpu_outlets=total([entry.get("count") for entry in outlets]) if outlets is not None else None,
        platform_lanes=platform_lanes(placed),
    )
    return context.make("chassis", record)


def _mode_named(placed: NodePlacement) -> str | None:
    """Return the mode that is no choice of ours."""
    modes = placed.chassis.get("modes") or {}
    named = placed.node.mode if placed.node.mode in modes else None
    return placed.mode if len(modes) < 2 else named


def _mode_parts_missing(placed: NodePlacement) -> list[str]:
    """Return the parts that make the chosen mode and are not on the node's list."""
    mode = (placed.chassis.get("modes") or {}).get(placed.mode) or {}
    ordered = {line.part.id for line in placed.lines}
    return [part for part in mode.get("parts", ()) if part not in ordered]


def bridges_allowed(placed: NodePlacement) -> bool | None:
    """Say whether the mode takes NVLink bridges: its own word, else that of the chassis; None if neither says."""
    mode = (placed.chassis.get("modes") or {}).get(placed.mode) or {}
    if "bridges_allowed" in mode:
        return bool(mode["bridges_allowed"])
    bridges: Mapping[str, Any] = placed.chassis.get("bridges") or {}
    modes = bridges.get("modes")
    if modes is not None and placed.mode and placed.mode not in modes:
        return False
    if "is_supported" in bridges:
        return bool(bridges["is_supported"])
    return True if bridges.get("groups") else None


def inlet_max_c(inlet: Mapping[str, Any], altitude_m: float | None) -> float | None:
    """Return the highest inlet temperature in C at a height.

    With a stated derating: the maximum less the slope for every metre above its start. Without one the maximum holds
    up to 900 m, or up to the stated greatest height if that is lower (PR-44). An unstated height derates nothing.
    Unknown: None without a maximum, for a slope without a start, and higher up without a derating.
    """
    maximum: float | None = inlet.get("max_c")
    if maximum is None or altitude_m is None:
        return maximum
    slope, start = inlet.get("derate_c_per_m"), inlet.get("derate_above_m")
    if slope is not None:
        return None if start is None else maximum - slope * max(0.0, altitude_m - start)
    limit = min(_RATED_ALTITUDE_M, inlet.get("altitude_max_m", _RATED_ALTITUDE_M))
    return maximum if altitude_m <= limit else None


def platform_lanes(placed: NodePlacement) -> int | None:
    """Return the PCIe lanes that the fitted CPUs offer on this board.

    Two EPYC CPUs spend 16 lanes each on every xGMI link, which is a figure of the chassis: 2 x (128 - 16 x) (PR-64).
    All others: the sum over the sockets (PR-63). Unknown: None without the CPU's lanes or the number of links.
    """
    cpus = [line.part for line in placed.cpus for _ in range(line.count)]
    if _is_epyc_pair(placed):
        links = placed.chassis.get("cpu.xgmi_links")
        return 2 * (128 - 16 * int(links)) if links is not None and len(cpus) == 2 else None
    lanes = [cpu.get("pcie_lanes") for cpu in cpus]
    return sum(lanes) if cpus and None not in lanes else None


def _is_epyc_pair(placed: NodePlacement) -> bool:
    cpus = [line.part for line in placed.cpus for _ in range(line.count)]
    return len(cpus) >= 2 and any(str(cpu.get("family")).startswith("epyc") for cpu in cpus)


def _inlet_needs(context: Context, inlet: Mapping[str, Any]) -> Needs:
    data = context.chassis.data
    if "max_c" not in inlet:
        return without(data, "inlet.max_c")
    return without(data, "inlet.derate_above_m" if "derate_c_per_m" in inlet else "inlet.derate_c_per_m")


def _lanes_needs(context: Context) -> Needs:
    if _is_epyc_pair(context.placed):
        return without(context.chassis.data, "cpu.xgmi_links")
    return [need for line in context.placed.cpus for need in without(line.part.data, "pcie_lanes")]
