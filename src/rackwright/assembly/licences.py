"""Licences that come with a workload: vGPU editions by the letter of the profiles, render engines by machine."""

from __future__ import annotations

from rackwright.assembly.need import NodeNeed
from rackwright.assembly.stock import Stock
from rackwright.configuration import Extra

# Editions of vGPU software by the letter of a profile. Source: NVIDIA Virtual GPU Software Packaging, Pricing and
# Licensing Guide, terminology: Q with RTX vWS, B with vPC, A with vApps.
_EDITIONS = {"Q": "vws", "B": "vpc", "A": "vapps"}


def choose_licences(need: NodeNeed, stock: Stock) -> tuple[Extra, ...]:
    """Return the licences of the whole order: one for each user at the same time, one for each machine that renders.

    A product or an engine that the catalog does not have is left out; the checks then say what is missing. Software
    that is free needs none.
    """
    workload = need.workload
    if workload is None:
        return ()
    tasks = (workload, *workload.tasks)
    users: dict[str, int] = {}
    for profile in (profile for task in tasks for profile in task.profiles):
        product = _EDITIONS.get(profile.profile[-1])
        if product is not None:
            users[product] = users.get(product, 0) + profile.users
    found = []
    for product, count in sorted(users.items()):
        part = next((part for part in stock.of("licence") if part.get("product") == product), None)
        if part is not None:
            found.append(Extra(part=part.id, count=count))
    engine = next((task.engine.strip().lower().replace(" ", "-") for task in tasks if task.engine), None)
    engines = [part for part in stock.of("licence") if engine is not None and part.get("engine") == engine]
    found += [Extra(part=part.id, count=need.nodes) for part in engines if part.get("metric") == "per-node"]
    return tuple(found)
