"""One judgement for all commands: catalog, rules, configuration and prices are read, and the rules are run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rackwright import api
from rackwright.api.selection import selection
from rackwright.cli.common import configuration_file, print_findings, say, shown_path, today, workshop
from rackwright.diagnostic import Finding
from rackwright.errors import UsageError

if TYPE_CHECKING:
    from rackwright.pricing import PricedBom
    from rackwright.proposal.report import Report


@dataclass(frozen=True)
class Judged:
    """What came out. `run` None: the configuration could not be read; `bill` None: it could not be placed either.

    `on_files` are the findings that are not the run's own: on the configuration if there is no run, on price lists.
    """

    path: Path
    run: api.Run | None
    bill: PricedBom | None
    on_files: tuple[Finding, ...]

    def report(self) -> Report:
        """The machine-readable report."""
        if self.run is None:
            report: Report = api.report_of_findings(shown_path(self.path), self.on_files)
        else:
            report = api.report_of(self.run, self.bill, self.on_files)
        return report


def judge(
    configuration: Path,
    catalog: list[Path] | None,
    rules: Path | None,
    *,
    policy: str | None = None,
    prices: Sequence[Path] = (),
    calculation: Path | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    detail: bool = True,
) -> Judged:
    """Read and judge a configuration; `detail` adds arithmetic to what passes.

    Errors: UsageError if an option names a policy or a rule that does not exist, or rules that cannot be used.
    """
    loaded = workshop(catalog, rules)
    if policy is not None and policy not in loaded.ruleset.policies:
        raise UsageError(f"there is no policy {policy}; there are {', '.join(sorted(loaded.ruleset.policies))}")
    chosen = selection(select, ignore, loaded.ruleset, loaded.catalog) if select or ignore else None
    path = configuration_file(configuration)
    run, findings = api.validate_file(
        path, loaded, shown=shown_path(path), policy=policy, today=today(None), detail=detail, selection=chosen
    )
    if run is None or run.placement is None:
        return Judged(path, run, None, tuple(findings))
    from rackwright.api.documents import priced

    bill, problems = priced(run, prices, calculation)
    return Judged(path, run, bill, tuple(problems))


def show(judged: Judged, stream: TextIO, *, quiet: bool = False, verbose: int = 0) -> None:
    """Print the report, or the findings on files that could not be used. Findings on price lists go to stderr."""
    run, bill = judged.run, judged.bill
    if run is None or bill is None:
        print_findings(run.findings if run is not None else judged.on_files, stream)
        return
    print_findings(judged.on_files, sys.stderr)
    date = today(run.file.configuration.quote.date)
    view = api.proposal_of(run, bill, date, plain=True, brief=verbose == 0)
    if quiet:
        say(f"{view.status_label}: {view.status_sentence}", stream)
    else:
        from rackwright.outputs.text import write_text

        write_text(view, stream, verbose=verbose)
