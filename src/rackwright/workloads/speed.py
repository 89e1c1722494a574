"""How fast: decode by memory bandwidth, prefill by compute, and what the exchange between GPUs adds.

One step gives every running request one token. It reads the weights (of the experts that are touched) and the cache of
all running requests, waits for two exchanges in each layer, and is held up by the prompts of the others:

    time per token = bytes / (GPUs x bandwidth x 0.68) + layers x (overhead + 2 x exchange)
                     + (running - 1) x time of a prompt / answer

An exchange of b bytes takes start + 2 (n - 1)/n x b / bus bandwidth (nccl-tests, PERFORMANCE.md). The constants were
fitted on published measurements of SXM systems (below); a GPU of another architecture gets no figure.
"""

from __future__ import annotations

from rackwright.diagnostic import Message, sentence
from rackwright.frozen import frozen
from rackwright.workloads.architecture import ModelSpec
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import Serving, Split
from rackwright.workloads.precision import BYTES, cache_bytes

# Fitted on 699 published time-to-first-token and time-per-token medians (aiconfigurator-core 0.12.0, silicon sample,
# read 2026-12-01): share of the printed bandwidth that a whole model reaches.
_BANDWIDTH_USE = 0.68
# Overhead of a layer in ms and share of the dense compute for other people's prompts, by kind of model and number
# format. Dense 16 and 8 bit: no fit, checked (198 rows, median 1.02, 0.81 to 1.26 for four fifths). Dense 4 bit: fit of
# Llama 3.3 70B (131 rows). Experts: one pair for all models of the sample (137 and 207 rows, 0.76 to 1.35).
_OVERHEAD_MS = {("dense", 16): 0.015, ("dense", 4): 0.046, ("experts", 16): 0.075, ("experts", 4): 0.060}
_PREFILL_USE = {("dense", 16): 0.5, ("dense", 4): 0.27, ("experts", 16): 0.15, ("experts", 4): 0.4}
# How far measurements lie from the value, as factors: what four fifths of the rows keep to.
_BAND = {"dense": (0.75, 1.35), "experts": (0.7, 1.45)}
_FIRST_BAND = (0.7, 1.6)
# Share of the dense compute that ONE prompt reaches, by tensor parallelism over NVSwitch, at 1 024 and 8 192 tokens
# (H200, same sample). A GPU alone, or over PCIe where the exchange is added, has the figures of one.
_FIRST_USE = {1: (0.35, 0.47), 2: (0.29, 0.41), 4: (0.19, 0.32), 8: (0.12, 0.24)}
_FIRST_TOKENS = (1_024, 8_192)
# Architectures on which the method was compared with measurements or with another model's results.
_CHECKED = frozenset({"Ampere", "Ada Lovelace", "Hopper", "Blackwell", "Blackwell Ultra"})
_PROMPTS_MAX_RATIO = 0.6  # above it the prompts of the others decide; measurements then differ by up to a factor of 3


