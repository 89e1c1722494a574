"""The bill as comma separated values: one record a row of the bill, then the totals.

German files have `;` and a decimal comma and start with the mark that tells spreadsheet programs that they are UTF-8;
English ones have `,` and a decimal point. Numbers are numbers; text can never become a formula.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

from rackwright.diagnostic import fill
from rackwright.proposal.model import BomRow, Proposal

_ARMING = ("=", "+", "-", "@", "\t", "\r", "\n", "\u0000", "＝", "＋", "－", "＠")
_REMOVED = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]+")
_COLUMNS = (
    "row",
    "position",
    "description",
    "note",
    "kind",
    "maker",
    "mpn",
    "part_id",
    "quantity_per_node",
    "nodes",
    "quantity",
    "list_unit",
    "discount_ratio",
    "net_unit",
    "net_total",
    "currency",
    "weight_kg",
    "power_w",
    "lifecycle",
    "grade",
    "vat_category",
    "lead_time",
    "status",
)

Field = str | int | float | Decimal | None


def write_csv(proposal: Proposal) -> bytes:
    """Return the bill of a proposal in the conventions of its language."""
    is_german = proposal.language == "de"
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=";" if is_german else ",", lineterminator="\r\n")

    def put(fields: list[Field]) -> None:
        writer.writerow([_shown(value, is_german) for value in fields])

    put([proposal.labels[f"sheet.{key}"] for key in _COLUMNS])
    for row in (*proposal.bom.rows, *(row for row in proposal.bom.offered if not row.is_group)):
        put(_fields(row, proposal))
    for total in _totals(proposal):
        put(total)
    return buffer.getvalue().encode("utf-8-sig" if is_german else "utf-8")


def _fields(row: BomRow, proposal: Proposal) -> list[Field]:
    label = proposal.labels
    start: list[Field] = [
        row.role_label or label["sheet.row_group" if row.is_group else "sheet.row_item"],
        row.position,
        row.title,
        row.note,
        row.kind_label,
        row.maker,
        row.mpn,
        row.part_id,
    ]
    if row.is_group:
        total = row.net_total if row.net_total is not None else row.net_total_text
        return [*start, None, row.group_count, *[None] * 4, total, *_ending(proposal)]
    asked, unstated = label["sheet.on_request"], label["sheet.not_stated"]
    return [
        *start,
        row.count,
        row.group_count,
        row.total,
        row.included_text or (asked if row.list_unit is None else row.list_unit),
        row.discount_ratio,
        row.included_text or (asked if row.net_unit is None else row.net_unit),
        row.included_text or (asked if row.net_total is None else row.net_total),
        proposal.bom.currency,
        unstated if row.weight_kg is None else row.weight_kg,
        unstated if row.power_w is None else row.power_w,
        row.lifecycle or unstated,
        row.grade or unstated,
        row.vat_word,
        unstated if row.lead_time_days is None else row.lead_time_days,
        _status(proposal),
    ]


def _totals(proposal: Proposal) -> list[list[Field]]:
    bom, label = proposal.bom, proposal.labels
    asked = label["sheet.on_request"]
    remark = "" if bom.is_complete else bom.completeness_text
    rows: list[tuple[str, Decimal | None]] = [(label["sheet.total_net"], bom.subtotal)]
    if bom.vat_rows:
        rows = [(label["sheet.subtotal"], bom.subtotal), *((row.label, row.tax) for row in bom.vat_rows)]
        rows.append((label["sheet.total_gross"], bom.total))
    empty: list[Field] = [None] * 10
    return [
        [label["sheet.row_total"], None, title, remark, *empty, amount if bom.has_prices else asked, *_ending(proposal)]
        for title, amount in rows
    ]


def _ending(proposal: Proposal) -> list[Field]:
    return [proposal.bom.currency, *[None] * 6, _status(proposal)]


def _status(proposal: Proposal) -> str:
    if not proposal.is_draft:
        return proposal.status_label
    return fill(proposal.labels["sheet.draft_because"], {"reason": proposal.draft_reason})


def _shown(value: Field, is_german: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _text(value)
    number = format(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), "f")
    return number.replace(".", ",") if is_german else number


def _text(text: str) -> str:
    """One line without control characters; what a program would read as a formula gets an apostrophe in front."""
    is_arming = text.lstrip(" ").startswith(_ARMING)
    line = _REMOVED.sub(" ", text).strip()
    return "'" + line if is_arming or line.startswith(_ARMING) else line
