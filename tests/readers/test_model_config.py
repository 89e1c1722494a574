"""A workload that names a config.json instead of a model of the catalog."""

import json
from pathlib import Path

from rackwright import api
from rackwright.readers.configuration_file import read_configuration
from rackwright.readers.sizing_file import read_sizing
from rackwright.sizing import size

CONFIG = {
    "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 8192,
    "torch_dtype": "bfloat16", "tie_word_embeddings": False,
}  # fmt: skip
WORKLOAD = "workload: {task: llm-inference, model: mine/config.json, context_tokens: 4096, concurrent_requests: 1}\n"
NODE = "nodes:\n  - id: a\n    chassis: dell/poweredge-r760xa\n    parts: [{part: nvidia/l4, count: 1}]\n    "


def written(folder: Path, text: str, config: object = CONFIG) -> Path:
    (folder / "mine").mkdir()
    (folder / "mine" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    place = folder / "file.yaml"
    place.write_text(text, encoding="utf-8")
    return place


def test_sizing_takes_the_figures_of_the_file(tmp_path):
    """8B in bf16 on 24 GB: 14.96 + 0.5 + 3.5 = 18.96 of 22.05 GiB, tight, as the model of the catalog."""
    file, findings = read_sizing(written(tmp_path, WORKLOAD + "limits: {gpus: [nvidia/l4]}\n"))
    assert findings == []
    workshop = api.load_workshop()
    sizing = size(file, workshop.catalog, workshop.ruleset.policies["default"].facts)
    one = next(item for item in sizing.options if item.gpus == 1)
    assert (round(one.assignments[0].need.need_gib, 2), one.fit.value) == (18.96, "tight")


def test_a_configuration_is_judged_by_the_file(tmp_path):
    file, findings = read_configuration(written(tmp_path, NODE + WORKLOAD))
    assert findings == []
    run = api.validate(file, api.load_workshop())
    outcomes = {item.rule: item.outcome.value for item in run.verdicts}
    assert (outcomes["WRK007"], outcomes["WRK008"]) == ("pass", "fail")


def test_a_file_that_is_none_is_a_finding(tmp_path):
    file, findings = read_sizing(written(tmp_path, WORKLOAD, ["no", "model"]))
    assert file is None
    assert [(item.code, str(item.message), item.at.line) for item in findings] == [
        ("CFG070", "mine/config.json is no config.json of a model", 1)
    ]


def test_a_file_that_is_missing_is_a_finding(tmp_path):
    place = tmp_path / "file.yaml"
    place.write_text(WORKLOAD, encoding="utf-8")
    file, findings = read_sizing(place)
    assert (file, len(findings)) == (None, 1)
