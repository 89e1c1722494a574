"""Where the catalog, the rules and the templates are that come with rackwright."""

from __future__ import annotations

from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return the folder `catalog`, `rules` or `templates`: inside the installed package, else of the source tree."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "shipped" / name
    return installed if installed.is_dir() else package.parent.parent / name
