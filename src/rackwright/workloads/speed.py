"""How fast: decode by memory bandwidth, prefill by compute, and what the exchange between GPUs adds."""

from __future__ import annotations

from rackwright.frozen import frozen


@frozen(slots=True)
class Band:
    """A figure with its stated error: the method's own value, and the range that it vouches for."""

    value: float
    low: float
    high: float
