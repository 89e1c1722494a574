"""Which key somebody meant who wrote one that the model does not know.

A key is recognised by its letters, by its words, by what the model's descriptions say, by its unit and by the value
that stands after it. Data sheets are flat, so keys of the records one level below are looked at as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, get_args

from rackwright.frozen import frozen
from rackwright.readers.files import clearly_closest, closest, written
from rackwright.readers.model_shape import Spot, child, is_model, names_of, values_of
from rackwright.readers.number_fix import NUMBER
from rackwright.units import converted, is_same_unit, suffix_of, unit_of

YES_NO = dict.fromkeys(("yes", "on", "y", "ja"), "true") | dict.fromkeys(("no", "off", "n", "nein"), "false")
_HAS_NUMBER = re.compile(r"\D{0,12}\d[\d.,]*\D{0,12}")
# Words of data sheets and of other formats, and the word that our keys have for them.
_SAME = {
    "vendor": "maker", "manufacturer": "maker", "brand": "maker", "name": "title", "model": "title",
    "launch": "announced", "launched": "announced", "release": "announced", "released": "announced",
    "gen": "generation", "version": "generation", "vram": "memory", "socket": "slot", "if": "when",
    "condition": "when", "assert": "require", "amount": "count", "quantity": "count", "qty": "count",
    "bus": "bu",  # as the plural is cut
}  # fmt: skip
# Words that tell nothing, and units that our keys do not have.
_EMPTY = frozenset(
    {
        "is", "has", "the", "a", "of", "for", "and", "to", "in", "inch", "inches", "ft", "cm", "lb", "lbs", "oz", "tb",
        "mb", "kw", "cfm", "btu", "mhz", "percent",
    }
)  # fmt: skip
_LETTERS = 0.7  # below this, two keys are not alike
_SURE = 0.85  # so alike that the value need not fit: a slip of the keyboard
_ENOUGH = 0.26
_SAID = 0.27  # all words are in the description: worth less than one of three words of the key
_EQUAL = 0.05

Keys = tuple[str, ...]


@frozen(slots=True)
class _Candidate:
    """A key that can be written: its path from the record, its words, and what the model expects there."""

    path: Keys
    words: frozenset[str]
    own: frozenset[str]
    spot: Spot


def keys_meant(key: str, value: Any, level: Spot, present: Mapping[str, Any]) -> list[Keys]:
    """Return the keys that were probably meant, best first; several only if nothing tells them apart.

    Shapes: a path is the key alone, or a record of `level` and the key in it. `present` is the record as it
    was written: a key that it has is not meant. `value` is what was written: a key that cannot take it is not proposed.
    """
    if len(key) > 60:  # the comparison takes the product of both lengths
        return []
    scored = sorted(
        ((_score(key, value, item), item.path) for item in _candidates(level) if not _is_there(item.path, present)),
        key=lambda pair: -pair[0],
    )
    best = scored[0][0] if scored else 0
    if best < _ENOUGH:
        return []
    paths = dict.fromkeys(path for score, path in scored if score > best - _EQUAL)
    return list(paths) if len(paths) <= 3 else []


def value_written(value: Any, key: str, spot: Spot) -> str | None:
    """Return how a value is written under a key of the model, None if that cannot be told from the value."""
    allowed = values_of(spot)
    if allowed:
        return clearly_closest(value, allowed) if isinstance(value, str) else None
    if bool in spot.types:
        return written(value) if isinstance(value, bool) else YES_NO.get(str(value).strip().casefold())
    if int in spot.types or float in spot.types:
        return _number_written(value, key)
    if str in spot.types and isinstance(value, str):
        return value
    return None


def _number_written(value: Any, key: str) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return written(value)
    match = NUMBER.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    number, unit = float(match[1]), (match[2] or "").strip()
    if not unit or is_same_unit(unit, unit_of(key).symbol):
        return match[1].removeprefix("+")
    figure = converted(number, unit, suffix_of(key) or "")
    return None if figure is None else f"{figure:.12g}"


def _is_there(path: Keys, record: Mapping[str, Any]) -> bool:
    if len(path) == 1:
        return path[0] in record
    inside = record.get(path[0])
    return isinstance(inside, Mapping) and path[1] in inside


def _candidates(level: Spot) -> Iterator[_Candidate]:
    for name in names_of(level):
        spot = child(level, name)
        words = _words(name)
        yield _Candidate((name,), words, words, spot)
        if any(is_model(kind) for kind in spot.types):
            for inner in names_of(spot):
                yield _Candidate((name, inner), words | _words(inner), _words(inner), child(spot, inner))
        for item in _items(spot):
            for inner in names_of(item):
                yield _Candidate((name,), words | _words(inner), words, spot)


def _items(spot: Spot) -> Iterator[Spot]:
    """The records of a list."""
    for kind in spot.types:
        arguments = get_args(kind)
        if len(arguments) == 1 and is_model(arguments[0]):
            yield Spot((arguments[0],))


def _score(key: str, value: Any, item: _Candidate) -> float:
    """How probable a candidate is, 0 to 1."""
    plain, name = (text.replace("-", "_").casefold() for text in (key, item.path[-1]))
    letters = SequenceMatcher(None, plain, name).ratio() if len(item.path) == 1 else 0
    if not _takes(item.spot, value):
        return letters if letters >= _SURE else 0
    words = _words(key)
    common = words & item.words
    score = len(common) / len(words | item.words) if words else 0
    if words and words == item.own:
        score = max(score, 0.85 if len(item.path) == 1 else 0.8)
    said = _words(item.spot.description.replace(" ", "_"))
    if words and words <= said:
        score = max(score, _SAID)
    if score and suffix_of(key) and suffix_of(key) == suffix_of(item.path[-1]):
        score += 0.1
    if score and _has_unit(value) and unit_of(item.path[-1]).symbol and _number_written(value, item.path[-1]):
        score += 0.15
    return max(score, letters * 0.9 if letters >= _LETTERS else 0)


def _words(key: str) -> frozenset[str]:
    """The words of a key in our own vocabulary, without its unit and without plurals."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    suffix = suffix_of(split.casefold())
    if suffix and split.casefold() != suffix:
        split = split[: -len(suffix) - 1]
    tokens = [token for token in re.split(r"[^a-z0-9]+", split.casefold()) if token and token not in _EMPTY]
    return frozenset(_plain(token) for token in tokens)


def _plain(word: str) -> str:
    word = _SAME.get(word, word)
    singular = word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
    return _SAME.get(singular, singular)


def _takes(spot: Spot, value: Any) -> bool:
    """Tell whether a value could be meant for a place, though it may be written otherwise there."""
    allowed = values_of(spot)
    if allowed:
        return isinstance(value, str) and closest(value, allowed) is not None
    for kind in spot.types:
        if kind is bool:
            fits = isinstance(value, bool) or (isinstance(value, str) and value.strip().casefold() in YES_NO)
        elif kind in (int, float):
            fits = _is_number(value) or (isinstance(value, str) and bool(_HAS_NUMBER.fullmatch(value)))
        elif kind is str:
            fits = isinstance(value, str) or _is_number(value)
        elif is_model(kind):
            fits = isinstance(value, dict) or (isinstance(value, str) and not _HAS_NUMBER.fullmatch(value))
        else:
            arguments = get_args(kind)
            fits = isinstance(value, list | dict | str) or (len(arguments) == 1 and _takes(Spot(arguments), value))
        if fits:
            return True
    return not spot.types


def _has_unit(value: Any) -> bool:
    match = NUMBER.fullmatch(value) if isinstance(value, str) else None
    return match is not None and bool(match[2])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
