"""What rendering and virtual desktops need on one kind of GPU."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rackwright.diagnostic import Message, sentence
from rackwright.sizing.model import Assignment, Link, Speed
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import MemoryNeed, summed
from rackwright.workloads.pictures import (
    edition,
    frames_per_h,
    gpus_for_frames,
    gpus_for_profiles,
    no_pool,
    profile_term,
    render_engine,
    scene_terms,
    users_per_gpu,
)
from rackwright.workloads.shape import Task
from rackwright.workloads.speed import Band
from rackwright.workloads.verdicts import Fit

_COUNTS = (1, 2, 4, 8)
_FRAME_BAND = (0.9, 1.1)  # a measured frame time varies with the scene; a choice


def render_assignments(task: Task, gpu: GpuSpec, assumptions: Assumptions) -> Iterator[Assignment]:
    """The GPUs that the deadline asks for, or one for each number that is usual; each holds the whole scene."""
    need = summed(scene_terms(task.scene_gb or 0.0, assumptions), gpu, assumptions)
    fit = need.fit if need.fit in (Fit.UNKNOWN, Fit.DOES_NOT_FIT) else Fit.RECOMMENDED  # the reserve is in the sum
    counts: tuple[int, ...] = _COUNTS
    if task.frames is not None and task.frame_gpu_s is not None and task.duration_max_h is not None:
        counts = (gpus_for_frames(task.frames, task.frame_gpu_s, task.duration_max_h),)
    elif task.is_interactive:
        counts = (task.users or 1,)
    for gpus in counts:
        yield _rendering(task, gpu, need, fit, gpus)


def _rendering(task: Task, gpu: GpuSpec, need: MemoryNeed, fit: Fit, gpus: int) -> Assignment:
    engine = render_engine(task.engine)
    rate, is_met = None, None
    if task.frame_gpu_s is not None:
        rate = frames_per_h(task.frame_gpu_s, gpus)
        if task.frames is not None and task.duration_max_h is not None:
            is_met = rate * task.duration_max_h >= task.frames
    notes = [note for note in (no_pool(engine, gpus), _out_of_core(task, fit), _most(task, gpus)) if note is not None]
    figures: dict[str, float | str] = {
        "scene_gb": task.scene_gb or 0.0, "need_gib": need.need_gib, "usable_gib": need.usable_gib or 0.0, "gpus": gpus,
    }  # fmt: skip
    return Assignment(
        task=task,
        model=None,
        precision=None,
        tensor_parallel=1,
        pipeline_parallel=1,
        replicas=gpus,
        gpus=gpus,
        need=need,
        quick=None,
        speed=Speed(
            frames_per_h=Band(rate, rate * _FRAME_BAND[0], rate * _FRAME_BAND[1]) if rate else None,
            is_target_met=is_met,
            notes=tuple(notes),
        ),
        fit=fit,
        link=Link.NONE,
        reason=sentence(
            "a scene of {scene_gb} with its reserve takes {need_gib} of {usable_gib}, whole on each of {gpus} GPUs",
            **figures,
        ),
        host_memory_gb=_host_memory(task, gpu, gpus),
    )


def _host_memory(task: Task, gpu: GpuSpec, gpus: int) -> float | None:
    engine = render_engine(task.engine)
    if engine is None or engine.host_memory_per_video_memory is None or gpu.memory_gb is None:
        return None
    return engine.host_memory_per_video_memory * gpu.memory_gb * gpus


def _out_of_core(task: Task, fit: Fit) -> Message | None:
    engine = render_engine(task.engine)
    if fit is not Fit.DOES_NOT_FIT or engine is None or not engine.has_out_of_core:
        return None
    return sentence("{engine} can keep textures in main memory, which takes more time", engine=engine.name)


def _most(task: Task, gpus: int) -> Message | None:
    engine = render_engine(task.engine)
    if engine is None or engine.gpus_max is None or gpus <= engine.gpus_max:
        return None
    return sentence(
        "{engine} uses {most} GPUs in one session at most: start several", engine=engine.name, most=engine.gpus_max
    )


def vdi_assignments(task: Task, gpu: GpuSpec, assumptions: Assumptions, growth_ratio: float) -> Iterator[Assignment]:
    """The GPUs of a pool, each with virtual GPUs of one size."""
    profiles = task.profiles
    users = sum(profile.users for profile in profiles)
    gpus = gpus_for_profiles(gpu, profiles)
    grown = math.ceil(gpus * (1 + growth_ratio) - 1e-9) if gpus else 1
    largest = max(profiles, key=lambda item: int(item.profile[:-1]))
    term = profile_term(gpu, largest)
    fit = _vdi_fit(gpu, gpus, task)
    need = MemoryNeed((term,), gpu.usable_gib, gpu.is_usable_measured, assumptions.vram_recommended_ratio, fit, None)
    figures: dict[str, float | str] = {
        "users": users, "gpus": grown, "profile": largest.profile, "each": users_per_gpu(gpu, largest) or 0,
        "memory_gb": gpu.memory_gb or 0.0,
    }  # fmt: skip
    yield Assignment(
        task=task,
        model=None,
        precision=None,
        tensor_parallel=1,
        pipeline_parallel=1,
        replicas=grown,
        gpus=grown,
        need=need,
        quick=None,
        speed=Speed(users=users, notes=tuple(_vdi_notes(gpu, task))),
        fit=fit,
        link=Link.NONE,
        reason=sentence(
            "{users} users need {gpus} GPUs: {each} users with {profile} share one GPU of {memory_gb}", **figures
        ),
        host_memory_gb=_users_memory(task),
    )


def _vdi_fit(gpu: GpuSpec, gpus: int | None, task: Task) -> Fit:
    if gpu.is_vgpu_supported is False or gpus == 0 or gpu.market == "consumer":
        return Fit.DOES_NOT_FIT
    listed = gpu.vgpu_products or ()
    is_listed = all(edition(profile) in listed or "vws" in listed for profile in task.profiles)
    return Fit.RECOMMENDED if is_listed and gpus is not None else Fit.UNKNOWN


def _users_memory(task: Task) -> float | None:
    sizes = [(profile.memory_gb, profile.users) for profile in task.profiles]
    return sum(size * users for size, users in sizes if size) if all(size for size, _ in sizes) else None


def _vdi_notes(gpu: GpuSpec, task: Task) -> Iterator[Message]:
    if _vdi_fit(gpu, 1, task) is Fit.UNKNOWN:
        yield sentence("whether {gpu} is listed for the vGPU edition of these profiles is not known", gpu=gpu.title)
    if any(profile.profile not in gpu.vgpu_users for profile in task.profiles):
        yield sentence("the maker's table may list fewer users for small profiles: check it for {gpu}", gpu=gpu.title)
    if len({profile.profile for profile in task.profiles}) > 1:
        yield sentence("each GPU is given profiles of one size; mixed sizes may hold fewer users")
