"""Parts of the view model on money, terms and trade; see model.py."""

from __future__ import annotations

from decimal import Decimal

from rackwright.frozen import frozen


@frozen(slots=True)
class Labelled:
    """A label and its value, for key figures."""

    label: str
    value: str
    note: str = ""


@frozen(slots=True)
class Cited:
    """Where a figure stands: the document as it is printed, and its web address; empty where not stated."""

    text: str = ""
    url: str = ""


@frozen(slots=True)
class Compliance:
    """What is stated of a part for customs and export; a text says `not stated` where nothing is.

    `stated_by` is who classified it, `as_of` the day. `declarations` are words with web addresses.
    """

    hs_codes: str = ""
    origin: str = ""
    export_class: str = ""
    stated_by: str = ""
    as_of_iso: str = ""
    end_of_sale: str = ""
    replaced_by: str = ""
    declarations: tuple[tuple[str, str], ...] = ()


@frozen(slots=True)
class Share:
    """What share of the net total a group of kinds has."""

    label: str
    ratio: float
    ratio_text: str


@frozen(slots=True)
class VatRow:
    """The lines of a VAT category: their net sum and the tax. `ratio` and `tax` are None where no rate is stated."""

    category: str
    word: str
    label: str
    base: Decimal
    base_text: str
    ratio: Decimal | None
    tax: Decimal | None
    tax_text: str
    reason: str = ""


@frozen(slots=True)
class OfferView:
    """The terms of the offer. `head` are those that the first page shows; `notes` are sentences that must be printed.

    `is_stated` tells whether the configuration says anything of them.
    """

    rows: tuple[Labelled, ...] = ()
    head: tuple[Labelled, ...] = ()
    seller: tuple[Labelled, ...] = ()
    notes: tuple[str, ...] = ()
    is_stated: bool = False
