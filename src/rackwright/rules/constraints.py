"""Constraints: rules that a part owns. They become rules of the node that the part sits in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rackwright.diagnostic import Severity
from rackwright.rules.model import Case, Clause, Rule
from rackwright.source import Citation, Location


def constraint_id(part_id: str, name: str) -> str:
    """The id under which a constraint is shown, ignored and waived: `hpe/dl380a-gen12#gpu-cable-kit`."""
    return f"{part_id}#{name}"


def rules_of_part(
    part_id: str,
    constraints: Iterable[Mapping[str, Any]],
    sources: Mapping[str, Mapping[str, str]],
    places: Mapping[str, Location],
) -> list[Rule]:
    """Turn the constraints of a part into rules. `places` are the places of the constraints by their id."""
    return [_rule(part_id, item, sources, places.get(item["id"])) for item in constraints]


def _rule(part_id: str, item: Mapping[str, Any], sources: Mapping[str, Mapping[str, str]], at: Location | None) -> Rule:
    clauses = list(_clauses(item, at))
    fix = item.get("fix") or ""
    if "adds" in item:
        adds = item["adds"]
        clauses.append(_adds_clause(adds, at))
        fix = fix or f"add {adds['part']}: {adds['reason']}"
    return Rule(
        id=constraint_id(part_id, item["id"]),
        name=item["id"],
        title=item.get("title") or item["id"].replace("-", " "),
        severity=Severity(item.get("severity", "error")),
        for_each="node",
        rationale="The maker's own configuration rule.",
        sources=_sources(item.get("source", {}), sources),
        when=item.get("when"),
        require=tuple(clauses),
        fix=fix or "follow the maker's configuration rule",
        cases=tuple(_case(case) for case in item.get("tests", ())),
        at=at,
        when_at=at,
        owner=part_id,
    )


def _clauses(item: Mapping[str, Any], at: Location | None) -> Iterable[Clause]:
    require = item.get("require")
    if isinstance(require, str):
        yield Clause(require, item.get("message") or item.get("title") or item["id"], ("node.chassis",), at, at)
    for clause in require if isinstance(require, list) else ():
        yield Clause(clause["that"], clause["message"], ("node.chassis",), at, at)


def _adds_clause(adds: Mapping[str, Any], at: Location | None) -> Clause:
    ordered = f'sum(l.count for l in node.lines if l.part.id == "{adds["part"]}")'
    message = f"{adds['reason']}: {{{adds['quantity']}}} x {adds['part']} needed, {{{ordered}}} listed"
    return Clause(f"{ordered} >= {adds['quantity']}", message, ("node.chassis",), at, at)


def _sources(entry: Mapping[str, str], sources: Mapping[str, Mapping[str, str]]) -> tuple[Citation, ...]:
    source = sources.get(entry.get("id", ""))
    if source is None:
        return ()
    return (
        Citation(
            source["doc"],
            source.get("number"),
            entry.get("where"),
            source.get("date"),
            source.get("read"),
            source.get("url"),
        ),
    )


def _case(data: Mapping[str, Any]) -> Case:
    missing = data.get("missing")
    return Case(
        name=data["name"],
        given=data.get("given", {}),
        expect=data["expect"],
        message=data.get("message"),
        missing=tuple(missing) if missing is not None else None,
    )
