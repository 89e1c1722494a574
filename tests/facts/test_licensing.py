"""Licences that a workload needs: render engines by machine, virtual desktops by the letter of their profile."""

from __future__ import annotations

from typing import Any

from placement.builders import chassis, gpu, part, placed
from rackwright import catalog
from rackwright.facts.licensing import licensing_facts, users_of
from rackwright.facts.records import plain
from rackwright.workloads.shape import Task, VdiProfile, Workload

BOX, CARD = chassis(), gpu()
REDSHIFT = part("licence", "redshift", metric="per-node", engine="redshift", gpus_max=8)
CYCLES = part("licence", "cycles", metric="none", engine="cycles")


def facts(workload: dict[str, Any], count: int = 1) -> dict[str, Any]:
    node, _ = placed([BOX, CARD], [], count=count, workload=workload)
    found = licensing_facts(node, catalog.index([REDSHIFT, CYCLES]), plain)
    return {name: value for name, value in found.items() if not name.startswith("_")}


def test_an_engine_that_is_licensed_by_machine_counts_the_machines() -> None:
    found = facts({"task": "rendering", "engine": "Redshift"}, count=4)
    assert (found["engine_licences"], found["engine_gpus_max"], found["has_engine_gpu_limit"]) == (4, 8, True)


def test_a_free_engine_needs_none() -> None:
    assert facts({"task": "rendering", "engine": "cycles"}, count=4)["engine_licences"] == 0


def test_an_engine_that_is_not_in_the_catalog_is_not_guessed() -> None:
    found = facts({"task": "rendering", "engine": "another"}, count=4)
    assert "engine_licences" not in found
    assert (found["has_engine"], found["engine"]) == (True, "another")


def test_the_engine_of_one_of_several_tasks_counts() -> None:
    tasks = [{"task": "llm-inference"}, {"task": "rendering", "engine": "redshift"}]
    assert facts({"task": "mixed", "tasks": tasks}, count=2)["engine_licences"] == 2


def test_profiles_are_taken_apart() -> None:
    found = facts({"task": "vdi", "profiles": [{"profile": "4Q", "users": 10}, {"profile": "2B", "users": 30}]})
    profiles = [(p["memory_gb"], p["edition"], p["users"]) for p in found["vgpu_profiles"]]
    assert profiles == [(4.0, "Q", 10), (2.0, "B", 30)]


def test_users_are_those_of_the_profiles_where_no_number_is_stated() -> None:
    profiles = [VdiProfile(profile="4Q", users=10), VdiProfile(profile="2B", users=30)]
    assert users_of(Workload(task="vdi", profiles=profiles)) == 40
    assert users_of(Workload(task="mixed", tasks=[Task(task="vdi", profiles=profiles)])) == 40
    assert users_of(Workload(task="vdi", profiles=profiles, users=25)) == 25
    assert users_of(Workload(task="vdi")) is None
