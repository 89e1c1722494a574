from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rackwright.outputs.cyclonedx import VERSIONS, write_cyclonedx
from rackwright.proposal.model import Proposal
from rackwright.proposal.money_model import Compliance
from rackwright.verdict import Status

from .exchange_sample import GPU, PARTS, REAL, quote, real
from .official import cyclonedx_faults
from .sheet_sample import sample


def document(proposal: Proposal | None = None, version: str = "1.6") -> dict[str, Any]:
    made: dict[str, Any] = json.loads(write_cyclonedx(proposal or quote(), PARTS, version))
    return made


def properties(component: dict[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry["value"] for entry in component.get("properties", [])}


def lines(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for group in made["components"] for line in group["components"]]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_it_keeps_to_the_official_schema(version: str, language: str) -> None:
    content = write_cyclonedx(quote(language), PARTS, version)
    assert cyclonedx_faults(content, version) == []
    assert json.loads(content)["specVersion"] == version


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", REAL)
def test_real_quotes_keep_to_the_official_schema(name: str, version: str) -> None:
    assert cyclonedx_faults(write_cyclonedx(*real(name), version), version) == []


def test_the_check_itself_finds_faults() -> None:
    made = document()
    made["components"][0]["type"] = "gadget"
    made["declarations"]["claims"][0]["target"] = "nowhere"
    faults = cyclonedx_faults(json.dumps(made).encode(), "1.6")
    assert [fault for fault in faults if "gadget" in fault]
    assert "nowhere leads nowhere" in faults


def test_lines_and_quantities_are_those_of_the_bill() -> None:
    proposal = quote()
    rows = [row for row in proposal.bom.rows if not row.is_group]
    assert [
        (p["rackwright:position"], p["cdx:device:quantity"], p["rackwright:quantity:total"])
        for p in map(properties, lines(document(proposal)))
    ] == [(row.position, str(row.count), str(row.total)) for row in rows]
    assert [properties(group)["cdx:device:quantity"] for group in document(proposal)["components"]] == ["4", "2", "1"]


def test_a_part_is_named_by_its_number_and_carries_what_is_stated_of_it() -> None:
    (gpu,) = [line for line in lines(document()) if properties(line)["rackwright:part"] == GPU]
    assert gpu["name"] == "900-21010-0020-000"
    assert gpu["description"] == "Vantage X100 NVL 94 GB, PCIe 5.0 x16, 400 W, passive, dual-width"
    assert gpu["manufacturer"] == {"name": "Vantage"}
    assert gpu["externalReferences"] == [
        {
            "type": "documentation",
            "url": "https://docs.example.com/x100.pdf",
            "comment": "X100 NVL product brief, PB-0000-002",
        }
    ]
    assert properties(gpu) == {
        "cdx:device:deviceType": "gpu",
        "cdx:device:quantity": "4",
        "rackwright:lifecycle.status": "active",
        "rackwright:mpn": "900-21010-0020-001",
        "rackwright:note": "power cap 350 W",
        "rackwright:orderNumber:nordhain": "412-AAXX",
        "rackwright:orderNumber:seller": "A-4711",
        "rackwright:parent": "1",
        "rackwright:part": GPU,
        "rackwright:position": "1.5",
        "rackwright:quantity:total": "16",
        "rackwright:weight_kg": "1.21",
    }


def test_verdicts_are_claims_with_their_arithmetic_as_evidence() -> None:
    declared = document()["declarations"]
    claims = {claim["bom-ref"]: claim for claim in declared["claims"]}
    assert len(claims) == len(sample().checks) == 6
    failed = claims["claim:5"]
    assert failed["target"] == "pos:1"
    assert failed["predicate"] == "inference: peak draw 2,549 W, but 2,400 W remain after one of two supplies fails"
    (evidence,) = [item for item in declared["evidence"] if item["bom-ref"] in failed["evidence"]]
    arithmetic, sources = (entry["contents"]["attachment"]["content"] for entry in evidence["data"])
    assert arithmetic.splitlines()[1] == "capacity_after_psu_loss_w = 1 × 2400 W = 2400 W"
    assert sources.splitlines()[1] == "X100 NVL product brief, PB-0000-002, p. 9"


def test_a_rule_is_attested_by_its_worst_verdict_and_never_without_one() -> None:
    made = document()
    (attestation,) = made["declarations"]["attestations"]
    scores = {entry["requirement"]: entry["conformance"].get("score") for entry in attestation["map"]}
    assert scores == {
        "rule:AIR001": None,  # not decided
        "rule:FIT001": 1,
        "rule:NET002": 0,
        "rule:PCI004": 0,
        "rule:PWR003": 0,
        "rule:RCK002": 1,
    }
    by_rule = {entry["requirement"]: entry for entry in attestation["map"]}
    assert by_rule["rule:PWR003"]["counterClaims"] == ["claim:5"]
    assert by_rule["rule:AIR001"]["claims"] == ["claim:1"]


def test_only_a_valid_order_is_called_complete() -> None:
    aggregates = {
        status: document(quote(status=status))["compositions"][0]["aggregate"] for status in (Status.OPEN, Status.VALID)
    }
    assert aggregates == {Status.OPEN: "unknown", Status.VALID: "complete"}


def test_a_draft_says_so() -> None:
    metadata = document(quote(is_draft=True, status=Status.INVALID))["metadata"]
    assert properties(metadata)["rackwright:status"] == "invalid"
    assert properties(metadata)["rackwright:draft"] == "failed checks: PWR003, RCK004"
    assert "rackwright:draft" not in properties(document()["metadata"])


def test_prices_are_not_in_it() -> None:
    text = write_cyclonedx(quote(), PARTS).decode()
    assert [row.net_total_text for row in quote().bom.rows if row.net_total_text and row.net_total_text in text] == []
    assert "28450" not in text


def test_the_serial_number_is_that_of_the_content() -> None:
    assert document()["serialNumber"] == document()["serialNumber"]
    assert document()["serialNumber"] != document(quote(nodes=7))["serialNumber"]


def test_what_is_stated_for_customs_and_export_goes_along() -> None:
    proposal = quote()
    stated = Compliance(hs_codes="EU: 8473 30 80", origin="TW", export_class="not stated", stated_by="not stated")
    rows = tuple(replace(row, compliance=stated) if row.part_id == GPU else row for row in proposal.bom.rows)
    made = document(replace(proposal, bom=replace(proposal.bom, rows=rows)))
    (gpu,) = [line for line in map(properties, lines(made)) if line["rackwright:part"] == GPU]
    assert {name: value for name, value in gpu.items() if name.startswith("rackwright:trade:")} == {
        "rackwright:trade:hsCodes": "EU: 8473 30 80",
        "rackwright:trade:origin": "TW",
    }
