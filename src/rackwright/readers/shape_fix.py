"""What to write instead of a key that the model does not know, or of a value that is no record or no list."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from rackwright.readers.files import listed, printable, written
from rackwright.readers.key_meant import Keys, value_written
from rackwright.readers.model_shape import Spot, child, fields_of, hint_of, is_model, names_of

_FEW = 8  # keys of a record that are explained where they are listed

Fix = tuple[str, dict[str, str]]  # the advice, and what goes into its holes


def key_fix(meant: list[Keys], value: Any, level: Spot) -> Fix:
    """Return what to write instead of an unknown key; `meant` are the keys that were probably meant."""
    if not meant:
        return "remove it; the keys here are {keys}", {"keys": _explained(level)}
    if len(meant) == 1:
        *record, key = meant[0]
        place = child(child(level, record[0]), key) if record else child(level, key)
        text = value_written(value, key, place)
        if text is not None and (record or text != written(value)):
            example = f"{key}: {printable(text)}"
            return "write it as {example}", {"example": f"{record[0]}: {{{example}}}" if record else example}
    named = [path[0] if len(path) == 1 else f"{path[1]} under {path[0]}" for path in meant]
    return "did you mean {meant}?", {"meant": " or ".join(named)}


def record_fix(found: Any, spot: Spot) -> Fix:
    """Return what to write instead of a value that is no record."""
    if names_of(spot):
        example = _example(found, spot)
        if example:
            return "write {example}; the keys are {keys}", {"example": example, "keys": listed(names_of(spot))}
        return "write lines of key: value; the keys are {keys}", {"keys": _explained(spot)}
    for kind in spot.types:
        if _is_map_of_records(kind):
            record = Spot((get_args(kind)[1],))
            example = _example(found, record) or _form(record)
            fix = "write lines of the form NAME: {example}" + (" ({hint})" if spot.description else "")
            return fix, {"example": example, "hint": spot.description}
    hint = spot.description
    return "write lines of key: value ({hint})" if hint else "write lines of key: value", {"hint": hint}


def lack_hint(spot: Spot) -> str:
    """Return what may be written under a key that is missing."""
    forms = [_form(Spot((get_args(kind)[1],))) for kind in spot.types if _is_map_of_records(kind)]
    said = hint_of(spot)
    return "; ".join([said, *(f"form: NAME: {form}" for form in forms)]) if forms else said


def _is_map_of_records(kind: Any) -> bool:
    arguments = get_args(kind)
    return len(arguments) == 2 and is_model(arguments[1])


def list_fix(found: Any, spot: Spot) -> Fix:
    """Return what to write instead of a value that is no list."""
    for kind in spot.types:
        arguments = get_args(kind)
        if get_origin(kind) is list and is_model(arguments[0]):
            item = Spot((arguments[0],))
            texts = {"example": _example(found, item) or _form(item), "keys": listed(names_of(item))}
            return "write it as a list: [{example}]; the keys are {keys}", texts
    if isinstance(found, bool | int | float | str):
        return "write it as a list: [{value}]", {"value": printable(written(found))}
    return "write it as a list", {}


def _example(found: Any, spot: Spot) -> str | None:
    """A record with the one value that was written, under the key that takes it; None if no key clearly does.

    A free text is taken by a key that has to be there; a number only by a key with its unit.
    """
    if not isinstance(found, bool | int | float | str):
        return None
    required = _required(spot)
    for name in [*required, *(name for name in names_of(spot) if name not in required)]:
        place = child(spot, name)
        is_free = str in place.types and not (isinstance(found, str) and name in required)
        text = None if is_free or isinstance(found, int | float) else value_written(found, name, place)
        if text is not None:
            others = "".join(f", {other}: …" for other in required if other != name)
            return f"{{{name}: {printable(text)}{others}}}"
    return None


def _form(spot: Spot) -> str:
    """A record with the keys that have to be there, the first two if none has to."""
    return "{" + ", ".join(f"{name}: …" for name in _required(spot) or names_of(spot)[:2]) + "}"


def _required(spot: Spot) -> list[str]:
    fields = [item for kind in spot.types if is_model(kind) for item in fields_of(kind).items()]
    return [name for name, field in fields if field.is_required()]


def _explained(spot: Spot) -> str:
    """The keys of a record; with what they mean, if there are few."""
    names = names_of(spot)
    if len(names) > _FEW:
        return listed(names)
    texts = [(name, child(spot, name).description) for name in names]
    return ", ".join(f"{name} ({text})" if text else name for name, text in texts)
