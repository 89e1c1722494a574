"""Which key of a part file is proposed for what a data sheet calls it, and how the value is to be written there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from rackwright.parts import PART_KINDS
from rackwright.readers.files import clearly_closest
from rackwright.readers.model_errors import findings_from
from rackwright.readers.yaml_source import load_yaml

HEADS = {"gpu": "form_factor: pcie\n", "chassis": "", "psu": "output_w: 2000\n", "nic": "form_factor: pcie\n"}
HEAD = """\
kind: {kind}
id: acme/x100
title: Acme X100
maker: Acme
sources: {{sheet: {{doc: Acme datasheet}}}}
evidence: {{"*": {{source: sheet, grade: vendor}}}}
"""


def fixes(kind: str, more: str) -> list[str]:
    text = HEAD.format(kind=kind) + HEADS[kind] + more
    document, findings = load_yaml(text, "x.yaml")
    assert findings == []
    assert document is not None
    with pytest.raises(ValidationError) as caught:
        PART_KINDS[kind].model_validate(document.data)
    return [str(item.fix) for item in findings_from(caught.value, document, code="CAT002", model=PART_KINDS[kind])]


@pytest.mark.parametrize(
    ("kind", "line", "fix"),
    [
        # flat, as data sheets are, with the unit after the figure
        ("gpu", "memory_gb: 16", "write it as memory: {capacity_gb: 16}"),
        ("gpu", "memory_type: GDDR6", "write it as memory: {type: GDDR6}"),
        ("gpu", "memory_bandwidth: 448 GB/s", "write it as memory: {bandwidth_gb_s: 448}"),
        ("gpu", "memoryBandwidth: 3.35 TB/s", "write it as memory: {bandwidth_gb_s: 3350}"),
        ("gpu", "vram: 16 GB", "write it as memory: {capacity_gb: 16}"),
        ("gpu", "length: 9.5 in", "write it as card: {length_mm: 241.3}"),
        ("gpu", "height: 4.4\"", "write it as card: {height_mm: 111.8}"),
        ("gpu", "slots: 1", "write it as card: {width_slots: 1}"),
        ("gpu", "tdp: 140", "write it as power: {max_w: 140}"),
        ("gpu", "ecc: yes", "write it as memory: {is_ecc: true}"),
        ("gpu", "pcie_gen: 4", "write it as pcie: {generation: 4}"),
        ("gpu", "release_date: 2021-04", "write it as lifecycle: {announced: 2021-04}"),
        ("gpu", "weight: 2.2 lb", "write it as weight_kg: 0.9979"),
        # other words for the same
        ("gpu", "vendor: Acme Corporation", "remove it; the keys here are"),
        ("gpu", "power_connector: 1x 6-pin", "did you mean power_inputs?"),
        ("gpu", "interface: PCIe 4.0 x16", "did you mean pcie?"),
        ("chassis", "rack: {height: 2}", "did you mean height_u?"),
        ("chassis", "memory: {slots: 24}", "did you mean dimms?"),
        ("chassis", "memory: {speed: 2933}", "did you mean speed_max_mt_s or speed_2dpc_mt_s?"),
        ("chassis", 'slots: [{names: ["1"], gen: 3}]', "did you mean generation?"),
        ("chassis", 'slots: [{names: ["1"], gpu: true}]', "did you mean is_gpu?"),
        ("chassis", "inlet: {max: 35}", "did you mean max_c?"),
        ("chassis", "inlet: {max: 95 °F}", "write it as max_c: 35"),
        # near by its letters, but the value is nothing for that key: no guess
        ("chassis", 'slots: [{names: ["1"], size: FHFL}]', "remove it; the keys here are names, side,"),
        # keys of a small record are explained
        ("chassis", "psu: {watts: 750}", "remove it; the keys here are bays (bays for power supplies), models (PSUs"),
        # a value where a record or a list is wanted
        ("gpu", "power: 140 W", "write {max_w: 140}; the keys are max_w, typical_w,"),
        ("gpu", "cooling: Active", "write {type: active}; the keys are type,"),
        ("gpu", "nvlink: no", "write {is_supported: false}; the keys are is_supported,"),
        ("gpu", "power_inputs: 6-pin", "write it as a list: [{connector: …}]; the keys are connector,"),
        ("chassis", "qualified_gpus: [nvidia/t4]", "write {gpu: nvidia/t4}; the keys are gpu,"),
        ("chassis", "bays: {front: 24}", "write it as a list: [{name: …, count: …, form_factors: …}]; the keys are"),
        ("chassis", "modes: {gpu: GPU layout}", "write {title: GPU layout}; the keys are title, parts,"),
        # a choice that is not clear is left to the person
        ("chassis", "gpu_power: [{connector: 8-pin}]", "write one of: eps-8pin, pcie-6pin, pcie-8pin, pcie-16pin"),
        ("chassis", "airflow: front to back", "did you mean front-to-back? Allowed: front-to-back, back-to-front"),
        ("gpu", "lifecycle: {status: end of sale}", "did you mean end_of_sale? Allowed: announced, active,"),
        ("gpu", "pcie: {generation: 4.0}", "write 4"),
        ("gpu", "pcie: {lanes: x16}", "write 16 alone"),
        # texts with a form
        ("gpu", "lifecycle: {announced: April 2021}", "write it as in 2026-12-01 or 2026-12 or 2026"),
        ("chassis", "rails_part: Rail Kit", "write it as in nvidia/l40s"),
        ("chassis", "psu: {redundancy: [1 + 1]}", "write it as in none or N+1 or N+N or 3+1"),
    ],
)  # fmt: skip
def test_what_to_write_instead(kind: str, line: str, fix: str) -> None:
    (found,) = fixes(kind, line)
    assert found.startswith(fix)


def test_a_key_in_other_words_is_not_missing_too() -> None:
    text = HEAD.format(kind="gpu").replace("title: Acme X100", "name: Acme X100").replace("maker", "vendor")
    document, _ = load_yaml(text + "form_factor: pcie", "x.yaml")
    assert document is not None
    with pytest.raises(ValidationError) as caught:
        PART_KINDS["gpu"].model_validate(document.data)
    found = findings_from(caught.value, document, code="CAT002", model=PART_KINDS["gpu"])
    assert [str(item.fix) for item in found] == ["did you mean title?", "did you mean maker?"]


def test_what_is_missing_is_shown_in_its_form() -> None:
    document, _ = load_yaml("kind: cord\nid: a/b\ntitle: Acme\nmaker: Acme", "x.yaml")
    assert document is not None
    with pytest.raises(ValidationError) as caught:
        PART_KINDS["cord"].model_validate(document.data)
    (found,) = findings_from(caught.value, document, code="CAT002", model=PART_KINDS["cord"])
    assert "sources (documents, by a short key; form: NAME: {doc: …})" in str(found.fix)
    assert "form: NAME: {source: …, grade: …})" in str(found.fix)


@pytest.mark.parametrize(
    ("word", "names", "found"),
    [
        ("8-pin", ["eps-8pin", "pcie-8pin"], None),
        ("EPS-8pin", ["eps-8pin", "pcie-8pin"], "eps-8pin"),
        ("sxm", ["sxm4", "sxm5"], None),
        ("pasive", ["passive", "active"], "passive"),
        ("zzz", ["passive", "active"], None),
    ],
)
def test_a_guess_is_made_only_if_it_is_clear(word: str, names: list[str], found: str | None) -> None:
    assert clearly_closest(word, names) == found


def _patterns(schema: Any, examples: Any = ()) -> list[tuple[str, Any]]:
    """The patterns of a schema, each with the examples of it or of the field that it is a choice of."""
    if isinstance(schema, list):
        return [item for value in schema for item in _patterns(value, examples)]
    if not isinstance(schema, dict):
        return []
    examples = schema.get("examples", examples)
    found = [(schema["pattern"], examples)] if isinstance(schema.get("pattern"), str) else []
    return found + [item for key, value in schema.items() if key != "examples" for item in _patterns(value, examples)]


@pytest.mark.parametrize("kind", PART_KINDS)
def test_every_text_with_a_form_has_examples_of_it(kind: str) -> None:
    """A pattern is no help for a person: the message shows the examples."""
    for pattern, examples in _patterns(PART_KINDS[kind].model_json_schema()):
        assert examples, pattern
        assert all(re.search(pattern, example) for example in examples)
