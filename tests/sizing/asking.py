"""Sizing of a workload that is written in a test, over the shipped catalog."""

from pathlib import Path
from typing import Any

from rackwright.configuration import SizingFile, SizingRequest
from rackwright.readers.configuration_file import record_from
from rackwright.sizing import Sizing, size
from rackwright.source import Locations

from .reference import catalog, workshop


def sized(workload: dict[str, Any], limits: dict[str, Any] | None = None, **policies: Any) -> Sizing:
    request = record_from(SizingRequest, {"workload": workload, "limits": limits or {}})
    file = SizingFile(request, Locations("workload.yaml"), "", Path())
    return size(file, catalog(), {**workshop().ruleset.policies["default"].facts, **policies})


def codes(sizing: Sizing) -> list[tuple[str, str]]:
    return [(item.code, str(item.message)) for item in sizing.findings]
