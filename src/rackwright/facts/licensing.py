"""What a workload needs licences for: virtual GPUs by their profile, render engines by machine."""

from __future__ import annotations

from rackwright.catalog import Catalog, Part
from rackwright.facts.records import Make, Record, known
from rackwright.placement.model import NodePlacement
from rackwright.workloads.shape import Workload


def users_of(workload: Workload | None) -> int | None:
    """Return the concurrent users as stated, else those of the profiles of virtual desktops; None if nobody says."""
    if workload is None:
        return None
    profiles = [profile for task in (workload, *workload.tasks) for profile in task.profiles]
    if workload.users is not None or not profiles:
        return workload.users
    return sum(profile.users for profile in profiles)


def licensing_facts(placed: NodePlacement, catalog: Catalog, make: Make) -> Record:
    """Return the facts of a node's workload on licences; empty without a workload.

    `engine_licences` counts the machines of this kind for a render engine that is licensed by machine, 0 for one that
    is free. Unknown: absent for an engine that the catalog does not have.
    """
    workload = placed.node.workload
    if workload is None:
        return {}
    named = next((task.engine for task in (workload, *workload.tasks) if task.engine), None)
    engine = _engine(named, catalog) if named else None
    metric = engine.get("metric") if engine is not None else None
    needed = {"per-node": placed.node.count, "none": 0}.get(metric) if metric is not None else None
    return known(
        lambda: {"engine_licences": [({"id": named or "", **(engine.data if engine is not None else {})}, "metric")]},
        has_engine=named is not None,
        engine=engine.get("engine") if engine is not None else named,
        engine_licences=needed if named else 0,
        engine_gpus_max=engine.get("gpus_max") if engine is not None else None,
        has_engine_gpu_limit=engine is not None and engine.get("gpus_max") is not None,
        vgpu_profiles=_profiles(workload, make),
    )


def _engine(name: str, catalog: Catalog) -> Part | None:
    wanted = name.strip().lower().replace(" ", "-")
    licences = (part for part in catalog.of_kind("licence") if part.get("engine"))
    return next((part for part in licences if part.get("engine") == wanted), None)


def _profiles(workload: Workload, make: Make) -> list[Record]:
    return [
        make(
            "vgpu_profile",
            known(
                id=profile.profile,
                memory_gb=float(profile.profile[:-1]),
                edition=profile.profile[-1],
                users=profile.users,
            ),
        )
        for task in (workload, *workload.tasks)
        for profile in task.profiles
    ]
