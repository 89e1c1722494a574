"""The commands that judge a configuration: validate, quote, bom, proposal. The other commands are joined in here."""

from __future__ import annotations

import sys
from dataclasses import dataclass
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
    CalculationOption,
    CatalogOption,
    ConfigurationPath,
    DraftOption,
    FailOnOption,
    FormatOption,
    HouseOption,
    IgnoreOption,
    LanguageOption,
    MissingPricesOption,
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
    calculation: CalculationOption = None,
    internal: Annotated[
        bool, typer.Option("--internal", help="Write internal.xlsx too: cost and margin, for the seller alone.")
    ] = False,
    allow_missing_prices: MissingPricesOption = False,
    house: HouseOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Check a configuration and write bom.xlsx, proposal.pdf and report.json."""
    judged = judge(configuration, catalog, rules, policy=policy, prices=prices or (), calculation=calculation)
    show(judged, sys.stdout, quiet=quiet, verbose=verbose)
    more = [name for wanted in format_ or () for name in FORMATS[wanted.value]]
    names = dict.fromkeys([*api.QUOTE, *more, *([api.INTERNAL] if internal else [])])
    way = Way(language, house, is_draft=draft, allows_missing_prices=allow_missing_prices)
    _write(judged, {name: name for name in names}, output, way)
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
    calculation: CalculationOption = None,
    allow_missing_prices: MissingPricesOption = False,
    house: HouseOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
) -> None:
    """Check a configuration and write its bill of materials. `quote` prints the whole report."""
    way = Way(language, house, is_draft=draft, allows_missing_prices=allow_missing_prices)
    judging = (catalog, rules, policy, prices, calculation)
    _documents(FORMATS[format_.value], configuration, output, way, judging, fail_on)


@app.command()
def proposal(
    configuration: ConfigurationPath,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="proposal.pdf by default.")
    ] = None,
    draft: DraftOption = False,
    language: LanguageOption = None,
    prices: PricesOption = None,
    calculation: CalculationOption = None,
    allow_missing_prices: MissingPricesOption = False,
    house: HouseOption = None,
    fail_on: FailOnOption = FailOn.ERROR,
    policy: PolicyOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
) -> None:
    """Check a configuration and write the proposal. `quote` prints the whole report."""
    way = Way(language, house, is_draft=draft, allows_missing_prices=allow_missing_prices)
    judging = (catalog, rules, policy, prices, calculation)
    _documents(("proposal.pdf",), configuration, output, way, judging, fail_on)


@dataclass(frozen=True)
class Way:
    """How documents are written: their language (None = the configuration's), house style, draft or not."""

    language: str | None
    house: Path | None
    is_draft: bool
    allows_missing_prices: bool


# catalogs, rules, policy, price lists, calculation
Judging = tuple[list[Path] | None, Path | None, str | None, list[Path] | None, Path | None]


def _documents(
    names: tuple[str, ...], configuration: Path, output: Path | None, way: Way, judging: Judging, fail_on: FailOn
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
    catalog, rules, policy, prices, calculation = judging
    judged = judge(configuration, catalog, rules, policy=policy, prices=prices or (), calculation=calculation)
    show(judged, sys.stdout, quiet=True)
    _write(judged, written, folder, way)
    raise typer.Exit(exit_code(judged.run, judged.on_files, fail_on))


def _write(judged: Judged, names: dict[str, str], folder: Path, way: Way) -> None:
    """Write documents, all or none, and print their paths. `names`: document -> name of its file in `folder`.

    Nothing is written for an invalid configuration, with errors in the price lists, or where some lines have prices and
    others none, unless it is to be a draft (or missing prices are allowed); the exit code is 1 then, whatever --fail-on
    says: what was asked for is not there. Raises RackwrightError.
    """
    for name in names.values():
        not_over(folder / name, judged.path)
    has_errors = judged.run is None or judged.run.status is Status.INVALID
    has_errors = has_errors or any(item.severity is Severity.ERROR for item in judged.on_files)
    if judged.run is None or judged.bill is None or (has_errors and not way.is_draft):
        way_out = " (--draft writes them all the same)" if judged.bill is not None else ""
        say(f"no documents were written: there are errors{way_out}", sys.stderr)
        raise typer.Exit(max(1, exit_code(judged.run, judged.on_files, FailOn.ERROR)))
    if not (judged.bill.is_fit_to_offer or way.is_draft or way.allows_missing_prices):
        say("no documents were written: some lines have no price (--allow-missing-prices writes them all the same)",
            sys.stderr)  # fmt: skip
        raise typer.Exit(1)
    from rackwright.readers.translations import languages

    quote = judged.run.file.configuration.quote
    wanted = way.language or quote.language
    if wanted not in languages():
        raise UsageError(f"there is no language '{wanted}'; there are {', '.join(languages())}")
    house, problems = api.house_of(judged.run, way.house)
    print_findings(problems, sys.stderr)
    if problems:
        say("no documents were written: the house style cannot be used", sys.stderr)
        raise typer.Exit(2 if any(item.code == "CFG001" for item in problems) else 1)
    documents = api.make_documents(
        judged.run,
        judged.bill,
        today(quote.date),
        language=wanted,
        names=tuple(names),
        is_draft=way.is_draft,
        house=house,
        report=judged.report().model_dump_json(indent=2) + "\n",
        progress=lambda name: say(f"making {name} …", sys.stderr),
    )
    print_findings(documents.findings, sys.stderr)
    for path in write_all_atomic(folder, {names[name]: data for name, data in documents.files.items()}):
        say(str(path))
