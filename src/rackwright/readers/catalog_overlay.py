"""Lays part files over each other, field by field, and keeps for each value the file that it came from.

A layer names what it changes. Its records are merged key by key, its lists replace the lists below, with three
exceptions: constraints are joined by their id, notes and aliases are added. Its evidence speaks of its own figures
alone, also under `"*"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rackwright.frozen import frozen

# Keys of a part file that are not figures: they need no evidence, and rules do not read them.
NOT_FIGURES = frozenset(
    {"kind", "id", "title", "maker", "sku", "aliases", "notes", "is_generic", "sources", "evidence", "constraints"}
)
Place = tuple[str, int, int]
Spot = tuple[str, Any, Place | None]
_JOINED = ("constraints", "notes", "aliases")
_BESIDE = frozenset({*_JOINED, "sources", "evidence"})
_IDENTITY = frozenset({"kind", "id"})


@frozen(slots=True)
class Layer:
    """One part file: its content as it was written, the places in it by dotted name, and the name to show for it."""

    raw: Mapping[str, Any]
    places: Mapping[str, tuple[int, int]]
    file: str


@dataclass(slots=True)
class Stack:
    """What comes out: content, place of each value, and what a layer changed (dotted name, old value, its place)."""

    data: dict[str, Any]
    places: dict[str, Place]
    replaced: list[Spot] = field(default_factory=list)


def stack(layers: Sequence[Layer]) -> Stack:
    """Lay the layers over each other, the first one lowest."""
    lowest = layers[0]
    result = Stack(dict(lowest.raw), {name: (lowest.file, *place) for name, place in lowest.places.items()})
    for layer in layers[1:]:
        _lay(result, layer)
    return result


def leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the paths of all values below `path` that are no records."""
    if isinstance(value, Mapping):
        for key, child in value.items():
            yield from leaves(child, (*path, key))
    else:
        yield path


def _lay(result: Stack, layer: Layer) -> None:
    names = _take_sources(result, layer)
    figures = {key: value for key, value in layer.raw.items() if key not in _BESIDE}
    changed = [path for key, value in figures.items() if key not in _IDENTITY for path in leaves(value, (key,))]
    for path in changed:
        _note_replaced(result, layer, path)
    result.data = {**result.data, **_merged(result.data, figures)}
    _take_evidence(result, layer, [".".join(path) for path in changed if path[0] not in NOT_FIGURES], names)
    for path in changed:
        _take_places(result, layer, ".".join(path), ".".join(path))
    for key in _JOINED:
        if key in layer.raw:
            _join(result, layer, key, names)
    for name, place in layer.places.items():
        result.places.setdefault(name, (layer.file, *place))
    result.places[""] = (layer.file, *layer.places.get("", (1, 1)))


def _merged(below: Any, above: Any) -> Any:
    if isinstance(below, Mapping) and isinstance(above, Mapping):
        return {**below, **{key: _merged(below.get(key), value) for key, value in above.items()}}
    return above


def _note_replaced(result: Stack, layer: Layer, path: tuple[str, ...]) -> None:
    old: Any = result.data
    new: Any = layer.raw
    for step in path:
        new = new[step]
        old = old.get(step) if isinstance(old, Mapping) else None
    if old is not None and old != new and path[0] not in NOT_FIGURES:
        result.replaced.append((".".join(path), old, result.places.get(".".join(path))))


def _take_sources(result: Stack, layer: Layer) -> dict[str, str]:
    """Add the layer's sources; return the keys that it uses, and theirs here.

    A key that stands for another document below gets the name of the layer's file at its end.
    """
    known: dict[str, Any] = dict(result.data.get("sources", {}))
    names = {}
    for key, source in layer.raw.get("sources", {}).items():
        names[key] = key if known.get(key, source) == source else f"{key} ({layer.file})"
        known[names[key]] = source
    result.data["sources"] = known
    return names


def _take_evidence(result: Stack, layer: Layer, changed: Sequence[str], names: Mapping[str, str]) -> None:
    """Give each changed value the layer's own evidence; what is below it has none any more."""
    own = {name: _renamed(entry, names) for name, entry in layer.raw.get("evidence", {}).items()}
    known = dict(result.data.get("evidence", {}))
    for name in changed:
        for old in [old for old in known if _is_at_or_below(old, name)]:
            del known[old]
        entry = _closest(own, name)
        if entry is not None:
            known[name] = entry
    result.data["evidence"] = known | {name: entry for name, entry in own.items() if name in changed}
    for name, entry in own.items():  # an entry for a value of the file below: its evidence is corrected, not the value
        if name != "*" and not any(_is_at_or_below(figure, name) for figure in changed):
            result.data["evidence"][name] = entry


def _renamed(entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {**entry, "source": names.get(entry["source"], entry["source"])}


def _closest(evidence: Mapping[str, Any], name: str) -> Any:
    steps = name.split(".")
    above = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
    return next((evidence[path] for path in above if path in evidence), evidence.get("*"))


def _is_at_or_below(name: str, top: str) -> bool:
    return name == top or name.startswith(f"{top}.")


def _take_places(result: Stack, layer: Layer, source: str, target: str) -> None:
    """Replace the places of `target` and below by those of `source` in the layer."""
    for name in [name for name in result.places if _is_at_or_below(name, target)]:
        del result.places[name]
    for name, place in layer.places.items():
        if _is_at_or_below(name, source):
            result.places[target + name[len(source) :]] = (layer.file, *place)


def _join(result: Stack, layer: Layer, key: str, names: Mapping[str, str]) -> None:
    """Add entries of a list; a constraint with the id of one below takes its place."""
    entries = list(result.data.get(key, ()))
    for number, written in enumerate(layer.raw[key]):
        entry = _with_source(written, names) if key == "constraints" else written
        same = [at for at, other in enumerate(entries) if _is_same(other, entry)]
        at = same[0] if same else len(entries)
        entries[at : at + 1] = [entry]
        _take_places(result, layer, f"{key}.{number}", f"{key}.{at}")
    result.data[key] = entries


def _with_source(constraint: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    source = constraint.get("source", {})
    return (
        {**constraint, "source": {**source, "id": names.get(source["id"], source["id"])}}
        if "id" in source
        else dict(constraint)
    )


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return bool(one.get("id") == other.get("id"))
    return bool(one == other)
