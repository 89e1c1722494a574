"""The fast path of rules as functions: one a kind of subject, and one a part that owns constraints.

They are compiled where rules are checked, and kept as bytes beside them in the cache, so that a run neither parses
nor compiles a rule that passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rackwright.expression import Expression, compile_tests, dump, free_names
from rackwright.expression.tree import Literal
from rackwright.rules.model import BrokenRuleError, Rule

_ALWAYS = Expression("True", None, Literal(True))
_BROKEN = Expression("0", None, Literal(0))  # neither true nor false: the exact path looks, and reports the rule
Function = Callable[..., Sequence[Any]]


def groups_of(rules: Iterable[Rule]) -> dict[tuple[str, str], list[Rule]]:
    """Rules by kind of subject and owner, in their order: what one function answers."""
    groups: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.for_each, rule.owner), []).append(rule)
    return groups


def key_of(subject: str, owner: str) -> str:
    """The key of a group's code: the part that owns the rules, else the kind of subject."""
    return owner or subject


def compile_group(rules: Sequence[Rule], bound: str) -> Function:
    """Compile the rules of one group; `bound` is the name of the subject in their texts.

    The function takes the subject's record and the policy. It returns one value a rule: False if its condition is
    false, True if the rule holds, else a tuple of the value of its condition and of each clause, MISSING for those
    that cannot be evaluated.
    """
    roots = [bound, "policy"]
    return compile_tests([_expressions(rule, frozenset(roots)) for rule in rules], roots)


def code_of(rules: Iterable[Rule], bound: Mapping[str, str]) -> dict[str, bytes]:
    """The compiled functions of all groups as bytes, by `key_of`; only for a cache of this program alone."""
    return {
        key_of(*group): dump(compile_group(members, bound[group[0]])) for group, members in groups_of(rules).items()
    }


def _expressions(rule: Rule, roots: frozenset[str]) -> list[Expression]:
    try:
        found = [rule.condition or _ALWAYS, *(clause.expression for clause in rule.require)]
    except BrokenRuleError:
        found = []
    if found and all(free_names(expression.tree) <= roots for expression in found):
        return found
    return [_BROKEN] * (1 + len(rule.require))
