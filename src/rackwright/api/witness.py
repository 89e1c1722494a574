"""Where figures and choices come from: the engine's witness, with the catalog and the user's file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from rackwright.catalog import Catalog
from rackwright.configuration import ConfigurationFile
from rackwright.expression import Read
from rackwright.rules.model import Policy
from rackwright.source import Citation, Grade, Location, Path

Record = Mapping[str, Any]


class CatalogWitness:
    """Tells rules where figures and choices come from."""

    def __init__(self, catalog: Catalog, file: ConfigurationFile, policy: Policy) -> None:
        self._catalog = catalog
        self._file = file
        self._policy = policy

    def evidence(self, part_id: str, field: str) -> tuple[Citation | None, Grade | None]:
        """Return document and grade of a figure."""
        part = self._catalog.find(part_id)
        return part.evidence_of(field) if part is not None else (None, None)

    def candidate(self, part_id: str, field: str) -> str | None:
        """Return the unverified figure that exists for a missing field."""
        part = self._catalog.find(part_id)
        return part.candidates.get(field) if part is not None else None

    def place(self, record: Record) -> Location | None:
        """Return the place of the choice that a record comes from."""
        path = record.get("_path")
        return self._file.at(path) if path is not None else None

    def part_place(self, part_id: str, field: str) -> Location | None:
        """Return the place of a field in its part file."""
        part = self._catalog.find(part_id)
        return part.at(field) if part is not None else None

    def origin(self, read: Read) -> str:
        """Return the user's line that states a fact, `configuration.yaml:37`, or the policy that sets it.

        An empty text: neither states it; it was derived, or is a default.
        """
        root, _, rest = read.path.partition(".")
        if root == "policy":
            return self._line(("policies", rest)) or f"policy {self._policy.name}"
        for record, field in ((read.holder, read.path.rpartition(".")[2]), (read.owner, read.field)):
            path = record.get("_path") if record is not None else None
            line = self._line((*path, *field.split("."))) if path is not None else ""
            if line:
                return line
        return ""

    def _line(self, path: Path) -> str:
        if path not in self._file.locations.places:
            return ""
        at = self._file.at(path)
        return f"{PurePath(at.file).name}:{at.line}"
