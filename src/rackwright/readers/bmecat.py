"""Reads prices of a BMEcat 2005 file: the transaction T_UPDATE_PRICES.

Source: BMEcat 2005.2, BME e.V., XML schema of 2022-09-10, T_UPDATE_PRICES and PRODUCT_PRICE.

The parser knows no document type: entities cannot be declared, nothing outside of the file is ever asked for. Of all
elements only prices are read, so that such a file can change nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from xml.parsers import expat

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.limits import is_iso_day
from rackwright.pricing import Price
from rackwright.readers.files import printable
from rackwright.readers.price_names import MAX_FINDINGS, Names, ambiguous, key_of
from rackwright.source import Location

LIMIT_BYTES = 200_000_000
_DEPTH_MAX, _TEXT_MAX = 30, 4_000
_AMOUNT = re.compile(r"\+?[0-9]{1,12}(?:\.[0-9]{1,10})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
# net_list: the supplier's list price without tax; net_customer: what this customer pays, without tax.
_LIST, _COST = "net_list", "net_customer"
_IGNORED = {"on_request"}


class _RefusedError(Exception):
    """What the file must not contain."""


class _Tree:
    """An element with its text and children: just enough of a document."""

    __slots__ = ("attributes", "children", "line", "name", "text")

    def __init__(self, name: str, attributes: Mapping[str, str], line: int) -> None:
        self.name, self.attributes, self.line = name, attributes, line
        self.text = ""
        self.children: list[_Tree] = []

    def all(self, name: str) -> list[_Tree]:
        """The children of a name."""
        return [child for child in self.children if child.name == name]

    def value(self, name: str) -> str:
        """The text of the first child of a name, empty if there is none."""
        found = self.all(name)
        return found[0].text.strip() if found else ""


def read_bmecat(path: Path, shown: str, names: Names) -> tuple[list[Price], list[Finding]]:
    """Read the prices of the products that the bill has; a list is for everything that a house sells.

    Shapes: SUPPLIER_PID is a maker's or seller's number of a part; net_list becomes the unit price, net_customer the
    seller's cost. Prices that include tax (gros_list, nrp) are not used.
    Errors: none raised. CFG001 the file cannot be opened; CFG005 too large; BOM096 not the XML that is wanted; BOM094 a
    value that cannot be read; BOM095 two prices for the same; BOM100 a number of several parts; BOM101 (advice) how
    many products the bill does not have; BOM102 a price that includes tax.
    """
    reader = _Reader(shown, names)
    try:
        if path.stat().st_size > LIMIT_BYTES:
            return [], [finding("CFG005", "{file} is over the limit of {limit} bytes", Location(shown),
                              fix="split the file, or check that it is the right one",
                              file=printable(shown), limit=LIMIT_BYTES)]  # fmt: skip
        with path.open("rb") as file:
            reader.parse(file.read())
    except OSError as error:
        return [], [finding("CFG001", "{file} cannot be opened: {reason}", Location(shown),
                          fix="check the path and the permissions of the file",
                          file=printable(shown), reason=error.strerror or "")]  # fmt: skip
    except _RefusedError as refused:
        return [], [_unreadable(Location(shown, reader.line), str(refused))]
    except (expat.ExpatError, ValueError, LookupError) as error:
        return [], [_unreadable(Location(shown, reader.line), printable(str(error), 200))]
    return reader.result()


def _unreadable(at: Location, reason: str) -> Finding:
    return finding("BOM096", "the price list cannot be read on: {reason}", at,
                   fix="export it as BMEcat 2005 T_UPDATE_PRICES, without a document type", reason=reason)  # fmt: skip


class _Reader:
    """Goes through the file once and keeps one product at a time."""

    def __init__(self, shown: str, names: Names) -> None:
        self._shown, self._names = shown, names
        self._stack: list[_Tree] = []
        self._header = _Tree("HEADER", {}, 1)
        self._seen_transaction = False
        self._prices: dict[tuple[object, ...], Price] = {}
        self._findings: list[Finding] = []
        self._unknown: list[str] = []
        self._products = 0
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse
        self._parser.buffer_text = True

    @property
    def line(self) -> int:
        """The line that is being read."""
        return self._parser.CurrentLineNumber

    def parse(self, data: bytes) -> None:
        """Read the whole file. Raises what expat raises, and _RefusedError."""
        self._parser.Parse(data, True)
        if not self._seen_transaction:
            raise _RefusedError("it has no T_UPDATE_PRICES")

    def result(self) -> tuple[list[Price], list[Finding]]:
        """The prices, and the findings with one for all products that the bill does not have."""
        if self._unknown:
            self._findings.append(
                finding("BOM101", "{count} of {total} products of the list are not on the bill: {first}",
                        Location(self._shown), severity=Severity.ADVICE,
                        fix="none is needed, unless one of them should be",
                        count=len(self._unknown), total=self._products,
                        first=", ".join(map(printable, self._unknown[:6])) + (" …" if self._unknown[6:] else ""))
            )  # fmt: skip
        return list(self._prices.values()), self._findings[: MAX_FINDINGS + 1]

    def _refuse(self, *_: object) -> int:
        raise _RefusedError("it declares a document type or entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition("}")[2]
        if len(self._stack) >= _DEPTH_MAX:
            raise _RefusedError("its elements are nested too deep")
        if not self._stack and local != "BMECAT":
            raise _RefusedError("it is no BMEcat file")
        element = _Tree(local, attributes, self.line)
        if self._stack and self._is_kept(self._stack):
            self._stack[-1].children.append(element)
        self._seen_transaction |= local == "T_UPDATE_PRICES"
        self._stack.append(element)

    @staticmethod
    def _is_kept(stack: list[_Tree]) -> bool:
        """Products are forgotten when they are read; the header stays."""
        return stack[-1].name not in ("BMECAT", "T_UPDATE_PRICES")

    def _characters(self, text: str) -> None:
        if self._stack and len(self._stack[-1].text) < _TEXT_MAX:
            self._stack[-1].text += text

    def _end(self, _name: str) -> None:
        element = self._stack.pop()
        if element.name == "HEADER":
            self._header = element
        elif element.name in ("PRODUCT", "ARTICLE") and self._stack and self._stack[-1].name == "T_UPDATE_PRICES":
            self._product(element)

    def _product(self, product: _Tree) -> None:
        self._products += 1
        number = product.value("SUPPLIER_PID") or product.value("SUPPLIER_AID")
        parts = self._names.of_number(number)
        if not parts and self._names.is_known(number):
            parts = (number,)
        at = Location(self._shown, product.line)
        if len(parts) != 1:
            if parts:
                self._tell(ambiguous(number, parts, at))
            else:
                self._unknown.append(number)
            return
        for name in ("PRODUCT_PRICE_DETAILS", "ARTICLE_PRICE_DETAILS"):
            for details in product.all(name):
                for price in self._details(parts[0], number, details):
                    self._keep(price)

    def _keep(self, price: Price) -> None:
        key = key_of(price)
        first = self._prices.setdefault(key, price)
        if first is price:
            return
        joined = replace(first, unit_price=first.unit_price if first.unit_price is not None else price.unit_price,
                         cost=first.cost if first.cost is not None else price.cost)  # fmt: skip
        is_new = (first.unit_price is None or price.unit_price is None) and (first.cost is None or price.cost is None)
        if is_new:
            self._prices[key] = joined
        else:
            self._tell(finding("BOM095", "a second price for {part} from {quantity} pieces on", price.at,
                               fix="keep one of the two", part=price.part, quantity=price.quantity_min))  # fmt: skip

    def _details(self, part: str, number: str, details: _Tree) -> Iterator[Price]:
        start, end = details.value("VALID_START_DATE")[:10], details.value("VALID_END_DATE")[:10]
        for moment in details.all("DATETIME"):
            if moment.attributes.get("type") == "valid_start_date":
                start = moment.value("DATE")
            elif moment.attributes.get("type") == "valid_end_date":
                end = moment.value("DATE")
        at = Location(self._shown, details.line)
        for day in (start, end):
            if day and not is_iso_day(day):
                self._bad("DATETIME", day, "an ISO date, as in 2027-01-31", at)
                return
        for name in ("PRODUCT_PRICE", "ARTICLE_PRICE"):
            for entry in details.all(name):
                price = self._price(part, entry)
                if price is not None:
                    yield replace(price, valid_from=start or None, valid_until=end or None, supplier_number=number)

    def _price(self, part: str, entry: _Tree) -> Price | None:
        at = Location(self._shown, entry.line)
        kind = entry.attributes.get("price_type", "")
        if kind in _IGNORED:
            return None
        if kind not in (_LIST, _COST):
            self._tell(
                finding("BOM102", "a price of {part} is of the type {kind}, which is not used", at,
                        severity=Severity.WARNING, fix="ask for net_list or net_customer prices",
                        part=part, kind=printable(kind))
            )  # fmt: skip
            return None
        catalog = (self._header.all("CATALOG") or [self._header])[0]
        currency = entry.value("PRICE_CURRENCY") or catalog.value("CURRENCY")
        bound, amount = entry.value("LOWER_BOUND") or "1", entry.value("PRICE_AMOUNT")
        factor = entry.value("PRICE_FACTOR") or catalog.value("PRICE_FACTOR") or "1"
        if not _CURRENCY.fullmatch(currency):
            self._bad("PRICE_CURRENCY", currency, "three letters, as in EUR", at)
            return None
        if not _AMOUNT.fullmatch(amount) or not _AMOUNT.fullmatch(factor):
            self._bad("PRICE_AMOUNT", amount, "an amount with a point", at)
            return None
        if not _AMOUNT.fullmatch(bound) or Decimal(bound) != int(Decimal(bound)):
            self._bad("LOWER_BOUND", bound, "a whole number from 1 on", at)
            return None
        if entry.all("PRICE_BASE") or entry.all("PRICE_FORMULA"):
            self._bad("PRICE_BASE", "", "a price for one piece", at)
            return None
        places = [place.text.strip()[:2] for place in entry.all("TERRITORY") or catalog.all("TERRITORY")]
        value = Decimal(amount) * Decimal(factor)
        price = Price(part, None, currency, max(1, int(Decimal(bound))), at=at, territory=tuple(sorted(set(places))))
        return replace(price, unit_price=value) if kind == _LIST else replace(price, cost=value)

    def _bad(self, column: str, value: str, expected: str, at: Location) -> None:
        self._tell(finding("BOM094", "{column} is '{value}'", at, fix="write {expected}",
                           column=column, value=printable(value), expected=expected))  # fmt: skip

    def _tell(self, item: Finding) -> None:
        if len(self._findings) < MAX_FINDINGS:
            self._findings.append(item)
