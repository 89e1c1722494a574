"""Turns what pydantic says about a file into sentences for the person who wrote the file.

Every finding has the place of the value or key, names what was found and what is expected, and proposes a fix. The
model is walked beside the data, so that allowed keys and values come from the model and are never kept twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from rackwright.diagnostic import Figure, Finding, Message, Severity, in_order
from rackwright.frozen import frozen
from rackwright.readers.files import clearly_closest, closest, described, dotted, printable, short_name, written
from rackwright.readers.key_meant import YES_NO, keys_meant
from rackwright.readers.model_shape import Spot, child, hint_of, labelled, spot_of, told_by, values_of
from rackwright.readers.number_fix import number_fix
from rackwright.readers.shape_fix import key_fix, lack_hint, list_fix, record_fix
from rackwright.readers.yaml_source import Document
from rackwright.source import Path
from rackwright.units import suffix_of, unit_of

Hole: TypeAlias = Figure | float | str

MAX_FINDINGS = 200
_OWN_ERRORS = frozenset(get_args(ErrorType)) - {"value_error", "assertion_error"}
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")  # how pydantic lists what it expects
_EXPECTED = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "a number"),
    **dict.fromkeys(("decimal_type", "decimal_parsing", "decimal_max_places"), 'an amount such as "12.50"'),
    **dict.fromkeys(("string_type", "string_sub_type", "string_unicode"), "a text"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"), "a list"),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), "keys with values"),
    **dict.fromkeys(("date_type", "date_parsing", "date_from_datetime_parsing"), 'a date such as "2026-12-01"'),
}
_IN_WORDS = ("expected", "reason")  # holes that are translated; all others hold words of the file or of the model
_LACKS = ("{name} lacks the key {keys}", "{name} lacks the keys {keys}")
# error type -> (what is, what to write, name of the limit in the error's context)
_LIMITS = {
    "greater_than_equal": ("{name} is {value}, below the least allowed {limit}", "write {limit} or more", "ge"),
    "greater_than": ("{name} is {value}, and has to be above {limit}", "write more than {limit}", "gt"),
    "less_than_equal": ("{name} is {value}, above the most allowed {limit}", "write {limit} or less", "le"),
    "less_than": ("{name} is {value}, and has to be below {limit}", "write less than {limit}", "lt"),
    "multiple_of": ("{name} is {value}, no multiple of {limit}", "write a multiple of {limit}", "multiple_of"),
    "too_short": ("{name} has fewer than {limit} entries", "give at least {limit}", "min_length"),
    "too_long": ("{name} has {size} entries, more than {limit}", "give at most {limit}", "max_length"),
    "string_too_short": ("{name} has fewer than {limit} characters", "write at least {limit}", "min_length"),
    "string_too_long": ("{name} has {size} characters, more than {limit}", "write at most {limit}", "max_length"),
}


@frozen(slots=True)
class _Problem:
    """An error with its place in the data. `level` is the spot that holds the key, `union` where a choice began."""

    error: ErrorDetails
    path: Path
    found: Any
    spot: Spot
    level: Spot
    union: tuple[Path, str] | None = None
    is_key: bool = False


def findings_from(
    error: ValidationError,
    document: Document,
    *,
    code: str,
    model: type[BaseModel],
    choices: Mapping[str, Sequence[str]] | None = None,
    under: Path = (),
) -> list[Finding]:
    """Explain the errors of `model` on `document`, in the order of the file.

    Shapes: `under` is the path of the validated value in the document; `choices` gives, by the name of a key, the
    values that are known for it and that the model does not know (ids of parts), for "did you mean".
    Units: a figure and its limit are shown in the unit that the key's name carries.
    Errors: none raised. At most MAX_FINDINGS findings, then one that counts the rest.
    """
    writer = _Writer(document, code, under, choices or {})
    problems = [_locate(details, writer.data(under), model) for details in error.errors(include_url=False)]
    return in_order(writer.all(_one_per_choice(problems)))


def is_lack(finding: Finding) -> bool:
    """Tell whether a finding of `findings_from` is about keys that are not there."""
    return finding.message.template in _LACKS


@frozen(slots=True)
class _Writer:
    """Writes the sentences for one document."""

    document: Document
    code: str
    under: Path
    choices: Mapping[str, Sequence[str]]

    def data(self, path: Path) -> Any:
        value: Any = self.document.data
        for element in path:
            value = value[element]
        return value

    def all(self, problems: list[_Problem]) -> list[Finding]:
        findings: list[Finding] = []
        missing: dict[Path, list[_Problem]] = {}
        meant: set[Path] = set()  # keys that are there, but misspelt: their absence needs no finding of its own
        for count, problem in enumerate(problems):
            if len(findings) >= MAX_FINDINGS:
                text = "{count} more problems are not shown"
                return [*findings, self.make(problem.path, text, None, True, count=len(problems) - count)]
            kind = problem.error["type"]
            if kind in ("missing", "union_tag_not_found"):
                missing.setdefault(problem.path[:-1], []).append(problem)
            elif kind == "extra_forbidden":
                finding, suggestion = self.unknown_key(problem)
                findings.append(finding)
                if suggestion:
                    meant.add((*problem.path[:-1], suggestion))
            else:
                findings.append(self.value(problem))
        # A key that is there with a refused value (null) was reported when the file was read.
        known = self.document.key_locations.places
        for owner, absent in missing.items():
            keys = [p for p in absent if p.path not in meant and (*self.under, *p.path) not in known]
            findings.extend([self.missing(owner, keys)] if keys else [])
        return findings

    def missing(self, owner: Path, problems: list[_Problem]) -> Finding:
        keys = list(dict.fromkeys(str(problem.path[-1]) for problem in problems))
        hints = [f"{p.path[-1]} ({hint})" if (hint := lack_hint(p.spot)) else str(p.path[-1]) for p in problems]
        message = _LACKS[len(keys) > 1]
        return self.make(
            owner, message, "add {hints}", name=dotted(owner), keys=", ".join(keys), hints=", ".join(hints)
        )

    def unknown_key(self, problem: _Problem) -> tuple[Finding, str | None]:
        key, owner = str(problem.path[-1]), problem.path[:-1]
        present = self.data((*self.under, *owner))
        meant = keys_meant(key, present[problem.path[-1]], problem.level, present)
        fix, texts = key_fix(meant, present[problem.path[-1]], problem.level)
        texts = {"key": printable(key), "owner": dotted(owner), **texts}
        found = self.make(problem.path, "{key} is not a key of {owner}", fix, True, **texts)
        return found, meant[0][0] if len(meant) == 1 else None

    def value(self, problem: _Problem) -> Finding:
        kind = problem.error["type"]
        if kind in _LIMITS:
            return self.limit(problem)
        if kind in ("literal_error", "enum", "union_tag_invalid"):
            return self.choice(problem)
        expected = problem.error.get("ctx", {}).get("expected_here") or _EXPECTED.get(kind)
        name = short_name(problem.path)
        if expected:
            fix, texts = _fix_type(kind, problem)
            fix = None if " or a " in expected and isinstance(problem.found, list | dict) else fix  # says nothing new
            texts = {"name": name, "expected": expected, "found": described(problem.found), **texts}
            return self.make(problem.path, "{name}: expected {expected}, found {found}", fix, problem.is_key, **texts)
        meant = self.meant(problem)
        fix = "did you mean {meant}?" if meant else None
        if kind in _OWN_ERRORS:
            form, hint = _form(problem)
            fix = fix or (form if hint else None)
            texts = {"name": name, "found": described(problem.found), "hint": hint, "meant": meant or ""}
            return self.make(problem.path, "{name}: {found} has not the right form", fix, problem.is_key, **texts)
        reason = problem.error.get("ctx", {}).get("error") or problem.error["msg"]  # a check of the model, in its words
        texts = {"name": name, "reason": printable(str(reason), 300), "meant": meant or ""}
        return self.make(problem.path, "{name}: {reason}", fix, problem.is_key, **texts)

    def limit(self, problem: _Problem) -> Finding:
        message, fix, context = _LIMITS[problem.error["type"]]
        found, key, limit = problem.found, _key(problem.path), problem.error.get("ctx", {})[context]
        holes: dict[str, Hole] = {"name": short_name(problem.path)}
        if context in ("min_length", "max_length"):
            holes |= {"limit": limit, "size": len(found) if isinstance(found, str | list | dict) else 0}
            message = message if found else "{name} is empty"
        else:
            holes |= {"limit": _figure(limit, key), "value": _figure(found, key)}
        return self.make(problem.path, message, fix, problem.is_key, **holes)

    def choice(self, problem: _Problem) -> Finding:
        ctx = problem.error.get("ctx", {})
        path, found, allowed = problem.path, problem.found, values_of(problem.spot)
        if problem.error["type"] == "union_tag_invalid":  # stands at the record, and means the key that tells its kind
            key = str(ctx["discriminator"]).strip("'")
            path, found, allowed = (*path, key), ctx["tag"], []
        allowed = allowed or _QUOTED.findall(str(ctx.get("expected", ctx.get("expected_tags", ""))))
        meant = clearly_closest(found, allowed) if isinstance(found, str) else None
        fix = "did you mean {meant}? Allowed: {allowed}" if meant else "write one of: {allowed}"
        texts = {
            "name": short_name(path),
            "found": described(found),
            "meant": meant or "",
            "allowed": ", ".join(allowed),
        }
        return self.make(path, "{name}: {found} is none of the allowed values", fix, problem.is_key, **texts)

    def meant(self, problem: _Problem) -> str | None:
        known = self.choices.get(next((e for e in reversed(problem.path) if isinstance(e, str)), ""), ())
        return closest(problem.found, known) if isinstance(problem.found, str) else None

    def make(self, path: Path, message: str, fix: str | None, at_key: bool = False, **holes: Hole) -> Finding:
        table = self.document.key_locations if at_key else self.document.locations
        figures = {
            name: hole if isinstance(hole, Figure) else Figure(hole, is_written=name not in _IN_WORDS)
            for name, hole in holes.items()
        }
        return Finding(
            code=self.code,
            severity=Severity.ERROR,
            message=Message(message, figures),
            at=table.at((*self.under, *path)),
            fix=Message(fix, figures) if fix else None,
            subject=dotted(path) if path else "",
        )


def _locate(error: ErrorDetails, data: Any, model: type[BaseModel]) -> _Problem:
    """Walk data and model along the error's `loc`, which also holds the names of the members of unions."""
    spot = level = spot_of(model)
    path: Path = ()
    here, union, is_key, is_chosen = data, None, False, False
    for position, element in enumerate(error["loc"]):
        last = position == len(error["loc"]) - 1
        if len(spot.types) > 1 and not is_chosen:
            is_chosen = True  # one label a choice
            told = told_by(spot.types, element, here)
            union = union if told else union or (path, str(element))
            spot = replace(spot, types=told or labelled(spot.types, element))
        elif element == "[key]" and last and not (isinstance(here, dict) and "[key]" in here):
            is_key, here = True, path[-1] if path else ""
        elif _holds(here, element):
            level, spot = spot, child(spot, element)
            path, here, is_chosen = (*path, element), here[element], False
        elif last and error["type"] == "missing":
            level, spot, path = spot, child(spot, element), (*path, element)
    if error["type"] == "union_tag_not_found":
        path = (*path, str(error.get("ctx", {}).get("discriminator", "kind")).strip("'"))
    return _Problem(error, path, here, spot, level, union, is_key)


