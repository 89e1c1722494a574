"""The parts of a bill as other programs take them: facts as stated, by their field names, in no language.

Formats for programs are made of the `Proposal` (lines, totals, verdicts) and of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.proposal.model import BomRow
from rackwright.source import Grade

# Facts of a part that an inventory or a purchasing system asks for, by dotted name.
_STATED = ("weight_kg", "power.max_w", "power.typical_w", "output_w")
# Records of which every fact goes along.
_RECORDS = ("lifecycle",)
_URL = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+")


@frozen(slots=True)
class PartView:
    """A part of the bill. `order_numbers` are other sellers' numbers for it: (who, number).

    `stated` has facts as (dotted field name, value); what is not known is not there. `documents` are the documents
    that its figures rest on: (title, web address).
    """

    id: str
    kind: str
    title: str
    maker: str
    mpn: tuple[str, ...] = ()
    order_numbers: tuple[tuple[str, str], ...] = ()
    unit: str = "each"
    is_generic: bool = False
    stated: tuple[tuple[str, str], ...] = ()
    documents: tuple[tuple[str, str], ...] = ()


def part_views(parts: Iterable[Part]) -> dict[str, PartView]:
    """Return the parts by id."""
    return {part.id: part_view(part) for part in parts}


def part_view(part: Part) -> PartView:
    """Return one part."""
    numbers = [(who, number) for who, found in sorted(part.data.get("oem_mpn", {}).items()) for number in found]
    return PartView(
        id=part.id,
        kind=part.kind,
        title=part.title,
        maker=str(part.data.get("maker", "")),
        mpn=tuple(part.data.get("mpn", ())),
        order_numbers=(*([("seller", part.data["sku"])] if part.data.get("sku") else []), *numbers),
        unit=part.get("unit") or "each",
        is_generic=bool(part.data.get("is_generic")),
        stated=tuple(_stated(part)),
        documents=tuple(_documents(part)),
    )


def _stated(part: Part) -> Iterable[tuple[str, str]]:
    for name in _STATED:
        if (value := part.get(name)) is not None:
            yield name, written(value)
    for record in _RECORDS:
        for name, value in _leaves(record, part.get(record)):
            yield name, written(value)


def _leaves(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}", inner)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _leaves(f"{name}.{index}", inner)
    elif value is not None:
        yield name, value


def written(value: Any) -> str:
    """Return a fact as it is written in a file: `true`, `2.5`, `8`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}" if value.is_integer() else repr(value)
    return str(value)


def _documents(part: Part) -> Iterable[tuple[str, str]]:
    """The documents behind the figures that count, each once, that have a web address."""
    used = {entry["source"] for entry in part.evidence.values() if entry["grade"] != Grade.UNVERIFIED}
    for key in sorted(used):
        source = part.sources.get(key, {})
        url = source.get("url", "")
        if _URL.fullmatch(url):
            yield ", ".join(text for name in ("doc", "number", "date") if (text := source.get(name))), url


def price_of_group(row: BomRow) -> Decimal | None:
    """Return what one of a group costs: its total by their number, which leaves no rest. None on request."""
    return None if row.net_total is None else row.net_total / row.group_count


def discount_of(row: BomRow) -> Decimal | None:
    """Return by how much the net unit price is below the list price. None on request, and without a discount."""
    if row.list_unit is None or row.net_unit is None or not row.discount_ratio:
        return None
    return row.list_unit - row.net_unit
