"""0: clean. 1: findings at or above --fail-on. 2: the job could not be done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import SERVER, Call

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("servers", "fail_on", "code"),
    [
        (2, "warning", 0),
        (3, "error", 0),
        (3, "open", 0),
        (3, "warning", 1),
        (6, "error", 1),
        (6, "never", 0),
    ],
)
def test_fail_on(servers: int, fail_on: str, code: int, rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    """The rules warn above 2 servers and fail above 5."""
    (tmp_path / "c.yaml").write_text(SERVER.replace("    mode", f"    count: {servers}\n    mode"))
    assert rackwright("validate", "c.yaml", "--rules", few_rules, "--fail-on", fail_on).code == code


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["none.yaml"], "error CFG001\n  none.yaml does not exist\n  --> none.yaml:1:1\n"),
        (["."], "error CFG001\n  configuration.yaml does not exist\n  --> configuration.yaml:1:1\n"),
        (["/dev/null"], "error CFG001\n  /dev/null is not a plain file\n  --> /dev/null:1:1\n"),
    ],
)
def test_a_configuration_that_cannot_be_opened(arguments: list[str], out: str, rackwright: Call) -> None:
    result = rackwright("validate", *arguments)
    assert result.out.startswith(out)
    assert (result.code, result.err) == (2, "")
    report = json.loads(rackwright("validate", *arguments, "-f", "json").out)
    assert [(item["code"], item["severity"]) for item in report["findings"]] == [("CFG001", "error")]
    assert report["status"] == "invalid"


@pytest.mark.parametrize(
    ("arguments", "err"),
    [
        (["--policy", "nope"], "rackwright: there is no policy nope; there are "),
        (["--catalog", "none"], "error CAT001\n  there is no catalog folder none\n  --> none:1:1\n"),
        (["--rules", "none"], "error RUL001\n  there is no rules folder none\n  --> none:1:1\n"),
        (["--rules", "empty"], "rackwright: there are no rules in empty: nothing would be checked\n"),
        (["--rules", "bad"], "error CFG003\n"),
        (["--select", "PWR9"], "rackwright: --select: there is no rule or family PWR9"),
        (["-o", "c.yaml"], "rackwright: c.yaml is the configuration: it would be replaced\n"),
        (["-o", "none/report.txt"], "rackwright: cannot write none/report.txt: No such file or directory\n"),
    ],
)
def test_options_that_cannot_be_served(arguments: list[str], err: str, rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.yaml").write_text("id: [")
    result = rackwright("validate", "c.yaml", *arguments)
    assert result.err.startswith(err)
    assert (result.code, result.out) == (2, "")
    assert (tmp_path / "c.yaml").read_text() == SERVER


@pytest.mark.parametrize("arguments", [["-f", "xml"], ["--fail-on", "x"], ["--nope"], ["a", "b"], []])
def test_calls_that_make_no_sense(arguments: list[str], rackwright: Call) -> None:
    result = rackwright("validate", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Usage: rackwright validate")


def test_broken_part_files_are_told_and_the_others_used(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "parts" / "gpu" / "us").mkdir(parents=True)
    (tmp_path / "parts" / "gpu" / "us" / "x.yaml").write_text("kind: nothing\n")
    result = rackwright("validate", "c.yaml", "--rules", few_rules, "--catalog", "parts")
    assert result.err.startswith("error CAT003\n  'nothing' is not a kind of part\n  --> parts/gpu/us/x.yaml:1:7\n")
    assert "● VALID" in result.out
    assert result.code == 1


def test_a_date_that_is_no_number(rackwright: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    for text in ("abc", "99999999999999999999", "1e9", "²"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
        result = rackwright("validate", "c.yaml")
        assert result.err == f"rackwright: SOURCE_DATE_EPOCH is {text}, which is no number of seconds since 1970\n"
        assert result.code == 2


def test_a_defect_is_told_in_one_line(rackwright: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    monkeypatch.setattr("rackwright.api.validate_file", lambda *_, **__: 1 // 0)
    result = rackwright("validate", "c.yaml")
    assert result.err.startswith("rackwright: ZeroDivisionError: integer division or modulo by zero (cli/judge.py:")
    assert "This is a defect of rackwright: please report it" in result.err
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    monkeypatch.setenv("RACKWRIGHT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        rackwright("validate", "c.yaml")


def test_links_are_followed_and_loops_told(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "configuration.yaml").write_text(SERVER)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    assert rackwright("validate", "link", "--rules", few_rules).code == 0
    result = rackwright("validate", "loop", "--rules", few_rules)
    assert result.out.startswith("error CFG001\n  loop cannot be read: Too many levels of symbolic links\n")
    assert result.code == 2


def test_the_catalog_commands(rackwright: Call) -> None:
    result = rackwright("catalog", "show", "nvidia/l40z")
    assert result.err == "rackwright: there is no part nvidia/l40z; did you mean nvidia/l40, nvidia/l40s, nvidia/l4?\n"
    assert (result.code, result.out) == (2, "")
    result = rackwright("catalog", "find", "x")
    assert result.err == "rackwright: 'x' is not a condition: write FIELD=VALUE, FIELD>=VALUE …\n"
    assert result.code == 2
    assert rackwright("catalog", "find", "kind=gpu", "id=nvidia/l40s").out == "nvidia/l40s  NVIDIA L40S 48 GB\n"


@pytest.mark.parametrize(
    "name", ["inference-4x-l40s", "broken/mixed-dimms", "broken/unknown-part", "no-such-folder", "prototype-1x"]
)
def test_validate_without_options_says_what_it_says_with_them(rackwright: Call, name: str) -> None:
    """Without options the command does not go through typer."""
    plain = rackwright("validate", str(ROOT / "examples" / name))
    assert plain == rackwright("validate", str(ROOT / "examples" / name), "--fail-on", "error")
    assert plain == rackwright("validate", "--fail-on=error", str(ROOT / "examples" / name))


@pytest.mark.parametrize("words", [("validate", ""), ("validate",), ("validate", "--"), ("validate", "a", "b")])
def test_words_that_are_no_plain_validate_go_through_typer(rackwright: Call, words: tuple[str, ...]) -> None:
    assert rackwright(*words).code == 2
