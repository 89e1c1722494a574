"""The JSON Schemas of part files and of the report, generated from the models, for editors and vendors."""

from __future__ import annotations

import json
from typing import Any

from rackwright.configuration import Configuration, SizingRequest
from rackwright.parts import PART_KINDS
from rackwright.proposal.report import Report
from rackwright.proposal.sizing_report import SizingReport
from rackwright.readers.configuration_shape import model_of

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_texts() -> dict[str, str]:
    """Return every schema as text by its path in the repository."""
    texts = {
        f"catalog/schema/{kind}.schema.json": _text(_titled(model.model_json_schema()), f"rackwright {kind} part")
        for kind, model in PART_KINDS.items()
    }
    texts["docs/schemas/configuration.schema.json"] = _text(
        model_of(Configuration).model_json_schema(), "rackwright configuration"
    )
    texts["docs/schemas/workload.schema.json"] = _text(
        model_of(SizingRequest).model_json_schema(), "rackwright workload"
    )
    texts["docs/schemas/sizing.schema.json"] = _text(
        SizingReport.model_json_schema(mode="serialization"), "rackwright answer to a workload"
    )
    texts["docs/schemas/report.schema.json"] = _text(
        Report.model_json_schema(mode="serialization"), "rackwright report"
    )
    return texts


def _titled(schema: dict[str, Any]) -> dict[str, Any]:
    """Give every field a title, those of nested records too: editors show it above the description.

    Keys of a map that have a form are refused if they have another one, as the model does.
    """
    _close_maps(schema)
    for record in (schema, *schema.get("$defs", {}).values()):
        for name, field in record.get("properties", {}).items():
            field.setdefault("title", name.replace("_", " ").capitalize())
    return schema


def _close_maps(schema: Any) -> None:
    if isinstance(schema, dict):
        if "patternProperties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            _close_maps(value)
    elif isinstance(schema, list):
        for value in schema:
            _close_maps(value)


def _text(schema: dict[str, Any], title: str) -> str:
    return json.dumps({"$schema": _DRAFT, **schema, "title": title}, indent=2, ensure_ascii=False) + "\n"
