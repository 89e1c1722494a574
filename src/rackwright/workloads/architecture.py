"""The architecture of a model: what memory and speed are worked out from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rackwright.frozen import frozen


@frozen(slots=True)
class ModelSpec:
    """The figures of one model. Parameters in units of 1; all other figures as in the config.json of the model.

    `kv_bytes_per_token` grows without limit, `window_kv_bytes_per_token` up to `window` tokens, `state_bytes` once a
    sequence; all for ONE sequence, the whole model, bf16. `is_kv_replicated`: each tensor-parallel GPU keeps it whole
    (MLA). `measured_weights_gib`: by precision, where the files are known to be larger than the rule.
    """

    id: str
    title: str
    parameters: float
    active_parameters: float
    embedding_parameters: float
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    context_max: int
    native_precision: str
    kv_bytes_per_token: float
    window: int | None = None
    window_kv_bytes_per_token: float = 0.0
    window_kv_heads: int | None = None
    state_bytes: float = 0.0
    is_kv_replicated: bool = False
    indexer_bytes_per_token: float = 0.0
    experts: int = 0
    experts_active: int = 0
    expert_parameters: float = 0.0
    expert_ffn: int | None = None
    measured_weights_gib: Mapping[str, float] = field(default_factory=dict)
