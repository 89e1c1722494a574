"""The command `validate` behind its options. It does not need typer (see `start.run`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO, TextIOWrapper
from pathlib import Path

from rackwright.cli.common import FailOn, Format, exit_code, not_over, say
from rackwright.cli.judge import judge, show


def validated(
    configuration: Path,
    format_: Format = Format.TEXT,
    output: Path | None = None,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    fail_on: FailOn = FailOn.ERROR,
    policy: str | None = None,
    catalog: list[Path] | None = None,
    rules: Path | None = None,
    quiet: bool = False,
    verbose: int = 0,
) -> int:
    """Check a configuration, print the report or write it to `output`, and return the exit code."""
    detail = verbose > 0 or format_ is not Format.TEXT
    judged = judge(configuration, catalog, rules, policy=policy, select=select, ignore=ignore, detail=detail)
    if output is not None:
        not_over(output, judged.path)
    if select or ignore:
        say("only some of the rules were asked for: the verdict is about these alone", sys.stderr)
    stream = sys.stdout if output is None else StringIO()
    if format_ is Format.TEXT:
        show(judged, stream, quiet=quiet, verbose=verbose)
    else:
        from rackwright.outputs import write_report

        if isinstance(stream, TextIOWrapper):  # for programs: no character may be lost
            stream.reconfigure(encoding="utf-8")
        stream.write(write_report(judged.report(), format_.value))
    if output is not None and isinstance(stream, StringIO):
        from rackwright.outputs.files import write_bytes_atomic

        write_bytes_atomic(output, stream.getvalue().encode())
    return exit_code(judged.run, judged.on_files, fail_on)
