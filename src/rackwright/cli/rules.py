"""`rackwright rules …`: check and list."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rackwright import api
from rackwright.cli.common import RulesOption, print_findings
from rackwright.facts.vocabulary import SUBJECTS
from rackwright.rules.cases import Setting, check_cases, check_mutants

rules_app = typer.Typer(help="Look at the rules and check them.", no_args_is_help=True, rich_markup_mode=None)


@rules_app.command("check")
def check(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[RULE FILE]…")] = None, rules: RulesOption = None
) -> None:
    """Check rules: shape, types and units, their own cases, and whether the cases notice every small change."""
    loaded = api.load_workshop((), rules, with_cases=True)
    names = {path.name for path in paths or []}
    policy = loaded.ruleset.policies.get("default")
    setting = Setting({name: name for name in SUBJECTS}, policy.facts if policy else {})
    findings = [f for f in loaded.findings if not names or (f.at and Path(f.at.file).name in names)]
    checked = 0
    for rule in loaded.ruleset.rules:
        if names and (rule.at is None or Path(rule.at.file).name not in names):
            continue
        checked += 1
        findings += [*check_cases(rule, setting), *check_mutants(rule, setting)]
    print_findings(findings)
    print(f"{checked} rules, {sum(len(r.cases) for r in loaded.ruleset.rules)} cases, {len(findings)} findings")
    raise typer.Exit(1 if findings else 0)


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
