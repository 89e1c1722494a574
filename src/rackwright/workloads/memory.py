"""How much video memory: weights, cache, activations, runtime, for ONE GPU of a split. Bytes inside, GiB outside."""

from __future__ import annotations

import math

from rackwright.diagnostic import Message, sentence
from rackwright.frozen import frozen
from rackwright.workloads.architecture import GIB, ModelSpec
from rackwright.workloads.assumptions import Assumptions
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.precision import BYTES, QUICK_BYTES, cache_bytes
from rackwright.workloads.verdicts import Fit

# Buffers of the exchange between GPUs, GiB by tensor parallelism (aiconfigurator-core 0.12.0, read 2026-12-01).
_EXCHANGE_GIB = {1: 0.0, 2: 0.334, 4: 0.383}
_EXCHANGE_MANY_GIB = 0.383
# Activations of one pass over n tokens: 2 n max(hidden, heads x width) c bytes; c by tensor parallelism, twice for a
# mixture of experts. Read off the grid of aiconfigurator 0.12.0, exact for dense models; vLLM logged 2.07 GiB where
# it gives 1.68 (issue 10517). Latent attention with experts: c = 10 + experts/8, of the hidden width.
_PASS = {1: 11.0, 2: 6.5}
_PASS_MANY = 5.0
# Engines give the cache out in blocks of this many tokens (vLLM).
BLOCK_TOKENS = 16


@frozen(slots=True)
class Term:
    """One line of the sum. `name` is a stable key: weights, cache, activations, runtime, exchange, gradients,
    optimiser, adapters, logits, scene, reserve, profile, stated. `how` is its arithmetic for a person.
    """

    name: str
    need_gib: float
    how: Message


@frozen(slots=True)
class MemoryNeed:
    """The sum for one GPU against what it can really use.

    `usable_gib` is None if nobody states the memory of the card; `is_usable_measured` is False if it is the rule's
    share of the nominal size. `recommended_ratio` is the share up to which a need is `recommended` (policy).
    `note` is set where more than the default share of an engine would have to be released (`vram_use_ratio`).
    """

    terms: tuple[Term, ...]
    usable_gib: float | None
    is_usable_measured: bool
    recommended_ratio: float
    fit: Fit
    note: Message | None = None

    @property
    def need_gib(self) -> float:
        """The whole sum."""
        return sum(term.need_gib for term in self.terms)

    @property
    def free_gib(self) -> float | None:
        """What is left of the usable memory; below zero if it does not fit."""
        return None if self.usable_gib is None else self.usable_gib - self.need_gib

    @property
    def used_ratio(self) -> float | None:
        """The need as a share of the usable memory."""
        return None if self.usable_gib is None else self.need_gib / self.usable_gib


@frozen(slots=True)
class QuickRule:
    """The rule of thumb beside the sum: 2, 1 or 0.5 byte a parameter, and 15 to 30 % for cache and runtime.

    For all GPUs of a replica together, in GB as the trade counts. `fit` is what the rule would say of them; `differs`
    says in a sentence how that differs from the sum and why, None where both agree.
    """

    low_gb: float
    high_gb: float
    memory_gb: float
    fit: Fit
    differs: Message | None = None


@frozen(slots=True)
class Split:
    """How one copy of a model is spread: GPUs that share each layer, times stages of layers."""

    tensor: int = 1
    pipeline: int = 1

    @property
    def gpus(self) -> int:
        """GPUs of one copy."""
        return self.tensor * self.pipeline


@frozen(slots=True)
class Serving:
    """What one copy has to hold: number format, tokens of the longest sequences, how many of them at a time."""

    precision: str
    context_tokens: int
    concurrent_requests: int
    cache_precision: str | None = None
    has_chunked_prefill: bool = True
    prompt_tokens: int | None = None


def judge(need_gib: float, usable_gib: float | None, assumptions: Assumptions) -> Fit:
    """Does not fit, tight, recommended: the need against the usable memory and the reserve of the policy."""
    if usable_gib is None:
        return Fit.UNKNOWN
    if need_gib > usable_gib:
        return Fit.DOES_NOT_FIT
    return Fit.RECOMMENDED if need_gib <= assumptions.vram_recommended_ratio * usable_gib else Fit.TIGHT


def summed(terms: tuple[Term, ...], gpu: GpuSpec, assumptions: Assumptions) -> MemoryNeed:
    """Put the terms of one GPU beside what it can use."""
    need = sum(term.need_gib for term in terms)
    note = None
    if gpu.usable_gib is not None and assumptions.vram_use_ratio * gpu.usable_gib < need <= gpu.usable_gib:
        note = sentence(
            "above the {used_percent} % of the memory that engines take by default: they must be set to use more",
            used_percent=round(100 * assumptions.vram_use_ratio),
        )
    return MemoryNeed(
        terms,
        gpu.usable_gib,
        gpu.is_usable_measured,
        assumptions.vram_recommended_ratio,
        judge(need, gpu.usable_gib, assumptions),
        note,
    )


def serving_terms(model: ModelSpec, serving: Serving, split: Split, assumptions: Assumptions) -> tuple[Term, ...]:
    """The sum for one GPU that serves its part of a model: weights, cache, runtime, exchange, and one prompt pass."""
    terms = [
        weights_term(model, serving.precision, split),
        _cache_term(model, serving, split),
        Term("runtime", assumptions.runtime_gib, sentence("CUDA context, graphs, allocator and chunks of a prompt")),
    ]
    if split.gpus > 1:
        terms.append(_exchange_term(split))
    if not serving.has_chunked_prefill:
        terms.append(_pass_term(model, serving, split))
    return tuple(terms)


