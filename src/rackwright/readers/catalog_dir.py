"""Reads catalog folders. A part file is parsed and validated once; afterwards its cached form is served.

Several folders may be stacked: a part file of a later folder adds a part, or changes an earlier part field by field
(`catalog_overlay`). Such a file need not be whole: kind, id and what it changes, with the evidence for that.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Finding, finding
from rackwright.readers import cache
from rackwright.readers.catalog_overlay import Layer, Stack, stack
from rackwright.readers.catalog_part import check_part, read_part
from rackwright.readers.files import printable
from rackwright.readers.findings_data import findings_from_text, findings_to_text
from rackwright.readers.part_worker import read_all
from rackwright.readers.yaml_source import Document
from rackwright.source import Location, Locations

_CODE = Path(__file__).resolve().parent
# The modules that the content of the cache depends on, beside the models of parts.
_READERS = (
    "catalog_dir",
    "catalog_overlay",
    "catalog_part",
    "files",
    "findings_data",
    "key_meant",
    "model_errors",
    "model_shape",
    "number_fix",
    "shape_fix",
    "yaml_source",
    "yaml_syntax",
)
_ALL = "*"
_STACKS = "*stacks"  # what was found when files of several folders were laid over each other


@dataclass
class _Folder:
    """One catalog folder: what its files say in all, and the way to the bodies of each.

    `index` has the path of each part by its id (`parts`), the ids of files with errors (`refused`), what each file
    lacks if there is no part below it (`lacking`), `aliases`, and as texts `digests` and `findings`.
    """

    folder: Path
    shown: str
    store: cache.Store
    index: dict[str, Any] = field(default_factory=dict)
    fresh: dict[str, str] = field(default_factory=dict)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each file by its path."""
        pairs = (entry.rpartition(":") for entry in self.index["digests"].split(";") if entry)
        return {path: digest for path, _, digest in pairs}

    def body(self, path: str) -> dict[str, Any]:
        """Return the checked content of a file; read it again if the cache lost it."""
        text = self.fresh.get(path) or self.store.body(path)
        if text is None:
            text = read_part(self.folder, path, f"{self.shown}/{path}")[1]
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


def read_catalog(
    folders: Sequence[tuple[Path, str]], *, is_kept: bool = True, passing: Sequence[Path] = ()
) -> tuple[Catalog, list[Finding]]:
    """Read catalog folders, later ones on top. Each is given with the name to show in findings.

    Errors in part files are findings (CAT…); a part with errors is left out, the rest is served. `is_kept` False
    leaves the cache alone, and so it is for those folders that are `passing`: they will not be read again.
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
            opened = _open(folder, shown, is_kept=is_kept and folder not in passing)
        except OSError as error:
            findings.append(_unreadable_folder(shown, error))
            continue
        findings += findings_from_text(opened.index["findings"])
        digest.update(os.fsencode(opened.index["digests"]))
        aliases.update(opened.index["aliases"])
        lacking = {part_id: text for part_id, text in opened.index["lacking"].items() if part_id not in places}
        findings += [item for text in lacking.values() for item in findings_from_text(text)]
        for part_id, path in opened.index["parts"].items():
            if part_id not in lacking:
                places.setdefault(part_id, []).append((opened, path))
        for part_id in opened.index["refused"]:  # the figures of the file below are not the ones that are wanted
            places.pop(part_id, None)
    for part_id, problems in _stack_problems({key: found for key, found in places.items() if len(found) > 1}):
        findings += problems
        del places[part_id]
    return Catalog(_Parts(places), aliases, digest.hexdigest(), _kinds(places)), findings


def _stack_problems(stacks: Mapping[str, list[tuple[_Folder, str]]]) -> list[tuple[str, list[Finding]]]:
    """Return what is wrong with parts that several folders describe, once they are laid over each other.

    The cache of the top folder of a part keeps the answer for as long as none of its files changes.
    """
    wrong: list[tuple[str, list[Finding]]] = []
    by_top: dict[int, tuple[_Folder, dict[str, list[str]], dict[str, list[str]]]] = {}
    for part_id, layers in stacks.items():
        top = layers[-1][0]
        if id(top) not in by_top:
            kept = top.store.head(_STACKS)
            by_top[id(top)] = top, json.loads(kept[1]) if kept else {}, {}
        _, known, now = by_top[id(top)]
        stamp = ";".join(f"{folder.shown}/{path}:{folder.digests.get(path, '')}" for folder, path in layers)
        entry = known.get(part_id)
        if entry is None or entry[0] != stamp:
            entry = [stamp, findings_to_text(_merged(layers)[1])]
        now[part_id] = entry
        if entry[1]:
            wrong.append((part_id, findings_from_text(entry[1])))
    for top, known, now in by_top.values():
        if now != known:
            top.store.update({_STACKS: ("", json.dumps(now), "")}, [])
    return wrong


def _kinds(places: Mapping[str, Sequence[tuple[_Folder, str]]]) -> dict[str, tuple[str, ...]]:
    """Return the ids of each kind in order; the kind is the first folder of a part's path."""
    kinds: dict[str, list[str]] = {}
    for part_id in sorted(places):
        kinds.setdefault(places[part_id][0][1].partition("/")[0], []).append(part_id)
    return {kind: tuple(ids) for kind, ids in kinds.items()}


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


