"""Checks one part file, as far as it can be checked without the others, and turns it into what is served."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from rackwright.diagnostic import Figure, Finding, Message, finding
from rackwright.readers.catalog_overlay import NOT_FIGURES, leaves
from rackwright.readers.files import clearly_closest, closest, printable, read_text
from rackwright.readers.findings_data import findings_to_text
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Path


def read_part(folder: FilePath, path: str, shown: str) -> tuple[dict[str, Any], str]:
    """Parse and check one part file: its head (id, digest, findings) and its body as JSON text."""
    text, findings = read_text(folder / path, shown)
    document: Document | None = None
    if text is not None:
        document, problems = load_yaml(text, shown)
        findings = [*findings, *problems]
    body: dict[str, Any] = {}
    lacking: list[Finding] = []
    if document is not None and not findings:
        body, problems, lacking = check_part_file(document, path)
        findings = [*findings, *problems]
    head = {
        "id": body.get("raw", {}).get("id", ""),
        "aliases": body.get("raw", {}).get("aliases", []),
        "digest": hashlib.blake2b((text or "").encode(), digest_size=12).hexdigest(),
        "findings": findings_to_text(findings),
        "lacking": findings_to_text(lacking),
    }
    return head, json.dumps(body)


def check_part(document: Document, path: str) -> tuple[dict[str, Any], list[Finding]]:
    """Check the content of a whole part file and return it in the form that is served.

    `path` is relative to the catalog folder and must be `<kind>/<id>.yaml`. An empty body means that the part cannot
    be served. What is checked here needs this file alone; checks across files are in `catalog_check`.
    """
    body, findings, lacking = check_part_file(document, path)
    return ({} if lacking else body), [*findings, *lacking]


def check_part_file(document: Document, path: str) -> tuple[dict[str, Any], list[Finding], list[Finding]]:
    """Check a part file that may be a change to a part of a folder below.

    Returns body, findings, and what the file lacks if there is no part below it: then it is an error. The body of a
    file that lacks something has only what was written (`raw`) and where (`places`).
    """
    from pydantic import ValidationError

    from rackwright.parts import PART_KINDS
    from rackwright.readers.model_errors import findings_from, is_lack

    data: Any = document.data
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or data["kind"] not in PART_KINDS:
        return {}, [_unknown_kind(document, data, path)], []
    model = PART_KINDS[data["kind"]]
    raw = {"raw": data, "places": {".".join(map(str, key)): place for key, place in document.locations.places.items()}}
    try:
        part = model.model_validate(data)
    except ValidationError as error:
        findings = _id_from_path(findings_from(error, document, code="CAT002", model=model), path)
        lacking = [item for item in findings if is_lack(item)]
        others = [item for item in findings if not is_lack(item)]
        if others or not all(_may_be_below(details["loc"]) for details in error.errors(include_url=False)):
            return {}, others or lacking, lacking if others else []
        others = [*_path_findings(document, path), *_unproven_figures(document)]
        return ({} if others else raw), others, lacking
    findings = [*_path_findings(document, path), *_unknown_sources(document), *_unproven_figures(document)]
    return ({}, findings, []) if findings else (raw | _served(part), [], [])


def _may_be_below(path: tuple[int | str, ...]) -> bool:
    """Tell whether a key that is missing can come from the part below: not in a list, nor in what has to be whole."""
    whole = ("kind", "id") if len(path) == 1 else ("sources", "evidence", "constraints", "lifecycle")
    return path[0] not in whole and all(isinstance(step, str) for step in path)


def _served(part: Any) -> dict[str, Any]:
    """The content of a part as rules see it, apart from its sources, constraints and candidates."""
    plain = part.model_dump(mode="json", exclude_none=True, by_alias=True)
    sources, evidence, constraints = plain.pop("sources"), plain["evidence"], plain.pop("constraints", [])
    candidates: dict[str, str] = {}
    _take_unverified(plain, evidence, "", candidates)
    return {"data": plain, "sources": sources, "constraints": constraints, "candidates": candidates}


def _unknown_kind(document: Document, data: Any, path: str) -> Finding:
    from rackwright.parts import PART_KINDS

    known = data if isinstance(data, dict) else {}
    kind, folder = known.get("kind"), path.partition("/")[0]
    other = "" if kind else next((str(key) for key in known if str(key).casefold() == "kind"), "")
    near = closest(str(kind or known.get(other)), list(PART_KINDS)) if kind or other else None
    near = near or (folder if folder in PART_KINDS else None)
    message = "'{kind}' is not a kind of part" if kind else "the file does not say what kind of part it is"
    return finding(
        "CAT003",
        "'{other}' is not a key of the file: keys are in small letters" if other else message,
        document.key_locations.at((other,)) if other else document.locations.at(("kind",)),
        fix="write kind: {near}; the kinds are {kinds}" if near else "write kind: and one of {kinds}",
        kind=printable(str(kind), 40),
        other=printable(other),
        near=near or "",
        kinds=", ".join(PART_KINDS),
    )


def _id_from_path(findings: list[Finding], path: str) -> list[Finding]:
    """Say for an id of the wrong form what the path of the file asks for."""
    steps = path.removesuffix(".yaml").split("/")
    wanted = "/".join(re.sub(r"[^a-z0-9.]+", "-", step.casefold()).strip("-.") for step in steps[1:])
    if len(steps) != 3 or not all(wanted.split("/")):
        return findings
    fix = Message("write id: {wanted}, as the file is named", {"wanted": Figure(wanted)})
    return [replace(item, fix=fix) if item.subject == "id" and item.code == "CAT002" else item for item in findings]


def _path_findings(document: Document, path: str) -> list[Finding]:
    data: Any = document.data
    wanted = f"{data['kind']}/{data['id']}.yaml"
    if path == wanted:
        return []
    return [
        finding(
            "CAT004",
            "the id is {id}, but the file is {path}",
            document.locations.at(("id",)),
            fix="the id is the path below the kind's folder: move the file to {wanted}, or change the id",
            id=str(data["id"]),
            path=path,
            wanted=wanted,
        )
    ]


def _unknown_sources(document: Document) -> list[Finding]:
    data: Any = document.data
    sources, evidence = data.get("sources", {}), data.get("evidence", {})
    used: list[tuple[Path, str, str]] = [
        (("evidence", name, "source"), name, entry["source"]) for name, entry in evidence.items()
    ]
    for name, entry in evidence.items():
        for index, other in enumerate(entry.get("others", ())):
            used.append((("evidence", name, "others", index, "source"), name, other["source"]))
    return [
        finding(
            "CAT005",
            "the evidence of {figure} names the source '{source}', which is not under sources",
            document.locations.at(path),
            fix="did you mean {near}? Sources are {known}" if near else "sources are {known}",
            figure=name,
            source=str(source),
            near=near or "",
            known=", ".join(sources) or "none",
        )
        for path, name, source in used
        if source not in sources
        for near in [clearly_closest(source, list(sources))]
    ]


def _unproven_figures(document: Document) -> list[Finding]:
    data: Any = document.data
    evidence = data.get("evidence", {})
    if "*" in evidence:
        return []
    return [
        _no_evidence(document, leaf)
        for key, value in data.items()
        if key not in NOT_FIGURES
        for leaf in leaves(value, (key,))
        if not _is_covered(leaf, evidence)
    ]


def _is_covered(path: tuple[str, ...], evidence: Mapping[str, Any]) -> bool:
    return any(".".join(path[:length]) in evidence for length in range(1, len(path) + 1))


def _no_evidence(document: Document, path: tuple[str, ...]) -> Finding:
    return finding(
        "CAT006",
        "{figure} has no evidence",
        document.locations.at(path),
        fix="add under evidence: {figure}: {source: NAME, grade: vendor}, or '*' for the whole file",
        figure=".".join(map(str, path)),
    )


def _take_unverified(data: dict[str, Any], evidence: Mapping[str, Any], prefix: str, found: dict[str, str]) -> None:
    """Move figures of grade `unverified` out of the data: for a rule they are missing, with a candidate."""
    for key in list(data):
        path = f"{prefix}{key}"
        if path in NOT_FIGURES:
            continue
        entry = evidence.get(path)
        if entry is not None and entry["grade"] == "unverified":
            value = data.pop(key)
            found[path] = _in_words(value)
        elif isinstance(data[key], dict):
            _take_unverified(data[key], evidence, f"{path}.", found)


def _in_words(value: Any) -> str:
    """An unverified figure as a person reads it; what is more than a figure or a list of them is left to the file."""
    if isinstance(value, list) and value and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(str, value))
    if isinstance(value, dict | list):
        return "see the part file"
    return f"{value:g}" if isinstance(value, float) else str(value)
