"""Every text that a document can print, and the message catalogs (.po) that translate them.

`python -m rackwright.testing.messages` updates src/rackwright/locales/*.po: new texts are added untranslated, texts
that nothing prints any more are dropped.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from rackwright import api
from rackwright.catalog import Part
from rackwright.rules.model import Rule

_SOURCE = Path(__file__).resolve().parent.parent
# Modules whose constant tables hold texts for people: every text in them is printed.
_TABLES = {
    "proposal/labels.py",
    "proposal/labels_sheet.py",
    "proposal/figure_names.py",
}
_TABLE_NAMES = {"SEVERITY_LABELS", "OUTCOME_LABELS", "GRADE_LABELS", "KIND_LABELS", "STATUS_LABELS", "_GROUP_TITLES"}
# Words of the data that documents print as they are (Texts.term).
TERMS = (
    "front", "rear", "internal", "front-to-back", "back-to-front", "nvswitch", "direct", "infinity-fabric", "passive",
    "active", "active-blower", "active-open", "liquid", "single", "wye", "delta", "announced", "active", "end_of_sale",
    "end_of_life", "none", "unknown", "eu", "uk", "ch", "na", "jp", "other",
)  # fmt: skip


def source_texts() -> dict[str, str]:
    """Return every English source text with the place that it comes from."""
    texts: dict[str, str] = {}
    for path in sorted(_SOURCE.rglob("*.py")):
        name = path.relative_to(_SOURCE).as_posix()
        for text, line in _in_module(path, name):
            texts.setdefault(text, f"{name}:{line}")
    workshop = api.load_workshop()
    for rule in workshop.ruleset.rules:
        for text in (rule.title, rule.fix, *(clause.message for clause in rule.require)):
            texts.setdefault(text, str(rule.at))
    for part_id in workshop.catalog.parts:
        part = workshop.catalog.parts[part_id]
        for rule in _owned(part):
            for text in (rule.title, rule.fix, *(clause.message for clause in rule.require)):
                texts.setdefault(text, part.file)
    for word in TERMS:
        texts.setdefault(word, "term")
    return texts


def _owned(part: Part) -> list[Rule]:
    from rackwright.rules.constraints import rules_of_part

    return rules_of_part(part.id, part.constraints, part.sources, {}) if part.constraints else []


def _in_module(path: Path, name: str) -> Iterator[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            if name in _TABLES or names & _TABLE_NAMES:
                yield from _values(node.value)


def _of_call(node: ast.Call) -> Iterator[tuple[str, int]]:
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == "text" and node.args:
        yield from _constants(node.args[0])
    elif isinstance(function, ast.Name) and function.id in ("finding", "problem") and len(node.args) > 1:
        yield from _constants(node.args[1])
        for keyword in node.keywords:
            if keyword.arg == "fix":
                yield from _constants(keyword.value)


def _constants(node: ast.AST) -> Iterator[tuple[str, int]]:
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and len(child.value) > 1:
            yield child.value, child.lineno


def _values(node: ast.AST | None) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Dict):
        for value in node.values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                yield value.value, value.lineno


def update(path: Path, texts: Mapping[str, str]) -> int:
    """Bring one .po file up to date; return how many texts have no translation."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    old: Mapping[str, str] = {}
    if path.is_file():
        with path.open("rb") as file:
            old = {str(m.id): str(m.string) for m in read_po(file) if m.id and m.string}
    catalog = Catalog(
        locale=path.stem, fuzzy=False, project="rackwright", header_comment=f"# {path.stem}: texts of rackwright"
    )
    for text in sorted(texts):
        catalog.add(text, old.get(text, ""), auto_comments=[texts[text]])
    with path.open("wb") as file:
        write_po(file, catalog, width=120, omit_header=True, sort_output=True)
    return sum(1 for text in texts if not old.get(text))


def main() -> None:
    """Update every message catalog."""
    texts = source_texts()
    for path in sorted((_SOURCE / "locales").glob("*.po")):
        print(path.name, len(texts), "texts,", update(path, texts), "without a translation")


if __name__ == "__main__":
    main()
