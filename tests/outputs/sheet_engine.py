"""LibreOffice as the second opinion on spreadsheets: it recalculates files in one start, in a profile of its own."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook, load_workbook

# Without this setting LibreOffice trusts the stored values of formulas, and they would be compared with themselves.
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""


def converted(files: dict[str, bytes], target: str) -> dict[str, bytes]:
    """Convert files (name -> content) to another format in one start; the result has the names without ending."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        user = base / "profile" / "user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(_PROFILE)
        source, result = base / "in", base / "out"
        source.mkdir()
        for name, content in files.items():
            (source / name).write_bytes(content)
        command = ["soffice", f"-env:UserInstallation=file://{base / 'profile'}", "--headless", "--convert-to", target]
        command += ["--outdir", str(result), *(str(source / name) for name in files)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        return {path.stem: path.read_bytes() for path in sorted(result.iterdir())}


def values(content: bytes) -> Workbook:
    """The workbook with the stored values of its formulas."""
    return load_workbook(BytesIO(content), data_only=True)


def formulas(content: bytes) -> dict[tuple[str, str], str]:
    """All formulas by sheet and cell."""
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in load_workbook(BytesIO(content))
        for row in sheet
        for cell in row
        if cell.data_type == "f"
    }


def differences(content: bytes, recalculated: Workbook) -> list[tuple[str, str, Any, Any]]:
    """The formula cells whose stored value is not what another program calculates."""
    stored = values(content)
    found = []
    for sheet, place in formulas(content):
        mine, other = stored[sheet][place].value, recalculated[sheet][place].value
        if not same(mine, other):
            found.append((sheet, place, mine, other))
    return found


def same(one: Any, other: Any) -> bool:
    """Numbers by value, texts exactly; an empty text may have become an empty cell."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 1e-6
    return bool((one or None) == (other or None))


def cells(content: bytes) -> Iterator[Any]:
    """All cells of all sheets."""
    for sheet in load_workbook(BytesIO(content)):
        for row in sheet:
            yield from row
