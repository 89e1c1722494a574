"""How much work an expression may make: bounded, whatever facts it meets.

Nested generators multiply the lengths of lists: three of them over 500 nodes are 125 million steps. The bounds are in
steps, not in seconds, so that the same rule on the same facts ends the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Nodes of a tree that the exact path may visit for one verdict, named quantities included; about half a second.
MAX_STEPS = 100_000
# How many of them may be recorded for a derivation; recording takes seven times as long and keeps every step.
MAX_TRACED = 10_000
# Nodes that one expression may visit inside nested generators on the fast path, all subjects of a run together.
MAX_FAST = 6_000_000


class TooCostlyError(Exception):
    """An expression needs more steps than it may take. It has no value then: never a pass, never a fail."""

    def __init__(self) -> None:
        super().__init__(f"more than {MAX_STEPS} steps: it loops over too many lists inside each other")


class TraceTooLongError(Exception):
    """A derivation has too many steps to be kept; the value can still be found without it."""


class Budget:
    """The steps that are left for one verdict on the exact path."""

    __slots__ = ("steps", "traced")

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin the next verdict."""
        self.steps = MAX_STEPS
        self.traced = MAX_TRACED

    def charge(self, steps: int, traced: int) -> None:
        """Pay for what was found before as if it were found again, so that the order of verdicts changes nothing."""
        self.steps -= steps
        self.traced -= traced
        if self.steps < 0:
            raise TooCostlyError
        if traced and self.traced < 0:
            raise TraceTooLongError


class Meter:
    """Counts on the fast path what nested generators visit; one for each compiled function."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left: dict[int, int] = {}

    def spend(self, number: int, weight: int, listing: Sequence[Any]) -> Sequence[Any]:
        """Take the cost of going through `listing` off the allowance of expression `number`, and return the list.

        `weight` is the number of nodes that are visited for each element.
        """
        left = self.left.get(number, MAX_FAST) - weight * len(listing)
        self.left[number] = left
        if left < 0:
            raise TooCostlyError
        return listing
