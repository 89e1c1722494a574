"""What sizing takes for granted where it is a choice: the parameters of the policy, with names and units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.frozen import frozen


@frozen(slots=True)
class Assumptions:
    """The policy's parameters that the arithmetic needs (rules/policies/default.yaml says where each comes from)."""

    vram_recommended_ratio: float
    vram_use_ratio: float
    vram_nominal_ratio: float
    runtime_gib: float
    quick_rule_low_ratio: float
    quick_rule_high_ratio: float
    context_assumed_tokens: int
    requests_assumed: int
    sequence_assumed_tokens: int
    link_share_max_ratio: float
    training_link_share_max_ratio: float
    eight_gpu_utilisation_min_ratio: float
    render_reserve_ratio: float
    weights_split_nvlink_billion: float
    per_token_assumed_ms: float
    peak_factor_ratio: float
    replicas_max: int


def assumptions_of(policy: Mapping[str, Any]) -> Assumptions:
    """Take the assumptions out of a policy (`Policy.facts`). Raises KeyError if it lacks one: that is a defect."""
    values = {name: policy[name] for name in Assumptions.__dataclass_fields__}
    for name in ("context_assumed_tokens", "requests_assumed", "sequence_assumed_tokens", "replicas_max"):
        values[name] = int(values[name])
    return Assumptions(**values)
