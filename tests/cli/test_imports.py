"""What `validate` does not load, and does not check again, when its caches are warm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest

from rackwright import api
from rackwright.api import Workshop
from rackwright.readers.catalog_dir import read_catalog

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples/inference-4x-l40s"
# Heavy libraries, and the models that only files without a cache need.
FORBIDDEN = ("jsonschema", "weasyprint", "openpyxl", "jinja2", "babel", "pydantic", "rackwright.parts",
             "rackwright.rules.load", "rackwright.rules.files", "rackwright.facts.shapes")  # fmt: skip
PROGRAM = """\
import sys
from rackwright.cli.start import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
PART = """\
kind: service
id: test/rollout
title: Rollout
maker: Test
sources: {own: {doc: Own price list}}
evidence: {"*": {source: own, grade: vendor}}
"""


def modules_of(*arguments: str, cache: Path) -> set[str]:
    """Run a command line in a process and return the modules that it had loaded in the end."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "RACKWRIGHT_CACHE": str(cache)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


def loaded(modules: set[str], names: tuple[str, ...]) -> list[str]:
    return sorted(name for name in modules if name.startswith(tuple(f"{n}." for n in names)) or name in names)


def test_validate_loads_nothing_heavy(workshop: Workshop, cache: Path) -> None:
    modules = modules_of("validate", str(EXAMPLE), cache=cache)
    assert "rackwright.rules.evaluate" in modules
    assert loaded(modules, (*FORBIDDEN, "rich", "typer", "rackwright.expression.check")) == []


def test_the_report_for_programs_needs_its_model_and_nothing_else(workshop: Workshop, cache: Path) -> None:
    modules = modules_of("validate", str(EXAMPLE), "-f", "json", cache=cache)
    assert loaded(modules, tuple(name for name in FORBIDDEN if name != "pydantic")) == []


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the models that something was checked against from here on."""
    names: list[str] = []
    check = pydantic.BaseModel.model_validate.__func__  # type: ignore[attr-defined]

    def counted(model: type[pydantic.BaseModel], *values: Any, **options: Any) -> Any:
        names.append(model.__name__)
        return check(model, *values, **options)

    monkeypatch.setattr(pydantic.BaseModel, "model_validate", classmethod(counted))
    return names


def test_what_the_cache_knows_is_not_checked_again(workshop: Workshop, cache: Path, checked: list[str]) -> None:
    run, findings = api.validate_file(EXAMPLE / "configuration.yaml", api.load_workshop(), today="2026-12-01")
    assert run is not None, findings
    assert checked == []


def test_only_a_part_that_changed_is_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: list[str]
) -> None:
    monkeypatch.setenv("RACKWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "catalog/service/test"
    folder.mkdir(parents=True)
    (folder / "rollout.yaml").write_text(PART)
    (folder / "training.yaml").write_text(PART.replace("test/rollout", "test/training"))

    def titles() -> list[str]:
        checked.clear()
        catalog, findings = read_catalog([(tmp_path / "catalog", "catalog")])
        assert findings == []
        return [catalog.parts[name].title for name in ("test/rollout", "test/training")]

    assert (titles(), len(checked)) == (["Rollout", "Rollout"], 2)
    assert (titles(), len(checked)) == (["Rollout", "Rollout"], 0)
    (folder / "training.yaml").write_text(PART.replace("test/rollout", "test/training").replace("Rollout", "Training"))
    assert (titles(), len(checked)) == (["Rollout", "Training"], 1)
