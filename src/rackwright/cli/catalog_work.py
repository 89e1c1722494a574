"""`rackwright catalog …`: diff, docs, import."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rackwright.cli.common import print_findings, say, workshop
from rackwright.cli.options import CatalogOption
from rackwright.diagnostic import Severity
from rackwright.errors import UsageError


class DiffFormat(StrEnum):
    """Formats of the differences."""

    TEXT = "text"
    JSON = "json"


def diff(
    old: Annotated[str, typer.Argument(metavar="REVISION", help="Git revision before the change.")],
    new: Annotated[
        str | None,
        typer.Argument(metavar="[REVISION]", help="Git revision after it; the files as they are by default."),
    ] = None,
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Catalog folder.")] = Path("catalog"),
    examples: Annotated[
        Path, typer.Option("--examples", metavar="FOLDER", help="Configurations whose verdicts are compared.")
    ] = Path("examples"),
    format_: Annotated[DiffFormat, typer.Option("-f", "--format", help="Format of the differences.")] = DiffFormat.TEXT,
) -> None:
    """Say what changed in meaning between two revisions, and which configurations change their verdict."""
    from rackwright.api.catalog_diff import compare_revisions

    done = compare_revisions(folder, old, new, examples)
    if format_ is DiffFormat.JSON:
        import json

        print(json.dumps(done.plain(), indent=2, ensure_ascii=False))
    else:
        print_findings(done.findings, sys.stderr)
        for line in done.lines():
            say(line)
    raise typer.Exit(1 if any(item.severity is Severity.ERROR for item in done.findings) else 0)


def docs(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Folder for the pages.")] = Path("catalog-pages"),
    part: Annotated[list[str] | None, typer.Option("--part", metavar="ID", help="Only this part; repeatable.")] = None,
    catalog: CatalogOption = None,
) -> None:
    """Write a page a part with every figure, its grade and its source, and an index by kind."""
    from rackwright.api.catalog_pages import pages
    from rackwright.outputs.files import write_all_atomic

    loaded = workshop(catalog, None)
    for part_id in part or ():
        if loaded.catalog.find(part_id) is None:
            raise UsageError(f"there is no part {part_id}")
    made = pages(loaded.catalog, part or None)
    by_folder: dict[Path, dict[str, bytes]] = {}
    for name, text in made.items():
        place = folder / name
        by_folder.setdefault(place.parent, {})[place.name] = text.encode()
    for place, files in sorted(by_folder.items()):
        write_all_atomic(place, files)
    say(f"{len(made)} pages in {folder}: open {folder / 'index.html'}")


def import_(
    shape: Annotated[str, typer.Argument(metavar="SHAPE", help="Where the files come from: netbox.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Device, module or rack types.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Catalog folder for the drafts.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Kind of part, if the file does not show it.")
    ] = None,
    read: Annotated[
        str | None, typer.Option("--read", metavar="DATE", help="Day on which you read the files; today by default.")
    ] = None,
) -> None:
    """Turn device, module and rack types of the NetBox library into draft part files, and say what is missing."""
    from rackwright.cli.common import today
    from rackwright.outputs.files import write_all_atomic
    from rackwright.readers.netbox import import_file

    if shape != "netbox":
        raise UsageError(f"'{shape}' cannot be imported: write netbox")
    drafts, findings = [], []
    for file in files:
        draft, problems = import_file(file, kind=kind, read=today(read))
        findings += problems
        drafts += [draft] if draft is not None else []
    print_findings(findings, sys.stderr)
    for draft in drafts:
        if output is None:
            print(draft.text, end="")
            continue
        place = output / draft.path
        if place.exists():
            raise UsageError(f"{place} is there already: a draft does not replace it")
        write_all_atomic(place.parent, {place.name: draft.text.encode()})
        say(str(place))
    raise typer.Exit(1 if any(item.severity is Severity.ERROR for item in findings) else 0)
