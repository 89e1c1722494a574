"""quote, bom, proposal, new: what is written, and what is not."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from rackwright import api

from .conftest import SERVER, Call

FAILS = SERVER.replace("    mode", "    count: 6\n    mode")  # few_rules: 5 servers at most
REFUSED = "no documents were written: there are errors (--draft writes them all the same)\n"


@pytest.fixture
def makes(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Stand in for the making of documents, which takes seconds; the list holds how it was asked for."""
    calls: list[dict[str, Any]] = []

    def make(run: api.Run, bill: object, date: str, **options: Any) -> api.Documents:
        options["progress"]("x")
        calls.append({"date": date, **{key: options[key] for key in ("language", "names", "is_draft")}})
        return api.Documents({name: name.encode() for name in options["names"]}, ())

    monkeypatch.setattr(api, "make_documents", make)
    return calls


def left(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_quote_writes_three_documents(
    makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    result = rackwright("quote", "c.yaml", "-o", "a/b", "-q", "--rules", few_rules)
    assert result.out == (
        "valid: No check failed, 2 passed. Warnings: 0.\na/b/bom.xlsx\na/b/proposal.pdf\na/b/report.json\n"
    )
    assert (result.code, result.err) == (0, "making x …\n")
    assert left(tmp_path / "a") == {
        name: name[2:].encode() for name in ("b/bom.xlsx", "b/proposal.pdf", "b/report.json")
    }
    assert makes == [{"date": "2026-12-01", "language": "en", "names": api.QUOTE, "is_draft": False}]


@pytest.mark.parametrize("command", ["quote", "bom", "proposal"])
@pytest.mark.parametrize("fail_on", ["error", "never"])
def test_an_invalid_configuration_writes_nothing(
    command: str, fail_on: str, makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(FAILS)
    result = rackwright(command, "c.yaml", "--rules", few_rules, "--fail-on", fail_on)
    assert (result.code, result.err, makes) == (1, REFUSED, [])
    assert left(tmp_path) == {"c.yaml": FAILS.encode()}


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("quote", ["bom.xlsx", "proposal.pdf", "report.json"]),
        ("bom", ["bom.xlsx"]),
        ("proposal", ["proposal.pdf"]),
    ],
)
def test_a_draft_is_written_all_the_same(
    command: str, written: list[str], makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(FAILS)
    result = rackwright(command, "c.yaml", "--rules", few_rules, "--draft")
    assert (result.code, result.out.splitlines()[-len(written) :]) == (1, written)
    assert [call["is_draft"] for call in makes] == [True]
    assert sorted(left(tmp_path)) == sorted([*written, "c.yaml"])


def test_errors_in_a_price_list_stop_the_documents_too(
    makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "p.csv").write_text("part,unit_price,currency\nnvidia/l40s,much,EUR\n")
    result = rackwright("quote", "c.yaml", "-q", "--prices", "p.csv", "--rules", few_rules)
    assert result.err.startswith("error BOM094\n  unit_price is 'much'\n  --> p.csv:2:1\n")
    assert result.err.endswith(REFUSED)
    assert (result.code, makes) == (1, [])
    assert rackwright("quote", "c.yaml", "-q", "--prices", "none.csv", "--rules", few_rules).code == 2


def test_a_price_list_outside_the_folder_is_refused(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "p.csv").write_text("part,unit_price,currency\n")
    (tmp_path / "in" / "link.csv").symlink_to(tmp_path / "p.csv")
    for name, told in (
        ("../p.csv", 'the path "../p.csv" leads out of the folder'),
        ("/etc/passwd", 'the path "/etc/passwd" is absolute'),
        ("link.csv", 'the path "link.csv" is a link that leads out of the folder'),
    ):
        (tmp_path / "in" / "c.yaml").write_text(SERVER.replace("  title: Test\n", f"  prices: [{name}]\n"))
        result = rackwright("validate", "in/c.yaml", "--rules", few_rules)
        assert result.err.startswith(f"error CFG008\n  {told}\n  --> in/c.yaml:2:12\n")
        assert result.code == 1


def test_one_document_to_a_file_or_a_folder(
    makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "there").mkdir()
    rules = ("--rules", few_rules)
    assert rackwright("bom", "c.yaml", "-f", "csv", "-o", "new/list.csv", *rules).out.endswith("\nnew/list.csv\n")
    assert rackwright("proposal", "c.yaml", "-o", "there", "--language", "de", *rules).code == 0
    assert sorted(left(tmp_path)) == ["c.yaml", "new/list.csv", "there/proposal.pdf"]
    assert [(call["names"], call["language"]) for call in makes] == [(("bom.csv",), "en"), (("proposal.pdf",), "de")]
    result = rackwright("bom", "c.yaml", "-o", "list.pdf", *rules)
    assert (result.code, result.err) == (2, "rackwright: list.pdf is not the name of a .xlsx file\n")
    result = rackwright("proposal", "c.yaml", "--language", "fr", *rules)
    assert (result.code, result.err) == (2, "rackwright: there is no language 'fr'; there are en, de\n")


def test_a_bill_in_csv(rackwright: Call, tmp_path: Path, few_rules: Path) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    assert rackwright("bom", "c.yaml", "-f", "csv", "--rules", few_rules).code == 0
    lines = (tmp_path / "bom.csv").read_text().splitlines()
    assert [line.split(",")[7] for line in lines if "NVIDIA L40S 48 GB" in line] == ["nvidia/l40s"]


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("c.yaml", "cannot write to c.yaml: it is no folder"),
        ("c.yaml/x", "cannot write to c.yaml/x: Not a directory"),
        ("taken", "cannot write taken/report.json: a folder of this name is there"),
    ],
)
def test_a_folder_that_cannot_be_written(
    folder: str, told: str, makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "taken" / "report.json").mkdir(parents=True)
    result = rackwright("quote", "c.yaml", "-q", "-o", folder, "--rules", few_rules)
    assert (result.code, result.err) == (2, f"making x …\nrackwright: {told}\n")
    assert left(tmp_path) == {"c.yaml": SERVER.encode()}


