"""Somebody's words stay words: hostile texts in every field of configuration, catalog and price list, in every output.

The whole way is gone, from files to bytes. What comes out must have the bones of what harmless words give: the same
elements, keys, formulas, links and attachments.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from rackwright import api
from rackwright.api.documents import priced
from rackwright.api.interchange import FORMATS
from rackwright.api.reports import report_of
from rackwright.catalog import Part
from rackwright.outputs import REPORT_FORMATS, write_report
from rackwright.outputs.cyclonedx import write_cyclonedx
from rackwright.outputs.netbox import write_module_types
from rackwright.outputs.text import write_text
from rackwright.outputs.ubl import write_ubl
from rackwright.proposal import netbox
from rackwright.proposal.exchange import PartView
from rackwright.proposal.netbox import NetboxTypes

from .exchange_sample import PARTS, quote
from .official import cyclonedx_faults, netbox_faults, ubl_faults
from .sheet_hostile import HOSTILE, bent

PLAIN = "plain words"
_CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
# 20 to 60 characters each, so that they fit every field; what they try stands first.
TEXTS = (
    "=1+1", '=HYPERLINK("http://example.com","x")', "+49 341 1234", "-5", "@SUM(A1)", "\t=1+1", "\n=1+1", "#N/A",
    "<script>alert(1)</script>", "<b>&amp;</b>", "]]><x/>", "--><x/><!--", "<?xml version='1.1'?>", "&lt;&#0;&x;",
    '"quoted", \'words\'', "; rm -rf / #", "$(reboot)", "`reboot`", "%0A::error::x", "::error file=x::y",
    "javascript:alert(1)", "file:///etc/passwd", "../../etc/passwd", "{{ 7*7 }}", "{% include x %}",
    "{node.count}", "%s %d {0}", "--- !!python/object:os.system", "- a: b", "日本語 العربية",
    "\\u0000 \\x1b[31m", "](https://example.com) [x]", "|table|row|", "urn:cdx:x", "C:\\x\\y", "ﬀ ¼ ½ é̂",
)  # fmt: skip
FAST = tuple(name for names in FORMATS.values() for name in names if name != "bom.xlsx")


def words(number: int) -> Iterator[str]:
    """Texts for one field after the other; each number begins with another text. Below 0 all are harmless."""
    index = number
    while True:
        text = TEXTS[index % len(TEXTS)] if number >= 0 else PLAIN
        yield f"{text} {'.' * 20}"[:60].rstrip() if number >= 0 else text
        index += 1


def write_input(folder: Path, number: int) -> Path:
    """A configuration, a catalog on top and a price list with these words in every field that takes any."""
    word = words(number)
    line = re.compile(r"[\x00-\x1f\u2028\u2029]")
    data: dict[str, Any] = {
        "quote": {
            "number": "Q-1", "title": next(word), "customer": next(word), "project": next(word), "issuer": next(word),
            "contact": next(word), "date": "2026-12-01", "valid_until": "2027-01-15", "prices": ["prices.csv"],
            "vat_ratio": 0.19, "terms": [next(word), next(word)],
        },
        "site": {"region": "eu", "inlet_c": 24, "voltage_v": 230},
        "nodes": [
            {
                "id": "n1", "title": next(word), "count": 2, "chassis": "dell/poweredge-r760xa", "mode": "dw",
                "redundancy": "1+1", "allowance_w": 300,
                "parts": [
                    {"part": "intel/xeon-gold-6448y", "count": 2, "note": next(word)},
                    {"part": "generic/ddr5-rdimm-64gb-4800", "count": 16, "note": next(word)},
                    {"part": "nvidia/l40s", "count": 4, "note": next(word)},
                    {"part": "dell/psu-2400w-platinum", "count": 2, "note": next(word)},
                ],
                "workload": {"task": "mixed", "model": next(word), "note": next(word)},
            }
        ],
        "extras": [{"part": "generic/hostile-service", "count": 1, "note": next(word)}],
        "waivers": [{"rule": "PCI003", "reason": next(word), "by": next(word), "until": "2027-12-31"}],
    }  # fmt: skip
    (folder / "c.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    source = {"doc": next(word), "number": next(word), "read": "2026-12-01", "url": "https://example.com/a"}
    gpu = {
        "kind": "gpu", "id": "nvidia/l40s", "title": line.sub(" ", next(word)), "maker": line.sub(" ", next(word)),
        "mpn": [line.sub(" ", next(word))], "oem_mpn": {"dell": [line.sub(" ", next(word))]},
        "sku": line.sub(" ", next(word)), "notes": [next(word)], "sources": {"own": source},
        "evidence": {"*": {"source": "own", "grade": "vendor", "where": next(word)}},
    }  # fmt: skip
    service = {
        "kind": "service", "id": "generic/hostile-service", "title": line.sub(" ", next(word)), "maker": "generic",
        "sources": {"own": source}, "evidence": {"*": {"source": "own", "grade": "vendor"}},
    }  # fmt: skip
    for part in (gpu, service):
        place = folder / f"own/{part['kind']}/{part['id']}.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(yaml.safe_dump(part, allow_unicode=True), encoding="utf-8")
    stream = io.StringIO(newline="")
    rows = csv.writer(stream)
    rows.writerow(["part", "unit_price", "currency", "note"])
    parts = ("dell/poweredge-r760xa", "intel/xeon-gold-6448y", "generic/ddr5-rdimm-64gb-4800", "nvidia/l40s",
             "dell/psu-2400w-platinum", "generic/hostile-service")  # fmt: skip
    for part_id in parts:
        rows.writerow([part_id, "100.00", "EUR", line.sub(" ", next(word))])
    (folder / "prices.csv").write_text(stream.getvalue(), encoding="utf-8", newline="")
    return folder / "c.yaml"


def made(folder: Path, number: int, names: tuple[str, ...]) -> tuple[api.Run, dict[str, bytes], str]:
    """Run the whole way; the report comes as text too."""
    folder.mkdir(parents=True, exist_ok=True)
    path = write_input(folder, number)
    workshop = api.load_workshop([folder / "own"])
    assert [str(item.message) for item in workshop.findings] == []
    run, findings = api.validate_file(path, workshop, shown="c.yaml", today="2026-12-01", detail=True)
    assert run is not None, [str(item.message) for item in findings]
    bill, problems = priced(run)
    assert [str(item.message) for item in problems] == []
    report = report_of(run, bill).model_dump_json()
    documents = api.make_documents(run, bill, "2026-12-01", language="en", names=names, report=report)
    return run, documents.files, report


def bones(value: Any) -> Any:
    """The shape of data: keys and kinds; the words are left out."""
    if isinstance(value, dict):
        return {key: bones(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [bones(inner) for inner in value]
    return type(value).__name__


def elements(content: bytes | str) -> list[str]:
    return [element.tag for element in Xml.fromstring(content).iter()]


def fields(content: bytes) -> list[int]:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    for row in rows:
        for field in row:
            is_number = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", field) is not None
            assert is_number or not field.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), field
    return [len(row) for row in rows]


def records(content: bytes) -> Any:
    return [bones(record) for record in yaml.safe_load_all(content)]


def properties_apart(content: bytes) -> Any:
    """CycloneDX without its lists of properties, which are sorted by their values."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(inner) for key, inner in value.items() if key != "properties"}
        return [without(inner) for inner in value] if isinstance(value, list) else value

    document = json.loads(content)
    for url in re.findall(r'"url": "([^"]*)"', content.decode()):
        assert re.match(r"https?://", url), url
    return bones(without(document))


