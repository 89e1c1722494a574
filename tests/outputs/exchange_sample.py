"""What the files for other programs are made of in tests: an invented quote, and quotes of the examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from examples.running import example
from rackwright import api
from rackwright.api.runs import parts_of
from rackwright.proposal.exchange import PartView, part_views
from rackwright.proposal.labels import LABELS
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.model import Proposal

from .sheet_sample import sample

REAL = ("inference-4x-l40s", "hgx-8x-h200", "rack-ab", "offer-4x-l40s")
GPU = "vantage/900-21010-0020-000"
PARTS = {
    GPU: PartView(
        id=GPU,
        kind="gpu",
        title="Vantage X100 NVL 94 GB",
        maker="Vantage",
        mpn=("900-21010-0020-000", "900-21010-0020-001"),
        order_numbers=(("seller", "A-4711"), ("nordhain", "412-AAXX")),
        stated=(("weight_kg", "1.21"), ("lifecycle.status", "active")),
        documents=(("X100 NVL product brief, PB-0000-002", "https://docs.example.com/x100.pdf"),),
    ),
    "beispiel-integrator-gmbh/sv-inst": PartView("x/y", "service", "Installation", "Beispiel", unit="day"),
}


def quote(language: str = "en", **options: object) -> Proposal:
    """An invented quote with every label."""
    plain = sample(language, **options)  # type: ignore[arg-type]
    return replace(plain, labels={**LABELS, **SHEET_LABELS, **plain.labels})


@cache
def real(name: str, language: str = "en") -> tuple[Proposal, Mapping[str, PartView]]:
    """The quote of an example, and its parts."""
    run = example(name).run
    assert run.placement is not None
    bill, _ = api.documents.priced(run)
    return api.proposal_of(run, bill, "2026-12-01", language=language), part_views(parts_of(run.placement))
