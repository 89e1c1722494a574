"""Derivations from the verdict down to the catalog figure and the user's line."""

from __future__ import annotations

import pytest

from rackwright import api
from rackwright.api.explain import explain_figure, explain_rule, is_figure, nearest
from rackwright.expression import parse
from rackwright.expression.check import check
from rackwright.facts.basis import BASIS
from rackwright.facts.shapes import shapes
from rackwright.facts.vocabulary import RECORDS


def lines_of(run: api.Run, rule_id: str, at: str | None = None) -> dict[str, list[str]]:
    rule = next(rule for rule in run.rules if rule.id == rule_id)
    return {f"{e.subject} {step.title}": list(step.lines) for e in explain_rule(run, rule, at) for step in e.steps}


def test_both_sides_with_numbers_and_units(pairs: api.Run) -> None:
    clauses = lines_of(pairs, "PWR003")
    assert list(clauses) == ["tune/node applies when", "tune/node clause 1", "tune/node clause 2"]
    assert clauses["tune/node clause 1"][0] == (
        "psu_domain.draw_peak_w <= psu_domain.capacity_after_psu_loss_w: 2 550 W <= 2 800 W is true"
    )


def test_quantities_are_expanded_with_their_title_down_to_the_document(pairs: api.Run) -> None:
    lines = lines_of(pairs, "PWR003")["tune/node clause 1"]
    start = lines.index("  psu_domain.draw_peak_w = 2 x 350 W + 4 x 350 W + 450 W = 2 550 W")
    assert lines[start + 1].startswith("    · psu_domain.draw_peak_w: Sustained draw of what the supplies")
    assert lines[start + 1].endswith("]")
    assert "rules/quantities/power.yaml:" in lines[start + 1]
    assert "    tune/node loads[2].count = 4 (configuration.yaml:14)" in lines
    gpu = next(line for line in lines if line.startswith("      nvidia/h100-pcie-80gb power.max_w = 350 W ("))
    assert "PB-11133-001_v02, p. 1" in gpu
    assert gpu.endswith("grade vendor)")


def test_the_users_own_figures_name_their_line(pairs: api.Run) -> None:
    lines = lines_of(pairs, "PWR003")["tune/node clause 1"]
    assert "    tune allowance_w = 450 W (configuration.yaml:10)" in lines
    assert "    tune/node redundancy = 1+1 (configuration.yaml:9)" in lines
    assert "  site inlet_c = 24 °C (configuration.yaml:3)" in lines_of(pairs, "AIR001")["tune must hold"]


def test_a_computed_fact_says_what_it_is_and_what_it_rests_on(pairs: api.Run) -> None:
    lines = lines_of(pairs, "PWR003")["tune/node clause 1"]
    start = lines.index("  tune/node capacity_after_psu_loss_w = 2 800 W")
    assert lines[start + 1] == (
        "    · psu_domain.capacity_after_psu_loss_w: output left when the promised number of supplies has failed"
    )
    assert any("dell/psu-2800w-titanium output[" in line and "2 800 W (" in line for line in lines[start:])


def test_a_policy_parameter_has_its_meaning_and_source(pairs: api.Run) -> None:
    lines = lines_of(pairs, "PWR017")["tune/node must hold"]
    start = lines.index("    policy.psu_headroom_ratio = 0.1 (policy default)")
    assert lines[start + 1].startswith(
        "      · Share of the supplies' output that should stay free at peak draw; Choice"
    )


def test_verdict_and_missing_facts(pairs: api.Run) -> None:
    rule = next(rule for rule in pairs.rules if rule.id == "AIR001")
    (explained,) = explain_rule(pairs, rule)
    assert explained.verdict is not None
    assert explained.verdict.outcome == "unknown"
    assert [str(item) for item in explained.verdict.missing] == ["inlet.max_c of dell/poweredge-r760xa"]


@pytest.mark.parametrize(("at", "count"), [(None, 4), ("tune", 4), ("tune/gpu2", 1), ("tun", 0), ("other", 0)])
def test_at_picks_subjects(pairs: api.Run, at: str | None, count: int) -> None:
    rule = next(rule for rule in pairs.rules if rule.id == "FIT014")
    assert rule.for_each == "gpu"
    assert len(explain_rule(pairs, rule, at)) == count


def test_a_figure_on_every_record_that_has_it(pairs: api.Run) -> None:
    (node,) = explain_figure(pairs, "node.draw_peak_w")
    assert node.steps[0].lines[0] == "node.draw_peak_w: 2 550 W"
    drawn = {e.subject: e.steps[0].lines[0] for e in explain_figure(pairs, "line.draw_max_w")}
    assert drawn["tune lines[2] (nvidia/h100-pcie-80gb)"] == "line.draw_max_w: 350 W"


def test_plain_facts_can_be_explained(pairs: api.Run) -> None:
    (found,) = explain_figure(pairs, "node.redundancy")
    assert found.steps[0].lines == ("node.redundancy: 1+1", "  tune redundancy = 1+1 (configuration.yaml:9)")


@pytest.mark.parametrize(
    ("name", "known"),
    [("node.draw_peak_w", True), ("gpu.cap_w", True), ("node.draw", False), ("server.x", False), ("PWR003", False)],
)
def test_is_figure(pairs: api.Run, name: str, known: bool) -> None:
    assert is_figure(pairs, name) is known


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("pwr3", "PWR003"),
        ("PWR-003", "PWR003"),
        ("psu-failure-survive", "PWR003"),
        ("node.draw_peek_w", "node.draw_peak_w"),
    ],
)
def test_nearest_names(pairs: api.Run, name: str, first: str) -> None:
    assert nearest(pairs, name)[0] == first


def test_nothing_is_near_nonsense(pairs: api.Run) -> None:
    assert nearest(pairs, "zzzzzzzzzz") == []


@pytest.mark.parametrize("name", BASIS)
def test_what_computed_facts_rest_on_fits_the_facts_model(name: str) -> None:
    record, field = name.split(".")
    assert field in RECORDS[record]
    model = shapes()
    for text in BASIS[name]:
        expression, findings = parse(text)
        assert findings == []
        assert expression is not None
        assert check(expression, {record: model[record]})[1] == []
