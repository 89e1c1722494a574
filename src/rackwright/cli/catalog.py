"""`rackwright catalog …`: check, show, find, schema."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from rackwright.catalog import Catalog, Part
from rackwright.cli.common import NOT_THERE, CatalogOption, print_findings, say, workshop
from rackwright.diagnostic import Severity
from rackwright.errors import UsageError

catalog_app = typer.Typer(help="Look at the catalog and check it.", no_args_is_help=True, rich_markup_mode=None)

_TERM = re.compile(r"^([a-z_.]+)(>=|<=|!=|=|>|<)(.+)$")


@catalog_app.command("check")
def check(catalog: CatalogOption = None) -> None:
    """Check every part file: shape, id, evidence, references."""
    from rackwright import api
    from rackwright.readers.catalog_check import check_catalog

    loaded = api.load_workshop(catalog or [])
    findings = [*loaded.findings, *check_catalog(loaded.catalog, loaded.ruleset)]
    print_findings(findings)
    print(f"{len(loaded.catalog.parts)} parts, {len(findings)} findings")
    is_not_there = any(item.code in NOT_THERE for item in loaded.findings)
    has_errors = any(item.severity is Severity.ERROR for item in findings)
    raise typer.Exit(2 if is_not_there else int(has_errors))


@catalog_app.command("show")
def show(
    part: Annotated[str, typer.Argument(help="Part id, e.g. nvidia/l40s.")], catalog: CatalogOption = None
) -> None:
    """Print a part with the document and the grade of every figure."""
    loaded = workshop(catalog, None)
    found = loaded.catalog.find(part)
    if found is None:
        near = loaded.catalog.nearest(part)
        raise UsageError(f"there is no part {part}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    say(f"{found.id}  {found.title}  ({found.kind})")
    for name, value in _figures(found.data):
        citation, grade = found.evidence_of(name)
        say(f"  {name} = {value}" + (f"    [{grade}: {citation}]" if citation else ""))
    for name, value in found.candidates.items():
        say(f"  {name}: not known (unverified: {value})")
    for note in found.data.get("notes", ()):
        say(f"  note: {note}")


@catalog_app.command("find")
def find(
    query: Annotated[list[str], typer.Argument(help="Conditions: kind=gpu memory.capacity_gb>=80 form_factor=pcie")],
    catalog: CatalogOption = None,
) -> None:
    """List the parts that meet all conditions. A part whose figure is not known is left out."""
    loaded = workshop(catalog, None)
    terms = []
    for text in " ".join(query).split():
        match = _TERM.match(text)
        if match is None:
            raise UsageError(f"'{text}' is not a condition: write FIELD=VALUE, FIELD>=VALUE …")
        terms.append(match.groups())
    for found in _matching(loaded.catalog, terms):
        say(f"{found.id}  {found.title}")


def _figures(data: Any, prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in data.items():
        if prefix == "" and key in ("evidence", "kind", "id", "title", "notes", "aliases"):
            continue
        if isinstance(value, dict):
            rows += _figures(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", value))
    return rows


def _matching(catalog: Catalog, terms: list[Any]) -> list[Part]:
    return [part for part_id in catalog.parts if _meets(part := catalog.parts[part_id], terms)]


def _meets(part: Part, terms: list[Any]) -> bool:
    return all(_holds(part.kind if name == "kind" else part.get(name), sign, wanted) for name, sign, wanted in terms)


def _holds(value: Any, sign: str, wanted: str) -> bool:
    if value is None:
        return False
    if isinstance(value, list):
        return any(_holds(item, sign, wanted) for item in value)
    if isinstance(value, bool | str):
        text = str(value).lower()
        return text == wanted.lower() if sign == "=" else sign == "!=" and text != wanted.lower()
    try:
        number = float(wanted)
    except ValueError:
        return False
    held: bool = {
        "=": value == number, "!=": value != number, ">=": value >= number,
        "<=": value <= number, ">": value > number, "<": value < number,
    }[sign]  # fmt: skip
    return held


@catalog_app.command("schema")
def schema(output: Annotated[Path, typer.Argument(metavar="FOLDER")] = Path()) -> None:
    """Write the JSON Schemas of part files, configuration and report below FOLDER."""
    from rackwright.outputs.files import write_all_atomic
    from rackwright.readers.schemas import schema_texts

    for path, text in schema_texts().items():
        place = output / path
        write_all_atomic(place.parent, {place.name: text.encode()})
        say(str(place))
