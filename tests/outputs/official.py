"""What is wrong with a file by the schema of its format; each returns an empty list if nothing is."""

from __future__ import annotations

import json
import zipfile
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import xmlschema
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.schema._res import BOM_JSON, CRYPTOGRAPHY_DEFS, JSF, SPDX_JSON
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

SCHEMAS = Path(__file__).parent / "schemas"
_CYCLONEDX = {"1.6": SchemaVersion.V1_6, "1.7": SchemaVersion.V1_7}
_BASE = "http://cyclonedx.org/schema/"


class _Exact(yaml.SafeLoader):
    """Reads numbers as decimals: 1.1 is a multiple of 0.1."""


_Exact.add_constructor("tag:yaml.org,2002:float", lambda _, node: Decimal(node.value))


def cyclonedx_faults(content: bytes, version: str) -> list[str]:
    """By the official schema, and by what it cannot say: references that lead nowhere, names that occur twice."""
    document = json.loads(content)
    faults = [f"{error.json_path}: {error.message}" for error in _cyclonedx(version).iter_errors(document)]
    names: list[str] = []
    links: set[str] = set()
    _collect(document, names, links)
    faults += [f"{name} twice" for name in sorted(set(names)) if names.count(name) > 1]
    return faults + [f"{link} leads nowhere" for link in sorted(links - set(names))]


@cache
def _cyclonedx(version: str) -> jsonschema.protocols.Validator:
    def read(path: str | None) -> Any:
        assert path is not None
        return json.loads(Path(path).read_text(encoding="utf-8"))

    shared = [Path(str(path)) for path in (SPDX_JSON, JSF, CRYPTOGRAPHY_DEFS)]
    registry = Registry().with_resources(
        [(_BASE + path.name, Resource.from_contents(read(str(path)), DRAFT7)) for path in shared]
    )
    schema = read(BOM_JSON[_CYCLONEDX[version]])
    return jsonschema.Draft7Validator(schema, registry=registry, format_checker=jsonschema.FormatChecker())


def _collect(value: Any, names: list[str], links: set[str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "bom-ref":
                names.append(inner)
            elif key in ("ref", "target", "assessor", "requirement"):
                links.add(inner)
            elif key in ("dependsOn", "assemblies", "claims", "counterClaims", "evidence") and isinstance(inner, list):
                links.update(item for item in inner if isinstance(item, str))
            _collect(inner, names, links)
    elif isinstance(value, list):
        for inner in value:
            _collect(inner, names, links)


def ubl_faults(content: bytes) -> list[str]:
    """By the official schema of UBL 2.2, which UBL 2.3 widens."""
    return [str(error.reason) for error in _ubl().iter_errors(content.decode())]


@cache
def _ubl() -> xmlschema.XMLSchema:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(SCHEMAS / "ubl-2.2.zip") as archive:
        archive.extractall(folder)
        return xmlschema.XMLSchema(f"{folder}/maindoc/UBL-Quotation-2.2.xsd", allow="local", defuse="always")


def netbox_faults(content: bytes, kind: str) -> list[str]:
    """By what NetBox can import; `kind` is device-type or module-type."""
    schema = json.loads((SCHEMAS / "netbox-4.7.3.json").read_text(encoding="utf-8"), parse_float=Decimal)
    validator = jsonschema.Draft202012Validator({**schema, "$ref": f"#/$defs/{kind}"})
    records = [record for record in yaml.load_all(content.decode(), _Exact) if record]
    faults = [f"{error.json_path}: {error.message}" for record in records for error in validator.iter_errors(record)]
    names = [(record["manufacturer"], record["model"]) for record in records]
    return faults + [f"{name} twice" for name in sorted(set(names)) if names.count(name) > 1]
