"""The quote as an OASIS UBL 2.3 Quotation, for purchasing systems.

Shapes: one line a group of the bill, its parts below it as sub-lines that carry `PartOf`, the number of what they are
part of (as Peppol asks of configured products). Amounts are those of the bill. UBL 2.3 only adds to its forerunners
and nothing that it added is used, so that the document keeps to UBL 2.1 to 2.5 alike.
Unknown: what nobody stated is left out. A bill without all prices, a draft and an invalid configuration are refused:
a program would take the total for an offer.
Errors: OutputError.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from decimal import Decimal
from xml.etree import ElementTree as Xml

from rackwright.errors import OutputError
from rackwright.proposal.exchange import PartView, discount_of, price_of_group
from rackwright.proposal.model import BomRow, Proposal
from rackwright.verdict import Status

_URN = "urn:oasis:names:specification:ubl:schema:xsd:"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, f"{_URN}Quotation-2/rackwright")
# UN/ECE Recommendation 20: piece, hour, day, year.
_UNITS = {"each": "H87", "hour": "HUR", "day": "DAY", "year": "ANN"}
# UNCL 5305, duty or tax category: standard rate, VAT reverse charge, exempt from tax.
_TAXES = {"standard": "S", "reverse_charge": "AE", "exempt": "E"}
# What XML 1.0 cannot carry (section 2.2), and marks that turn the reading direction.
_NO_CHARACTER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)

# VAT categories of the bill with their rates.
Taxes = Mapping[str, Decimal | None]


def write_ubl(proposal: Proposal, parts: Mapping[str, PartView]) -> bytes:
    """Return the document as UTF-8 with an XML declaration."""
    _check(proposal)
    root = Xml.Element(
        "Quotation",
        {
            "xmlns": f"{_URN}Quotation-2",
            "xmlns:cac": f"{_URN}CommonAggregateComponents-2",
            "xmlns:cbc": f"{_URN}CommonBasicComponents-2",
        },
    )
    _put_head(root, proposal)
    _put_parties(root, proposal)
    if proposal.terms:
        conditions = _add(root, "cac:TransactionConditions")
        for term in proposal.terms:
            _add(conditions, "cbc:Description", term)
    _put_totals(root, proposal)
    _put_lines(root, proposal, parts)
    Xml.indent(root, " ")
    text: str = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _check(proposal: Proposal) -> None:
    if proposal.is_draft or proposal.status is Status.INVALID:
        raise OutputError("no UBL quotation was made: a draft is no offer, and a program could take it for one")
    lines = [row for row in proposal.bom.rows if not row.is_group]
    without = [row for row in lines if row.net_total is None]
    if without or not lines:
        raise OutputError(
            f"no UBL quotation was made: it has to state a total; {len(without)} of {len(lines)} lines have no price"
        )


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    """Append an element; its text loses what XML cannot carry."""
    element = Xml.SubElement(parent, name, attributes)
    if text:
        element.text = _NO_CHARACTER.sub("\ufffd", text)
    return element


def _add_stated(parent: Xml.Element, name: str, text: str) -> None:
    if text.strip():
        _add(parent, name, text)


def _amount(parent: Xml.Element, name: str, amount: Decimal, currency: str) -> None:
    _add(parent, name, format(amount, "f"), currencyID=currency)


def _put_head(root: Xml.Element, proposal: Proposal) -> None:
    about = proposal.about
    made_of = (proposal.number, about.date, about.configuration_sha256, about.catalog_digest, proposal.bom.total_text)
    identity = str(uuid.uuid5(_NAMESPACE, _NO_CHARACTER.sub("\ufffd", "\n".join(made_of))))
    _add(root, "cbc:UBLVersionID", "2.3")
    _add(root, "cbc:ID", proposal.number or identity)
    _add(root, "cbc:UUID", identity)
    _add(root, "cbc:IssueDate", proposal.date_iso)
    notes = [proposal.title, proposal.project, f"{proposal.status_label}: {proposal.status_sentence}"]
    points = [f"{proposal.labels['points_to_confirm']}: {p.figure} ({p.part})" for p in proposal.open_points]
    for note in (*notes, *points):
        _add_stated(root, "cbc:Note", note)
    _add(root, "cbc:PricingCurrencyCode", proposal.bom.currency)
    _add(root, "cbc:LineCountNumeric", str(sum(row.is_group for row in proposal.bom.rows)))
    if proposal.valid_until_iso:
        _add(_add(root, "cac:ValidityPeriod"), "cbc:EndDate", proposal.valid_until_iso)


def _put_parties(root: Xml.Element, proposal: Proposal) -> None:
    seller = _add(_add(root, "cac:SellerSupplierParty"), "cac:Party")
    name = proposal.issuer or proposal.labels["sheet.not_stated"]
    _add(_add(seller, "cac:PartyName"), "cbc:Name", name)
    if proposal.contact.strip():
        is_address = re.fullmatch(r"[^\s@]+@[^\s@]+", proposal.contact) is not None
        contact = _add(seller, "cac:Contact")
        _add(contact, "cbc:ElectronicMail" if is_address else "cbc:Name", proposal.contact)
    if proposal.customer.strip():
        buyer = _add(_add(root, "cac:BuyerCustomerParty"), "cac:Party")
        _add(_add(buyer, "cac:PartyName"), "cbc:Name", proposal.customer)


def _put_totals(root: Xml.Element, proposal: Proposal) -> None:
    bom = proposal.bom
    if bom.vat is not None:
        tax = _add(root, "cac:TaxTotal")
        _amount(tax, "cbc:TaxAmount", bom.vat, bom.currency)
        for row in bom.vat_rows:
            part = _add(tax, "cac:TaxSubtotal")
            _amount(part, "cbc:TaxableAmount", row.base, bom.currency)
            _amount(part, "cbc:TaxAmount", row.tax or Decimal("0.00"), bom.currency)
            category = _add(part, "cac:TaxCategory")
            _put_category(category, row.category, row.ratio, row.reason)
    total = _add(root, "cac:QuotedMonetaryTotal")
    _amount(total, "cbc:LineExtensionAmount", bom.subtotal, bom.currency)
    _amount(total, "cbc:TaxExclusiveAmount", bom.subtotal, bom.currency)
    if bom.vat is not None:
        _amount(total, "cbc:TaxInclusiveAmount", bom.total, bom.currency)
    _amount(total, "cbc:PayableAmount", bom.total, bom.currency)


def _put_category(category: Xml.Element, name: str, ratio: Decimal | None, reason: str) -> None:
    """A VAT category by its code; a standard rate of 0 has none, since why it is zero is not known here."""
    if name in _TAXES and (ratio or name != "standard"):
        _add(category, "cbc:ID", _TAXES[name])
    if ratio is not None:
        _add(category, "cbc:Percent", _plain(ratio * 100))
    _add_stated(category, "cbc:TaxExemptionReason", reason)
    _add(_add(category, "cac:TaxScheme"), "cbc:ID", "VAT")


def _put_lines(root: Xml.Element, proposal: Proposal, parts: Mapping[str, PartView]) -> None:
    currency = proposal.bom.currency
    taxes = {row.category: row.ratio for row in proposal.bom.vat_rows}
    head: Xml.Element | None = None
    number = ""
    for row in proposal.bom.rows:
        if row.is_group:
            number = row.note or row.position
            head = _put_group(root, row, number, currency)
        elif head is not None:
            _put_part(head, row, parts.get(row.part_id), number, currency, taxes)


def _put_group(root: Xml.Element, row: BomRow, number: str, currency: str) -> Xml.Element:
    """Add the line of a group of the bill."""
    line = _add(root, "cac:QuotationLine")
    _add(line, "cbc:ID", row.position)
    item = _line_item(line, "cac:LineItem", row, row.group_count, "H87", currency)
    if (price := price_of_group(row)) is not None:
        _amount(_add(item, "cac:Price"), "cbc:PriceAmount", price, currency)
    product = _add(item, "cac:Item")
    _add(product, "cbc:Name", row.title or row.position)
    _add(_add(product, "cac:SellersItemIdentification"), "cbc:ID", number)
    return item


def _line_item(parent: Xml.Element, name: str, row: BomRow, quantity: int, unit: str, currency: str) -> Xml.Element:
    item = _add(parent, name)
    _add(item, "cbc:ID", row.position)
    if not row.is_group:
        _add_stated(item, "cbc:Note", row.note)
    _add(item, "cbc:Quantity", str(quantity), unitCode=unit)
    if row.net_total is not None:
        _amount(item, "cbc:LineExtensionAmount", row.net_total, currency)
    return item


def _put_part(head: Xml.Element, row: BomRow, part: PartView | None, number: str, currency: str, taxes: Taxes) -> None:
    item = _line_item(head, "cac:SubLineItem", row, row.total, _UNITS[part.unit if part else "each"], currency)
    if row.net_unit is not None and row.list_unit is not None:
        price = _add(item, "cac:Price")
        _amount(price, "cbc:PriceAmount", row.net_unit, currency)
        if (reduced := discount_of(row)) is not None:
            discount = _add(price, "cac:AllowanceCharge")
            _add(discount, "cbc:ChargeIndicator", "false")
            _add(discount, "cbc:MultiplierFactorNumeric", _plain(row.discount_ratio))
            _amount(discount, "cbc:Amount", reduced, currency)
            _amount(discount, "cbc:BaseAmount", row.list_unit, currency)
    _put_item(item, row, part, number, taxes)


def _put_item(parent: Xml.Element, row: BomRow, part: PartView | None, number: str, taxes: Taxes) -> None:
    item = _add(parent, "cac:Item")
    _add(item, "cbc:Name", row.title or row.part_id or row.position)
    numbers = part.mpn if part is not None else ()
    own = dict(part.order_numbers).get("seller", "") if part is not None else ""
    _add(_add(item, "cac:SellersItemIdentification"), "cbc:ID", own or row.part_id or row.position)
    if numbers:
        _add(_add(item, "cac:ManufacturersItemIdentification"), "cbc:ID", numbers[0])
    if row.vat_category in taxes:
        _put_category(_add(item, "cac:ClassifiedTaxCategory"), row.vat_category, taxes[row.vat_category], "")
    stated = [("PartOf", number), ("QuantityPerUnit", str(row.count)), ("Kind", part.kind if part else "")]
    stated += [("ManufacturerPartNumber", other) for other in numbers[1:]]
    for name, value in stated:
        if value:
            entry = _add(item, "cac:AdditionalItemProperty")
            _add(entry, "cbc:Name", name)
            _add(entry, "cbc:Value", value)
    if row.maker.strip():
        _add(_add(_add(item, "cac:ManufacturerParty"), "cac:PartyName"), "cbc:Name", row.maker)


def _plain(number: Decimal) -> str:
    """A number without an exponent and without zeros at its end: 19, 0.18."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
