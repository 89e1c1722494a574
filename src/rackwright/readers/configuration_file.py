"""Reads a configuration file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rackwright.configuration import Configuration, ConfigurationFile
from rackwright.diagnostic import Finding, finding, in_order
from rackwright.readers.configuration_check import check_configuration
from rackwright.readers.files import as_text, read_text
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location

if TYPE_CHECKING:
    from pydantic import ValidationError


def read_configuration(path: Path, shown: str | None = None) -> tuple[ConfigurationFile | None, list[Finding]]:
    """Read and check a configuration file; every problem is a finding with its place (CFG…)."""
    name = shown if shown is not None else as_text(path)
    text, findings = read_text(path, name)
    if text is None:
        return None, findings
    document, problems = load_yaml(text, name)
    if document is None:
        return None, problems
    if not isinstance(document.data, dict):
        return None, problems or [_not_a_configuration(name)]
    configuration, findings = _configuration(document)
    if configuration is None:
        return None, in_order([*problems, *findings])
    findings = in_order([*problems, *check_configuration(configuration, document)])
    if findings:
        return None, findings
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ConfigurationFile(configuration, document.locations, text, digest, path.parent), []


def configuration_of(data: dict[str, Any]) -> Configuration:
    """Return the configuration that plain data describes. Raises pydantic's ValidationError if it does not."""
    fitting = record_of(Configuration, data)
    if fitting is not None:
        return fitting
    from rackwright.readers.configuration_shape import model_of

    mended = record_of(Configuration, model_of(Configuration).model_validate(data).model_dump())
    assert mended is not None  # what pydantic made of the data fits
    return mended


def _configuration(document: Document) -> tuple[Configuration | None, list[Finding]]:
    assert isinstance(document.data, dict)
    try:
        return configuration_of(document.data), []
    except ValueError as refused:
        from rackwright.readers.configuration_shape import model_of
        from rackwright.readers.model_errors import findings_from

        problems = cast("ValidationError", refused)
        return None, findings_from(problems, document, code="CFG010", model=model_of(Configuration))


def _not_a_configuration(name: str) -> Finding:
    return finding(
        "CFG011",
        "the file is not a configuration: it has no keys",
        Location(name),
        fix="start with `nodes:`; `rackwright new` writes a file to begin with",
    )
