"""The JSON Schema of a kind and its model agree on every good and bad sample, and on every shipped part.

A bad sample breaks one thing; its first line is what the check must say of it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rackwright.parts import PART_KINDS
from rackwright.readers.catalog_part import check_part
from rackwright.readers.schemas import schema_texts
from rackwright.readers.yaml_source import load_yaml

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(__file__).parent / "samples"
GOOD, BAD = (sorted((SAMPLES / name).glob("*.yaml")) for name in ("good", "bad"))


@cache
def validator(kind: str) -> Any:
    return jsonschema.Draft202012Validator(json.loads(schema_texts()[f"catalog/schema/{kind}.schema.json"]))


def loaded(place: Path) -> Any:
    document, findings = load_yaml(place.read_text(encoding="utf-8"), place.name)
    assert findings == []
    assert document is not None
    return document


def told(document: Any) -> list[str]:
    data = document.data
    return [str(item.message) for item in check_part(document, f"{data['kind']}/{data['id']}.yaml")[1]]


@pytest.mark.parametrize("place", GOOD, ids=lambda place: place.stem)
def test_a_good_sample_is_accepted_by_both(place: Path) -> None:
    document = loaded(place)
    assert [error.message for error in validator(document.data["kind"]).iter_errors(document.data)] == []
    assert told(document) == []


@pytest.mark.parametrize("place", BAD, ids=lambda place: place.stem)
def test_a_bad_sample_is_refused_by_both_for_one_reason(place: Path) -> None:
    document = loaded(place)
    assert [*validator(document.data["kind"]).iter_errors(document.data)] != []
    assert told(document) == [place.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")]


@pytest.mark.parametrize("kind", PART_KINDS)
def test_both_accept_every_shipped_part(kind: str) -> None:
    refused = []
    for place in sorted((ROOT / "catalog" / kind).glob("*/*.yaml")):
        document = loaded(place)
        refused += [(place.name, error.message) for error in validator(kind).iter_errors(document.data)]
        refused += [(place.name, message) for message in told(document)]
    assert refused == []


def test_there_are_samples() -> None:
    assert (len(GOOD), len(BAD)) == (8, 35)


@pytest.mark.parametrize("kind", PART_KINDS)
def test_every_field_has_a_title_and_says_what_it_is(kind: str) -> None:
    schema = json.loads(schema_texts()[f"catalog/schema/{kind}.schema.json"])
    silent = [
        f"{name}.{field}"
        for name, record in {"part": schema, **schema.get("$defs", {})}.items()
        for field, what in record.get("properties", {}).items()
        if not what.get("title") or not what.get("description")
    ]
    assert silent == []


def test_every_part_file_names_the_schema_of_its_kind() -> None:
    wrong = []
    for place in sorted((ROOT / "catalog").glob("*/*/*.yaml")):
        head, _, name = place.read_text(encoding="utf-8").partition("\n")[0].partition("$schema=")
        schema = (place.parent / name).resolve()
        kind = place.relative_to(ROOT / "catalog").parts[0]
        if head != "# yaml-language-server: " or schema != ROOT / "catalog" / "schema" / f"{kind}.schema.json":
            wrong.append(place.name)
        assert schema.is_file()
    assert wrong == []


OTHER_VALUES: tuple[Any, ...] = (
    "x",
    "a/b",
    "2026-12-01",
    "350",
    "",
    0,
    1,
    -1,
    1.5,
    1e9,
    True,
    [],
    ["x"],
    [1],
    {},
    {"x": 1},
)


def changed(value: Any) -> Any:
    """Yield copies of data with one value, at any depth, replaced by each of OTHER_VALUES, or left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            for other in (*OTHER_VALUES, *changed(inner)):
                yield {**value, key: other}
        yield {**value, "something_else": 1}
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            for other in (*OTHER_VALUES, *changed(inner)):
                yield [*value[:index], other, *value[index + 1 :]]


@pytest.mark.parametrize("place", GOOD, ids=lambda place: place.stem)
def test_both_agree_on_every_small_change_of_a_good_sample(place: Path) -> None:
    """1.0 for a count is left out: JSON calls it a whole number, the model asks to write 1."""
    data = loaded(place).data
    model, schema = PART_KINDS[data["kind"]], validator(data["kind"])
    differing = []
    for sample in changed(data):
        if sample.get("kind") == data["kind"]:
            try:
                model.model_validate(sample)
                is_accepted = True
            except ValueError:
                is_accepted = False
            if is_accepted is not schema.is_valid(sample):
                differing.append((is_accepted, sample))
    assert differing[:3] == []
