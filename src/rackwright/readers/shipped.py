"""Where the catalog, the rules and the templates are that come with rackwright."""

from __future__ import annotations

from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return the folder `catalog`, `rules` or `templates`: inside the installed package, else of the source tree."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "shipped" / name
    return installed if installed.is_dir() else package.parent.parent / name


def real_path(name: str) -> Path:
    """Return the path of a file that a finding names.

    Shipped files are named from their folder on, `rules/pwr/…`: if nothing of that name is here, they are meant.
    """
    top, _, rest = name.partition("/")
    path = Path(name)
    return shipped_folder(top) / rest if top in ("rules", "catalog") and not path.exists() else path
