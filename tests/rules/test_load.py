"""Errors in rule, quantity and policy files: code, place and words; and how a user sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.cli.common import print_findings

from .builders import RULE, quantities, read, told, with_that

NAME = "pwr/PWR900-draw-within-limit.yaml"


def problems(folder: Path, that: str) -> list[tuple[str, str, str]]:
    ruleset, findings = read(folder, {NAME: with_that(that)})
    assert ruleset.rules == ()  # a rule with an error is not used
    return told(findings)


def test_a_sound_rule_is_read(tmp_path: Path) -> None:
    ruleset, findings = read(tmp_path, {NAME: RULE})
    assert findings == []
    (rule,) = ruleset.rules
    assert (rule.id, rule.family, str(rule.at)) == ("PWR900", "PWR", f"rules/{NAME}:1:5")
    assert str(rule.require[0].at) == f"rules/{NAME}:9:11"


@pytest.mark.parametrize(
    ("that", "code", "column", "message"),
    [
        ("node.allowance_w <= node.count", "RUL013", 31, "node.allowance_w is in W, but node.count is in no unit"),
        (
            "node.allowance_w <= node.input_voltage_v",
            "RUL013",
            31,
            "node.allowance_w is in W, but node.input_voltage_v is in V",
        ),
        ("node.count + node.allowance_w > 0", "RUL013", 24, "node.count is in no unit, but node.allowance_w is in W"),
        ("node.alowance_w <= 500", "RUL014", 16, "node has no field alowance_w"),
        ("gpu.cap_w <= 500", "RUL014", 11, "there is no gpu here; there are node, policy"),
        ("node.gpus[0].part.power.max_kw <= 1", "RUL014", 35, "node.gpus[0].part.power has no field max_kw"),
        ("policy.limit_w >= node.allowance_w", "RUL014", 18, "policy has no field limit_w"),
        ("node.allowance_w", "RUL012", 11, "node.allowance_w is a number in W, not a flag"),
        ("node.redundancy == 1", "RUL012", 30, None),
        ("node.allowance_w <= sum(node.count)", "RUL012", 35, None),
        ("node.__class__ == 1", "RUL011", 11, None),
        ("node.count <=", "RUL010", None, None),
    ],
)
def test_wrong_expressions(tmp_path: Path, that: str, code: str, column: int | None, message: str | None) -> None:
    ((found, place, said),) = problems(tmp_path, that)
    assert found == code
    if column is not None:
        assert place == f"rules/{NAME}:9:{column}"
    if message is not None:
        assert said == message


def test_volts_times_amps_are_watts(tmp_path: Path) -> None:
    _, findings = read(
        tmp_path, {NAME: with_that("node.allowance_w <= sum(p.inlet_a * p.input_voltage_v for p in node.psus)")}
    )
    assert findings == []


def test_did_you_mean(tmp_path: Path) -> None:
    _, findings = read(tmp_path, {NAME: with_that("node.alowance_w <= 500")})
    assert [str(item.fix) for item in findings] == ["did you mean allowance_w?"]


FOLDED = with_that(">-\n      node.allowance_w <= 500\n      and node.cuont > 0")
QUOTED = with_that('"node.cuont > 0"')


@pytest.mark.parametrize(
    ("text", "place", "shown"),
    [
        (with_that("node.cuont > 0"), "9:16", "     9 |   - that: node.cuont > 0\n       |                ^\n"),
        (QUOTED, "9:17", '     9 |   - that: "node.cuont > 0"\n       |                 ^\n'),
        (FOLDED, "11:16", "    11 |       and node.cuont > 0\n       |                ^\n"),
    ],
    ids=["plain", "quoted", "folded"],
)
def test_the_caret_stands_under_the_word(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    place: str,
    shown: str,
) -> None:
    _, findings = read(tmp_path / "rules", {NAME: text})
    assert [str(item.at) for item in findings] == [f"rules/{NAME}:{place}"]
    monkeypatch.chdir(tmp_path)
    print_findings(findings)
    assert shown in capsys.readouterr().out


def test_all_errors_of_all_files_are_found_in_one_go(tmp_path: Path) -> None:
    other = RULE.replace("PWR900", "PWR901").replace("draw-within", "other").replace("severity: error", "severity: bad")
    ruleset, findings = read(
        tmp_path,
        {
            "pwr/PWR899-x.yaml": RULE.replace("PWR900", "PWR899").replace("draw-within", "good"),
            NAME: with_that("node.x > node.y"),
            "pwr/PWR901-x.yaml": other,
            "pwr/PWR902-x.yaml": "id: [",
        },
    )
    assert sorted(item.code for item in findings) == ["CFG003", "RUL002", "RUL014", "RUL014"]
    assert [rule.id for rule in ruleset.rules] == ["PWR899"]


def test_the_message_is_checked_as_the_condition_is(tmp_path: Path) -> None:
    _, findings = read(tmp_path, {NAME: RULE.replace("{node.allowance_w}", "{node.alowance_w + node.count}")})
    assert told(findings) == [("RUL014", f"rules/{NAME}:10:27", "node has no field alowance_w")]


def test_an_unknown_subject(tmp_path: Path) -> None:
    _, findings = read(tmp_path, {NAME: RULE.replace("for_each: node", "for_each: server")})
    assert [(item.code, str(item.message)) for item in findings] == [("RUL006", "'server' is not a subject of rules")]


def test_ids_and_names_are_used_once(tmp_path: Path) -> None:
    _, findings = read(tmp_path, {NAME: RULE, "pwr/PWR900-again.yaml": RULE.replace("name: draw", "name: again")})
    assert [(item.code, str(item.message)) for item in findings] == [("RUL005", "'PWR900' is used by two rules")]
    assert [str(place) for place, _ in findings[0].related] == ["rules/pwr/PWR900-again.yaml:1:5"]


# --- quantities


def test_a_quantity_can_be_used_by_rules_and_quantities(tmp_path: Path) -> None:
    text = quantities(
        ("node.gpus_w", "W", "sum(g.part.power.max_w for g in node.gpus)"), ("node.all_w", "W", "node.gpus_w * 2")
    )
    ruleset, findings = read(tmp_path, {"quantities/power.yaml": text, NAME: with_that("node.all_w <= 500")})
    assert findings == []
    assert [quantity.name for quantity in ruleset.quantities] == ["node.gpus_w", "node.all_w"]


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        (("node.x_w", "A", "node.allowance_w"), "RUL013", "node.x_w is declared in A, but its formula gives W"),
        (("node.x_w", "watt", "node.allowance_w"), "RUL013", "'watt' is not a unit"),
        (("server.x_w", "W", "server.draw_w"), "RUL002", "there is no record 'server' for the quantity server.x_w"),
        (("node.x_w", "W", "node.alowance_w"), "RUL014", "node has no field alowance_w"),
        (
            ("node.x_w", "W", "node.allowance_w + node.count"),
            "RUL013",
            "node.allowance_w is in W, but node.count is in no unit",
        ),
    ],
)
def test_wrong_quantities(tmp_path: Path, entry: tuple[str, str, str], code: str, message: str) -> None:
    ruleset, findings = read(tmp_path, {"quantities/power.yaml": quantities(entry)})
    assert [(item.code, str(item.message)) for item in findings] == [(code, message)]
    assert ruleset.quantities == ()


def test_quantities_that_need_each_other_are_reported_with_the_path(tmp_path: Path) -> None:
    text = quantities(("node.a_w", "W", "node.b_w"), ("node.b_w", "W", "node.c_w"), ("node.c_w", "W", "node.a_w"))
    _, findings = read(tmp_path, {"quantities/power.yaml": text})
    assert [(item.code, str(item.message)) for item in findings] == [
        ("RUL004", "quantities need each other: node.a_w -> node.b_w -> node.c_w -> node.a_w")
    ]


def test_a_quantity_is_defined_once(tmp_path: Path) -> None:
    text = quantities(("node.a_w", "W", "node.allowance_w"), ("node.a_w", "W", "node.allowance_w * 2"))
    _, findings = read(tmp_path, {"quantities/power.yaml": text})
    assert [(item.code, str(item.message)) for item in findings] == [("RUL003", "quantity node.a_w is defined twice")]


# --- policies

DEFAULT = """\
name: default
title: the defaults
parameters:
  limit_w: {value: 500, title: highest draw, source: a choice}
