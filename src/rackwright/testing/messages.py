"""Every text that a document can print, and the message catalogs (.po) that translate them.

`python -m rackwright.testing.messages` updates src/rackwright/locales/*.po: new texts are added untranslated, texts
that nothing prints any more are dropped. Nothing else changes, so that a second run writes the same bytes.

What belongs in: labels; everything that goes through `Texts`; titles, messages and fixes of rules and of the
constraints of parts; findings on a configuration that could be read, and on prices. What stays out, because no
document is ever made of it: findings on files that could not be read (`_UNREAD`: there is no run then), on part and
rule files (codes other than `_CODES`), and the words of the command line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from rackwright import api
from rackwright.catalog import Part
from rackwright.parts import PART_KINDS
from rackwright.placement.lines import article
from rackwright.rules.constraints import rules_of_part
from rackwright.rules.model import Rule

_SOURCE = Path(__file__).resolve().parent.parent
# Modules whose constant tables hold texts for people: every text in them is printed.
_TABLES = {"proposal/labels.py", "proposal/labels_sheet.py", "proposal/labels_sizing.py", "proposal/figure_names.py"}
_TABLE_NAMES = {
    "SEVERITY_LABELS",
    "OUTCOME_LABELS",
    "GRADE_LABELS",
    "KIND_LABELS",
    "STATE_LABELS",
    "STATUS_LABELS",
    "CHEAPER_LABELS",
    "LOSS_PHRASES",
    "WHY_NOT",
    "CODE_LABELS",
    "REASON_PHRASES",
    "_GROUP_TITLES",
    "_PURPOSES",
    "LACKING_LABELS",
    "DECLARATION_LABELS",
    "ROLE_LABELS",
    "SERVICE_LABELS",
    "SHARE_LABELS",
    "UNIT_LABELS",
    "VAT_WORDS",
    "WARRANTY_LABELS",
    "_SPACED",
}
# Findings that a document can print: on configurations, prices, rules that crash.
_CODES = ("CFG", "BOM", "SYS")
_UNREAD = {
    "readers/calculation.py",
    "readers/catalog_check.py",
    "readers/catalog_part.py",
    "readers/catalog_plausible.py",
    "readers/configuration_check.py",
    "readers/configuration_file.py",
    "readers/files.py",
    "readers/house.py",
    "readers/model_errors.py",
    "readers/sizing_file.py",
    "readers/yaml_source.py",
    "readers/yaml_syntax.py",
}
_HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
# Words of the data that documents print: sides, states, forms of parts, units, candidates,
# reasons, and what is expected where something else was found.
TERMS = (
    "front", "rear", "internal", "front-to-back", "back-to-front", "nvswitch", "direct", "infinity-fabric", "passive",
    "active", "active-blower", "active-open", "liquid", "air", "liquid-assisted-air", "direct-liquid", "single", "wye",
    "delta", "announced", "none", "unknown", "half", "three-quarter", "full", "low", "pcie", "ocp2", "ocp3", "sxm2",
    "sxm4", "sxm5", "sxm6", "oam", "u2", "u3", "2.5in", "3.5in", "e1s", "e1l", "e3s", "m2", "card", "nvme", "sas",
    "sata", "eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin", "anderson-saf-d-grid", "fixed-dc", "bronze", "silver",
    "gold", "platinum", "titanium", "U", "see the part file",
    "LLM inference", "fine-tuning", "training", "rendering", "virtual desktops", "mixed",
    "latency", "throughput", "steady", "bursty", "several",
    "the figures do not settle it", "true or false", "a text", "a number, 0 or more",
)  # fmt: skip


def source_texts() -> dict[str, str]:
    """Return every English source text with the place that it comes from."""
    texts: dict[str, str] = {}
    for path in sorted(_SOURCE.rglob("*.py")):
        name = path.relative_to(_SOURCE).as_posix()
        if name not in _UNREAD and not name.startswith(("cli/", "testing/", "outputs/drawings/")):
            for text in _in_module(ast.parse(path.read_text(encoding="utf-8")), name):
                texts.setdefault(text, name)
    workshop = api.load_workshop()
    for rule in workshop.ruleset.rules:
        for text in _of_rule(rule):
            texts.setdefault(text, f"rule {rule.id}")
    for part_id in sorted(workshop.catalog.parts):
        for rule in _owned(workshop.catalog.parts[part_id]):
            for text in _of_rule(rule):
                texts.setdefault(text, f"part {part_id}")
    for text in _of_checklist():
        texts.setdefault(text, "checklist")
    for word in (*TERMS, *(article(kind) for kind in PART_KINDS)):
        texts.setdefault(word, "word of the data")
    return texts


def _of_rule(rule: Rule) -> Iterator[str]:
    yield rule.title
    yield rule.fix
    yield from (clause.message for clause in rule.require)


def _of_checklist() -> Iterator[str]:
    from rackwright.readers.checklist_file import read_checklist

    checklist = read_checklist()
    yield from checklist.groups.values()
    for question in checklist.questions:
        yield from (question.question, question.ask)
        yield from (answer.template.text for answer in question.answers if answer.template is not None)


def _owned(part: Part) -> list[Rule]:
    return rules_of_part(part.id, part.constraints, part.sources, {}) if part.constraints else []


def _in_module(tree: ast.Module, name: str) -> Iterator[str]:
    if name in _TABLES:
        yield from _values(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if {target.id for target in targets if isinstance(target, ast.Name)} & _TABLE_NAMES:
                yield from _values(node.value)
        elif isinstance(node, ast.FunctionDef):
            for call in (child for child in ast.walk(node) if isinstance(child, ast.Call)):
                for argument in _told(call, name):
                    yield from _texts(argument, node, tree)


def _values(tree: ast.AST) -> Iterator[str]:
    """Texts of constant tables: values of mappings, elements of tuples."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict | ast.Tuple):
            yield from (text for value in getattr(node, "values", getattr(node, "elts", ())) for text in _plain(value))


