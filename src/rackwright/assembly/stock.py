"""The parts of the catalog by kind, each looked up once, and how equal parts are told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from rackwright.catalog import Catalog, Part

# States of sale in which a part is not proposed for a new order.
_ENDED = frozenset({"end_of_sale", "end_of_life"})


class Stock:
    """What can be ordered, by kind, in the order of ids. Parts that are known to be no longer sold come separately."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._kinds: dict[str, list[Part]] = {}

    def of(self, kind: str) -> list[Part]:
        """Return the parts of a kind that are not known to be out of sale."""
        if kind not in self._kinds:
            self._kinds[kind] = [part for part in self.catalog.of_kind(kind) if not has_ended(part)]
        return self._kinds[kind]

    @cached_property
    def listed_psus(self) -> frozenset[str]:
        """Ids of the supplies that some chassis names as its own."""
        return frozenset(psu for chassis in self.of("chassis") for psu in chassis.get("psu.models") or ())

    @cached_property
    def model_words(self) -> dict[str, frozenset[str]]:
        """Words with a digit in the ids of each vendor's chassis (r760xa, xe9680): supplies are often named by them."""
        words: dict[str, set[str]] = {}
        for chassis in self.catalog.of_kind("chassis"):
            words.setdefault(vendor_of(chassis), set()).update(words_of(chassis))
        return {vendor: frozenset(found) for vendor, found in words.items()}

    def distance(self, part: Part, chassis: Part) -> int:
        """Rank a part by whose it is as `closeness` does; 3 is the spare part of another server maker."""
        rank = closeness(part, chassis)
        return 3 if rank == 2 and vendor_of(part) in self.model_words else rank


def has_ended(part: Part) -> bool:
    """Say whether the part is known to be no longer sold."""
    return part.get("lifecycle.status") in _ENDED


def vendor_of(part: Part) -> str:
    """Return the folder of the part's vendor: what parts of one house share."""
    return part.id.partition("/")[0]


def words_of(part: Part) -> frozenset[str]:
    """Return the words with letter and digit in an id: r760xa of dell/poweredge-r760xa."""
    words = part.id.partition("/")[2].split("-")
    return frozenset(w for w in words if any(c.isdigit() for c in w) and any(c.isalpha() for c in w))


def closeness(part: Part, chassis: Part) -> int:
    """Rank a part by whose it is: 0 sold by the chassis's vendor, 1 any maker's by figures, 2 another's."""
    if vendor_of(part) == vendor_of(chassis):
        return 0
    return 1 if part.get("is_generic") else 2


def first(parts: Iterable[Part], chassis: Part) -> Part | None:
    """Return the part that comes closest to the chassis, the first by id among equals; None of none."""
    return min(parts, key=lambda part: (closeness(part, chassis), part.id), default=None)
