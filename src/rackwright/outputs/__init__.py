"""Documents and reports: each module takes a finished model and returns text or bytes. None imports another."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:  # every output is below this package, and most do not need the report
    from rackwright.proposal.report import Report

# Format of the report -> (module, function). A new format is a module and a line here and in cli.common.Format.
REPORT_FORMATS: dict[str, tuple[str, str]] = {
    "json": ("json", "write_json"),
    "sarif": ("sarif", "write_sarif"),
    "github": ("github", "write_github"),
    "junit": ("junit", "write_junit"),
}


def write_report(report: Report, name: str) -> str:
    """Return the report in the format `name`, a key of REPORT_FORMATS; only that format's module is imported."""
    module, function = REPORT_FORMATS[name]
    write = cast("Callable[[Report], str]", getattr(import_module(f"rackwright.outputs.{module}"), function))
    return write(report)
