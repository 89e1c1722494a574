"""What a customer gets and what stays in the house, by the example of a complete offer."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from pypdf.generic import EncodedStreamObject, StreamObject

from .conftest import Call

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "offer-4x-l40s"
# Costs of the lists, in either currency, and the margin; then sums that follow from them (derived by hand).
SECRETS = (
    "4711.77", "3111.13", "333.33", "777.10", "7654.32", "7777.77", "4321.00", "0.0817", "margin_ratio", "Marge",
    "7052.07",     # 7654.32 / 1.0854
    "18847.08",    # 4 x 4711.77
    "112833.12",   # 16 x 7052.07
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents of the example, with the internal calculation."""
    folder = tmp_path_factory.mktemp("offer")
    command = [sys.executable, "-m", "rackwright", "quote", str(EXAMPLE), "-o", str(folder), "-q", "--internal"]
    done = subprocess.run([*command, "-f", "csv", "-f", "ubl"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def forms(secret: str) -> Iterator[bytes]:
    """A secret as it could stand in a file: plain, with a comma, with separators, in other encodings."""
    texts = {secret, secret.replace(".", ",")}
    if re.fullmatch(r"\d+\.\d+", secret):
        whole, _, cents = secret.partition(".")
        grouped = f"{int(whole):,}"
        texts |= {f"{grouped}.{cents}", f"{grouped.replace(',', '.')},{cents}", f"{grouped.replace(',', ' ')}.{cents}"}
        texts |= {f"{grouped.replace(',', chr(0x202F))},{cents}"}
    for text in texts:
        yield text.encode()
        yield text.encode("utf-16-be")
        yield text.encode("utf-16-le")


def layers(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file and everything inside of it: members of archives, streams and attachments of PDFs, unpacked."""
    yield name, data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for member in archive.namelist():
                yield from layers(f"{name}/{member}", archive.read(member))
    elif data.startswith(b"%PDF"):
        reader = PdfReader(BytesIO(data))
        for number in range(1, len(reader.xref[0]) if 0 in reader.xref else 1):
            item = reader.get_object(number)
            if isinstance(item, StreamObject | EncodedStreamObject):
                yield f"{name}#{number}", item.get_data()
        for attached, contents in reader.attachments.items():
            for content in contents:
                yield from layers(f"{name}/{attached}", content)
        yield f"{name} (text)", "\n".join(page.extract_text() for page in reader.pages).encode()


def test_cost_and_margin_reach_no_file_of_the_customer(made: Path) -> None:
    files = [path for path in sorted(made.iterdir()) if path.name != "internal.xlsx"]
    assert [path.name for path in files] == ["bom.csv", "bom.xlsx", "proposal.pdf", "quotation.xml", "report.json"]
    seen = 0
    for path in files:
        for place, data in layers(path.name, path.read_bytes()):
            seen += 1
            for secret in SECRETS:
                assert not any(form in data for form in forms(secret)), (secret, place)
    assert seen > 60


def test_the_search_would_find_them(made: Path) -> None:
    """The same search in the internal calculation, which has them all but what no line uses."""
    data = b"".join(content for _, content in layers("internal.xlsx", (made / "internal.xlsx").read_bytes()))
    found = [secret for secret in SECRETS if any(form in data for form in forms(secret))]
    assert set(SECRETS) - set(found) == {"4321.00", "margin_ratio"}


def test_the_internal_calculation_adds_up(made: Path) -> None:
    book = load_workbook(made / "internal.xlsx", data_only=True)
    (sheet,) = book.worksheets
    assert sheet["A1"].value == "INTERN, nicht für den Kunden"
    rows = {row[0].value: [cell.value for cell in row] for row in sheet.iter_rows(min_row=3)}
    card = rows["1.4"]
    # 16 cards reach the step of 16: 7654.32 USD / 1.0854 = 7052.07 EUR; / (1 - 0.0817) = 7679.48
    assert card[2] == "900-2G133-0080-000"
    assert [float(value) for value in (card[3], card[4], card[7], card[8])] == [16, 7654.32, 7052.07, 7679.48]
    assert float(card[9]) == pytest.approx(112833.12)
    assert float(card[11]) == pytest.approx(122871.68 - 112833.12)
    assert rows["1.9"][7] == "nicht angegeben"


def test_the_customers_documents_agree_to_the_cent(made: Path) -> None:
    report = json.loads((made / "report.json").read_text())
    assert report["net_subtotal"] == "225465.39"
    lines = [line["net_total"] for line in report["bom"]]
    assert f"{sum(float(amount) for amount in lines):.2f}" == "225465.39"
    book = load_workbook(made / "bom.xlsx", data_only=True)
    amounts = {str(cell.value) for row in book["Stückliste"].iter_rows(min_col=12, max_col=12) for cell in row}
    # VAT: 197457.39 x 0.19 = 37516.9041; processors 8 x 3501.00 = 28008.00 under reverse charge
    assert {"225465.39", "37516.9", "262982.29"} <= amounts
    text = re.sub(r"[\u202f\xa0]", " ", "".join(page.extract_text() for page in PdfReader(made / "proposal.pdf").pages))
    for amount in ("225.465,39 €", "37.516,90 €", "262.982,29 €", "USt. 19 % auf 197.457,39 €"):
        assert amount in text
    quotation = (made / "quotation.xml").read_text()
    assert "225465.39" in quotation


def test_the_offer_of_a_german_seller_is_complete(made: Path) -> None:
    pages = PdfReader(made / "proposal.pdf").pages
    first = re.sub(r"\s+", " ", pages[0].extract_text())
    for text in (
        "verbindlich", "Bindefrist bis 15. Januar 2027", "DAP Leipzig, Incoterms 2020", "10 Wochen ab Bestellung",
        "2 % Skonto binnen 10 Tagen",
    ):  # fmt: skip
        assert text in re.sub("\u202f", " ", first)
    whole = re.sub(r"\s+", " ", "".join(page.extract_text() for page in pages))
    for text in (
        "gesetzliche Gewährleistung, 24 Monate", "Herstellergarantie, 36 Monate",
        "WEEE-Reg.-Nr. DE 12345678", "DE123456789", "Eigentumsvorbehalt", "Gerichtsstand",
        "Steuerschuldnerschaft des Leistungsempfängers", "§ 13b Abs. 2 Nr. 10 UStG", "1 EUR = 1,0854 USD",
        "in Pos. 1 enthalten", "Alternative zu Pos. 1.3",
    ):  # fmt: skip
        assert text in re.sub("\u202f", " ", whole), text


def test_a_line_without_a_price_stops_the_offer(rackwright: Call, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "offer")
    listed = (tmp_path / "offer" / "prices.csv").read_text().splitlines(keepends=True)
    (tmp_path / "offer" / "prices.csv").write_text("".join(line for line in listed if "mcx623106an" not in line))
    refused = rackwright("bom", "offer", "-o", "bom.csv", "-f", "csv")
    assert refused.code == 1
    assert "some lines have no price (--allow-missing-prices" in refused.err
    assert not (tmp_path / "bom.csv").exists()
    written = rackwright("bom", "offer", "-o", "bom.csv", "-f", "csv", "--allow-missing-prices")
    assert written.code == 0
    assert "auf Anfrage" in (tmp_path / "bom.csv").read_text(encoding="utf-8-sig")


def test_a_broken_calculation_is_told_and_is_in_no_report(rackwright: Call, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "offer")
    (tmp_path / "offer" / "calculation.yaml").write_text("margins: [{kind: gpu, margin_ratio: 8.17}]\n")
    refused = rackwright("bom", "offer", "-o", "bom.csv", "-f", "csv")
    assert refused.code == 1
    assert "calculation.yaml:1:" in refused.err
    drafted = rackwright("quote", "offer", "-o", "out", "-q", "--draft", "--allow-missing-prices")
    assert (tmp_path / "out" / "report.json").is_file(), drafted.err
    assert "8.17" not in (tmp_path / "out" / "report.json").read_text()


def test_a_broken_house_style_is_told(rackwright: Call, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "offer")
    (tmp_path / "offer" / "house" / "logo.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://192.0.2.1/x.png"/></svg>'
    )
    refused = rackwright("proposal", "offer", "-o", "p.pdf")
    assert refused.code == 1
    assert "the drawing logo.svg does more than draw: the element image" in refused.err
    assert not (tmp_path / "p.pdf").exists()
