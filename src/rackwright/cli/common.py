"""What commands share: options, printing of findings, exit codes."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from rackwright import api
from rackwright.diagnostic import Finding, Severity
from rackwright.errors import RackwrightError
from rackwright.verdict import Status


class Format(StrEnum):
    """Formats of the report."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """From which finding on the exit code is 1. `open`: also when figures are missing."""

    ERROR = "error"
    OPEN = "open"
    WARNING = "warning"
    NEVER = "never"


ConfigurationPath = Annotated[
    Path, typer.Argument(metavar="CONFIGURATION", help="Configuration file, or a folder with configuration.yaml.")
]
CatalogOption = Annotated[
    list[Path] | None,
    typer.Option("--catalog", metavar="FOLDER", help="Catalog folder on top of the shipped one; repeatable."),
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="FOLDER", help="Rules folder instead of the shipped one.")
]
PolicyOption = Annotated[str | None, typer.Option("--policy", metavar="NAME", help="Policy: limits and severities.")]
PricesOption = Annotated[
    list[Path] | None, typer.Option("--prices", metavar="FILE", help="Price list (csv); repeatable.")
]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="Findings that make the exit code 1.")]
FormatOption = Annotated[Format, typer.Option("-f", "--format", help="Format of the report.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Print the verdict line only.")]
VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, help="Add arithmetic and sources; twice: every check.")
]


def configuration_file(path: Path) -> Path:
    """Accept a folder in place of its configuration.yaml."""
    return path / "configuration.yaml" if path.is_dir() else path


def today(stated: str | None) -> str:
    """The date of the documents: the quote's, else SOURCE_DATE_EPOCH, else today."""
    if stated:
        return stated
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and epoch.isdigit():
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat()
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def workshop(catalogs: list[Path] | None, rules: Path | None, *, with_cases: bool = False) -> api.Workshop:
    """Load catalog and rules; their errors are printed, and the rest is used."""
    loaded = api.load_workshop(catalogs or [], rules, with_cases=with_cases)
    if loaded.findings:
        print_findings(loaded.findings, to_stderr=True)
    return loaded


def print_findings(findings: Sequence[Finding], text: str = "", name: str = "", *, to_stderr: bool = False) -> None:
    """Print findings on files."""
    from rackwright.outputs.text import write_findings
    from rackwright.proposal.findings import view_of_finding
    from rackwright.proposal.texts import PlainFormats, Texts

    texts = Texts("en", {}, PlainFormats())
    views = [view_of_finding(item, texts) for item in findings]
    write_findings(views, sys.stderr if to_stderr else sys.stdout, text, name)


def exit_code(run: api.Run, fail_on: FailOn) -> int:
    """0 or 1, by the verdict of the run and --fail-on."""
    if fail_on is FailOn.NEVER:
        return 0
    if run.status is Status.INVALID:
        return 1
    if fail_on in (FailOn.OPEN, FailOn.WARNING) and run.status is Status.OPEN:
        return 1
    warned = any(f.severity is Severity.WARNING and f.outcome == "fail" and f.waived is None for f in run.reported)
    return 1 if fail_on is FailOn.WARNING and warned else 0


def stop(error: RackwrightError) -> NoReturn:
    """End with exit code 2 and the reason."""
    print(f"rackwright: {error}", file=sys.stderr)
    raise typer.Exit(2)
