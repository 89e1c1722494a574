"""The command line, run in this process: `rackwright("validate", "c.yaml")` in an empty folder."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rackwright import api
from rackwright.api import Workshop, load_workshop
from rackwright.cli.start import run

SERVER = """\
quote:
  title: Test
  date: "2026-12-01"
site: {region: eu, inlet_c: 24, voltage_v: 230}
nodes:
  - id: n1
    chassis: dell/poweredge-r760xa
    mode: dw
    redundancy: 1+1
    parts:
      - {part: intel/xeon-gold-6448y, count: 2}
      - {part: generic/ddr5-rdimm-64gb-4800, count: 16}
      - {part: nvidia/l40s, count: 4}
      - {part: dell/psu-2400w-platinum, count: 2}
"""


@dataclass(frozen=True)
class Result:
    """What a call left: exit code, product and messages."""

    code: int
    out: str
    err: str


Call = Callable[..., Result]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def workshop(cache: Path) -> Iterator[Workshop]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RACKWRIGHT_CACHE", str(cache))
        yield load_workshop()


@pytest.fixture
def rackwright(workshop: Workshop, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a command in `tmp_path`; catalog and rules are loaded once for all tests that ask for no others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RACKWRIGHT_CACHE", str(cache))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")  # 2026-12-01

    def load(catalogs: object = (), rules: Path | None = None, *, with_cases: bool = False) -> Workshop:
        if catalogs or rules or with_cases:
            return load_workshop(catalogs, rules, with_cases=with_cases)  # type: ignore[arg-type]
        return workshop

    monkeypatch.setattr(api, "load_workshop", load)

    def call(*arguments: str | Path) -> Result:
        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["rackwright", *map(str, arguments)])
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit) as end:
                run()
        assert isinstance(end.value.code, int)
        return Result(end.value.code, out.getvalue(), err.getvalue())

    return call


RULE = """\
id: {id}
name: {name}
title: The node has at most {limit} kinds of parts
severity: {severity}
for_each: node
rationale: A rule of the tests.
source: [{{doc: Test}}]
require:
  - that: node.count <= {limit}
    message: "{{node.count}} servers, {limit} at most"
fix: Order fewer.
tests:
  - {{name: at_the_limit, given: {{node: {{count: {limit}}}}}, expect: pass}}
  - {{name: one_over, given: {{node: {{count: {over}}}}}, expect: fail}}
"""


@pytest.fixture(scope="session")
def few_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rules folder: more than 2 servers of a kind are a warning, more than 5 an error."""
    folder = tmp_path_factory.mktemp("few") / "rules"
    (folder / "tst").mkdir(parents=True)
    for name, severity, limit in (("TST001", "warning", 2), ("TST002", "error", 5)):
        text = RULE.format(id=name, name=name.lower(), severity=severity, limit=limit, over=limit + 1)
        (folder / "tst" / f"{name}-{name.lower()}.yaml").write_text(text)
    return folder
