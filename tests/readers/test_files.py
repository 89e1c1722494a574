"""Files that cannot be read, and paths that lead out of their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.diagnostic import Finding
from rackwright.readers.files import closest, described, dotted, place_in, printable, read_text, resolve_inside
from rackwright.source import Location

AT = Location("c.yaml", 3, 5)


def told(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(f.code, str(f.at), str(f.message)) for f in findings]


def test_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa4\r\n")
    assert read_text(path, "a.yaml") == ("a: ä\r\n", [])


@pytest.mark.parametrize(
    ("content", "code", "place", "message"),
    [
        (b"", "CFG003", "a.yaml:1:1", "a.yaml is empty"),
        (b" \n\t\n", "CFG003", "a.yaml:1:1", "a.yaml is empty"),
        (b"\xef\xbb\xbf", "CFG003", "a.yaml:1:1", "a.yaml is empty"),
        (b"a: 1\nb: \xc3\xa4\xe4\n", "CFG002", "a.yaml:2:5", "a.yaml is not UTF-8: the byte 0xE4 does not fit"),
        (b"\xef\xbb\xbf\xff", "CFG002", "a.yaml:1:1", "a.yaml is not UTF-8: the byte 0xFF does not fit"),
        (b"a\r\nb\rc\xe2\x82", "CFG002", "a.yaml:3:2", "a.yaml is not UTF-8: the byte 0xE2 does not fit"),
        ("a: 1".encode("utf-16"), "CFG002", "a.yaml:1:1", "a.yaml is UTF-16, not UTF-8"),
        (b"a: 1\n\0", "CFG002", "a.yaml:2:1", "a.yaml holds a NUL byte: it is not a text file"),
        (b"x" * 101, "CFG005", "a.yaml:1:1", "a.yaml is over the limit of 100 bytes"),
    ],
)
def test_content_that_is_no_text(tmp_path: Path, content: bytes, code: str, place: str, message: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    text, findings = read_text(path, "a.yaml", limit_bytes=100)
    assert (text, told(findings)) == (None, [(code, place, message)])
    assert findings[0].fix is not None


def test_a_file_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"x" * 100)
    assert read_text(path, "a.yaml", limit_bytes=100) == ("x" * 100, [])


def test_a_large_file_is_not_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000)

    def refuse(descriptor: int, length: int) -> bytes:
        raise AssertionError

    monkeypatch.setattr(os, "read", refuse)
    assert told(read_text(path, "a.yaml")[1]) == [
        ("CFG005", "a.yaml:1:1", "a.yaml is over the limit of 2 000 000 bytes")
    ]


def test_a_file_that_states_no_size_is_read_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"")
    asked: list[int] = []

    def endless(descriptor: int, length: int) -> bytes:
        asked.append(length)
        return b"x" * min(length, 40)

    monkeypatch.setattr(os, "read", endless)
    assert [f.code for f in read_text(path, "a.yaml", limit_bytes=100)[1]] == ["CFG005"]
    assert asked == [101, 61, 21]


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert told(read_text(tmp_path / "none", "none")[1]) == [("CFG001", "none:1:1", "none does not exist")]
    assert told(read_text(tmp_path, "x/")[1]) == [("CFG001", "x/:1:1", "x/ is a folder, not a file")]
    assert told(read_text(tmp_path / "pipe", "pipe")[1]) == [("CFG001", "pipe:1:1", "pipe is not a plain file")]
    for path in (tmp_path / "loop", tmp_path / ("n" * 300), tmp_path / "a\0b", tmp_path / "none" / "x"):
        text, findings = read_text(path, "x")
        assert (text, [f.code for f in findings]) == (None, ["CFG001"])


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert told(read_text(tmp_path / "a", "a")[1]) == [("CFG001", "a:1:1", "a may not be read by this user")]


@given(st.binary(max_size=300))
def test_any_bytes_end_in_text_or_one_finding(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(content)
    text, findings = read_text(path, "any.yaml")
    assert (text is None) == (len(findings) == 1)


def test_paths_inside_are_resolved(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "real").mkdir()
    (root / "link").symlink_to(root / "real")
    assert resolve_inside(root, "prices/a.csv", AT) == (root / "prices/a.csv", [])
    assert resolve_inside(root, "x/../a.csv", AT) == (root / "a.csv", [])
    assert resolve_inside(root, "link/a.csv", AT) == (root / "real/a.csv", [])


@pytest.mark.parametrize(
    ("relative", "message"),
    [
        ("", "the path is empty"),
        ("/etc/passwd", 'the path "/etc/passwd" is absolute'),
        ("C:\\x", 'the path "C:\\\\x" is absolute'),
        ("..\\x", 'the path "..\\\\x" holds a backslash'),
        ("../x", 'the path "../x" leads out of the folder'),
        ("a/../../x", 'the path "a/../../x" leads out of the folder'),
        ("out/x", 'the path "out/x" is a link that leads out of the folder'),
        ("a\0b", 'the path "a\\x00b" holds a NUL character'),
        ("loop/x", 'the path "loop/x" cannot be followed'),
    ],
)
def test_paths_outside_are_refused(tmp_path: Path, relative: str, message: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    path, findings = resolve_inside(folder, relative, AT)
    if relative == "loop/x" and path is not None:  # later Pythons leave a loop in the path; opening it fails
        return
    assert (path, told(findings)) == (None, [("CFG008", "c.yaml:3:5", message.replace("\\\\", "\\"))])


@given(st.text(max_size=80))
def test_no_text_leads_out_of_the_folder(tmp_path_factory: pytest.TempPathFactory, relative: str) -> None:
    root = tmp_path_factory.getbasetemp().resolve()
    path, findings = resolve_inside(root, relative, AT)
    assert (path is None) == (len(findings) == 1)
    assert path is None or path.is_relative_to(root)


@given(st.text(max_size=200))
def test_printable_texts_are_short_and_harmless(text: str) -> None:
    assert printable(text).isprintable()
    assert len(printable(text)) <= 60


def test_words() -> None:
    assert printable("\x1b[31m\u202e\n") == "\\x1b[31m\\u202e\\n"
    assert printable("x" * 61) == "x" * 59 + "…"
    assert dotted(("nodes", 0, "parts", 2, "count")) == "nodes[0].parts[2].count"
    values: list[object] = [True, 4, 2.5, "a", "", [], [1], {}]
    assert [described(value) for value in values] == [
        "true", "the number 4", "the number 2.5", 'the text "a"', "an empty text", "an empty list", "a list of 1",
        "keys with values",
    ]  # fmt: skip
    assert place_in("a\r\nbc\rd", 6, "x") == Location("x", 3, 1)
    assert closest("length-MM", ["width_mm", "length_mm"]) == "length_mm"
    assert closest("x" * 61, ["x" * 61]) is None
