from __future__ import annotations

import datetime
import hashlib
import os
import random
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from rackwright.outputs.xlsx import styles, write_xlsx
from rackwright.outputs.xlsx.finish import _with_cells, formula_cell, text_cell
from rackwright.outputs.xlsx.text import cell_text
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.model import BarView, Proposal
from rackwright.proposal.money_model import Cited, Compliance
from rackwright.verdict import Status

from .sheet_bill import Item, bill, group_rows, translator
from .sheet_engine import cells, converted, differences, formulas, same, values
from .sheet_hostile import HOSTILE, hostile_lines
from .sheet_sample import INFERENCE, sample

URL = "https://docs.example.com/a.pdf"


def edited(content: bytes, changes: dict[tuple[str, str], Any]) -> bytes:
    """The file as a person leaves it who has changed some cells; formulas have no stored value then."""
    book = load_workbook(BytesIO(content))
    for (sheet, place), value in changes.items():
        book[sheet][place] = value
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def poisoned(content: bytes) -> bytes:
    """The file with one wrong stored value: that of the grand total."""
    right = f"<v>{sample().bom.total}</v>"
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).decode().replace(right, "<v>999</v>"))
    return buffer.getvalue()


def rounding() -> Proposal:
    """Prices and discounts on and around half cents."""
    chance = random.Random(7)
    items = [
        Item("drive", "d", "m", f"n{number}", chance.randint(1, 40), f"{chance.randint(1, 9_999_999) / 1000:.3f}",
             f"{chance.randint(0, 1000) / 1000:.3f}")
        for number in range(600)
    ]  # fmt: skip
    items += [Item("drive", "d", "m", f"h{cents}", 1, f"{cents}.05", "0.5") for cents in range(200)]
    text = translator("en")
    return replace(sample(), bom=bill(group_rows("1", "n", "t", 3, items, text=text), text, Decimal("0.19")))


def taxed() -> Proposal:
    """Lines of all VAT categories, an included one, and options beside them."""
    text = translator("en")
    items = [
        Item("GPU", "g", "m", "g1", 4, "7803.34"),
        Item("CPU", "c", "m", "c1", 2, "3501.05", "0.015", vat="reverse_charge"),
        Item("service", "s", "m", "s1", 1, "49.99", vat="exempt"),
        Item("cable", "k", "m", "k1", 4, "0.00"),
    ]
    rows = group_rows("1", "n", "t", 3, items, text=text)
    made = bill(rows, text, Decimal("0.19"))
    return replace(sample(), bom=replace(made, offered=tuple(group_rows("2", "offered", "o", 1, items[:2], text=text))))


def unusual() -> Proposal:
    """Lines without a head, a group without lines, nothing in the racks, no sources."""
    text = translator("en")
    rows = group_rows("1", "n", "t", 2, list(INFERENCE), text=text)[1:]
    rows += group_rows("2", "empty", "nothing", 1, [], text=text)
    return replace(sample(), bom=bill(rows, text, None), racks=(), sources=(), open_points=(), needs_attention=())


@cache
def files() -> dict[str, bytes]:
    """All files that LibreOffice recalculates, by name."""
    some = write_xlsx(sample())
    return {
        "some.xlsx": some,
        "german.xlsx": write_xlsx(sample("de", prices="all", is_draft=True, status=Status.INVALID)),
        "none.xlsx": write_xlsx(sample("de", prices="none")),
        "untaxed.xlsx": write_xlsx(sample(vat=None)),
        "seven.xlsx": edited(some, {("BOM", "G2"): 7}),
        "priced.xlsx": edited(some, {("BOM", f"I{row}"): 199.99 for row in (10, 13)}),
        "poisoned.xlsx": poisoned(some),
        "rounding.xlsx": write_xlsx(rounding()),
        "unusual.xlsx": write_xlsx(unusual()),
        "taxed.xlsx": write_xlsx(taxed()),
        "hostile.xlsx": write_xlsx(hostile_lines()),
    }


@pytest.fixture(scope="module")
def recalculated() -> dict[str, Workbook]:
    return {name: values(content) for name, content in converted(files(), "xlsx").items()}


