"""The three verdicts on memory, and what is said where a figure is missing."""

from __future__ import annotations

from enum import StrEnum


class Fit(StrEnum):
    """Does a task fit into the usable memory of a GPU? Better ones come first; `unknown` is never a yes."""

    RECOMMENDED = "recommended"  # it fits and leaves the reserve of the policy
    TIGHT = "tight"  # it fits, and leaves less than that
    UNKNOWN = "unknown"  # a figure is missing
    DOES_NOT_FIT = "does-not-fit"


def worst(fits: list[Fit]) -> Fit:
    """Return the worst of some verdicts; `recommended` of none."""
    order = list(Fit)
    return max(fits, key=order.index, default=Fit.RECOMMENDED)
