"""The house style of a run: the folder given, else the one that the configuration names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rackwright.api.runs import Run
from rackwright.diagnostic import Finding

if TYPE_CHECKING:
    from rackwright.proposal.house import HouseStyle


def house_of(run: Run, folder: Path | None = None) -> tuple[HouseStyle | None, list[Finding]]:
    """Read the house style; None if there is none, or if it cannot be used (findings say why)."""
    from rackwright.readers.files import as_text, resolve_inside
    from rackwright.readers.house import read_house

    named = run.file.configuration.quote.house
    if folder is None and named is not None:
        folder, problems = resolve_inside(run.file.folder, named, run.file.at(("quote", "house")))
        if folder is None:
            return None, problems
        return read_house(folder, as_text(run.file.folder / named))
    return (None, []) if folder is None else read_house(folder, as_text(folder))
