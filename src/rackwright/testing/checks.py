"""Checks of a vendor's own rules and parts, for the tests of the vendor's repository.

from pathlib import Path
from rackwright.testing import check_catalog, check_rules

def test_rules() -> None:
    assert check_rules(Path("rules")) == []

def test_catalog() -> None:
    assert check_catalog(Path("catalog")) == []
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rackwright.api.rule_checks import RuleCheck, check_constraints
from rackwright.api.rule_checks import check_rules as check_rule_paths
from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, in_order
from rackwright.readers import catalog_check
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.shipped import shipped_folder


def check_rules(folder: Path) -> list[str]:
    """Check all rules below `folder`: shape, types, units, their own cases and their mutants.

    The rules may use the quantities and policy parameters that come with rackwright. Returned is one line a problem,
    `rules/x.yaml:7:11: error RUL014: node has no field draw_peek_w (did you mean draw_peak_w?)`; none if all is well.
    """
    return _lines(check_rule_paths([folder]).findings)


def check_catalog(folder: Path, *, with_cases: bool = True) -> list[str]:
    """Check all part files below `folder`, on top of the catalog that comes with rackwright.

    Checked are shape, ids, evidence, references to other parts, part numbers, and the constraints with their cases;
    a constraint without cases is a problem too unless `with_cases` is False. Returned is one line a problem.
    """
    shown = str(folder)
    base, _ = read_rules(shipped_folder("rules"), "rules", with_cases=True)
    catalog, findings = read_catalog([(shipped_folder("catalog"), "catalog"), (folder, shown)])
    findings += catalog_check.check_catalog(catalog, base, with_cases=with_cases)
    done = RuleCheck()
    if with_cases:
        for part in _own(catalog, shown):
            check_constraints(part, Path(part.file), base, done)
    own = [item for item in (*findings, *done.findings) if item.at is None or _is_below(item.at.file, shown)]
    return _lines(in_order(own))


def _own(catalog: Catalog, shown: str) -> Iterable[Part]:
    return [part for part_id in catalog.parts if _is_below((part := catalog.parts[part_id]).file, shown)]


def _is_below(file: str, shown: str) -> bool:
    return file == shown or file.startswith(f"{shown}/")


def _lines(findings: Iterable[Finding]) -> list[str]:
    """One line a finding, each once, as compilers print them."""
    return list(dict.fromkeys(_line(item) for item in findings))


def _line(item: Finding) -> str:
    place = f"{item.at}: " if item.at else ""
    fix = f" ({item.fix})" if item.fix else ""
    return f"{place}{item.severity.value} {item.code}: {item.message}{fix}"
