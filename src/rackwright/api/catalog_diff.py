"""What a change of the catalog means: figures, units, grades, constraints, and verdicts that become others."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rackwright.api.runs import Workshop, validate_file
from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Figure, Finding
from rackwright.errors import UsageError
from rackwright.readers import git
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.files import as_text
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.shipped import shipped_folder
from rackwright.units import unit_of
from rackwright.verdict import Outcome

# What entries of a list are called by; an entry without any of these is called by its number.
_NAMES = ("id", "name", "names", "gpu", "bridge", "connector", "type", "load_ratio", "voltage_min_v")
_NOT_MEANT = frozenset({"kind", "id", "evidence", "sources", "constraints"})


@dataclass(frozen=True)
class Change:
    """One difference in a part. `old` and `new` are as a person reads them; empty = not there."""

    part: str
    what: str  # part, figure, grade, source or constraint
    name: str
    old: str
    new: str


@dataclass(frozen=True)
class VerdictChange:
    """A configuration whose verdict changed: its status before and after, and the rules that judge otherwise."""

    configuration: str
    old: str
    new: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class CatalogDiff:
    """All differences between two states of a catalog, and errors in the part files of either."""

    changes: tuple[Change, ...]
    verdicts: tuple[VerdictChange, ...]
    configurations: int = 0
    findings: tuple[Finding, ...] = field(default=(), compare=False)

    def plain(self) -> dict[str, Any]:
        """The differences as plain data."""
        return {
            "changes": [asdict(change) for change in self.changes],
            "verdicts": [asdict(change) for change in self.verdicts],
            "configurations": self.configurations,
        }

    def lines(self) -> Iterator[str]:
        """The differences as lines of text, part by part."""
        part = ""
        for change in self.changes:
            if change.part != part:
                part = change.part
                yield part
            yield f"  {_line(change)}"
        for verdict in self.verdicts:
            arrow = f"{verdict.old} -> {verdict.new}" if verdict.old != verdict.new else f"{verdict.new} as before"
            yield f"{verdict.configuration}: {arrow}"
            yield from (f"  {rule}" for rule in verdict.rules)
        parts = len({change.part for change in self.changes})
        yield (
            f"{len(self.changes)} changes in {parts} parts; "
            f"{len(self.verdicts)} of {self.configurations} configurations judged otherwise"
        )


def _line(change: Change) -> str:
    head = f"{change.what} {change.name}".strip()
    if not change.old:
        return f"+ {head}: {change.new}"
    return f"- {head}: {change.old}" if not change.new else f"~ {head}: {change.old} -> {change.new}"


def compare_revisions(folder: Path, old: str, new: str | None, examples: Path) -> CatalogDiff:
    """Compare the catalog in `folder` at two revisions of its repository; `new` None = the files as they are.

    The configurations below `examples`, as they are now, are validated with both catalogs and today's rules, so that
    a verdict changes because of the catalog alone.
    Errors: UsageError if there is no repository, revision or folder; what is wrong in part files is in `findings`.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    repository = git.repository_of(folder)
    if repository is None:
        raise UsageError(f"{folder} is not in a git repository")
    inside = folder.resolve().relative_to(repository.resolve()).as_posix()
    with tempfile.TemporaryDirectory(prefix="rackwright-") as scratch:
        findings: list[Finding] = []
        catalogs = []
        for number, revision in enumerate((old, new)):
            place = folder
            if revision is not None:
                commit = git.commit_of(repository, revision)
                if not git.export(repository, commit, inside, Path(scratch) / str(number)):
                    raise UsageError(f"there is no folder {inside} at {revision}")
                place = Path(scratch) / str(number) / inside
            shown = as_text(folder) if revision is None else f"{revision}:{inside}"
            catalog, problems = read_catalog([(place, shown)], is_kept=revision is None)
            catalogs.append(catalog)
            findings += problems
        before, after = catalogs
        configurations = sorted(examples.rglob("configuration.yaml")) if examples.is_dir() else []
        verdicts = _compare_verdicts(before, after, configurations)
        return CatalogDiff(tuple(compare(before, after)), tuple(verdicts), len(configurations), tuple(findings))


def compare(before: Catalog, after: Catalog) -> Iterator[Change]:
    """Yield what differs in meaning, in the order of parts and names; the order of keys does not count."""
    for part_id in sorted({*before.parts, *after.parts}):
        old, new = before.parts.get(part_id), after.parts.get(part_id)
        if old is None or new is None:
            yield Change(
                part_id, "part", "", old.title if old else "", new.title if new else _successor(after, part_id)
            )
        else:
            yield from _figures_changed(old, new)
            yield from _constraints_changed(old, new)


