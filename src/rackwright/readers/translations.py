"""Reads the message catalogs: one .po file a language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent.parent / "locales"


def languages() -> list[str]:
    """Return the languages that documents can be written in; English is the source language."""
    return ["en", *sorted(path.stem for path in _FOLDER.glob("*.po"))]


def read_translations(language: str) -> Mapping[str, str]:
    """Return source text -> translation for a language; nothing for English or a language without a catalog."""
    path = _FOLDER / f"{language}.po"
    if language == "en" or not path.is_file():
        return {}
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalog = read_po(file)
    return {
        str(message.id): str(message.string)
        for message in catalog
        if message.id and isinstance(message.id, str) and message.string and not message.fuzzy
    }
