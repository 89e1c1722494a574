"""Reads a configuration file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from rackwright.configuration import Configuration, ConfigurationFile
from rackwright.diagnostic import Finding, finding
from rackwright.readers.files import read_text
from rackwright.readers.model_errors import findings_from
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Location


def read_configuration(path: Path, shown: str | None = None) -> tuple[ConfigurationFile | None, list[Finding]]:
    """Read and check a configuration file; every problem is a finding with its place (CFG…)."""
    name = shown if shown is not None else str(path)
    text, findings = read_text(path, name)
    if text is None:
        return None, findings
    document, problems = load_yaml(text, name)
    if document is None or problems:
        return None, problems
    return _checked(document, text, name)


def _checked(document: Document, text: str, name: str) -> tuple[ConfigurationFile | None, list[Finding]]:
    if not isinstance(document.data, dict):
        return None, [_not_a_configuration(name)]
    try:
        configuration = Configuration.model_validate(document.data)
    except ValidationError as error:
        return None, findings_from(error, document, code="CFG010", model=Configuration)
    findings = _repeated_ids(configuration, document)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return (None if findings else ConfigurationFile(configuration, document.locations, text, digest)), findings


def _not_a_configuration(name: str) -> Finding:
    return finding(
        "CFG011",
        "the file is not a configuration: it has no keys",
        Location(name),
        fix="start with `nodes:`; `rackwright new` writes a file to begin with",
    )


def _repeated_ids(configuration: Configuration, document: Document) -> list[Finding]:
    findings: list[Finding] = []
    groups = (
        ("nodes", [node.id for node in configuration.nodes], ("nodes",)),
        ("racks", [rack.id for rack in configuration.site.racks], ("site", "racks")),
    )
    for word, ids, path in groups:
        for index, name in enumerate(ids):
            if name in ids[:index]:
                findings.append(
                    finding(
                        "CFG012",
                        "two {word} are called '{name}'",
                        document.locations.at((*path, index, "id")),
                        fix="give each its own id",
                        related=((document.locations.at((*path, ids.index(name), "id")), "the first"),),
                        word=word,
                        name=name,
                    )
                )
    return findings
