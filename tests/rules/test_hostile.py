"""Rule files of somebody who means harm, or has no idea: each ends in a finding, and the other files are read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.expression.test_parse import HOSTILE

from rackwright.cli.common import print_findings

from .builders import RULE, read, with_that

GOOD = RULE.replace("PWR900", "PWR899").replace("draw-within", "good")


def as_file(number: int, **changes: object) -> str:
    data = yaml.safe_load(RULE) | {"id": f"HOS{number:03d}", "name": f"hostile-{number}"} | changes
    return yaml.safe_dump(data, allow_unicode=True, width=10**9)


# Python accepts these and YAML cannot hold them: the file itself is refused.
_NOT_YAML = {"NUL", "surrogate", "surrogate name"}
TEXTS = {name: text for name, (text, _) in HOSTILE.items() if name not in _NOT_YAML}
REFUSALS = {"RUL002", "RUL010", "RUL011", "CFG003", "CFG005"}


def clause(that: str = "node.allowance_w <= 500", message: str = "too much", **more: object) -> dict[str, object]:
    return {"require": [{"that": that, "message": message, **more}]}


@pytest.mark.parametrize("field", ["that", "when", "blame", "message", "fix"])
def test_every_hostile_expression_in_every_field_is_a_finding_of_its_file(tmp_path: Path, field: str) -> None:
    files = {}
    for number, (name, text) in enumerate(TEXTS.items()):
        if (field == "when" and not text.strip()) or (field in ("message", "fix") and "{" in text):
            continue  # an empty `when` is none; braces inside a hole are text
        changes: dict[str, object] = {
            "that": clause(text),
            "when": {"when": text},
            "blame": clause(blame=[text]),
            "message": clause(message=f"it is {{{text}}}"),
            "fix": {"fix": f"take {{{text}}}"},
        }[field]
        files[f"hos/{number:03d}-{name.replace(' ', '-')}.yaml"] = as_file(number, **changes)
    ruleset, findings = read(tmp_path, {**files, "pwr/PWR899-good.yaml": GOOD})
    assert [rule.id for rule in ruleset.rules] == ["PWR899"]
    assert {item.at.file.removeprefix("rules/") for item in findings if item.at} == set(files)
    assert {item.code for item in findings} <= REFUSALS


FILES = {
    "empty": "",
    "null": "null\n",
    "a list": "- a\n- b\n",
    "a text": "hello\n",
    "not YAML": "id: [",
    "a Python object": "id: !!python/object/apply:os.system [id]\n",
    "an alias bomb": "a: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(12)),
    "deep": "a: " + "[" * 50_000 + "\n",
    "deep by indentation": "".join(" " * n + "a:\n" for n in range(400)) + " " * 400 + "b\n",
    "a merge key": RULE + "<<: {id: PWR901}\n",
    "a key twice": RULE + "id: PWR901\n",
    "an unknown key": RULE + "python: import os\n",
    "a huge integer": RULE.replace("500", "9" * 5_000),
    "a huge integer of hexadecimal digits": RULE.replace("500", "0x" + "f" * 1_900),
    "a text as id": RULE.replace("PWR900", "../../etc/passwd"),
    "a terminal escape": RULE.replace("name: draw-within-limit", 'name: "\\e]0;owned\\a"'),
    "no clause": RULE.replace(RULE[RULE.index("require:") : RULE.index("fix:")], "require: []\n"),
    "ten thousand clauses": RULE.replace("fix:", "  - {that: node.x > 0, message: none}\n" * 10_000 + "fix:"),
    "a very long line": with_that("node.allowance_w <= 500 or " + "not " * 600_000 + "node.is_racked"),
    "too large": "#" * 3_000_000,
    "UTF-16": None,
    "bytes": None,
}
_BYTES = {"UTF-16": RULE.encode("utf-16"), "bytes": bytes(range(256)) * 10}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pwr/PWR900-x.yaml"
    path.parent.mkdir()
    text = FILES[name]
    path.write_bytes(_BYTES[name] if text is None else text.encode())
    ruleset, findings = read(tmp_path, {"pwr/PWR899-good.yaml": GOOD})
    assert [rule.id for rule in ruleset.rules] == ["PWR899"]
    assert findings
    print_findings(findings[:3])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) < 1_000


# What the checks of units and types do not refuse, but what multiplies: the evaluation must be bounded.
COSTLY = [
    "all(all(all(a.count + b.count + c.count > 0 for a in order.nodes) for b in order.nodes) for c in order.nodes)",
    "sum(sum(sum(a.count * b.count * c.count for a in order.nodes) for b in order.nodes) for c in order.nodes) > 0",
    "any(any(count(c for c in order.nodes if c.count > b.count) > a.count for b in order.nodes) for a in order.nodes)",
    "max(max(sum(sorted(c.count for c in order.nodes)) for b in order.nodes) for a in order.nodes) > 0",
    "all(a.id in sorted(b.id for b in order.nodes if b.id in sorted(c.id for c in order.nodes)) for a in order.nodes)",
]

_SCRIPT = """
import resource, sys
from pathlib import Path
sys.path.insert(0, {root!r})
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from rackwright.quantities import Book
from rackwright.rules.evaluate import Engine
from rackwright.rules.model import Policy
from tests.rules.builders import Witness, read
ruleset, findings = read(Path({folder!r}), {{}})
assert not findings, findings
nodes = [{{"id": f"n{{i}}", "count": 1}} for i in range(500)]
order = {{"id": "order", "nodes": nodes}}
engine = Engine(ruleset.rules, {{"order": "order"}}, Policy("p", {{}}))
found = engine.run({{"order": [order]}}, Book((), {{}}), Witness())
print([item.code for item in found.findings], [verdict.outcome.value for verdict in found.verdicts])
"""


@pytest.mark.parametrize("that", COSTLY)
def test_rules_that_multiply_long_lists(tmp_path: Path, that: str) -> None:
    """In a process of its own with bounded memory and time; unbounded, these take minutes and gigabytes."""
    (tmp_path / "rck").mkdir()
    text = with_that(that).replace("for_each: node", "for_each: order").replace("{node.allowance_w}", "too much")
    (tmp_path / "rck/RCK900-x.yaml").write_text(text, encoding="utf-8")
    root = str(Path(__file__).resolve().parents[2])
    script = _SCRIPT.format(root=root, folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "['SYS001'] []\n", done.stderr
