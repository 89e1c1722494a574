"""The PDF proposal: what stands where, what travels in it, and what can never get in."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import logging
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader

from rackwright.errors import OutputError
from rackwright.outputs import pdf
from rackwright.outputs.pdf import Attachment, Layout, render_html, write_pdf
from rackwright.outputs.pdf_file import MEDIA_TYPES
from rackwright.proposal.labels import LABELS
from rackwright.proposal.labels_sizing import SIZING_LABELS
from rackwright.proposal.model import OpenPoint, Proposal

from .sample import CONFIGURATION, english_open
from .sample_draft import english_draft
from .sample_german import german_valid

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
PARTS = sorted((TEMPLATES / "proposal").rglob("*.j2"))
FILES = (
    Attachment("configuration.yaml", CONFIGURATION.encode(), "Configuration", "Source"),
    Attachment("bom.xlsx", bytes(range(256)) * 9, "Bill of materials"),
    Attachment("bom-copy.xlsx", bytes(range(256)) * 9, "The same bytes under another name", "Alternative"),
)
SAMPLES: dict[str, Callable[[], Proposal]] = {"open": english_open, "valid": german_valid, "draft": english_draft}
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored.*sRGB2014:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="session", params=list(SAMPLES))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Proposal, Path]:
    proposal = SAMPLES[request.param]()
    path = tmp_path_factory.mktemp("pdf") / f"{request.param}.pdf"
    path.write_bytes(write_pdf(proposal, TEMPLATES, attachments=FILES))
    return proposal, path


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def text_of(path: Path, first: int = 1, last: int = 0) -> str:
    """The text of pages with all kinds of space made plain."""
    pages = ("-l", last) if last else ()
    return re.sub(r"[\u00a0\u202f ]+", " ", run("pdftotext", "-layout", "-f", first, *pages, path, "-"))


def pages_of(path: Path) -> list[str]:
    return text_of(path).split("\f")[:-1]


def plain(text: str) -> str:
    return re.sub(r"[\u00a0\u202f ]+", " ", text)


def test_the_first_page_answers_the_questions(made: tuple[Proposal, Path]) -> None:
    proposal, path = made
    first = text_of(path, 1, 1)
    wanted = [proposal.number, proposal.status_label, proposal.valid_until_text, proposal.bom.total_text]
    wanted += [figure.value for figure in proposal.summary]
    wanted += [text.partition(": ")[0] for text in proposal.needs_attention[:1]]
    for text in wanted:
        assert plain(text) in first
    assert " ".join(proposal.title.split()) in " ".join(first.split())
    assert proposal.labels["fingerprint"] in first  # nothing of it runs over to a second page
    assert proposal.labels["contents"] in first


def test_open_points_stand_on_the_first_page_of_an_open_proposal(tmp_path: Path) -> None:
    proposal = english_open()
    points = tuple(OpenPoint("Dell PowerEdge R760xa", f"figure number {n}", "PWR003") for n in range(40))
    path = tmp_path / "a.pdf"
    path.write_bytes(write_pdf(dataclasses.replace(proposal, open_points=points), TEMPLATES))
    pages = pages_of(path)
    shown = len(re.findall(r"Figure number \d+", pages[0]))
    more = re.search(r"and (\d+) more, page (\d+)", pages[0])
    assert more is not None
    assert shown + int(more[1]) == 40
    assert "What is not known" in pages[int(more[2]) - 1]
    assert "Contents" in pages[0]


def test_head_and_foot_of_the_pages(made: tuple[Proposal, Path]) -> None:
    proposal, path = made
    pages = pages_of(path)
    words = proposal.labels
    for number, page in enumerate(pages, start=1):
        assert f"{words['page']} {number} {words['of']} {len(pages)}" in page
        head = " ".join(f"{proposal.number} · {proposal.title}".split())
        assert (head in " ".join(plain(page).split())) == (number > 1)
        assert (f"{words['draft']} · {proposal.draft_reason}" in page) == proposal.is_draft


def test_the_file_is_sound(made: tuple[Proposal, Path]) -> None:
    assert "No syntax or stream encoding errors found" in run("qpdf", "--check", made[1])


def test_only_the_bundled_fonts_are_used_and_embedded(made: tuple[Proposal, Path]) -> None:
    rows = run("pdffonts", made[1]).splitlines()[2:]
    assert rows
    for row in rows:
        assert re.match(r"[A-Z]{6}\+(Inter|JetBrains-Mono)", row)
        assert re.search(r" yes +yes +yes +\d+ +0$", row)


def test_it_is_an_archive_file_with_tags(made: tuple[Proposal, Path]) -> None:
    proposal, path = made
    reader = PdfReader(path)
    root = reader.trailer["/Root"]
    assert root["/Lang"] == proposal.language
    assert root["/MarkInfo"]["/Marked"]
    assert len(root["/OutputIntents"]) == 1
    metadata = root["/Metadata"].get_object().get_data().decode()
    assert metadata.count("<rdf:RDF") == 1
    assert 'pdfaid:part="3"' in metadata
    assert 'pdfaid:conformance="A"' in metadata
    assert reader.metadata is not None
    assert str(reader.metadata["/CreationDate"]).startswith("D:20261201")
    assert plain(str(reader.metadata.title)) == proposal.title


def test_attachments_come_out_as_they_went_in(made: tuple[Proposal, Path], tmp_path: Path) -> None:
    run("pdfdetach", "-saveall", "-o", tmp_path, made[1])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {file.name: file.data for file in FILES}


def test_each_attachment_is_listed_once_with_its_relationship_and_type(made: tuple[Proposal, Path]) -> None:
    listed = [item.get_object() for item in PdfReader(made[1]).trailer["/Root"]["/AF"]]
    assert {
        str(item["/UF"]): (item["/AFRelationship"], item["/EF"]["/F"].get_object()["/Subtype"], item["/Desc"])
        for item in listed
    } == {
        "configuration.yaml": ("/Source", "/application/yaml", "Configuration"),
        "bom.xlsx": ("/Data", f"/{MEDIA_TYPES['.xlsx']}", "Bill of materials"),
        "bom-copy.xlsx": ("/Alternative", f"/{MEDIA_TYPES['.xlsx']}", "The same bytes under another name"),
    }
    assert len(listed) == len(FILES)


def test_two_attachments_of_one_name_are_refused() -> None:
    with pytest.raises(OutputError, match="same name"):
        write_pdf(english_open(), TEMPLATES, attachments=(FILES[0], FILES[0]))


def test_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib, pathlib, sys; sys.path.insert(0, 'tests')\n"
        "from outputs.sample import english_open; from outputs.test_pdf import FILES, TEMPLATES\n"
        "from rackwright.outputs.pdf import write_pdf\n"
        "print(hashlib.sha256(write_pdf(english_open(), TEMPLATES, attachments=FILES)).hexdigest())"
    )
    hashes = set()
    for seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
        hashes.add(done.stdout)
        time.sleep(1)
    assert len(hashes) == 1
    here = hashlib.sha256(write_pdf(english_open(), TEMPLATES, attachments=FILES)).hexdigest()
    assert hashes == {f"{here}\n".encode()}


def test_no_text_runs_over_the_margins(made: tuple[Proposal, Path]) -> None:
    points_a_mm = 72 / 25.4
    layout = run("pdftotext", "-bbox", made[1], "-")
    for left, right, word in re.findall(r'xMin="([\d.-]+)".*?xMax="([\d.-]+)".*?>(.*?)</word>', layout):
        if word not in made[0].labels["draft"]:  # the watermark is read in pieces
            assert float(left) >= 17.5 * points_a_mm, word
            assert float(right) <= 192.8 * points_a_mm, word


def test_part_numbers_stay_whole(made: tuple[Proposal, Path]) -> None:
    proposal, path = made
    text = text_of(path)
    for row in proposal.bom.rows:
        for number in row.mpn.split(", "):
            assert number in text


def test_a_number_and_its_unit_stay_together() -> None:
    html = render_html(english_open(), TEMPLATES / "proposal")
    assert "the card can use PCIe Gen5 x16, the slot gives Gen4 x16: 31.5\u202fGB/s of 63.0\u202fGB/s" in html
    assert pdf._glue("12 000 W, 3 m, 3 mm, 4 GPUs, 48 GB/s, 2 x16") == (
        "12\u202f000\u202fW, 3\u202fm, 3\u202fmm, 4 GPUs, 48\u202fGB/s, 2 x16"
    )


def test_drawings_have_titles_and_headings_have_no_jumps() -> None:
    for make in SAMPLES.values():
        html = render_html(make(), TEMPLATES / "proposal", attachments=FILES)
        assert html.count("<svg") == html.count('role="img"') == len(re.findall(r"<svg[^>]*><title>[^<]", html))
        levels = [int(level) for level in re.findall(r"<h([1-6])", html)]
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
        for head, body in re.findall(r"<thead>(.*?)</thead>\s*<tbody>(.*?)</tbody>", html, re.DOTALL):
            assert "<th" in head
            assert 'scope="row"' in body


def test_a_section_without_data_does_not_appear() -> None:
    proposal = english_open()
    bare = dataclasses.replace(
        proposal,
        customer="",
        project="",
        summary=(),
        needs_attention=(),
        nodes=(),
        findings=(),
        open_points=(),
        checks=(),
        waivers=(),
        terms=(),
        sources=(),
        bom=dataclasses.replace(proposal.bom, rows=()),
    )
    assert Layout(bare, ()).sections == ("about",)
    html = render_html(bare, TEMPLATES / "proposal")
    assert re.findall(r'<h2 id="(\w+)"', html) == ["about"]
    assert LABELS["nothing_to_report"] in html
    assert "<table" in html
    assert write_pdf(bare, TEMPLATES).startswith(b"%PDF")


def test_a_long_bill_repeats_its_head_and_a_very_long_one_is_summarised(tmp_path: Path) -> None:
    proposal = english_open()
    groups = [row for row in proposal.bom.rows if row.is_group]
    line = next(row for row in proposal.bom.rows if not row.is_group)
    rows = (*groups, *(dataclasses.replace(line, position=f"1.{n}", mpn=f"LONG-{n:04d}") for n in range(120)))
    path = tmp_path / "a.pdf"
    path.write_bytes(
        write_pdf(dataclasses.replace(proposal, bom=dataclasses.replace(proposal.bom, rows=rows)), TEMPLATES)
    )
    with_rows = [page for page in pages_of(path) if "LONG-" in page]
    assert len(with_rows) >= 3
    assert all("Part no." in page and "Net total" in page for page in with_rows)
    bom = dataclasses.replace(proposal.bom, rows=rows * 3)
    html = render_html(dataclasses.replace(proposal, bom=bom), TEMPLATES / "proposal")
    assert "LONG-0001" not in html
    assert "360 lines; shown is one line a group." in html


def test_every_label_is_used_and_every_label_used_exists() -> None:
    sources = "".join(path.read_text() for path in PARTS)
    sources += "".join(path.read_text() for path in sorted((ROOT / "src/rackwright/outputs/drawings").glob("*.py")))
    sources += (ROOT / "src/rackwright/outputs/pdf.py").read_text()
    sources += (ROOT / "src/rackwright/outputs/sizing_text.py").read_text()
    used = set(re.findall(r"\bt\.(\w+)", sources)) | set(re.findall(r'labels\[["\'](\w+)["\']\]', sources))
    used |= {
        "configuration",
        "racks",
        "unknown",
        "findings",
        "waivers",
        "bom",
        "bom_plain",
        "terms",
        "checks",
        "sources",
        "about",
        "sizing",
        "checklist",
    }
    assert used == {*LABELS, *SIZING_LABELS}


def test_weasyprint_has_nothing_to_complain_about(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        write_pdf(german_valid(), TEMPLATES)
    assert [record.getMessage() for record in caplog.records] == []


def test_it_claims_to_be_accessible(made: tuple[Proposal, Path]) -> None:
    metadata = PdfReader(made[1]).trailer["/Root"]["/Metadata"].get_object().get_data().decode()
    assert 'pdfuaid:part="1"' in metadata
    assert "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in metadata
    assert metadata.count("<rdf:RDF") == 1


def test_a_checker_of_accessibility_finds_nothing(made: tuple[Proposal, Path]) -> None:
    checker = Path(sys.executable).parent / "pdfua"
    done = subprocess.run([str(checker), "check", str(made[1])], capture_output=True, text=True, check=False)
    assert (done.returncode, "PASS (no findings)" in done.stdout) == (0, True), done.stdout


def test_heads_and_feet_of_pages_are_artifacts(made: tuple[Proposal, Path]) -> None:
    for page in PdfReader(made[1]).pages:
        content = page.get_contents()
        assert content is not None
        assert b"/Artifact <</Type /Pagination>> BDC" in re.sub(rb"\s+", b" ", content.get_data())


def test_states_are_words_too(made: tuple[Proposal, Path]) -> None:
    """In grey print a tone alone would say nothing: each verdict has its word, each mark its title."""
    proposal, path = made
    text = text_of(path)
    for view in proposal.checks:
        assert view.outcome_label.lower() in text.lower()
    assert proposal.status_label in text


def test_greek_and_cyrillic_names_are_in_the_bundled_font(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(write_pdf(dataclasses.replace(english_open(), customer="Ελληνικά Москва Łódź Åse"), TEMPLATES))
    assert "Ελληνικά Москва Łódź Åse" in text_of(path, 1, 1)
    assert all(re.match(r"[A-Z]{6}\+(Inter|JetBrains-Mono)", row) for row in run("pdffonts", path).splitlines()[2:])


def test_what_nobody_stated_is_printed_as_that() -> None:
    from rackwright.bom import Bom
    from rackwright.configuration import Quote
    from rackwright.pricing import PricedBom
    from rackwright.proposal.offer import offer_view
    from rackwright.proposal.texts import LocaleFormats, Texts

    view = offer_view(Quote(), PricedBom(Bom(()), (), "EUR"), Texts("en", {}, LocaleFormats("en")))
    assert {row.value for row in (*view.rows, *view.seller)} == {"not stated"}
    assert [row.label for row in view.rows] == [
        "Offer", "Bound until", "Delivery term", "Delivery time", "Payment", "Warranty"
    ]  # fmt: skip
    bare = dataclasses.replace(english_open(), offer=view)
    assert LABELS["offer_unstated"] in render_html(bare, TEMPLATES / "proposal")
    partly = dataclasses.replace(bare, offer=dataclasses.replace(view, is_stated=True))
    html = render_html(partly, TEMPLATES / "proposal")
    assert html.count("<td>not stated</td>") == len(view.rows) + len(view.seller)


SIZE = """
import dataclasses, pathlib, re, sys, time
sys.path.insert(0, "tests")
from outputs.sample import english_open
from rackwright.outputs.pdf import write_pdf
proposal = english_open()
groups = [row for row in proposal.bom.rows if row.is_group]
line = next(row for row in proposal.bom.rows if not row.is_group)
rows = (*groups, *(dataclasses.replace(line, position=f"1.{n}") for n in range(290)))
start = time.process_time()
write_pdf(dataclasses.replace(proposal, bom=dataclasses.replace(proposal.bom, rows=rows)), pathlib.Path("templates"))
# of this program alone: what getrusage says includes the one that started it
peak_mb = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
print(time.process_time() - start, peak_mb)
"""


def test_three_hundred_lines_stay_within_memory() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", SIZE], cwd=ROOT, env=environment, capture_output=True, check=True)
    spent_s, peak_mb = map(float, done.stdout.split())
    print(f"290 lines: {spent_s:.1f} s of processor time, {peak_mb:.0f} MB")
    assert peak_mb < 200
