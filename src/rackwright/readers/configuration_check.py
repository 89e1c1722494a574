"""Checks of a configuration that need more than one value of it: names given twice, keys that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.commerce import ExchangeRate
from rackwright.configuration import Configuration, Extra, Node, Site
from rackwright.diagnostic import Finding, finding
from rackwright.readers.yaml_source import Document
from rackwright.source import Path


def check_configuration(configuration: Configuration, document: Document) -> list[Finding]:
    """Return the findings on a configuration whose keys and values are right one by one.

    Errors: none raised. CFG012 two nodes or racks of the same name; CFG013 two keys of which only one can be meant;
    CFG014 a rack unit without a rack; CFG015 a feed that no rack of the node has; CFG016 an extra that is neither a
    part nor an own item; CFG017 a key that fits only one of these; CFG018 an exchange rate that the quote cannot use.
    """
    site = configuration.site
    findings = [
        *_repeated("nodes", [node.id for node in configuration.nodes], ("nodes",), document),
        *_repeated("racks", [rack.id for rack in site.racks], ("site", "racks"), document),
    ]
    for number, node in enumerate(configuration.nodes):
        findings += _node(node, site, ("nodes", number), document)
    for number, extra in enumerate(configuration.extras):
        findings += _extra(extra, ("extras", number), document)
    for number, rate in enumerate(configuration.quote.exchange_rates):
        findings += _rate(rate, configuration.quote.currency, ("quote", "exchange_rates", number), document)
    own = [extra.id or "" for extra in configuration.extras]
    findings += _repeated("own items", own, ("extras",), document)
    return findings


def _extra(extra: Extra, path: Path, document: Document) -> Iterator[Finding]:
    if extra.part is None and extra.title is None:
        yield finding("CFG016", "an extra has neither a part nor a title", document.locations.at(path),
                      fix="name a `part` of the catalog, or give your own item a `title`")  # fmt: skip
    elif extra.part is not None and extra.title is not None:
        yield _either("part", "title", path, document)
    elif extra.part is not None:
        for key in ("id", "service", "unit"):
            if getattr(extra, key) is not None:
                yield finding("CFG017", "{key} belongs to own items, and this is a part of the catalog",
                              document.key_locations.at((*path, key)), fix="leave it out", key=key)  # fmt: skip
    if extra.instead_of is not None and extra.role != "alternative":
        yield finding("CFG017", "{key} belongs to alternatives", document.key_locations.at((*path, "instead_of")),
                      fix="write `role: alternative`", key="instead_of")  # fmt: skip


def _rate(rate: ExchangeRate, currency: str, path: Path, document: Document) -> Iterator[Finding]:
    pair = (rate.from_currency, rate.to_currency)
    if currency not in pair or pair[0] == pair[1]:
        yield finding("CFG018", "a rate from {one} to {other} does not lead to {currency}, the currency of the quote",
                      document.locations.at(path), fix="one of its two currencies is that of the quote",
                      one=pair[0], other=pair[1], currency=currency)  # fmt: skip
    elif float(rate.rate) == 0:
        yield finding("CFG018", "an exchange rate is 0", document.locations.at((*path, "rate")),
                      fix="write the rate that was published")  # fmt: skip


def _repeated(word: str, ids: Sequence[str], path: Path, document: Document) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, name in enumerate(ids):
        if name and first.setdefault(name, index) != index:
            yield finding(
                "CFG012",
                "two {word} are called '{name}'",
                document.locations.at((*path, index, "id")),
                fix="give each its own id",
                related=((document.locations.at((*path, first[name], "id")), "the first"),),
                word=word,
                name=name,
            )


def _node(node: Node, site: Site, path: Path, document: Document) -> Iterator[Finding]:
    named = [node.rack] if node.rack is not None else node.racks or []
    feeds = sorted({feed for rack in site.racks if rack.id in named for feed in rack.feeds})
    if node.rack is not None and node.racks is not None:
        yield _either("rack", "racks", path, document)
    if node.unit is not None and not named:
        place = document.key_locations.at((*path, "unit"))
        fix = "name the rack too, or leave out `unit`"
        yield finding("CFG014", "a rack unit is given, but no rack", place, fix=fix)
    for index, line in enumerate(node.parts):
        here = (*path, "parts", index)
        if line.slot is not None and line.slots is not None:
            yield _either("slot", "slots", here, document)
        if line.feed is not None and line.feed not in feeds:
            yield finding(
                "CFG015",
                "no rack of this node has a feed {feed}",
                document.locations.at((*here, "feed")),
                fix="feeds are {feeds}" if feeds else "name the rack of the node, and describe its feeds under `site`",
                feed=line.feed,
                feeds=", ".join(feeds),
            )


def _either(one: str, other: str, path: Path, document: Document) -> Finding:
    return finding(
        "CFG013",
        "both {one} and {other} are given",
        document.key_locations.at((*path, other)),
        fix="keep one of the two",
        related=((document.key_locations.at((*path, one)), "given here too"),),
        one=one,
        other=other,
    )
