"""The guides are true: their files are accepted, and their commands end as they say, run in the order of the page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.docs.markdown import GUIDES, ROOT, commands, files
from typer.testing import CliRunner

from rackwright.cli.commands import app
from rackwright.readers.catalog_part import check_part
from rackwright.readers.configuration_file import read_configuration
from rackwright.readers.yaml_source import load_yaml

FILES = [(page, *entry) for page in GUIDES for entry in files(page)]
PARTS = [(path, text) for _, what, path, text in FILES if what == "part"]
CONFIGURATIONS = [(path, text) for _, what, path, text in FILES if what == "configuration"]
ADDITIONS = [(path, text) for _, what, path, text in FILES if what == "addition"]


@pytest.mark.parametrize(("path", "text"), PARTS, ids=[path for path, _ in PARTS])
def test_the_part_is_accepted(path: str, text: str) -> None:
    document, findings = load_yaml(text, path)
    assert [str(item.message) for item in findings] == []
    assert document is not None
    body, findings = check_part(document, path.partition("/")[2])
    assert [str(item.message) for item in findings] == []
    assert body["data"]["kind"] == path.split("/")[1]


@pytest.mark.parametrize(("path", "text"), CONFIGURATIONS, ids=[path for path, _ in CONFIGURATIONS])
def test_the_configuration_is_accepted(path: str, text: str, tmp_path: Path) -> None:
    place = tmp_path / path
    place.write_text(text, encoding="utf-8")
    configuration, findings = read_configuration(place, path)
    assert [str(item.message) for item in findings] == []
    assert configuration is not None


@pytest.mark.parametrize(("path", "text"), ADDITIONS, ids=[text.partition(":")[0] for _, text in ADDITIONS])
def test_the_addition_to_a_configuration_is_accepted(path: str, text: str, tmp_path: Path) -> None:
    place = tmp_path / path
    place.write_text(dict(CONFIGURATIONS)[path] + text, encoding="utf-8")
    configuration, findings = read_configuration(place, path)
    assert [str(item.message) for item in findings] == []
    assert configuration is not None


@pytest.mark.parametrize("page", GUIDES)
def test_the_commands_end_as_the_guide_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for what, path, text in files(page):
        if what == "addition":
            continue
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ended = []
    for command in commands(page):
        result = CliRunner().invoke(app, list(command.arguments))
        if result.exit_code != command.exit_code:
            ended.append((" ".join(command.arguments), result.exit_code, result.output[-2000:]))
    assert ended == []
