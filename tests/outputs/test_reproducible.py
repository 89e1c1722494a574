"""The same input gives the same bytes: in two processes, with other hash seeds, other folders, other clocks."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from rackwright import api
from rackwright.api.interchange import FORMATS
from rackwright.outputs import REPORT_FORMATS

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = (
    {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4711", "TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8"},
)


def written(folder: Path, process: dict[str, str], example: str, language: str) -> dict[str, bytes]:
    """Everything that rackwright can write of an example, by file name."""
    shutil.copytree(ROOT / "examples" / example, folder / "job")
    environment = {**os.environ, **process, "PYTHONPATH": str(ROOT / "src"), "RACKWRIGHT_CACHE": str(folder / "cache")}
    environment.pop("SOURCE_DATE_EPOCH", None)  # the date is the one of the quote

    def call(*arguments: str) -> None:
        command = [sys.executable, "-m", "rackwright", *arguments]
        done = subprocess.run(command, cwd=folder / "job", env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    formats = [word for name in FORMATS for word in ("-f", name)]
    call("quote", "configuration.yaml", "-o", "out", "-q", "--language", language, *formats)
    for name in REPORT_FORMATS:
        call("validate", "configuration.yaml", "-f", name, "-o", f"out/report.{name}.txt")
    return {path.name: path.read_bytes() for path in sorted((folder / "job/out").iterdir())}


@pytest.mark.parametrize(("example", "language"), [("inference-4x-l40s", "en"), ("offer-4x-l40s", "de")])
def test_every_output_has_the_same_bytes(example: str, language: str, tmp_path: Path) -> None:
    one, other = (
        written(tmp_path / str(number), process, example, language) for number, process in enumerate(PROCESSES, start=1)
    )
    reports = {f"report.{name}.txt" for name in REPORT_FORMATS}
    assert set(one) == {*api.QUOTE, *(name for names in FORMATS.values() for name in names), *reports}
    assert [name for name in one if one[name] != other[name]] == []
    attached = {name: content for name, (content,) in PdfReader(io.BytesIO(one["proposal.pdf"])).attachments.items()}
    on_disk = {"configuration.yaml": (tmp_path / "1/job/configuration.yaml").read_bytes(), **one}
    assert {"configuration.yaml", "bom.xlsx", "bom.cdx.json", "report.json"} <= set(attached)
    assert [name for name, content in attached.items() if name in on_disk and content != on_disk[name]] == []
