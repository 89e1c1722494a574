"""The types of all facts: what the check of rules knows about paths, units and texts.

Built from the vocabulary and from the models of parts. Only needed when rules are checked, so that a run which takes
its rules from the cache never builds it.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from rackwright.expression import Field, Flag, ListOf, Number, Record, Text, Type
from rackwright.facts.vocabulary import RECORDS
from rackwright.parts import PART_KINDS
from rackwright.units import SIGNED_SUFFIXES, suffix_of, unit_of

_CARD_KINDS = ("gpu", "nic", "storage_adapter")
# Fields of part files that rules cannot read: they are about the file, not about the part.
_HIDDEN = frozenset({"sources", "evidence", "constraints", "aliases", "notes"})


def shapes() -> dict[str, Record]:
    """Return the type of every record of the vocabulary and of every kind of part (`part:gpu`)."""
    found: dict[str, Record] = {}
    for kind, model in PART_KINDS.items():
        found[f"part:{kind}"] = _of_model(model, f"{kind} part")
    found["part:card"] = _common("part:card", [found[f"part:{kind}"] for kind in _CARD_KINDS])
    found["part:any"] = _any_part(found)
    for name in RECORDS:
        found[name] = Record(name, {})
    for name, entries in RECORDS.items():
        fields = found[name].fields
        if isinstance(fields, dict):
            fields.update(
                {field: Field(_entry_type(field, entry[0], found), entry[1]) for field, entry in entries.items()}
            )
    return found


def _entry_type(name: str, word: str, found: Mapping[str, Record]) -> Type:
    if word.startswith("["):
        return ListOf(_entry_type(name, word[1:-1], found))
    if word == "text":
        return Text()
    if word == "flag":
        return Flag()
    if word in ("count", "number"):
        return _number(name, is_integer=word == "count")
    return found[word]


def _number(name: str, *, is_integer: bool) -> Number:
    return Number(unit_of(name), is_signed=suffix_of(name) in SIGNED_SUFFIXES, is_integer=is_integer)


def _of_model(model: type[BaseModel], title: str) -> Record:
    fields: dict[str, Field] = {}
    for name, info in model.model_fields.items():
        shape = None if name in _HIDDEN else _of_annotation(name, info.annotation)
        if shape is not None:
            fields[name] = Field(shape, info.description or "")
    return Record(title, fields)


def _of_annotation(name: str, annotation: Any) -> Type | None:
    """The type of a field of a part; None for what rules cannot read (dictionaries)."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _of_annotation(name, get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        inner = [item for item in get_args(annotation) if item is not type(None)]
        return _of_annotation(name, inner[0]) if len(inner) == 1 else None
    if origin is Literal:
        choices = get_args(annotation)
        return Text(frozenset(choices)) if isinstance(choices[0], str) else Number(is_integer=True)
    if origin is list:
        element = _of_annotation(name, get_args(annotation)[0])
        return ListOf(element) if element is not None else None
    if annotation is bool:
        return Flag()
    if annotation is str:
        return Text()
    if annotation in (int, float):
        return _number(name, is_integer=annotation is int)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _of_model(annotation, annotation.__name__)
    return None


def _common(name: str, records: list[Record]) -> Record:
    first, *rest = records
    shared = {field: shape for field, shape in first.fields.items() if all(field in other.fields for other in rest)}
    form_factor = Field(Text(), "pcie, ocp3, sxm5 …")
    return Record(name, {**shared, "kind": Field(Text(), "kind of part"), "form_factor": form_factor})


def _any_part(found: Mapping[str, Record]) -> Record:
    shared = _common("part:any", [found[f"part:{kind}"] for kind in PART_KINDS]).fields
    plain = {name: field for name, field in shared.items() if name != "form_factor"}
    return Record("part:any", {**plain, "power": found["part:gpu"].fields["power"]})
