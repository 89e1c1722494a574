"""The commands that judge a configuration: validate, quote, bom, proposal. The other commands are joined in here."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rackwright import __version__, api
from rackwright.api.interchange import FORMATS
from rackwright.cli.catalog import catalog_app
from rackwright.cli.common import FailOn, Format, exit_code, not_over, print_findings, say, today
from rackwright.cli.explain import explain
from rackwright.cli.judge import Judged, judge, show
from rackwright.cli.new import new
from rackwright.cli.options import (
    CatalogOption,
    ConfigurationPath,
    DraftOption,
    FailOnOption,
    FormatOption,
    IgnoreOption,
    LanguageOption,
    OutputOption,
    PolicyOption,
    PricesOption,
    QuietOption,
    RulesOption,
    SelectOption,
    VerboseOption,
)
from rackwright.cli.rules import rules_app
from rackwright.cli.size import size
from rackwright.cli.validate import validated
from rackwright.cli.verify import verify
from rackwright.diagnostic import Severity
from rackwright.errors import UsageError
from rackwright.outputs.files import write_all_atomic
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
app.command()(explain)
app.command()(new)
app.command()(verify)
app.command()(size)


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
    raise typer.Exit(
        validated(
            configuration,
            format_,
            output,
            select=select or (),
            ignore=ignore or (),
            fail_on=fail_on,
            policy=policy,
            catalog=catalog,
            rules=rules,
            quiet=quiet,
            verbose=verbose,
        )
    )


class BomFormat(StrEnum):
    """Formats of the bill of materials: those of api.interchange.FORMATS."""

    XLSX = "xlsx"
    CSV = "csv"
    CYCLONEDX = "cyclonedx"
    CYCLONEDX_1_7 = "cyclonedx-1.7"
    UBL = "ubl"
    NETBOX = "netbox"


@app.command()
def quote(
    configuration: ConfigurationPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder for the documents.")
    ] = Path(),
    format_: Annotated[
        list[BomFormat] | None,
        typer.Option("-f", "--format", help="Write the bill in this format too; repeatable."),
    ] = None,
    draft: DraftOption = False,
    language: LanguageOption = None,
    prices: PricesOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Check a configuration and write bom.xlsx, proposal.pdf and report.json."""
    judged = judge(configuration, catalog, rules, policy=policy, prices=prices or ())
    show(judged, sys.stdout, quiet=quiet, verbose=verbose)
    names = dict.fromkeys([*api.QUOTE, *(name for wanted in format_ or () for name in FORMATS[wanted.value])])
    _write(judged, {name: name for name in names}, output, language, is_draft=draft)
    raise typer.Exit(exit_code(judged.run, judged.on_files, fail_on))


@app.command()
def bom(
    configuration: ConfigurationPath,
    format_: Annotated[BomFormat, typer.Option("-f", "--format", help="Format of the bill.")] = BomFormat.XLSX,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="File or folder; bom.xlsx by default.")
    ] = None,
    draft: DraftOption = False,
    language: LanguageOption = None,
    prices: PricesOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
) -> None:
    """Check a configuration and write its bill of materials. `quote` prints the whole report."""
    names = FORMATS[format_.value]
    _documents(names, configuration, output, language, prices, fail_on, policy, catalog, rules, is_draft=draft)


@app.command()
def proposal(
    configuration: ConfigurationPath,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="proposal.pdf by default.")
    ] = None,
    draft: DraftOption = False,
    language: LanguageOption = None,
    prices: PricesOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
) -> None:
    """Check a configuration and write the proposal. `quote` prints the whole report."""
    names = ("proposal.pdf",)
    _documents(names, configuration, output, language, prices, fail_on, policy, catalog, rules, is_draft=draft)


def _documents(
    names: tuple[str, ...],
    configuration: Path,
    output: Path | None,
    language: str | None,
    prices: list[Path] | None,
    fail_on: FailOn,
    policy: str | None,
    catalog: list[Path] | None,
    rules: Path | None,
    *,
    is_draft: bool,
) -> None:
    """Judge, print the verdict line and write documents: one to the file `output`, or by their names into a folder."""
    first = names[0]
    place = output or Path()
    if place.is_dir() or len(names) > 1:
        folder, written = place, {name: name for name in names}
    elif place.suffix.lower() != Path(first).suffix:
        raise UsageError(f"{place} is not the name of a {Path(first).suffix} file")
    else:
        folder, written = place.parent, {first: place.name}
    judged = judge(configuration, catalog, rules, policy=policy, prices=prices or ())
    show(judged, sys.stdout, quiet=True)
    _write(judged, written, folder, language, is_draft=is_draft)
    raise typer.Exit(exit_code(judged.run, judged.on_files, fail_on))


def _write(judged: Judged, names: dict[str, str], folder: Path, language: str | None, *, is_draft: bool) -> None:
    """Write documents, all or none, and print their paths. `names`: document -> name of its file in `folder`.

    Nothing is written for an invalid configuration or with errors in the price lists, unless it is to be a draft; the
    exit code is 1 then, whatever --fail-on says: what was asked for is not there. Raises RackwrightError.
    """
    for name in names.values():
        not_over(folder / name, judged.path)
    has_errors = judged.run is None or judged.run.status is Status.INVALID
    has_errors = has_errors or any(item.severity is Severity.ERROR for item in judged.on_files)
    if judged.run is None or judged.bill is None or (has_errors and not is_draft):
        way_out = " (--draft writes them all the same)" if judged.bill is not None else ""
        say(f"no documents were written: there are errors{way_out}", sys.stderr)
        raise typer.Exit(max(1, exit_code(judged.run, judged.on_files, FailOn.ERROR)))
    from rackwright.readers.translations import languages

    quote = judged.run.file.configuration.quote
    wanted = language or quote.language
    if wanted not in languages():
        raise UsageError(f"there is no language '{wanted}'; there are {', '.join(languages())}")
    documents = api.make_documents(
        judged.run,
        judged.bill,
        today(quote.date),
        language=wanted,
        names=tuple(names),
        is_draft=is_draft,
        report=judged.report().model_dump_json(indent=2) + "\n",
        progress=lambda name: say(f"making {name} …", sys.stderr),
    )
    print_findings(documents.findings, sys.stderr)
    for path in write_all_atomic(folder, {names[name]: data for name, data in documents.files.items()}):
        say(str(path))
