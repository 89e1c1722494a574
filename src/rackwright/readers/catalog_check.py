"""Checks of the catalog across files: references, part numbers, constraints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, Severity, finding, in_order
from rackwright.readers.exact_place import settled
from rackwright.readers.files import read_text
from rackwright.readers.shipped import shipped_folder
from rackwright.rules.model import Ruleset

# Fields of part files that hold ids of other parts.
REFERENCES = frozenset(
    {
        "bridge",
        "gpu",
        "gpus",
        "part",
        "parts",
        "option",
        "models",
        "chassis",
        "gpu_module_part",
        "rails_part",
        "replaced_by",
    }
)


def check_catalog(catalog: Catalog, ruleset: Ruleset) -> list[Finding]:
    """Check that references resolve, part numbers are not shared, and constraints fit the facts model."""
    findings: list[Finding] = []
    numbers: dict[tuple[str, str], Part] = {}
    for part_id in catalog.parts:
        part = catalog.parts[part_id]
        findings += _references(part, catalog)
        findings += _numbers(part, numbers)
        findings += _constraints(part, ruleset)
    return in_order(findings)


def _references(part: Part, catalog: Catalog) -> Iterator[Finding]:
    for path, value in _ids(part.data, ""):
        if catalog.find(value) is None:
            near = catalog.nearest(value)
            yield finding(
                "CAT010",
                "{field} names {value}, which the catalog does not have",
                part.at(path),
                fix="did you mean {near}?" if near else "add the part first",
                field=path,
                value=value,
                near=", ".join(near),
            )


def _ids(data: Any, path: str) -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        here = f"{path}.{key}" if path else key
        if key in ("evidence", "sources", "notes", "aliases"):
            continue
        if isinstance(value, dict):
            yield from _ids(value, here)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    yield from _ids(item, f"{here}.{index}")
                elif key in REFERENCES and isinstance(item, str):
                    yield f"{here}.{index}", item
        elif key in REFERENCES and isinstance(value, str) and "/" in value:
            yield here, value


def _numbers(part: Part, numbers: dict[tuple[str, str], Part]) -> Iterator[Finding]:
    for index, number in enumerate(part.data.get("mpn", ())):
        known = numbers.setdefault((str(part.data["maker"]), number), part)
        if known is not part:
            yield finding(
                "CAT011",
                "the part number {number} belongs to {other} as well",
                part.at(f"mpn.{index}"),
                severity=Severity.WARNING,
                fix="a part number names one part of its maker: check both sources",
                related=((known.at("mpn"), "the other part"),),
                number=number,
                other=known.id,
            )


def _constraints(part: Part, ruleset: Ruleset) -> list[Finding]:
    if not part.constraints:
        return []
    from rackwright.readers.rules_files import check_meaning
    from rackwright.rules.constraints import places_of, rules_of_part

    rules = rules_of_part(part.id, part.constraints, part.sources, places_of(part.constraints, part.at))
    findings, _ = check_meaning(Ruleset(tuple(rules), ruleset.quantities, ruleset.policies))
    return settled(findings, _text_of(part)) if findings else []


def _text_of(part: Part) -> str:
    """The text of a part file; shipped files are named from their folder on."""
    path = Path(part.file)
    if not path.is_file():
        path = shipped_folder("catalog") / part.file.partition("/")[2]
    return read_text(path, part.file)[0] or ""
