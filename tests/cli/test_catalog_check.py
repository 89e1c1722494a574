"""`rackwright catalog check`: what each file is told, which files it is about, formats, the hook and the pipeline."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.cli.conftest import Call

from rackwright.parts import PART_KINDS

ROOT = Path(__file__).resolve().parents[2]
PSU = """\
kind: psu
id: acme/{name}
title: Acme {name}
maker: Acme
mpn: [{mpn}]
output_w: {output}
output: [{{voltage_min_v: 200, voltage_max_v: 240, output_w: 2000}}]
sources: {{sheet: {{doc: Acme datasheet}}}}
evidence: {{"*": {{source: sheet, grade: vendor}}}}
{more}"""


def write(
    name: str, folder: str = "ours", kind: str = "psu", output: int = 2000, mpn: str = "", more: str = ""
) -> Path:
    place = Path(folder) / kind / "acme" / f"{name}.yaml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(PSU.format(name=name, output=output, mpn=mpn or f"N-{name}", more=more))
    return place


def git(*words: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True).stdout.strip()


def commit() -> str:
    git("add", "-A")
    git("commit", "-qm", "x")
    return git("rev-parse", "HEAD")


def codes(text: str) -> list[tuple[str, str]]:
    """The codes of a text report with their places."""
    return re.findall(r"^(?:error|warning|advice) (\w+).*\n.*\n\s+--> (\S+)", text, re.MULTILINE)


def test_a_file_that_is_well(rackwright: Call) -> None:
    done = rackwright("catalog", "check", write("a"))
    assert (done.code, done.out) == (0, "1 parts, 0 findings\n")


def test_only_the_files_that_were_named_are_told(rackwright: Call) -> None:
    write("a", output=1000)
    done = rackwright("catalog", "check", write("b"), "--alone")
    assert (done.code, done.out) == (0, "1 parts, 0 findings\n")
    done = rackwright("catalog", "check", "ours/psu", "--alone")
    assert (done.code, codes(done.out)) == (1, [("CAT031", "ours/psu/acme/a.yaml:7:61")])
    assert "output.0.output_w is 2 000 W, more than the rated output_w of 1 000 W" in done.out
    assert "fix: compare both with the source and correct the wrong one" in done.out


def test_a_path_that_is_not_there(rackwright: Call) -> None:
    done = rackwright("catalog", "check", "nowhere.yaml")
    assert (done.code, done.err) == (
        2,
        "rackwright: there is nothing to check at nowhere.yaml: name a part file or a folder of them\n",
    )


def test_a_catalog_folder_that_is_not_there(rackwright: Call) -> None:
    assert rackwright("catalog", "check", "--catalog", "nowhere").code == 2


@pytest.mark.parametrize(
    ("more", "code", "message", "fix"),
    [
        ("aliases: [acme/b]\n", "CAT013", "the alias acme/b is taken: acme/b has it", "an old id stays"),
        ("wieght_kg: 1\n", "CAT002", "wieght_kg is not a key of the file", "did you mean weight_kg?"),
        (
            "inlet: C21\n",
            "CAT002",
            'inlet: the text "C21" is none of the allowed values',
            "write one of: C14, C16, C20, C22",
        ),
        ("lifecycle: {replaced_by: acme/c}\n", "CAT010", "lifecycle.replaced_by names acme/c", "did you mean acme/"),
    ],
)
def test_a_finding_says_what_to_write(more: str, code: str, message: str, fix: str, rackwright: Call) -> None:
    write("b")
    done = rackwright("catalog", "check", write("a", more=more), "--alone")
    assert done.code == 1
    assert [found for found, _ in codes(done.out)] == [code]
    assert message in done.out
    assert f"fix: {fix}" in done.out


@pytest.mark.parametrize(
    ("old", "new", "message", "fix"),
    [
        ("kind: psu", "Kind: PSU", "'Kind' is not a key of the file: keys are in small letters",
         "write kind: psu; the kinds are cable,"),
        ("kind: psu", "kind: PSU", "'PSU' is not a kind of part", "write kind: psu; the kinds are cable,"),
        ("kind: psu\n", "", "the file does not say what kind of part it is", "write kind: psu; the kinds are cable,"),
        ("id: acme/a", "id: Acme A", 'id: the text "Acme A" has not the right form',
         "write id: acme/a, as the file is named"),
        ("source: sheet", "source: sheeet", "the evidence of * names the source 'sheeet', which is not under sources",
         "did you mean sheet? Sources are sheet"),
        ('"*": {source: sheet, grade: vendor}', "", "output_w has no evidence",
         "add under evidence: output_w: {source: NAME, grade: vendor}, or '*' for the whole file"),
    ],
)  # fmt: skip
def test_the_head_of_a_part_file(old: str, new: str, message: str, fix: str, rackwright: Call) -> None:
    place = write("a")
    place.write_text(place.read_text().replace(old, new))
    done = rackwright("catalog", "check", place, "--alone")
    assert done.code == 1
    assert message in done.out
    assert f"fix: {fix}" in done.out


def test_a_constraint_that_judges_otherwise_than_its_cases_say(rackwright: Call) -> None:
    rule = "constraints: [{id: few, require: node.count <= 4, source: {id: sheet}, tests: [%s]}]\n"
    case = "{name: five, given: {node: {count: 5}}, expect: pass}"
    done = rackwright("catalog", "check", write("a", more=rule % case), "--alone")
    assert [code for code, _ in codes(done.out)] == ["RUL020"]
    assert "case five of acme/a#few: gives fail, not pass" in done.out
    done = rackwright("catalog", "check", write("a", more=rule % ""), "--alone")
    assert (done.code, [code for code, _ in codes(done.out)]) == (0, ["RUL023"])


def test_the_constraints_of_a_whole_catalog_folder(rackwright: Call) -> None:
    rule = "constraints: [{id: few, require: node.count <= 4, source: {id: sheet}}]\n"
    write("a", more=rule)
    write("b", more=rule)
    for folder in ("ours", "ours/psu", "ours/psu/acme"):
        done = rackwright("rules", "check", folder)
        assert done.out.endswith("2 rules, 0 cases, 2 findings\n")


def test_a_part_number_that_another_part_has(rackwright: Call) -> None:
    write("a", mpn="N-1")
    done = rackwright("catalog", "check", write("b", mpn="N-1"), "--alone")
    assert (done.code, codes(done.out)) == (0, [("CAT011", "ours/psu/acme/b.yaml:5:7")])


def test_an_id_that_two_kinds_share(rackwright: Call) -> None:
    write("a")
    rack = Path("ours/rack/acme/a.yaml")
    rack.parent.mkdir(parents=True)
    rack.write_text("kind: rack\nid: acme/a\ntitle: Rack\nmaker: Acme\nsources: {}\nevidence: {}\n")
    done = rackwright("catalog", "check", "ours", "--alone")
    assert codes(done.out) == [("CAT012", "ours/rack/acme/a.yaml:1:1")]


def test_a_file_with_another_suffix_is_told(rackwright: Call) -> None:
    write("a").rename("ours/psu/acme/a.yml")
    done = rackwright("catalog", "check", "ours", "--alone")
    assert (done.code, codes(done.out)) == (1, [("CAT009", "ours/psu/acme/a.yml:1:1")])
    assert "fix: rename it to psu/acme/a.yaml" in done.out


def test_evidence_of_a_field_that_is_not_there(rackwright: Call) -> None:
    place = write("a")
    place.write_text(place.read_text().replace('"*"', 'output_v: {source: sheet, grade: vendor}, "*"'))
    done = rackwright("catalog", "check", place, "--alone")
    assert (done.code, codes(done.out)) == (0, [("CAT008", "ours/psu/acme/a.yaml:9:22")])
    assert "fix: did you mean output_w?" in done.out


def test_two_sources_that_disagree_are_shown(rackwright: Call) -> None:
    place = write("a")
    other = "output_w: {source: sheet, grade: vendor, others: [{source: letter, value: 2100}]}"
    text = (
        place.read_text().replace('"*"', f'{other}, "*"').replace("datasheet}", "datasheet}, letter: {doc: A letter}")
    )
    place.write_text(text)
    done = rackwright("catalog", "check", place, "--alone")
    assert (done.code, codes(done.out)) == (0, [("CAT020", "ours/psu/acme/a.yaml:9:62")])
    assert "output_w is 2 000 W; A letter has 2 100 W" in done.out


def test_changes_since_a_revision(rackwright: Call) -> None:
    git("init", "-q", ".")
    write("old", output=1000)
    write("kept")
    write("gone", more="")
    write("user", more="lifecycle: {replaced_by: acme/gone}\n")
    start = commit()
    assert rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start).code == 0
    write("new", output=900)
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start)
    assert codes(done.out) == [("CAT031", "ours/psu/acme/new.yaml:7:61")]
    Path("ours/psu/acme/new.yaml").unlink()
    Path("ours/psu/acme/gone.yaml").unlink()
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start)
    assert codes(done.out) == [
        ("CAT014", "ours/psu/acme/gone.yaml:1:1"),  # the id was there
        ("CAT010", "ours/psu/acme/user.yaml:10:26"),  # and this file, which nobody touched, names it
    ]
    write("next", more="aliases: [acme/gone]\n")
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start)
    assert (done.code, done.out) == (0, "1 parts, 0 findings\n")


def test_a_file_with_an_error_is_not_gone(rackwright: Call) -> None:
    git("init", "-q", ".")
    write("a", more="aliases: [acme/first]\n")
    start = commit()
    write("a", more="aliases: [acme/first]\nwieght_kg: 2\n")
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start)
    assert codes(done.out) == [("CAT002", "ours/psu/acme/a.yaml:11:1")]


def test_who_names_a_part_with_an_error_is_not_told(rackwright: Call) -> None:
    write("user", more="lifecycle: {replaced_by: acme/a}\n")
    write("other", more="lifecycle: {replaced_by: acme/none}\n")
    write("a", more="wieght_kg: 2\n")
    done = rackwright("catalog", "check", "ours", "--alone")
    assert codes(done.out) == [("CAT002", "ours/psu/acme/a.yaml:10:1"), ("CAT010", "ours/psu/acme/other.yaml:10:26")]


def test_an_alias_is_not_used_again_for_another_part(rackwright: Call) -> None:
    git("init", "-q", ".")
    write("a", more="aliases: [acme/first]\n")
    start = commit()
    write("a")
    write("b", more="aliases: [acme/first]\n")
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", start)
    assert codes(done.out) == [("CAT014", "ours/psu/acme/b.yaml:2:5")]


def test_only_what_changed_on_this_branch_counts(rackwright: Call) -> None:
    git("init", "-q", ".")
    write("a")
    commit()
    git("checkout", "-qb", "work")
    write("b")
    commit()
    git("checkout", "-q", "main")
    write("c", output=1000)
    commit()
    git("checkout", "-q", "work")
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", "main")
    assert (done.code, done.out) == (0, "1 parts, 0 findings\n")


@pytest.mark.parametrize(
    ("revision", "reason"), [("none", "git knows no revision none"), ("--help", "git knows no revision --help")]
)
def test_a_revision_that_there_is_not(revision: str, reason: str, rackwright: Call) -> None:
    git("init", "-q", ".")
    write("a")
    commit()
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", f"--changed-since={revision}")
    assert (done.code, done.err) == (2, f"rackwright: {reason}\n")


def test_outside_of_a_repository(rackwright: Call) -> None:
    write("a")
    done = rackwright("catalog", "check", "--alone", "--catalog", "ours", "--changed-since", "HEAD")
    assert (done.code, done.err) == (2, "rackwright: none of the catalog folders is in a git repository\n")


def test_annotations_of_github(rackwright: Call) -> None:
    done = rackwright("catalog", "check", write("a", output=1000), "--alone", "-f", "github")
    assert (done.code, done.out.splitlines()) == (
        1,
        [
            (
                "::error file=ours/psu/acme/a.yaml,line=7,col=61,title=CAT031::acme/a: output.0.output_w is 2 000 W, "
                "more than the rated output_w of 1 000 W%0Afix: compare both with the source and correct the wrong one"
            ),
            "rackwright: catalog is invalid, 1 findings",
        ],
    )


def test_sarif_and_json(rackwright: Call) -> None:
    place = write("a", output=1000)
    sarif = json.loads(rackwright("catalog", "check", place, "--alone", "-f", "sarif").out)
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["CAT031"]
    where = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "ours/psu/acme/a.yaml"
    report = json.loads(rackwright("catalog", "check", place, "--alone", "-f", "json").out)
    assert (report["status"], [item["code"] for item in report["findings"]]) == ("invalid", ["CAT031"])
    write("a")
    report = json.loads(rackwright("catalog", "check", place, "--alone", "-f", "json").out)
    assert (report["status"], report["findings"]) == ("valid", [])


# The hook and the pipeline that are shipped.


def test_the_hook_checks_the_files_that_it_is_given(rackwright: Call) -> None:
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert hook["language"] == "python"
    good, bad = write("a", folder="catalog"), write("b", folder="catalog", output=1000)
    assert [bool(re.search(hook["files"], str(place))) for place in (good, bad)] == [True, True]
    program, *words = shlex.split(hook["entry"])
    assert program == "rackwright"
    assert rackwright(*words, good).code == 0
    done = rackwright(*words, good, bad)
    assert (done.code, codes(done.out)) == (1, [("CAT031", "catalog/psu/acme/b.yaml:7:61")])


def test_the_hook_knows_all_kinds_and_no_other_files() -> None:
    files = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]["files"]
    assert [kind for kind in PART_KINDS if not re.search(files, f"catalog/{kind}/acme/a.yaml")] == []
    others = ("catalog/schema/gpu.schema.json", "examples/a/configuration.yaml", "rules/pwr/PWR001-x.yaml")
    assert [name for name in others if re.search(files, name)] == []


def test_the_commands_of_the_pipeline_run(rackwright: Call) -> None:
    workflow = yaml.safe_load((ROOT / "docs/ci/github-actions-catalog.yml").read_text())
    steps = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    commands = [line.partition(">")[0] for line in steps if line.startswith("rackwright ")]
    git("init", "-q", ".")
    write("a", folder="catalog")
    commit()
    git("branch", "-q", "origin/main")
    write("b", folder="catalog", output=1000)
    ended = []
    for command in commands:
        words = shlex.split(command.replace("${{ github.base_ref }}", "main"))[1:]
        ended.append((words[1], rackwright(*words).code))
    assert ended == [("check", 1), ("diff", 0), ("check", 1)]
