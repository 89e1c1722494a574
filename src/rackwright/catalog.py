"""The catalog: an immutable index of parts.

Parts arrive validated (readers/catalog_dir.py checks them when its cache is built) and are kept as plain data:
nested dicts, lists, numbers and texts, exactly as a rule sees them. Figures of grade `unverified` are not in the
data: they are missing facts with a candidate (`Part.candidates`).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from rackwright.frozen import frozen
from rackwright.source import Citation, Grade, Location

Data = Mapping[str, Any]


@frozen
class Part:
    """One part of the catalog.

    `data` is the part file's content without `sources`, `evidence` and `constraints`. `places` maps dotted field
    names to their place in the file. `candidates` prints figures that exist but are unverified, by dotted name.
    Where catalogs are stacked, `files` names the file of each field that is not from `file`, and `replaced` has the
    values that a file on top changed, with their places.
    """

    id: str
    kind: str
    data: Data
    file: str = ""
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    evidence: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    constraints: tuple[Data, ...] = ()
    candidates: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    replaced: tuple[tuple[str, Any, Location | None], ...] = ()

    @property
    def title(self) -> str:
        """Name for people."""
        return str(self.data["title"])

    def get(self, path: str) -> Any:
        """Return the value at a dotted path, None if any step is missing."""
        found = self._found
        if path not in found:
            found[path] = _value_at(self.data, path)
        return found[path]

    @cached_property
    def _found(self) -> dict[str, Any]:
        """What was looked up before: placement asks for the same few fields again and again."""
        return {}

    def at(self, path: str) -> Location:
        """Return the place of a field in the part file, or of its nearest ancestor."""
        steps = path.split(".")
        for length in range(len(steps), -1, -1):
            name = ".".join(steps[:length])
            place = self.places.get(name)
            if place is not None:
                return Location(self.files.get(name, self.file), *place)
        return Location(self.file)

    def evidence_of(self, path: str) -> tuple[Citation | None, Grade | None]:
        """Return the document and the grade of a figure: the closest entry of `evidence`, else that of `*`."""
        steps = path.split(".")
        for length in range(len(steps), 0, -1):
            entry = self.evidence.get(".".join(steps[:length]))
            if entry is not None:
                return self._cited(entry)
        entry = self.evidence.get("*")
        return self._cited(entry) if entry is not None else (None, None)

    def _cited(self, entry: Mapping[str, Any]) -> tuple[Citation | None, Grade | None]:
        source = self.sources.get(entry["source"])
        if source is None:
            return None, Grade(entry["grade"])
        return (
            Citation(
                doc=source["doc"],
                number=source.get("number"),
                where=entry.get("where"),
                date=source.get("date"),
                read=source.get("read"),
                url=source.get("url"),
            ),
            Grade(entry["grade"]),
        )


def _value_at(data: Data, path: str) -> Any:
    value: Any = data
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return None
        value = value[step]
    return value


@frozen
class Catalog:
    """Parts by id. Look-ups accept aliases; unknown ids get their nearest names.

    `kinds` has the ids of each kind, so that the parts of one kind are found without loading the others (a cache serves
    only the parts that are asked for); without it all parts are looked at.
    """

    parts: Mapping[str, Part]
    aliases: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    kinds: Mapping[str, tuple[str, ...]] | None = None

    def find(self, part_id: str) -> Part | None:
        """Return the part with this id or alias, None if there is none."""
        return self.parts.get(self.aliases.get(part_id, part_id))

    def nearest(self, part_id: str, limit: int = 3, kind: str | None = None) -> list[str]:
        """Return ids that look like `part_id`, best first; only of one kind if that is given.

        What goes on where `part_id` ends comes first: `nvidia/v100` -> `nvidia/v100-pcie-32gb`.
        """
        import difflib

        ids = [known for known in self._ids if kind is None or self.kind_of(known) == kind]
        wanted = part_id.rsplit("/", 1)[-1]
        tails = {known.rsplit("/", 1)[-1]: known for known in ids}
        close = [known for tail, known in tails.items() if tail.startswith(f"{wanted}-")]
        close += difflib.get_close_matches(part_id, ids, limit, 0.6)
        close += [tails[tail] for tail in difflib.get_close_matches(wanted, list(tails), limit, 0.5)]
        close += [known for known in ids if wanted in known]
        return list(dict.fromkeys(close))[:limit]

    def with_models(self, models: Mapping[str, Part]) -> Catalog:
        """Return a catalog that has these models too, each by the name of the file that it was read from."""
        if not models:
            return self
        kinds = self.kinds
        if kinds is not None:
            kinds = {**kinds, "model": (*kinds.get("model", ()), *models)}
        return Catalog(ChainMap(dict(models), self.parts), self.aliases, self.digest, kinds)  # type: ignore[arg-type]

    def kind_of(self, part_id: str) -> str:
        """Return the kind of the part with this id or alias."""
        return self.parts[self.aliases.get(part_id, part_id)].kind

    def of_kind(self, kind: str) -> list[Part]:
        """Return all parts of a kind in the order of their ids."""
        if self.kinds is not None:
            return [self.parts[part_id] for part_id in self.kinds.get(kind, ())]
        return sorted((part for part in self.parts.values() if part.kind == kind), key=lambda part: part.id)

    @cached_property
    def _ids(self) -> list[str]:
        return sorted([*self.parts, *self.aliases])


def index(parts: Iterable[Part], digest: str = "") -> Catalog:
    """Build a catalog of parts; a later part of the same id replaces an earlier one."""
    by_id = {part.id: part for part in parts}
    aliases = {alias: part.id for part in by_id.values() for alias in part.data.get("aliases", ())}
    return Catalog(by_id, aliases, digest)
