"""The schemas in the repository are those of the models: `rackwright catalog schema .` renews them."""

from __future__ import annotations

import json

import jsonschema
import pytest
from tests.docs.markdown import ROOT

from rackwright.readers.schemas import schema_texts
from rackwright.readers.yaml_source import load_yaml

SCHEMAS = schema_texts()


@pytest.mark.parametrize("path", SCHEMAS)
def test_the_schema_is_fresh(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == SCHEMAS[path], "renew it: rackwright catalog schema ."


def test_no_schema_is_left_over() -> None:
    places = [ROOT / "catalog/schema", ROOT / "docs/schemas"]
    found = {path.relative_to(ROOT).as_posix() for place in places for path in place.iterdir()}
    assert found == set(SCHEMAS)


@pytest.mark.parametrize("path", SCHEMAS)
def test_the_schema_is_a_schema(path: str) -> None:
    schema = json.loads(SCHEMAS[path])
    jsonschema.validators.validator_for(schema).check_schema(schema)


def test_an_editor_accepts_the_example_of_the_readme() -> None:
    place = ROOT / "examples/inference-4x-l40s/configuration.yaml"
    document, _ = load_yaml(place.read_text(encoding="utf-8"), place.name)
    assert document is not None
    schema = json.loads(SCHEMAS["docs/schemas/configuration.schema.json"])
    assert [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document.data)] == []


@pytest.mark.parametrize("path", [path for path in SCHEMAS if path.startswith("catalog/")])
def test_an_editor_accepts_the_shipped_parts_of_the_kind(path: str) -> None:
    kind = path.rpartition("/")[2].removesuffix(".schema.json")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMAS[path]))
    problems = []
    for place in sorted((ROOT / "catalog" / kind).glob("*/*.yaml"))[:5]:
        document, _ = load_yaml(place.read_text(encoding="utf-8"), place.name)
        assert document is not None
        problems += [(place.name, error.message) for error in validator.iter_errors(document.data)]
    assert problems == []
