"""What commands share: formats, printing of findings, exit codes. It does not need typer (see `start.run`)."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from rackwright import api
from rackwright.diagnostic import Finding, Severity, harmless
from rackwright.errors import UsageError
from rackwright.verdict import Outcome, Status


class Format(StrEnum):
    """Formats of the report."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


class FailOn(StrEnum):
    """From which finding on the exit code is 1. `open`: also when figures are missing."""

    ERROR = "error"
    OPEN = "open"
    WARNING = "warning"
    NEVER = "never"


def configuration_file(path: Path) -> Path:
    """Accept a folder in place of its configuration.yaml."""
    return path / "configuration.yaml" if path.is_dir() else path


def today(stated: str | None) -> str:
    """The date of the documents: the quote's, else SOURCE_DATE_EPOCH, else today."""
    if stated:
        return stated
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat()
        except (ValueError, OverflowError, OSError):
            raise UsageError(f"SOURCE_DATE_EPOCH is {epoch[:40]}, which is no number of seconds since 1970") from None
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def workshop(catalogs: list[Path] | None, rules: Path | None, *, with_cases: bool = False) -> api.Workshop:
    """Load catalog and rules. Errors in part files are printed and the other parts are used.

    Without the folders that were asked for, and without all of the rules, nothing can be judged: UsageError.
    """
    loaded = api.load_workshop(catalogs or [], rules, with_cases=with_cases)
    print_findings(loaded.findings, sys.stderr)
    if any(item.code in NOT_THERE for item in loaded.findings):
        raise UsageError("a file or folder of the catalog or the rules cannot be opened")
    if not loaded.is_ruleset_whole:
        raise UsageError("there are errors in the rules: no verdict without all of them")
    if not loaded.ruleset.rules:
        raise UsageError(f"there are no rules in {rules}: nothing would be checked")
    return loaded


def shown_path(path: Path) -> str:
    """Return the name of a file for findings: relative to the current folder if it is below it, else as given."""
    from rackwright.readers.files import as_text

    try:
        return as_text(path.resolve().relative_to(Path.cwd()) if path.is_absolute() else path)
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a loop of links
        return as_text(path)


def print_findings(findings: Sequence[Finding], stream: TextIO | None = None) -> None:
    """Print findings on files, each with its line and a caret; a file is read when a finding names it."""
    if not findings:
        return
    from rackwright.outputs.text import write_findings
    from rackwright.proposal.findings import view_of_finding
    from rackwright.proposal.texts import PlainFormats, Texts

    texts = Texts("en", {}, PlainFormats())
    read: dict[str, str] = {}
    for item in findings:
        name = item.at.file if item.at else ""
        if name and name not in read:
            read[name] = text_shown(name)
        write_findings([view_of_finding(item, texts)], stream or sys.stdout, read.get(name, ""), name)


def text_shown(name: str) -> str:
    """Return the text of a file that a finding names, empty if it cannot be read.

    Shipped files are named from their folder on, `rules/pwr/…`: if nothing of that name is here, they are meant.
    """
    from rackwright.readers.files import read_text
    from rackwright.readers.shipped import shipped_folder

    top, _, rest = name.partition("/")
    path = Path(name)
    if top in ("rules", "catalog") and not path.is_file():
        path = shipped_folder(top) / rest
    return read_text(path, name)[0] or ""


# Findings that say that a file or folder which the user named cannot be opened at all.
NOT_THERE = frozenset({"CFG001", "CAT001", "RUL001"})


def exit_code(run: api.Run | None, on_files: Sequence[Finding], fail_on: FailOn) -> int:
    """0, 1 or 2 by the findings, the verdict and --fail-on (see `start.main`).

    `on_files` are findings on files that are not the run's own. No run: the configuration could not be read.
    """
    if any(item.code in NOT_THERE for item in on_files):
        return 2
    if fail_on is FailOn.NEVER:
        return 0
    findings = [*on_files, *run.workshop.findings] if run is not None else list(on_files)
    if run is None or run.status is Status.INVALID or any(item.severity is Severity.ERROR for item in findings):
        return 1
    if fail_on in (FailOn.OPEN, FailOn.WARNING) and run.status is Status.OPEN:
        return 1
    if fail_on is not FailOn.WARNING:
        return 0
    on_files = [*findings, *run.findings]
    failed = [verdict for verdict in run.verdicts if verdict.outcome is Outcome.FAIL and verdict.waived is None]
    severities = [*(item.severity for item in on_files), *(verdict.severity for verdict in failed)]
    return int(Severity.WARNING in severities)


def not_over(output: Path, configuration: Path) -> None:
    """Refuse to write over the configuration. Raises UsageError."""
    if output.exists() and configuration.exists() and output.samefile(configuration):
        raise UsageError(f"{output} is the configuration: it would be replaced")


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a line in which the terminal obeys nothing, whoever wrote the text."""
    print(harmless(text), file=stream or sys.stdout)
