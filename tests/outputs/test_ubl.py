from __future__ import annotations

from decimal import Decimal
from xml.etree import ElementTree as Xml

import pytest

from rackwright.errors import OutputError
from rackwright.outputs.ubl import write_ubl
from rackwright.verdict import Status

from .exchange_sample import PARTS, quote, real
from .official import ubl_faults

_URN = "urn:oasis:names:specification:ubl:schema:xsd:"
NAMES = {
    "q": f"{_URN}Quotation-2",
    "cac": f"{_URN}CommonAggregateComponents-2",
    "cbc": f"{_URN}CommonBasicComponents-2",
}


def tree(language: str = "en", **options: object) -> Xml.Element:
    return Xml.fromstring(write_ubl(quote(language, prices="all", **options), PARTS))


def texts(element: Xml.Element, path: str) -> list[str]:
    return [found.text or "" for found in element.findall(path, NAMES)]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("vat", ["0.19", "0", None])
def test_it_keeps_to_the_official_schema(language: str, vat: str | None) -> None:
    assert ubl_faults(write_ubl(quote(language, prices="all", vat=vat), PARTS)) == []


def test_a_real_quote_keeps_to_the_official_schema() -> None:
    assert ubl_faults(write_ubl(*real("inference-4x-l40s"))) == []


def test_the_check_itself_finds_faults() -> None:
    content = write_ubl(quote(prices="all"), PARTS)
    assert len(ubl_faults(content.replace(b"<cbc:IssueDate>2026-12-01", b"<cbc:IssueDate>tomorrow"))) == 1


def test_totals_are_those_of_the_bill_to_the_cent() -> None:
    proposal = quote(prices="all")
    root = tree()
    assert texts(root, "cac:QuotedMonetaryTotal/*") == [
        str(proposal.bom.subtotal),
        str(proposal.bom.subtotal),
        str(proposal.bom.total),
        str(proposal.bom.total),
    ]
    assert texts(root, "cac:TaxTotal/cbc:TaxAmount") == [str(proposal.bom.vat)]
    groups = [Decimal(text) for text in texts(root, "cac:QuotationLine/cac:LineItem/cbc:LineExtensionAmount")]
    assert sum(groups) == proposal.bom.subtotal
    parts = [Decimal(text) for text in texts(root, ".//cac:SubLineItem/cbc:LineExtensionAmount")]
    assert sum(parts) == proposal.bom.subtotal


def test_every_price_times_its_quantity_is_the_amount_of_its_line() -> None:
    root = tree()
    items = [*root.findall(".//cac:LineItem", NAMES), *root.findall(".//cac:SubLineItem", NAMES)]
    assert len(items) == len(quote().bom.rows)
    for item in items:
        quantity, amount, price = (
            Decimal(texts(item, path)[0])
            for path in ("cbc:Quantity", "cbc:LineExtensionAmount", "cac:Price/cbc:PriceAmount")
        )
        assert quantity * price == amount


def test_parts_say_what_they_are_part_of() -> None:
    root = tree()
    named = texts(root, "cac:QuotationLine/cac:LineItem/cac:Item/cac:SellersItemIdentification/cbc:ID")
    assert named == ["inference", "storage", "3"]
    for line, name in zip(root.findall("cac:QuotationLine", NAMES), named, strict=True):
        for item in line.findall(".//cac:SubLineItem/cac:Item", NAMES):
            properties = zip(
                texts(item, "cac:AdditionalItemProperty/cbc:Name"),
                texts(item, "cac:AdditionalItemProperty/cbc:Value"),
                strict=True,
            )
            assert dict(properties)["PartOf"] == name


def test_numbers_of_seller_and_maker_and_the_unit() -> None:
    root = tree()
    gpu = root.findall(".//cac:SubLineItem", NAMES)[4]
    assert texts(gpu, "cac:Item/cac:SellersItemIdentification/cbc:ID") == ["A-4711"]
    assert texts(gpu, "cac:Item/cac:ManufacturersItemIdentification/cbc:ID") == ["900-21010-0020-000"]
    assert texts(gpu, "cac:Price/cac:AllowanceCharge/*") == ["false", "0.125", "3556.255", "28450.005"]
    units = [quantity.get("unitCode") for quantity in root.findall(".//cac:SubLineItem/cbc:Quantity", NAMES)]
    assert (units.count("H87"), units[-1]) == (len(units) - 1, "DAY")


def test_open_points_and_terms_go_along() -> None:
    root = tree()
    assert "To be confirmed before ordering: highest inlet temperature (Nordhain NX-760 G5)" in texts(root, "cbc:Note")
    assert texts(root, "cac:TransactionConditions/cbc:Description") == list(quote().terms)
    assert texts(root, "cac:ValidityPeriod/cbc:EndDate") == ["2027-01-15"]


def test_without_a_rate_no_tax_is_stated() -> None:
    root = tree(vat=None)
    assert root.find("cac:TaxTotal", NAMES) is None
    assert texts(root, "cac:QuotedMonetaryTotal/cbc:TaxInclusiveAmount") == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prices": "some"}, "2 of 17 lines have no price"),
        ({"prices": "all", "is_draft": True}, "a draft is no offer"),
        ({"prices": "all", "status": Status.INVALID}, "a draft is no offer"),
    ],
)
def test_what_is_no_offer_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OutputError, match=message):
        write_ubl(quote(**options), PARTS)


def test_vat_is_stated_by_category_and_line() -> None:
    """Processors under reverse charge, all else at 19 %: 197457.39 x 0.19 = 37516.90 and 28008.00 without tax."""
    proposal, parts = real("offer-4x-l40s", "de")
    content = write_ubl(proposal, parts)
    assert ubl_faults(content) == []
    root = Xml.fromstring(content)
    rows = [
        [*texts(part, "cbc:TaxableAmount"), *texts(part, "cbc:TaxAmount"), *texts(part, "cac:TaxCategory/cbc:ID")]
        for part in root.findall("cac:TaxTotal/cac:TaxSubtotal", NAMES)
    ]
    assert rows == [["197457.39", "37516.90", "S"], ["28008.00", "0.00", "AE"]]
    assert texts(root, "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason") == [
        "§ 13b Abs. 2 Nr. 10 UStG"
    ]
    by_kind = {
        (
            item.findall("cac:AdditionalItemProperty/cbc:Value", NAMES)[2].text,
            *texts(item, "cac:ClassifiedTaxCategory/cbc:ID"),
        )
        for item in root.findall(".//cac:SubLineItem/cac:Item", NAMES)
    }
    assert {kind for kind, code in by_kind if code == "AE"} == {"cpu"}


def test_options_are_in_no_line() -> None:
    proposal, parts = real("offer-4x-l40s", "de")
    assert proposal.bom.offered
    lines = texts(Xml.fromstring(write_ubl(proposal, parts)), ".//cac:SubLineItem/cbc:ID")
    assert lines == [row.position for row in proposal.bom.rows if not row.is_group]
