"""The check of the catalog: all of it, some files, or what changed since a revision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rackwright.catalog import Catalog
from rackwright.diagnostic import Finding, Severity, finding, in_order
from rackwright.errors import UsageError
from rackwright.parts import PART_KINDS
from rackwright.readers import git
from rackwright.readers.cache import scan
from rackwright.readers.catalog_check import check_catalog
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.files import as_text
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.shipped import real_path, shipped_folder
from rackwright.readers.yaml_source import load_yaml
from rackwright.source import Location

Folders = list[tuple[Path, str]]


@dataclass(frozen=True)
class CatalogCheck:
    """What was found, and how many part files it is about. `is_there` is False if a folder cannot be opened."""

    findings: tuple[Finding, ...]
    parts: int
    is_there: bool = True

    @property
    def has_errors(self) -> bool:
        """Tell whether anything is wrong; warnings and advice are questions."""
        return any(item.severity is Severity.ERROR for item in self.findings)


def check(
    paths: Sequence[Path] = (),
    catalogs: Sequence[Path] = (),
    *,
    changed_since: str | None = None,
    is_alone: bool = False,
    rules: Path | None = None,
) -> CatalogCheck:
    """Check part files against each other and against the rules.

    Shapes: `paths` are part files or folders of them; their catalog folder is put on top if it is not among those
    already. Of findings only those in these files are returned; with `changed_since`, only those in files that
    changed on this branch since that revision, and what broke because a file is gone. `is_alone` leaves out the
    shipped catalog.
    Errors: UsageError if a path is not there, there is no git, or it does not know the revision.
    """
    folders: Folders = [] if is_alone else [(shipped_folder("catalog"), "catalog")]
    folders += [(folder, as_text(folder)) for folder in catalogs]
    for path in paths:
        _add_root(path, folders)
    if not folders:
        raise UsageError("there is nothing to check: name a catalog folder")
    catalog, findings = read_catalog(folders)
    ruleset, problems = read_rules(rules or shipped_folder("rules"), "rules")
    broken = _ids_of_broken(findings)
    found = [item for item in check_catalog(catalog, ruleset) if not _names(item, broken)]
    findings += [*problems, *found, *_other_suffixes(folders)]
    is_there = not any(item.code == "CAT001" for item in findings)
    wanted = {path.resolve() for path in paths}
    if changed_since is not None:
        changes = _changes(folders, changed_since)
        findings += _lost_ids(changes, catalog)
        findings = [item for item in findings if _is_of(item, changes.files) or _names(item, changes.gone_ids)]
        wanted_files = changes.files
    else:
        wanted_files = None
    if wanted:
        findings = [item for item in findings if _is_below(item, wanted)]
    return CatalogCheck(tuple(in_order(findings)), _counted(folders, wanted, wanted_files), is_there)


@dataclass(frozen=True)
class _Changes:
    """Part files that changed in the repositories of the catalog folders. `old` are earlier texts by shown path."""

    files: frozenset[Path]
    gone_ids: frozenset[str]
    old: dict[str, str]
    revision: str


def _add_root(path: Path, folders: Folders) -> None:
    """Put the catalog folder of a path on top, if it is not there yet."""
    if not path.exists():
        raise UsageError(f"there is nothing to check at {path}: name a part file or a folder of them")
    root = catalog_root(path)
    if all(root.resolve() != folder.resolve() for folder, _ in folders):
        folders.append((root, as_text(root)))


def catalog_root(path: Path) -> Path:
    """Return the catalog folder that a path is in, or that it is: the one above the folder of a kind."""
    for place in (path, *path.parents):
        if place.name in PART_KINDS:
            return place.parent
    if path.is_dir() and any((path / kind).is_dir() for kind in PART_KINDS):
        return path
    if (path / "catalog").is_dir():
        return path / "catalog"
    return path if path.is_dir() else path.parent


def _changes(folders: Folders, revision: str) -> _Changes:
    files: set[Path] = set()
    gone: set[str] = set()
    old: dict[str, str] = {}
    shipped = shipped_folder("catalog")
    own = [folder for folder, _ in folders if folder != shipped] or [shipped]  # not the history of rackwright itself
    repositories = {folder: found for folder in own if (found := git.repository_of(folder)) is not None}
    if not repositories:
        raise UsageError("none of the catalog folders is in a git repository")
    for folder, shown in folders:
        repository = repositories.get(folder)
        if repository is None:
            continue
        commit = git.fork_point(repository, git.commit_of(repository, revision))
        there, lost = git.changed_files(repository, commit)
        for name in (*there, *lost):
            place = repository / name
            if place.suffix not in (".yaml", ".yml") or not place.is_relative_to(folder.resolve()):
                continue
            inside = place.relative_to(folder.resolve()).as_posix()
            files.add(place.resolve())
            gone |= {inside.partition("/")[2].removesuffix(".yaml")} if name in lost else set()
            text = git.text_at(repository, commit, name)
            if text is not None:
                old[f"{shown}/{inside}"] = text
    return _Changes(frozenset(files), frozenset(gone), old, revision)


def _lost_ids(changes: _Changes, catalog: Catalog) -> Iterable[Finding]:
    """Ids and aliases that were there and lead nowhere now, or to another part: quotes that name them would break."""
    for shown, text in changes.old.items():
        document, _ = load_yaml(text, shown)
        data = document.data if document is not None else None
        if not isinstance(data, dict) or not isinstance(data.get("id"), str):
            continue
        aliases = data.get("aliases")
        for name in (data["id"], *(aliases if isinstance(aliases, list) else ())):
            found = catalog.find(str(name))
            now = catalog.find(str(data["id"]))
            if now is None and real_path(shown).is_file():
                continue  # the file is there with an error of its own, which is told
            if found is None:
                yield finding(
                    "CAT014",
                    "the id {id} was there at {revision} and leads nowhere now",
                    Location(shown),
                    fix="add it under aliases of the part that takes its place; if there is none, keep the file and "
                    "write lifecycle: {status: end_of_life}",
                    subject=str(name),
                    id=str(name),
                    revision=changes.revision,
                )
            elif now is not None and found.id != now.id:
                yield finding(
                    "CAT014",
                    "the id {id} was an alias of {old} at {revision} and is {new} now",
                    found.at("id"),
                    fix="ids are never used again: choose another one",
                    subject=str(name),
                    id=str(name),
                    old=str(data["id"]),
                    new=found.id,
                    revision=changes.revision,
                )


def _other_suffixes(folders: Folders) -> Iterable[Finding]:
    for folder, shown in folders:
        for entry in scan(folder, ".yml") if folder.is_dir() else ():
            yield finding(
                "CAT009",
                "{file} is not read: part files end with .yaml",
                Location(f"{shown}/{entry.path}"),
                fix="rename it to {wanted}",
                file=entry.path,
                wanted=entry.path.removesuffix(".yml") + ".yaml",
            )


def _is_of(item: Finding, files: frozenset[Path]) -> bool:
    return item.at is not None and real_path(item.at.file).resolve() in files


def _ids_of_broken(findings: Iterable[Finding]) -> frozenset[str]:
    """Ids of files that have an error of their own: that nobody finds the part is no second error."""
    steps = [item.at.file.removesuffix(".yaml").split("/") for item in findings if item.at is not None]
    return frozenset("/".join(step[-2:]) for step in steps)


def _names(item: Finding, ids: frozenset[str]) -> bool:
    """Tell whether a finding is a reference to one of the ids that leads nowhere."""
    value = item.message.figures.get("value")
    return item.code == "CAT010" and value is not None and value.value in ids


def _is_below(item: Finding, wanted: Iterable[Path]) -> bool:
    place = real_path(item.at.file).resolve() if item.at is not None else None
    return place is None or any(place == path or path in place.parents for path in wanted)


def _counted(folders: Folders, wanted: Iterable[Path], changed: frozenset[Path] | None) -> int:
    """Count the part files that the check was about."""
    counted = 0
    for folder, _ in folders:
        for entry in scan(folder) if folder.is_dir() else ():
            place = (folder / entry.path).resolve()
            is_wanted = not wanted or any(place == path or path in place.parents for path in wanted)
            counted += is_wanted and (changed is None or place in changed)
    return counted
