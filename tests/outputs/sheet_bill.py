"""Bills for the tests of the spreadsheet and the csv file, priced as the pipeline prices them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from rackwright.diagnostic import fill
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.model import BomRow, BomView
from rackwright.proposal.money import VAT_WORDS
from rackwright.proposal.money_model import VatRow

from .sheet_german import GERMAN

Translate = Callable[..., str]


CENT = Decimal("0.01")


@dataclass(frozen=True)
class Item:
    """A line of the bill: what it is, how many a node, its price (None = on request), its discount."""

    kind: str
    title: str
    maker: str
    mpn: str
    count: int
    price: str | None
    discount: str = "0"
    note: str = ""
    weight_kg: float | None = None
    power_w: float | None = None
    vat: str = "standard"


def translator(language: str) -> Translate:
    """What the pipeline does with the message catalog of a language."""

    def text(english: str, **holes: str) -> str:
        return fill(GERMAN.get(english, english) if language == "de" else english, holes)

    return text


def group_rows(
    position: str,
    node: str,
    title: str,
    nodes: int,
    items: list[Item],
    *,
    text: Translate,
    is_multiplied: bool = True,
) -> list[BomRow]:
    """The rows of one group: its head, then its lines."""
    lines = [_row(f"{position}.{number}", item, nodes, text) for number, item in enumerate(items, start=1)]
    totals = [line.net_total for line in lines]
    known = [total for total in totals if total is not None]
    total = sum(known, Decimal("0.00")) if len(known) == len(totals) else None
    blank = BomRow(
        position, True, title, node, "", "", "", "", 1, nodes, nodes, None, Decimal(0), None, total, "", "", "", ""
    )
    return [replace(blank, is_multiplied=is_multiplied), *lines]


def _row(position: str, item: Item, nodes: int, text: Translate) -> BomRow:
    unit = None if item.price is None else Decimal(item.price)
    discount = Decimal(item.discount)
    net = None if unit is None else (unit * (1 - discount)).quantize(CENT, ROUND_HALF_UP)
    total = item.count * nodes
    return BomRow(
        position=position,
        is_group=False,
        title=item.title,
        note=item.note,
        maker=item.maker,
        mpn=item.mpn,
        part_id=f"{item.maker.lower().replace(' ', '-')}/{item.mpn.lower()}",
        kind_label=text(item.kind),
        count=item.count,
        group_count=nodes,
        total=total,
        list_unit=unit,
        discount_ratio=discount,
        net_unit=net,
        net_total=None if net is None else net * total,
        list_unit_text="",
        discount_text="",
        net_unit_text="",
        net_total_text="",
        weight_kg=item.weight_kg,
        power_w=item.power_w,
        grade=text("read in the maker's text"),
        lifecycle=text("active"),
        included_text=text("included in {position}", position=position.partition(".")[0]) if net == 0 else "",
        vat_category=item.vat,
        vat_word=text(VAT_WORDS[item.vat]),
    )


def bill(rows: list[BomRow], text: Translate, vat: Decimal | None) -> BomView:
    """The bill with its totals, as the pricing of the pipeline computes them."""
    lines = [row for row in rows if not row.is_group]
    subtotal = sum((row.net_total for row in lines if row.net_total is not None), Decimal("0.00"))
    missing = sum(1 for row in lines if row.list_unit is None)
    taxes = [_vat_row(category, lines, text, vat) for category in VAT_WORDS] if vat is not None else []
    vat_rows = tuple(tax for tax in taxes if tax is not None)
    tax = None if vat is None else sum((entry.tax or Decimal(0) for entry in vat_rows), Decimal("0.00"))
    has_prices = missing < len(lines)
    incomplete = text(SHEET_LABELS["sheet.incomplete"], missing=str(missing), all=str(len(lines)))
    return BomView(
        rows=tuple(rows),
        currency="EUR",
        subtotal=subtotal,
        subtotal_text=str(subtotal),
        vat_ratio=vat,
        vat_label=text("VAT") + " 19 %" if vat is not None else "",
        vat=tax,
        vat_text="" if tax is None else str(tax),
        total=subtotal + (tax or Decimal(0)),
        total_text=str(subtotal + (tax or Decimal(0))),
        is_complete=not missing,
        has_prices=has_prices,
        completeness_text=incomplete if missing else text(SHEET_LABELS["sheet.complete"]),
        vat_rows=vat_rows,
    )


def _vat_row(category: str, lines: list[BomRow], text: Translate, vat: Decimal) -> VatRow | None:
    own = [line for line in lines if line.vat_category == category]
    if not own:
        return None
    base = sum((line.net_total for line in own if line.net_total is not None), Decimal("0.00"))
    ratio = vat if category == "standard" else Decimal(0)
    tax = (base * ratio).quantize(CENT, ROUND_HALF_UP)
    word = text(VAT_WORDS[category])
    return VatRow(category, word, f"{text('VAT')} {word}", base, str(base), ratio, tax, str(tax))
