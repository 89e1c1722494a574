"""From a run to its bill with prices: price lists, and what the quote says on rates, discounts, margins and taxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from rackwright.api.runs import Run
from rackwright.bom import Bom
from rackwright.configuration import ConfigurationFile
from rackwright.diagnostic import Finding
from rackwright.pricing import Adjustment, Price, PricedBom, Rate, Terms, price_bom
from rackwright.readers.files import as_text, resolve_inside
from rackwright.source import Location

# Findings on a file that stays in the house: no report has them.
INTERNAL_SUBJECT = "calculation"


def priced(
    run: Run, price_lists: Sequence[Path] = (), calculation: Path | None = None
) -> tuple[PricedBom, list[Finding]]:
    """Price the bill of a run with the lists and the calculation that the configuration names and those given here.

    A calculation given here stands in place of the named one.
    """
    assert run.bom is not None
    quote, folder = run.file.configuration.quote, run.file.folder
    findings: list[Finding] = []
    lists: list[tuple[Path, str]] = []

    def named(name: str, *place: str | int) -> tuple[Path, str] | None:
        path, problems = resolve_inside(folder, name, run.file.at(("quote", *place)))
        findings.extend(problems)
        return None if path is None else (path, as_text(folder / name))

    for index, name in enumerate(quote.prices):
        found = named(name, "prices", index)
        lists += [found] if found else []
    lists += [(path, as_text(path)) for path in price_lists]
    prices: list[Price] = []
    if lists:
        from rackwright.readers.prices import read_prices

        catalog, numbers = run.workshop.catalog, numbers_of(run.bom)
        own = {line.part.id for line in run.bom.lines if line.part.id.startswith("own/")}
        is_known: Callable[[str], bool] = lambda part: part in own or catalog.find(part) is not None  # noqa: E731
        for path, shown in lists:
            read, problems = read_prices(path, shown, is_known, numbers)
            prices, findings = [*prices, *read], [*findings, *problems]
    margins: tuple[Adjustment, ...] = ()
    least: float | None = None
    file = (calculation, as_text(calculation)) if calculation is not None else None
    if file is None and quote.calculation is not None:
        file = named(quote.calculation, "calculation")
    if file is not None:
        from rackwright.readers.calculation import read_calculation

        rules, margins, problems = read_calculation(*file)
        findings += [replace(item, subject=INTERNAL_SUBJECT) for item in problems]
        least = rules.margin_min_ratio if rules is not None else None
    bill, problems = price_bom(
        run.bom,
        prices,
        quote.currency,
        date=quote.date,
        vat_ratio=_decimal(quote.vat_ratio),
        terms=terms_of(run.file, margins),
        margin_min_ratio=_decimal(least),
    )
    return bill, [*findings, *problems]


def _decimal(value: float | None) -> Decimal | None:
    """A ratio as the user wrote it: the shortest text that stands for the number."""
    return None if value is None else Decimal(str(value))


def numbers_of(bom: Bom) -> dict[str, list[str]]:
    """The parts of a bill by every number by which a list may name them: ids, makers' and sellers' numbers."""
    numbers: dict[str, list[str]] = {}
    for part in {line.part.id: line.part for line in bom.lines}.values():
        known = [part.id, *part.data.get("mpn", ()), part.data.get("sku")]
        known += [number for entries in part.data.get("oem_mpn", {}).values() for number in entries]
        for number in dict.fromkeys(known):
            if number:
                numbers.setdefault(str(number), []).append(part.id)
    return numbers


def terms_of(file: ConfigurationFile, margins: Sequence[Adjustment] = ()) -> Terms:
    """What a configuration says on rates, discounts, VAT and the place of delivery."""
    quote, site = file.configuration.quote, file.configuration.site

    def at(name: str, number: int) -> Location:
        return file.at(("quote", name, number))

    discounts = [
        Adjustment(Decimal(str(rule.ratio)), line=rule.line, part=rule.part, kind=rule.kind, at=at("discounts", number))
        for number, rule in enumerate(quote.discounts)
    ]
    vat_rules = [
        Adjustment(word=rule.category, reason=rule.reason or "", line=rule.line, part=rule.part, kind=rule.kind,
                   at=at("vat_rules", number))
        for number, rule in enumerate(quote.vat_rules)
    ]  # fmt: skip
    rates = [
        Rate(rate.from_currency, rate.to_currency, Decimal(rate.rate), rate.date, rate.origin)
        for rate in quote.exchange_rates
    ]
    places = {place for place in (site.country, (site.region or "").upper()) if place and len(place) == 2}
    return Terms(tuple(rates), tuple(discounts), tuple(margins), tuple(vat_rules), frozenset(places) or None)
