"""The decision: which GPU, how many, in how many nodes, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.catalog import Catalog
from rackwright.configuration import SizingFile
from rackwright.sizing.model import Sizing


def size(file: SizingFile, catalog: Catalog, policy: Mapping[str, Any]) -> Sizing:
    """Work out what a workload needs, over all GPUs of the catalog (or those that the request names).

    `catalog` must have the models and GPUs loaded (`Catalog.of_kind`); `policy` are the parameters by name
    (`Policy.facts`). Nothing is read from a file: a `model` that is a config.json was put into the catalog by the
    reader (`readers.model_config.with_model_files`). Never raises for bad input: the findings say it.
    """
    del catalog, policy  # not used yet
    return Sizing(file)
