"""A search for slots that was not finished: the run is open, and nothing is judged on the slots that it had found."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import api
from rackwright.placement import cards
from rackwright.placement.problem import Problem, Solution
from rackwright.placement.search import Solved, solve
from rackwright.verdict import Outcome, Status

OVERFULL = """
nodes:
  - id: n
    chassis: supermicro/as-4125gs-tnrt
    parts:
      - {part: nvidia/l40s, count: 11}
"""


@pytest.fixture
def unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    def given_up(problem: Problem, solved: Solved | None = None) -> Solution:
        found = solve(problem, solved)
        return Solution(found.slots, found.cost, False, found.nodes)

    monkeypatch.setattr(cards, "solve", given_up)


def run_of(folder: Path, text: str) -> api.Run:
    path = folder / "configuration.yaml"
    path.write_text(text)
    run, _ = api.validate_file(path, api.load_workshop())
    assert run is not None
    return run


@pytest.mark.usefixtures("unfinished")
def test_what_might_fit_after_all_is_unknown_not_failed(tmp_path: Path) -> None:
    run = run_of(tmp_path, OVERFULL)
    told = {verdict.outcome for verdict in run.verdicts if verdict.rule == "FIT001"}
    missing = {str(item) for verdict in run.verdicts if verdict.rule == "FIT001" for item in verdict.missing}
    assert told == {Outcome.UNKNOWN}
    assert any("slots_of_cards" in item for item in missing)


def test_the_same_with_a_finished_search_fails(tmp_path: Path) -> None:
    run = run_of(tmp_path, OVERFULL)
    told = [verdict.outcome for verdict in run.verdicts if verdict.rule == "FIT001"]
    assert (told.count(Outcome.FAIL), run.status) == (1, Status.INVALID)


@pytest.mark.usefixtures("unfinished")
def test_an_unfinished_search_that_found_a_place_for_all_is_as_good_as_any_verdict(tmp_path: Path) -> None:
    run = run_of(tmp_path, OVERFULL.replace("11", "8"))
    assert {verdict.outcome for verdict in run.verdicts if verdict.rule == "FIT001"} == {Outcome.PASS}
