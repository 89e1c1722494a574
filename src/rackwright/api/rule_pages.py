"""Generated documentation: a page a rule, an index by family, the facts that rules can read, the policies.

All pages are made of the rules, the vocabulary and the units alone, so that the same rules give the same pages. The
example of a page is the rule's own first case that fails, and the message is what the rule really says of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from rackwright.expression import Expression, walk
from rackwright.expression.tree import Path as FactPath
from rackwright.facts.vocabulary import RECORDS, SUBJECTS
from rackwright.quantities import Quantity
from rackwright.rules.cases import Setting, run_case
from rackwright.rules.model import Case, Rule, Ruleset
from rackwright.source import Citation
from rackwright.units import UNIT_SYMBOLS, unit_of

FAMILIES = {
    "FIT": "Form factor",
    "PCI": "PCIe lanes and slots",
    "NVL": "NVLink",
    "PWR": "Power of a node",
    "AIR": "Airflow and heat",
    "RCK": "Rack, PDU and current",
    "MEM": "Memory",
    "CPU": "Processors",
    "STO": "Storage",
    "NET": "Network",
    "LIC": "Licences",
    "BOM": "Completeness",
    "WRK": "Workload",
}
_ON_FACTS = (
    "What rules, quantities and constraints can read. The unit of a figure is the last part of its name. A fact "
    "that is not known is absent: a rule that needs it is *unknown* and says what is missing. `part:gpu` is the "
    "content of a part file of that kind (see the schemas of the catalog)."
)
_ON_POLICIES = (
    "Limits that are a choice. A configuration sets them under `policies:`, a house in a policy file of its own "
    "(`--policy NAME`), which can also change severities and leave rules out."
)
_NOTE = "<!-- written by `rackwright rules docs`; do not edit -->\n"


def pages(ruleset: Ruleset) -> dict[str, str]:
    """Return all pages by their path below the folder of the documentation. The ruleset must have its cases."""
    policy = ruleset.policies.get("default")
    setting = Setting({name: name for name in SUBJECTS}, policy.facts if policy else {})
    found = {f"rules/{rule.id}.md": _rule_page(rule, ruleset, setting) for rule in ruleset.rules}
    found["rules/index.md"] = _index(ruleset.rules)
    found["facts.md"] = _facts(ruleset.quantities)
    found["policies.md"] = _policies(ruleset)
    return found


def _rule_page(rule: Rule, ruleset: Ruleset, setting: Setting) -> str:
    blocks = [
        _NOTE + f"# {rule.id}: {rule.title}",
        f"`{rule.name}` · {rule.severity.value} · for each {rule.for_each} ({SUBJECTS[rule.for_each][1]})",
        "## Why",
        rule.rationale,
        "## What is checked",
    ]
    if rule.when:
        blocks += ["It applies when", _code(rule.when)]
    blocks.append("This must hold:" if len(rule.require) == 1 else "All of these must hold:")
    for clause in rule.require:
        blocks += [_code(clause.that), f"Otherwise: {clause.message}"]
    used = _quantities_of(rule, ruleset.quantities)
    if used:
        blocks += ["## Figures that it uses", *(_quantity(quantity) for quantity in used)]
    parameters = _parameters_of(rule, used, ruleset)
    if parameters:
        blocks += ["## Limits that are a choice", "\n".join(parameters)]
    blocks += ["## Fix", rule.fix, *_example(rule, setting), "## Sources", _sources(rule.sources)]
    if rule.aliases:
        blocks.append(f"Former ids: {', '.join(rule.aliases)}")
    return "\n\n".join(blocks) + "\n"


def _code(text: str) -> str:
    return f"```python\n{text.strip()}\n```"


def _quantity(quantity: Quantity) -> str:
    unit = quantity.unit if quantity.unit not in ("", "1", "ratio", "count") else "pure number"
    return f"**`{quantity.name}`** ({unit}): {quantity.title}.\n\n{_code(quantity.formula)}"


def _sources(sources: Iterable[Citation]) -> str:
    lines = []
    for source in sources:
        read = f" (read on {source.read})" if source.read else ""
        lines.append(f"- {source}{read}" + (f" <{source.url}>" if source.url else ""))
    return "\n".join(lines)


def _example(rule: Rule, setting: Setting) -> list[str]:
    """The first case that fails, with what the rule says of it."""
    case = next((case for case in rule.cases if case.expect == "fail"), None)
    if case is None:
        return []
    verdict = run_case(rule, case, setting)
    said = str(verdict.message) if verdict.message is not None else ""
    given = yaml.safe_dump(dict(case.given), sort_keys=False, allow_unicode=True, width=100).rstrip()
    return ["## Example that fails", f"Given ({_words(case)}):", f"```yaml\n{given}\n```", f"it says: *{said}*"]


def _words(case: Case) -> str:
    return case.name.replace("_", " ")


def _expressions(rule: Rule) -> list[Expression]:
    found = [clause.expression for clause in rule.require]
    found += [hole for clause in rule.require for hole in clause.template.holes.values()]
    return [*found, rule.condition] if rule.condition is not None else found


def _quantities_of(rule: Rule, quantities: Sequence[Quantity]) -> list[Quantity]:
    """The quantities that a rule needs, and those that they need in their turn.

    A name is looked up on the record that the path leads to: the subject first, then the records that it names.
    """
    found: dict[str, Quantity] = {}
    waiting = [(rule.for_each, item) for item in _expressions(rule)]
    while waiting:
        record, expression = waiting.pop(0)
        for holder, field in _reads(record, expression):
            for quantity in quantities:
                if (quantity.record, quantity.field) == (holder, field) and quantity.name not in found:
                    found[quantity.name] = quantity
                    waiting.append((quantity.record, quantity.expression))
    return list(found.values())


def _reads(record: str, expression: Expression) -> list[tuple[str, str]]:
    """The (record, field) pairs that an expression reads, as far as records lead to records."""
    roots = {record: record}
    pairs: dict[tuple[str, str], None] = {}
    for node in walk(expression.tree):
        variable, source = getattr(node, "variable", None), getattr(node, "source", None)
        if variable is not None and isinstance(source, FactPath):
            roots[variable] = _follow(source, roots, pairs)
    for node in walk(expression.tree):
        if isinstance(node, FactPath):
            _follow(node, roots, pairs)
    return list(pairs)


def _follow(path: FactPath, roots: Mapping[str, str], pairs: dict[tuple[str, str], None]) -> str:
    """Walk a path from record to record, keep what is read on the way, and return the record at its end."""
    here = roots.get(path.root, "")
    for step in path.steps:
        if isinstance(step, str):
            pairs[here, step] = None
            here = RECORDS.get(here, {}).get(step, ("", ""))[0].strip("[]")
    return here


def _parameters_of(rule: Rule, used: Sequence[Quantity], ruleset: Ruleset) -> list[str]:
    policy = ruleset.policies.get("default")
    expressions = [*_expressions(rule), *(quantity.expression for quantity in used)]
    read = [
        node.steps[0]
        for item in expressions
        for node in walk(item.tree)
        if isinstance(node, FactPath) and node.root == "policy" and node.steps
    ]
    known = policy.parameters if policy is not None else {}
    return [
        f"- `{name}` = {_figure(str(name), known[str(name)].value)}: {known[str(name)].title}"
        for name in dict.fromkeys(read)
        if name in known
    ]


def _figure(name: str, value: Any) -> str:
    symbol = unit_of(name).symbol
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else value
    return f"{text} {symbol}" if symbol else str(text)


def _index(rules: Sequence[Rule]) -> str:
    blocks = [_NOTE + "# Rules", f"{len(rules)} rules. `rackwright explain RULE CONFIGURATION` derives a verdict."]
    families = [*FAMILIES, *sorted({rule.family for rule in rules} - set(FAMILIES))]
    for family in families:
        own = [rule for rule in rules if rule.family == family]
        if own:
            title = FAMILIES.get(family)
            blocks.append(f"## {family}" + (f": {title}" if title else ""))
            lines = [f"- [{rule.id}]({rule.id}.md) ({rule.severity.value}): {rule.title}" for rule in own]
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _facts(quantities: Sequence[Quantity]) -> str:
    blocks = [
        _NOTE + "# Facts",
        _ON_FACTS,
        f"Units: {', '.join(UNIT_SYMBOLS)}.",
        "## Subjects",
        "What `for_each` of a rule can name.",
        _table(("subject", "meaning"), [(f"`{name}`", meaning) for name, (_, meaning) in SUBJECTS.items()]),
    ]
    for record, entries in RECORDS.items():
        rows = [(f"`{name}`", word, _unit(name, word), meaning) for name, (word, meaning) in entries.items()]
        rows += [(f"`{item.field}`", "quantity", item.unit, item.title) for item in quantities if item.record == record]
        blocks += [f"## `{record}`", _table(("fact", "type", "unit", "meaning"), rows)]
    return "\n\n".join(blocks) + "\n"


def _unit(name: str, word: str) -> str:
    return unit_of(name).symbol if word == "number" else ""


def _policies(ruleset: Ruleset) -> str:
    blocks = [
        _NOTE + "# Policies",
        _ON_POLICIES,
    ]
    default = ruleset.policies.get("default")
    if default is not None:
        rows = [
            (f"`{item.name}`", _figure(item.name, item.value), item.title, item.source)
            for item in default.parameters.values()
        ]
        blocks += ["## Parameters and their defaults", _table(("parameter", "default", "meaning", "source"), rows)]
    for name, policy in sorted(ruleset.policies.items()):
        if policy is default:
            continue
        changed = [
            f"- `{item.name}` = {_figure(item.name, item.value)}"
            for item in policy.parameters.values()
            if default is None or default.parameters.get(item.name) is None
            or default.parameters[item.name].value != item.value
        ]  # fmt: skip
        changed += [f"- {rule}: {severity.value}" for rule, severity in sorted(policy.severities.items())]
        changed += [f"- {rule} is left out" for rule in sorted(policy.ignore)]
        blocks += [f"## `{name}`", "\n".join(changed)]
    return "\n\n".join(blocks) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
