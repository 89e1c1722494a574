"""Constraints: rules that a part owns. They become rules of the node that the part sits in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rackwright.diagnostic import Severity
from rackwright.expression.tree import shifted
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
    """Turn the constraints of a part into rules.

    `places` are the places of the constraints by their id, and of what is in them by its path from there, as
    `places_of` returns them; what has no place of its own has that of its constraint.
    """
    return [_rule(part_id, item, sources, places) for item in constraints]


def places_of(constraints: Sequence[Mapping[str, Any]], at: Callable[[str], Location]) -> dict[str, Location]:
    """Return the places that `rules_of_part` wants. `at` gives the place of a dotted field of the part file."""
    places: dict[str, Location] = {}
    for index, item in enumerate(constraints):
        here, name = f"constraints.{index}", item["id"]
        places[name] = at(here)
        fields = ["when", "require", "message", "fix", "adds.quantity", "adds.reason"]
        clauses = item.get("require")
        if isinstance(clauses, list):
            fields += [f"require.{n}.{field}" for n in range(len(clauses)) for field in ("that", "message")]
        places.update({f"{name}.{field}": at(f"{here}.{field}") for field in fields})
        for number in range(len(item.get("tests", ()))):
            places[f"{name}.tests.{number}"] = at(f"{here}.tests.{number}")
    return places


def _rule(
    part_id: str,
    item: Mapping[str, Any],
    sources: Mapping[str, Mapping[str, str]],
    places: Mapping[str, Location],
) -> Rule:
    at = places.get(item["id"])

    def place(field: str) -> Location | None:
        return places.get(f"{item['id']}.{field}", at)

    clauses = list(_clauses(item, place))
    fix = item.get("fix") or ""
    if "adds" in item:
        adds = item["adds"]
        clauses.append(_adds_clause(adds, place))
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
        cases=tuple(_case(case, place(f"tests.{n}")) for n, case in enumerate(item.get("tests", ()))),
        at=at,
        when_at=place("when"),
        owner=part_id,
    )


def _clauses(item: Mapping[str, Any], place: Callable[[str], Location | None]) -> Iterable[Clause]:
    require = item.get("require")
    if isinstance(require, str):
        message = item.get("message") or item.get("title") or item["id"]
        yield Clause(require, message, ("node.chassis",), place("require"), place("message"))
    for n, clause in enumerate(require if isinstance(require, list) else ()):
        places = place(f"require.{n}.that"), place(f"require.{n}.message")
        yield Clause(clause["that"], clause["message"], ("node.chassis",), *places)


def _adds_clause(adds: Mapping[str, Any], place: Callable[[str], Location | None]) -> Clause:
    ordered = f'sum(l.count for l in node.lines if l.part.id == "{adds["part"]}")'
    message = f"{adds['reason']}: {{{adds['quantity']}}} x {adds['part']} needed, {{{ordered}}} listed"
    # The user's text stands first, so that what is wrong with it is pointed at; the bracket is one character of ours.
    that = f"({adds['quantity']}) <= {ordered} or not node.is_list_complete"
    return Clause(that, message, ("node.chassis",), shifted(place("adds.quantity"), -1), place("adds.reason"))


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


def _case(data: Mapping[str, Any], at: Location | None) -> Case:
    missing = data.get("missing")
    return Case(
        name=data["name"],
        given=data.get("given", {}),
        expect=data["expect"],
        message=data.get("message"),
        missing=tuple(missing) if missing is not None else None,
        at=at,
    )
