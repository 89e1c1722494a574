"""Every folder of examples/ says what its expected.yaml says, and says it so that a reader can act on it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from rackwright import api
from rackwright.outputs.json import write_json
from rackwright.readers.schemas import schema_texts

from .running import EXAMPLES, FOLDERS, GOOD, Example, example, expected, figure, slots, workshop

every_example = pytest.mark.parametrize("name", FOLDERS)


def test_the_shipped_catalog_and_rules_load_without_a_finding() -> None:
    assert [f"{item.at}: {item.message}" for item in workshop().findings] == []


@every_example
def test_the_expectation_is_complete(name: str) -> None:
    assert {"status", "errors", "warnings", "open"} <= set(expected(name))
    assert set(expected(name)) <= {"status", "errors", "warnings", "open", "figures", "slots"}


@every_example
def test_verdict(name: str) -> None:
    found = example(name)

    assert {
        "status": found.run.status.value,
        "errors": found.codes("fail", "error"),
        "warnings": found.codes("fail", "warning"),
        "open": found.codes("unknown", "error"),
    } == {key: expected(name)[key] for key in ("status", "errors", "warnings", "open")}


@every_example
def test_figures_derived_by_hand(name: str) -> None:
    figures = expected(name).get("figures", {})

    assert {key: figure(example(name).run, key) for key in figures} == pytest.approx(figures, rel=1e-4)


@every_example
def test_slots(name: str) -> None:
    wanted = expected(name).get("slots", {})
    placed = slots(example(name).run)

    assert {card: placed[card] for card in wanted} == wanted


@pytest.mark.parametrize("name", GOOD)
def test_a_good_example_has_no_error(name: str) -> None:
    assert expected(name)["errors"] == []
    assert expected(name)["status"] in {"valid", "open"}


@every_example
def test_every_finding_has_its_place_inside_the_file(name: str) -> None:
    found = example(name)
    shown = f"examples/{name}/configuration.yaml"
    lines = found.run.file.text.splitlines()

    assert [
        f"{item.code} {item.subject}: {item.at}"
        for item in found.findings
        if item.at is None
        or item.at.file != shown
        or not 1 <= item.at.line <= len(lines)
        or not 1 <= item.at.column <= len(lines[item.at.line - 1])
    ] == []


@every_example
def test_every_failure_says_what_is_wrong_and_what_to_do(name: str) -> None:
    """No hole of a message stays unfilled, and nobody is left without advice."""
    failures = [item for item in example(name).findings if item.outcome != "unknown"]
    texts = [(item.code, str(item.message), str(item.fix or "")) for item in failures]

    assert [text for text in texts if not text[1].strip() or not text[2].strip()] == []
    assert [text for text in texts if set("{}") & set(text[1] + text[2])] == []


@every_example
def test_every_open_point_names_the_missing_figure(name: str) -> None:
    unknown = [item for item in example(name).findings if item.outcome == "unknown" and item.severity.value == "error"]

    assert [f"{item.code} {item.subject}" for item in unknown if not item.missing] == []


@every_example
def test_the_report_is_valid_by_its_schema(name: str) -> None:
    schema: dict[str, Any] = json.loads(schema_texts()["docs/schemas/report.schema.json"])
    jsonschema.Draft202012Validator.check_schema(schema)

    report = json.loads(write_json(_report(example(name))))

    errors = jsonschema.Draft202012Validator(schema).iter_errors(report)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []
    assert report["status"] == expected(name)["status"]


def _report(found: Example) -> Any:
    bill, _ = api.documents.priced(found.run)
    return api.report_of(found.run, bill, found.findings[: len(found.findings) - len(found.run.reported)])


def test_every_folder_is_an_example() -> None:
    """A folder without a configuration or an expectation would be tested by nobody; two kinds have tests elsewhere."""
    folders = {
        path.relative_to(EXAMPLES).as_posix()
        for path in EXAMPLES.glob("**/")
        if path not in (EXAMPLES, EXAMPLES / "broken", EXAMPLES / "workloads") and path.name != "house"
    }

    assert folders == set(FOLDERS)
    assert [name for name in FOLDERS if not (EXAMPLES / name / "expected.yaml").is_file()] == []
