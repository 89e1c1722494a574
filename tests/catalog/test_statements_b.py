"""Every numbered statement on chassis of the second group is encoded, or listed with the reason why it cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import api
from rackwright.catalog import Part

INDEX = Path(__file__).resolve().parents[1] / "cases" / "statements" / "chassis_b.yaml"
STATUSES = {"constraint", "field", "rule"}
# Host rules of the fact pack: 60 to 74 and 80 to 84.
HOST = [f"PR-{number}" for number in (*range(60, 75), *range(80, 85))]
NAMES = ("name", "gpu")  # what an entry of a list is called by


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


@cache
def entries() -> dict[str, Mapping[str, Any]]:
    index = yaml.safe_load(INDEX.read_text(encoding="utf-8"))
    return {str(key): entry for part in ("statements", "host") for key, entry in index[part].items()}


def places(entry: Mapping[str, Any]) -> list[str]:
    where = entry.get("where", [])
    return [where] if isinstance(where, str) else list(where)


def all_places(mark: str) -> list[str]:
    return sorted({place for entry in entries().values() for place in places(entry) if mark in place})


def part_of(part_id: str) -> Part:
    part = workshop().catalog.find(part_id)
    assert part is not None, part_id
    return part


def values(data: Any, path: list[str]) -> Iterator[Any]:
    """What a dotted path reads: keys of mappings, and entries of lists by their name, `gpu` or one of their `names`."""
    if not path:
        yield data
    elif isinstance(data, Mapping):
        if path[0] in data:
            yield from values(data[path[0]], path[1:])
    elif isinstance(data, list | tuple):
        for item in data:
            if path[0] in (*(item.get(name) for name in NAMES), *item.get("names", ())):
                yield from values(item, path[1:])


def read(place: str) -> list[Any]:
    part_id, _, path = place.partition(":")
    return list(values(part_of(part_id).data, path.split(".")))


def test_every_number_is_there_once() -> None:
    lines = [line.partition(":")[0].strip() for line in INDEX.read_text(encoding="utf-8").splitlines()]
    numbers = [line for line in lines if line.isdigit() or line.startswith("PR-")]
    assert numbers == [*(str(number) for number in range(1, 194)), *HOST]


def test_an_entry_says_where_or_why_not() -> None:
    wrong = [
        key
        for key, entry in entries().items()
        if not (entry["status"] in STATUSES and places(entry))
        and not (entry["status"] == "not decidable" and entry.get("reason") and not places(entry))
    ]
    assert wrong == []


def test_the_status_is_that_of_the_places() -> None:
    marks = {"constraint": "#", "field": ":"}
    wrong = [
        key
        for key, entry in entries().items()
        if (mark := marks.get(entry["status"])) is not None and mark not in "".join(places(entry))
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


def test_most_statements_are_encoded(capsys: pytest.CaptureFixture[str]) -> None:
    encoded = [key for key, entry in entries().items() if key.isdigit() and entry["status"] in STATUSES]
    with capsys.disabled():
        print(f"\n{len(encoded)} of 193 statements are encoded")
    assert len(encoded) >= 150