SHAPES: dict[str, Callable[[bytes], Any]] = {
    "bom.csv": fields,
    "bom.cdx.json": properties_apart,
    "bom-1.7.cdx.json": properties_apart,
    "quotation.xml": elements,
    "netbox-device-types.yaml": records,
    "netbox-module-types.yaml": records,
}


@cache
def harmless(folder: Path) -> tuple[dict[str, bytes], str]:
    _, files, report = made(folder / "plain", -1, FAST)
    return files, report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.mark.parametrize("number", range(0, len(TEXTS), 3))
def test_files_for_programs_have_the_bones_of_harmless_ones(number: int, folder: Path) -> None:
    plain, report = harmless(folder)
    run, files, text = made(folder / str(number), number, FAST)
    assert set(files) == set(FAST) == set(SHAPES)
    for name, content in files.items():
        assert SHAPES[name](content) == SHAPES[name](plain[name]), name
    assert bones(json.loads(text)) == bones(json.loads(report))
    assert cyclonedx_faults(files["bom.cdx.json"], "1.6") == []
    assert ubl_faults(files["quotation.xml"]) == []
    assert netbox_faults(files["netbox-module-types.yaml"], "module-type") == []
    shape = report_of(run, priced(run)[0])
    for name in REPORT_FORMATS:
        told = write_report(shape, name)
        if name == "junit":
            assert elements(told)
        elif name == "github":
            assert all(re.match(r"::(error|warning|notice) file=|rackwright: ", line) for line in told.splitlines())
        else:
            assert json.loads(told)


