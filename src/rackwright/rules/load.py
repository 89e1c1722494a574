"""From validated rule, quantity and policy files to the model; and the check of their meaning.

Shape (keys, types of YAML values) is checked before, by the models in `files`. Here: expressions parse, read only
facts that exist, compare only what has the same unit; quantities have the unit they declare and do not need
themselves; ids and names are not used twice.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.expression import Record, Type, parse, parse_template
from rackwright.expression.check import check, check_flag
from rackwright.expression.tree import Path as FactPath
from rackwright.expression.tree import walk
from rackwright.quantities import Quantity
from rackwright.rules.files import PolicyFile, PolicyParameter, QuantitiesFile, RuleFile, SourceEntry
from rackwright.rules.model import Case, Clause, Parameter, Policy, Rule
from rackwright.source import Citation, Location, Locations
from rackwright.units import NUMBER, unit_by_symbol

Scope = Mapping[str, Type]


def citation(entry: SourceEntry) -> Citation:
    """Turn a source entry into a citation."""
    return Citation(entry.doc, entry.number, entry.where, entry.date, entry.read, entry.url)


def rule_from(file: RuleFile, locations: Locations) -> Rule:
    """Build a rule of its file; expressions are not parsed yet."""
    clauses = tuple(
        Clause(
            that=entry.that,
            message=entry.message,
            blame=tuple(entry.blame),
            at=locations.at(("require", index, "that")),
            message_at=locations.at(("require", index, "message")),
        )
        for index, entry in enumerate(file.require)
    )
    cases = tuple(
        Case(
            name=entry.name,
            given=entry.given,
            expect=entry.expect,
            message=entry.message,
            missing=tuple(entry.missing) if entry.missing is not None else None,
            at=locations.at(("tests", index)),
        )
        for index, entry in enumerate(file.tests)
    )
    return Rule(
        id=file.id,
        name=file.name,
        title=file.title,
        severity=Severity(file.severity),
        for_each=file.for_each,
        rationale=file.rationale,
        sources=tuple(citation(entry) for entry in file.source),
        when=file.when,
        require=clauses,
        fix=file.fix,
        cases=cases,
        aliases=tuple(file.aliases),
        at=locations.at(("id",)),
        when_at=locations.at(("when",)),
        status=file.status,
    )


def quantities_from(file: QuantitiesFile, locations: Locations) -> list[Quantity]:
    """Build the quantities of a file; formulas are not parsed yet."""
    built = []
    for index, entry in enumerate(file.quantities):
        record, _, name = entry.quantity.partition(".")
        built.append(
            Quantity(
                record=record,
                field=name,
                unit=entry.unit,
                title=entry.title,
                formula=entry.formula,
                sources=tuple(citation(source) for source in entry.source),
                at=locations.at(("quantities", index, "is")),
            )
        )
    return built


def policy_from(file: PolicyFile, base: Policy | None, locations: Locations) -> tuple[Policy, list[Finding]]:
    """Build a policy on top of the shipped default; an unknown parameter and a value of a wrong type are findings."""
    findings: list[Finding] = []
    parameters = dict(base.parameters) if base else {}
    for name, entry in file.parameters.items():
        if isinstance(entry, PolicyParameter):
            parameters[name] = Parameter(name, entry.value, entry.title, entry.source)
        else:
            findings += set_parameter(parameters, name, entry, file.title, locations.at(("parameters", name)))
    severities = {rule: Severity(text) for rule, text in file.severities.items()}
    return Policy(file.name, parameters, severities, frozenset(file.ignore)), findings


def set_parameter(
    parameters: dict[str, Parameter], name: str, value: float | bool | str, source: str, at: Location | None
) -> list[Finding]:
    """Give a parameter of a policy another value; `source` says who does, `at` where.

    Errors: CFG030 no such parameter; CFG032 a value of another type than the default's, or below 0.
    """
    known = parameters.get(name)
    if known is None:
        return [_unknown_parameter(name, parameters, at)]
    if isinstance(known.value, bool | str):
        is_right = isinstance(value, type(known.value))
        expected = "true or false" if isinstance(known.value, bool) else "a text"
    else:
        is_right = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        expected = "a number, 0 or more"
    if not is_right:
        return [
            finding("CFG032", "{name}: expected {expected}, found {value}", at, fix="the default is {default}",
                    name=name, expected=expected, value=_shown(value), default=_shown(known.value))
        ]  # fmt: skip
    parameters[name] = Parameter(name, value, known.title, source)
    return []


def _shown(value: float | bool | str) -> float | str:
    return str(value).lower()[:40] if isinstance(value, bool | str) else value


def _unknown_parameter(name: str, known: Mapping[str, Parameter], at: Location | None) -> Finding:
    """The finding for a policy parameter that does not exist, with its nearest names."""
    near = difflib.get_close_matches(name, list(known), 3, 0.5)
    fix = "`rackwright rules list --parameters` shows all of them"
    if near:
        fix = "did you mean {near}? `rackwright rules list --parameters` shows all of them"
    return finding("CFG030", "there is no policy parameter '{name}'", at, fix=fix, name=name, near=", ".join(near))


def scope_of(record_or_subject: str, bound: str, shapes: Mapping[str, Record], policy: Record) -> Scope:
    """The names that an expression sees: the record it stands on, and `policy`."""
    return {bound: shapes[record_or_subject], "policy": policy}


def check_quantities(quantities: Iterable[Quantity], shapes: Mapping[str, Record], policy: Record) -> list[Finding]:
    """Check that each formula parses, fits the facts, and has the unit that it declares; and that none needs itself."""
    findings: list[Finding] = []
    needs: dict[str, set[str]] = {}
    places: dict[str, Location | None] = {}
    for quantity in quantities:
        if quantity.record not in shapes:
            findings.append(_unknown_record(quantity, shapes))
            continue
        if quantity.name in places:
            findings.append(finding("RUL003", "quantity {name} is defined twice", quantity.at, name=quantity.name))
        places[quantity.name] = quantity.at
        expression, problems = parse(quantity.formula, quantity.at)
        findings += problems
        if expression is None:
            continue
        found, problems = check(expression, scope_of(quantity.record, quantity.record, shapes, policy))
        findings += problems
        findings += _unit_problem(quantity, found)
        own = set(quantity_fields(quantities, quantity.record))
        needs[quantity.name] = {
            f"{quantity.record}.{node.steps[0]}"
            for node in walk(expression.tree)
            if isinstance(node, FactPath) and node.root == quantity.record and node.steps and node.steps[0] in own
        }
    return findings + _cycles(needs, places)


def quantity_fields(quantities: Iterable[Quantity], record: str) -> list[str]:
    """Names of the quantities of one record."""
    return [quantity.field for quantity in quantities if quantity.record == record]


def _unknown_record(quantity: Quantity, shapes: Mapping[str, Record]) -> Finding:
    return finding(
        "RUL002",
        "there is no record '{record}' for the quantity {name}",
        quantity.at,
        fix="records are {known}",
        record=quantity.record,
        name=quantity.name,
        known=", ".join(sorted(shapes)),
    )


def _unit_problem(quantity: Quantity, found: Type | None) -> list[Finding]:
    declared = unit_by_symbol(quantity.unit)
    if declared is None:
        return [finding("RUL013", "'{unit}' is not a unit", quantity.at, unit=quantity.unit)]
    unit = getattr(found, "unit", None)
    if unit is None or unit == declared:
        return []
    return [
        finding(
            "RUL013",
            "{name} is declared in {declared}, but its formula gives {found}",
            quantity.at,
            name=quantity.name,
            declared=quantity.unit,
            found=unit.symbol or "a pure number",
        )
    ]


def _cycles(needs: Mapping[str, set[str]], places: Mapping[str, Location | None]) -> list[Finding]:
    findings: list[Finding] = []
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            path = " -> ".join((*trail[trail.index(name) :], name))
            findings.append(finding("RUL004", "quantities need each other: {path}", places.get(name), path=path))
            return
        if name in done:
            return
        done.add(name)
        for needed in sorted(needs.get(name, ())):
            visit(needed, (*trail, name))

    for name in sorted(needs):
        visit(name, ())
    return findings


def check_rule(rule: Rule, bound: str, shapes: Mapping[str, Record], policy: Record) -> list[Finding]:
    """Check the expressions and messages of one rule against the facts model."""
    scope: Scope = {bound: shapes[rule.for_each] if rule.for_each in shapes else shapes["node"], "policy": policy}
    findings: list[Finding] = []
    if rule.when:
        findings += _check_text(rule.when, rule.when_at, scope)
    for clause in rule.require:
        wrong = _check_text(clause.that, clause.at, scope)
        said = _check_message(clause.message, clause.message_at, scope)
        is_unreadable = any(item.code == "RUL010" for item in wrong)  # a message may repeat the formula
        findings += [*wrong, *(item for item in said if not (is_unreadable and item.code == "RUL010"))]
        for text in clause.blame:
            expression, problems = parse(text, clause.at)
            findings += problems
            findings += check(expression, scope)[1] if expression else []
    return findings + _check_message(rule.fix, rule.at, scope)


def _check_text(text: str, at: Location | None, scope: Scope) -> list[Finding]:
    expression, findings = parse(text, at)
    return findings if expression is None else [*findings, *check_flag(expression, scope)]


def _check_message(text: str, at: Location | None, scope: Scope) -> list[Finding]:
    template, findings = parse_template(text, at)
    return findings if template is None else [*findings, *template.check(scope)]


def policy_record(policy: Policy) -> Record:
    """The type of the record `policy`: one field a parameter, its unit by its name."""
    from rackwright.expression import Field, Flag, Number, Text
    from rackwright.units import unit_of

    fields = {}
    for name, parameter in policy.parameters.items():
        shape: Type
        if isinstance(parameter.value, bool):
            shape = Flag()
        elif isinstance(parameter.value, str):
            shape = Text()
        else:
            shape = Number(unit_of(name) or NUMBER)
        fields[name] = Field(shape, parameter.title)
    return Record("policy", fields)


def unknown_rules(policy: Policy, rules: Iterable[Rule], at: Location) -> list[Finding]:
    """Findings for rules that a policy names and that do not exist: its severity or exclusion would do nothing."""
    known = sorted({name for rule in rules for name in (rule.id, *rule.aliases)})
    findings = []
    for name in sorted({*policy.severities, *policy.ignore} - set(known)):
        near = difflib.get_close_matches(name, known, 3, 0.6)
        findings.append(
            finding(
                "RUL007",
                "the policy {policy} names the rule {rule}, which does not exist",
                at,
                fix="did you mean {near}?" if near else "`rackwright rules list` shows all rules",
                policy=policy.name,
                rule=name,
                near=", ".join(near),
            )
        )
    return findings


def duplicates(rules: Iterable[Rule]) -> list[Finding]:
    """Findings for ids, aliases and names that are used twice."""
    findings: list[Finding] = []
    seen: dict[str, Location | None] = {}
    for rule in rules:
        for name in (rule.id, *rule.aliases, rule.name):
            if name in seen:
                place = seen[name]
                findings.append(
                    finding(
                        "RUL005",
                        "'{name}' is used by two rules",
                        rule.at,
                        fix="ids, aliases and names of rules are never used twice",
                        related=((place, "used here first"),) if place else (),
                        name=name,
                    )
                )
            seen.setdefault(name, rule.at)
    return findings
