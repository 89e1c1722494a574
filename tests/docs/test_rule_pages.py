"""The pages on rules, facts and policies are those of the rules: `rackwright rules docs` renews them."""

from __future__ import annotations

from functools import cache

import pytest
from tests.docs.markdown import ROOT

from rackwright.api.rule_pages import pages
from rackwright.readers.rules_dir import read_rules
from rackwright.rules.model import Ruleset


@cache
def ruleset() -> Ruleset:
    return read_rules(ROOT / "rules", "rules", with_cases=True)[0]


@cache
def made() -> dict[str, str]:
    return pages(ruleset())


def test_no_page_is_stale() -> None:
    docs = ROOT / "docs"
    stale = [
        name for name, text in made().items() if not (docs / name).is_file() or (docs / name).read_text("utf-8") != text
    ]
    assert stale == [], "renew them: rackwright rules docs"


def test_no_page_is_left_over() -> None:
    assert {f"rules/{path.name}" for path in (ROOT / "docs/rules").iterdir()} == {
        n for n in made() if n.startswith("rules/")
    }


def test_the_same_rules_give_the_same_pages() -> None:
    assert pages(ruleset()) == made()


def test_the_index_names_every_rule_under_its_family() -> None:
    index = made()["rules/index.md"]
    assert all(
        f"- [{rule.id}]({rule.id}.md) ({rule.severity.value}): {rule.title}\n" in index for rule in ruleset().rules
    )
    assert index.index("## FIT: Form factor") < index.index("[FIT001]") < index.index("## PCI: ")


def test_a_page_has_its_formulas_and_its_own_failing_example() -> None:
    page = made()["rules/PWR003.md"]
    assert (
        "# PWR003: The supplies keep the peak load after the failure that their redundancy promises to survive" in page
    )
    assert "**`psu_domain.draw_peak_w`** (W): " in page
    assert "**`line.draw_max_w`** (W): " in page  # a formula that a formula needs
    assert "Given (one watt over):" in page
    assert (
        "it says: *peak draw 4 801 W exceeds the 4 800 W left after the failure that N+1 promises to survive*" in page
    )


@pytest.mark.parametrize("heading", ["## Why", "## What is checked", "## Fix", "## Example that fails", "## Sources"])
def test_every_page_says(heading: str) -> None:
    assert [name for name, text in made().items() if name[6:9].isupper() and heading not in text] == []


def test_limits_that_are_a_choice_are_on_the_pages_that_use_them() -> None:
    page = made()["rules/PWR017.md"]
    assert "- `psu_headroom_ratio` = 0.1: Share of the supplies' output that should stay free at peak draw" in page


def test_facts_have_unit_and_meaning_and_quantities_are_among_them() -> None:
    facts = made()["facts.md"]
    assert "| `inlet_c` | number | °C | highest air inlet temperature that the site states |" in facts
    assert "| `draw_peak_w` | quantity | W | Sustained draw of one node" in facts


def test_policies_list_defaults_and_what_others_change() -> None:
    policies = made()["policies.md"]
    assert "| `cable_depth_mm` | 100 mm | Space behind a node" in policies
    assert "- `psu_headroom_ratio` = 0.2" in policies[policies.index("## `strict`") :]
    assert "- PWR006: error" in policies[policies.index("## `strict`") :]
