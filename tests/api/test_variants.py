"""Nodes from the shipped catalog: complete, judged by all rules, and mended by what the makers' rules ask for."""

from __future__ import annotations

from rackwright import api
from rackwright.api.variants import Attempt, Builder
from rackwright.assembly import Adapters, NodeNeed
from rackwright.configuration import Site
from rackwright.verdict import Outcome, Status

SITE = Site(region="eu", country="DE", inlet_c=25, altitude_m=110, voltage_v=230, is_data_centre=True)


def built(workshop: api.Workshop, gpu: str, count: int, *only: str) -> Attempt:
    part = workshop.catalog.find(gpu)
    assert part is not None
    memory_gb = max(2 * part.get("memory.capacity_gb") * count, 128 * count)
    cores, clock = 7 * count, 2.0 if count > 2 else 0.0
    need = NodeNeed(
        "n", "node", part, count, 1, None, SITE, memory_gb, cores, clock, 1000, (Adapters(1, 2, 25),), 1, 0.3, 300, 0.1
    )  # fmt: skip
    attempt = Builder(workshop, only=only).build(need)
    assert attempt is not None
    return attempt


def counts(attempt: Attempt) -> dict[str, int]:
    return {line.part: line.count for line in attempt.assembled.node.parts}


def test_a_node_whose_maker_states_everything_is_valid(workshop: api.Workshop) -> None:
    attempt = built(workshop, "nvidia/l4", 4, "hpe/ml350-gen12")
    assert (attempt.run.status, attempt.assembled.lacking) == (Status.VALID, ())
    assert counts(attempt)["nvidia/l4"] == 4


def test_parts_that_the_makers_rules_add_come_along(workshop: api.Workshop) -> None:
    # heatsinks by the power of the processors, the fan kit for L4 cards, the one for a second processor
    found = counts(built(workshop, "nvidia/l4", 4, "hpe/ml350-gen12"))
    assert (found["hpe/p72358-b21"], found["hpe/p47220-b21"], found["hpe/p47902-b21"]) == (2, 1, 1)


def test_one_of_several_parts_that_a_rule_names_is_found(workshop: api.Workshop) -> None:
    found = counts(built(workshop, "nvidia/l4", 4, "hpe/ml350-gen12"))
    tracking = ("hpe/p79552-b21", "hpe/p79555-b21", "hpe/p79558-b21")
    assert sum(found.get(part, 0) for part in tracking) == 1


def test_the_mode_that_a_rule_names_is_built(workshop: api.Workshop) -> None:
    attempt = built(workshop, "nvidia/b200-sxm6-180gb", 8, "lenovo/thinksystem-sr680a-v3")
    assert attempt.assembled.node.mode == "b200"


def test_another_chassis_is_tried_where_the_supplies_of_the_first_do_not_suffice(workshop: api.Workshop) -> None:
    # four 2 700 W supplies as 2+2 carry 5 400 W; eight H200 NVL draw 4 800 W, processors and allowance 2 000 W more
    refused = built(workshop, "nvidia/h200-nvl-141gb", 8, "supermicro/sys-521ge-tnrt")
    assert refused.run.status is Status.INVALID
    assert "PWR003" in {v.rule for v in refused.run.verdicts if v.outcome is Outcome.FAIL}
    assert built(workshop, "nvidia/h200-nvl-141gb", 8).run.status is Status.OPEN


def test_the_same_need_gives_the_same_node(workshop: api.Workshop) -> None:
    first, second = (built(workshop, "nvidia/l40s", 2).assembled.node for _ in range(2))
    assert first == second


def test_nothing_is_built_where_no_chassis_carries_the_modules(workshop: api.Workshop) -> None:
    part = workshop.catalog.find("nvidia/h100-sxm5-80gb")
    assert part is not None
    need = NodeNeed("n", "node", part, 1, 1, None, SITE, 256, 8, 0.0, 100, (), 1, 0.3, 300, 0.1)
    assert Builder(workshop).build(need) is None