@pytest.mark.parametrize("number", range(1, len(TEXTS), 5))
def test_the_terminal_obeys_nothing(number: int, folder: Path) -> None:
    run, _, _ = made(folder / f"t{number}", number, ())
    stream = io.StringIO()
    write_text(api.proposal_of(run, priced(run)[0], "2026-12-01", plain=True), stream, verbose=2)
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", stream.getvalue()) == []


@pytest.mark.parametrize("number", [0, 5, 22])
def test_the_workbook_has_no_other_formulas_and_links(number: int, folder: Path) -> None:
    import openpyxl

    def formulas(at: int) -> list[tuple[str, str, str]]:
        _, files, _ = made(folder / f"x{at}", at, ("bom.xlsx",))
        book = openpyxl.load_workbook(io.BytesIO(files["bom.xlsx"]))
        found = []
        for sheet in book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.hyperlink is not None:
                        assert re.match(r"https?://", cell.hyperlink.target or "https://")
                    if cell.data_type == "f":
                        found.append((sheet.title, cell.coordinate, str(cell.value)))
        return found

    assert formulas(number) == formulas(-1)


@pytest.mark.parametrize("number", [8, 24])
def test_the_proposal_does_nothing_and_prints_what_is_written(number: int, folder: Path) -> None:
    _, files, _ = made(folder / f"p{number}", number, ("proposal.pdf",))
    reader = PdfReader(io.BytesIO(files["proposal.pdf"]))
    root = reader.trailer["/Root"]
    assert {"/OpenAction", "/AA", "/JavaScript", "/AcroForm"} & set(root) == set()
    assert set(root["/Names"]) <= {"/EmbeddedFiles", "/Dests"}
    for page in reader.pages:
        for annotation in page.get("/Annots", []):
            action = annotation.get_object().get("/A", {})
            assert action.get("/S", "/GoTo") in ("/GoTo", "/URI")
            assert re.match(r"https?://", str(action.get("/URI", "https://")))
    assert sorted(reader.attachments) == sorted(
        ["bom.cdx.json", "bom.xlsx", "catalog1.gpu.nvidia.l40s.yaml", "catalog1.service.generic.hostile-service.yaml",
         "certificate.json", "configuration.yaml", "report.json"]
    )  # fmt: skip
    title = TEXTS[number].split()[0]
    assert title in "".join(page.extract_text() for page in reader.pages[:2]).replace("\u202f", " ")


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\x1b", "\x00", "\x07", "\ufeff"])
def test_what_steers_a_terminal_or_the_reading_is_refused_at_the_door(character: str, folder: Path) -> None:
    path = write_input(folder, -1)
    text = path.read_text(encoding="utf-8").replace(f"title: {PLAIN}", f"title: plain {character} words", 1)
    path.write_text(text, encoding="utf-8")
    run, findings = api.validate_file(path, api.load_workshop(), shown="c.yaml")
    assert run is None
    assert {item.code for item in findings} <= {"CFG002", "CFG003"}
    assert findings


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=200)).filter(lambda text: text.strip()))
def test_any_text_in_the_view_model_keeps_the_bones(text: str) -> None:
    plain = quote(prices="all")
    kept = {name: getattr(plain, name) for name in ("language", "labels", "date_iso", "is_draft", "valid_until_iso")}
    rows = tuple(replace(bent(row, text), position=row.position, part_id=row.part_id) for row in plain.bom.rows)
    hostile = replace(bent(plain, text), **kept, about=plain.about, bom=replace(plain.bom, rows=rows))
    view = PARTS["vantage/900-21010-0020-000"]
    part = PartView(view.id, "gpu", text, text, (text, text + "2"), (("seller", text),), "each", stated=(("x", text),))
    parts = {view.id: part}
    json.loads(write_cyclonedx(hostile, parts))
    tags = elements(write_ubl(hostile, parts))
    assert tags.count(f"{{{_CAC}}}SubLineItem") == sum(not row.is_group for row in plain.bom.rows)
    record = netbox._named(Part("a/b", "gpu", {"title": text, "maker": text, "mpn": [text]}))
    assert [set(found) for found in yaml.safe_load_all(write_module_types(NetboxTypes((), (record,))))] == [set(record)]
