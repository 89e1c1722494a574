"""What is made of an answer to a workload: its view, the machine-readable report, and a configuration file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from rackwright import __version__
from rackwright.api.documents import texts_of
from rackwright.api.reports import finding_entry
from rackwright.api.runs import Workshop
from rackwright.api.sizing import Answer, Variant
from rackwright.api.sizing_views import sizing_view
from rackwright.configuration import SizingFile
from rackwright.proposal.labels import LABELS
from rackwright.proposal.labels_sizing import SIZING_LABELS
from rackwright.proposal.sizing_model import SizingView
from rackwright.proposal.texts import PlainFormats, Texts
from rackwright.readers.translations import read_translations
from rackwright.sizing import Assignment
from rackwright.workloads.speed import Band


def sizing_view_of(answer: Answer, language: str, *, plain: bool = False) -> tuple[SizingView, Mapping[str, str]]:
    """Return the view of an answer and the headings, in a language. `plain` prints figures for a terminal."""
    texts = Texts(language, read_translations(language), PlainFormats()) if plain else texts_of(language)
    labels = {key: texts.text(english) for key, english in {**LABELS, **SIZING_LABELS}.items()}
    return sizing_view(answer, texts), labels


def with_gpus(file: SizingFile, gpus: Sequence[str]) -> SizingFile:
    """Return the request with these GPUs alone."""
    limits = dataclasses.replace(file.request.limits, gpus=list(gpus))
    return dataclasses.replace(file, request=dataclasses.replace(file.request, limits=limits))


def variant_named(answer: Answer, name: str) -> Variant | None:
    """Return the variant with this number or key that has a configuration; None if there is none."""
    for number, variant in enumerate(answer.variants, 1):
        if name in (str(number), variant.option.key) and variant.run is not None:
            return variant
    return None


def sizing_report_of(answer: Answer, view: SizingView, workshop: Workshop) -> Any:
    """Build the machine-readable answer; its sentences are those of the view."""
    from rackwright.proposal import sizing_report as shape

    best = next((n for n, variant in enumerate(answer.variants, 1) if variant is answer.best), None)
    return shape.SizingReport(
        tool=f"rackwright {__version__}",
        workload=answer.file.locations.file,
        catalog_digest=workshop.catalog.digest,
        rules_digest=workshop.ruleset.digest,
        headline=view.headline,
        best=best,
        order=view.order_text,
        left_out=answer.left_out,
        variants=[_variant(v, n, view) for n, v in enumerate(answer.variants, 1)],
        counts=[
            shape.CountEntry(
                count=said.count,
                stance=item.stance.value,
                reason=said.reason,
                risk=said.risk,
                arithmetic=list(said.arithmetic),
                questions=list(said.questions),
            )
            for item, said in zip(answer.sizing.counts, view.counts, strict=True)
        ],
        assumptions=list(view.assumptions),
        notes=list(view.notes),
        checklist=[
            shape.QuestionEntry(
                id=item.id,
                group=group.title,
                question=item.question,
                is_open=item.is_open,
                answer=item.answer,
                ask=item.ask,
                keys=list(item.keys),
            )
            for group in view.checklist
            for item in group.answers
        ],
        findings=[finding_entry(item) for item in (*answer.findings, *answer.sizing.findings)],
    )


def _variant(variant: Variant, number: int, view: SizingView) -> Any:
    from rackwright.proposal import sizing_report as shape

    option, said = variant.option, view.variants[number - 1]
    bill, attempt = variant.bill, variant.attempt
    lines = variant.run.bom.lines if variant.run is not None and variant.run.bom is not None else ()
    return shape.VariantEntry(
        number=number,
        key=option.key,
        gpu=option.gpu.id,
        gpus_per_node=option.gpus_per_node,
        nodes=option.nodes,
        gpus_idle=option.gpus_idle,
        fit=option.fit.value,
        link=option.link.value,
        is_link_there=option.is_link_there,
        is_target_met=option.is_target_met,
        status=variant.status.value if variant.status is not None else None,
        open_points=variant.open_points,
        chassis=attempt.assembled.offer.chassis.id if attempt is not None else None,
        mode=attempt.assembled.node.mode if attempt is not None else None,
        power_w=variant.total("input_peak_w"),
        heat_w=variant.total("heat_w"),
        height_u=variant.height_u,
        energy_kwh_per_million_tokens=variant.energy_kwh,
        currency=bill.currency if bill is not None else None,
        net_price=str(bill.subtotal) if bill is not None else None,
        is_price_complete=bill is not None and bill.is_complete,
        grade=variant.grade.value if variant.grade is not None else None,
        reason=said.reason,
        risk=said.risk,
        questions=list(said.questions),
        failures=list(said.failures),
        lacking=list(attempt.assembled.lacking) if attempt is not None else [],
        parts=[shape.PartEntry(part=line.part.id, title=line.part.title, count=line.count) for line in lines],
        tasks=[_task(item) for item in option.assignments],
    )


def _task(item: Assignment) -> Any:
    from rackwright.proposal import sizing_report as shape

    need, quick, speed = item.need, item.quick, item.speed
    return shape.TaskEntry(
        task=item.task.task,
        title=item.task.title or item.task.task,
        model=item.model.id if item.model is not None else None,
        precision=item.precision,
        tensor_parallel=item.tensor_parallel,
        pipeline_parallel=item.pipeline_parallel,
        replicas=item.replicas,
        gpus=item.gpus,
        fit=item.fit.value,
        link=item.link.value,
        reason=str(item.reason),
        terms=[
            shape.TermEntry(name=term.name, need_gib=term.need_gib, how=str(term.how))
            for term in (need.terms if need is not None else ())
        ],
        need_gib=need.need_gib if need is not None else None,
        usable_gib=need.usable_gib if need is not None else None,
        used_ratio=need.used_ratio if need is not None else None,
        is_usable_measured=need.is_usable_measured if need is not None else None,
        quick_low_gb=quick.low_gb if quick is not None else None,
        quick_high_gb=quick.high_gb if quick is not None else None,
        quick_fit=quick.fit.value if quick is not None else None,
        first_token_s=_band(speed.first_token_s),
        per_token_ms=_band(speed.per_token_ms),
        tokens_per_s=_band(speed.tokens_per_s),
        requests_max=speed.concurrency_max,
        duration_h=_band(speed.duration_h),
        frames_per_h=_band(speed.frames_per_h),
        users=speed.users,
        is_target_met=speed.is_target_met,
        notes=[str(note) for note in speed.notes],
    )


def _band(band: Band | None) -> Any:
    from rackwright.proposal import sizing_report as shape

    return shape.BandEntry(value=band.value, low=band.low, high=band.high) if band is not None else None


def configuration_text(answer: Answer, variant: Variant) -> str:
    """Return the configuration of a variant as a file, with a word on where it came from.

    The request's quote, site and policy go along, and its workload stands in the node, so that the proposal can show
    the need again. Raises ValueError for a variant without a configuration.
    """
    if variant.attempt is None:
        raise ValueError(variant.option.key)
    from rackwright.outputs.configuration import write_configuration

    view = sizing_view(answer, Texts("en", {}, PlainFormats()))
    said = next(item for item in view.variants if item.key == variant.option.key)
    catalog = variant.attempt.run.workshop.catalog
    node = variant.attempt.assembled.node
    extras = variant.attempt.assembled.extras
    names = [*(line.part for line in node.parts), *(line.part for line in extras if line.part is not None)]
    titles = {name: part.title for name in names if (part := catalog.find(name)) is not None}
    request = answer.file.request
    comments = [
        f"{said.title}: {said.reason}.",
        f"Proposed by rackwright {__version__} (size, variant {variant.option.key}); everything in it may be changed.",
    ]
    head = {"quote": request.quote, "site": request.site, "policy": request.policy, "policies": request.policies}
    return write_configuration(head, node, extras, titles, comments)
