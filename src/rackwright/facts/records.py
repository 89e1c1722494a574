"""What the makers of facts share: records without unknown facts, reasons for what is absent, and sums that can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.frozen import frozen
from rackwright.placement.model import NodePlacement

Record = dict[str, Any]
Make = Callable[[str, Record], Record]
# Which figures would have been needed: (record, dotted field) pairs. A record may be a part's data.
Needs = Sequence[tuple[Mapping[str, Any], str]]


def plain(_name: str, data: Record) -> Record:
    """Make a record as it is: what a caller without quantities passes as `make`."""
    return data


@frozen(slots=True)
class Context:
    """A placed node, and what is needed to turn it into records.

    `make` finishes a record of a kind (it may return another object, which is the record from then on). `policy` are
    the limits that are a choice, by name; facts that need one are absent without it.
    """

    placed: NodePlacement
    catalog: Catalog
    site: Record
    make: Make
    policy: Mapping[str, Any] = field(default_factory=dict)

    @property
    def chassis(self) -> Part:
        """The chassis of the node."""
        return self.placed.chassis

    @property
    def placed_id(self) -> Record:
        """The node as the owner of a choice that its user did not make."""
        return {"id": self.placed.node.id}

    def is_named(self, part: Part, ids: Sequence[str]) -> bool:
        """Say whether a list of part ids names a part, by its id or by an alias."""
        return any(self.catalog.aliases.get(name, name) == part.id for name in ids)


class Reasons:
    """Why derived facts are absent: which figures each would have needed. Computed only when somebody asks."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Mapping[str, Needs]]) -> None:
        self._make = make

    def all(self) -> Mapping[str, Needs]:
        """Return what each derived fact would have needed."""
        return self._make()

    def get(self, field: str, default: Needs | None = None) -> Needs | None:
        """Return what `field` would have needed, `default` if it is not a derived fact."""
        return self._make().get(field) or default


def merged(*records: Record) -> Record:
    """Put facts about the same thing into one record, with the reasons of all of them."""
    reasons = [record["_because"].all for record in records if "_because" in record]
    whole = {name: value for record in records for name, value in record.items()}
    if reasons:
        whole["_because"] = Reasons(lambda: {name: needs for each in reasons for name, needs in each().items()})
    return whole


def known(because: Callable[[], Mapping[str, Needs]] | None = None, /, **facts: Any) -> Record:
    """Return the facts that are known: a fact without a value is absent, never None.

    `because` tells for facts that were derived what they would have needed; kept as `_because`.
    """
    record = {name: value for name, value in facts.items() if value is not None}
    if because is not None:
        record["_because"] = Reasons(because)
    return record


def without(data: Mapping[str, Any], *fields: str) -> Needs:
    """Return the fields that a part does not state, as needs; the first of `fields` if it states them all."""
    missing = [(data, field) for field in fields if _read(data, field) is None]
    return missing or [(data, field) for field in fields[:1]]


def lacking(records: Sequence[Mapping[str, Any]], field: str) -> Needs:
    """Return the records that have no such fact, as needs."""
    return [(record, field) for record in records if field not in record]


def total(values: Sequence[float | None]) -> float | None:
    """Return the sum of figures, None if one of them is not known."""
    figures = [value for value in values if value is not None]
    return sum(figures) if len(figures) == len(values) else None


def total_count(values: Sequence[int | None]) -> int | None:
    """Return the sum of counts, None if one of them is not known."""
    figures = [value for value in values if value is not None]
    return sum(figures) if len(figures) == len(values) else None


def _read(data: Mapping[str, Any], field: str) -> Any:
    value: Any = data
    for step in field.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return None
        value = value[step]
    return value
