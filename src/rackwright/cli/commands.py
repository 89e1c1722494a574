"""The commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rackwright import __version__, api
from rackwright.cli.catalog import catalog_app
from rackwright.cli.common import (
    CatalogOption,
    ConfigurationPath,
    FailOn,
    FailOnOption,
    Format,
    FormatOption,
    PolicyOption,
    PricesOption,
    QuietOption,
    RulesOption,
    VerboseOption,
    configuration_file,
    exit_code,
    print_findings,
    stop,
    today,
    workshop,
)
from rackwright.cli.rules import rules_app
from rackwright.errors import RackwrightError
from rackwright.verdict import Status

app = typer.Typer(
    name="rackwright",
    help="Configuration validator and bill-of-materials generator for GPU servers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


app.add_typer(catalog_app, name="catalog")
app.add_typer(rules_app, name="rules")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"rackwright {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Configuration validator and bill-of-materials generator for GPU servers."""


@app.command()
def validate(
    configuration: ConfigurationPath,
    format_: FormatOption = Format.TEXT,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Check a configuration and print the report."""
    detail = verbose > 0 or format_ is Format.JSON
    run, date = _run(configuration, policy, catalog, rules, detail=detail)
    _print_run(run, date, format_, quiet=quiet, verbose=verbose, prices=[])
    raise typer.Exit(exit_code(run, fail_on))


@app.command()
def quote(
    configuration: ConfigurationPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder for the documents.")
    ] = Path(),
    draft: Annotated[
        bool, typer.Option("--draft", help="Write documents of an invalid configuration too, marked DRAFT.")
    ] = False,
    language: Annotated[
        str | None, typer.Option("--language", help="en or de; the configuration's language by default.")
    ] = None,
    prices: PricesOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Check a configuration and write bom.xlsx, proposal.pdf and report.json."""
    run, date = _run(configuration, policy, catalog, rules, detail=True)
    bill = _print_run(run, date, Format.TEXT, quiet=quiet, verbose=verbose, prices=prices or [])
    invalid = run.status is Status.INVALID
    if bill is None or (invalid and not draft):
        print(
            "no documents were written: the configuration is invalid (--draft writes them all the same)",
            file=sys.stderr,
        )
        raise typer.Exit(1)
    try:
        written = _write_documents(run, bill, date, output, language, is_draft=draft)
    except RackwrightError as error:
        stop(error)
    for path in written:
        print(path)
    raise typer.Exit(exit_code(run, fail_on))


def _write_documents(
    run: api.Run, bill: object, date: str, output: Path, language: str | None, *, is_draft: bool
) -> list[Path]:
    from rackwright.outputs.files import write_all_atomic
    from rackwright.readers.translations import languages

    wanted = language or run.file.configuration.quote.language
    if wanted not in languages():
        from rackwright.errors import UsageError

        raise UsageError(f"there is no language '{wanted}'; there are {', '.join(languages())}")
    report = api.report_of(run, bill)  # type: ignore[arg-type]
    documents = api.make_documents(
        run,
        bill,  # type: ignore[arg-type]
        date,
        language=wanted,
        is_draft=is_draft,
        report=report.model_dump_json(indent=2) + "\n",
        progress=lambda name: print(f"writing {name} …", file=sys.stderr),
    )
    return write_all_atomic(output, documents.files)


def _run(
    configuration: Path, policy: str | None, catalog: list[Path] | None, rules: Path | None, *, detail: bool
) -> tuple[api.Run, str]:
    loaded = workshop(catalog, rules)
    path = configuration_file(configuration)
    run, findings = api.validate_file(path, loaded, policy=policy, today=today(None), detail=detail)
    if run is None:
        print_findings(findings, _text_of(path), str(path))
        raise typer.Exit(1)
    return run, today(run.file.configuration.quote.date)


def _text_of(path: Path) -> str:
    from rackwright.readers.files import read_text

    return read_text(path, str(path))[0] or ""


def _print_run(
    run: api.Run, date: str, format_: Format, *, quiet: bool, verbose: int, prices: list[Path]
) -> object | None:
    """Print the report; return the priced bill, None if the configuration could not be placed."""
    if run.placement is None:
        print_findings(run.findings, run.file.text, run.file.locations.file)
        return None
    from rackwright.api.documents import priced

    bill, findings = priced(run, prices)
    if findings:
        print_findings(findings, run.file.text, run.file.locations.file, to_stderr=True)
    if format_ is Format.JSON:
        from rackwright.outputs.json import write_json

        sys.stdout.write(write_json(api.report_of(run, bill, findings)))
        return bill
    proposal = api.proposal_of(run, bill, date, plain=True)
    if quiet:
        print(f"{proposal.status_label}: {proposal.status_sentence}")
    else:
        from rackwright.outputs.text import write_text

        write_text(proposal, sys.stdout, verbose=verbose)
    return bill