@pytest.mark.parametrize("name", ["some", "german", "none", "untaxed", "rounding", "unusual", "taxed"])
def test_another_program_calculates_every_stored_value(name: str, recalculated: dict[str, Workbook]) -> None:
    content = files()[f"{name}.xlsx"]
    assert len(formulas(content)) > 40
    assert differences(content, recalculated[name]) == []


def test_vat_is_a_formula_for_each_category() -> None:
    """12 × 7803.34 = 93640.08 standard, tax 17791.6152; 6 × 3448.53 = 20691.18 reverse charge; 3 × 49.99 exempt."""
    sheet = values(files()["taxed.xlsx"])["BOM"]
    rows = {cell.value: row for row in sheet.iter_rows(min_row=2) if (cell := row[1]).value}
    amounts = [
        [float(rows[f"VAT, {word} (base, rate, tax)"][column].value) for column in (8, 10, 11)]
        for word in ("standard rate", "reverse charge", "exempt")
    ]
    assert amounts == [[93640.08, 0.19, 17791.62], [20691.18, 0, 0], [149.97, 0, 0]]
    assert float(rows["Total with VAT"][11].value) == 132272.85
    assert sheet["K6"].value == "included in 1"


def test_compliance_prints_what_is_stated_and_by_whom() -> None:
    proposal = sample()
    stated = Compliance("8473 30 80", "TW", "5A992.c", "the maker", "2026-06-16", "2028-03-31", "a/b", (("RoHS", URL),))
    rows = tuple(
        replace(row, compliance=stated, lead_time_days=70) if row.position == "1.1" else row
        for row in proposal.bom.rows
    )
    content = write_xlsx(replace(proposal, bom=replace(proposal.bom, rows=rows)))
    sheet = values(content)["Compliance"]
    found = {row[0].value: [cell.value for cell in row] for row in sheet.iter_rows(min_row=2)}
    assert found["1.1"][4:8] == ["8473 30 80", "TW", "5A992.c", "the maker"]
    assert (found["1.1"][8], found["1.1"][10]) == (datetime.datetime(2026, 6, 16), datetime.datetime(2028, 3, 31))
    assert found["1.1"][11:] == [70, "a/b", f"RoHS: {URL}"]
    assert found["1.2"][4:9] == ["not stated"] * 5
    assert {found["1.2"][column] for column in (10, 11, 12, 13)} == {"not stated"}
    cell = next(cell for cell in load_workbook(BytesIO(content))["Compliance"]["N"] if cell.hyperlink)
    assert cell.hyperlink.target == URL


def test_technical_figures_name_their_source() -> None:
    proposal = sample()
    rows = tuple(
        replace(row, weight_source=Cited("guide, p. 3", URL)) if row.position == "1.1" else row
        for row in proposal.bom.rows
    )
    sheet = load_workbook(BytesIO(write_xlsx(replace(proposal, bom=replace(proposal.bom, rows=rows)))))["Technical"]
    assert (sheet["N3"].value, sheet["N3"].hyperlink.target) == ("guide, p. 3", URL)
    assert (sheet["O3"].value, sheet["N4"].value) == ("not stated", "not stated")


def test_the_about_sheet_names_what_it_was_made_from() -> None:
    sheet = values(files()["some.xlsx"])["About"]
    found = {row[0].value: row[1].value for row in sheet.iter_rows(min_row=2)}
    about = sample().about
    assert found["Configuration, SHA-256"] == about.configuration_sha256
    assert (found["Catalog, fingerprint"], found["Rules, fingerprint"]) == (about.catalog_digest, about.rules_digest)
    assert (found["Program version"], found["Date"]) == (about.version, datetime.datetime(2026, 12, 1))


def test_options_are_beside_the_total_and_can_be_changed() -> None:
    book = load_workbook(BytesIO(files()["taxed.xlsx"]))
    sheet, stored = book["Options"], values(files()["taxed.xlsx"])["Options"]
    assert [cell.value for cell in stored[2]][6:] == [4, 7803.34, 0, 7803.34, 31213.36]
    assert sheet["K2"].value == "=IF(ISNUMBER(J2),J2*G2,J2)"
    assert "2.1" not in [cell.value for cell in book["BOM"]["A"]]


