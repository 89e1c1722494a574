"""Rendering and virtual desktops: what one GPU must hold, and how many GPUs do the work."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rackwright.diagnostic import Message, sentence
from rackwright.frozen import frozen
from rackwright.workloads.architecture import GIB
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import Term
from rackwright.workloads.shape import VdiProfile


@frozen(slots=True)
class RenderEngine:
    """What a render engine does with several GPUs. `does_pool`: memory over NVLink counts, at least in part.

    `gpus_max`: GPUs of one session; None = no limit stated. `licence`: what one licence counts.
    """

    name: str
    does_pool: bool
    has_out_of_core: bool
    gpus_max: int | None
    licence: str
    host_memory_per_video_memory: float | None
    doc: str


# Statements of the makers (read 2026-12-01). No engine adds the memory of cards without NVLink.
ENGINES: dict[str, RenderEngine] = {
    "octane": RenderEngine("Octane", False, True, 200, "per-machine", None, "docs.otoy.com, network rendering"),
    "redshift": RenderEngine("Redshift", False, True, 8, "per-machine", 2.0, "support.maxon.net 23810462477852"),
    "v-ray": RenderEngine("V-Ray GPU", True, True, None, "per-machine", None, "docs.chaos.com, V-Ray GPU FAQ"),
    "cycles": RenderEngine("Cycles", True, False, None, "none", None, "Blender manual, GPU rendering"),
    "vred": RenderEngine("VRED", True, False, None, "per-product", None, "Autodesk VRED help, GPU ray tracing"),
}


def render_engine(name: str | None) -> RenderEngine | None:
    """Return what is known of an engine, by its usual name; None if it is not known."""
    if name is None:
        return None
    plain = name.strip().lower().replace(" ", "-").replace("vray", "v-ray").removesuffix("-gpu")
    return ENGINES.get(plain)


def scene_terms(scene_gb: float, assumptions: Assumptions) -> tuple[Term, ...]:
    """The largest scene and a reserve, on EACH GPU that renders it."""
    scene = scene_gb * 1e9 / GIB
    reserve = assumptions.render_reserve_ratio
    return (
        Term("scene", scene, sentence("{scene_gb} for the largest scene, whole on each GPU", scene_gb=scene_gb)),
        Term(
            "reserve",
            scene * reserve,
            sentence("{reserve_percent} % for what a scene takes beyond that", reserve_percent=round(100 * reserve)),
        ),
    )


def frames_per_h(frame_gpu_s: float, gpus: int) -> float:
    """Frames an hour of independent frames: the GPUs add up."""
    return 3600 / frame_gpu_s * gpus


def gpus_for_frames(frames: int, frame_gpu_s: float, duration_max_h: float) -> int:
    """GPUs that render `frames` frames in time, each GPU one frame after the other."""
    each = math.floor(duration_max_h * 3600 / frame_gpu_s)
    return math.ceil(frames / each) if each else frames


def users_per_gpu(gpu: GpuSpec, profile: VdiProfile) -> int | None:
    """Users of one profile on one GPU: its memory over that of the profile, no more than the maker's table has.

    None if the memory is not stated.
    """
    if gpu.memory_gb is None:
        return None
    users = gpu.memory_gb / profile_gb(profile)
    return math.floor(min(users, gpu.vgpu_users.get(profile.profile, users)))


def profile_gb(profile: VdiProfile) -> int:
    """Memory of one virtual GPU: the number of its name."""
    return int(profile.profile[:-1])


def edition(profile: VdiProfile) -> str:
    """Licence that a profile needs, by its letter (NVIDIA virtual GPU packaging and licensing guide)."""
    return {"A": "vapps", "B": "vpc", "Q": "vws", "C": "ai-enterprise"}[profile.profile[-1]]


def profile_term(gpu: GpuSpec, profile: VdiProfile) -> Term:
    """The virtual GPUs of one profile that share one GPU."""
    users = users_per_gpu(gpu, profile) or 0
    size = profile_gb(profile)
    how = sentence("{users} users with {size_gb} each", users=users, size_gb=size)
    return Term("profile", users * size * 1e9 / GIB, how)


def gpus_for_profiles(gpu: GpuSpec, profiles: Sequence[VdiProfile]) -> int | None:
    """GPUs of a pool. A GPU takes profiles of one size only: mixed sizes may hold fewer users. None if not known."""
    total = 0
    for profile in profiles:
        each = users_per_gpu(gpu, profile)
        if each is None:
            return None
        if each == 0:
            return 0
        total += math.ceil(profile.users / each)
    return total


def no_pool(engine: RenderEngine | None, gpus: int) -> Message | None:
    """Say that memory does not add up where more than one GPU renders."""
    if gpus < 2 or (engine is not None and engine.does_pool):
        return None
    return sentence("video memory of several GPUs does not add up: each keeps the whole scene")
