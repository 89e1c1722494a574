"""Words and figures in the language of a document. Everything that a document prints goes through here once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Protocol

from rackwright.diagnostic import Figure, Message, fill
from rackwright.units import NUMBER, Unit, format_number, unit_by_symbol, unit_of

NARROW_SPACE = "\u202f"
# Words of the data that are two words in print.
_SPACED = {
    "end_of_sale": "end of sale",
    "end_of_life": "end of life",
    "llm-inference": "LLM inference",
    "vdi": "virtual desktops",
}
# Losses and columns of the failure replay, put together by the facts; the first pattern that fits counts.
LOSS_PHRASES = (
    "nothing lost",
    "{psu} of server {number} lost",
    "a fan of {node} lost in one server",
    "{psu} lost in one server",
    "line {line} of feed {feed} lost",
    "line {line} of {pdu} lost",
    "bank {bank} of {pdu} lost",
    "feed {feed} lost",
    "PDU {pdu} lost",
    "{psu} lost",
    "{node} supplies",
    "{pdu} bank {bank}",
)
# What stood in the way of a verdict, put together by the evaluation of expressions.
REASON_PHRASES = (
    "{function} of an empty list",
    "division by zero in {formula}",
    "a figure beyond all bounds in {formula}",
)


class Formats(Protocol):
    """How a language prints figures."""

    def number(self, value: float, decimals: int = 3) -> str:
        """Print a number with at most `decimals` decimals."""

    def fixed(self, value: float, decimals: int) -> str:
        """Print a number with just as many decimals, for columns."""

    def money(self, amount: Decimal, currency: str) -> str:
        """Print an amount with its currency."""

    def percent(self, ratio: float) -> str:
        """Print a ratio as a percentage."""

    def date(self, iso: str) -> str:
        """Print an ISO date."""


class PlainFormats:
    """Figures for the terminal: no library, spaces between thousands."""

    space = " "

    def number(self, value: float, decimals: int = 3) -> str:
        """Print a number."""
        return format_number(round(value, decimals))

    def fixed(self, value: float, decimals: int) -> str:
        """Print a number with just as many decimals."""
        return f"{value:,.{decimals}f}".replace(",", " ")

    def money(self, amount: Decimal, currency: str) -> str:
        """Print an amount: `12 345.60 EUR`."""
        return f"{amount:,.2f} {currency}".replace(",", " ")

    def percent(self, ratio: float) -> str:
        """Print a ratio as a percentage."""
        return f"{self.number(ratio * 100, 1)} %"

    def date(self, iso: str) -> str:
        """Print an ISO date as it is."""
        return iso


class LocaleFormats:
    """Figures for documents, printed by Babel in the conventions of a language."""

    space = NARROW_SPACE

    def __init__(self, language: str) -> None:
        self._locale = {"en": "en_GB", "de": "de_DE"}.get(language, language)

    def number(self, value: float, decimals: int = 3) -> str:
        """Print a number with at most `decimals` decimals."""
        from babel.numbers import format_decimal

        pattern = "#,##0." + "#" * decimals if decimals else "#,##0"
        return format_decimal(Decimal(str(round(value, decimals))), format=pattern, locale=self._locale)

    def fixed(self, value: float, decimals: int) -> str:
        """Print a number with just as many decimals."""
        from babel.numbers import format_decimal

        pattern = "#,##0." + "0" * decimals if decimals else "#,##0"
        return format_decimal(Decimal(str(round(value, decimals))), format=pattern, locale=self._locale)

    def money(self, amount: Decimal, currency: str) -> str:
        """Print an amount with the currency's sign where the language puts it."""
        from babel.numbers import format_currency

        return format_currency(amount, currency, locale=self._locale)

    def percent(self, ratio: float) -> str:
        """Print a ratio as a percentage with one decimal at most."""
        return f"{self.number(ratio * 100, 1)}{NARROW_SPACE}%"

    def date(self, iso: str) -> str:
        """Print an ISO date in words: `1 December 2026`, `1. Dezember 2026`."""
        import datetime

        from babel.dates import format_date

        return format_date(datetime.date.fromisoformat(iso), format="long", locale=self._locale)


@lru_cache(maxsize=64)
def _regex(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", pattern)
    texts = (f"(?P<{piece}>.+)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces))
    return re.compile("".join(texts), re.DOTALL)


class Texts:
    """Translates and formats for one document.

    `translations` maps English source texts to the document's language; a text without an entry stays English.
    `untranslated` collects those, so that a test can find what is missing.
    """

    def __init__(self, language: str, translations: Mapping[str, str], formats: PlainFormats | LocaleFormats) -> None:
        self.language = language
        self.formats = formats
        self._translations = translations
        self.untranslated: set[str] = set()

    def text(self, english: str, **holes: str) -> str:
        """Return a text in the document's language, its holes filled."""
        if self.language == "en" or not english:
            return fill(english, holes)
        known = self._translations.get(english)
        if not known:
            self.untranslated.add(english)
        return fill(known or english, holes)

    def term(self, word: str) -> str:
        """Return a word or unit of the data (`front-to-back`, `U`) in the document's language, if it has one."""
        spaced = _SPACED.get(word, word)
        known = self._translations.get(spaced) if self.language != "en" else None
        return known or spaced

    def words(self, text: str) -> str:
        """Return texts of the data with semicolons, or a list of words with commas, in the document's language."""
        if "; " in text:
            return "; ".join(self.words(part) for part in text.split("; "))
        whole = self.phrase(self.term(text), *LOSS_PHRASES, *REASON_PHRASES)
        return whole if whole != text else ", ".join(self.term(word) for word in text.split(", "))

    def phrase(self, text: str, *patterns: str) -> str:
        """Return a text that code has put together in the document's language.

        `patterns` are the source texts of which it may be made, the first that fits counts. A text that fits none is
        returned as it is.
        """
        for pattern in patterns if self.language != "en" else ():
            if found := _regex(pattern).fullmatch(text):
                return self.text(pattern, **found.groupdict())
        return text

    def message(self, message: Message | None) -> str:
        """Return a message in the document's language with its figures printed."""
        if message is None:
            return ""
        return self.text(message.template, **{name: self.figure(figure) for name, figure in message.figures.items()})

    def figure(self, figure: Figure) -> str:
        """Print the value of a figure."""
        value = figure.value
        if isinstance(value, str):
            return value if figure.is_written else self.words(value)
        if isinstance(value, bool):
            return self.text("yes" if value else "no")
        return self.quantity(value, figure.unit)

    def quantity(self, value: float | None, unit: Unit | str = NUMBER, decimals: int = 3) -> str:
        """Print a figure with its unit, `not known` for None. `unit` is a unit or its symbol."""
        if value is None:
            return self.text("not known")
        resolved = unit_by_symbol(unit) if isinstance(unit, str) else unit
        symbol = self.term((resolved or NUMBER).symbol)
        number = self.formats.number(value, decimals)
        return f"{number}{self.formats.space}{symbol}" if symbol else number

    def of_field(self, name: str, value: float | None, decimals: int = 1) -> str:
        """Print a figure whose field name carries the unit: `draw_peak_w`."""
        return self.quantity(value, unit_of(name), decimals)

    def power(self, watts: float | None) -> str:
        """Print a power in W, from 10 000 W on in kW."""
        if watts is not None and watts >= 10_000:
            return self.quantity(watts / 1000, "kW", 2)
        return self.quantity(watts, "W", 0)
