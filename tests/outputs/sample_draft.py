"""The draft sample: an invalid build without prices."""

from __future__ import annotations

import dataclasses

from rackwright.proposal.model import BarView, Proposal
from rackwright.verdict import Status

from .sample import S, english_open, finding, r760xa


def english_draft() -> Proposal:
    """An invalid build: a supply is overloaded, a card does not fit. No prices at all."""
    base = english_open()
    node = r760xa()
    over = BarView(
        "all supplies", 3372.0, f"3{S}372{S}W", 2800.0, f"2{S}800{S}W", 5600.0, f"5{S}600{S}W", f"120.4{S}%", True
    )
    errors = (
        finding(
            "PWR003",
            "error",
            "fail",
            "The node keeps its peak load after one supply fails",
            message=f"peak draw 3{S}372{S}W exceeds the 2{S}800{S}W left after one of two supplies fails",
            fix="Fit 3200 W supplies, cap the GPUs at 250 W, or declare `redundancy: none`.",
            place="broken.yaml:18:5",
            arithmetic=(
                "draw_peak_w = 4 × 600 W + 2 × 250 W + 472 W = 3372 W",
                "capacity_after_psu_loss_w = 1 × 2800 W = 2800 W",
            ),
        ),
        finding(
            "FIT002",
            "error",
            "fail",
            "A card is not longer than its slot",
            subject="gpu 1",
            message="the card is 312 mm long, slot F1 takes 267 mm",
            fix="Choose a card of 267 mm or less.",
        ),
        finding(
            "PCI009",
            "advice",
            "fail",
            "The management port is cabled",
            message="no cable for the management port",
            waived="site has its own",
        ),
    )
    bare = [
        dataclasses.replace(
            r,
            list_unit=None,
            net_unit=None,
            net_total=None,
            net_total_text="" if r.is_group else "on request",
            discount_text="",
        )
        for r in base.bom.rows
    ]
    bom = dataclasses.replace(
        base.bom,
        rows=tuple(bare),
        has_prices=False,
        total_text="on request",
        subtotal_text="on request",
        vat_text="on request",
        completeness_text="No prices are stated; all items are on request.",
    )
    return dataclasses.replace(
        base,
        status=Status.INVALID,
        status_label="invalid",
        is_draft=True,
        draft_reason="failed checks: FIT002, PWR003",
        status_sentence="2 checks failed. This configuration will not work as it is.",
        findings=(*errors, *base.findings),
        nodes=(dataclasses.replace(node, power=(over,)),),
        bom=bom,
        summary=base.summary[:3],
        needs_attention=(*(f"{v.code}: {v.message}" for v in errors), *base.needs_attention),
        checks=(*errors, *base.checks),
    )
