"""Reads a configuration file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from rackwright.catalog import Part
from rackwright.configuration import Configuration, ConfigurationFile
from rackwright.diagnostic import Finding, finding, in_order
from rackwright.readers.configuration_check import check_configuration
from rackwright.readers.files import as_text, read_text
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location

if TYPE_CHECKING:
    from pydantic import ValidationError

T = TypeVar("T")


def read_configuration(path: Path, shown: str | None = None) -> tuple[ConfigurationFile | None, list[Finding]]:
    """Read and check a configuration file; every problem is a finding with its place (CFG…)."""
    name = shown if shown is not None else as_text(path)
    text, document, findings = _document(
        path, name, "start with `nodes:`; `rackwright new` writes a file to begin with"
    )
    if text is None or document is None:
        return None, findings
    configuration, problems = _record(Configuration, document)
    if configuration is None:
        return None, in_order([*findings, *problems])
    findings = in_order([*findings, *check_configuration(configuration, document)])
    if findings:
        return None, findings
    models, findings = _models(configuration, document, path.parent)
    if findings:
        return None, findings
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ConfigurationFile(configuration, document.locations, text, digest, path.parent, models), []


def _models(configuration: Configuration, document: Document, folder: Path) -> tuple[dict[str, Part], list[Finding]]:
    """Read the models that workloads name by a file; nothing is loaded for a configuration without any."""
    models: dict[str, Part] = {}
    findings: list[Finding] = []
    for number, node in enumerate(configuration.nodes):
        if node.workload is not None:
            from rackwright.readers.model_config import models_of

            found, problems = models_of(node.workload, ("nodes", number, "workload"), document.locations, folder)
            models |= found
            findings += problems
    return models, findings


def configuration_of(data: dict[str, Any]) -> Configuration:
    """Return the configuration that plain data describes. Raises pydantic's ValidationError if it does not."""
    return record_from(Configuration, data)


def record_from(kind: type[T], data: dict[str, Any]) -> T:
    """Return the record that plain data describes. Raises pydantic's ValidationError if it does not."""
    fitting = record_of(kind, data)
    if fitting is not None:
        return fitting
    from rackwright.readers.configuration_shape import model_of

    shape: Any = kind
    mended = record_of(kind, model_of(shape).model_validate(data).model_dump())
    assert mended is not None  # what pydantic made of the data fits
    return mended


def _document(path: Path, name: str, start: str) -> tuple[str | None, Document | None, list[Finding]]:
    """The text and the keys of a file; None and findings where there are none."""
    text, findings = read_text(path, name)
    if text is None:
        return None, None, findings
    document, problems = load_yaml(text, name)
    if document is not None and not isinstance(document.data, dict):
        return None, None, problems or [_without_keys(name, start)]
    return text, document, problems


def _record(kind: type[T], document: Document) -> tuple[T | None, list[Finding]]:
    assert isinstance(document.data, dict)
    try:
        return record_from(kind, document.data), []
    except ValueError as refused:
        from rackwright.readers.configuration_shape import model_of
        from rackwright.readers.model_errors import findings_from

        problems, shape = cast("ValidationError", refused), cast("Any", kind)
        return None, findings_from(problems, document, code="CFG010", model=model_of(shape))


def _without_keys(name: str, start: str) -> Finding:
    return finding("CFG011", "the file is not a configuration: it has no keys", Location(name), fix=start)