def test_the_package_keeps_to_the_standard() -> None:
    """X15. Strings inside of cells are a matter of taste: programs move them to a table when they save."""
    import json
    import tempfile

    for name in ("some", "german", "taxed"):
        with tempfile.NamedTemporaryFile(suffix=".xlsx") as file:
            file.write(files()[f"{name}.xlsx"])
            file.flush()
            audit = Path(sys.executable).parent / "openxml-audit"
            done = subprocess.run([str(audit), "-o", "json", file.name], capture_output=True, text=True, check=False)
        told = json.loads(done.stdout)
        assert [file["valid"] for file in told] == [True], told


def test_a_wrong_stored_value_is_found(recalculated: dict[str, Workbook]) -> None:
    found = differences(files()["poisoned.xlsx"], recalculated["poisoned"])
    assert [(sheet, mine) for sheet, _, mine, _ in found] == [("Summary", 999), ("BOM", 999)]


def compared(edit: Workbook, fresh: Workbook, sheet: str, columns: int) -> list[tuple[str, Any, Any]]:
    found = []
    for row in fresh[sheet].iter_rows(max_col=columns):
        for cell in row:
            other = edit[sheet][cell.coordinate].value
            if not same(cell.value, other):
                found.append((cell.coordinate, cell.value, other))
    return found


def test_changing_the_number_of_nodes_gives_what_a_fresh_build_gives(recalculated: dict[str, Workbook]) -> None:
    fresh = values(write_xlsx(sample(nodes=7)))
    edit = recalculated["seven"]
    changed = SHEET_LABELS["sheet.nodes_changed"]
    remark = f"B{fresh['BOM'].max_row}"
    assert compared(edit, fresh, "BOM", 12) == [(remark, SHEET_LABELS["sheet.nodes_as_checked"], changed)]
    assert compared(edit, fresh, "Technical", 15) == []
    for row in range(15, 19):  # the amounts and the sentence on prices
        assert same(edit["Summary"][f"B{row}"].value, fresh["Summary"][f"B{row}"].value), row
    assert changed in [cell.value for cell in edit["Summary"]["B"]]


def test_filling_in_missing_prices_completes_the_total(recalculated: dict[str, Workbook]) -> None:
    fresh = values(write_xlsx(sample(prices="all")))
    assert compared(recalculated["priced"], fresh, "BOM", 12) == []


def test_totals_are_those_of_the_view_model() -> None:
    bom, sheet = sample().bom, values(files()["some.xlsx"])["BOM"]
    totals = [row[11].value for row in sheet.iter_rows(min_row=22)][:3]
    assert [Decimal(str(value)) for value in totals] == [bom.subtotal, bom.vat, bom.total]


def test_a_line_without_a_price_is_on_request_and_the_total_says_so() -> None:
    sheet = values(files()["some.xlsx"])["BOM"]
    assert [sheet[f"{column}10"].value for column in "IKL"] == ["on request"] * 3
    assert sheet["I2"].value == "2 on request"
    assert sheet["B24"].value == "Total with VAT, incomplete: 2 of 17 items on request"
    assert sheet["B25"].value == sample().bom.completeness_text


def test_without_prices_no_total_is_a_number() -> None:
    sheet = values(files()["none.xlsx"])["Stückliste"]
    amounts = {sheet[f"L{row}"].value for row in range(2, 25)}
    assert amounts == {"auf Anfrage"}


def test_a_price_of_zero_reads_as_included_and_says_in_what() -> None:
    stored = values(files()["some.xlsx"])["BOM"]
    assert [stored[f"{column}9"].value for column in "IKL"] == ["included in 1"] * 3
    sheet = load_workbook(BytesIO(files()["some.xlsx"]))["BOM"]
    assert '"included"' in sheet["I9"].number_format  # a zero that somebody types later
    assert '"included"' in sheet["K9"].number_format
    assert [cell.coordinate for row in stored["I2:L21"] for cell in row if cell.value == 0 and cell.column != 10] == []


