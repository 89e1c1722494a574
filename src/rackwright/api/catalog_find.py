"""Parts of a catalog that meet conditions: `kind=gpu memory_gb>=80 form_factor=pcie`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rackwright.catalog import Catalog, Part
from rackwright.errors import UsageError
from rackwright.frozen import frozen

_TERM = re.compile(r"^([A-Za-z_.][\w.]*?)(>=|<=|!=|=|>|<)(.+)$")
_SIGNS = (">=", "<=", ">", "<")


@frozen(slots=True)
class Condition:
    """What a part has to meet; `field` is the dotted name of the part file, `written` what the person wrote."""

    field: str
    sign: str
    wanted: str
    written: str


def conditions(words: Sequence[str]) -> list[Condition]:
    """Read conditions, each word one or several of them with spaces between.

    A field may be named by its last words (`memory_gb` for `memory.capacity_gb`) if they tell which one is meant.
    Errors: UsageError for what is no condition, a field that no part of the kind has, a text where a number belongs.
    """
    terms = []
    for text in " ".join(words).split():
        match = _TERM.match(text)
        if match is None:
            raise UsageError(f"'{text}' is not a condition: write FIELD=VALUE, FIELD>=VALUE …")
        terms.append(match.groups())
    models = _models([wanted for name, sign, wanted in terms if name == "kind" and sign == "="])
    return [Condition(_field(name, wanted, sign, models), sign, wanted, name) for name, sign, wanted in terms]


def matching(catalog: Catalog, wanted: Sequence[Condition]) -> list[Part]:
    """Return the parts that meet all conditions, in the order of the catalog; a figure that is not known meets none."""
    parts = (catalog.parts[part_id] for part_id in catalog.parts)
    return [part for part in parts if all(_holds(part.get(c.field), c.sign, c.wanted) for c in wanted)]


def _models(kinds: Sequence[str]) -> list[Any]:
    from rackwright.parts import PART_KINDS

    unknown = [kind for kind in kinds if kind not in PART_KINDS]
    if unknown:
        raise UsageError(f"there is no kind {unknown[0]}; the kinds are {', '.join(PART_KINDS)}")
    return [PART_KINDS[kind] for kind in kinds or PART_KINDS]


def _field(name: str, wanted: str, sign: str, models: Sequence[Any]) -> str:
    from rackwright.readers.model_shape import spot_of, step_by_step

    spots = [spot_of(model) for model in models]
    places = [place for spot in spots if (place := step_by_step(spot, name.split("."))).types]
    if sign in _SIGNS and not _is_number(wanted):
        raise UsageError(f"'{wanted}' is not a number: write {name}{sign}80")
    return name if places else _meant(name, wanted, spots)


def _meant(name: str, wanted: str, spots: Sequence[Any]) -> str:
    """The dotted field that is meant by a word that no part has. A path that leads nowhere only gets what is near."""
    from rackwright.readers.key_meant import keys_meant

    value: Any = float(wanted) if _is_number(wanted) else wanted
    meant = list(dict.fromkeys(".".join(path) for spot in spots for path in keys_meant(name, value, spot, {})))
    if len(meant) == 1 and "." not in name:
        return meant[0]
    near = f"; did you mean {' or '.join(meant[:3])}?" if meant else "; `rackwright catalog show PART` shows some"
    raise UsageError(f"no part has the field {name}{near}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _holds(value: Any, sign: str, wanted: str) -> bool:
    if value is None:
        return False
    if isinstance(value, list):
        return any(_holds(item, sign, wanted) for item in value)
    if isinstance(value, bool | str):
        text = str(value).lower()
        return text == wanted.lower() if sign == "=" else sign == "!=" and text != wanted.lower()
    if not _is_number(wanted) or isinstance(value, dict):
        return False
    number = float(wanted)
    held: bool = {
        "=": value == number, "!=": value != number, ">=": value >= number,
        "<=": value <= number, ">": value > number, "<": value < number,
    }[sign]  # fmt: skip
    return held
