"""What a pydantic model expects at a place of the data: types, keys, allowed values, descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rackwright.frozen import frozen
from rackwright.readers.files import written


@frozen(slots=True)
class Spot:
    """What the model expects at a place: its possible types without None, what a description says, and examples."""

    types: tuple[Any, ...] = ()
    description: str = ""
    examples: tuple[str, ...] = ()


def spot_of(annotation: Any, description: str = "", examples: Sequence[str] = ()) -> Spot:
    """Return what an annotation expects, without None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *extras = get_args(annotation)
        said = [extra for extra in extras if isinstance(extra, FieldInfo)]
        texts = [extra.description for extra in said if extra.description]
        shown = [extra.examples for extra in said if extra.examples]
        return spot_of(inner, texts[-1] if texts else description, shown[-1] if shown else examples)
    if origin in (Union, UnionType):
        members = [kind for kind in get_args(annotation) if kind is not NoneType]
        return merged([spot_of(kind, description, examples) for kind in members], description)
    return Spot((annotation,), description, tuple(map(str, examples)))


def merged(spots: list[Spot], description: str = "") -> Spot:
    """Return one spot for several."""
    types = [kind for spot in spots for kind in spot.types]
    types = [kind for index, kind in enumerate(types) if kind not in types[:index]]
    texts = next((spot.description for spot in spots if spot.description), description)
    return Spot(tuple(types), texts, next((spot.examples for spot in spots if spot.examples), ()))


def child(spot: Spot, element: str | int) -> Spot:
    """What is expected at a key or an index."""
    found: list[Spot] = []
    for kind in spot.types:
        arguments = get_args(kind)
        if is_model(kind):
            field = fields_of(kind).get(str(element))
            if field is not None:
                found.append(spot_of(field.annotation, field.description or "", field.examples or ()))
        elif isinstance(element, str) and len(arguments) == 2:
            found.append(spot_of(arguments[1]))
        elif isinstance(element, int) and arguments:
            several = len(arguments) > element and arguments[-1] is not Ellipsis
            found.append(spot_of(arguments[element if several else 0]))
    return merged(found)


def step_by_step(spot: Spot, names: Sequence[str]) -> Spot:
    """Return what is expected at a dotted name; a spot without types if the model has no such field."""
    for name in names:
        spot = child(spot, name)
    return spot


def told_by(types: tuple[Any, ...], tag: str | int, here: Any) -> tuple[Any, ...]:
    """The models of a union whose kind is told by a key of the data that holds `tag`."""
    return tuple(
        kind
        for kind in types
        if is_model(kind) and isinstance(here, dict)
        for name, field in fields_of(kind).items()
        if here.get(name) == tag and tag in values_of(spot_of(field.annotation))
    )


def labelled(types: tuple[Any, ...], label: str | int) -> tuple[Any, ...]:
    """The member of a union that pydantic calls `label`; all if that is not clear."""
    name = str(label).partition("[")[0]  # list[str] is a label too
    return tuple(kind for kind in types if getattr(kind, "__name__", None) == name) or types


def is_model(kind: Any) -> bool:
    """Tell whether a type is a record of the model."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a record by the key that a file writes."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def names_of(spot: Spot) -> list[str]:
    """Return the keys of the records that may stand here."""
    return list(dict.fromkeys(name for kind in spot.types if is_model(kind) for name in fields_of(kind)))


def values_of(spot: Spot) -> list[str]:
    """The values that a closed list allows, as they are written in YAML."""
    members = [m for kind in spot.types if isinstance(kind, type) and issubclass(kind, Enum) for m in kind]
    members += [value for kind in spot.types if get_origin(kind) is Literal for value in get_args(kind)]
    return [written(value.value if isinstance(value, Enum) else value) for value in members]


def hint_of(spot: Spot) -> str:
    """Return what may be written here: the allowed values, or what the description says."""
    return "one of " + ", ".join(values) if (values := values_of(spot)) else spot.description
