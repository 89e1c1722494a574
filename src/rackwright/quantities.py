"""Named formulas: arithmetic over facts that rules and documents share, declared in rules/quantities/*.yaml.

A quantity is a field of a record (`node.draw_peak_w`). It is computed when somebody reads it, once a record, and
every quantity can be explained down to the figures that it rests on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from rackwright.expression import (
    MISSING,
    Budget,
    Decider,
    Expression,
    LazyRecord,
    Read,
    Result,
    Unknown,
    compile_expression,
    decider,
    evaluate,
    load,
    parse,
    range_of,
)
from rackwright.frozen import frozen
from rackwright.source import Citation, Location


class BrokenFormulaError(Exception):
    """A formula that was accepted at load does not parse."""


@frozen
class Quantity:
    """A named formula of a record: `node.draw_peak_w` is field `draw_peak_w` of record `node`.

    `code` is the compiled formula as a cache of this program keeps it, empty if there is none.
    """

    record: str
    field: str
    unit: str
    title: str
    formula: str
    sources: tuple[Citation, ...] = ()
    at: Location | None = None
    code: bytes = dataclasses.field(default=b"", compare=False, repr=False)

    @property
    def name(self) -> str:
        """The whole name, as rules write it."""
        return f"{self.record}.{self.field}"

    @cached_property
    def expression(self) -> Expression:
        """The parsed formula."""
        expression, findings = parse(self.formula, self.at)
        if expression is None:
            raise BrokenFormulaError(f"{self.name}: {findings[0].message}")
        return expression

    @cached_property
    def function(self) -> Callable[[Mapping[str, Any]], Any]:
        """The formula as a function of its scope, see `compile_expression`."""
        return (load(self.code) if self.code else None) or compile_expression(self.expression)

    @cached_property
    def decide(self) -> Decider:
        """The formula with three values, as a function of its record and the policy."""
        return decider(self.expression.tree, (self.record, "policy"))


_Known = tuple[Result, int, int, Mapping[str, Any]]  # a result, its cost in steps and traced steps, its record


class Book:
    """All quantities of a run, ready to be read from records.

    `make` turns a plain record into one that computes its quantities when they are read. `resolve` gives the same
    values to the exact path, with the derivation; it also tells why a fact that code computed is missing: a record
    may carry `_because`, a mapping of field to the (record, field) pairs that it would have needed.
    """

    def __init__(self, quantities: Iterable[Quantity], policy: Mapping[str, Any]) -> None:
        self.policy = policy
        self.budget = Budget()  # of the verdict that is being found
        # Results of this run, by record, field and whether with derivation; the record is kept: its id stays its own
        self._results: dict[tuple[int, str, bool], _Known] = {}
        self._bounds: dict[tuple[int, str], tuple[Any, int, Mapping[str, Any]]] = {}
        self._by_record: dict[str, dict[str, Quantity]] = {}
        for quantity in quantities:
            self._by_record.setdefault(quantity.record, {})[quantity.field] = quantity
        self._functions = {
            record: {name: self._function(quantity) for name, quantity in fields.items()}
            for record, fields in self._by_record.items()
        }

    def _function(self, quantity: Quantity) -> Any:
        def compute(record: LazyRecord) -> Any:
            value = quantity.function({quantity.record: record, "policy": self.policy})
            if value is MISSING:
                raise KeyError(quantity.field)
            return value

        return compute

    def make(self, record: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return `data` as a record that computes the quantities of its kind when they are read."""
        data["_record"] = record
        functions = self._functions.get(record)
        return LazyRecord(data, functions) if functions else data

    def find(self, record: str, field: str) -> Quantity | None:
        """Return the quantity of a record's field, None if it is a plain fact."""
        return self._by_record.get(record, {}).get(field)

    def resolve(self, record: Mapping[str, Any], key: str) -> Result | None:
        """Evaluate the quantity behind an absent key with its derivation; None if there is none.

        Cycles cannot occur: they are refused at load.
        """
        return self._found(record, key, trace=True)

    def value(self, record: Mapping[str, Any], key: str) -> Result | None:
        """Evaluate the quantity behind an absent key without its derivation; None if there is none."""
        return self._found(record, key, trace=False)

    def within(self, record: Mapping[str, Any], key: str) -> Any:
        """Return the value or the bounds of the quantity behind an absent key; MISSING if there is none."""
        quantity = self._by_record.get(record.get("_record", ""), {}).get(key)
        if quantity is None:
            return MISSING
        known = self._bounds.get((id(record), key))
        if known is not None:
            self.budget.charge(known[1], 0)
            return known[0]
        before = self.budget.steps
        value = quantity.decide((record, self.policy), self.within, self.budget)
        self._bounds[id(record), key] = value, before - self.budget.steps, record
        return value

    def _found(self, record: Mapping[str, Any], key: str, *, trace: bool) -> Result | None:
        name = record.get("_record", "")
        quantity = self._by_record.get(name, {}).get(key)
        if quantity is not None:
            known = self._results.get((id(record), key, trace))
            return self._evaluated(quantity, record, trace=trace) if known is None else self._once_more(known)
        because = record.get("_because", {}).get(key)
        if not because:
            return None
        return Result(Unknown(tuple(self._roots(because)), *range_of(key)))

    def _evaluated(self, quantity: Quantity, record: Mapping[str, Any], *, trace: bool) -> Result:
        scope = {quantity.record: record, "policy": self.policy}
        steps, traced = self.budget.steps, self.budget.traced
        resolver = self.resolve if trace else self.value
        result = evaluate(quantity.expression, scope, resolver=resolver, trace=trace, budget=self.budget)
        if not trace or result.trace is not None:
            cost = steps - self.budget.steps, traced - self.budget.traced
            self._results[id(record), quantity.field, trace] = (result, *cost, record)
        return result

    def _once_more(self, known: _Known) -> Result:
        result, steps, traced, _ = known
        self.budget.charge(steps, traced)
        return result

    def _roots(self, because: Iterable[tuple[Mapping[str, Any], str]]) -> Iterable[Read]:
        seen: set[tuple[str, str]] = set()
        for record, field in because:
            result = self.value(record, field)
            reads = result.missing if result is not None else (Read(field, record, field),)
            for read in reads:
                if (read.owner_id, read.field) not in seen:
                    seen.add((read.owner_id, read.field))
                    yield read
