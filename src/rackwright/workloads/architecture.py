"""The architecture of a model: what memory and speed are worked out from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.frozen import frozen
from rackwright.workloads.precision import BYTES, EMBEDDING_BYTES

GIB = 2.0**30


@frozen(slots=True)
class ModelSpec:
    """The figures of one model. Parameters in units of 1; all other figures as in the config.json of the model.

    `kv_bytes_per_token` grows without limit, `window_kv_bytes_per_token` up to `window` tokens, `state_bytes` once a
    sequence; all for ONE sequence, the whole model, bf16. `index_bytes_per_token` is kept in fp8 whatever the cache is.
    `full_kv_heads` are the KV heads of the layers whose cache grows. `is_kv_replicated`: each tensor-parallel GPU keeps
    it whole (MLA). `measured_weights_gib`: by precision, where the files are known to be larger than the rule.
    `context_max` and `active_parameters` are None if no text that was read states them.
    """

    id: str
    title: str
    parameters: float
    active_parameters: float | None
    embedding_parameters: float
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    full_kv_heads: int
    head_dim: int
    vocabulary: int
    context_max: int | None
    native_precision: str
    kv_bytes_per_token: float
    window: int = 0
    window_kv_bytes_per_token: float = 0.0
    state_bytes: float = 0.0
    index_bytes_per_token: float = 0.0
    is_kv_replicated: bool = False
    experts: int = 0
    experts_active: int = 0
    expert_ffn: int | None = None
    measured_weights_gib: Mapping[str, float] = field(default_factory=dict)

    @property
    def expert_parameters(self) -> float:
        """Parameters of all routed experts: of P and the active P', P - P' = experts x (1 - active/experts)."""
        if not self.experts or self.active_parameters is None:
            return 0.0
        return (self.parameters - self.active_parameters) / (1 - self.experts_active / self.experts)

    def weight_bytes(self, precision: str) -> float:
        """Bytes of all weights in a number format: everything but the embedding in it, mxfp4 for experts only."""
        measured = self.measured_weights_gib.get(precision)
        if measured is not None:
            return measured * GIB
        embedded = max(EMBEDDING_BYTES, BYTES[precision]) if precision == "fp32" else EMBEDDING_BYTES
        if precision == "mxfp4" and self.experts:
            return self.expert_parameters * BYTES[precision] + (self.parameters - self.expert_parameters) * 2.0
        return (self.parameters - self.embedding_parameters) * BYTES[precision] + self.embedding_parameters * embedded

    def is_split_allowed(self, tensor_parallel: int) -> bool:
        """Tell whether each GPU gets whole heads: engines refuse to start otherwise (vLLM, models/llama.py)."""
        shared = self.kv_heads % tensor_parallel == 0 or tensor_parallel % self.kv_heads == 0
        return self.heads % tensor_parallel == 0 and (shared or self.is_kv_replicated)

    def cache_bytes(self, tokens: int, tensor_parallel: int, element_bytes: float) -> float:
        """Bytes on one GPU of the cache of ONE sequence of `tokens`, all layers."""
        scale = element_bytes / 2.0
        index = self.index_bytes_per_token * tokens
        if self.is_kv_replicated:
            return self.kv_bytes_per_token * scale * tokens + index
        full = self.kv_bytes_per_token * scale * tokens / min(tensor_parallel, self.full_kv_heads)
        kept = min(tokens, self.window)
        window = self.window_kv_bytes_per_token * scale * kept / min(tensor_parallel, self.kv_heads)
        return full + window + index + self.state_bytes / tensor_parallel


_NEEDED = (
    "parameters_billion", "layers", "hidden", "vocabulary", "is_embedding_tied", "precision",
    "attention.kind", "attention.heads", "attention.kv_heads",
)  # fmt: skip


def lacking(part: Part) -> list[str]:
    """Return the dotted names of the figures without which nothing can be worked out for a model."""
    needed = [*_NEEDED]
    if part.get("attention.kind") == "mla":
        needed += ["attention.kv_lora_rank", "attention.qk_rope_head_dim"]
    else:
        needed.append("attention.head_dim")
    if part.get("attention.window_layers"):
        needed += ["attention.full_layers", "attention.window"]
    return [name for name in needed if part.get(name) is None]


def spec_of(part: Part) -> ModelSpec | None:
    """Return the figures of a model of the catalog; None if `lacking` names any."""
    if lacking(part):
        return None
    data: Any = part.data
    attention, experts = data["attention"], data.get("experts") or {}
    is_mla = attention["kind"] == "mla"
    full_layers = attention.get("full_layers", data["layers"])
    head_dim = attention.get("head_dim") or attention.get("kv_lora_rank", 0) + attention.get("qk_rope_head_dim", 0)
    full_heads = attention.get("full_kv_heads", attention["kv_heads"])
    wide = head_dim if is_mla else 2 * full_heads * attention.get("full_head_dim", head_dim)
    index = attention.get("index_head_dim")
    active = data.get("active_parameters_billion")
    return ModelSpec(
        id=part.id,
        title=part.title,
        parameters=data["parameters_billion"] * 1e9,
        active_parameters=active * 1e9 if active is not None else None,
        embedding_parameters=float(data["vocabulary"] * data["hidden"] * (1 if data["is_embedding_tied"] else 2)),
        layers=data["layers"],
        hidden=data["hidden"],
        heads=attention["heads"],
        kv_heads=attention["kv_heads"],
        full_kv_heads=full_heads,
        head_dim=head_dim,
        vocabulary=data["vocabulary"],
        context_max=data.get("context_max"),
        native_precision=data["precision"],
        kv_bytes_per_token=2.0 * full_layers * wide,
        window=attention.get("window", 0) if attention.get("window_layers") else 0,
        window_kv_bytes_per_token=2.0 * attention.get("window_layers", 0) * 2 * attention["kv_heads"] * head_dim,
        state_bytes=float(attention.get("state_bytes", 0)),
        index_bytes_per_token=float(data["layers"] * (index + 4)) if index else 0.0,
        is_kv_replicated=is_mla,
        experts=experts.get("count", 0),
        experts_active=experts.get("active", 0),
        expert_ffn=experts.get("ffn"),
        measured_weights_gib=dict(data.get("weights_measured_gib") or {}),
    )


def find_model(catalog: Catalog, name: str) -> Part | None:
    """Find a model by its id, an alias, the second half of its id (`llama-3.3-70b`) or its name on Hugging Face."""
    part = catalog.find(name)
    if part is not None:
        return part if part.kind == "model" else None
    wanted = name.strip().lower()
    for model in catalog.of_kind("model"):
        if wanted in (model.id.rpartition("/")[2], model.title.lower(), str(model.get("hf_id")).lower()):
            return model
    return None


def nearest_models(catalog: Catalog, name: str, limit: int = 3) -> list[str]:
    """Return names of models that look like `name`, best first, in the short form that `find_model` takes."""
    import difflib

    tails = [model.id.rpartition("/")[2] for model in catalog.of_kind("model")]
    wanted = name.strip().lower().rpartition("/")[2]
    close = difflib.get_close_matches(wanted, tails, limit, 0.5)
    close += [tail for tail in tails if wanted and wanted in tail and tail not in close]
    return close[:limit]
