"""What can be lost in a rack, and which supplies are lost with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from rackwright.facts.circuits import section_lines
from rackwright.frozen import frozen
from rackwright.placement.model import PlacedPdu

Kind = Literal["none", "feed", "pdu", "line", "bank", "psu", "fan", "pair"]


@frozen(slots=True)
class Loss:
    """What is lost: nothing, a feed, a PDU, a line of a feed or PDU, a bank, one supply or fan of one server, or two.

    `name` is that of the lost element, `place` the feed or PDU that a line or bank belongs to. `text` says it in words.
    `parts` are the two losses of a pair.
    """

    kind: Kind
    name: str
    number: int
    text: str
    place: str = ""
    parts: tuple[Loss, ...] = ()


NOTHING = Loss("none", "", 0, "nothing lost")


@frozen(slots=True)
class Supply:
    """A power supply of one server in its outlet; `voltage_v` is that of the outlet, None if not known.

    `section` and `bank` are None where the maker of the PDU does not say which outlet they feed.
    """

    node: str
    number: int
    psu: str
    domain: str
    pdu: str
    feed: str
    section: str | None
    voltage_v: float | None
    bank: str | None = None
    outlet: str = ""

    def is_lost(self, loss: Loss) -> bool | None:
        """Say whether a loss takes this supply away; None if it is not known which line or bank feeds it."""
        match loss.kind:
            case "feed":
                return self.feed == loss.name
            case "pdu":
                return self.pdu == loss.name
            case "line":
                return self._is_on_line(loss.name) if loss.place in (self.pdu, self.feed) else False
            case "bank":
                return (None if self.bank is None else self.bank == loss.name) if loss.place == self.pdu else False
            case "psu":
                return self.psu == loss.name and self.number == loss.number
            case "pair":
                states = [self.is_lost(part) for part in loss.parts]
                return True if True in states else None if None in states else False
        return False

    def _is_on_line(self, line: str) -> bool | None:
        lines = section_lines(self.section) if self.section is not None else ()
        return line in lines if lines else None


def losses_of(
    pdus: Sequence[PlacedPdu], lines: Mapping[str, Sequence[str]], supplies: Sequence[Supply], *, is_whole: bool
) -> list[Loss]:
    """Return every single loss of a rack in a fixed order; of equally plugged servers only the supplies of the first.

    `lines` are the line conductors of each PDU. With `is_whole` also lines and banks, those with cords even where
    their breaker is not stated. A line is that of a circuit: of one PDU, and of all PDUs of a feed where it has
    several. A PDU with a single phase has no line of its own to lose.
    """
    feeds = dict.fromkeys(pdu.feed for pdu in pdus)
    found = [Loss("feed", feed, 0, f"feed {feed} lost") for feed in feeds]
    found += [Loss("pdu", pdu.id, 0, f"PDU {pdu.id} lost") for pdu in pdus]
    if is_whole:
        found += _line_losses(pdus, lines)
        for pdu in pdus:
            banks = [str(bank["name"]) for bank in pdu.part.get("banks") or ()]
            used = sorted({supply.bank for supply in supplies if supply.pdu == pdu.id and supply.bank is not None})
            names = dict.fromkeys([*banks, *used])
            found += [Loss("bank", bank, 0, f"bank {bank} of {pdu.id} lost", pdu.id) for bank in names]
    return [*found, *_psu_losses(supplies)]


def _line_losses(pdus: Sequence[PlacedPdu], lines: Mapping[str, Sequence[str]]) -> Iterator[Loss]:
    for feed in dict.fromkeys(pdu.feed for pdu in pdus):
        own = [pdu.id for pdu in pdus if pdu.feed == feed and len(lines[pdu.id]) > 1]
        if len(own) > 1:
            for line in lines[own[0]]:
                yield Loss("line", line, 0, f"line {line} of feed {feed} lost", feed)
        for pdu in own:
            for line in lines[pdu]:
                yield Loss("line", line, 0, f"line {line} of {pdu} lost", pdu)


def _psu_losses(supplies: Sequence[Supply]) -> Iterator[Loss]:
    servers: dict[tuple[str, int], list[Supply]] = {}
    for supply in supplies:
        servers.setdefault((supply.node, supply.number), []).append(supply)
    seen: set[tuple[object, ...]] = set()
    for (node, number), own in sorted(servers.items()):
        plugging = (node, *((supply.psu, supply.pdu, supply.section, supply.bank) for supply in own))
        if plugging not in seen:
            seen.add(plugging)
            where = f" of server {number}" if (node, 2) in servers or number > 1 else ""
            for supply in own:
                yield Loss("psu", supply.psu, number, f"{supply.psu}{where} lost")


def pairs_of(supplies: Sequence[Supply], singles: Sequence[Loss]) -> Iterator[Loss]:
    """Return the pairs of single losses; without those of which one takes the other with it.

    Two supplies count as a pair within one server only: in two servers each is as if it were lost alone.
    """
    gone = [frozenset(i for i, s in enumerate(supplies) if s.is_lost(loss) is not False) for loss in singles]
    for (one, first), (two, second) in combinations(zip(singles, gone, strict=True), 2):
        if one.kind == two.kind == "psu" and _server(one) != _server(two):
            continue
        if first <= second or second <= first:
            continue
        yield Loss("pair", one.name, one.number, f"{one.text}; {two.text}", parts=(one, two))


def _server(loss: Loss) -> tuple[str, int]:
    return loss.name.rpartition("/")[0], loss.number
