"""Certificates: the same quote gives the same, and what changed is named."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from pypdf import PdfWriter

from rackwright import api
from rackwright.api.certificates import Verification, certify_priced, overlays_of, verify_file
from rackwright.api.documents import priced
from rackwright.proposal.certificate import Certificate, read_certificate, write_certificate
from rackwright.proposal.comparison import Change, differences, is_same

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/inference-4x-l40s/configuration.yaml"
OVERLAY = """\
kind: gpu
id: nvidia/l40s
power: {max_w: 375}
sku: OURS-1
notes: [Bought cheaply from a friend.]
sources: {letter: {doc: letter of the maker, date: "2026-11-30", read: "2026-12-01"}}
evidence: {"*": {source: letter, grade: vendor}}
"""


@pytest.fixture(scope="module")
def run(workshop: api.Workshop) -> api.Run:
    found, _ = api.validate_file(EXAMPLE, workshop, shown="configuration.yaml", today="2026-12-01", detail=True)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def certificate(run: api.Run) -> Certificate:
    return certify_priced(run, priced(run)[0], "2026-12-01")


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    place = tmp_path / "own/gpu/nvidia/l40s.yaml"
    place.parent.mkdir(parents=True)
    place.write_text(OVERLAY)
    return tmp_path / "own"


def sent(path: Path, files: dict[str, bytes]) -> Path:
    """A PDF with these files attached."""
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    for name, content in files.items():
        writer.add_attachment(name, content)
    stream = io.BytesIO()
    writer.write(stream)
    path.write_bytes(stream.getvalue())
    return path


def proposal(path: Path, certificate: Certificate, **more: bytes) -> Path:
    files = {"configuration.yaml": EXAMPLE.read_bytes(), "certificate.json": write_certificate(certificate)}
    return sent(path, {**files, **{name.replace("__", "."): content for name, content in more.items()}})


def verified(path: Path, **options: Any) -> Verification:
    return verify_file(path, "proposal.pdf", **options)[0]


def bent(certificate: Certificate, **changes: Any) -> Certificate:
    return certificate.model_copy(update=changes)


def test_it_holds_what_was_found(certificate: Certificate, run: api.Run) -> None:
    assert (certificate.status, certificate.policy, certificate.number) == ("open", "default", "Q-2026-0142")
    assert certificate.configuration_sha256 == run.file.sha256
    assert len(certificate.verdicts) == len(run.verdicts)
    assert (certificate.net_subtotal, certificate.total) == ("56861.80", "67665.54")
    assert certificate.weakest_grade == "secondary"
    assert "inlet.max_c of dell/poweredge-r760xa" in certificate.unknown
    assert set(certificate.parts) >= {"nvidia/l40s", "dell/poweredge-r760xa"}


def test_the_same_findings_in_another_order_give_the_same_bytes(certificate: Certificate, run: api.Run) -> None:
    turned = dataclasses.replace(run, verdicts=run.verdicts[::-1])
    again = certify_priced(turned, priced(run)[0], "2026-12-01")
    assert write_certificate(again) == write_certificate(certificate)
    assert read_certificate(write_certificate(certificate).decode()) == certificate


def test_a_figure_that_changes_no_verdict_changes_the_fingerprint(certificate: Certificate, overlay: Path) -> None:
    workshop = api.load_workshop([overlay])
    run, _ = api.validate_file(EXAMPLE, workshop, today="2026-12-01", detail=True)
    assert run is not None
    again = certify_priced(run, priced(run)[0], "2026-12-01")
    assert again.arithmetic_sha256 != certificate.arithmetic_sha256
    changes = differences(certificate, again)
    assert {change.where for change in changes if change.what == "part"} == {"nvidia/l40s"}
    assert [c.where for c in changes if c.what == "figures" and c.where.startswith("PWR003")] == ["PWR003 infer/node"]
    assert not is_same(changes)


def test_a_proposal_of_today_is_the_same(certificate: Certificate, tmp_path: Path) -> None:
    found = verified(proposal(tmp_path / "p.pdf", certificate))
    assert (found.is_done, found.is_same, found.changes) == (True, True, ())


def test_another_catalog_without_another_finding_is_the_same(certificate: Certificate, tmp_path: Path) -> None:
    found = verified(proposal(tmp_path / "p.pdf", bent(certificate, catalog_digest="0" * 64)))
    assert found.is_same
    assert [change.what for change in found.changes] == ["catalog"]


def test_what_changed_is_named(certificate: Certificate, tmp_path: Path) -> None:
    verdicts = [
        mark.model_copy(update={"outcome": "fail"}) if mark.rule == "PWR003" else mark for mark in certificate.verdicts
    ]
    lines = [line.model_copy(update={"count": 5, "total": 5}) if "l40s" in line.part else line
             for line in certificate.bom]  # fmt: skip
    before = bent(certificate, verdicts=verdicts, bom=lines, net_subtotal="1.00", status="invalid")
    found = verified(proposal(tmp_path / "p.pdf", before))
    assert not found.is_same
    assert found.changes == (
        Change("status", "", "invalid", "open"),
        Change("verdict", "PWR003 infer/node", "error fail", "error pass"),
        Change("line", "1 nvidia/l40s", "5 each, 5 in all at 8190.00", "4 each, 4 in all at 8190.00"),
        Change("total", "net", "1.00", "56861.80"),
    )


def test_a_configuration_that_was_exchanged_is_told(certificate: Certificate, tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace("nvidia/l40s, count: 4", "nvidia/l40s, count: 3")
    assert text != EXAMPLE.read_text()
    files = {"configuration.yaml": text.encode(), "certificate.json": write_certificate(certificate)}
    found = verified(sent(tmp_path / "p.pdf", files))
    assert {change.what for change in found.changes} >= {"configuration", "line", "total"}
    assert not found.is_same


def test_part_files_on_top_travel_without_what_stays_at_home(overlay: Path, tmp_path: Path) -> None:
    run, _ = api.validate_file(EXAMPLE, api.load_workshop([overlay]), today="2026-12-01", detail=True)
    assert run is not None
    files = overlays_of(run)
    assert list(files) == ["catalog1.gpu.nvidia.l40s.yaml"]
    assert b"cheaply" not in files["catalog1.gpu.nvidia.l40s.yaml"]
    assert yaml.safe_load(files["catalog1.gpu.nvidia.l40s.yaml"]) == {
        key: value for key, value in yaml.safe_load(OVERLAY).items() if key not in ("notes", "sku")
    }
    certificate = certify_priced(run, priced(run)[0], "2026-12-01")
    found = verified(
        proposal(tmp_path / "p.pdf", certificate, catalog1__gpu__nvidia__l40s__yaml=next(iter(files.values())))
    )
    assert found.is_same
    assert [change.what for change in found.changes] == ["catalog"]
    other = verified(proposal(tmp_path / "q.pdf", certificate))
    assert [change.where for change in other.changes if change.what == "part"] == ["nvidia/l40s"]


@pytest.mark.parametrize(
    "head", ["id: ../../../evil", "id: a/../../b", "id: /etc/passwd", "kind: ../x\nid: a/b", "id: a//b"]
)
def test_a_part_file_leads_nowhere_else(head: str, certificate: Certificate, tmp_path: Path) -> None:
    text = head if head.startswith("kind") else f"kind: gpu\n{head}"
    path = proposal(tmp_path / "a" / "p.pdf" if (tmp_path / "a").mkdir() else tmp_path / "p.pdf", certificate,
                    catalog1__gpu__x__yaml=f"{text}\n".encode())  # fmt: skip
    found = verified(path)
    assert found.is_same
    assert [item.name for item in tmp_path.rglob("*.yaml")] == []


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({}, "DOC004"),
        ({"configuration.yaml": b"nodes: []"}, "DOC004"),
        ({"configuration.yaml": b"nodes: []", "certificate.json": b"{}"}, "DOC005"),
        ({"configuration.yaml": b"nodes: []", "certificate.json": b"\xff\x00"}, "DOC005"),
    ],
)
def test_what_is_no_proposal_of_ours_is_told(files: dict[str, bytes], code: str, tmp_path: Path) -> None:
    found = verified(sent(tmp_path / "p.pdf", files))
    assert (found.is_done, [item.code for item in found.findings]) == (False, [code])


@pytest.mark.parametrize("net_unit", ["NaN", "1e999999", "1_0", "", "--1"])
def test_a_certificate_with_odd_money_is_refused(net_unit: str, certificate: Certificate) -> None:
    data = json.loads(write_certificate(certificate))
    data["bom"][0]["net_unit"] = net_unit
    assert read_certificate(json.dumps(data)) is None


def test_a_configuration_that_does_not_run_any_more(certificate: Certificate, tmp_path: Path) -> None:
    files = {"configuration.yaml": b"nodes: [{id: a}]\n", "certificate.json": write_certificate(certificate)}
    found = verified(sent(tmp_path / "p.pdf", files))
    assert not found.is_done
    assert [item.code for item in found.findings][:2] == ["DOC006", "CFG010"]


def test_a_policy_that_is_gone_is_a_difference(certificate: Certificate, tmp_path: Path) -> None:
    found = verified(proposal(tmp_path / "p.pdf", bent(certificate, policy="gone")))
    assert found.is_done
    assert not found.is_same


def test_nothing_stays_in_the_cache(overlay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                    certificate: Certificate) -> None:  # fmt: skip
    monkeypatch.setenv("RACKWRIGHT_CACHE", str(tmp_path / "cache"))
    api.load_workshop()
    before = sorted(path.name for path in (tmp_path / "cache").rglob("*"))
    verified(proposal(tmp_path / "p.pdf", certificate, catalog1__gpu__nvidia__l40s__yaml=OVERLAY.encode()))
    assert sorted(path.name for path in (tmp_path / "cache").rglob("*")) == before
