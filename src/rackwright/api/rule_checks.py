"""The check of rules, of quantities and of the constraints that parts own: load, cases, mutants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rackwright.api.catalog_checks import catalog_root
from rackwright.catalog import Part
from rackwright.diagnostic import Finding, Severity, finding, in_order
from rackwright.facts.vocabulary import SUBJECTS
from rackwright.parts import PART_KINDS
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.exact_place import settled
from rackwright.readers.files import read_text
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.rules_files import check_meaning, paths_below, read_rule_files
from rackwright.readers.shipped import real_path, shipped_folder
from rackwright.readers.yaml_source import load_yaml
from rackwright.rules.cases import Setting, check_cases, check_mutants
from rackwright.rules.constraints import places_of, rules_of_part
from rackwright.rules.model import Rule, Ruleset
from rackwright.source import Location


@dataclass
class RuleCheck:
    """What a check did and found."""

    findings: list[Finding] = field(default_factory=list)
    rules: int = 0
    cases: int = 0

    @property
    def has_errors(self) -> bool:
        """Tell whether anything is wrong; a constraint without cases is only a warning."""
        return any(item.severity is Severity.ERROR for item in self.findings)

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings that are not there yet."""
        self.findings += [item for item in findings if item not in self.findings]


def check_rules(paths: Sequence[Path] = (), rules: Path | None = None, catalogs: Sequence[Path] = ()) -> RuleCheck:
    """Check rules: shape, types and units, their own cases, and whether the cases notice every small change.

    `rules` is the folder in place of the shipped rules. `paths` are what to check: rule files, folders of them, and
    part files, whose constraints are checked; none means all rules of the folder. Files outside of the folder may use
    its quantities and policies.
    """
    folder, shown = (rules, str(rules)) if rules is not None else (shipped_folder("rules"), "rules")
    base, findings = read_rules(folder, shown, with_cases=True)
    done = RuleCheck()
    if not paths:
        done.add(findings)
        _check(base.rules, base, done)
    for path in paths:
        if path.resolve().is_relative_to(folder.resolve()):
            _check_inside(path, folder, shown, base, findings, done)
        elif _part_file(path) if path.is_file() else path.is_dir() and _is_of_parts(path):
            _check_parts(path, catalogs, base, done)
        else:
            _check_outside(path, base, done)
    done.findings = in_order(done.findings)
    return done


def check_constraints(part: Part, file: Path, base: Ruleset, done: RuleCheck) -> None:
    """Check the constraints of a part: types and units, and their cases; one without cases is a warning."""
    owned = rules_of(part)
    if owned:
        problems, broken = check_meaning(Ruleset(tuple(owned), base.quantities, base.policies))
        done.add(settled(problems, read_text(file, part.file)[0] or ""))
        _check((rule for rule in owned if rule.id not in broken), base, done)


def rules_of(part: Part) -> list[Rule]:
    """Return the constraints of a part as rules that know their places in the part file."""
    return rules_of_part(part.id, part.constraints, part.sources, places_of(part.constraints, part.at))


def _check(rules: Iterable[Rule], base: Ruleset, done: RuleCheck) -> None:
    policy = base.policies.get("default")
    setting = Setting({name: name for name in SUBJECTS}, policy.facts if policy else {})
    for rule in rules:
        done.rules += 1
        done.cases += len(rule.cases)
        done.add(check_cases(rule, setting))
        done.add(check_mutants(rule, setting) if rule.cases or not rule.owner else ())


def _check_inside(
    path: Path, folder: Path, shown: str, base: Ruleset, findings: Sequence[Finding], done: RuleCheck
) -> None:
    """Check what was already read with the folder."""
    name = path.resolve().relative_to(folder.resolve()).as_posix()
    wanted = shown if name == "." else f"{shown}/{name}"
    if not path.exists():
        done.add([_not_there(path)])
    done.add(item for item in findings if item.at and _is_below(item.at.file, wanted))
    _check((rule for rule in base.rules if rule.at and _is_below(rule.at.file, wanted)), base, done)


def _is_below(file: str, wanted: str) -> bool:
    return file == wanted or file.startswith(f"{wanted}/")


def _check_outside(path: Path, base: Ruleset, done: RuleCheck) -> None:
    """Check a folder of rules or a single file that does not belong to the rules folder."""
    if path.is_dir():
        folder, paths = path, paths_below(path)
    elif path.parent.name in ("quantities", "policies"):
        folder, paths = path.parent.parent, [f"{path.parent.name}/{path.name}"]
    else:
        folder, paths = path.parent, [path.name]
    if not path.exists() or (path.is_dir() and not paths):
        done.add([_not_there(path)])
        return
    found, findings = read_rule_files(folder, folder.as_posix(), paths, base)
    done.add(findings)
    _check(found.rules, replace(base, policies=found.policies), done)


def _not_there(path: Path) -> Finding:
    return finding(
        "RUL001",
        "there is nothing to check at {path}",
        Location(str(path)),
        fix="name a rule file, a part file or a folder of them",
        path=str(path),
    )


def _part_file(path: Path) -> bool:
    """Tell whether a file describes a part."""
    text, _ = read_text(path, str(path))
    document, _ = load_yaml(text, str(path)) if text is not None else (None, [])
    data = document.data if document is not None else None
    return isinstance(data, dict) and str(data.get("kind")) in PART_KINDS


def _is_of_parts(folder: Path) -> bool:
    """Tell whether a folder is a catalog folder or in one: below the folder of a kind, or above such folders."""
    above = {place.name for place in (folder.resolve(), *folder.resolve().parents)}
    return bool(above & set(PART_KINDS)) or any((catalog_root(folder) / kind).is_dir() for kind in PART_KINDS)


def _check_parts(path: Path, catalogs: Sequence[Path], base: Ruleset, done: RuleCheck) -> None:
    """Check the constraints of a part file, or of all below a folder; the catalog folder is put on the catalog."""
    root = catalog_root(path.resolve())
    folders = [(shipped_folder("catalog"), "catalog"), *((folder, str(folder)) for folder in catalogs)]
    if all(root != folder.resolve() for folder, _ in folders):
        folders.append((root, str(catalog_root(path))))
    catalog, findings = read_catalog(folders)
    done.add(item for item in findings if item.at and _is_inside(item.at.file, path))
    for part_id in catalog.parts:
        part = catalog.parts[part_id]
        if part.constraints and _is_inside(part.file, path):
            check_constraints(part, real_path(part.file), base, done)


def _is_inside(file: str, path: Path) -> bool:
    place = real_path(file).resolve()
    return place == path.resolve() or path.resolve() in place.parents
