"""The commands."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from rackwright import __version__, api
from rackwright.api.selection import selection
from rackwright.cli.catalog import catalog_app
from rackwright.cli.common import (
    CatalogOption,
    ConfigurationPath,
    FailOn,
    FailOnOption,
    Format,
    FormatOption,
    IgnoreOption,
    OutputOption,
    PolicyOption,
    PricesOption,
    QuietOption,
    RulesOption,
    SelectOption,
    VerboseOption,
    configuration_file,
    emit,
    exit_code,
    print_findings,
    shown_path,
    stop,
    today,
    workshop,
)
from rackwright.cli.explain import explain
from rackwright.cli.rules import rules_app
from rackwright.diagnostic import Finding
from rackwright.errors import RackwrightError
from rackwright.outputs import write_report
from rackwright.verdict import Status

if TYPE_CHECKING:
    from rackwright.proposal.report import Report

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
app.command()(explain)


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
    output: OutputOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Check a configuration and print the report."""
    loaded = workshop(catalog, rules)
    path = configuration_file(configuration)
    try:
        chosen = selection(select or [], ignore or [], loaded.ruleset, loaded.catalog) if select or ignore else None
        detail = verbose > 0 or format_ is not Format.TEXT
        run, findings = api.validate_file(
            path, loaded, shown=shown_path(path), policy=policy, today=today(None), detail=detail, selection=chosen
        )
        if chosen is not None:
            print("only some of the rules were asked for: the verdict is about these alone", file=sys.stderr)
        if format_ is Format.TEXT:
            _validate_text(run, findings, output, quiet=quiet, verbose=verbose)
        else:
            emit(write_report(_report(run, findings, shown_path(path)), format_.value), output)
    except RackwrightError as error:
        stop(error)
    raise typer.Exit(exit_code(run, fail_on))


def _validate_text(
    run: api.Run | None, findings: list[Finding], output: Path | None, *, quiet: bool, verbose: int
) -> None:
    stream: TextIO = sys.stdout if output is None else StringIO()
    if run is None:
        print_findings(findings, stream)
    else:
        date = today(run.file.configuration.quote.date)
        _print_run(run, date, stream, quiet=quiet, verbose=verbose, prices=[])
    if isinstance(stream, StringIO):
        emit(stream.getvalue(), output)


def _report(run: api.Run | None, findings: list[Finding], name: str) -> Report:
    """The machine-readable report, also of a configuration that could not be read or placed."""
    if run is None:
        report: Report = api.report_of_findings(name, findings)
    elif run.placement is None:
        report = api.report_of(run, None)
    else:
        from rackwright.api.documents import priced

        report = api.report_of(run, *priced(run, []))
    return report


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
    bill = _print_run(run, date, sys.stdout, quiet=quiet, verbose=verbose, prices=prices or [])
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
    run, findings = api.validate_file(
        path, loaded, shown=shown_path(path), policy=policy, today=today(None), detail=detail
    )
    if run is None:
        print_findings(findings)
        raise typer.Exit(1)
    return run, today(run.file.configuration.quote.date)


def _print_run(
    run: api.Run, date: str, stream: TextIO, *, quiet: bool, verbose: int, prices: list[Path]
) -> object | None:
    """Print the report; return the priced bill, None if the configuration could not be placed."""
    if run.placement is None:
        print_findings(run.findings, stream)
        return None
    from rackwright.api.documents import priced

    bill, findings = priced(run, prices)
    print_findings(findings, sys.stderr)
    proposal = api.proposal_of(run, bill, date, plain=True)
    if quiet:
        print(f"{proposal.status_label}: {proposal.status_sentence}", file=stream)
    else:
        from rackwright.outputs.text import write_text

        write_text(proposal, stream, verbose=verbose)
    return bill
