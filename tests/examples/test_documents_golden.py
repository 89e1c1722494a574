"""The documents of three quotes as they were read and approved: a 4-GPU offer, an 8-GPU node, a rack on feeds A and B.

The text of every page and every cell is kept, so that a change shows as a difference to be read. Renew with
`RACKWRIGHT_UPDATE_GOLDEN=1 pytest tests/examples/test_documents_golden.py`, and look at the pages before committing.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from rackwright import api
from rackwright.api.documents import priced

from .running import example

GOLDEN = Path(__file__).parent / "golden"
QUOTES = ("offer-4x-l40s", "rtx-pro-6000-8x", "rack-ab")
# Digests and counts change with every part file and rule, whether they concern the quote or not.
_DIGEST = re.compile(r"\b[0-9a-f]{16,64}\b")
_EXTENT = re.compile(r"(\d+ (?:rules|Regeln)|\d+ (?:verdicts|Prüfergebnisse|Urteile))")


@cache
def documents(name: str) -> dict[str, bytes]:
    run = example(name).run
    bill, _ = priced(run)
    quote = run.file.configuration.quote
    house, _ = api.house_of(run)
    assert quote.date is not None
    names = ("bom.xlsx", "proposal.pdf")
    return api.make_documents(run, bill, quote.date, language=quote.language, names=names, house=house).files


def sheets(content: bytes) -> str:
    """Every cell with something in it, sheet by sheet: value, and the formula if it has one."""
    lines = []
    stored = load_workbook(BytesIO(content), data_only=True)
    for sheet in load_workbook(BytesIO(content)):
        if sheet.title in ("Checks", "Prüfungen", "Sources", "Quellen", "About", "Herkunft"):
            continue  # long, and each verdict has its own tests
        lines.append(f"## {sheet.title}")
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    value = stored[sheet.title][cell.coordinate].value
                    formula = f"  {cell.value}" if cell.data_type == "f" else ""
                    lines.append(f"{cell.coordinate} {value}{formula}".replace("\n", " / "))
    return "\n".join(lines) + "\n"


def pages(content: bytes, folder: Path) -> str:
    """The words of the first pages: decision, bill, terms. Numbers of pages are left out: other sections move them."""
    (folder / "a.pdf").write_bytes(content)
    command = ["pdftotext", "-layout", str(folder / "a.pdf"), "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, *others = done.stdout.split("\f")[:3]
    first = re.sub(r"(?<=\s)\d{1,2}$", "<page>", first, flags=re.MULTILINE)
    lines = [line.rstrip() for page in (first, *others) for line in page.splitlines() if line.strip()]
    return "\n".join(re.sub(r"(Page|Seite) \d+ (of|von) \d+", "<page>", line) for line in lines) + "\n"


def anonymous(text: str) -> str:
    return _EXTENT.sub("<n>", _DIGEST.sub("<digest>", text))


@pytest.mark.parametrize("name", QUOTES)
@pytest.mark.parametrize("document", ["bom.xlsx", "proposal.pdf"])
def test_document(name: str, document: str, tmp_path: Path) -> None:
    content = documents(name)[document]
    text = anonymous(sheets(content) if document == "bom.xlsx" else pages(content, tmp_path))
    path = GOLDEN / f"{name}.{document}.txt"
    if os.environ.get("RACKWRIGHT_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