@pytest.mark.parametrize("how", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_disk_that_fills_up_or_an_interrupt_leaves_what_was_there(
    how: BaseException, makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (tmp_path / "c.yaml").write_text(SERVER)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "bom.xlsx").write_text("old")
    synced: list[int] = []

    def full(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) % 2 == 0:  # the second document of each quote
            raise how

    monkeypatch.setattr(os, "fsync", full)
    for folder in ("old", "new/deep"):
        result = rackwright("quote", "c.yaml", "-q", "-o", folder, "--rules", few_rules)
        assert result.code == (2 if isinstance(how, OSError) else 130)
        assert "Traceback" not in result.err
    assert left(tmp_path) == {"c.yaml": SERVER.encode(), "old/bom.xlsx": b"old"}
    assert not (tmp_path / "new").exists()


def test_the_configuration_is_never_replaced(
    makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "report.json").write_text(SERVER)
    (tmp_path / "link.csv").symlink_to("report.json")
    told = "rackwright: {} is the configuration: it would be replaced\n"
    result = rackwright("quote", "report.json", "-q", "--rules", few_rules)
    assert (result.code, result.err) == (2, told.format("report.json"))
    result = rackwright("bom", "report.json", "-f", "csv", "-o", "link.csv", "--rules", few_rules)
    assert (result.code, result.err) == (2, told.format("link.csv"))
    assert makes == []


def test_an_unreadable_configuration_is_no_draft(rackwright: Call, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("nodes: [")
    result = rackwright("quote", "c.yaml", "--draft")
    assert result.out.startswith("error CFG003\n")
    assert (result.code, result.err) == (1, "no documents were written: there are errors\n")
    assert rackwright("bom", "none.yaml").code == 2


def test_new_writes_a_configuration_without_errors(rackwright: Call, tmp_path: Path) -> None:
    result = rackwright("new", "sub")
    assert result.out == "sub/configuration.yaml\nnext: rackwright validate sub\n"
    assert (result.code, result.err) == (0, "")
    assert rackwright("validate", "sub", "--fail-on", "error").code == 0
    text = (tmp_path / "sub" / "configuration.yaml").read_text()
    again = rackwright("new", "sub")
    assert (again.code, again.err) == (2, "rackwright: sub/configuration.yaml is there already\n")
    assert (tmp_path / "sub" / "configuration.yaml").read_text() == text
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "configuration.yaml").symlink_to("nowhere")
    assert rackwright("new", "link").code == 2
    assert not (tmp_path / "link" / "nowhere").exists()


def test_what_the_new_configuration_only_mentions_is_right_too(rackwright: Call, tmp_path: Path) -> None:
    """Its commented lines are keys of a configuration as well."""
    rackwright("new")
    path = tmp_path / "configuration.yaml"
    text = path.read_text()
    head, _, rest = text.partition("\nquote:")
    for line in ("number:", "customer:", "issuer:", "date:", "prices:"):
        rest = rest.replace(f"# {line}", line)
    rest = rest.replace("# waivers:", "waivers:").replace("#   - {rule", "  - {rule")
    path.write_text(f"{head}\nquote:{rest}")
    (tmp_path / "prices.csv").write_text("part,unit_price,currency\nnvidia/l40s,8000,EUR\n")
    result = rackwright("validate", ".")
    assert result.code == 0
    assert "warning BOM097" in result.err  # one part has a price, the others have none
    assert "configuration.yaml · Q-0001 · GPU server\n" in result.out


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("csv", ("bom.csv",)),
        ("cyclonedx", ("bom.cdx.json",)),
        ("cyclonedx-1.7", ("bom-1.7.cdx.json",)),
        ("ubl", ("quotation.xml",)),
        ("netbox", ("netbox-device-types.yaml", "netbox-module-types.yaml")),
    ],
)
def test_the_bill_for_other_programs(
    wanted: str,
    names: tuple[str, ...],
    makes: list[dict[str, Any]],
    rackwright: Call,
    tmp_path: Path,
    few_rules: Path,
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    assert (
        rackwright("bom", "c.yaml", "-f", wanted, "-o", "x/y" if len(names) > 1 else ".", "--rules", few_rules).code
        == 0
    )
    assert [call["names"] for call in makes] == [names]
    assert {path.name for path in tmp_path.rglob("*.*") if path.name != "c.yaml"} == set(names)


def test_a_quote_takes_further_formats_and_each_file_once(
    makes: list[dict[str, Any]], rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    result = rackwright("quote", "c.yaml", "-f", "ubl", "-f", "xlsx", "-f", "netbox", "--rules", few_rules)
    assert result.code == 0
    assert [call["names"] for call in makes] == [
        (*api.QUOTE, "quotation.xml", "netbox-device-types.yaml", "netbox-module-types.yaml")
    ]


def test_a_quotation_without_all_prices_is_refused_and_nothing_is_written(
    rackwright: Call, tmp_path: Path, few_rules: Path
) -> None:
    (tmp_path / "c.yaml").write_text(SERVER)
    result = rackwright("bom", "c.yaml", "-f", "ubl", "--rules", few_rules)
    assert result.code == 2
    assert "no UBL quotation was made: it has to state a total; 5 of 5 lines have no price" in result.err
    assert left(tmp_path) == {"c.yaml": SERVER.encode()}
