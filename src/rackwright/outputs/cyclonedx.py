"""The bill as a CycloneDX hardware bill of materials (ECMA-424), with the verdicts as declarations.

Shapes: one `device` component a group of the bill, its lines below it; the seller's prices are left out: the format
has no place for them. Each rule is a requirement of a standard, each verdict a claim about a node, with its arithmetic
as evidence; a rule is attested with 1 if all its verdicts pass, with 0 if one fails, and without a score if one could
not be decided. Same input, same bytes: the serial number is computed from what the document was made of.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from rackwright.proposal.exchange import PartView
from rackwright.proposal.model import BomRow, FindingView, Proposal
from rackwright.verdict import Outcome, Status

VERSIONS = ("1.6", "1.7")
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://cyclonedx.org/schema/rackwright")
_QUOTE, _ASSESSOR, _STANDARD = "quote", "assessor", "rules"
# What a JSON text cannot carry to every reader: halves of surrogates, and what is no character at all.
_NO_CHARACTER = re.compile("[\ud800-\udfff\ufffe\uffff\x00]")

Json = dict[str, Any]


def write_cyclonedx(proposal: Proposal, parts: Mapping[str, PartView], version: str = "1.6") -> bytes:
    """Return the document in one of VERSIONS."""
    lines = [row for row in proposal.bom.rows if not row.is_group]
    document: Json = {
        "$schema": f"http://cyclonedx.org/schema/bom-{version}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": version,
        "serialNumber": f"urn:uuid:{_identity(proposal)}",
        "version": 1,
        "metadata": _metadata(proposal),
        "components": _components(proposal, parts),
        "dependencies": _dependencies(proposal),
        "compositions": _compositions(proposal, lines),
        **_declared(proposal),
    }
    text = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    return (_NO_CHARACTER.sub("\ufffd", text) + "\n").encode()


def _identity(proposal: Proposal) -> uuid.UUID:
    about = proposal.about
    made_of = (proposal.number, about.date, about.version, about.configuration_sha256, about.catalog_digest)
    name = "\n".join((*made_of, about.rules_digest, proposal.language, proposal.bom.total_text))
    return uuid.uuid5(_NAMESPACE, _NO_CHARACTER.sub("\ufffd", name))


def _metadata(proposal: Proposal) -> Json:
    about = proposal.about
    stated = {
        "rackwright:status": proposal.status.value,
        "rackwright:configuration:sha256": about.configuration_sha256,
        "rackwright:catalog:digest": about.catalog_digest,
        "rackwright:rules:digest": about.rules_digest,
        "rackwright:quote:number": proposal.number,
        "rackwright:quote:validUntil": proposal.valid_until_iso,
        "rackwright:quote:customer": proposal.customer,
        "rackwright:quote:project": proposal.project,
        "rackwright:draft": proposal.draft_reason if proposal.is_draft else "",
    }
    metadata: Json = {
        "timestamp": f"{proposal.date_iso}T00:00:00Z",
        "lifecycles": [{"phase": "design"}],
        "tools": {"components": [{"type": "application", "name": "rackwright", "version": about.version}]},
        "component": {"type": "device", "bom-ref": _QUOTE, "name": proposal.title or proposal.number or "quote"},
        "properties": _properties(stated.items()),
    }
    if proposal.issuer:
        metadata["supplier"] = {"name": proposal.issuer}
    return metadata


def _components(proposal: Proposal, parts: Mapping[str, PartView]) -> list[Json]:
    groups: list[Json] = []
    for row in proposal.bom.rows:
        if row.is_group:
            groups.append(_group(row))
        else:
            head = groups[-1]["bom-ref"]
            unstated = proposal.labels["sheet.not_stated"]
            groups[-1]["components"].append(_line(row, parts.get(row.part_id), head, unstated))
    return groups


def _group(row: BomRow) -> Json:
    stated = [
        ("cdx:device:quantity", str(row.group_count)),
        ("rackwright:position", row.position),
        ("rackwright:node", row.note),
    ]
    name = row.title or row.position
    return {
        "type": "device",
        "bom-ref": _ref(row.position),
        "name": name,
        "properties": _properties(stated),
        "components": [],
    }


def _line(row: BomRow, part: PartView | None, parent: str, unstated: str) -> Json:
    numbers = part.mpn if part is not None else ()
    stated: list[tuple[str, str]] = [
        ("cdx:device:quantity", str(row.count)),
        ("rackwright:quantity:total", str(row.total)),
        ("rackwright:position", row.position),
        ("rackwright:parent", parent.removeprefix("pos:")),
        ("rackwright:part", row.part_id),
        ("rackwright:note", row.note),
        *(("rackwright:mpn", number) for number in numbers[1:]),
    ]
    component: Json = {
        "type": "device",
        "bom-ref": _ref(row.position),
        "name": numbers[0] if numbers else row.title or row.part_id or row.position,
        "description": row.title,
    }
    if part is not None:
        stated.append(("cdx:device:deviceType", part.kind))
        stated += [(f"rackwright:orderNumber:{who}", number) for who, number in part.order_numbers]
        stated += [(f"rackwright:{name}", value) for name, value in part.stated]
        if part.documents:
            component["externalReferences"] = [
                {"type": "documentation", "url": url, "comment": title}
                for title, url in sorted(set(part.documents), key=lambda document: (document[1], document[0]))
            ]
    stated += _trade(row, unstated)
    if row.maker:
        component["manufacturer"] = {"name": row.maker}
    component["properties"] = _properties(stated)
    return component


def _trade(row: BomRow, unstated: str) -> Iterable[tuple[str, str]]:
    """What is stated for customs and export, by the part file or by the price list of this order."""
    found = row.compliance
    names = {
        "hsCodes": found.hs_codes,
        "origin": found.origin,
        "exportClass": found.export_class,
        "statedBy": found.stated_by,
        "asOf": found.as_of_iso,
    }
    return [(f"rackwright:trade:{name}", value) for name, value in names.items() if value != unstated]


def _properties(stated: Iterable[tuple[str, str]]) -> list[Json]:
    """Properties by name; what is empty is not stated. The format allows a name more than once."""
    return [{"name": name, "value": value} for name, value in sorted(set(stated)) if value]


def _ref(position: str) -> str:
    return f"pos:{position}"


def _dependencies(proposal: Proposal) -> list[Json]:
    """The order needs its groups, each group its lines."""
    needs: dict[str, list[str]] = {_QUOTE: []}
    head = _QUOTE
    for row in proposal.bom.rows:
        ref = _ref(row.position)
        if row.is_group:
            head = ref
            needs[_QUOTE].append(ref)
        else:
            needs.setdefault(head, []).append(ref)
        needs.setdefault(ref, [])
    return [{"ref": ref, "dependsOn": below} if below else {"ref": ref} for ref, below in needs.items()]


def _compositions(proposal: Proposal, lines: list[BomRow]) -> list[Json]:
    """Only what was found valid is called complete: else a part may be missing that nobody could know of."""
    refs = [_ref(row.position) for row in proposal.bom.rows if row.is_group]
    aggregate = "complete" if proposal.status is Status.VALID and lines else "unknown"
    return [{"aggregate": aggregate, "assemblies": [_QUOTE, *refs]}]


def _declared(proposal: Proposal) -> Json:
    """Rules as a standard, verdicts as claims with evidence, and what follows for each rule."""
    checks = proposal.checks
    if not checks:
        return {}
    targets = {row.note: _ref(row.position) for row in proposal.bom.rows if row.is_group and row.note}
    claims = [_claim(number, check, targets) for number, check in enumerate(checks, start=1)]
    evidence = [item for number, check in enumerate(checks, start=1) for item in _evidence(number, check, proposal)]
    return {
        "definitions": {"standards": [_standard(proposal)]},
        "declarations": {
            "assessors": [
                {
                    "bom-ref": _ASSESSOR,
                    "thirdParty": False,
                    "organization": {"name": f"rackwright {proposal.about.version}"},
                }
            ],
            "attestations": [
                {
                    "assessor": _ASSESSOR,
                    "summary": f"{proposal.status_label}: {proposal.status_sentence}",
                    "map": list(_map(checks)),
                }
            ],
            "claims": claims,
            "evidence": evidence,
        },
    }


def _standard(proposal: Proposal) -> Json:
    titles = {check.code: check.title for check in proposal.checks}
    return {
        "bom-ref": _STANDARD,
        "name": "rackwright rules",
        "version": proposal.about.rules_digest,
        "owner": "rackwright",
        "requirements": [
            {"bom-ref": f"rule:{code}", "identifier": code, "title": title} for code, title in sorted(titles.items())
        ],
    }


def _claim(number: int, check: FindingView, targets: Mapping[str, str]) -> Json:
    """A passed or undecided check claims that the rule holds; a failed one claims what was found instead."""
    claim: Json = {
        "bom-ref": f"claim:{number}",
        "target": targets.get(check.subject.partition("/")[0], _QUOTE),
        "predicate": f"{check.subject}: {check.message if check.outcome is Outcome.FAIL else check.title}",
        "reasoning": ". ".join(
            text for text in (check.outcome_label, check.message, check.waived and f"waived: {check.waived}") if text
        ),
    }
    if _is_derived(check):
        claim["evidence"] = [f"evidence:{number}"]
    return claim


def _is_derived(check: FindingView) -> bool:
    return bool(check.arithmetic or check.sources)


def _evidence(number: int, check: FindingView, proposal: Proposal) -> Iterable[Json]:
    if not _is_derived(check):
        return
    data = [("arithmetic", "\n".join(check.arithmetic)), ("sources", "\n".join(check.sources))]
    yield {
        "bom-ref": f"evidence:{number}",
        "propertyName": f"rackwright:{check.code}",
        "description": check.grade or check.outcome_label,
        "created": f"{proposal.date_iso}T00:00:00Z",
        "data": [
            {"name": name, "contents": {"attachment": {"contentType": "text/plain", "content": text}}}
            for name, text in data
            if text
        ],
    }


def _map(checks: tuple[FindingView, ...]) -> Iterable[Json]:
    by_rule: dict[str, list[tuple[int, FindingView]]] = {}
    for number, check in enumerate(checks, start=1):
        by_rule.setdefault(check.code, []).append((number, check))
    for code, found in sorted(by_rule.items()):
        outcomes = {check.outcome for _, check in found}
        entry: Json = {
            "requirement": f"rule:{code}",
            "claims": [f"claim:{number}" for number, check in found if check.outcome is not Outcome.FAIL],
            "counterClaims": [f"claim:{number}" for number, check in found if check.outcome is Outcome.FAIL],
            "conformance": {"rationale": _rationale([check for _, check in found])},
        }
        if Outcome.FAIL in outcomes:
            entry["conformance"]["score"] = 0
        elif Outcome.UNKNOWN not in outcomes:
            entry["conformance"]["score"] = 1
        yield {key: value for key, value in entry.items() if value}


def _rationale(checks: list[FindingView]) -> str:
    counted: dict[str, int] = {}
    for check in checks:
        counted[check.outcome_label] = counted.get(check.outcome_label, 0) + 1
    return f"{checks[0].severity_label}; " + ", ".join(f"{label}: {count}" for label, count in counted.items())
