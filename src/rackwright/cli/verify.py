"""The command verify: is a proposal still true?"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rackwright.cli.common import print_findings, say, shown_path
from rackwright.cli.options import CatalogOption, RulesOption
from rackwright.diagnostic import Severity

if TYPE_CHECKING:
    from rackwright.api.certificates import Verification
    from rackwright.proposal.comparison import Change

_WORDS = {
    "configuration": "configuration",
    "status": "verdict on the whole",
    "verdict": "verdicts",
    "figures": "same verdict, other figures",
    "line": "bill of materials",
    "total": "totals",
    "unknown": "figures that nobody has stated",
    "waiver": "waivers",
    "tool": "rackwright",
    "catalog": "catalog",
    "rules": "rules",
    "part": "parts whose figures changed",
    "policy": "policy",
}
# More changes of one sort than this are counted, unless everything is asked for.
_LISTED = 20


class VerifyFormat(StrEnum):
    """Formats of the comparison."""

    TEXT = "text"
    JSON = "json"


def verify(
    proposal: Annotated[Path, typer.Argument(metavar="PROPOSAL", help="A proposal.pdf that rackwright wrote.")],
    format_: Annotated[VerifyFormat, typer.Option("-f", "--format", help="Format.")] = VerifyFormat.TEXT,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List every change.")] = False,
) -> None:
    """Run the configuration in a proposal again and say whether verdict and bill are the same.

    Exit code 0: the same. 1: something differs. 2: it could not be done.
    """
    from rackwright.api.certificates import verify_file

    found, workshop = verify_file(proposal, shown_path(proposal), catalogs=catalog or (), rules=rules)
    on_files = () if workshop is None else workshop.findings
    print_findings([item for item in on_files if item.severity is Severity.ERROR], sys.stderr)
    if format_ is VerifyFormat.JSON:
        print(json.dumps(_as_json(found), indent=2, ensure_ascii=False))
    elif found.is_done:
        _print(found, is_whole=verbose)
    else:
        print_findings(found.findings, sys.stderr)
    raise typer.Exit(0 if found.is_same else 1 if found.is_done else 2)


def _print(found: Verification, *, is_whole: bool) -> None:
    from rackwright.proposal.comparison import DECIDING

    assert found.certificate is not None
    before = found.certificate
    say(f"proposal {before.number} of {before.date}, made with {before.tool}: {before.status}".replace("  ", " "))
    groups: dict[str, list[Change]] = {}
    for change in found.changes:
        groups.setdefault(change.what, []).append(change)
    for what, changes in groups.items():
        mark = "!" if what in DECIDING else "·"
        say(f"{mark} {_WORDS[what]}")
        shown = changes if is_whole else changes[:_LISTED]
        for change in shown:
            where = f"{change.where}: " if change.where and change.where not in (change.before, change.after) else ""
            say(f"    {where}{_said(change)}")
        if len(shown) < len(changes):
            say(f"    and {len(changes) - len(shown)} more (-v lists them)")
    say(_verdict(found))


def _said(change: Change) -> str:
    if change.before is None:
        return f"new: {change.after}"
    if change.after is None:
        return f"gone: {change.before}"
    return f"{change.before} -> {change.after}"


def _verdict(found: Verification) -> str:
    if not found.changes:
        return "the same: every verdict with its arithmetic, the bill and its totals, catalog and rules"
    if found.is_same:
        return "the same: every verdict with its arithmetic, the bill and its totals; what they were made with changed"
    return "it differs"


def _as_json(found: Verification) -> dict[str, object]:
    return {
        "result": "same" if found.is_same else "different" if found.is_done else "not done",
        "changes": [{"what": c.what, "where": c.where, "before": c.before, "after": c.after} for c in found.changes],
        "findings": [{"code": f.code, "message": str(f.message), "fix": str(f.fix or "")} for f in found.findings],
        "certificate": found.certificate.model_dump() if found.certificate is not None else None,
    }
