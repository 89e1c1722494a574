"""The report as JSON: the stable contract for other programs (schema: docs/schemas/report.schema.json)."""

from __future__ import annotations

from rackwright.proposal.report import Report


def write_json(report: Report) -> str:
    """Return the report as indented JSON with a line end; the order of keys is that of the model."""
    return report.model_dump_json(indent=2) + "\n"
