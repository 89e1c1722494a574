"""A workload alone, from a file, from options, or out of a configuration."""

from __future__ import annotations

from pathlib import Path

from rackwright.readers.sizing_file import read_sizing, sizing_of

NODES = """\
nodes:
  - {id: a, chassis: test/box}
  - {id: b, chassis: test/box, workload: {task: rendering, scene_gb: 20}}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "workload.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_with_a_workload_is_read(tmp_path: Path) -> None:
    file, findings = read_sizing(written(tmp_path, "workload: {task: llm-inference, context_tokens: 8192}\n"))
    assert findings == []
    assert file is not None
    assert (file.request.workload.task, file.request.workload.context_tokens) == ("llm-inference", 8192)
    assert file.at(("workload", "context_tokens")).column == 49


def test_the_workload_of_a_configuration_is_taken(tmp_path: Path) -> None:
    file, findings = read_sizing(written(tmp_path, NODES))
    assert findings == []
    assert file is not None
    assert file.request.workload.scene_gb == 20


def test_a_configuration_without_a_workload_is_a_finding(tmp_path: Path) -> None:
    file, findings = read_sizing(written(tmp_path, "nodes: [{id: a, chassis: test/box}]\n"))
    assert (file, [item.code for item in findings]) == (None, ["CFG043"])


def test_a_key_that_does_not_exist_is_pointed_at(tmp_path: Path) -> None:
    file, findings = read_sizing(written(tmp_path, "workload:\n  task: vdi\n  user: 5\n"))
    assert (file, [(item.code, item.at.line if item.at else 0) for item in findings]) == (None, [("CFG010", 3)])


def test_a_list_is_no_workload(tmp_path: Path) -> None:
    file, findings = read_sizing(written(tmp_path, "- a\n"))
    assert (file, [item.code for item in findings]) == (None, ["CFG011"])


def test_options_make_up_the_same_request() -> None:
    file, findings = sizing_of({"workload": {"task": "llm-inference", "context_tokens": 8192}})
    assert findings == []
    assert file is not None
    assert file.request.workload.context_tokens == 8192


def test_a_wrong_option_is_a_finding() -> None:
    file, findings = sizing_of({"workload": {"task": "llm-inference", "context_tokens": 0}})
    assert (file, [item.code for item in findings]) == (None, ["CFG010"])
