"""The options that several commands have: each is written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rackwright.cli.common import FailOn, Format

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
    list[Path] | None, typer.Option("--prices", metavar="FILE", help="Price list (csv, xlsx, BMEcat xml); repeatable.")
]
CalculationOption = Annotated[
    Path | None,
    typer.Option("--calculation", metavar="FILE", help="Margins (yaml) in place of the configuration's; stays inside."),
]
HouseOption = Annotated[
    Path | None, typer.Option("--house", metavar="FOLDER", help="House style: logo, colours, fonts, terms, cover text.")
]
MissingPricesOption = Annotated[
    bool, typer.Option("--allow-missing-prices", help="Write documents although lines with a price list have no price.")
]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="Findings that make the exit code 1.")]
FormatOption = Annotated[Format, typer.Option("-f", "--format", help="Format of the report.")]
SelectOption = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="RULE,…", help="Only these rules or families, e.g. PWR,NVL002; repeatable."),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="RULE,…", help="All but these rules or families; repeatable."),
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report to a file, not to the terminal.")
]
DraftOption = Annotated[
    bool, typer.Option("--draft", help="Write documents in spite of errors, marked DRAFT on every page and sheet.")
]
LanguageOption = Annotated[
    str | None, typer.Option("--language", help="en or de; the configuration's language by default.")
]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Print the verdict line only.")]
VerboseOption = Annotated[
    int, typer.Option("-v", "--verbose", count=True, help="Add arithmetic and sources; twice: every check.")
]
