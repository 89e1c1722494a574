"""Models that a workload names by a file: a Hugging Face config.json beside it, read as a part of the catalog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rackwright.catalog import Part
from rackwright.diagnostic import Finding, finding
from rackwright.readers.files import read_text
from rackwright.source import Location, Locations
from rackwright.source import Path as Place
from rackwright.workloads.hf_config import model_data
from rackwright.workloads.shape import Workload


def models_of(
    workload: Workload, path: Place, locations: Locations, folder: Path
) -> tuple[dict[str, Part], list[Finding]]:
    """Read the models of a workload that are files: by the text that names them. `path` is the workload's place.

    Errors: CFG070 the file cannot be read, or is no config.json; the model is left out then.
    """
    models: dict[str, Part] = {}
    findings: list[Finding] = []
    named = [(workload.model, path), *((task.model, (*path, "tasks", i)) for i, task in enumerate(workload.tasks))]
    for name, place in named:
        if name is not None and name.endswith(".json") and name not in models:
            part, problems = _read(name, folder, locations.at((*place, "model")))
            findings += problems
            if part is not None:
                models[name] = part
    return models, findings


def _read(name: str, folder: Path, at: Location) -> tuple[Part | None, list[Finding]]:
    text, problems = read_text(folder / name, name)
    if text is None:
        return None, problems
    config: Any
    try:
        config = json.loads(text)
    except (ValueError, RecursionError):
        config = None
    if not isinstance(config, dict) or not any(key in config for key in ("model_type", "hidden_size", "text_config")):
        fix = "name the config.json that lies beside the weights of the model"
        return None, [finding("CFG070", "{name} is no config.json of a model", at, fix=fix, name=name)]
    title = str(config.get("_name_or_path") or Path(name).parent.name or name)[:120]
    data: dict[str, Any] = {"kind": "model", "id": name, "maker": "file", **model_data(config, title)}
    source = {"config": {"doc": name}}
    return Part(data["id"], "model", data, name, {}, source, {"*": {"source": "config", "grade": "assumed"}}), []
