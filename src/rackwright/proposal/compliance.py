"""What is stated of a part for customs, export and the environment, as documents print it. Nothing is derived."""

from __future__ import annotations

from typing import Any

from rackwright.catalog import Part
from rackwright.pricing import Trade
from rackwright.proposal.findings import cite
from rackwright.proposal.money_model import Cited, Compliance
from rackwright.proposal.texts import Texts

DECLARATION_LABELS = {
    "ce": "CE declaration",
    "rohs": "RoHS",
    "reach": "REACH",
    "weee": "WEEE",
    "ecodesign": "ecodesign, (EU) 2019/424",
}


def cited(part: Part, path: str, texts: Texts) -> Cited:
    """The document in which a figure of a part stands, with its address."""
    citation, _ = part.evidence_of(path)
    return Cited() if citation is None else Cited(cite(citation, texts), citation.url or "")


def compliance_of(part: Part, listed: Trade | None, texts: Texts) -> Compliance:
    """What maker and supplier state of a part. The list counts before the part file: it is of this order.

    Work and licences that have no body are no goods: they keep `not stated` too, because nobody said more.
    """
    unstated = texts.text("not stated")
    stated: dict[str, Any] = part.data.get("trade") or {}
    codes = "; ".join(f"{place}: {code}" for place, code in (stated.get("hs_codes") or {}).items())
    classes = stated.get("export") or ()
    by_list = listed is not None and bool(listed.export_class)
    citation, _ = part.evidence_of("trade.export") if classes else (None, None)
    lifecycle = part.data.get("lifecycle") or {}
    return Compliance(
        hs_codes=(listed.hs_codes if listed is not None else "") or codes or unstated,
        origin=(listed.origin if listed is not None else "") or ", ".join(stated.get("origin") or ()) or unstated,
        export_class=listed.export_class
        if listed is not None and by_list
        else "; ".join(f"{entry['regime']} {entry['code']}" for entry in classes) or unstated,
        stated_by=(listed.stated_by if listed is not None and by_list else cite(citation, texts) if citation else "")
        or unstated,
        as_of_iso=listed.as_of
        if listed is not None and by_list
        else max((str(entry["as_of"]) for entry in classes), default=""),
        end_of_sale=str(lifecycle.get("end_of_sale") or "") or unstated,
        replaced_by=str(lifecycle.get("replaced_by") or "") or unstated,
        declarations=tuple(
            (texts.text(DECLARATION_LABELS[word]), str(url)) for word, url in (stated.get("declarations") or {}).items()
        ),
    )