@frozen(slots=True)
class Band:
    """A figure with its stated error: the method's own value, and the range that it vouches for."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Band:
        """The same band of so many."""
        return Band(self.value * factor, self.low * factor, self.high * factor)


@frozen(slots=True)
class Pace:
    """How fast one copy answers. None where the method gives no figure; `notes` say why or how far it carries.

    `running`: requests that are worked on at a time (no more than the cache holds). `link_ratio`: share of the time
    per token that goes into the exchange between GPUs; `first_link_ratio` of the time to the first token.
    """

    running: int
    first_token_s: Band | None = None
    per_token_ms: Band | None = None
    tokens_per_s: Band | None = None
    link_ratio: float | None = None
    first_link_ratio: float | None = None
    notes: tuple[Message, ...] = ()


def exchange_s(gpu: GpuSpec, gpus: int, message_bytes: float) -> float | None:
    """Seconds of one exchange of `message_bytes` between `gpus` GPUs; 0 for one, None if nobody measured it."""
    if gpus == 1:
        return 0.0
    link = gpu.exchanges.get(gpus)
    if link is None:
        return None
    return link.start_ms / 1e3 + 2 * (gpus - 1) / gpus * message_bytes / (link.bus_gb_s * 1e9)


def pace(model: ModelSpec, gpu: GpuSpec, split: Split, serving: Serving, answer_tokens: int, requests_max: int) -> Pace:
    """Work out how fast one copy answers when `serving.concurrent_requests` are there and the cache holds
    `requests_max`. `answer_tokens` is the length of a typical answer.
    """
    running = max(1, min(serving.concurrent_requests, requests_max))
    gap = _gap(model, gpu, split)
    if gap is not None:
        return Pace(running, notes=(gap,))
    prompt = serving.prompt_tokens or max(1, serving.context_tokens - answer_tokens)
    step, link, prompts = _step_s(
        model, gpu, split, serving.precision, serving.cache_precision, prompt, answer_tokens, running
    )
    first, first_link = _first_s(model, gpu, split, serving.precision, prompt)
    low, high = _BAND[_kind(model)]
    first_band = None if model.experts else Band(first, first * _FIRST_BAND[0], first * _FIRST_BAND[1])
    notes = [*_notes(model, gpu)]
    if prompts / step > _PROMPTS_MAX_RATIO:
        notes.append(
            sentence(
                "no time per token: {prompt_percent} % of it would be prompts of others, where measurements differ "
                "by up to a factor of 3; measure with the real prompts",
                prompt_percent=round(100 * prompts / step),
            )
        )
        return Pace(running, first_band, None, None, None, first_link / first, tuple(notes))
    milliseconds = step * 1e3
    return Pace(
        running,
        first_band,
        Band(milliseconds, milliseconds * low, milliseconds * high),
        Band(running / step, running / step / high, running / step / low),
        link / step,
        first_link / first,
        tuple(notes),
    )


def step_ms(
    model: ModelSpec,
    gpu: GpuSpec,
    split: Split,
    precision: str,
    cache: str | None,
    prompt: int,
    answer: int,
    running: int,
) -> float | None:
    """Milliseconds of one step, None where a figure is missing: the plain formula, for comparison with measurements."""
    if _gap(model, gpu, split) is not None:
        return None
    return _step_s(model, gpu, split, precision, cache, prompt, answer, running)[0] * 1e3


def read_bytes(model: ModelSpec, precision: str, running: int) -> float:
    """Bytes of weights that a step reads: all of a dense model, of experts the share that `running` tokens touch."""
    whole = model.weight_bytes(precision)
    if not model.experts:
        return whole
    experts = model.expert_parameters * BYTES[precision]
    touched = 1 - (1 - model.experts_active / model.experts) ** running
    return whole - experts + experts * touched


def _kind(model: ModelSpec) -> str:
    return "experts" if model.experts else "dense"


def _format(precision: str) -> int:
    return 4 if precision in ("nvfp4", "mxfp4") else 16


def _step_s(
    model: ModelSpec,
    gpu: GpuSpec,
    split: Split,
    precision: str,
    cache: str | None,
    prompt: int,
    answer: int,
    running: int,
) -> tuple[float, float, float]:
    """Seconds of one step; of these, the exchange between GPUs and the prompts of the others."""
    assert gpu.bandwidth_gb_s is not None
    assert model.active_parameters is not None
    gpus, key = split.gpus, (_kind(model), _format(precision))
    kept = model.cache_bytes(prompt + answer // 2, 1, cache_bytes(cache)) * running
    copies = split.tensor if model.is_kv_replicated else 1
    memory = (read_bytes(model, precision, running) + kept * copies) / (
        gpus * gpu.bandwidth_gb_s * 1e9 * _BANDWIDTH_USE
    )
    each = exchange_s(gpu, split.tensor, running * model.hidden * 2) or 0.0
    link = 2 * model.layers * each
    compute = (gpu.tflops_for(precision) or 0.0) * 1e12
    read_in = 2 * model.active_parameters * prompt / (gpus * compute * _PREFILL_USE[key])
    read_in += 2 * model.layers * (exchange_s(gpu, split.tensor, prompt * model.hidden * 2) or 0.0)
    prompts = (running - 1) * read_in / answer
    # a token goes through all stages one after the other: their memory times add up
    memory *= split.pipeline
    return memory + model.layers * _OVERHEAD_MS[key] / 1e3 + link + prompts, link, prompts


def _first_s(model: ModelSpec, gpu: GpuSpec, split: Split, precision: str, prompt: int) -> tuple[float, float]:
    """Seconds to the first token of a request that meets no other, and the exchange in it."""
    assert model.active_parameters is not None
    compute = (gpu.tflops_for(precision) or 0.0) * 1e12
    is_switched = gpu.fabric == "nvswitch"
    use = _first_use(split.tensor if is_switched else 1, prompt)
    if model.experts:
        use = min(use, _PREFILL_USE["experts", _format(precision)])
    link = 2 * model.layers * (exchange_s(gpu, split.tensor, prompt * model.hidden * 2) or 0.0)
    seconds = 2 * model.active_parameters * prompt / (split.tensor * compute * use)
    return (seconds, min(link, seconds)) if is_switched else (seconds + link, link)


def _first_use(tensor_parallel: int, prompt: int) -> float:
    """Between the two measured lengths of a prompt; a shorter or longer one has the nearer figure."""
    short, long = _FIRST_USE.get(tensor_parallel, _FIRST_USE[8])
    low, high = _FIRST_TOKENS
    share = min(1.0, max(0.0, (prompt - low) / (high - low)))
    return short + (long - short) * share


def _gap(model: ModelSpec, gpu: GpuSpec, split: Split) -> Message | None:
    """Why there is no figure at all, None if there is one."""
    if gpu.architecture not in _CHECKED:
        return sentence(
            "no speed for {gpu}: the method was not compared with measurements on its architecture", gpu=gpu.title
        )
    if gpu.bandwidth_gb_s is None or not gpu.tflops:
        return sentence("no speed for {gpu}: its bandwidth or its compute is not stated", gpu=gpu.title)
    if model.active_parameters is None:
        return sentence(
            "no speed for {model}: how many parameters a token goes through is not stated", model=model.title
        )
    if split.tensor > 1 and split.tensor not in gpu.exchanges:
        return sentence(
            "no speed with {gpus} GPUs of {gpu}: nobody has published how fast they exchange data",
            gpus=split.tensor, gpu=gpu.title,
        )  # fmt: skip
    return None


def _notes(model: ModelSpec, gpu: GpuSpec) -> list[Message]:
    notes = []
    if gpu.fabric != "nvswitch":
        notes.append(
            sentence(
                "compared for cards on PCIe with another model's results only, not with measurements; test it first"
            )
        )
    if model.experts:
        notes.append(
            sentence(
                "no time to the first token: measurements of models with experts are two to ten times the method's"
            )
        )
    return notes
