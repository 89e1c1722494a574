"""Reads catalog folders. A part file is parsed and validated once; afterwards its cached form is served.

Several folders may be stacked: a part file of a later folder adds a part, or overrides an earlier part field by
field (its keys replace or extend those of the earlier file).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, finding
from rackwright.readers import cache
from rackwright.readers.files import printable, read_text
from rackwright.readers.findings_data import findings_from_text, findings_to_text
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location, Locations

_CODE = Path(__file__).resolve().parent
# Keys of a part file that are not figures: they need no evidence, and rules do not read them.
NOT_FIGURES = frozenset(
    {"kind", "id", "title", "maker", "aliases", "notes", "is_generic", "sources", "evidence", "constraints"}
)


_ALL = "*"


@dataclass
class _Folder:
    """One catalog folder: what its files say in all, and the way to the bodies of each.

    `index` has the path of each part by its id (`parts`), the ids of files with errors (`refused`), `aliases`, and
    as texts `digests` and `findings`.
    """

    folder: Path
    shown: str
    store: cache.Store
    index: dict[str, Any] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)

    def body(self, path: str) -> dict[str, Any]:
        """Return the checked content of a file; read it again if the cache lost it."""
        text = self.fresh.get(path) or self.store.body(path)
        if text is None:
            text = _read_part(self.folder, path, f"{self.shown}/{path}")[1]
        body: dict[str, Any] = json.loads(text)
        return body


class _Parts(Mapping[str, Part]):
    """Parts by id, built when they are asked for."""

    def __init__(self, places: dict[str, list[tuple[_Folder, str]]]) -> None:
        self._places = places
        self._built: dict[str, Part] = {}

    def __getitem__(self, part_id: str) -> Part:
        built = self._built.get(part_id)
        if built is None:
            built = self._built[part_id] = _stacked(self._places[part_id])
        return built

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, part_id: object) -> bool:
        return part_id in self._places

    def get(self, part_id: str, default: Any = None) -> Any:
        """Return the part or `default`."""
        return self[part_id] if part_id in self._places else default


def read_catalog(folders: Sequence[tuple[Path, str]]) -> tuple[Catalog, list[Finding]]:
    """Read catalog folders, later ones on top. Each is given with the name to show in findings.

    Errors in part files are findings (CAT…); a part with errors is left out, the rest is served.
    """
    findings: list[Finding] = []
    places: dict[str, list[tuple[_Folder, str]]] = {}
    aliases: dict[str, str] = {}
    digest = hashlib.sha256()
    for folder, shown in folders:
        if not folder.is_dir():
            findings.append(_no_folder(shown))
            continue
        try:
            opened = _open(folder, shown)
        except OSError as error:
            findings.append(_unreadable_folder(shown, error))
            continue
        findings += findings_from_text(opened.index["findings"])
        digest.update(os.fsencode(opened.index["digests"]))
        aliases.update(opened.index["aliases"])
        for part_id, path in opened.index["parts"].items():
            places.setdefault(part_id, []).append((opened, path))
        for part_id in opened.index["refused"]:  # the figures of the file below are not the ones that are wanted
            places.pop(part_id, None)
    for part_id in [part_id for part_id, found in places.items() if len(found) > 1]:
        problems = _merged(places[part_id])[1]
        if problems:
            findings += problems
            del places[part_id]
    return Catalog(_Parts(places), aliases, digest.hexdigest()), findings


def _id_of(path: str) -> str:
    """The id that a part file has to have: its path below the folder of its kind."""
    return path.partition("/")[2].removesuffix(".yaml")


def _no_folder(shown: str) -> Finding:
    return finding(
        "CAT001",
        "there is no catalog folder {folder}",
        Location(shown),
        fix="name a folder with part files: --catalog FOLDER",
        folder=shown,
    )


def _unreadable_folder(shown: str, error: OSError) -> Finding:
    return finding(
        "CAT001",
        "the catalog folder {folder} cannot be read: {reason}",
        Location(shown),
        fix="change the permissions of the folder and of those in it",
        folder=printable(str(error.filename or shown)),
        reason=error.strerror or "",
    )


def _open(folder: Path, shown: str) -> _Folder:
    key = cache.code_key(_CODE.parent / "parts", Path(__file__), _CODE / "yaml_source.py", _CODE / "model_errors.py")
    opened = _Folder(folder, shown, cache.Store(folder, "catalog", f"{key}:{shown}"))
    entries = cache.scan(folder)
    stamp = cache.stamp_of(entries)
    cached = opened.store.head(_ALL)
    if cached is not None and cached[0] == stamp:
        opened.index = json.loads(cached[1])
    else:
        _refresh(opened, entries, stamp)
    return opened


def _refresh(opened: _Folder, entries: Sequence[cache.Entry], stamp: str) -> None:
    """Read the files that changed, and make the index anew."""
    known = opened.store.heads()
    changed: dict[str, tuple[str, str, str]] = {}
    heads: dict[str, dict[str, Any]] = {}
    for entry in entries:
        cached = known.get(entry.path)
        if cached is not None and cached[0] == entry.stamp:
            heads[entry.path] = json.loads(cached[1])
            continue
        head, body = _read_part(opened.folder, entry.path, f"{opened.shown}/{entry.path}")
        changed[entry.path] = (entry.stamp, json.dumps(head), body)
        heads[entry.path] = head
        opened.fresh[entry.path] = body
    opened.index = _index(heads)
    gone = known.keys() - heads.keys() - {_ALL}
    opened.store.update({**changed, _ALL: (stamp, json.dumps(opened.index), "")}, sorted(gone))


def _index(heads: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    served = {path: head for path, head in heads.items() if head["id"]}
    return {
        "parts": {head["id"]: path for path, head in served.items()},
        "refused": [_id_of(path) for path, head in heads.items() if not head["id"]],
        "aliases": {alias: head["id"] for head in served.values() for alias in head["aliases"]},
        "digests": "".join(f"{path}:{head['digest']};" for path, head in heads.items()),
        "findings": findings_to_text([f for head in heads.values() for f in findings_from_text(head["findings"])]),
    }


def _read_part(folder: Path, path: str, shown: str) -> tuple[dict[str, Any], str]:
    """Parse and check one part file: its head (id, digest, findings) and its body as JSON text."""
    text, findings = read_text(folder / path, shown)
    document: Document | None = None
    if text is not None:
        document, problems = load_yaml(text, shown)
        findings = [*findings, *problems]
    body: dict[str, Any] = {}
    if document is not None and not findings:
        body, problems = check_part(document, path)
        findings = [*findings, *problems]
    head = {
        "id": body.get("data", {}).get("id", ""),
        "aliases": body.get("data", {}).get("aliases", []),
        "digest": hashlib.blake2b((text or "").encode(), digest_size=12).hexdigest(),
        "findings": findings_to_text(findings),
    }
    return head, json.dumps(body)


def check_part(document: Document, path: str) -> tuple[dict[str, Any], list[Finding]]:
    """Check the content of a part file and return it in the form that is served.

    `path` is relative to the catalog folder and must be `<kind>/<id>.yaml`. An empty body means that the part cannot
    be served. What is checked here needs this file alone; checks across files are in `catalog_check`.
    """
    from pydantic import ValidationError

    from rackwright.parts import PART_KINDS
    from rackwright.readers.model_errors import findings_from

    data: Any = document.data
    if not isinstance(data, dict) or data.get("kind") not in PART_KINDS:
        return {}, [_unknown_kind(document, data)]
    model = PART_KINDS[data["kind"]]
    try:
        part = model.model_validate(data)
    except ValidationError as error:
        return {}, findings_from(error, document, code="CAT002", model=model)
    findings = [*_path_findings(document, path), *_evidence_findings(document)]
    if findings:
        return {}, findings
    plain = part.model_dump(mode="json", exclude_none=True, by_alias=True)
    sources, evidence, constraints = plain.pop("sources"), plain["evidence"], plain.pop("constraints", [])
    candidates: dict[str, str] = {}
    _take_unverified(plain, evidence, "", candidates)
    places = {".".join(map(str, key)): list(place) for key, place in document.locations.places.items()}
    return {
        "data": plain,
        "sources": sources,
        "constraints": constraints,
        "candidates": candidates,
        "places": places,
        "raw": data,
    }, []


def _unknown_kind(document: Document, data: Any) -> Finding:
    from rackwright.parts import PART_KINDS

    kind = data.get("kind") if isinstance(data, dict) else None
    return finding(
        "CAT003",
        "'{kind}' is not a kind of part" if kind else "the file does not say what kind of part it is",
        document.locations.at(("kind",)),
        fix="write kind: and one of {kinds}",
        kind=str(kind)[:40],
        kinds=", ".join(PART_KINDS),
    )


def _path_findings(document: Document, path: str) -> list[Finding]:
    data: Any = document.data
    wanted = f"{data['kind']}/{data['id']}.yaml"
    if path == wanted:
        return []
    return [
        finding(
            "CAT004",
            "the id is {id}, but the file is {path}",
            document.locations.at(("id",)),
            fix="the id is the path below the kind's folder: move the file to {wanted}, or change the id",
            id=str(data["id"]),
            path=path,
            wanted=wanted,
        )
    ]


def _evidence_findings(document: Document) -> list[Finding]:
    data: Any = document.data
    sources, evidence = data.get("sources", {}), data.get("evidence", {})
    findings = [
        finding(
            "CAT005",
            "the evidence of {figure} names the source '{source}', which is not under sources",
            document.locations.at(("evidence", name)),
            fix="sources are {known}",
            figure=name,
            source=str(entry["source"]),
            known=", ".join(sources) or "none",
        )
        for name, entry in evidence.items()
        if entry["source"] not in sources
    ]
    if "*" in evidence:
        return findings
    for key, value in data.items():
        if key not in NOT_FIGURES:
            findings += [
                _no_evidence(document, leaf) for leaf in _leaves(value, (key,)) if not _is_covered(leaf, evidence)
            ]
    return findings


def _leaves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _leaves(child, (*path, key))
    else:
        yield path


def _is_covered(path: tuple[str | int, ...], evidence: Mapping[str, Any]) -> bool:
    return any(".".join(map(str, path[:length])) in evidence for length in range(1, len(path) + 1))


def _no_evidence(document: Document, path: tuple[str | int, ...]) -> Finding:
    return finding(
        "CAT006",
        "{figure} has no evidence",
        document.locations.at(path),
        fix="add under evidence: {figure}: {{source: KEY, grade: vendor}}, or '*' for the whole file",
        figure=".".join(map(str, path)),
    )


def _take_unverified(data: dict[str, Any], evidence: Mapping[str, Any], prefix: str, found: dict[str, str]) -> None:
    """Move figures of grade `unverified` out of the data: for a rule they are missing, with a candidate."""
    for key in list(data):
        path = f"{prefix}{key}"
        if path in NOT_FIGURES:
            continue
        entry = evidence.get(path)
        if entry is not None and entry["grade"] == "unverified":
            value = data.pop(key)
            found[path] = _in_words(value)
        elif isinstance(data[key], dict):
            _take_unverified(data[key], evidence, f"{path}.", found)


def _in_words(value: Any) -> str:
    """An unverified figure as a person reads it; what is more than a figure or a list of them is left to the file."""
    if isinstance(value, list) and value and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(str, value))
    if isinstance(value, dict | list):
        return "see the part file"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _stacked(places: list[tuple[_Folder, str]]) -> Part:
    folder, path = places[-1]
    body = folder.body(path)
    if len(places) > 1:
        body = {**_merged(places)[0], "places": body["places"]}
    return _part(body, f"{folder.shown}/{path}")


def _merged(places: list[tuple[_Folder, str]]) -> tuple[dict[str, Any], list[Finding]]:
    """Lay the files of a part over each other and check what comes out, as one part file is checked."""
    data: Any = {}
    for folder, path in places:
        data = _overlaid(data, folder.body(path)["raw"])
    shown = f"{places[-1][0].shown}/{places[-1][1]}"
    return check_part(Document(data, Locations(shown), Locations(shown)), f"{data['kind']}/{data['id']}.yaml")


def _overlaid(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        return {**below, **{key: _overlaid(below.get(key), value) for key, value in above.items()}}
    return above


def _part(body: dict[str, Any], shown: str) -> Part:
    data = body["data"]
    return Part(
        id=data["id"],
        kind=data["kind"],
        data=data,
        file=shown,
        places={key: (place[0], place[1]) for key, place in body["places"].items()},
        sources=body["sources"],
        evidence=data["evidence"],
        constraints=tuple(body["constraints"]),
        candidates=body["candidates"],
    )