def _open(folder: Path, shown: str, *, is_kept: bool) -> _Folder:
    key = cache.code_key(_CODE.parent / "parts", *(_CODE / f"{name}.py" for name in _READERS))
    opened = _Folder(folder, shown, cache.Store(folder, "catalog", f"{key}:{shown}", is_kept=is_kept))
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
    heads: dict[str, dict[str, Any]] = {}
    others: list[cache.Entry] = []
    for entry in entries:
        cached = known.get(entry.path)
        if cached is not None and cached[0] == entry.stamp:
            heads[entry.path] = json.loads(cached[1])
        else:
            others.append(entry)
    changed: dict[str, tuple[str, str, str]] = {}
    with _no_collection():
        found = read_all([entry.path for entry in others], opened.folder, opened.shown)
    for entry, (head, body) in zip(others, found, strict=True):
        changed[entry.path] = (entry.stamp, json.dumps(head), body)
        heads[entry.path] = head
        opened.fresh[entry.path] = body
    heads = {entry.path: heads[entry.path] for entry in entries}
    opened.index = _index(heads, opened.shown)
    gone = known.keys() - heads.keys() - {_ALL, _STACKS}
    opened.store.update({**changed, _ALL: (stamp, json.dumps(opened.index), "")}, sorted(gone))


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Leave the search for garbage out: reading thousands of files makes none, and a quarter of the time goes to it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _index(heads: Mapping[str, dict[str, Any]], shown: str) -> dict[str, Any]:
    served = {path: head for path, head in heads.items() if head["id"]}
    return {
        "parts": {head["id"]: path for path, head in served.items()},
        "refused": [_id_of(path) for path, head in heads.items() if not head["id"]],
        "lacking": {_id_of(path): head["lacking"] for path, head in heads.items() if head["lacking"]},
        "aliases": {alias: head["id"] for head in served.values() for alias in head["aliases"]},
        "digests": "".join(f"{path}:{head['digest']};" for path, head in heads.items()),
        "findings": findings_to_text(
            [*(f for head in heads.values() for f in findings_from_text(head["findings"])), *_same_ids(served, shown)]
        ),
    }


def _same_ids(served: Mapping[str, dict[str, Any]], shown: str) -> Iterator[Finding]:
    """Two kinds may not share an id: an order names parts by their id alone."""
    first: dict[str, str] = {}
    for path, head in served.items():
        other = first.setdefault(head["id"], path)
        if other != path:
            yield finding(
                "CAT012",
                "the id {id} is that of {other} as well",
                Location(f"{shown}/{path}"),
                fix="give one of the two another id, and another file name",
                subject="id",
                related=((Location(f"{shown}/{other}"), "the other file"),),
                id=head["id"],
                other=other,
            )


def _stacked(places: list[tuple[_Folder, str]]) -> Part:
    folder, path = places[-1]
    shown = f"{folder.shown}/{path}"
    if len(places) == 1:
        body = folder.body(path)
        return _part(
            body, shown, body["places"]
        )  # as they were read: turning them into pairs takes a sixth of the time
    body, _, stacked = _merged(places)
    return _part(
        body,
        shown,
        {name: (place[1], place[2]) for name, place in stacked.places.items()},
        {name: place[0] for name, place in stacked.places.items() if place[0] != shown},
        tuple((name, old, Location(*place) if place else None) for name, old, place in stacked.replaced),
    )


def _merged(places: list[tuple[_Folder, str]]) -> tuple[dict[str, Any], list[Finding], Stack]:
    """Lay the files of a part over each other and check what comes out, as one part file is checked."""
    layers = []
    for folder, path in places:
        body = folder.body(path)
        layers.append(Layer(body["raw"], body["places"], f"{folder.shown}/{path}"))
    stacked = stack(layers)
    own = {_path_of(name): (place[0], place[1]) for name, place in layers[-1].places.items()}
    where = Locations(layers[-1].file, own)
    data = stacked.data
    below = layers[0].raw["kind"]
    if any(layer.raw["kind"] != below for layer in layers):
        return {}, [_other_kind(data, below, where)], stacked
    return *check_part(Document(data, where, where), f"{data['kind']}/{data['id']}.yaml"), stacked


def _path_of(name: str) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdecimal() else step for step in name.split(".")) if name else ()


def _other_kind(data: Mapping[str, Any], below: str, where: Locations) -> Finding:
    return finding(
        "CAT007",
        "{part} is a {kind} here, and a {below} in the catalog below",
        where.at(("kind",)),
        fix="write kind: {below}, or give the new part another id",
        subject="kind",
        part=data["id"],
        kind=data["kind"],
        below=below,
    )


def _part(
    body: dict[str, Any],
    shown: str,
    places: Mapping[str, tuple[int, int]],
    files: Mapping[str, str] | None = None,
    replaced: tuple[tuple[str, Any, Location | None], ...] = (),
) -> Part:
    data = body["data"]
    return Part(
        id=data["id"],
        kind=data["kind"],
        data=data,
        file=shown,
        places=places,
        sources=body["sources"],
        evidence=data["evidence"],
        constraints=tuple(body["constraints"]),
        candidates=body["candidates"],
        files=files or {},
        replaced=replaced,
    )
