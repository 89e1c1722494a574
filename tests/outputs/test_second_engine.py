"""A second spreadsheet engine on the same files: formualizer, which shares no code with LibreOffice or openpyxl."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import formualizer
import pytest

from rackwright.outputs.xlsx import write_xlsx

from .sheet_engine import formulas, same, values
from .sheet_sample import sample
from .test_xlsx import edited, files

FRESH = ("some", "german", "none", "untaxed", "rounding", "unusual", "taxed")


def differences(content: bytes, folder: Path) -> list[tuple[str, str, Any, Any]]:
    """The formula cells whose stored value is not what the engine calculates."""
    path = folder / "a.xlsx"
    path.write_bytes(content)
    engine = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    stored, found = values(content), []
    for sheet, place in formulas(content):
        cell = stored[sheet][place]
        other = engine.evaluate_cell(sheet, cell.row, cell.column)
        if not same(cell.value, other):
            found.append((sheet, place, cell.value, other))
    return found


@pytest.mark.parametrize("name", FRESH)
def test_it_calculates_every_stored_value(name: str, tmp_path: Path) -> None:
    content = files()[f"{name}.xlsx"]
    assert len(formulas(content)) > 40
    assert differences(content, tmp_path) == []


def test_it_finds_a_wrong_stored_value(tmp_path: Path) -> None:
    found = differences(files()["poisoned.xlsx"], tmp_path)
    assert [(sheet, mine) for sheet, _, mine, _ in found] == [("Summary", 999), ("BOM", 999)]


def test_seven_nodes_give_what_a_fresh_build_gives(tmp_path: Path) -> None:
    """The number of nodes is changed in the file; the totals follow in the engine."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(edited(files()["some.xlsx"], {("BOM", "G2"): 7}))
    engine = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    fresh = values(write_xlsx(sample(nodes=7)))
    for title, column in (("BOM", 12), ("Technical", 9), ("Technical", 11)):
        sheet = fresh[title]
        for row in range(2, sheet.max_row + 1):
            if title == "BOM" and sheet.cell(row, 2).value and "numbers of nodes" in str(sheet.cell(row, 2).value):
                continue
            if isinstance(sheet.cell(row, column).value, int | float):
                wanted = sheet.cell(row, column).value
                assert same(wanted, engine.evaluate_cell(title, row, column)), (title, row, column)


SIZE = """
import re, sys, time
sys.path.insert(0, sys.argv[1])
from dataclasses import replace
from decimal import Decimal
from outputs.sheet_bill import Item, bill, group_rows, translator
from outputs.sheet_sample import sample
from rackwright.outputs.xlsx import write_xlsx
text = translator("en")
spent = []
for count in (1000, 5000):
    items = [Item("drive", "64 GB drive, read intensive", "Kestrel", f"n{n}", 1, "10.00") for n in range(count)]
    many = replace(sample(), bom=bill(group_rows("1", "n", "t", 3, items, text=text), text, Decimal("0.19")))
    start = time.process_time()
    write_xlsx(many)
    spent.append(time.process_time() - start)
# of this program alone: what getrusage says includes the one that started it
peak_mb = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
print(spent[1] / spent[0], spent[1], peak_mb)
"""


def test_five_thousand_lines_take_processor_time_and_memory_in_proportion() -> None:
    """X14: 5,000 lines within 150 MB; five times the lines take at most seven times the processor time."""
    folder = str(Path(__file__).parent.parent)
    done = subprocess.run([sys.executable, "-c", SIZE, folder], capture_output=True, text=True, check=True)
    ratio, spent_s, peak_mb = map(float, done.stdout.split())
    print(f"5,000 lines: {spent_s:.1f} s of processor time, {peak_mb:.0f} MB")
    assert ratio < 7
    assert peak_mb < 150
