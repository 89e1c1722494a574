"""Six workloads, from a file of a few lines to a configuration that is validated again."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from rackwright import api
from rackwright.api.sizing import Answer, size_request
from rackwright.api.sizing_documents import configuration_text, sizing_report_of, sizing_view_of, variant_named
from rackwright.readers.sizing_file import read_sizing, sizing_of
from rackwright.verdict import Status

ROOT = Path(__file__).resolve().parents[2]
WORKLOADS = sorted((ROOT / "examples/workloads").glob("*.yaml"))


@cache
def answered(path: Path) -> tuple[Answer, api.Workshop]:
    workshop = api.load_workshop()
    file, findings = read_sizing(path, path.name)
    assert file is not None, findings
    return size_request(file, workshop), workshop


@pytest.mark.parametrize("path", WORKLOADS, ids=lambda path: path.stem)
def test_a_workload_becomes_a_configuration_that_does_not_fail(path: Path, tmp_path: Path) -> None:
    answer, workshop = answered(path)
    assert len(path.read_text().splitlines()) <= 11
    assert answer.best is not None
    assert answer.best is answer.variants[0]
    place = tmp_path / "configuration.yaml"
    place.write_text(configuration_text(answer, answer.best), encoding="utf-8")
    run, findings = api.validate_file(place, workshop)
    assert findings == []
    assert run is not None
    assert run.status is answer.best.status
    assert run.status in (Status.VALID, Status.OPEN)


@pytest.mark.parametrize("path", WORKLOADS, ids=lambda path: path.stem)
def test_the_machine_readable_answer_keeps_to_its_schema(path: Path) -> None:
    answer, workshop = answered(path)
    view, _ = sizing_view_of(answer, "en")
    report = sizing_report_of(answer, view, workshop).model_dump_json()
    schema = json.loads((ROOT / "docs/schemas/sizing.schema.json").read_text())
    jsonschema.validate(json.loads(report), schema)


def test_six_workloads_are_there() -> None:
    assert [path.stem for path in WORKLOADS] == [
        "assistant", "fine-tuning-team", "mixed", "render-farm", "several-models", "vdi-pool",
    ]  # fmt: skip


def test_a_variant_is_named_by_number_or_key() -> None:
    answer, _ = answered(ROOT / "examples/workloads/vdi-pool.yaml")
    first = answer.variants[0]
    assert variant_named(answer, "1") is first
    assert variant_named(answer, first.option.key) is first
    assert variant_named(answer, "99") is None


def test_desktops_come_with_the_licences_of_their_profiles() -> None:
    answer, _ = answered(ROOT / "examples/workloads/vdi-pool.yaml")
    assert answer.best is not None
    assert answer.best.attempt is not None
    extras = {extra.part: extra.count for extra in answer.best.attempt.assembled.extras}
    assert extras == {"nvidia/rtx-vws": 40, "nvidia/vpc": 60}


def test_each_render_machine_has_a_licence() -> None:
    answer, _ = answered(ROOT / "examples/workloads/render-farm.yaml")
    assert answer.best is not None
    assert answer.best.attempt is not None
    extras = {extra.part: extra.count for extra in answer.best.attempt.assembled.extras}
    assert extras == {"maxon/redshift": answer.best.option.nodes}


def test_what_lacks_parts_comes_after_what_is_complete() -> None:
    for path in WORKLOADS:
        answer, _ = answered(path)
        live = [v for v in answer.variants if v.status not in (None, Status.INVALID) and v.attempt is not None]
        lacking = [len(v.attempt.assembled.lacking) for v in live if v.attempt is not None]
        assert lacking == sorted(lacking)


def test_an_unknown_model_has_no_variants() -> None:
    file, _ = sizing_of({"workload": {"task": "llm-inference", "model": "meta/llama-9"}})
    assert file is not None
    answer = size_request(file, answered(WORKLOADS[0])[1])
    assert (answer.variants, answer.best) == ((), None)
    assert answer.sizing.findings != ()
    assert sizing_view_of(answer, "de")[0].headline != ""


def test_every_text_of_an_answer_is_german() -> None:
    from rackwright.api.documents import texts_of
    from rackwright.api.sizing_views import sizing_view

    texts = texts_of("de")
    for path in WORKLOADS:
        sizing_view(answered(path)[0], texts)
    assert texts.untranslated == set()
