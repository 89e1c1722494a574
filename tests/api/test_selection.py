"""--select and --ignore: by rule, family, alias and constraint; unknown names are errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import api
from rackwright.api.selection import selection
from rackwright.errors import UsageError

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/nvlink-4x-h100/configuration.yaml"


def evaluated(workshop: api.Workshop, select: list[str], ignore: list[str]) -> set[str]:
    chosen = selection(select, ignore, workshop.ruleset, workshop.catalog)
    run, _ = api.validate_file(EXAMPLE, workshop, today="2026-12-01", selection=chosen)
    assert run is not None
    return {verdict.rule for verdict in run.verdicts}


def test_a_family_and_a_rule(workshop: api.Workshop) -> None:
    found = evaluated(workshop, ["NVL002,AIR"], [])
    assert {rule[:3] for rule in found} == {"NVL", "AIR"}
    assert {rule for rule in found if rule.startswith("NVL")} == {"NVL002"}


def test_ignore_is_taken_off_afterwards(workshop: api.Workshop) -> None:
    assert "PWR003" not in (found := evaluated(workshop, ["PWR"], ["PWR003"]))
    assert "PWR002" in found


def test_constraints_of_parts(workshop: api.Workshop) -> None:
    everything = evaluated(workshop, [], [])
    owned = sorted(rule for rule in everything if "#" in rule)
    assert owned
    assert evaluated(workshop, [], ["maker"]) == everything - set(owned)
    assert evaluated(workshop, [owned[0]], []) == {owned[0]}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("NVL02", "--select: there is no rule or family NVL02; did you mean NVL002"),
        ("PWR003,pwr", "--select: there is no rule or family pwr; did you mean PWR"),
        ("nonsense", "--select: there is no rule or family nonsense; `rackwright rules list` shows all rules"),
        ("dell/poweredge-r760xx#x", "--select: there is no rule or family dell/poweredge-r760xx#x; did you mean dell/"),
    ],
)
def test_an_unknown_name_is_an_error(workshop: api.Workshop, names: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        selection([names], [], workshop.ruleset, workshop.catalog)
    assert str(error.value).startswith(message)
