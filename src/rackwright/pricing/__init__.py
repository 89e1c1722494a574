"""Prices on a bill: the values (model), the choice of a price (choose) and what the seller adds or gives (terms)."""

from rackwright.pricing.choose import price_bom
from rackwright.pricing.model import (
    EXEMPT,
    REVERSE_CHARGE,
    STANDARD,
    VAT_CATEGORIES,
    Foreign,
    Price,
    PricedBom,
    PricedLine,
    Rate,
    Trade,
    VatGroup,
    rounded,
)
from rackwright.pricing.terms import Adjustment, Terms

__all__ = [
    "EXEMPT",
    "REVERSE_CHARGE",
    "STANDARD",
    "VAT_CATEGORIES",
    "Adjustment",
    "Foreign",
    "Price",
    "PricedBom",
    "PricedLine",
    "Rate",
    "Terms",
    "Trade",
    "VatGroup",
    "price_bom",
    "rounded",
]
