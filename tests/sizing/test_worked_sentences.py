"""Sentences of the trade and what our sum says of them: share of the usable memory of the fullest GPU, and verdict.

The sentences are from "GPU-Server für LLM-Inferenz richtig wählen" (2026), article of ChangFan. A card of 24 GB is an
L4 (22.05 GiB), of 48 GB an L40S (44.99), of 80 GB an A100 (79.2), of 141 GB an H200 (139.8), of 96 GB an RTX PRO 6000
Server Edition (95.59).
"""

import dataclasses

import pytest

from rackwright.workloads.memory import Serving, Split, serving_terms, summed
from rackwright.workloads.verdicts import Fit

from .reference import assumptions, gpu, model

CARDS = {"24": "l4_24", "48": "l40s_48", "80": "a100_80", "141": "h200_sxm_141", "96": "rtx_pro_6000_se_96"}
CASES = [
    # model, format, GPUs, card, tokens, requests, percent, verdict
    ("llama-3.1-8b", "int8", 1, "24", 4096, 4, 63, "recommended"),
    ("llama-3.1-8b", "bf16", 1, "24", 4096, 1, 86, "tight"),
    ("llama-3.1-8b", "bf16", 1, "24", 4096, 8, 102, "does-not-fit"),
    ("llama-3.1-8b", "bf16", 2, "24", 4096, 8, 60, "recommended"),
    ("llama-3.1-8b", "bf16", 1, "48", 8192, 16, 77, "recommended"),
    ("llama-3.1-70b", "int8", 2, "48", 4096, 1, 85, "tight"),
    ("llama-3.1-70b", "int8", 4, "24", 4096, 1, 96, "tight"),
    ("llama-3.1-70b", "int8", 4, "48", 8192, 16, 68, "recommended"),
    ("llama-3.1-70b", "int8", 4, "48", 32768, 8, 91, "tight"),
    ("llama-3.1-70b", "int8", 4, "48", 32768, 16, 135, "does-not-fit"),
    ("llama-3.1-70b", "int4", 1, "48", 4096, 1, 94, "tight"),
    ("llama-3.1-70b", "int4", 2, "48", 8192, 8, 73, "recommended"),
    ("llama-3.1-70b", "bf16", 4, "48", 4096, 1, 82, "tight"),
    ("llama-3.1-70b", "bf16", 4, "80", 8192, 16, 59, "recommended"),
    ("llama-3.1-70b", "bf16", 2, "141", 8192, 16, 64, "recommended"),
    ("llama-3.1-70b", "nvfp4", 1, "96", 8192, 8, 66, "recommended"),
    ("llama-3.1-70b", "fp8", 1, "96", 4096, 1, 76, "recommended"),
    ("falcon-180b", "bf16", 8, "80", 2048, 8, 58, "recommended"),
    ("falcon-180b", "int8", 4, "80", 2048, 8, 59, "recommended"),
    ("falcon-180b", "int8", 8, "48", 2048, 8, 56, "recommended"),
    ("deepseek-r1", "fp8", 8, "141", 8192, 16, 65, "recommended"),
    ("deepseek-r1", "fp8", 8, "80", 8192, 1, 104, "does-not-fit"),  # with 16 requests 115
]


def need_of(name, precision, gpus, card, tokens, requests):
    spec = model(name)
    serving = Serving(precision, tokens, requests)
    return summed(serving_terms(spec, serving, Split(gpus), assumptions()), gpu(CARDS[card]), assumptions())


@pytest.mark.parametrize(("name", "precision", "gpus", "card", "tokens", "requests", "percent", "verdict"), CASES)
def test_the_sum_and_its_verdict(name, precision, gpus, card, tokens, requests, percent, verdict):
    need = need_of(name, precision, gpus, card, tokens, requests)
    told = ", ".join(f"{term.name} {term.need_gib:.2f}" for term in need.terms)
    assert need.fit is Fit(verdict), told
    assert abs(100 * need.used_ratio - percent) <= 1, f"{100 * need.used_ratio:.1f} %: {told}"


def test_a_need_above_the_share_of_engines_says_so():
    need = need_of("llama-3.1-70b", "int8", 4, "48", 32768, 8)  # 91 %
    assert str(need.note) == "above the 90 % of the memory that engines take by default: they must be set to use more"


def test_the_policy_moves_the_verdict():
    strict = dataclasses.replace(assumptions(), vram_recommended_ratio=0.7)
    terms = serving_terms(model("llama-3.1-70b"), Serving("nvfp4", 8192, 12), Split(1), strict)
    assert summed(terms, gpu("rtx_pro_6000_se_96"), strict).fit is Fit.TIGHT  # 39.8 + 30 + 3.5 = 73.3 of 95.59: 77 %
    assert summed(terms, gpu("rtx_pro_6000_se_96"), assumptions()).fit is Fit.RECOMMENDED
