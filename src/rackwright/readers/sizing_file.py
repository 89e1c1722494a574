"""Reads a workload that stands alone, from a file or from options of a command; or out of a configuration."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rackwright.configuration import Configuration, SizingFile, SizingRequest
from rackwright.diagnostic import Finding, finding, in_order
from rackwright.readers.configuration_file import configuration_of
from rackwright.readers.files import as_text, read_text
from rackwright.readers.model_config import models_of
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location, Locations

if TYPE_CHECKING:
    from pydantic import ValidationError


def read_sizing(path: Path, shown: str | None = None) -> tuple[SizingFile | None, list[Finding]]:
    """Read and check a workload file; every problem is a finding with its place (CFG…).

    A file with `nodes` is a configuration: the workload of its first node that states one is taken.
    """
    name = shown if shown is not None else as_text(path)
    text, findings = read_text(path, name)
    if text is None:
        return None, findings
    document, problems = load_yaml(text, name)
    if document is None:
        return None, problems
    if not isinstance(document.data, dict):
        return None, problems or [_not_a_workload(name)]
    request, findings = _of_configuration(document) if "nodes" in document.data else _request(document)
    if request is None or problems:
        return None, in_order([*problems, *findings])
    return _with_models(SizingFile(request, document.locations, text, path.parent))


def sizing_of(data: dict[str, Any]) -> tuple[SizingFile | None, list[Finding]]:
    """Return the request that options of a command make up; `data` is the same as a file would hold."""
    document = Document(data, Locations("options"), Locations("options"))
    request, findings = _request(document)
    return _with_models(SizingFile(request, Locations(""))) if request is not None else (None, findings)


def _with_models(file: SizingFile) -> tuple[SizingFile | None, list[Finding]]:
    """Read the models that the workload names by a file."""
    models, findings = models_of(file.request.workload, ("workload",), file.locations, file.folder)
    return (None, findings) if findings else (dataclasses.replace(file, models=models), [])


def request_of(data: dict[str, Any]) -> SizingRequest:
    """Return the request that plain data describes. Raises pydantic's ValidationError if it does not."""
    fitting = record_of(SizingRequest, data)
    if fitting is not None:
        return fitting
    from rackwright.readers.configuration_shape import model_of

    mended = record_of(SizingRequest, model_of(SizingRequest).model_validate(data).model_dump())
    assert mended is not None  # what pydantic made of the data fits
    return mended


def _request(document: Document) -> tuple[SizingRequest | None, list[Finding]]:
    assert isinstance(document.data, dict)
    try:
        return request_of(document.data), []
    except ValueError as refused:
        return None, _refused(refused, document, SizingRequest)


def _of_configuration(document: Document) -> tuple[SizingRequest | None, list[Finding]]:
    assert isinstance(document.data, dict)
    try:
        configuration = configuration_of(document.data)
    except ValueError as refused:
        return None, _refused(refused, document, Configuration)
    workload = next((node.workload for node in configuration.nodes if node.workload is not None), None)
    if workload is None:
        text, fix = "no node of this configuration says what it is for", "give one a `workload`"
        return None, [finding("CFG043", text, Location(document.locations.file), fix=fix)]
    return (
        SizingRequest(
            quote=configuration.quote,
            site=configuration.site,
            policy=configuration.policy,
            policies=configuration.policies,
            workload=workload,
        ),
        [],
    )


def _refused(error: ValueError, document: Document, kind: Any) -> list[Finding]:
    from rackwright.readers.configuration_shape import model_of
    from rackwright.readers.model_errors import findings_from

    return findings_from(cast("ValidationError", error), document, code="CFG010", model=model_of(kind))


def _not_a_workload(name: str) -> Finding:
    return finding(
        "CFG011",
        "the file is not a workload: it has no keys",
        Location(name),
        fix="start with `workload:` and its `task`",
    )
