"""From a need to a validated node: offers are assembled, judged, mended by what the checks ask for, judged again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property

from rackwright.api.runs import Run, Workshop, validate
from rackwright.assembly import Assembled, Choices, NodeNeed, Offer, Stock, assemble, offers
from rackwright.assembly.mend import failed, parts_asked_for, ways_out
from rackwright.catalog import Part
from rackwright.configuration import Configuration, ConfigurationFile, Quote
from rackwright.diagnostic import Severity
from rackwright.frozen import frozen
from rackwright.source import Locations
from rackwright.verdict import Outcome, Status

# How many other ways are tried to mend a node that fails, and how many chassis before the best failure is shown.
_WAYS = 6
_CHASSIS = 3
_NO_QUOTE = Quote()


@frozen
class Attempt:
    """A node that was assembled and judged, with the choices that led to it."""

    assembled: Assembled
    run: Run
    choices: Choices

    @cached_property
    def rank(self) -> tuple[bool, int, int, int, int, int]:
        """How good it is, the best lowest: failing or not, parts that are lacking, verdict, and what weighs on it."""
        verdicts, status = self.run.verdicts, self.run.status
        undecided = sum(v.outcome is Outcome.UNKNOWN and v.severity is Severity.ERROR for v in verdicts)
        warnings = sum(v.outcome is Outcome.FAIL and v.severity is Severity.WARNING for v in verdicts)
        lacking = len(self.assembled.lacking)
        is_failing = status is Status.INVALID
        return is_failing, lacking, list(Status).index(status), len(failed(verdicts)), undecided, warnings


class Builder:
    """Builds the best node for each need, and remembers by chassis what its maker's rules have asked for."""

    def __init__(
        self,
        workshop: Workshop,
        quote: Quote = _NO_QUOTE,
        only: Sequence[str] = (),
        *,
        policy: str | None = None,
        policies: Mapping[str, float | bool | str] | None = None,
    ) -> None:
        """`only` names the chassis to look at; `policy` and `policies` go into the configurations, as `quote` does."""
        self.stock = Stock(workshop.catalog)
        self._workshop = workshop
        self._quote = quote
        self._policy = policy
        self._policies = dict(policies or {})
        self._only = only
        self._settled: dict[str, Choices] = {}
        self._known: dict[tuple[str, int], list[Offer]] = {}

    def has_offer(self, gpu: Part, cards: int) -> bool:
        """Say whether any chassis may carry so many of a GPU."""
        return bool(self._offers(gpu, cards))

    def _offers(self, gpu: Part, cards: int) -> list[Offer]:
        key = (gpu.id, cards)
        if key not in self._known:
            self._known[key] = offers(self.stock, gpu, cards, self._only)
        return self._known[key]

    def build(self, need: NodeNeed) -> Attempt | None:
        """Return the first node that does not fail, in the order of the offers; else the least bad one.

        None if no chassis of the catalog may carry these GPUs.
        """
        best: Attempt | None = None
        for offer in self._offers(need.gpu, need.gpus)[:_CHASSIS]:
            attempt = self._mended(need, offer)
            if best is None or attempt.rank < best.rank:
                best = attempt
            if best.run.status is not Status.INVALID:
                break
        return best

    def _mended(self, need: NodeNeed, offer: Offer) -> Attempt:
        """Assemble and judge; while it fails, try the ways out that the failed rules hint at; keep what is better."""
        best = self._completed(need, offer, Choices())
        tries = 0
        while best.run.status is Status.INVALID and tries < _WAYS:
            known = self._settled.get(offer.chassis.id)
            ways = [known] if known is not None and not tries else []
            ways += ways_out(failed(best.run.verdicts), best.choices, offer.chassis, self._workshop.catalog)
            for other in ways[: _WAYS - tries]:
                tries += 1
                attempt = self._completed(need, offer, other)
                if attempt.rank < best.rank:
                    best = attempt
                    break
            else:
                break
        if best.run.status is not Status.INVALID:
            self._settled[offer.chassis.id] = dataclasses.replace(best.choices, psu_skip=0)
        return best

    def _completed(self, need: NodeNeed, offer: Offer, choices: Choices) -> Attempt:
        """Assemble and judge, and add the parts that the makers' rules ask for until they ask for nothing new."""
        while True:
            assembled = assemble(need, offer, self.stock, choices)
            run = self._judge(assembled, need)
            known = {line.part: line.count for line in assembled.node.parts}
            assert run.book is not None
            wanted = parts_asked_for(run.verdicts, run.nodes[0], run.book, self._workshop.catalog)
            new = tuple(line for line in wanted if line.count > known.get(line.part, 0))
            if not new:
                return Attempt(assembled, run, choices)
            choices = dataclasses.replace(choices, lines=(*choices.lines, *new))

    def _judge(self, assembled: Assembled, need: NodeNeed) -> Run:
        configuration = Configuration(
            quote=self._quote,
            site=need.site,
            policy=self._policy,
            policies=self._policies,
            nodes=[assembled.node],
            extras=list(assembled.extras),
        )
        return validate(ConfigurationFile(configuration, Locations(need.id)), self._workshop)
