"""Records whose named quantities are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Quantity = Callable[["LazyRecord"], Any]


class _Missing:
    """The type of MISSING."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""What the fast path returns for an expression that a missing fact (or a division by zero) left without a value."""


class LazyRecord(dict[str, Any]):
    """A record of facts; a key that is not stored is computed by its quantity, once.

    A quantity gets the record and returns the value. It says that its value cannot be known with MISSING, a
    LookupError, ArithmeticError or ValueError: reading the key then raises KeyError, as for any absent fact. So does
    a quantity that reads itself. Any other exception is a defect of the quantity and goes through.
    """

    __slots__ = ("_failed", "computed", "quantities")

    def __init__(self, data: Mapping[str, Any], quantities: Mapping[str, Quantity]) -> None:
        super().__init__(data)
        self.quantities = quantities
        self.computed: set[str] = set()
        self._failed: set[str] = set()

    def __missing__(self, key: str) -> Any:
        if key in self._failed or key not in self.quantities:
            raise KeyError(key)
        self._failed.add(key)  # until it succeeds: a quantity that asks for itself is missing
        try:
            value = self.quantities[key](self)
        except (LookupError, ArithmeticError, ValueError) as error:
            raise KeyError(key) from error
        except BaseException:
            self._failed.discard(key)
            raise
        if value is MISSING:
            raise KeyError(key)
        self._failed.discard(key)
        self.computed.add(key)
        self[key] = value
        return value

    def is_quantity(self, key: str) -> bool:
        """Tell whether `key` is a quantity here: computed, or to be computed; a stated figure is none."""
        return key in self.computed or (key in self.quantities and key not in self)