def _told(call: ast.Call, module: str) -> Iterator[ast.AST]:
    """The arguments of a call that are texts for people."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    arguments = call.args
    is_on_texts = isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in ("texts", "self")
    if name == "text" and is_on_texts:
        yield from arguments[:1]
    elif name == "phrase":
        yield from arguments[1:]
    elif name in ("Message", "sentence"):
        yield from arguments[:1]
    elif name == "cell" and module == "readers/price_cells.py":  # what is expected in a cell of a price list
        yield from arguments[3:4]
    elif name == "finding" and isinstance(arguments[0], ast.Constant) and str(arguments[0].value).startswith(_CODES):
        yield from arguments[1:2]
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "fix")
    elif name == "_bad" and module == "readers/bmecat.py":
        yield from arguments[2:3]
    elif name == "_unusable":
        yield from arguments[1:2]


def _texts(argument: ast.AST, function: ast.FunctionDef, module: ast.Module) -> Iterator[str]:
    """The texts that an argument can have: its constants, and those that its variable is given anywhere.

    A variable of a loop over rows takes the first element of a row.
    """
    given = list(_plain(argument))
    for name in _names(argument):
        found = [text for value in _values_given(name, function) for text in _texts(value, function, module)]
        given += found or [text for value in _values_given(name, module) for text in _plain(value)]
    if not given and isinstance(argument, ast.Name):
        rows = [row for row in ast.walk(function) if isinstance(row, ast.Tuple) and row.elts]
        given = [text for row in rows if isinstance(row.elts[0], ast.Constant) for text in _plain(row.elts[0])]
    yield from given


def _values_given(name: str, scope: ast.AST) -> Iterator[ast.AST]:
    """The expressions that a variable is given in a scope."""
    for node in scope.body if isinstance(scope, ast.Module) else ast.walk(scope):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            assert isinstance(node, ast.Assign)
            if isinstance(target, ast.Name) and target.id == name:
                yield node.value
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=True)
                yield from (value for single, value in pairs if isinstance(single, ast.Name) and single.id == name)


def _names(node: ast.AST) -> Iterator[str]:
    """The variables that an expression may print: itself, or the branches of a choice."""
    if isinstance(node, ast.IfExp):
        yield from (*_names(node.body), *_names(node.orelse))
    elif isinstance(node, ast.Name):
        yield node.id


def _plain(node: ast.AST) -> Iterator[str]:
    """The texts of a constant, or of both branches of a choice."""
    if isinstance(node, ast.IfExp):
        yield from (*_plain(node.body), *_plain(node.orelse))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.Call):  # TABLE.get(key, "otherwise")
        yield from (text for argument in node.args[1:] for text in _plain(argument))


def update(path: Path, texts: Mapping[str, str]) -> int:
    """Bring one .po file up to date; return how many texts have no translation."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    old: Mapping[str, str] = {}
    if path.is_file():
        with path.open("rb") as file:
            old = {str(m.id): str(m.string) for m in read_po(file) if m.id and m.string}
    catalog = Catalog(locale=path.stem, fuzzy=False)
    for text in sorted(texts):
        catalog.add(text, old.get(text, ""), auto_comments=[texts[text]])
    with path.open("wb") as file:
        file.write(_HEADER.format(language=path.stem).encode())  # Babel's own holds dates
        write_po(file, catalog, width=120, omit_header=True, sort_output=True)
    return sum(1 for text in texts if not old.get(text))


def main() -> None:
    """Update every message catalog."""
    texts = source_texts()
    for path in sorted((_SOURCE / "locales").glob("*.po")):
        print(path.name, len(texts), "texts,", update(path, texts), "without a translation")


if __name__ == "__main__":
    main()
