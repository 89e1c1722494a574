"""Which card goes in which slot. Placement never judges: it finds the assignment that breaks least; rules judge it.

Order of the levels, most important first (docs/placement.md): cards without a slot; hard limits broken; bridged groups
that are not neighbours or cross CPUs; bandwidth lost; GPUs outside GPU slots and other cards in them; the maker's order
of slots; balance of the GPUs over CPUs (known ones first), then over switches; distance between GPUs and NICs; lowest
slot. Slots that the user chose are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.catalog import Part
from rackwright.frozen import frozen
from rackwright.placement.chains import Demand, best_windows, chains_of, least_penalty
from rackwright.placement.levels import Level, weight
from rackwright.placement.model import PlacedCard, SlotState
from rackwright.placement.needs import CardNeed, Reach, can_take, lost_mb_s, need_of, reach, rows_of, violations
from rackwright.placement.positions import Prescribed, prescribed
from rackwright.placement.problem import Choice, Problem
from rackwright.placement.search import Solved, solve
from rackwright.placement.slots import cpu_of

# More cards than this cannot be meant, and would only exhaust the stack of the search.
CARDS_MAX = 300


@frozen(slots=True)
class Seating:
    """Cards in their slots. `cost` holds the levels that are errors (cards without slot, hard limits broken).

    `is_decided` is False if a limit ended the search and what was found breaks something that a better one might not.
    """

    cards: tuple[PlacedCard, ...]
    cost: int
    is_decided: bool


@frozen(slots=True)
class _Seat:
    """A card with what it needs and what each slot would cost it; `index` is its place among the cards of the node."""

    index: int
    need: CardNeed
    choices: tuple[Choice, ...]
    is_pinned: bool


def needs_slot(card: PlacedCard, has_module_slots: bool) -> bool:
    """Say whether a card goes in a slot: not adapters inside the node, and modules only where slots are named."""
    if card.is_module:
        return has_module_slots
    return bool(card.part.get("form_factor") != "internal")


def seat_cards(
    chassis: Part,
    slots: Sequence[SlotState],
    cards: Sequence[PlacedCard],
    demands: Sequence[Demand],
    joined: frozenset[str],
    *,
    ordered: frozenset[str] = frozenset(),
    solved: Solved | None = None,
) -> Seating:
    """Assign slots to `cards` (in the order of the user's lines); those with a slot already are pinned to it.

    `demands` are groups that bridges are to join; `joined` the slots that the user wants joined; `ordered` all parts of
    the node, which may decide what the maker prescribes. Cards for which no
    slot is left come back with `is_placed` False. Equal cards get ascending slots in the user's order. `solved` keeps
    what hard searches found.
    """
    builder = _Builder(chassis, slots, joined, ordered)
    all_seats = [builder.seat(index, card) for index, card in enumerate(cards)]
    seats, is_complete = _limited(
        [seat for seat in all_seats if seat.choices and seat.choices[0].slot is not None], slots
    )
    problem = builder.problem(seats, demands)
    solution = solve(problem, solved)
    chosen: dict[int, int | None] = {seat.index: slot for seat, slot in zip(seats, solution.slots, strict=True)}
    _put_in_user_order(seats, problem.classes, chosen)
    placed = [_placed(card, chosen.get(index), builder) for index, card in enumerate(cards)]
    left = len(all_seats) - len(seats)
    cost = (solution.cost >> Level.HARD << Level.HARD) + weight(Level.UNPLACED, left)
    is_clean = not left and solution.cost < weight(Level.BRIDGE)
    return Seating(with_collisions(placed), cost, is_clean or (solution.is_decided and is_complete))


class _Builder:
    """Turns a chassis and its cards into the numbers that the search works on."""

    def __init__(
        self, chassis: Part, slots: Sequence[SlotState], joined: frozenset[str], ordered: frozenset[str]
    ) -> None:
        self.chassis = chassis
        self.slots = slots
        self.joined = joined
        self.ordered = ordered
        self.prescribed: dict[str, Prescribed] = {}
        self.rows = rows_of(chassis)
        self.bit = {slot.name: 1 << index for index, slot in enumerate(slots)}
        self.cpus = [cpu_of(chassis, slot.data) or 0 for slot in slots]
        names = dict.fromkeys(str(slot.data["switch"]) for slot in slots if slot.data.get("switch"))
        numbers = {name: number for number, name in enumerate(names, 1)}
        self.switches = [numbers.get(str(slot.data.get("switch")), 0) for slot in slots]
        self.has_gpu_slots = any(slot.data.get("is_gpu") for slot in slots)
        self.index = {slot.name: index for index, slot in enumerate(slots)}
        self.memo: dict[int, tuple[Choice, ...]] = {}  # by identity: `need` returns one object for equal needs
        self.same: dict[CardNeed, CardNeed] = {}
        self.needs: dict[tuple[str, float | None, str], CardNeed] = {}

    def need(self, card: PlacedCard) -> CardNeed:
        """Return what a card needs; one object for equal cards."""
        key = (card.part.id, card.cap_w, card.cable.id if card.cable is not None else "")
        if key not in self.needs:
            need = need_of(card)
            self.prescribed[need.part] = prescribed(card.part, self.chassis, self.ordered)
            self.needs[key] = self.same.setdefault(need, need)
        return self.needs[key]

    def seat(self, index: int, card: PlacedCard) -> _Seat:
        need = self.need(card)
        if card.slot is not None:
            return _Seat(index, need, (self._choice(need, self.slots[self.index[card.slot]]),), True)
        if id(need) not in self.memo:
            free = [self._choice(need, slot) for slot in self.slots if can_take(need, slot)]
            free.sort(key=lambda choice: (choice.cost, choice.slot))
            self.memo[id(need)] = (*free, Choice(None, weight(Level.UNPLACED)))
        return _Seat(index, need, self.memo[id(need)], False)

    def _choice(self, need: CardNeed, slot: SlotState) -> Choice:
        beside = reach(need, slot, self.rows)
        wanted = self.prescribed[need.part]
        broken = violations(need, slot) + beside.is_too_wide + wanted.excludes(slot.name)
        cost = weight(Level.HARD, broken) + weight(Level.ORDER, wanted.rank(slot.name))
        cost += weight(Level.LOST_MB_S, lost_mb_s(need, slot))
        is_gpu = need.kind == "gpu"
        if self.has_gpu_slots and is_gpu != bool(slot.data.get("is_gpu")):
            cost += weight(Level.GPU_SLOT)
        if is_gpu and self.joined and slot.name not in self.joined:
            cost += weight(Level.BRIDGE)
        mask = self.bit[slot.name]
        for name in beside.covers:
            mask |= self.bit.get(name, 0)
        return Choice(self.index[slot.name], cost, mask)

    def problem(self, seats: list[_Seat], demands: Sequence[Demand]) -> Problem:
        numbers: dict[tuple[object, ...], int] = {}
        classes = tuple(
            numbers.setdefault((id(seat.need), seat.index if seat.is_pinned else -1), len(numbers)) for seat in seats
        )
        gpus = tuple(seat.need.kind == "gpu" for seat in seats)
        parts = [seat.need.part for seat, is_gpu in zip(seats, gpus, strict=True) if is_gpu]
        joined = {gpu: number for number, gpu in enumerate(dict.fromkeys(demand.gpu for demand in demands))}
        chains = chains_of(
            self.chassis, {slot.name: cpu for slot, cpu in zip(self.slots, self.cpus, strict=True) if cpu}
        )

        def bridging(chosen: Sequence[int | None]) -> int:
            held: dict[str, list[str]] = {}
            for part, slot in zip(parts, chosen, strict=True):
                if slot is not None:
                    held.setdefault(part, []).append(self.slots[slot].name)
            return weight(Level.BRIDGE, best_windows(held, demands, chains)[1])

        def floor(masks: Sequence[int]) -> int:
            held = {
                gpu: [slot.name for index, slot in enumerate(self.slots) if masks[number] >> index & 1]
                for gpu, number in joined.items()
            }
            return weight(Level.BRIDGE, least_penalty(held, demands, chains))

        return Problem(
            choices=tuple(seat.choices for seat in seats),
            classes=classes,
            is_gpu=gpus,
            is_nic=tuple(seat.need.kind == "nic" for seat in seats),
            is_pinned=tuple(seat.is_pinned for seat in seats),
            twins=self._twins(seats, bool(demands)),
            cpu=tuple(self.cpus),
            switch=tuple(self.switches),
            rows=self._row_numbers(),
            bridging=bridging if demands else None,
            bridging_floor=floor if demands else None,
            about=(self.chassis.id, tuple(slot.name for slot in self.slots), tuple(demands)) if demands else None,
            bridged=tuple(joined.get(seat.need.part, -1) for seat in seats),
        )

    def _row_numbers(self) -> tuple[tuple[int, ...], ...]:
        """Return the slots of each row of the chassis in their order, then each other slot alone."""
        rows = [
            [self.index[str(name)] for name in row if str(name) in self.index] for row in self.chassis.get("rows") or ()
        ]
        inside = {slot for row in rows for slot in row}
        rows += [[slot] for slot in range(len(self.slots)) if slot not in inside]
        return tuple(tuple(row) for row in rows)

    def _twins(self, seats: list[_Seat], has_demands: bool) -> tuple[int, ...]:
        """Number the slots so that exchangeable ones are equal: same record, same neighbours, same bridges."""
        is_wide = any(choice.mask.bit_count() > 1 for seat in seats for choice in seat.choices)
        groups = (self.chassis.get("bridges.groups") or ()) if has_demands else ()
        alone = {str(name) for group in groups for name in group} | self.joined | (set(self.rows) if is_wide else set())
        figures: dict[int, str] = {}  # slots of one record of the chassis share its data
        numbers: dict[object, int] = {}
        twins = []
        for index, slot in enumerate(self.slots):
            if slot.name in alone or any(slot.name in wanted.slots for wanted in self.prescribed.values()):
                key: object = index
            else:
                text = figures.setdefault(id(slot.data), "") or repr(sorted(slot.data.items()))
                figures[id(slot.data)] = text
                key = (text, slot.is_in_mode, slot.has_riser, slot.has_cpu, self._in_row(slot))
            twins.append(numbers.setdefault(key, len(numbers)))
        return tuple(twins)

    def _in_row(self, slot: SlotState) -> int | None:
        following = self.rows.get(slot.name)
        return None if following is None else len(following)


def _limited(seats: list[_Seat], slots: Sequence[SlotState]) -> tuple[list[_Seat], bool]:
    """Sort seats for the search (GPUs, NICs, others; pinned, wide, choosy ones first); drop what cannot fit anyway.

    Of equal cards no more than there are slots are kept. Returns whether nothing else was dropped.
    """
    kept: list[_Seat] = []
    counts: dict[int, int] = {}
    for seat in seats:
        counts[id(seat.need)] = counts.get(id(seat.need), 0) + 1
        if seat.is_pinned or counts[id(seat.need)] <= len(slots):
            kept.append(seat)
    texts = {id(seat.need): repr(seat.need) for seat in kept} if len(counts) > 1 else {}
    rank = {"gpu": 0, "nic": 1}
    kept.sort(
        key=lambda seat: (
            rank.get(seat.need.kind, 2),
            not seat.is_pinned,
            -(seat.need.width or 1),
            len(seat.choices),
            texts.get(id(seat.need), ""),
            seat.index,
        )
    )
    return kept[:CARDS_MAX], len(kept) <= CARDS_MAX


def _put_in_user_order(seats: list[_Seat], classes: Sequence[int], chosen: dict[int, int | None]) -> None:
    """Give equal cards their slots in ascending order."""
    members: dict[int, list[int]] = {}
    for seat, number in zip(seats, classes, strict=True):
        members.setdefault(number, []).append(seat.index)
    for indices in members.values():
        found = sorted(slot for slot in (chosen[i] for i in indices) if slot is not None)
        for position, index in enumerate(sorted(indices)):
            chosen[index] = found[position] if position < len(found) else None


def _placed(card: PlacedCard, slot: int | None, builder: _Builder) -> PlacedCard:
    if slot is None:
        return replace(card, slot=None, is_placed=False)
    state = builder.slots[slot]
    beside: Reach = reach(builder.need(card), state, builder.rows)
    return replace(card, slot=state.name, is_placed=True, covers=beside.covers)


def with_collisions(cards: Sequence[PlacedCard]) -> tuple[PlacedCard, ...]:
    """Note on each card the others that take the same space: the same slot, or a neighbour that one of them covers."""
    owners: dict[str, list[str]] = {}
    for card in cards:
        for name in (card.slot, *card.covers) if card.slot is not None else ():
            owners.setdefault(name, []).append(card.id)
    if all(len(ids) == 1 for ids in owners.values()):
        return tuple(cards)
    return tuple(replace(card, collides_with=_others(card, owners)) for card in cards)


def _others(card: PlacedCard, owners: dict[str, list[str]]) -> tuple[str, ...]:
    spaces = (card.slot, *card.covers) if card.slot is not None else ()
    return tuple(dict.fromkeys(other for name in spaces for other in owners[name] if other != card.id))
