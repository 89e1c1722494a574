"""`rackwright new`: a configuration to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rackwright.cli.common import say
from rackwright.errors import OutputError
from rackwright.readers.shipped import shipped_folder


def new(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where to write it; made if need be.")] = Path(),
) -> None:
    """Write configuration.yaml, a commented configuration to begin with. An older one is never replaced."""
    from rackwright.outputs.files import write_all_atomic

    place = folder / "configuration.yaml"
    text = (shipped_folder("templates") / "new" / "configuration.yaml").read_bytes()
    if place.exists() or place.is_symlink():
        raise OutputError(f"{place} is there already")
    write_all_atomic(folder, {place.name: text})
    say(str(place))
    say(f"next: rackwright validate {folder}")