def test_per_node_and_total_quantities_and_sub_totals_are_shown() -> None:
    sheet = values(files()["some.xlsx"])["BOM"]
    assert [sheet[f"{column}5"].value for column in "FGH"] == [2, None, 8]
    assert sheet["G2"].value == 4
    lines = [row for row in sample().bom.rows if row.position.startswith("1.") and row.net_unit is not None]
    assert Decimal(str(sheet["K2"].value)) == sum(row.net_unit * row.count for row in lines if row.net_unit is not None)
    assert Decimal(str(sheet["L2"].value)) == sum(row.net_total for row in lines if row.net_total is not None)


def test_hostile_text_is_the_same_text_after_another_program(recalculated: dict[str, Workbook]) -> None:
    for number, text in enumerate(HOSTILE):
        wanted = cell_text(text).replace("_x005F_", "_")
        for sheet, column in (("BOM", "C"), ("BOM", "D"), ("Technical", "C"), ("Technical", "E")):
            cell = recalculated["hostile"][sheet][f"{column}{number + 3}"]
            if not wanted:
                assert cell.value in {None, "not stated"}
            else:
                assert (cell.value, cell.data_type) == (wanted, "s"), text


SCRIPT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from outputs.sheet_sample import sample
from rackwright.outputs.xlsx import write_xlsx
print(hashlib.sha256(write_xlsx(sample("de", is_draft=True))).hexdigest())
"""


def test_the_same_proposal_gives_the_same_bytes_in_two_processes() -> None:
    folder = str(Path(__file__).parent.parent)
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, folder],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    mine = hashlib.sha256(write_xlsx(sample("de", is_draft=True))).hexdigest()
    assert digests == {f"{mine}\n".encode()}


def test_the_file_has_no_clock() -> None:
    with zipfile.ZipFile(BytesIO(files()["some.xlsx"])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert re.findall(">([0-9T:-]+Z)<", core) == ["2026-12-01T00:00:00Z"] * 2
    book = load_workbook(BytesIO(write_xlsx(replace(sample(), date_iso=""))))
    assert book.properties.modified == datetime.datetime(1980, 1, 1)


def test_every_formula_has_a_stored_value() -> None:
    for name in ("some.xlsx", "german.xlsx", "none.xlsx", "unusual.xlsx"):
        with zipfile.ZipFile(BytesIO(files()[name])) as archive:
            sheets = [
                archive.read(part).decode() for part in archive.namelist() if part.startswith("xl/worksheets/sheet")
            ]
        found = [match for xml in sheets for match in re.findall(r"<c [^>]*><f>[^<]+</f>(.*?)</c>", xml)]
        assert len(found) == len(formulas(files()[name])) > 40
        assert all(re.fullmatch("<v>[^<]*</v>", match) for match in found)


def test_cells_say_what_they_hold() -> None:
    assert formula_cell("A1", 2, "1+1", Decimal("2E+1")) == '<c r="A1" s="2"><f>1+1</f><v>20</v></c>'
    assert formula_cell("A1", 2, 'A2&"<"', "<") == '<c r="A1" s="2" t="str"><f>A2&amp;"&lt;"</f><v>&lt;</v></c>'
    assert text_cell("A1", 2, "=1") == '<c r="A1" s="2" t="inlineStr"><is><t xml:space="preserve">=1</t></is></c>'
    with pytest.raises(ValueError, match="no place"):
        _with_cells("<worksheet/>", "A1", "")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_sheet_can_be_read_and_printed(language: str) -> None:
    book = load_workbook(BytesIO(write_xlsx(sample(language))))
    text = translator(language)
    assert book.sheetnames[:3] == [text("Summary"), text("BOM"), text("Technical")]
    assert len(book.sheetnames) == 12
    assert book.active.title == text("Summary")
    assert (book.properties.language, book.properties.title) == (language, text("LLM inference cluster, four nodes"))
    for sheet in book:
        assert sheet.freeze_panes.endswith("2"), sheet.title
        assert (sheet.print_title_rows, sheet.page_setup.paperSize) == ("$1:$1", 9)
        assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
        assert not sheet.merged_cells.ranges
        assert "2026-004711" in sheet.oddFooter.left.text
        assert "&P" in sheet.oddFooter.right.text
        heads = [cell.value for cell in sheet[1]]
        assert len(set(heads)) == len(heads)
        assert None not in heads


def test_the_bill_is_laid_out_for_the_eye_and_the_page() -> None:
    sheet = load_workbook(BytesIO(files()["some.xlsx"]))["BOM"]
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.print_area == "'BOM'!$A$1:$L$26"
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("C2", "A1:P21")
    assert [sheet.row_dimensions[row].outlineLevel for row in (2, 3, 13, 14)] == [0, 1, 1, 0]
    assert sheet.sheet_properties.outlinePr.summaryBelow is False
    assert (sheet["A12"].value, sheet["A12"].data_type, sheet["A12"].number_format) == ("1.10", "s", "@")
    assert sheet["D4"].value == "0012-6542"
    assert "#,##0.00" in sheet["L3"].number_format
    whole, ratio = sheet.data_validations.dataValidation
    assert (str(whole.sqref), whole.type) == ("G2 G14", "whole")
    assert (str(ratio.sqref), ratio.formula2) == ("J2:J21", "1")


def test_dates_are_dates() -> None:
    summary = load_workbook(BytesIO(files()["some.xlsx"]))["Summary"]
    dates = [cell for cell in summary["B"] if cell.is_date]
    assert [cell.value for cell in dates] == [datetime.datetime(2026, 12, 1), datetime.datetime(2027, 1, 15)]
    assert {cell.number_format for cell in dates} == {"yyyy-mm-dd"}
    plain = load_workbook(BytesIO(write_xlsx(replace(sample(), valid_until_iso=""))))["Summary"]
    assert "2027-01-15" in [cell.value for cell in plain["B"]]


def test_a_draft_says_so_and_why_on_every_sheet() -> None:
    reason = "ENTWURF: nicht bestandene Prüfungen: PWR003, RCK004"
    book = load_workbook(BytesIO(files()["german.xlsx"]))
    for sheet in book:
        assert sheet["A1"].value == reason
        assert (sheet["A1"].font.b, sheet["A1"].font.color.rgb) == (True, "FF9B1C13")
        assert sheet.oddHeader.center.text == reason
        assert (sheet.print_title_rows, sheet.freeze_panes[-1]) == ("$1:$2", "3")
    assert not any("DRAFT" in str(cell.value) for cell in cells(files()["some.xlsx"]))


def test_every_verdict_is_there_with_its_arithmetic_and_sources() -> None:
    proposal, sheet = sample(), values(files()["some.xlsx"])["Checks"]
    rows = {row[0].value: [cell.value for cell in row] for row in sheet.iter_rows(min_row=2)}
    assert list(rows) == ["PCI004", "PWR003", "AIR001", "NET002", "FIT001", "RCK002"]
    assert sorted(rows) == [view.code for view in proposal.checks]
    failed = rows["PWR003"]
    view = next(view for view in proposal.checks if view.code == "PWR003")
    assert failed[1:6] == ["failed", "error", "inference", view.title, view.message]
    assert failed[9] == "\n".join(view.arithmetic)
    assert failed[10] == "\n".join(view.sources)
    assert rows["NET002"][8] == "one port is enough"


def test_findings_on_files_come_first() -> None:
    proposal = sample()
    found = replace(proposal.checks[0], code="CFG001")
    sheet = values(write_xlsx(replace(proposal, findings=(found, *proposal.findings))))["Checks"]
    assert [cell.value for cell in sheet["A"]][1:3] == ["CFG001", "PCI004"]


def test_loads_and_limits_are_numbers() -> None:
    sheet = values(files()["some.xlsx"])["Power and rack"]
    rows = {(row[1].value, row[2].value): [cell.value for cell in row] for row in sheet.iter_rows(min_row=2)}
    assert rows["power draw", "Vantage X100 NVL 94 GB"][4:7] == [4, 400, 1600]
    assert rows["power draw", "sum"][6] == 2548.5
    assert rows["load on supplies", "all supplies"][6:] == [2548.5, 2400, 2548.5 / 2400, 4800, "over the limit"]
    assert rows["load on phases", "A L1"][10] == "within the limit"
    assert rows["load on phases", "B L3"][6:] == [None, 25.6, "not known", None, "not known"]


def test_texts_stand_in_where_the_model_has_no_numbers() -> None:
    node = replace(sample().nodes[0], power_numbers=(), power=(BarView("all", None, "not known", None, "not known"),))
    sheet = values(write_xlsx(replace(sample(), nodes=(node,))))["Power and rack"]
    assert [cell.value for cell in sheet[2]][4:7] == ["2", "250 W", "500 W"]
    assert [cell.value for cell in sheet[9]][6:9] == ["not known", "not known", "not known"]


def test_the_failure_replay_has_a_column_for_each_element() -> None:
    sheet = values(files()["some.xlsx"])["Failure replay"]
    names = ["A L1", "A L2", "A L3", "B L1", "B L2", "B L3"]
    assert [cell.value for cell in sheet[1]][2:14] == [*names, *(f"{name}, share" for name in names)]
    assert [cell.value for cell in sheet[1]][14:] == ["Highest load", "What the servers do", "Servers down"]
    assert [cell.value for cell in sheet[2]][:8] == ["rack1", "Limit", 25.6, 25.6, 25.6, 25.6, 25.6, 25.6]
    lost = ["rack1", "feed A", "lost", "lost", "–", 14.08, 13.056, 26.88, None, None, "–", 0.55, 0.51, 1.05, "B L3"]
    assert [cell.value for cell in sheet[4]] == [*lost, "inference: 1", 1]
    live = load_workbook(BytesIO(files()["some.xlsx"]))["Failure replay"]
    assert live["N4"].value == "=H4/H$2"


def test_sheets_without_content_are_left_out_or_say_none() -> None:
    book = values(files()["unusual.xlsx"])
    assert not {"Rack units", "Failure replay", "Sources"} & set(book.sheetnames)
    assert book["Open points"]["B2"].value == "none"
    assert "nothing" in [cell.value for cell in book["Summary"]["B"]]


def luminance(color: str) -> float:
    channels = [int(color[index : index + 2], 16) / 255 for index in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_text_has_enough_contrast() -> None:
    book = load_workbook(BytesIO(files()["german.xlsx"]))
    pairs = {
        (cell.font.color.rgb[2:], cell.fill.fgColor.rgb[2:] if cell.fill.fill_type else "FFFFFF")
        for sheet in book
        for row in sheet
        for cell in row
        if cell.value is not None
    }
    pairs |= {
        (tone.color, tone.fill or "FFFFFF")
        for tone in vars(styles).values()
        if isinstance(tone, styles.Tone) and tone.color
    }
    assert len(pairs) > 8
    for ink, paper in pairs:
        light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)


def test_every_label_is_used_and_every_used_label_exists() -> None:
    folder = Path(write_xlsx.__code__.co_filename).parent
    code = "".join(path.read_text() for path in [*folder.glob("*.py"), folder.parent / "csv.py"])
    used = {key for key in SHEET_LABELS if re.search(rf'"(sheet\.)?{key.removeprefix("sheet.")}"', code) or key in code}
    assert used == set(SHEET_LABELS)
    assert set(re.findall(r'label\("([a-z_0-9]+)"', code)) <= {key.removeprefix("sheet.") for key in SHEET_LABELS}


def test_sheet_names_fit_in_both_languages() -> None:
    names = SHEET_LABELS["sheet.summary"], SHEET_LABELS["sheet.power"], SHEET_LABELS["sheet.failures"]
    assert all(len(translator(language)(name)) <= 31 for name in names for language in ("en", "de"))


def test_pages_are_landscape_one_wide_and_large_enough_to_read() -> None:
    from pypdf import PdfReader

    printed = converted({"some.xlsx": files()["some.xlsx"], "german.xlsx": files()["german.xlsx"]}, "pdf")
    for name, title in (("some", "BOM"), ("german", "Stückliste")):
        reader = PdfReader(BytesIO(printed[name]))
        # one page a sheet, compliance in German two: nothing spills to the right
        assert len(reader.pages) == (12 if name == "some" else 13)
        page = reader.pages[1]
        assert page.mediabox.width > page.mediabox.height
        sizes: list[float] = []

        def note(text: str, _cm: Any, matrix: Any, _font: Any, size: float, sizes: list[float] = sizes) -> None:
            if text.strip():
                sizes.append(abs(size * matrix[3]))

        text = page.extract_text(visitor_text=note)
        assert title in text
        assert min(sizes) >= 6.5
