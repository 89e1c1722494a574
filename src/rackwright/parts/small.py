"""Small parts and services: risers, fan kits, rails, options, licences, services."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rackwright.parts.base import Count, Part, PartId, Power


class RiserKit(Part):
    """A riser that is ordered as a part."""

    kind: Literal["riser"]
    chassis: list[PartId] = Field(default_factory=list)


class FanKit(Part):
    """A fan kit or fan module."""

    kind: Literal["fan_kit"]
    is_gpu_module: bool | None = Field(None, description="true: the fan module that passive GPUs need")
    chassis: list[PartId] = Field(default_factory=list)
    power: Power = Power()


class Rail(Part):
    """A rail kit."""

    kind: Literal["rail"]
    chassis: list[PartId] = Field(default_factory=list)


class Option(Part):
    """Any other orderable part of a maker: cages, enablement kits, GPU modes, bezels, trackers."""

    kind: Literal["option"]
    chassis: list[PartId] = Field(default_factory=list)
    power: Power = Power()


class Licence(Part):
    """A software licence or subscription."""

    kind: Literal["licence"]
    metric: Literal["per-gpu", "per-concurrent-user", "per-node", "per-cpu"] | None = None
    product: Literal["ai-enterprise", "vws", "vpc", "vapps", "vcs", "render", "os", "management", "other"] | None = None
    term_years: Count | None = None


class Service(Part):
    """Work or support that is quoted with hardware."""

    kind: Literal["service"]
    unit: Literal["each", "hour", "day", "year"] = "each"