def _successor(after: Catalog, part_id: str) -> str:
    found = after.find(part_id)
    return f"now {found.id}" if found is not None else ""


def _figures_changed(old: Part, new: Part) -> Iterator[Change]:
    """Figures and their grades; where the figure is the same, its document."""
    was, now = (dict(_leaves({k: v for k, v in part.data.items() if k not in _NOT_MEANT}, "")) for part in (old, new))
    was |= {name: f"{value} (unverified)" for name, value in old.candidates.items()}
    now |= {name: f"{value} (unverified)" for name, value in new.candidates.items()}
    if old.kind != new.kind:
        yield Change(new.id, "kind", "", old.kind, new.kind)
    for name in sorted({*was, *now}):
        before, after = _words(was.get(name), name), _words(now.get(name), name)
        if before != after:
            yield Change(new.id, "figure", name, before, after)
        if name in was and name in now:
            yield from _evidence_changed(old, new, name)


def _evidence_changed(old: Part, new: Part, name: str) -> Iterator[Change]:
    field_name = name.partition("[")[0]
    (was, grade_before), (now, grade_after) = old.evidence_of(field_name), new.evidence_of(field_name)
    if name not in old.places and field_name == name and name not in new.places:
        return  # a default that nobody wrote has no evidence of its own
    if grade_before != grade_after:
        yield Change(new.id, "grade", name, str(grade_before or ""), str(grade_after or ""))
    elif str(was) != str(now):
        yield Change(new.id, "source", name, str(was or ""), str(now or ""))


def _constraints_changed(old: Part, new: Part) -> Iterator[Change]:
    was, now = ({item["id"]: item for item in part.constraints} for part in (old, new))
    for name in sorted({*was, *now}):
        before, after = was.get(name), now.get(name)
        if before is None or after is None:
            yield Change(new.id, "constraint", name, _sentence(before), _sentence(after))
            continue
        for key in ("severity", "when", "require", "adds", "message", "fix"):
            if before.get(key) != after.get(key):
                yield Change(new.id, "constraint", f"{name}.{key}", _plain(before.get(key)), _plain(after.get(key)))


def _sentence(constraint: Mapping[str, Any] | None) -> str:
    return "" if constraint is None else str(constraint.get("title") or constraint["id"].replace("-", " "))


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Values by dotted name; an entry of a list of records is called by what names it: `slots[1].lanes`."""
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from _leaves(child, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        called = [_called(item, index) for index, item in enumerate(value)]
        for index, item in enumerate(value):
            label = called[index] if called.count(called[index]) == 1 else f"{called[index]} #{index + 1}"
            yield from _leaves(item, f"{name}[{label}]")
    else:
        yield name, value


def _called(item: Mapping[str, Any], index: int) -> str:
    name = next((item[key] for key in _NAMES if key in item), index + 1)
    return "+".join(map(str, name)) if isinstance(name, list) else str(name)


def _words(value: Any, name: str) -> str:
    """A value with the unit of its field."""
    if isinstance(value, int | float):
        return str(Figure(value, unit_of(name.rpartition(".")[2].partition("[")[0])))
    return _plain(value)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_plain(item)}" for key, item in value.items())
    return str(value) or "empty"


def _compare_verdicts(before: Catalog, after: Catalog, configurations: list[Path]) -> Iterator[VerdictChange]:
    ruleset, problems = read_rules(shipped_folder("rules"), "rules")
    workshops = [Workshop(catalog, ruleset, tuple(problems)) for catalog in (before, after)]
    for path in configurations:
        (old, was), (new, now) = (_judged(path, workshop) for workshop in workshops)
        rules = tuple(
            f"{rule} {subject}: {was.get((rule, subject), 'not asked')} -> {now.get((rule, subject), 'not asked')}"
            for rule, subject in sorted({*was, *now})
            if was.get((rule, subject)) != now.get((rule, subject))
        )
        if old != new or rules:
            yield VerdictChange(as_text(path.parent), old, new, rules)


def _judged(path: Path, workshop: Workshop) -> tuple[str, dict[tuple[str, str], str]]:
    """The status of a configuration and what its rules say; a rule that does not apply says nothing."""
    run, _ = validate_file(path, workshop)
    if run is None:
        return "unreadable", {}
    told = {(f.code, f.subject): "reported" for f in run.findings}
    told |= {(v.rule, v.subject): v.outcome.value for v in run.verdicts if v.outcome is not Outcome.NOT_APPLICABLE}
    return run.status.value, told
