"""A Hugging Face config.json as a model of the catalog: its figures, and how many parameters they make.

Only what the file states is taken. Parameters are counted for the families below; of another one the count is absent,
and what needs it is unknown. The defaults of a family that its files leave out are those of its class in transformers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Config = Mapping[str, Any]

# Families with a gated feed-forward layer and attention of the usual kind, by `model_type`; and whether the embedding
# is tied where the file does not say (class defaults of transformers 5.24.0, read 2026-12-01).
_TIED: dict[str, bool] = {
    "llama": False,
    "mistral": False,
    "mixtral": False,
    "qwen2": False,
    "qwen3": False,
    "qwen3_moe": False,
    "phi3": False,
    "olmo2": False,
    "gemma": True,
    "gemma2": True,
    "gemma3_text": True,
    "deepseek_v3": False,
    "kimi_k2": False,
}
_ALTERNATING = {"gemma2": 2, "gemma3_text": 6}  # every second, every sixth layer is a full one
_FULL, _WINDOW = "full_attention", "sliding_attention"
_FORMATS = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
_QUANTISED = {"fp8": "fp8", "mxfp4": "mxfp4", "awq": "int4", "gptq": "int4"}


def model_data(config: Config, title: str) -> dict[str, Any]:
    """Return the figures of a model as a part file would have them; what the file does not state is absent."""
    text: Config = config["text_config"] if isinstance(config.get("text_config"), Mapping) else config
    attention = _attention(text)
    experts = _experts(text)
    family = str(text.get("model_type", ""))
    total, active = _parameters(text, family)
    quantised = text.get("quantization_config") or config.get("quantization_config") or {}
    method = quantised.get("quant_method") if isinstance(quantised, Mapping) else None
    native = text.get("torch_dtype") or text.get("dtype") or config.get("torch_dtype") or config.get("dtype")
    figures = {
        "title": title,
        "family": family or None,
        "parameters_billion": total / 1e9 if total else None,
        "active_parameters_billion": active / 1e9 if active else None,
        "layers": _count(text, "num_hidden_layers"),
        "hidden": _count(text, "hidden_size"),
        "ffn": _count(text, "intermediate_size"),
        "vocabulary": _count(text, "vocab_size"),
        "is_embedding_tied": _tied(text, family),
        "context_max": _count(text, "max_position_embeddings"),
        "precision": _QUANTISED.get(str(method)) if method else _FORMATS.get(str(native)),
        "attention": attention or None,
        "experts": experts or None,
    }
    return {name: value for name, value in figures.items() if value is not None}


def _count(config: Config, *names: str) -> int | None:
    """The first of these keys that holds a whole number above zero."""
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None


def _tied(config: Config, family: str) -> bool | None:
    stated = config.get("tie_word_embeddings")
    return stated if isinstance(stated, bool) else _TIED.get(family)


def _attention(config: Config) -> dict[str, Any]:
    heads, layers = _count(config, "num_attention_heads"), _count(config, "num_hidden_layers")
    latent, hidden = _count(config, "kv_lora_rank"), _count(config, "hidden_size")
    if heads is None:
        return {}
    if latent is not None:
        figures: dict[str, Any] = {"kind": "mla", "heads": heads, "kv_heads": 1, "kv_lora_rank": latent}
        figures["qk_rope_head_dim"] = _count(config, "qk_rope_head_dim")
        figures["index_head_dim"] = _count(config, "index_head_dim")
        return {name: value for name, value in figures.items() if value is not None}
    kv_heads = _count(config, "num_key_value_heads") or heads
    kind = "mha" if kv_heads == heads else "mqa" if kv_heads == 1 else "gqa"
    width = _count(config, "head_dim") or (hidden // heads if hidden else None)
    found = {"kind": kind, "heads": heads, "kv_heads": kv_heads, "head_dim": width, **_windows(config, layers)}
    return {name: value for name, value in found.items() if value is not None}


def _windows(config: Config, layers: int | None) -> dict[str, Any]:
    """Which layers keep a window only; a kind of layer that is not known leaves no figure of the attention standing."""
    kinds = config.get("layer_types")
    window = _count(config, "sliding_window")
    if isinstance(kinds, list):
        if not set(kinds) <= {_FULL, _WINDOW}:
            return {"kind": None}
        return {"full_layers": kinds.count(_FULL), "window_layers": kinds.count(_WINDOW), "window": window}
    context = _count(config, "max_position_embeddings")
    is_used = window is not None and config.get("use_sliding_window") is not False
    if layers is None or window is None or not is_used or (context is not None and window >= context):
        return {}
    family = str(config.get("model_type", ""))
    if family in _ALTERNATING:
        full = layers // (_count(config, "sliding_window_pattern") or _ALTERNATING[family])
        return {"full_layers": full, "window_layers": layers - full, "window": window}
    if family == "mistral":
        return {"full_layers": 0, "window_layers": layers, "window": window}
    return {}  # counted in full: more than is needed, never less


def _experts(config: Config) -> dict[str, Any]:
    count = _count(config, "num_local_experts", "num_experts", "n_routed_experts")
    if count is None:
        return {}
    figures = {
        "count": count,
        "active": _count(config, "num_experts_per_tok"),
        "shared": _count(config, "n_shared_experts"),
        "ffn": _count(config, "moe_intermediate_size", "intermediate_size"),
    }
    return {name: value for name, value in figures.items() if value is not None}


def _parameters(config: Config, family: str) -> tuple[float | None, float | None]:
    """All parameters and those that a token goes through, norms left out (less than a thousandth)."""
    hidden, layers = _count(config, "hidden_size"), _count(config, "num_hidden_layers")
    vocabulary, tied = _count(config, "vocab_size"), _tied(config, family)
    attention = _attention_parameters(config)
    if family not in _TIED or hidden is None or layers is None or vocabulary is None or attention is None:
        return None, None
    outside = float(vocabulary * hidden * (1 if tied else 2))
    dense_ffn, experts = _count(config, "intermediate_size"), _experts(config)
    if not experts:
        total = outside + layers * (attention + 3.0 * hidden * dense_ffn) if dense_ffn else None
        return total, total
    inner, count, active = experts.get("ffn"), experts["count"], experts.get("active")
    if inner is None or active is None:
        return None, None
    dense = _count(config, "first_k_dense_replace") or 0
    each, shared = 3.0 * hidden * inner, experts.get("shared", 0)
    always = outside + layers * attention + dense * 3.0 * hidden * (dense_ffn or 0)
    always += (layers - dense) * (shared * each + hidden * count)
    return always + (layers - dense) * count * each, always + (layers - dense) * active * each


def _attention_parameters(config: Config) -> float | None:
    hidden, heads = _count(config, "hidden_size"), _count(config, "num_attention_heads")
    if hidden is None or heads is None:
        return None
    latent = _count(config, "kv_lora_rank")
    if latent is None:
        kv_heads = _count(config, "num_key_value_heads") or heads
        width = _count(config, "head_dim") or hidden // heads
        return float(hidden * width * (2 * heads + 2 * kv_heads))
    plain, rope, value = (_count(config, name) for name in ("qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"))
    if plain is None or rope is None or value is None:
        return None
    rank = _count(config, "q_lora_rank")
    queries = heads * (plain + rope)
    read = hidden * queries if rank is None else hidden * rank + rank * queries
    return float(read + hidden * (latent + rope) + latent * heads * (plain + value) + heads * value * hidden)
