"""Small parts and services: risers, fan kits, rails, options, licences, services."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rackwright.parts.base import Count, Part, PartId, Power


class RiserKit(Part):
    """A riser that is ordered as a part."""

    kind: Literal["riser"] = Field(description="kind of part")
    chassis: list[PartId] = Field(default_factory=list, description="chassis that the maker names for it; empty = any")


class FanKit(Part):
    """A fan kit or fan module."""

    kind: Literal["fan_kit"] = Field(description="kind of part")
    is_gpu_module: bool | None = Field(None, description="true: the fan module that passive GPUs need")
    chassis: list[PartId] = Field(default_factory=list, description="chassis that the maker names for it; empty = any")
    power: Power = Field(Power(), description="electrical draw")


class Rail(Part):
    """A rail kit."""

    kind: Literal["rail"] = Field(description="kind of part")
    chassis: list[PartId] = Field(default_factory=list, description="chassis that the maker names for it; empty = any")


class Option(Part):
    """Any other orderable part of a maker: cages, enablement kits, GPU modes, bezels, trackers."""

    kind: Literal["option"] = Field(description="kind of part")
    chassis: list[PartId] = Field(default_factory=list, description="chassis that the maker names for it; empty = any")
    power: Power = Field(Power(), description="electrical draw")


class Licence(Part):
    """A software licence or subscription."""

    kind: Literal["licence"] = Field(description="kind of part")
    metric: Literal["per-gpu", "per-concurrent-user", "per-node", "per-cpu", "none"] | None = Field(
        None, description="what one licence counts; none: the software is free"
    )
    product: Literal["ai-enterprise", "vws", "vpc", "vapps", "vcs", "render", "os", "management", "other"] | None = (
        Field(None, description="what it licenses")
    )
    term_years: Count | None = Field(None, description="years of a subscription; absent = not known")
    engine: str | None = Field(None, description="render engine, as a workload names it: octane, redshift …")
    gpus_max: Count | None = Field(None, description="GPUs that one session of the software uses at most")


class Service(Part):
    """Work or support that is quoted with hardware."""

    kind: Literal["service"] = Field(description="kind of part")
    unit: Literal["each", "hour", "day", "year"] = Field("each", description="what one piece of it is")
