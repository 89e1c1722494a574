"""What the task of a configuration needs: sized again for the GPUs in it, so that the proposal shows the sum."""

from __future__ import annotations

from rackwright.api.runs import Run
from rackwright.api.sizing_tasks import assumption_texts, count_views, gpus_text, request_view, task_view
from rackwright.configuration import SizingFile, SizingRequest
from rackwright.diagnostic import Severity
from rackwright.proposal.sizing_model import SizingView
from rackwright.proposal.texts import Texts
from rackwright.sizing import Option, Sizing, size
from rackwright.workloads.shape import SizingLimits


def need_of_run(run: Run) -> tuple[Sizing, Option] | None:
    """Return the sizing of the first node with a workload, and the option that this node is.

    None if there is none, if its GPUs are mixed, or if the task cannot be sized or not with so many of these GPUs.
    """
    if run.placement is None:
        return None
    placed = next((item for item in run.placement.nodes if item.node.workload is not None), None)
    gpus = {card.part.id for card in placed.cards if card.part.kind == "gpu"} if placed is not None else set()
    if placed is None or placed.node.workload is None or len(gpus) != 1:
        return None
    configuration = run.file.configuration
    request = SizingRequest(
        quote=configuration.quote,
        site=configuration.site,
        policy=configuration.policy,
        policies=configuration.policies,
        workload=placed.node.workload,
        limits=SizingLimits(gpus=sorted(gpus)),
    )
    sizing = size(SizingFile(request, run.file.locations), run.workshop.catalog, run.policy.facts)
    cards = sum(card.part.kind == "gpu" for card in placed.cards)
    for option in (*sizing.options, *sizing.refused):
        if (option.gpus_per_node, option.nodes) == (cards, placed.node.count):
            return sizing, option
    return None


def need_view(sizing: Sizing, option: Option, texts: Texts) -> SizingView:
    """Return the need of an option as it is printed, without any comparison."""
    findings = [item for item in sizing.findings if item.severity is not Severity.ERROR]
    return SizingView(
        title="",
        headline=texts.text("{gpus}. {reason}", gpus=gpus_text(option, texts), reason=texts.message(option.reason)),
        status="",
        status_label="",
        request=request_view(sizing.file.request, texts),
        tasks=tuple(task_view(item, number, texts) for number, item in enumerate(option.assignments, 1)),
        counts=count_views(sizing.counts, texts),
        rows=(),
        variants=(),
        order_text="",
        more_text="",
        bill=(),
        assumptions=assumption_texts(findings, texts),
        notes=tuple(texts.message(note) for note in sizing.notes),
    )
