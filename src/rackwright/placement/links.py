"""What a PCIe link carries, and what two ends agree on."""

from __future__ import annotations

from functools import lru_cache

# Transfer rate in GT/s and coding by generation. Source: PR-65 of the fact pack (gen 3 x16 15.75, gen 4 31.5,
# gen 5 63.0 GB/s a direction); PCI Express Base Specification for the 8b/10b coding of generations 1 and 2.
# Generations 6 and 7 use flits; the 128/130 ratio of the pack is kept for them as the upper bound of the payload.
_RATES_GT_S = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0, 6: 64.0, 7: 128.0}


@lru_cache(maxsize=256)
def link_gb_s(generation: int, lanes: int) -> float:
    """Return the bandwidth of a link in one direction, in GB/s; 0 for a link without lanes."""
    coding = 8 / 10 if generation <= 2 else 128 / 130
    return _RATES_GT_S[generation] * lanes * coding / 8


def negotiated(card: int | None, slot: int | None) -> int | None:
    """Return what both ends support (generation or lanes); None if one of them is not known."""
    return None if card is None or slot is None else min(card, slot)