def weights_term(model: ModelSpec, precision: str, split: Split) -> Term:
    """The weights on one GPU; stages of a pipeline get whole layers, so the largest has the layers rounded up."""
    whole = model.weight_bytes(precision)
    share = math.ceil(model.layers / split.pipeline) / model.layers / split.tensor
    figures: dict[str, float | str] = {
        "parameters": model.parameters / 1e9, "precision": precision, "byte_count": BYTES[precision],
        "weights_gib": whole / GIB, "gpus": split.gpus,
    }  # fmt: skip
    if model.measured_weights_gib.get(precision) is not None:
        how = sentence("{weights_gib} as engines report for {precision}, divided by {gpus}", **figures)
    else:
        how = sentence(
            "{parameters} billion parameters in {precision} at {byte_count} byte each, the embedding at 2: "
            "{weights_gib}, divided by {gpus}",
            **figures,
        )
    return Term("weights", whole * share / GIB, how)


def cache_gib(model: ModelSpec, serving: Serving, split: Split) -> float:
    """Cache of ONE sequence on one GPU, rounded up to whole blocks."""
    blocks = math.ceil(serving.context_tokens / BLOCK_TOKENS)
    whole = model.cache_bytes(blocks * BLOCK_TOKENS, split.tensor, cache_bytes(serving.cache_precision))
    return whole * math.ceil(model.layers / split.pipeline) / model.layers / GIB


def base_gib(model: ModelSpec, serving: Serving, split: Split, assumptions: Assumptions) -> float:
    """Everything on one GPU that does not depend on the number of requests."""
    terms = serving_terms(model, serving, split, assumptions)
    return sum(term.need_gib for term in terms if term.name != "cache")


def requests_that_fit(
    model: ModelSpec, serving: Serving, split: Split, memory_gib: float, assumptions: Assumptions
) -> int:
    """Return how many requests of the full context a copy holds in `memory_gib` of each GPU; 0 if not even one.

    Above that number requests queue: the knee.
    """
    free = memory_gib - base_gib(model, serving, split, assumptions)
    return max(0, math.floor(free / cache_gib(model, serving, split) + 1e-9))


def _cache_term(model: ModelSpec, serving: Serving, split: Split) -> Term:
    each = cache_gib(model, serving, split)
    how = sentence(
        "{requests} requests of {tokens} tokens, {each_gib} each on this GPU",
        requests=serving.concurrent_requests, tokens=serving.context_tokens, each_gib=each,
    )  # fmt: skip
    return Term("cache", each * serving.concurrent_requests, how)


def _exchange_term(split: Split) -> Term:
    size = _EXCHANGE_GIB.get(split.tensor, _EXCHANGE_MANY_GIB)
    return Term("exchange", size, sentence("buffers for the exchange between {gpus} GPUs", gpus=split.gpus))


def _pass_term(model: ModelSpec, serving: Serving, split: Split) -> Term:
    tokens = serving.prompt_tokens or serving.context_tokens
    return Term(
        "activations",
        pass_gib(model, tokens, split.tensor),
        sentence("one pass over a prompt of {tokens} tokens", tokens=tokens),
    )


def pass_gib(model: ModelSpec, tokens: int, tensor_parallel: int) -> float:
    """Activations of one pass over `tokens` tokens on one GPU, if the engine reads a prompt in one go."""
    if model.is_kv_replicated and model.experts:
        return 2 * tokens * model.hidden * (10 + model.experts / 8) / GIB
    width = max(model.hidden, model.heads * model.head_dim)
    several = 2 if model.experts and model.experts_active > 1 else 1
    return 2 * tokens * width * _PASS.get(tensor_parallel, _PASS_MANY) * several / GIB


def quick_rule(
    model: ModelSpec, precision: str, gpu: GpuSpec, gpus: int, need: MemoryNeed, assumptions: Assumptions
) -> QuickRule | None:
    """Return the rule of thumb for one copy on `gpus` GPUs; None if the memory of the GPU is not known."""
    if gpu.memory_gb is None:
        return None
    plain = model.parameters * QUICK_BYTES[precision] / 1e9
    low, high = plain * (1 + assumptions.quick_rule_low_ratio), plain * (1 + assumptions.quick_rule_high_ratio)
    memory = gpu.memory_gb * gpus
    fit = Fit.RECOMMENDED if high <= memory else Fit.TIGHT if low <= memory else Fit.DOES_NOT_FIT
    return QuickRule(low, high, memory, fit, _difference(fit, need))


def _difference(quick: Fit, need: MemoryNeed) -> Message | None:
    if quick is need.fit or need.used_ratio is None:
        return None
    cache = sum(term.need_gib for term in need.terms if term.name == "cache")
    if quick is Fit.RECOMMENDED:
        return sentence(
            "the rule of thumb has no term for context and requests ({cache_gib} here) and counts the whole memory of "
            "the card; the sum takes {used_percent} % of what can be used",
            cache_gib=cache, used_percent=round(100 * need.used_ratio),
        )  # fmt: skip
    return sentence(
        "the rule of thumb adds a fixed share to the weights; the sum has {cache_gib} for context and requests and "
        "takes {used_percent} % of what can be used",
        cache_gib=cache, used_percent=round(100 * need.used_ratio),
    )  # fmt: skip
