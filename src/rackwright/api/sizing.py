"""From a workload to nodes that could be ordered: sized, assembled, judged by all rules, priced, best first."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rackwright.api.documents import priced
from rackwright.api.runs import Run, Workshop, policy_for
from rackwright.api.variants import Attempt, Builder
from rackwright.assembly.host_need import need_of
from rackwright.configuration import Configuration, ConfigurationFile, SizingFile
from rackwright.diagnostic import Finding
from rackwright.frozen import frozen
from rackwright.pricing import PricedBom
from rackwright.sizing import Option, Sizing, size
from rackwright.source import Grade, weakest
from rackwright.verdict import Status
from rackwright.workloads.verdicts import Fit

Progress = Callable[[str], None]
# How many GPUs are followed to a complete node where the user does not ask for all.
VARIANTS = 6
_JOULE_PER_KWH = 3.6e6


@frozen
class Variant:
    """An option as a complete node. `attempt` None: no chassis of the catalog carries these GPUs."""

    option: Option
    attempt: Attempt | None
    bill: PricedBom | None = None

    @property
    def run(self) -> Run | None:
        """The validated configuration."""
        return self.attempt.run if self.attempt is not None else None

    @property
    def status(self) -> Status | None:
        """The verdict on the configuration."""
        return self.run.status if self.run is not None else None

    @cached_property
    def node(self) -> Mapping[str, Any]:
        """The facts of the node; empty without one."""
        return self.run.nodes[0] if self.run is not None else {}

    def figure(self, name: str) -> float | None:
        """Return a figure of one node, None if it is not known."""
        from rackwright.proposal.nodes import read

        return read(self.node, name) if self.node else None

    def total(self, name: str) -> float | None:
        """Return a figure of all nodes together, None if it is not known."""
        one = self.figure(name)
        return None if one is None else one * self.option.nodes

    @property
    def energy_kwh(self) -> float | None:
        """Electricity for a million tokens at full load, of the only task; None where there is none or no speed."""
        items = self.option.assignments
        tokens = items[0].speed.tokens_per_s if len(items) == 1 else None
        watts = self.total("input_peak_w")
        if tokens is None or watts is None or tokens.value <= 0:
            return None
        return watts / tokens.value * 1e6 / _JOULE_PER_KWH

    @property
    def height_u(self) -> int | None:
        """Rack units of all nodes together."""
        if self.attempt is None:
            return None
        height = self.attempt.assembled.offer.chassis.get("rack.height_u")
        return None if height is None else int(height) * self.option.nodes

    @cached_property
    def open_points(self) -> int:
        """How many figures have to be confirmed before this could be ordered, as the report counts them."""
        if self.run is None:
            return 0
        from rackwright.proposal.findings import open_points
        from rackwright.proposal.texts import PlainFormats, Texts

        return len(open_points(self.run.verdicts, Texts("en", {}, PlainFormats()), str))

    @cached_property
    def grade(self) -> Grade | None:
        """The weakest evidence that any figure of its parts rests on."""
        if self.run is None or self.run.bom is None:
            return None
        entries = [entry for line in self.run.bom.lines for entry in line.part.evidence.values()]
        grades = [Grade(entry["grade"]) for entry in entries]
        return weakest([grade for grade in grades if grade is not Grade.UNVERIFIED])


@frozen
class Answer:
    """What sizing says: the sums and reasons, and the variants, best first. `left_out` options were not followed up."""

    file: SizingFile
    sizing: Sizing
    variants: tuple[Variant, ...]
    left_out: int
    findings: tuple[Finding, ...] = ()

    @property
    def best(self) -> Variant | None:
        """The variant that is recommended: the first that does not fail."""
        return next((v for v in self.variants if v.status not in (None, Status.INVALID)), None)


def size_request(
    file: SizingFile,
    workshop: Workshop,
    *,
    prices: Sequence[Path] = (),
    variants: int | None = VARIANTS,
    chassis: Sequence[str] = (),
    progress: Progress | None = None,
) -> Answer:
    """Work out what a workload needs and follow the best options to validated nodes.

    `variants` is how many GPUs are followed up, None for all options. `chassis` names the chassis to look at. With
    errors in the request there are no variants, and the findings say why.
    """
    told = progress or (lambda _: None)
    request = file.request
    stand_in = ConfigurationFile(
        Configuration(policy=request.policy, policies=request.policies, nodes=[]), file.locations, folder=file.folder
    )
    policy, findings = policy_for(stand_in, workshop, None)
    told("sizing")
    sizing = size(file, workshop.catalog, policy.facts)
    builder = Builder(workshop, request.quote, chassis, policies=request.policies, policy=request.policy)
    chosen = _chosen(sizing, variants, builder)
    found: list[Variant] = []
    for option in chosen:
        told(option.key)
        attempt = builder.build(need_of(option, request, policy.facts))
        if attempt is None:
            found.append(Variant(option, None))
            continue
        run = dataclasses.replace(attempt.run, file=dataclasses.replace(attempt.run.file, folder=file.folder))
        attempt = dataclasses.replace(attempt, run=run)
        bill, problems = priced(run, prices)
        findings += [item for item in problems if item.code != "BOM097" and item not in findings]
        found.append(Variant(option, attempt, bill if bill.has_prices else None))
    return Answer(file, sizing, ordered(found), len(sizing.options) - len(chosen), tuple(findings))


def _chosen(sizing: Sizing, variants: int | None, builder: Builder) -> list[Option]:
    """Return the options that are followed up: the best of each of the first GPUs, then the best of each number.

    Options that no chassis of the catalog can carry are passed over.
    """
    if variants is None:
        return list(sizing.options)
    by_gpu: dict[str, Option] = {}
    by_number: dict[tuple[int, bool], Option] = {}
    for option in sizing.options:
        shape = (0, True) if option.nodes > 1 else (option.gpus_per_node, False)
        is_wanted = shape not in by_number or (option.gpu.id not in by_gpu and len(by_gpu) < variants)
        if is_wanted and builder.has_offer(option.gpu, option.gpus_per_node):
            by_number.setdefault(shape, option)
            if len(by_gpu) < variants:
                by_gpu.setdefault(option.gpu.id, option)
    keys = {option.key for option in (*by_gpu.values(), *by_number.values())}
    return [option for option in sizing.options if option.key in keys]


def ordered(variants: Sequence[Variant]) -> tuple[Variant, ...]:
    """Sort variants, best first.

    What fails a check last, and before it what lacks parts; what fits with reserve before what fits tightly; what meets
    the targets; the price where every variant that does not fail has one; the fewest cards and servers; the fewest
    points to confirm; then the order of the options.
    """
    live = [v for v in variants if v.status not in (None, Status.INVALID)]
    is_priced = bool(live) and all(v.bill is not None and v.bill.is_complete for v in live)
    place = {variant.option.key: index for index, variant in enumerate(variants)}

    def key(variant: Variant) -> tuple[Any, ...]:
        option = variant.option
        is_live = variant.status not in (None, Status.INVALID)
        targets = {True: 0, None: 1, False: 2}[option.is_target_met]
        price = variant.bill.subtotal if is_priced and is_live and variant.bill is not None else 0
        lacking = len(variant.attempt.assembled.lacking) if variant.attempt is not None else 0
        size = option.gpus + option.nodes
        fit = list(Fit).index(option.fit)
        return not is_live, lacking, fit, targets, price, size, variant.open_points, place[option.key]

    return tuple(sorted(variants, key=key))
