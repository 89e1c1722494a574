"""How rows of price lists name parts, and what two of them must not share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rackwright.diagnostic import Finding, finding
from rackwright.pricing import Price
from rackwright.readers.files import printable
from rackwright.source import Location

MAX_FINDINGS = 200


class Names:
    """Parts by the id of the catalog, or by a number that the maker or a seller prints.

    `is_known` says whether the catalog has an id; `numbers` has the parts of the bill by their numbers.
    """

    def __init__(self, is_known: Callable[[str], bool], numbers: Mapping[str, Sequence[str]] | None = None) -> None:
        self.is_known = is_known
        self.numbers = {number.casefold(): tuple(ids) for number, ids in (numbers or {}).items()}

    def of_number(self, number: str) -> tuple[str, ...]:
        """The parts of the bill that carry a number."""
        return self.numbers.get(number.strip().casefold(), ())


def key_of(price: Price) -> tuple[object, ...]:
    """What two prices must not share."""
    return (price.part, price.currency, price.unit, price.quantity_min, price.valid_from, price.valid_until,
            price.territory)  # fmt: skip


def ambiguous(number: str, parts: Sequence[str], at: Location | None) -> Finding:
    """Tell that a number names more than one part of the bill."""
    return finding("BOM100", "the number {number} is carried by several parts of the bill: {parts}", at,
                   fix="name the part by its id in a column `part`", number=printable(number),
                   parts=", ".join(parts))  # fmt: skip
