"""Every numbered statement on chassis of the first group and on the flagships is encoded, or listed with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import api
from rackwright.catalog import Part

INDEX = Path(__file__).resolve().parents[1] / "cases" / "statements" / "chassis_a.yaml"
COUNTS = {"statements": 190, "flagship": 68}  # of each section: how many statements the fact pack numbers
ENCODED_MIN = {"statements": 150, "flagship": 50}
STATUSES = {"constraint", "field", "rule"}
MARKS = {"constraint": "#", "field": ":"}
NAMES = ("name", "gpu")  # what an entry of a list is called by, beside `names`


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


@cache
def index() -> Mapping[str, Mapping[int, Mapping[str, Any]]]:
    read: Mapping[str, Mapping[int, Mapping[str, Any]]] = yaml.safe_load(INDEX.read_text(encoding="utf-8"))
    return read


@cache
def entries() -> dict[str, Mapping[str, Any]]:
    return {f"{section} {number}": entry for section in COUNTS for number, entry in index()[section].items()}


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


@pytest.mark.parametrize("section", COUNTS)
def test_every_number_is_there_once(section: str) -> None:
    text = INDEX.read_text(encoding="utf-8").partition(f"\n{section}:\n")[2]
    lines = text.partition("\nflagship:\n")[0].splitlines() if section == "statements" else text.splitlines()
    numbers = [line.partition(":")[0].strip() for line in lines if line[:3].strip() and line.startswith("  ")]

    assert numbers == [str(number) for number in range(1, COUNTS[section] + 1)]


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


@pytest.mark.parametrize("section", COUNTS)
def test_most_statements_are_encoded(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    encoded = [entry for entry in index()[section].values() if entry["status"] in STATUSES]
    with capsys.disabled():
        print(f"\n{section}: {len(encoded)} of {COUNTS[section]} are encoded")

    assert len(encoded) >= ENCODED_MIN[section]


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
