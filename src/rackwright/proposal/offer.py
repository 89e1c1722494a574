"""The terms of the offer as documents print them. What nobody stated is printed as not stated."""

from __future__ import annotations

from rackwright.commerce import Delivery, Offer, Payment, Seller, Warranty
from rackwright.configuration import Quote
from rackwright.pricing import EXEMPT, REVERSE_CHARGE, PricedBom
from rackwright.proposal.money_model import Labelled, OfferView
from rackwright.proposal.texts import Texts

WARRANTY_LABELS = {
    "statutory": "statutory warranty",
    "seller_guarantee": "guarantee of the seller",
    "maker_guarantee": "guarantee of the maker",
}


def offer_view(quote: Quote, priced: PricedBom, texts: Texts) -> OfferView:
    """Lay out the terms of a quote. `head` is the part that belongs on the first page."""
    offer = quote.offer
    unstated = texts.text("not stated")
    binding = {True: texts.text("binding"), False: texts.text("subject to change, not binding"), None: ""}
    until = texts.formats.date(offer.binding_until) if offer.binding_until else ""
    head = [
        Labelled(texts.text("Offer"), binding[offer.is_binding] or unstated),
        Labelled(texts.text("Bound until"), until or unstated),
        Labelled(texts.text("Delivery term"), _term(offer.delivery, texts) or unstated),
        Labelled(texts.text("Delivery time"), _time(offer.delivery, texts) or unstated),
        Labelled(texts.text("Payment"), _payment(offer.payment, texts) or unstated),
    ]
    warranty = Labelled(texts.text("Warranty"), _warranties(offer, texts) or unstated)
    rows = [*head, warranty, *_others(offer, texts)]
    is_stated = offer != Offer() or quote.seller != Seller()
    return OfferView(
        rows=tuple(rows),
        head=tuple(row for row in head if row.value != unstated) if is_stated else (),
        seller=tuple(_seller(quote.seller, unstated, texts)),
        notes=tuple(_notes(priced, texts)),
        is_stated=is_stated,
    )


def _term(delivery: Delivery | None, texts: Texts) -> str:
    if delivery is None:
        return ""
    words = " ".join(word for word in (delivery.incoterm, delivery.place) if word)
    if delivery.incoterm and delivery.incoterms_year:
        return texts.text("{term}, Incoterms {year}", term=words, year=str(delivery.incoterms_year))
    return words


def _time(delivery: Delivery | None, texts: Texts) -> str:
    if delivery is None or delivery.weeks is None:
        return ""
    return texts.text("{weeks} weeks from order", weeks=str(delivery.weeks))


def _payment(payment: Payment | None, texts: Texts) -> str:
    if payment is None:
        return ""
    words = []
    if payment.prepayment_ratio is not None:
        share = texts.formats.percent(payment.prepayment_ratio)
        words.append(texts.text("{share} with the order", share=share))
    if payment.days is not None:
        words.append(texts.text("{days} days net", days=str(payment.days)))
    for skonto in payment.skonto:
        share = texts.formats.percent(skonto.ratio)
        words.append(texts.text("{share} discount within {days} days", share=share, days=str(skonto.days)))
    return "; ".join([*words, *([payment.note] if payment.note else [])])


def _warranties(offer: Offer, texts: Texts) -> str:
    return "; ".join(_warranty(warranty, texts) for warranty in offer.warranties)


def _warranty(warranty: Warranty, texts: Texts) -> str:
    words = [texts.text(WARRANTY_LABELS[warranty.kind])]
    if warranty.months is not None:
        words.append(texts.text("{months} months", months=str(warranty.months)))
    return ", ".join([*words, *([warranty.note] if warranty.note else [])])


def _others(offer: Offer, texts: Texts) -> list[Labelled]:
    """Terms that are printed only where they are stated."""
    rows = []
    delivery = offer.delivery
    if delivery is not None and delivery.is_partial_allowed is not None:
        allowed = texts.text("allowed") if delivery.is_partial_allowed else texts.text("not allowed")
        rows.append(Labelled(texts.text("Partial delivery"), allowed))
    if delivery is not None and delivery.note:
        rows.append(Labelled(texts.text("Delivery"), delivery.note))
    if offer.is_title_retained is not None:
        kept = texts.text("the goods stay the seller's until they are paid in full")
        rows.append(
            Labelled(texts.text("Retention of title"), kept if offer.is_title_retained else texts.text("none"))
        )
    if offer.place_of_performance:
        rows.append(Labelled(texts.text("Place of performance"), offer.place_of_performance))
    if offer.venue:
        rows.append(Labelled(texts.text("Venue"), offer.venue))
    return rows


def _seller(seller: Seller, unstated: str, texts: Texts) -> list[Labelled]:
    rows = [
        Labelled(texts.text("Seller"), seller.name or unstated),
        Labelled(texts.text("Address"), seller.address or unstated),
        Labelled(texts.text("VAT ID"), seller.vat_id or unstated),
        Labelled(texts.text("WEEE registration"), seller.weee or unstated),
    ]
    if seller.company_register:
        rows.append(Labelled(texts.text("Company register"), seller.company_register))
    return rows


def _notes(priced: PricedBom, texts: Texts) -> list[str]:
    """What the law wants in words where no tax is charged, and the reasons that the user gave."""
    notes = []
    for group in priced.vat_groups:
        reasons = "; ".join(group.reasons)
        if group.category == REVERSE_CHARGE:
            notes.append(texts.text("Reverse charge: the recipient owes the VAT."))
        elif group.category == EXEMPT:
            notes.append(texts.text("Exempt lines carry no VAT."))
        if group.category in (REVERSE_CHARGE, EXEMPT) and reasons:
            notes[-1] += f" {reasons}"
    return notes
