"""What a task is, as a user writes it: in the configuration of a node, or alone in a file for sizing.

One record for all kinds of tasks, because a ten-line file should need no nesting; which keys belong to which task is in
the description of each key and checked by `workloads/checks.py`.
"""

# Without annotations from __future__: readers need the types themselves, and evaluating texts would cost 5 ms a start.

from dataclasses import field
from typing import Annotated, Literal

from rackwright.frozen import frozen
from rackwright.limits import Limits, Text, told

Precision = Literal["fp32", "bf16", "fp16", "fp8", "int8", "int4", "nf4", "nvfp4", "mxfp4"]
Count = Annotated[int, Limits(ge=1, le=1_000_000)]
Tokens = Annotated[int, Limits(ge=1, le=100_000_000)]
Hours = Annotated[float, Limits(gt=0, le=100_000)]
Gigabytes = Annotated[float, Limits(gt=0, le=1_000_000)]


@frozen(kw_only=True)
class VdiProfile:
    """Users of a VDI pool who get the same virtual GPU."""

    profile: Annotated[
        str,
        Limits(
            pattern=r"^[0-9]{1,3}[ABCQ]$",
            description="vGPU profile: memory in GB and the letter of the edition, as in 4Q or 2B",
        ),
    ]
    users: Annotated[int, Limits(ge=1, le=1_000_000, description="users who work at the same time")]
    cpu_cores: Annotated[int, Limits(ge=1, le=1_000)] | None = field(default=None, metadata=told("virtual CPUs a user"))
    memory_gb: Gigabytes | None = field(default=None, metadata=told("main memory a user"))


@frozen(kw_only=True)
class Task:
    """One task: a model that answers, a training, frames, desktops. What is left out is asked."""

    task: Literal["llm-inference", "fine-tuning", "training", "rendering", "vdi", "mixed"]
    title: Text | None = field(default=None, metadata=told("what the task is called in the proposal"))
    # what a user states himself, instead of having it worked out
    memory_gb: Gigabytes | None = field(
        default=None, metadata=told("video memory that the task needs in all, with cache and reserve")
    )
    memory_per_gpu_gb: Annotated[float, Limits(gt=0, le=10_000)] | None = field(
        default=None, metadata=told("video memory that one GPU must have, because the task cannot be split further")
    )
    parameters_billion: Annotated[float, Limits(gt=0, le=100_000)] | None = None
    bits_per_weight: Annotated[float, Limits(gt=0, le=64)] | None = None
    attention_heads: Annotated[int, Limits(ge=1, le=10_000)] | None = field(
        default=None, metadata=told("attention heads of the model, as in its config.json")
    )
    is_split_over_gpus: bool | None = field(
        default=None, metadata=told("true: one model is spread over the GPUs of the node")
    )
    # models: inference, fine-tuning, training
    model: Text | None = field(
        default=None, metadata=told("model of the catalog, or a Hugging Face config.json relative to this file")
    )
    precision: Precision | None = field(default=None, metadata=told("number format of the weights"))
    tensor_parallel: Annotated[int, Limits(ge=1, le=64)] | None = field(
        default=None, metadata=told("GPUs that share each layer; absent: the fewest that fit")
    )
    pipeline_parallel: Annotated[int, Limits(ge=1, le=64)] | None = field(
        default=None, metadata=told("stages of layers, one after the other; absent: 1")
    )
    # inference
    cache_precision: Literal["bf16", "fp8"] | None = field(
        default=None, metadata=told("number format of the KV cache; absent: bf16")
    )
    context_tokens: Tokens | None = field(
        default=None,
        metadata=told("tokens of prompt and answer together that 95 of 100 requests stay below; not the demo prompt"),
    )
    prompt_tokens: Tokens | None = field(
        default=None, metadata=told("tokens of a typical prompt; absent: three quarters of the context")
    )
    answer_tokens: Tokens | None = field(
        default=None, metadata=told("tokens of a typical answer; absent: the rest of the context")
    )
    concurrent_requests: Count | None = field(
        default=None, metadata=told("requests that are worked on at the same time")
    )
    users: Count | None = field(default=None, metadata=told("people who use it"))
    requests_per_user_hour: Annotated[float, Limits(gt=0, le=100_000)] | None = field(
        default=None, metadata=told("requests of one user in the busiest hour")
    )
    goal: Literal["latency", "throughput"] | None = field(
        default=None, metadata=told("latency: the answer is waited for; throughput: tokens in all count")
    )
    first_token_max_s: Annotated[float, Limits(gt=0, le=3_600)] | None = field(
        default=None, metadata=told("longest wait for the first token")
    )
    per_token_max_ms: Annotated[float, Limits(gt=0, le=60_000)] | None = field(
        default=None, metadata=told("longest time for each further token; 50 ms are 20 tokens a second")
    )
    tokens_per_second_min: Annotated[float, Limits(gt=0, le=100_000_000)] | None = field(
        default=None, metadata=told("tokens of all users together that are wanted every second")
    )
    has_chunked_prefill: bool | None = field(
        default=None,
        metadata=told("false: the engine reads a prompt in one pass, which takes memory for long ones; absent: true"),
    )
    # fine-tuning, training
    method: Literal["full", "lora", "qlora"] | None = field(default=None, metadata=told("what is trained"))
    optimiser: Literal["adam", "adam-fp32-gradients", "adam-bf16", "adam-8bit"] | None = field(
        default=None,
        metadata=told("what the optimiser keeps for each trained parameter; absent: adam, 16 bytes in all"),
    )
    zero_stage: Annotated[int, Limits(ge=0, le=3)] | None = field(
        default=None, metadata=told("0: every GPU keeps everything; 3: everything is shared (FSDP)")
    )
    checkpointing: Literal["none", "selective", "full"] | None = field(
        default=None,
        metadata=told("how much of the forward pass is computed again; absent: selective (flash attention)"),
    )
    sequence_tokens: Tokens | None = field(default=None, metadata=told("tokens of a training example"))
    micro_batch: Annotated[int, Limits(ge=1, le=10_000)] | None = field(
        default=None, metadata=told("examples on one GPU at a time; absent: 1")
    )
    adapter_ratio: Annotated[float, Limits(gt=0, le=1)] | None = field(
        default=None, metadata=told("LoRA: trained parameters over all parameters; absent: 0.005")
    )
    is_offloaded: bool | None = field(default=None, metadata=told("true: optimiser states are kept in main memory"))
    tokens_billion: Annotated[float, Limits(gt=0, le=1_000_000)] | None = field(
        default=None, metadata=told("training tokens of one run, in billions")
    )
    duration_max_h: Hours | None = field(default=None, metadata=told("longest time that one run may take"))
    jobs: Annotated[int, Limits(ge=1, le=10_000)] | None = field(
        default=None, metadata=told("runs of the team at the same time; absent: 1")
    )
    # rendering
    engine: Text | None = field(default=None, metadata=told("render engine: octane, redshift, v-ray, cycles, vred …"))
    scene_gb: Gigabytes | None = field(default=None, metadata=told("video memory of the largest scene at its peak"))
    is_interactive: bool | None = field(default=None, metadata=told("true: an artist waits; false: independent frames"))
    frames: Annotated[int, Limits(ge=1, le=1_000_000_000)] | None = None
    frame_gpu_s: Annotated[float, Limits(gt=0, le=1_000_000)] | None = field(
        default=None, metadata=told("measured time of one frame on one GPU of the kind that is planned")
    )
    # VDI
    profiles: Annotated[list[VdiProfile], Limits(max_length=20)] = field(
        default_factory=list, metadata=told("groups of users with their virtual GPU")
    )
    hypervisor: Text | None = field(default=None, metadata=told("vSphere, XenServer, KVM, Azure Local …"))
    note: Text | None = None


