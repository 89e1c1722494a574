"""Every numbered statement of the fact pack on chassis and flagships is encoded, or listed with the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from rackwright import api
from rackwright.catalog import Part

FOLDER = Path(__file__).resolve().parents[1] / "cases" / "statements"


class Section(NamedTuple):
    """A list of statements in a file: what the fact pack numbers, and how many of these are encoded at least."""

    file: str
    name: str
    numbers: tuple[str, ...]
    encoded_min: int

    def __str__(self) -> str:
        return f"{self.file} {self.name}"


def _to(last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, last + 1))


SECTIONS = (
    Section("chassis_a.yaml", "statements", _to(190), 150),
    Section("chassis_a.yaml", "flagship", _to(68), 50),
    Section("chassis_b.yaml", "statements", _to(193), 150),
    Section("chassis_b.yaml", "host", tuple(f"PR-{number}" for number in (*range(60, 75), *range(80, 85))), 15),
)
STATUSES = {"constraint", "field", "rule"}
MARKS = {"constraint": "#", "field": ":"}
NAMES = ("name", "gpu")  # what an entry of a list is called by, beside `names`


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


@cache
def entries_of(section: Section) -> Mapping[str, Mapping[str, Any]]:
    index = yaml.safe_load((FOLDER / section.file).read_text(encoding="utf-8"))
    return {str(number): entry for number, entry in index[section.name].items()}


@cache
def entries() -> dict[str, Mapping[str, Any]]:
    return {f"{section} {number}": entry for section in SECTIONS for number, entry in entries_of(section).items()}


def places(entry: Mapping[str, Any]) -> list[str]:
    where = entry.get("where", [])
    return [where] if isinstance(where, str) else list(where)


def all_places(mark: str) -> list[str]:
    return sorted({place for entry in entries().values() for place in places(entry) if mark in place})


def part_of(part_id: str) -> Part:
    part = workshop().catalog.find(part_id)
    assert part is not None, part_id
    return part


def values(data: Any, path: str) -> Iterator[Any]:
    """What a dotted path reads. Entries of lists go by their name, `gpu` or `names`; any of these may hold a dot."""
    words = path.split(".")
    for size in range(1, len(words) + 1):
        head, rest = ".".join(words[:size]), ".".join(words[size:])
        for found in _children(data, head):
            if rest:
                yield from values(found, rest)
            else:
                yield found


def _children(data: Any, name: str) -> Iterator[Any]:
    if isinstance(data, Mapping) and name in data:
        yield data[name]
    elif isinstance(data, list | tuple):
        for item in data:
            if isinstance(item, Mapping) and name in (*(item.get(key) for key in NAMES), *item.get("names", ())):
                yield item


def read(place: str) -> list[Any]:
    part_id, _, path = place.partition(":")
    return list(values(part_of(part_id).data, path))


def test_every_section_is_read() -> None:
    found = {(path.name, name) for path in FOLDER.glob("*.yaml") for name in yaml.safe_load(path.read_text("utf-8"))}
    assert found == {(section.file, section.name) for section in SECTIONS}


@pytest.mark.parametrize("section", SECTIONS, ids=str)
def test_every_number_is_there_once(section: Section) -> None:
    # From the text: a number that stands there twice would be read as one.
    block = (FOLDER / section.file).read_text(encoding="utf-8").partition(f"\n{section.name}:\n")[2]
    numbers = []
    for line in block.splitlines():
        if line[:1].strip():
            break  # the next section
        if line.startswith("  ") and line[2:3].strip():
            numbers.append(line.partition(":")[0].strip())
    assert tuple(numbers) == section.numbers


def test_an_entry_says_where_or_why_not() -> None:
    wrong = [
        key
        for key, entry in entries().items()
        if not (entry["status"] in STATUSES and places(entry))
        and not (entry["status"] == "not decidable" and entry.get("reason") and not places(entry))
    ]
    assert wrong == []


def test_the_status_is_that_of_the_places() -> None:
    wrong = [
        key
        for key, entry in entries().items()
        if (mark := MARKS.get(entry["status"])) is not None and mark not in "".join(places(entry))
    ]
    assert wrong == []


def test_rules_exist() -> None:
    known = {rule.id for rule in workshop().ruleset.rules}
    named = {place for entry in entries().values() for place in places(entry) if not set(place) & {"#", ":"}}

    assert named - known == set()


@pytest.mark.parametrize("place", all_places("#"))
def test_the_constraint_exists_and_is_tried(place: str) -> None:
    part_id, _, name = place.partition("#")
    found = [item for item in part_of(part_id).constraints if item["id"] == name]

    assert len(found) == 1
    assert {"pass", "fail"} <= {case["expect"] for case in found[0]["tests"]}
    assert found[0]["source"]["id"] in part_of(part_id).sources


@pytest.mark.parametrize("place", all_places(":"))
def test_the_field_is_filled(place: str) -> None:
    assert read(place) != []


def test_the_field_says_what_the_statement_says() -> None:
    wrong = [
        (key, place)
        for key, entry in entries().items()
        for place, expected in entry.get("is", {}).items()
        if expected not in read(place) or place not in places(entry)
    ]
    assert wrong == []


@pytest.mark.parametrize("section", SECTIONS, ids=str)
def test_most_statements_are_encoded(section: Section, capsys: pytest.CaptureFixture[str]) -> None:
    encoded = [entry for entry in entries_of(section).values() if entry["status"] in STATUSES]
    with capsys.disabled():
        print(f"\n{section}: {len(encoded)} of {len(section.numbers)} are encoded")

    assert len(encoded) >= section.encoded_min


def test_constraints_of_these_makers_have_cases() -> None:
    makers = ("dell/", "lenovo/", "changfan/")
    without = [
        f"{part_id}#{item['id']}"
        for part_id in workshop().catalog.parts
        if part_id.startswith(makers)
        for item in part_of(part_id).constraints
        if not {"pass", "fail"} <= {case["expect"] for case in item.get("tests", ())}
    ]
    assert without == []
