"""YAML with the place of every value: scalars as YAML 1.2 has them, everything surprising is refused.

Built on PyYAML's stream of events (libyaml where it is there), because PyYAML's own loaders read YAML 1.1 (`no` is
False, `12:30` is 750), let the last of two equal keys win and forget where a value stood.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any, Final, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from rackwright.diagnostic import Finding, Severity, finding, in_order
from rackwright.frozen import frozen
from rackwright.readers.files import place_in, printable
from rackwright.readers.yaml_syntax import not_yaml, place_of, syntax_finding
from rackwright.source import Location, Locations, Path

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool"
Place: TypeAlias = tuple[int, int]
Related: TypeAlias = tuple[tuple[Location, str], ...]

MAX_NODES = 200_000
MAX_DEPTH = 50
MAX_FINDINGS = 200
_MAX_INTEGER = 2**63 - 1

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_MAY_BE_TYPED = frozenset("0123456789+-.tTfFnN~")
_CONSTANTS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_NO_KEYS = frozenset({"<<", *_NULLS, *_CONSTANTS})
_TURNING = "\u202a-\u202e\u2066-\u2069"  # marks that turn the reading direction: a text looks like another one
# What may not stand in the file at all, and what an escape in double quotes may not smuggle into a value.
_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f{_TURNING}\ud800-\udfff\ufeff\ufffe\uffff]")
_CONTROL = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}\ud800-\udfff\ufffe\uffff]")

_DROPPED: Final = -1  # the path element of values that are read but not kept: keys are texts, indices count from 0
_LEAVE_OUT = "leave the key out if the figure is not known"


@frozen(slots=True)
class Document:
    """What a YAML file says, and where: `locations` has the places of values, `key_locations` those of keys.

    `data` is a tree of plain dicts (keys are texts), lists, texts, numbers and flags; nothing in it is shared.
    """

    data: Plain
    locations: Locations
    key_locations: Locations


class _Absent:
    """Stands for a value that was refused."""


_ABSENT: Final = _Absent()


class _StopError(Exception):
    """Reading ends here; its argument is the finding that says why. Never leaves this module."""


def load_yaml(text: str, shown: str) -> tuple[Document | None, list[Finding]]:
    """Read one YAML document with the places of its keys and values.

    Shapes: `shown` is the file as the user named it. With findings there may still be a document, without the
    values that were refused, so that the next stage can report more; it must not be taken for good.
    Unknown: null is refused; an absent key says 'not known'.
    Errors: none raised. CFG003 not YAML, several documents, a key that is no text; CFG004 duplicate key; CFG005 too
    large, too deep, too many aliases, a number out of range; CFG006 null, NaN, infinity; CFG007 tag, merge key.
    """
    return _load(text, shown, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _load(text: str, shown: str, parser: type) -> tuple[Document | None, list[Finding]]:
    text = text.removeprefix("\ufeff")
    bad = _UNPRINTABLE.search(text)
    if bad:
        at = place_in(text, bad.start(), shown)
        name, message = f"U+{ord(bad[0]):04X}", "the character {character} is not allowed"
        return None, [finding("CFG003", message, at, fix="remove it", character=name)]
    builder = _Builder(parser(text), shown)
    document = None
    try:
        document = builder.read()
    except _StopError as stop:
        builder.findings.append(stop.args[0])
    except yaml.MarkedYAMLError as error:
        builder.findings.append(syntax_finding(error, text, shown))
    except (yaml.YAMLError, ValueError):  # what no mark comes with, e.g. an escape beyond Unicode
        builder.findings.append(not_yaml(shown))
    if builder.findings:  # the parser may notice something on a line after the last one
        end = place_in(text, len(text), shown)
        builder.findings = [replace(f, at=min(f.at, end)) if f.at else f for f in builder.findings]
    return document, in_order(builder.findings)


class _Builder:
    """Builds the data of one document from events; recursion is bounded by MAX_DEPTH."""

    __slots__ = ("anchors", "dropped", "findings", "key_places", "next", "nodes", "places", "shown")

    def __init__(self, parser: Any, shown: str) -> None:
        self.next = parser.get_event
        self.shown = shown
        self.places: dict[Path, Place] = {}
        self.key_places: dict[Path, Place] = {}
        self.findings: list[Finding] = []
        self.anchors: dict[str, tuple[Path, Plain | _Absent] | None] = {}  # None while its value is being read
        self.nodes = 0
        self.dropped = False

    def read(self) -> Document | None:
        data = self.document()
        if isinstance(data, _Absent):
            return None
        return Document(data, self.locations(self.places), self.locations(self.key_places))

    def document(self) -> Plain | _Absent:
        self.next()  # the start of the stream
        if isinstance(self.next(), StreamEndEvent):
            message, fix = "{file} holds no values, only comments or nothing", "write the file: the examples show one"
            self.report("CFG003", message, (1, 1), fix, file=self.shown)
            return _ABSENT
        data = self.value(self.next(), (), 1)
        self.next()  # the end of the document
        if not isinstance(event := self.next(), StreamEndEvent):
            message = "a second document starts here, and a file holds one"
            self.report("CFG003", message, place_of(event.start_mark), "put it into a file of its own")
        return data

    def value(self, event: Any, path: Path, depth: int) -> Plain | _Absent:
        kind, mark = type(event), event.start_mark
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.count(mark)
        place = self.places[path] = (mark.line + 1, mark.column + 1)
        if kind is ScalarEvent and event.anchor is None and event.tag is None:  # nearly all: the shortest way
            return self.text(event.value, event.style, place) if event.style else self.scalar(event, path, place)
        if kind is AliasEvent:
            return self.alias(event, path, place, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        if event.tag is not None:
            self.tag(event.tag, place)
        result: Plain | _Absent
        if kind is ScalarEvent:
            result = self.text(event.value, event.style, place) if event.style else self.scalar(event, path, place)
        elif depth > MAX_DEPTH:
            raise _StopError(self.too_much("lists and keys are nested more than {limit} deep", MAX_DEPTH, place))
        elif kind is MappingStartEvent:
            result = self.mapping(path, depth)
        else:
            result = self.sequence(path, depth)
        if event.anchor is not None:
            self.anchors[event.anchor] = (path, result)
        return result

    def sequence(self, path: Path, depth: int) -> list[Plain]:
        result: list[Plain] = []
        while type(event := self.next()) is not SequenceEndEvent:
            item = self.value(event, (*path, len(result)), depth + 1)
            if not isinstance(item, _Absent):
                result.append(item)
        return result

    def mapping(self, path: Path, depth: int) -> dict[str, Plain]:
        result: dict[str, Plain] = {}
        following, key_places = self.next, self.key_places
        while type(event := following()) is not MappingEndEvent:
            key = self.key(event, path, depth)
            if key is not None:
                child = (*path, key)
                if child not in key_places:
                    key_places[child] = place_of(event.start_mark)
                    value = self.value(following(), child, depth + 1)
                    if value is not _ABSENT:
                        result[key] = value  # type: ignore[assignment]
                    continue
                self.duplicate(key, key_places[child], place_of(event.start_mark))
            # The value of a refused key is read all the same: others may refer to an anchor in it.
            self.dropped = True
            self.value(self.next(), (*path, _DROPPED), depth + 1)
        return result

    def key(self, event: Any, path: Path, depth: int) -> str | None:
        if type(event) is ScalarEvent and event.anchor is None and event.tag is None and not event.style:
            name: str = event.value
            if name not in _NO_KEYS:  # numbers too: {300: 310} has the key "300"
                self.nodes += 1
                return name
        place = place_of(event.start_mark)
        if type(event) is not ScalarEvent:
            self.dropped = True
            self.value(event, (*path, _DROPPED), depth + 1)
            self.report("CFG003", "a key is not a plain text", place, "write a name and a colon")
            return None
        self.count(event.start_mark, 1)
        text: str = event.value
        if event.tag is not None:
            self.tag(event.tag, place)
        if event.anchor is not None:
            self.anchors[event.anchor] = ((*path, _DROPPED), text)
        if event.style:
            return self.text(text, event.style, place)
        if text == "<<":
            self.report("CFG007", "merge keys (<<) are not used", place, "write the keys out here")
        elif text in _NULLS:
            self.report("CFG006", "a key is null", place, "write a name before the colon")
        elif text in _CONSTANTS:
            self.report("CFG003", "the key {key} is a flag, not a text", place, "put it in quotes", key=text)
        else:
            return text  # numbers too: {300: 310} has the key "300"
        return None

    def scalar(self, event: Any, path: Path, place: Place) -> Plain | _Absent:
        """Resolve a scalar without quotes as the core schema of YAML 1.2 does, but leading zeros stay text."""
        text: str = event.value
        if text and text[0] not in _MAY_BE_TYPED:
            return text
        if _INTEGER.fullmatch(text):
            return self.integer(text, place)
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if text in _NULLS:
            if event.tag is None:
                self.null(path, place, text)
            return _ABSENT
        if _FLOAT.fullmatch(text):
            number = float(text)
            return number if math.isfinite(number) else self.out_of_range(text, place)
        if _NOT_FINITE.fullmatch(text):
            self.report("CFG006", "{text} is not a figure", place, _LEAVE_OUT, text=text)
            return _ABSENT
        return text

    def integer(self, text: str, place: Place) -> int | _Absent:
        if len(text) > 40:  # before the conversion, which is slow and has a limit of its own
            return self.out_of_range(text, place)
        number = int(text, 0)
        return number if abs(number) <= _MAX_INTEGER else self.out_of_range(text, place)

    def out_of_range(self, text: str, place: Place) -> _Absent:
        self.report("CFG005", "the number {text} is too large", place, "put it in quotes if it is a text", text=text)
        return _ABSENT

    def null(self, path: Path, place: Place, text: str) -> None:
        fix = _LEAVE_OUT + "; write none, [] or 0 if there is known to be none"
        if not path or isinstance(path[-1], int):
            self.report("CFG006", "null is not used, and an entry here is null", place, "remove the entry")
        elif text:
            self.report("CFG006", "null is not used, and {key} is null", place, fix, key=str(path[-1]))
        else:
            at = self.key_places.get(path, place)
            self.report("CFG006", "null is not used, and {key} has no value", at, fix, key=str(path[-1]))

    def text(self, text: str, style: str, place: Place) -> str:
        bad = _CONTROL.search(text) if style == '"' else None
        if bad is None:
            return text
        self.report(
            "CFG003",
            "the text holds the control character {character}",
            place,
            "remove the escape",
            character=f"U+{ord(bad[0]):04X}",
        )
        return _CONTROL.sub("\ufffd", text)

    def tag(self, tag: str, place: Place) -> None:
        fix = "remove the tag; put a text in quotes"
        self.report("CFG007", "the tag {tag} is not used", place, fix, tag=tag.replace("tag:yaml.org,2002:", "!!"))

    def duplicate(self, key: str, first: Place, second: Place) -> None:
        related = ((Location(self.shown, *first), "first given here"),)
        self.report("CFG004", "the key {key} is given twice", second, "keep one of the two", related, key=key)

    def alias(self, event: Any, path: Path, place: Place, depth: int) -> Plain | _Absent:
        name = printable(event.anchor)
        if event.anchor not in self.anchors:
            self.report(
                "CFG003", "*{name} refers to nothing", place, "define it above with &{name}, or use quotes", name=name
            )
            return _ABSENT
        target = self.anchors[event.anchor]
        if target is None:
            message = "*{name} refers to the value that it stands in"
            raise _StopError(
                finding("CFG005", message, Location(self.shown, *place), fix="write the value out", name=name)
            )
        source, value = target
        return value if isinstance(value, _Absent) else self.copy(value, source, path, depth, event.start_mark)

    def copy(self, value: Plain, source: Path, path: Path, depth: int, mark: Any) -> Plain:
        """Copy an aliased value; its inner places are those of the anchor, its own is that of the alias."""
        if not isinstance(value, dict | list):
            return value
        if depth > MAX_DEPTH:
            raise _StopError(self.too_much("aliases are nested more than {limit} deep", MAX_DEPTH, place_of(mark)))
        if isinstance(value, dict):
            return {k: self.copy_child(v, (*source, k), (*path, k), depth, mark) for k, v in value.items()}
        return [self.copy_child(v, (*source, i), (*path, i), depth, mark) for i, v in enumerate(value)]

    def copy_child(self, child: Plain, old: Path, new: Path, depth: int, mark: Any) -> Plain:
        self.count(mark, 1)
        self.places[new] = self.places[old]
        if old in self.key_places:
            self.key_places[new] = self.key_places[old]
        return self.copy(child, old, new, depth + 1, mark)

    def count(self, mark: Any, more: int = 0) -> None:
        self.nodes += more
        if self.nodes > MAX_NODES:
            message = "the file has more than {limit} values, aliases written out"
            raise _StopError(self.too_much(message, MAX_NODES, place_of(mark)))

    def too_much(self, message: str, limit: int, place: Place) -> Finding:
        fix = "write it shorter, or split the file"
        return finding("CFG005", message, Location(self.shown, *place), fix=fix, limit=limit)

    def report(self, code: str, message: str, place: Place, fix: str, related: Related = (), **holes: str) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise _StopError(self.too_much("more than {limit} problems: the rest was not read", MAX_FINDINGS, place))
        figures = {name: printable(text) for name, text in holes.items()}
        error, at = Severity.ERROR, Location(self.shown, *place)
        self.findings.append(
            finding(code, message, at, severity=error, fix=fix, subject="", related=related, **figures)
        )

    def locations(self, places: dict[Path, Place]) -> Locations:
        kept = {path: place for path, place in places.items() if _DROPPED not in path} if self.dropped else places
        return Locations(self.shown, kept)
