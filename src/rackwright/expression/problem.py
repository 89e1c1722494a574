"""Findings of this package: one short way to make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rackwright.diagnostic import Figure, Finding, Message, Severity
from rackwright.expression.types import Field, Record
from rackwright.source import Location


def problem(code: str, message: str, at: Location | None, fix: str | None = None, /, **figures: str | float) -> Finding:
    """Make an error finding on an expression; `figures` fill the holes of the message and of the fix."""
    holes = {name: Figure(value) for name, value in figures.items()}
    return Finding(code, Severity.ERROR, Message(message, holes), at, Message(fix, holes) if fix else None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like `name`, None if none is alike."""
    from difflib import get_close_matches  # needed for findings only

    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def reached(name: str, fields: Mapping[str, Field], path: str, depth: int = 2) -> str | None:
    """Return the nearest path below `path` to a field called `name`, None if there is none within `depth` records."""
    level = [(path, fields)]
    for _ in range(depth):
        for here, known in level:
            if name in known:
                return f"{here}.{name}" if here else name
        below = ((f"{here}.{key}" if here else key, known[key].shape) for here, known in level for key in known)
        level = [(here, shape.fields) for here, shape in below if isinstance(shape, Record)]
    return next((f"{here}.{name}" for here, known in level if name in known), None)
