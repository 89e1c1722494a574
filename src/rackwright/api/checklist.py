"""The questions before buying, for a run."""

from __future__ import annotations

from typing import Any

from rackwright.api.runs import Run
from rackwright.proposal.checklist import answered, outcomes
from rackwright.proposal.sizing_model import GroupView
from rackwright.proposal.texts import Texts
from rackwright.sizing import Option


def checklist_of(run: Run, texts: Texts, sizing: dict[str, Any] | None = None) -> tuple[GroupView, ...]:
    """Answer the questions for the first node with a workload; nothing without one.

    `sizing` are the facts that sizing found out; without them what rests on them stays open.
    """
    node = next((record for record in run.nodes if record.get("has_workload")), None)
    if node is None or run.order is None or run.book is None:
        return ()
    from rackwright.readers.checklist_file import read_checklist

    scope = {"node": node, "order": run.order, "checks": outcomes(run.verdicts), "sizing": sizing or {}}
    return answered(read_checklist(), scope, node["workload"]["kinds"], run.book.value, texts)


def sizing_facts(option: Option) -> dict[str, Any]:
    """Return what an option says to the checklist; what it does not know is absent."""
    items = option.assignments
    needs = [item.need for item in items if item.need is not None and item.need.used_ratio is not None]
    fullest = max(needs, key=lambda need: need.used_ratio or 0, default=None)
    stored = sum(item.store_gb or 0 for item in items)
    facts: dict[str, Any] = {
        "gpus_per_task_max": max((item.tensor_parallel * item.pipeline_parallel for item in items), default=None),
        "replicas_max": max((item.replicas for item in items), default=None),
        "link": option.link.value,
        "need_gib": round(fullest.need_gib, 1) if fullest is not None else None,
        "usable_gib": round(fullest.usable_gib, 1) if fullest is not None and fullest.usable_gib else None,
        "store_gb": round(stored) or None,
    }
    return {name: value for name, value in facts.items() if value is not None}
