"""Which rules a run evaluates: `--select` and `--ignore` by rule id, by family, or by a part's constraint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rackwright.catalog import Catalog
from rackwright.errors import UsageError
from rackwright.frozen import frozen
from rackwright.rules.model import Rule, Ruleset


@frozen(slots=True)
class Selection:
    """Names of rules and families. An empty `select` means all; `ignore` is taken off afterwards."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    def keeps(self, rule: Rule) -> bool:
        """Tell whether a rule is evaluated."""
        names = {rule.id, rule.family, *rule.aliases}
        return (not self.select or bool(names & self.select)) and not names & self.ignore

    def left_out(self, rules: Iterable[Rule]) -> frozenset[str]:
        """Return the ids of the rules that are not evaluated."""
        return frozenset(rule.id for rule in rules if not self.keeps(rule))


def selection(select: Sequence[str], ignore: Sequence[str], ruleset: Ruleset, catalog: Catalog) -> Selection:
    """Read the names of `--select` and `--ignore`; each text may hold several, with commas between them.

    Errors: UsageError for a name that is no rule, family (PWR; `maker` for the constraints of parts) or constraint
    (`hpe/dl380a-gen12#gpu-cable-kit`), with the nearest names: a misspelt name must not switch a check off silently.
    """
    known = {name for rule in ruleset.rules for name in (rule.id, rule.family, *rule.aliases)} | {"maker"}
    groups = []
    for option, texts in (("--select", select), ("--ignore", ignore)):
        names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
        for name in names:
            if name not in known and not _is_constraint(name, catalog):
                raise UsageError(_unknown(option, name, known, catalog))
        groups.append(frozenset(names))
    return Selection(*groups)


def _is_constraint(name: str, catalog: Catalog) -> bool:
    part_id, mark, constraint = name.partition("#")
    part = catalog.find(part_id) if mark else None
    return part is not None and any(item["id"] == constraint for item in part.constraints)


def _unknown(option: str, name: str, known: Iterable[str], catalog: Catalog) -> str:
    import difflib

    part_id, mark, constraint = name.partition("#")
    if mark:
        part = catalog.find(part_id)
        if part is None:
            near = catalog.nearest(part_id)
        else:
            ids = [item["id"] for item in part.constraints]
            near = [f"{part.id}#{item}" for item in difflib.get_close_matches(constraint, ids, 3, 0.5) or ids[:3]]
    else:
        near = difflib.get_close_matches(name.upper(), list(known), 3, 0.6)
    hint = f"; did you mean {', '.join(near)}?" if near else "; `rackwright rules list` shows all rules"
    return f"{option}: there is no rule or family {name}{hint}"
