"""Reads a configuration file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from rackwright.configuration import Configuration, ConfigurationFile
from rackwright.diagnostic import Finding, finding, in_order
from rackwright.readers.configuration_check import check_configuration
from rackwright.readers.files import read_text
from rackwright.readers.model_errors import findings_from
from rackwright.readers.yaml_source import load_yaml
from rackwright.source import Location


def read_configuration(path: Path, shown: str | None = None) -> tuple[ConfigurationFile | None, list[Finding]]:
    """Read and check a configuration file; every problem is a finding with its place (CFG…)."""
    name = shown if shown is not None else str(path)
    text, findings = read_text(path, name)
    if text is None:
        return None, findings
    document, problems = load_yaml(text, name)
    if document is None:
        return None, problems
    if not isinstance(document.data, dict):
        return None, problems or [_not_a_configuration(name)]
    try:
        configuration = Configuration.model_validate(document.data)
    except ValidationError as error:
        return None, in_order([*problems, *findings_from(error, document, code="CFG010", model=Configuration)])
    findings = in_order([*problems, *check_configuration(configuration, document)])
    if findings:
        return None, findings
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ConfigurationFile(configuration, document.locations, text, digest), []


def _not_a_configuration(name: str) -> Finding:
    return finding(
        "CFG011",
        "the file is not a configuration: it has no keys",
        Location(name),
        fix="start with `nodes:`; `rackwright new` writes a file to begin with",
    )
