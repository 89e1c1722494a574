"""Proposals whose texts try to be something else: formulas, links, codes, markup."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rackwright.diagnostic import Severity
from rackwright.proposal.model import Proposal
from rackwright.verdict import Outcome, Status

from .sheet_bill import Item, bill, group_rows, translator
from .sheet_sample import sample

HOSTILE = (
    "=1+1", '=HYPERLINK("http://example.com","x")', "=cmd|' /C calc'!A0", "+49 341 1234", "-5", "@SUM(A1)", "\t=1+1",
    "\r=1+1", "\n=1+1", "'=1+1", " =1+1", "1E5", "0012", "1.10", "2026-12-01", "#N/A", "#REF!", "TRUE", "50%", "1,5",
    "_x0041_", "a\x00b\x07c", "<b>&amp;</b>", "]]>", '"quoted"', "\u202egnp.exe", "\ud800", "x" * 40_000, "日本語", "",
    "=2+5+cmd|' /C calc'!A0", "%0A=1", "\ufeff=1", "；=1", "{=1+1}", "&P &N", "file:///etc/passwd",
    "javascript:alert(1)",
    *(start + rest for start in "=+-@\t\n" for rest in ("1", "A1", "SUM(A1:A9)", "\\\\server\\share", "1e3", "x y")),
)  # fmt: skip


def bent(value: Any, text: str) -> Any:
    """The value with every text in it replaced, except those that the layout needs."""
    if isinstance(value, str) and not isinstance(value, Severity | Outcome | Status):
        return text
    if isinstance(value, tuple):
        return tuple(bent(item, text) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: bent(getattr(value, f.name), text) for f in fields(value)})
    return value


def hostile(text: str) -> Proposal:
    """A proposal with one text in every field that comes from a catalog, a configuration or a price list."""
    plain = sample()
    kept = {name: getattr(plain, name) for name in ("language", "labels", "date_iso", "is_draft")}
    rows = tuple(replace(bent(row, text), position=row.position) for row in plain.bom.rows)
    return replace(bent(plain, text), **kept, bom=replace(plain.bom, rows=rows))


def hostile_lines() -> Proposal:
    """A bill with a line for each hostile text."""
    text = translator("en")
    items = [Item(nasty, nasty, nasty, nasty, 1, "1.00", "0", nasty) for nasty in HOSTILE]
    return replace(sample(), bom=bill(group_rows("1", "n", "t", 1, items, text=text), text, None))
