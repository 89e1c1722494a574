"""What a value of a user's file must keep to, and the types that its records share.

The records are plain dataclasses; their annotations carry these limits (see readers/plain_records.py).
"""

# Without annotations from __future__: readers need the types themselves, and evaluating texts would cost 5 ms a start.

import datetime
import re
from collections.abc import Mapping
from typing import Annotated, NamedTuple


class Limits(NamedTuple):
    """What a value must keep to; the names are pydantic's. `description` says it to a person.

    A function behind it in an annotation checks what limits cannot say: it returns the value or raises ValueError.
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    description: str | None = None


def told(description: str) -> Mapping[str, str]:
    """A word to the user, as metadata of a field."""
    return {"description": description}


_ISO_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def is_iso_day(text: str) -> bool:
    """Tell whether `text` is a day of the calendar, written as 2026-12-01."""
    try:
        return re.match(_ISO_DAY, text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def _checked_day(text: str) -> str:
    if not is_iso_day(text):
        raise ValueError(f"the calendar has no day {text}")
    return text


Name = Annotated[
    str,
    Limits(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$",
        max_length=40,
        description="letters, digits, spaces, dots, dashes and underscores; it begins with a letter or digit",
    ),
]
PartId = Annotated[str, Limits(min_length=3, max_length=100)]
Text = Annotated[str, Limits(max_length=400)]
IsoDay = Annotated[str, Limits(pattern=_ISO_DAY, description="ISO date in quotes: '2026-12-01'"), _checked_day]
Amount = Annotated[
    str,
    Limits(
        pattern=r"^[0-9]{1,9}(\.[0-9]{1,2})?$",
        description="an amount of money in quotes, with a point and at most two decimals: '1250.00'",
    ),
]
Ratio = Annotated[float, Limits(ge=0, le=1, description="0.15 for 15 %")]