"""


def test_a_policy_changes_the_default(tmp_path: Path) -> None:
    strict = "name: strict\ntitle: strict house\nparameters: {limit_w: 400}\nseverities: {PWR900: warning}\n"
    strict += "ignore: [PWR900]\n"
    files = {
        "policies/default.yaml": DEFAULT,
        "policies/strict.yaml": strict,
        NAME: with_that("node.allowance_w <= policy.limit_w"),
    }
    ruleset, findings = read(tmp_path, files)
    assert findings == []
    policy = ruleset.policies["strict"]
    assert policy.facts == {"limit_w": 400}
    assert policy.parameters["limit_w"].title == "highest draw"
    assert policy.severities["PWR900"] == "warning"
    assert policy.ignore == frozenset({"PWR900"})


def test_an_unknown_parameter_of_a_policy(tmp_path: Path) -> None:
    strict = "name: strict\ntitle: strict house\nparameters: {limits_w: 400}\n"
    _, findings = read(tmp_path, {"policies/default.yaml": DEFAULT, "policies/strict.yaml": strict})
    assert told(findings) == [("CFG030", "rules/policies/strict.yaml:3:24", "there is no policy parameter 'limits_w'")]
    assert str(findings[0].fix).startswith("did you mean limit_w? ")


def test_a_policy_that_names_a_rule_that_does_not_exist_is_told(tmp_path: Path) -> None:
    policy = "name: ours\ntitle: Our limits\nseverities: {PWR901: warning}\nignore: [PWR900]\n"
    _, findings = read(tmp_path, {NAME: RULE, "policies/ours.yaml": policy})
    assert told(findings) == [
        ("RUL007", "rules/policies/ours.yaml:1:1", "the policy ours names the rule PWR901, which does not exist")
    ]
    assert str(findings[0].fix) == "did you mean PWR900?"
