"""`rackwright catalog …`: check, show, find, schema. The other commands on the catalog are joined in here."""

from __future__ import annotations

import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from rackwright import api
from rackwright.cli import catalog_work
from rackwright.cli.common import print_findings, say, workshop
from rackwright.cli.options import CatalogOption
from rackwright.errors import UsageError

catalog_app = typer.Typer(help="Look at the catalog and check it.", no_args_is_help=True, rich_markup_mode=None)
catalog_app.command("diff")(catalog_work.diff)
catalog_app.command("docs")(catalog_work.docs)
catalog_app.command("import")(catalog_work.import_)


class CheckFormat(StrEnum):
    """Formats of the findings on part files."""

    TEXT = "text"
    GITHUB = "github"
    SARIF = "sarif"
    JSON = "json"


@catalog_app.command("check")
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]…", help="Part files or folders of them; all by default.")
    ] = None,
    catalog: CatalogOption = None,
    changed_since: Annotated[
        str | None,
        typer.Option("--changed-since", metavar="REVISION", help="Only what changed on this branch since then."),
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Without the catalog that comes with rackwright.")] = False,
    format_: Annotated[CheckFormat, typer.Option("-f", "--format", help="Format of the findings.")] = CheckFormat.TEXT,
) -> None:
    """Check part files: shape, id, evidence, references, plausibility, constraints."""
    from rackwright.api.catalog_checks import check as check_files

    done = check_files(paths or (), catalog or (), changed_since=changed_since, is_alone=alone)
    if format_ is CheckFormat.TEXT:
        print_findings(done.findings)
        print(f"{done.parts} parts, {len(done.findings)} findings")
    else:
        from rackwright.outputs import write_report

        status = "invalid" if done.has_errors else "valid"
        report = api.report_of_findings("catalog", done.findings).model_copy(update={"status": status})
        if isinstance(sys.stdout, TextIOWrapper):  # for programs: no character may be lost
            sys.stdout.reconfigure(encoding="utf-8")
        print(write_report(report, format_.value), end="")
    raise typer.Exit(int(done.has_errors) if done.is_there else 2)


@catalog_app.command("show")
def show(
    part: Annotated[str, typer.Argument(help="Part id, e.g. nvidia/l40s.")], catalog: CatalogOption = None
) -> None:
    """Print a part with the document and the grade of every figure, and the file of each if catalogs are stacked."""
    loaded = workshop(catalog, None)
    found = loaded.catalog.find(part)
    if found is None:
        near = loaded.catalog.nearest(part)
        raise UsageError(f"there is no part {part}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    from rackwright.readers.catalog_overlay import NOT_FIGURES

    say(f"{found.id}  {found.title}  ({found.kind})  {found.file}")
    for name, value in _figures(found.data):
        citation, grade = found.evidence_of(name)
        said = f"{grade}: {citation}" if citation and name not in NOT_FIGURES else ""
        said = said if name in found.places else "by default"
        origin = str(found.at(name)) if found.files else ""
        say(f"  {name} = {_plain(value)}" + "".join(f"    [{text}]" for text in (said, origin) if text))
        entry = found.evidence.get(name, {})
        if entry.get("note"):
            say(f"      note: {entry['note']}")
        for other in entry.get("others") or ():
            say(f"      otherwise: {_plain(other['value'])} ({found.sources[other['source']]['doc']})")
    for name, old, place in found.replaced:
        say(f"  {name}: was {_plain(old)} in {place or 'the catalog below'}")
    for name, value in found.candidates.items():
        say(f"  {name}: not known (unverified: {value})")
    for rule in found.constraints:
        say(f"  constraint {rule['id']}: {rule.get('title') or rule['id']}")
    for note in found.data.get("notes", ()):
        say(f"  note: {note}")


def _plain(value: Any) -> str:
    """A value as a person writes it: no braces and quotes of a programming language where there need be none."""
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


@catalog_app.command("find")
def find(
    query: Annotated[list[str], typer.Argument(help="Conditions: kind=gpu memory_gb>=80 form_factor=pcie")],
    catalog: CatalogOption = None,
) -> None:
    """List the parts that meet all conditions. A part whose figure is not known is left out."""
    from rackwright.api.catalog_find import conditions, matching

    wanted = conditions(query)
    for item in wanted:
        if item.field != item.written:
            say(f"rackwright: {item.written} is {item.field}", sys.stderr)
    for found in matching(workshop(catalog, None).catalog, wanted):
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


@catalog_app.command("schema")
def schema(output: Annotated[Path, typer.Argument(metavar="FOLDER")] = Path()) -> None:
    """Write the JSON Schemas of part files, configuration and report below FOLDER."""
    from rackwright.outputs.files import write_all_atomic
    from rackwright.readers.schemas import schema_texts

    for path, text in schema_texts().items():
        place = output / path
        write_all_atomic(place.parent, {place.name: text.encode()})
        say(str(place))