def _holds(here: Any, element: str | int) -> bool:
    if isinstance(here, dict):
        return element in here
    return isinstance(here, list) and isinstance(element, int) and 0 <= element < len(here)


def _one_per_choice(problems: list[_Problem]) -> list[_Problem]:
    """Where a value may have several shapes, keep the errors of the shape that it was probably meant to have.

    Errors inside of the value tell more than 'is no text, and no list'; if there are none, all become one error.
    """
    groups: dict[Path, dict[str, list[_Problem]]] = {}
    for problem in problems:
        if problem.union:
            groups.setdefault(problem.union[0], {}).setdefault(problem.union[1], []).append(problem)
    result = [problem for problem in problems if problem.union is None]
    for path, members in groups.items():
        deeper = [m for m in members.values() if any(p.path != path or p.error["type"] not in _EXPECTED for p in m)]
        if deeper:
            result.extend(sorted(deeper, key=len)[0])
            continue
        first = next(iter(members.values()))[0]
        *some, final = dict.fromkeys(_EXPECTED[p.error["type"]] for m in members.values() for p in m)
        phrase = f"{', '.join(some)} or {final}" if some else final
        result.append(replace(first, error={**first.error, "ctx": {"expected_here": phrase}}))
    return result


def _form(problem: _Problem) -> tuple[str, str]:
    """How a text of the wrong form is written, and what goes into its hole."""
    if problem.error["type"] == "string_pattern_mismatch" and problem.spot.examples:
        return "write it as in {hint}", " or ".join(problem.spot.examples)
    hint = hint_of(problem.spot) or str(problem.error.get("ctx", {}).get("pattern", ""))
    return "write it in this form: {hint}", hint


