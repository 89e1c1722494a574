"""Setups that others ran, or could not run."""

import pytest

from rackwright.sizing.serving import Case, assignments, load_of
from rackwright.workloads.shape import Task
from rackwright.workloads.verdicts import Fit

from .reference import GPUS, assumptions, gpu, model, records

NAMES = {"h20_96": "h100_sxm_80"}
PRECISIONS = {"int4-awq": "int4"}
# Reports that contradict plain arithmetic for a reason that no request tells: an engine set to 0.70 of the memory that
# converts a 16-bit file while it loads, and reference code that keeps the cache of a maximum of requests.
TOLD_BY_NOTHING = {"F039", "F041"}


def answer(fact):
    """Our answer for a report; None if the catalog does not have its card."""
    if fact["gpu"] not in GPUS:
        return None
    precision = PRECISIONS.get(fact["prec"], fact["prec"])
    spec = model(fact["model"])
    task = Task(
        task="llm-inference",
        model=fact["model"],
        precision=precision,
        context_tokens=fact["ctx"],
        concurrent_requests=fact["conc"],
        tensor_parallel=fact["tp"],
    )
    load = load_of(task, spec, assumptions(), 0.0)
    found = list(assignments(Case(task, spec, gpu(fact["gpu"]), load, assumptions(), precision)))
    return [item for item in found if item.replicas == 1]


def facts():
    return [fact for fact in records("reported_fit.yaml") if "reason" not in fact]


def test_nothing_is_recommended_that_was_reported_not_to_fit():
    refused = [fact for fact in facts() if fact["v"] == "no" and fact["id"] not in TOLD_BY_NOTHING]
    judged = {fact["id"]: answer(fact) for fact in refused}
    wrong = [key for key, items in judged.items() if items and any(item.fit is Fit.RECOMMENDED for item in items)]
    assert (len([items for items in judged.values() if items]), wrong) == (19, [])


def test_what_ran_is_not_refused():
    """One plan of a document fails our sum: gpt-oss-120b with ten requests on one H100 (102 %)."""
    ran = [fact for fact in facts() if fact["v"] == "fits" and fact["gpu"] in GPUS and fact["prec"] != "fp32"]
    refused = [fact["id"] for fact in ran if all(item.fit is Fit.DOES_NOT_FIT for item in answer(fact) or [])]
    assert (len(ran), refused) == (19, ["F037"])


@pytest.mark.parametrize(("name", "gpus"), [("falcon-7b", 2), ("qwen2.5-32b", 6)])
def test_heads_that_do_not_divide_are_refused(name, gpus):
    """Falcon 7B has 71 heads; 40 heads over 6 GPUs leave 4 (vLLM discussion 1041, issue 4232)."""
    assert not model(name).is_split_allowed(gpus)
