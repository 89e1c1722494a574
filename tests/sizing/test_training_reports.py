"""Training: what was measured, and what was reported not to fit."""

import pytest

from rackwright.workloads.architecture import GIB
from rackwright.workloads.memory import summed
from rackwright.workloads.training import Training, host_memory_gb, training_terms
from rackwright.workloads.verdicts import Fit

from .reference import assumptions, gpu, model

# Peaks of one GPU in GB, bf16, at most 512 tokens (Lightning-AI/litgpt config_hub/finetune/README.md @2685705).
LORA = [("llama-3-8b", 1, 19.73), ("llama-3.2-1b", 1, 4.49), ("phi-2", 4, 13.98), ("llama-2-7b", 2, 19.77)]
# Setups that did not fit: model, training, card.
REFUSED = {
    "G009": ("gemma-2-9b", Training("lora", 512), "a10g_24"),
    "G010": ("gemma-2-9b", Training("lora", 512, gpus=4), "a10g_24"),
    "G015": ("llama-3-8b", Training("full", 512, 4, gpus=4, zero_stage=3), "a10g_24"),
    "G038": ("llama-2-13b", Training("full", 512, gpus=2, zero_stage=3, checkpointing="full"), "a100_80"),
    "G039": ("llama-3-8b", Training("full", 512, 2, gpus=2, zero_stage=2, is_offloaded=True), "a100_40"),
    "G048": ("llama-3-70b", Training("qlora", 512, gpus=4), "a10g_24"),
    "G049": ("llama-2-70b", Training("lora", 512), "a100_40"),
}
RAN = {
    "G034": ("llama-2-7b", Training("full", 512, gpus=4, zero_stage=3), "a100_40"),
    "G036": ("llama-2-7b", Training("full", 512, gpus=8, zero_stage=3, is_offloaded=True), "a100_40"),
    "G050": ("llama-3-70b", Training("full", 512, gpus=16, zero_stage=3, checkpointing="full"), "a100_80"),
    "G051": ("llama-3-70b", Training("lora", 512, gpus=8, zero_stage=3), "a100_80"),
}


def need_gb(name, training):
    return sum(term.need_gib for term in training_terms(model(name), training)) * GIB / 1e9


@pytest.mark.parametrize(("name", "batch", "measured_gb"), LORA)
def test_lora_is_within_ten_percent(name, batch, measured_gb):
    own = need_gb(name, Training("lora", 512, batch))
    assert abs(own / measured_gb - 1) <= 0.10, f"{own:.2f} GB, measured {measured_gb}"


@pytest.mark.parametrize("key", REFUSED)
def test_what_did_not_fit_is_refused(key):
    name, training, card = REFUSED[key]
    need = summed(training_terms(model(name), training), gpu(card), assumptions())
    assert need.fit is Fit.DOES_NOT_FIT, f"{need.need_gib:.1f} of {need.usable_gib} GiB"


@pytest.mark.parametrize("key", RAN)
def test_what_ran_is_not_refused(key):
    name, training, card = RAN[key]
    need = summed(training_terms(model(name), training), gpu(card), assumptions())
    assert need.fit in (Fit.RECOMMENDED, Fit.TIGHT), f"{need.need_gib:.1f} of {need.usable_gib} GiB"


def test_sixteen_gigabytes_of_main_memory_are_too_few_for_8b():
    """G054: 180 GB of video memory, and 16 GB of main memory."""
    assert host_memory_gb(model("llama-3-8b"), Training("qlora", 512, gpus=4, zero_stage=3)) == pytest.approx(42.06)


def test_states_of_full_training():
    """13.016 billion x 16 bytes = 208.3 GB on one GPU; stage 3 over four leaves 52.1, stage 2 leaves 26 + 45.6, stage 1
    52.1 + 39: 2 + 2 + 12/4 bytes.
    """
    states = {"weights", "gradients", "optimiser"}
    own = [
        sum(
            term.need_gib
            for term in training_terms(model("llama-2-13b"), Training("full", 512, gpus=4, zero_stage=stage))
            if term.name in states
        )
        * GIB
        / 1e9
        for stage in (0, 1, 2, 3)
    ]
    assert own == pytest.approx([208.256, 91.112, 71.588, 52.064])