def _key(path: Path) -> str:
    """The key that carries the unit: the last one, or the one above it in a map such as {300: 310}."""
    keys = [element for element in path if isinstance(element, str)]
    return next((key for key in keys[:-3:-1] if suffix_of(key)), keys[-1] if keys else "")


def _figure(value: Any, key: str) -> Figure:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Figure(value, unit_of(key)) if abs(value) < 1e15 else Figure(f"{value:g}")
    return Figure(described(value) if isinstance(value, str) else printable(written(value)))


def _fix_type(kind: str, problem: _Problem) -> tuple[str | None, dict[str, str]]:
    """The advice for a value of the wrong kind, and what goes into its holes."""
    found = problem.found
    if kind.startswith(("int", "float", "finite")):
        return number_fix(found, _key(problem.path), kind)
    if kind.startswith("bool") and isinstance(found, str) and found.strip().casefold() in YES_NO:
        return "write {value}", {"value": YES_NO[found.strip().casefold()]}
    if kind.startswith(("string", "decimal", "date")) and isinstance(found, bool | int | float):
        fix = "put it in quotes, as it is printed" if isinstance(found, float) else 'put it in quotes: "{value}"'
        return fix, {"value": written(found)}
    if _EXPECTED.get(kind) == "a list":
        return list_fix(found, problem.spot)
    if _EXPECTED.get(kind) == "keys with values":
        return record_fix(found, problem.spot)
    hint = hint_of(problem.spot)
    return ("write {hint}", {"hint": hint}) if hint else (None, {})
