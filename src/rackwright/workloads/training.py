"""How much video memory a training takes on ONE GPU, and how long it runs.

Full training with Adam keeps 16 bytes a parameter: 2 of weights, 2 of gradients, 12 of master weights and moments
(ZeRO, Rajbhandari et al., arXiv 1910.02054). ZeRO shares the 12 over the GPUs at stage 1, the gradients too at stage 2,
the weights too at stage 3 (FSDP). LoRA trains small adapters beside frozen weights. Memory of several GPUs never adds
up without such sharing: each GPU then keeps everything.
"""

from __future__ import annotations

from rackwright.diagnostic import Message, sentence
from rackwright.frozen import frozen
from rackwright.workloads.architecture import GIB, ModelSpec
from rackwright.workloads.gpu import GpuSpec
from rackwright.workloads.memory import Term
from rackwright.workloads.precision import BYTES, EMBEDDING_BYTES
from rackwright.workloads.speed import Band, exchange_s

# Bytes a trained parameter: weights, gradients, optimiser. adam: ZeRO paper; with fp32 gradients and master weights 18
# in all (Hugging Face, methods and tools for training); bf16 throughout 8; 8-bit states 6 (5 to 7 measured in the
# fine-tuning tables of litgpt and axolotl; read 2026-12-01).
_STATES: dict[str, tuple[float, float, float]] = {
    "adam": (2.0, 2.0, 12.0),
    "adam-fp32-gradients": (2.0, 4.0, 12.0),
    "adam-bf16": (2.0, 2.0, 4.0),
    "adam-8bit": (2.0, 2.0, 2.0),
}
# States in main memory still pass through the GPU as a 32-bit copy when they are set up: 14.9 GiB for half of an 8B
# model, where a 40 GB card ran out (dllm issue 9, read 2026-12-01).
_OFFLOADED_BYTES = 4.0
# Bytes of activations for each token, layer and unit of width (Korthikanti et al., arXiv 2205.05198): 34 with flash
# attention or selective recomputation; without, 5 x heads x tokens / width more; 2 with full recomputation, and one
# layer.
_SELECTIVE = 34.0
_SCORES = 5.0
_FULL = 2.0
_LOGITS_BYTES = 2.0 + 4.0 + 4.0  # 16-bit scores, their 32-bit copy and its gradient
# Runtime in GB: 1 for LoRA and full training (seven measured LoRA runs of litgpt, -5 to +6 %), 4.5 for 4-bit weights,
# which are unpacked layer by layer (three runs within 8 %). CUDA context and allocator.
_RUNTIME_GB = {"full": 1.0, "lora": 1.0, "qlora": 4.5}
# 4-bit training was measured up to 1.3 times the sum (litgpt fine-tuning table, read 2026-12-01).
QLORA_BAND = (1.0, 1.3)
ADAPTER_RATIO = 0.005  # trained share of a LoRA where nobody states it: rank 16 in all layers of an 8B model
_WIDE_VOCABULARY, _WIDE_FACTOR = 200_000, 1.25  # Gemma 2B took 12.6 GB where the sum has 9.9 (same table)
# FLOPs a token and parameter: forward and backward 6; frozen weights need no gradients of their own, 4.
_FLOPS = {"full": 6.0, "lora": 4.0, "qlora": 4.0}
# Share of the dense compute that training reaches on NVSwitch systems; a wide band, for no measurement was read.
_COMPUTE_USE = (0.45, 0.40, 0.35)


@frozen(slots=True)
class Training:
    """What is trained and how. `sequence_tokens` and `micro_batch` are of one GPU; `gpus` share by `zero_stage`."""

    method: str
    sequence_tokens: int
    micro_batch: int = 1
    gpus: int = 1
    zero_stage: int = 0
    optimiser: str = "adam"
    checkpointing: str = "selective"
    adapter_ratio: float = ADAPTER_RATIO
    is_offloaded: bool = False


def training_terms(model: ModelSpec, training: Training) -> tuple[Term, ...]:
    """The sum for one GPU, in GiB."""
    terms = _lora_states(model, training) if training.method != "full" else _full_states(model, training)
    terms += [_activations(model, training), _logits(model, training)]
    runtime = _RUNTIME_GB[training.method]
    terms.append(Term("runtime", runtime * 1e9 / GIB, sentence("CUDA context, allocator and buffers")))
    if model.vocabulary > _WIDE_VOCABULARY:
        more = (_WIDE_FACTOR - 1) * sum(term.need_gib for term in terms)
        how = sentence(
            "models with more than {entries} entries in the vocabulary were measured a quarter above the sum",
            entries=_WIDE_VOCABULARY,
        )
        terms.append(Term("reserve", more, how))
    return tuple(terms)


def host_memory_gb(model: ModelSpec, training: Training | None = None) -> float:
    """Main memory of the whole job: to load the model, and for the states that are kept there.

    Loading takes 2 GB for each billion parameters, 16 GB of shared memory and 10 GB for the system (NVIDIA NIM, getting
    started, read 2026-12-01); 16 GB were too few for an 8B model (bitsandbytes issue 1252). States take 24 GB more for
    each billion: a 33B model ran out at 600 GB and ran with 750 to 800 (DeepSpeed issue 3448, read 2026-12-01).
    """
    load = model.parameters * 2 / 1e9 + 16 + 10
    is_offloaded = training is not None and training.is_offloaded
    return max(load, model.parameters * 24 / 1e9) if is_offloaded else load