@frozen(kw_only=True)
class Workload(Task):
    """What a node, or the order, is for: one task, or several under `tasks`. Sizing and rules read it."""

    tasks: Annotated[list[Task], Limits(max_length=20)] = field(
        default_factory=list, metadata=told("several tasks or models; the keys above then say what they have in common")
    )
    growth_ratio: Annotated[float, Limits(ge=0, le=100)] | None = field(
        default=None, metadata=told("growth that is expected within a year: 0.5 for half as much again")
    )
    load: Literal["steady", "bursty"] | None = None
    utilisation_ratio: Annotated[float, Limits(gt=0, le=1)] | None = field(
        default=None, metadata=told("share of the time that the GPUs will be busy")
    )
    is_isolated: bool | None = field(
        default=None, metadata=told("true: teams or customers must not share a GPU or a server")
    )
    is_fault_tolerant: bool | None = field(
        default=None, metadata=told("true: the task must go on when one server fails")
    )
    has_scheduler: bool | None = field(
        default=None, metadata=told("true: a scheduler shares the GPUs out (Slurm, Kubernetes)")
    )
    has_admin_team: bool | None = field(default=None, metadata=told("true: people look after the servers every day"))


@frozen(kw_only=True)
class SizingLimits:
    """What the place and the purse allow for the whole order."""

    power_max_w: Annotated[float, Limits(gt=0, le=10_000_000)] | None = None
    height_max_u: Annotated[int, Limits(ge=1, le=10_000)] | None = None
    current_max_a: Annotated[float, Limits(gt=0, le=100_000)] | None = None
    noise_max_db: Annotated[float, Limits(gt=0, le=200)] | None = None
    budget: (
        Annotated[str, Limits(pattern=r"^[0-9]{1,12}(\.[0-9]{1,2})?$", description="an amount in quotes: '250000'")]
        | None
    ) = field(default=None, metadata=told("in the currency of `quote`"))
    gpus: Annotated[list[Annotated[str, Limits(max_length=100)]], Limits(max_length=100)] = field(
        default_factory=list, metadata=told("GPUs of the catalog that may be proposed; absent: all")
    )
    gpus_max: Annotated[int, Limits(ge=1, le=100_000)] | None = None
