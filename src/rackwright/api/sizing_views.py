"""The answer to a workload as a view model: what terminal, JSON and PDF print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.api.checklist import checklist_of, sizing_facts
from rackwright.api.sizing import Answer, Variant
from rackwright.api.sizing_tasks import assumption_texts, band_text, count_views, gpus_text, request_view, task_view
from rackwright.assembly.mend import failed
from rackwright.diagnostic import Severity
from rackwright.proposal.build import STATUS_LABELS
from rackwright.proposal.findings import GRADE_LABELS
from rackwright.proposal.labels_sizing import FIT_LABELS, LINK_LABELS, ROW_LABELS
from rackwright.proposal.sizing_model import SizingView, VariantView
from rackwright.proposal.texts import Texts
from rackwright.sizing import Option, Speed
from rackwright.verdict import Status


def sizing_view(answer: Answer, texts: Texts) -> SizingView:
    """Build the view of an answer in the language of `texts`."""
    best = answer.best or (answer.variants[0] if answer.variants else None)
    option = best.option if best is not None else _first(answer)
    cells = [variant_cells(variant, texts) for variant in answer.variants]
    names = [name for name in ROW_LABELS if any(found[name] for found in cells)]
    return SizingView(
        title=answer.file.request.quote.title if answer.file.request.quote.number else "",
        headline=_headline(answer, option, texts),
        status=best.status.value if best is not None and best.status is not None else "",
        status_label=_status(best, texts) if best is not None else "",
        request=request_view(answer.file.request, texts),
        tasks=tuple(task_view(item, n, texts) for n, item in enumerate(option.assignments, 1)) if option else (),
        counts=count_views(answer.sizing.counts, texts),
        rows=tuple(texts.text(ROW_LABELS[name]) for name in names),
        variants=tuple(
            _variant(variant, number, tuple(found[name] for name in names), answer, texts)
            for number, (variant, found) in enumerate(zip(answer.variants, cells, strict=True), 1)
        ),
        order_text=_order_text(answer, texts),
        more_text=_more_text(answer, texts),
        bill=_bill(best, texts),
        assumptions=tuple(_assumptions(answer, best, texts)),
        notes=tuple(texts.message(note) for note in answer.sizing.notes),
        checklist=checklist_of(best.run, texts, sizing_facts(best.option)) if best is not None and best.run else (),
    )


def _first(answer: Answer) -> Option | None:
    return next(iter((*answer.sizing.options, *answer.sizing.refused)), None)


def _headline(answer: Answer, option: Option | None, texts: Texts) -> str:
    if option is None:
        return texts.text("Nothing can be said: see what is wrong with the request.")
    if not answer.sizing.options:
        return texts.text("No GPU of the catalog does it. The nearest, {gpus}: {reason}", **_said(option, texts))
    if answer.best is None and answer.variants:
        return texts.text(
            "{gpus} would do it, but no configuration of the catalog with them passes.", **_said(option, texts)
        )
    return texts.text("{gpus}. {reason}", **_said(option, texts))


def _said(option: Option, texts: Texts) -> dict[str, str]:
    return {"gpus": gpus_text(option, texts), "reason": texts.message(option.reason)}


def _status(variant: Variant, texts: Texts) -> str:
    if variant.status is None:
        return texts.text("no chassis in the catalog")
    label = texts.text(STATUS_LABELS[variant.status])
    if variant.status is Status.OPEN:
        return texts.text("{status}, {points} points to confirm", status=label, points=str(variant.open_points))
    return label


def variant_cells(variant: Variant, texts: Texts) -> dict[str, str]:
    """Return the cell of each row of the comparison; empty where there is nothing to say."""
    option = variant.option
    speed = _joint(option)
    watts = variant.total("input_peak_w")
    known = variant.total("draw_known_w")
    chassis = variant.attempt.assembled.offer.chassis.title if variant.attempt is not None else ""
    return {
        "gpus": f"{option.gpus_per_node} x {option.gpu.title}",
        "servers": str(option.nodes),
        "chassis": chassis or texts.text("none in the catalog"),
        "memory": _memory_text(option, texts),
        **_speed_cells(speed, texts),
        "targets": {True: texts.text("yes"), False: texts.text("no"), None: ""}[option.is_target_met],
        "link": texts.text(LINK_LABELS[option.link.value]) + _link_gap(option, texts),
        "power": _at_least(watts, known, texts),
        "heat": texts.power(variant.total("heat_w")) if variant.total("heat_w") is not None else "",
        "height": str(variant.height_u) if variant.height_u is not None else "",
        "energy": _kwh_text(variant.energy_kwh, texts),
        **_price_cells(variant, texts),
        "verdict": _status(variant, texts),
        "evidence": texts.text(GRADE_LABELS[variant.grade]) if variant.grade is not None else "",
    }


def _joint(option: Option) -> Speed:
    """Return the speed of the only task; of several tasks none stands for all."""
    return option.assignments[0].speed if len(option.assignments) == 1 else Speed()


def _speed_cells(speed: Speed, texts: Texts) -> dict[str, str]:
    return {
        "first_token": band_text(speed.first_token_s, "s", texts),
        "per_token": band_text(speed.per_token_ms, "ms", texts),
        "tokens": band_text(speed.tokens_per_s, "", texts),
        "requests": str(speed.concurrency_max) if speed.concurrency_max is not None else "",
        "duration": band_text(speed.duration_h, "h", texts),
        "frames": band_text(speed.frames_per_h, "", texts),
        "users": str(speed.users) if speed.users is not None else "",
    }


def _memory_text(option: Option, texts: Texts) -> str:
    ratios = [item.need.used_ratio for item in option.assignments if item.need is not None]
    fullest = max((ratio for ratio in ratios if ratio is not None), default=None)
    label = texts.text(FIT_LABELS[option.fit.value])
    return label if fullest is None else f"{label}, {texts.formats.percent(round(fullest, 2))}"


def _link_gap(option: Option, texts: Texts) -> str:
    return "" if option.is_link_there is not False else ", " + texts.text("which this GPU cannot have")


def _at_least(watts: float | None, known: float | None, texts: Texts) -> str:
    if watts is not None:
        return texts.power(watts)
    return texts.text("at least {power}", power=texts.power(known)) if known is not None else ""


def _kwh_text(kwh: float | None, texts: Texts) -> str:
    return f"{texts.formats.number(kwh, 2)}{texts.formats.space}kWh" if kwh is not None else ""


def _price_cells(variant: Variant, texts: Texts) -> dict[str, str]:
    bill = variant.bill
    if bill is None or not bill.has_prices:
        return {"price": "", "price_gpu": ""}
    amount = texts.formats.money(bill.subtotal, bill.currency)
    if not bill.is_complete:
        return {"price": texts.text("at least {price}, incomplete", price=amount), "price_gpu": ""}
    each = (bill.subtotal / variant.option.gpus).quantize(bill.subtotal)
    return {"price": amount, "price_gpu": texts.formats.money(each, bill.currency)}


def _variant(variant: Variant, number: int, cells: tuple[str, ...], answer: Answer, texts: Texts) -> VariantView:
    option = variant.option
    failures = failed(variant.run.verdicts) if variant.run is not None and variant.status is Status.INVALID else ()
    return VariantView(
        number=number,
        key=option.key,
        title=gpus_text(option, texts),
        cells=cells,
        status=variant.status.value if variant.status is not None else "",
        status_label=_status(variant, texts),
        reason=texts.message(option.reason),
        risk=texts.message(option.risk),
        questions=tuple(texts.message(question) for question in option.questions),
        failures=tuple(f"{v.rule}: {texts.message(v.message)}" for v in failures),
        is_best=variant is answer.best,
    )


def _order_text(answer: Answer, texts: Texts) -> str:
    live = [variant for variant in answer.variants if variant.status not in (None, Status.INVALID)]
    if live and all(variant.bill is not None and variant.bill.is_complete for variant in live):
        return texts.text(
            "Order: memory with reserve before tight, targets met before missed, then the lowest price. What lacks "
            "parts or fails a check comes last."
        )
    return texts.text(
        "Order: memory with reserve before tight, targets met before missed, fewest cards and servers, fewest points "
        "to confirm. Prices do not count, because not every variant has one. What lacks parts or fails a check comes "
        "last."
    )


def _more_text(answer: Answer, texts: Texts) -> str:
    if answer.left_out <= 0:
        return ""
    return texts.text("{number} further options also do it and were not followed up.", number=str(answer.left_out))


def _bill(best: Variant | None, texts: Texts) -> tuple[tuple[str, str, str], ...]:
    if best is None or best.run is None or best.run.bom is None:
        return ()
    return tuple((texts.quantity(line.count), line.part.title, line.part.id) for line in best.run.bom.lines)


def _assumptions(answer: Answer, best: Variant | None, texts: Texts) -> list[str]:
    """What was taken for granted: figures that nobody stated, and parts that could not be chosen."""
    findings = [item for item in answer.sizing.findings if item.severity is not Severity.ERROR]
    found = [*assumption_texts(findings, texts)]
    if best is None or best.attempt is None:
        return found
    node = best.attempt.assembled.node
    if node.allowance_w is not None:
        watts = texts.power(node.allowance_w)
        found.append(
            texts.text(
                "{watts} in each server for fans, board and small parts, whose draw no maker states", watts=watts
            )
        )
    lacking: Sequence[str] = best.attempt.assembled.lacking
    if lacking:
        kinds = ", ".join(texts.text(LACKING_LABELS[kind]) for kind in lacking)
        found.append(texts.text("not chosen, because the catalog has none for this chassis: {kinds}", kinds=kinds))
    return found


LACKING_LABELS: Mapping[str, str] = {
    "cpu": "processors",
    "memory": "memory modules",
    "drive": "drives",
    "nic": "network adapter",
    "psu": "power supplies",
}