def checkpoint_gb(model: ModelSpec, training: Training) -> float:
    """One snapshot: weights and optimiser, 14 bytes a trained parameter; adapters alone for LoRA."""
    trained = model.parameters if training.method == "full" else model.parameters * training.adapter_ratio
    return trained * 14 / 1e9


def duration_h(model: ModelSpec, gpu: GpuSpec, training: Training, tokens: float) -> Band | None:
    """Hours of one run over `tokens` tokens on `training.gpus`; None where compute or active parameters are absent."""
    compute = gpu.tflops.get("bf16")
    if compute is None or model.active_parameters is None:
        return None
    work = _FLOPS[training.method] * model.active_parameters * tokens
    fast, usual, slow = (work / (training.gpus * compute * 1e12 * use) / 3600 for use in _COMPUTE_USE)
    return Band(usual, fast, slow)


def exchange_share(model: ModelSpec, gpu: GpuSpec, training: Training) -> float | None:
    """Time of exchanging the gradients over the time of one step (one micro batch on each GPU); None if not known.

    Data parallel: 2 (n - 1)/n of the gradients through each GPU; stage 3 one and a half times that (arXiv 1910.02054).
    """
    if training.gpus == 1:
        return 0.0
    compute = gpu.tflops.get("bf16")
    if compute is None or model.active_parameters is None:
        return None
    trained = model.parameters * (1.0 if training.method == "full" else training.adapter_ratio)
    size = trained * _STATES[training.optimiser][1] * (1.5 if training.zero_stage == 3 else 1.0)
    link = exchange_s(gpu, min(training.gpus, 8), size)
    tokens = training.sequence_tokens * training.micro_batch
    step = _FLOPS[training.method] * model.active_parameters * tokens / (compute * 1e12 * _COMPUTE_USE[1])
    return None if link is None else link / step


def _full_states(model: ModelSpec, training: Training) -> list[Term]:
    weights, gradients, states = _STATES[training.optimiser]
    shared, stage = training.gpus, training.zero_stage
    parts = (
        ("weights", weights, stage >= 3),
        ("gradients", gradients, stage >= 2),
        ("optimiser", _OFFLOADED_BYTES if training.is_offloaded else states, stage >= 1),
    )
    terms = []
    for name, size, is_shared in parts:
        gpus = shared if is_shared else 1
        how = sentence(
            "{parameters} billion parameters at {byte_count} byte each, divided by {gpus}",
            parameters=model.parameters / 1e9, byte_count=size, gpus=gpus,
        )  # fmt: skip
        terms.append(Term(name, model.parameters * size / gpus / GIB, how))
    return terms


def _lora_states(model: ModelSpec, training: Training) -> list[Term]:
    gpus = training.gpus if training.zero_stage >= 3 else 1
    if training.method == "qlora":
        frozen_bytes = (model.parameters - model.embedding_parameters) * BYTES["nf4"]
        frozen_bytes += model.embedding_parameters * EMBEDDING_BYTES
    else:
        frozen_bytes = model.parameters * BYTES["bf16"]
    each = sum(_STATES[training.optimiser])
    adapters = model.parameters * training.adapter_ratio * each
    return [
        Term(
            "weights",
            frozen_bytes / gpus / GIB,
            sentence("{weights_gib} of frozen weights, divided by {gpus}", weights_gib=frozen_bytes / GIB, gpus=gpus),
        ),
        Term(
            "adapters",
            adapters / gpus / GIB,
            sentence(
                "{trained_percent} % of the parameters are trained, at {byte_count} byte each",
                trained_percent=100 * training.adapter_ratio, byte_count=each,
            ),
        ),
    ]  # fmt: skip


def _activations(model: ModelSpec, training: Training) -> Term:
    tokens = training.sequence_tokens * training.micro_batch
    layer = _SELECTIVE
    if training.checkpointing == "none":
        layer += _SCORES * model.heads * training.sequence_tokens / model.hidden
    if training.checkpointing == "full":
        whole = tokens * model.hidden * (_FULL * model.layers + _SELECTIVE)
    else:
        whole = tokens * model.hidden * layer * model.layers
    how = sentence(
        "{batch} sequences of {tokens} tokens through {layers} layers", batch=training.micro_batch,
        tokens=training.sequence_tokens, layers=model.layers,
    )  # fmt: skip
    return Term("activations", whole / GIB, how)


def _logits(model: ModelSpec, training: Training) -> Term:
    tokens = training.sequence_tokens * training.micro_batch
    how = sentence("{tokens} tokens times {entries} entries of the vocabulary", tokens=tokens, entries=model.vocabulary)
    return Term("logits", tokens * model.vocabulary * _LOGITS_BYTES / GIB, how)


def sharing_note(training: Training) -> Message | None:
    """Say that memory does not add up, where nothing is shared over several GPUs."""
    if training.gpus > 1 and training.zero_stage == 0:
        return sentence("nothing is shared: each of the {gpus} GPUs keeps the whole sum", gpus=training.gpus)
    return None
