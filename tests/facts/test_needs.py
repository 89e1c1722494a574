"""What a node's workload needs, worked out from the model: the rules WRK007 to WRK010 judge it."""

from pathlib import Path
from typing import Any

import pytest

from rackwright import api
from rackwright.configuration import ConfigurationFile
from rackwright.readers.configuration_file import configuration_of, read_configuration
from rackwright.source import Locations

ROOT = Path(__file__).resolve().parents[2]
SEVENTY = {"task": "llm-inference", "model": "llama-3.3-70b", "precision": "fp8", "context_tokens": 8192}


@pytest.fixture(scope="module")
def workshop():
    return api.load_workshop()


def judged(workshop: api.Workshop, workload: dict[str, Any], gpus: int = 4, gpu: str = "nvidia/l40s") -> dict[str, Any]:
    """The verdicts of the workload rules on a node with so many of a GPU, and the findings on the file."""
    node = {
        "id": "infer",
        "chassis": "dell/poweredge-r760xa",
        "parts": [{"part": gpu, "count": gpus}],
        "workload": workload,
    }
    configuration = configuration_of({"nodes": [node]})
    run = api.validate(ConfigurationFile(configuration, Locations("c.yaml")), workshop)
    found: dict[str, Any] = {item.rule: item for item in run.verdicts if item.rule.startswith("WRK")}
    found["codes"] = [item.code for item in run.findings]
    return found


def outcomes(found: dict[str, Any]) -> list[str]:
    return [found[f"WRK{number:03}"].outcome.value for number in (7, 8, 9, 10)]


def test_a_model_over_four_cards(workshop):
    """70B in fp8 over four L40S: 67.67/4 + 16 x 0.625 + 3.5 + 0.38 = 30.8 of 44.99 GiB, 68 %."""
    assert outcomes(judged(workshop, {**SEVENTY, "concurrent_requests": 16})) == ["pass"] * 4


def test_the_sum_is_in_the_message(workshop):
    found = judged(workshop, {**SEVENTY, "precision": "bf16", "concurrent_requests": 16})
    assert str(found["WRK007"].message) == (
        "Llama 3.3 70B needs 46.74 GiB on one GPU: weights 32.85 GiB, cache 10 GiB, other 3.88 GiB; "
        "44.99 GiB can be used"
    )


def test_without_the_number_of_requests_it_is_unknown(workshop):
    found = judged(workshop, SEVENTY)
    assert found["WRK007"].outcome.value == "unknown"
    assert [str(item) for item in found["WRK007"].missing] == ["workload.concurrent_requests of infer"]


def test_a_stated_need_still_counts_and_nothing_is_worked_out(workshop):
    found = judged(workshop, {**SEVENTY, "concurrent_requests": 16, "memory_gb": 160})
    assert (found["WRK001"].outcome.value, found["WRK007"].outcome.value) == ("pass", "not_applicable")


def test_a_model_that_the_catalog_lacks_is_a_finding(workshop):
    found = judged(workshop, {**SEVENTY, "model": "llama-3.3-7b", "concurrent_requests": 1})
    assert (found["codes"], found["WRK007"].outcome.value) == (["CFG062"], "unknown")


def test_a_model_may_be_a_word_where_the_memory_is_stated(workshop):
    found = judged(workshop, {"task": "llm-inference", "model": "70B, INT8", "memory_gb": 100})
    assert (found["codes"], found["WRK001"].outcome.value) == ([], "pass")


def test_two_tasks_need_more_gpus_than_there_are(workshop):
    tasks = [{**SEVENTY, "concurrent_requests": 16, "tensor_parallel": 4}, {"task": "rendering", "scene_gb": 20}]
    found = judged(workshop, {"task": "mixed", "tasks": tasks})
    assert str(found["WRK009"].message) == "the tasks need 5 GPUs together; this node has 4"


def test_desktops_are_counted_by_their_profiles(workshop):
    """Twelve users with 4Q share an L40S: 60 need five."""
    found = judged(workshop, {"task": "vdi", "profiles": [{"profile": "4Q", "users": 60}]})
    assert str(found["WRK009"].message) == "the tasks need 5 GPUs together; this node has 4"


def test_a_card_without_the_number_format(workshop):
    found = judged(workshop, {**SEVENTY, "concurrent_requests": 4}, gpu="nvidia/a100-pcie-80gb")
    assert str(found["WRK010"].message).startswith("the weights are planned in fp8; NVIDIA A100 PCIe 80 GB")


def test_full_training_shares_as_little_as_fits(workshop):
    """8B in full over four L40S: 128.5 GB of states; stage 3 leaves 29.9 GiB each, with all the rest 41.8."""
    task = {"task": "training", "model": "llama-3.1-8b", "method": "full", "sequence_tokens": 2048}
    assert outcomes(judged(workshop, task)) == ["pass", "fail", "pass", "not_applicable"]


def test_the_examples_are_still_read():
    file, findings = read_configuration(ROOT / "examples" / "inference-4x-l40s" / "configuration.yaml")
    assert file is not None
    assert findings == []
