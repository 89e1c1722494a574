"""`rackwright rules …`: check and list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rackwright import api
from rackwright.cli.common import print_findings
from rackwright.cli.options import CatalogOption, RulesOption

rules_app = typer.Typer(help="Look at the rules and check them.", no_args_is_help=True, rich_markup_mode=None)


@rules_app.command("check")
def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]…", help="Rule files, folders of them, or part files.")
    ] = None,
    rules: RulesOption = None,
    catalog: CatalogOption = None,
) -> None:
    """Check rules: shape, types and units, their own cases, and whether the cases notice every small change.

    Of part files the constraints are checked.
    """
    from rackwright.api.rule_checks import check_rules

    done = check_rules(paths or [], rules, catalog or [])
    print_findings(done.findings)
    print(f"{done.rules} rules, {done.cases} cases, {len(done.findings)} findings")
    raise typer.Exit(1 if done.has_errors else 0)


@rules_app.command("list")
def list_rules(
    rules: RulesOption = None,
    parameters: Annotated[bool, typer.Option("--parameters", help="List the policy parameters instead.")] = False,
) -> None:
    """List all rules, or all policy parameters with their defaults."""
    loaded = api.load_workshop((), rules)
    if parameters:
        policy = loaded.ruleset.policies["default"]
        for parameter in policy.parameters.values():
            print(f"{parameter.name} = {parameter.value}  {parameter.title}")
        return
    for rule in loaded.ruleset.rules:
        print(f"{rule.id}  {rule.severity.value:<7}  {rule.for_each:<12}  {rule.title}")


@rules_app.command("docs")
def docs(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Folder of the documentation.")] = Path("docs"),
    rules: RulesOption = None,
    is_check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a page is not up to date.")] = False,
) -> None:
    """Write a page a rule (rules/ID.md), their index, the facts that rules read, and the policies."""
    from rackwright.api.rule_pages import pages

    made = pages(api.load_workshop((), rules, with_cases=True).ruleset)
    own = folder / "rules"
    gone = [path for path in sorted(own.glob("*.md")) if f"rules/{path.name}" not in made] if own.is_dir() else []
    stale = [name for name, text in made.items() if _written(folder / name) != text]
    if is_check:
        for name in [*stale, *(path.name for path in gone)]:
            print(f"{name} is not up to date: run `rackwright rules docs`")
        raise typer.Exit(1 if stale or gone else 0)
    for name in stale:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(made[name], encoding="utf-8", newline="\n")
    for path in gone:
        path.unlink()
    print(f"{len(made)} pages, {len(stale)} written, {len(gone)} removed")


def _written(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
