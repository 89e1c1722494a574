"""XML of others is read without entities: nothing swells, nothing is fetched, no file is looked into."""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from rackwright.readers.prices import read_prices

SOURCE = Path(__file__).resolve().parents[2] / "src/rackwright"
# Modules that write XML with the standard library; bmecat sets up its parser so that it refuses document types.
WRITERS = {"outputs/drawings/svg.py", "outputs/junit.py", "outputs/ubl.py", "outputs/xlsx/finish.py"}
READERS = {"readers/bmecat.py"}
MEMBERS = ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml")
BOMB = "<!DOCTYPE x [" + '<!ENTITY e0 "ha">' + "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)
) + "]>"  # fmt: skip


def workbook(path: Path, member: str, head: str, entity: str) -> Path:
    """A price list of which one member has a document type, and the entity where a text was."""
    book = Workbook()
    book.active.append(["part", "unit_price", "currency", "note"])  # type: ignore[union-attr]
    book.active.append(["a/b", "1.00", "EUR", "WORDS"])  # type: ignore[union-attr]
    book.save(path.with_suffix(".plain"))
    with zipfile.ZipFile(path.with_suffix(".plain")) as plain, zipfile.ZipFile(path, "w") as bent:
        for name in plain.namelist():
            content = plain.read(name)
            if name == member:
                body = content.decode().partition("?>")[2] or content.decode()
                content = f'<?xml version="1.0"?>{head}{body.replace("WORDS", f"&{entity};")}'.encode()
            bent.writestr(name, content)
    return path


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("kind", ["bomb", "file", "address"])
def test_a_price_list_with_entities_is_refused(member: str, kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    heads = {
        "bomb": (BOMB, "e9"),
        "file": (f'<!DOCTYPE x [<!ENTITY f SYSTEM "{secret.as_uri()}">]>', "f"),
        "address": ('<!DOCTYPE x [<!ENTITY a SYSTEM "http://127.0.0.1:9/x">]>', "a"),
    }
    prices, findings = read_prices(workbook(tmp_path / "p.xlsx", member, *heads[kind]), "p.xlsx", lambda _: True)
    assert prices == []
    assert [item.code for item in findings] == ["BOM096"]
    assert str(findings[0].message).endswith("it declares entities, which no price list needs and which can do harm")
    assert "TOPSECRET" not in str(findings[0])


@pytest.mark.parametrize("member", MEMBERS)
def test_another_encoding_hides_nothing(member: str, tmp_path: Path) -> None:
    plain = workbook(tmp_path / "p.xlsx", member, BOMB, "e9")
    with zipfile.ZipFile(plain) as one, zipfile.ZipFile(tmp_path / "q.xlsx", "w") as other:
        for name in one.namelist():
            content = one.read(name)
            other.writestr(name, content.decode().encode("utf-16") if name == member else content)
    prices, findings = read_prices(tmp_path / "q.xlsx", "q.xlsx", lambda _: True)
    assert (prices, [item.code for item in findings]) == ([], ["BOM096"])


@pytest.mark.parametrize("member", MEMBERS)
def test_the_same_list_without_them_is_read(member: str, tmp_path: Path) -> None:
    prices, findings = read_prices(workbook(tmp_path / "p.xlsx", member, "", "amp"), "p.xlsx", lambda _: True)
    assert ([price.part for price in prices], findings) == (["a/b"], [])


def test_no_module_reads_xml_in_another_way() -> None:
    using = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if any(name.partition(".")[0] in ("xml", "lxml") for name in names):
                using.add(path.relative_to(SOURCE).as_posix())
    assert using <= WRITERS | READERS
