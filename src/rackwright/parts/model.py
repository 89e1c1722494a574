"""Models: what video memory and speed are worked out from. A model is no part to order; it is what the GPUs carry."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import Count, Part, Shape

Positive = Annotated[float, Field(gt=0)]
Size = Annotated[int, Field(ge=1, le=100_000_000_000)]


class Attention(Shape):
    """How a model attends, as its config.json has it: this decides what the cache of a token takes."""

    kind: Literal["mha", "gqa", "mqa", "mla"] = Field(
        description="mha: a KV head for each head; gqa: several share one; mqa: all share one; mla: a latent vector"
    )
    heads: Size | None = Field(None, description="query heads; tensor parallelism divides them over the GPUs")
    kv_heads: Size | None = Field(None, description="key and value heads; 1 for a latent vector")
    head_dim: Size | None = Field(None, description="width of one head")
    full_layers: Count | None = Field(None, description="layers whose cache grows with the context; absent: all")
    window_layers: Count | None = Field(None, description="layers that keep a window only")
    window: Size | None = Field(None, description="tokens of that window")
    full_kv_heads: Size | None = Field(None, description="KV heads of the full layers where they differ")
    full_head_dim: Size | None = Field(None, description="width of their heads where it differs")
    kv_lora_rank: Size | None = Field(None, description="MLA: width of the latent vector")
    qk_rope_head_dim: Size | None = Field(None, description="MLA: width of the part with positions")
    index_head_dim: Size | None = Field(None, description="sparse attention: width of the index that is kept beside")
    state_bytes: Size | None = Field(
        None, description="bytes that a running sequence keeps whatever its length (Mamba, linear attention)"
    )


class Experts(Shape):
    """The experts of a mixture: all of them must be in memory, few of them are read for a token."""

    count: Size | None = Field(None, description="experts of a layer among which the router chooses")
    active: Size | None = Field(None, description="experts that a token goes through")
    shared: Count | None = Field(None, description="experts that every token goes through")
    ffn: Size | None = Field(None, description="inner width of one expert")


class Model(Part):
    """A language model. Figures that no text states are absent; what needs them is unknown then."""

    kind: Literal["model"] = Field(description="kind of part")
    family: str | None = Field(None, description="line of models that it belongs to")
    hf_id: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$",
        description="name on Hugging Face",
        examples=["ai21labs/Jamba-v0.1"],
    )
    parameters_billion: Positive | None = Field(None, description="all parameters, experts included")
    active_parameters_billion: Positive | None = Field(
        None, description="parameters that one token goes through; all of them in a dense model"
    )
    layers: Size | None = Field(None, description="hidden layers of all kinds")
    hidden: Size | None = Field(None, description="width of the hidden state")
    ffn: Size | None = Field(None, description="inner width of the feed-forward layers that are no experts")
    vocabulary: Size | None = Field(None, description="entries of the embedding table, padding included")
    is_embedding_tied: bool | None = Field(None, description="true: input and output share one embedding table")
    context_max: Size | None = Field(None, description="tokens of prompt and answer together at most")
    precision: Literal["fp32", "bf16", "fp16", "fp8", "int4", "mxfp4", "nvfp4"] | None = Field(
        None, description="number format in which the weights are published (the experts' where they differ)"
    )
    attention: Attention | None = Field(None, description="how it attends")
    experts: Experts | None = Field(None, description="its experts; absent: dense")
    weights_measured_gib: dict[str, Positive] = Field(
        default_factory=dict,
        description="what engines report for the weights by number format, where the rule gives less: {mxfp4: 66}",
    )
