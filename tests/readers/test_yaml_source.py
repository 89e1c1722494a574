"""What YAML means here, where it stands, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rackwright.diagnostic import Finding
from rackwright.readers import yaml_source
from rackwright.readers.files import place_in
from rackwright.readers.yaml_source import MAX_DEPTH, MAX_FINDINGS, MAX_NODES, Document, _Builder, _load, load_yaml
from rackwright.source import Location

PARSERS = [pytest.param(yaml.SafeLoader, id="pure"), pytest.param(yaml.CSafeLoader, id="fast")]


def read(text: str) -> Document:
    document, findings = load_yaml(text, "c.yaml")
    assert findings == []
    assert document is not None
    return document


def told(findings: list[Finding]) -> list[tuple[str, int, int, str]]:
    return [(f.code, f.at.line, f.at.column, str(f.message)) for f in findings if f.at is not None]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4), ("-4", -4), ("+4", 4), ("0", 0), ("0x1F", 31), ("0o17", 15), ("1.5", 1.5), ("1e3", 1000.0),
        ("-.5", -0.5), ("1.", 1.0), ("true", True), ("FALSE", False), ("no", "no"), ("on", "on"), ("yes", "yes"),
        ("12:30", "12:30"), ("0755", "0755"), ("00.5", "00.5"), ("1_000", "1_000"), ("2026-12-01", "2026-12-01"),
        ("350 W", "350 W"), ("'4'", "4"), ('"true"', "true"), ("'null'", "null"), ("tRue", "tRue"),
        ("none", "none"), ("nan", "nan"), ("N+1", "N+1"), ("[]", []), ("{}", {}), ("9223372036854775807", 2**63 - 1),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2_and_leading_zeros_are_text(text: str, value: Any) -> None:
    data = read(f"key: {text}").data
    assert data == {"key": value}
    assert isinstance(data, dict)
    assert type(data["key"]) is type(value)


@pytest.mark.parametrize("parser", PARSERS)
def test_places_of_keys_and_values(parser: type) -> None:
    text = "# head\nnodes:\n  - id: ä\n    parts: [{part: x, count: 2}]\n  - id: >-\n      long\npower: {300: 310}\n"
    document, findings = _load(text, "c.yaml", parser)
    assert findings == []
    assert document is not None
    assert document.data == {
        "nodes": [{"id": "ä", "parts": [{"part": "x", "count": 2}]}, {"id": "long"}],
        "power": {"300": 310},
    }
    assert document.locations.places == {
        (): (2, 1),
        ("nodes",): (3, 3),
        ("nodes", 0): (3, 5),
        ("nodes", 0, "id"): (3, 9),
        ("nodes", 0, "parts"): (4, 12),
        ("nodes", 0, "parts", 0): (4, 13),
        ("nodes", 0, "parts", 0, "part"): (4, 20),
        ("nodes", 0, "parts", 0, "count"): (4, 30),
        ("nodes", 1): (5, 5),
        ("nodes", 1, "id"): (5, 9),
        ("power",): (7, 8),
        ("power", "300"): (7, 14),
    }
    assert document.key_locations.places[("nodes", 0, "parts", 0, "count")] == (4, 23)
    assert str(document.key_locations.at(("power", "300"))) == "c.yaml:7:9"


def test_a_byte_order_mark_moves_nothing() -> None:
    assert read("\ufeffa: 1").locations.places[("a",)] == (1, 4)


def test_aliases_are_copied_with_the_places_of_their_anchor() -> None:
    document = read("a: &x {p: [1, 2]}\nb: *x\nc: &y 5\nd: *y\n")
    assert document.data == {"a": {"p": [1, 2]}, "b": {"p": [1, 2]}, "c": 5, "d": 5}
    assert isinstance(document.data, dict)
    assert document.data["a"] is not document.data["b"]
    assert document.locations.places[("b",)] == (2, 4)
    assert document.locations.places[("b", "p", 1)] == (1, 15)
    assert document.key_locations.places[("b", "p")] == (1, 8)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "expected", "data"),
    [
        ("a: ~", ("CFG006", 1, 4, "null is not used, and a is null"), {}),
        ("a: null", ("CFG006", 1, 4, "null is not used, and a is null"), {}),
        ("b: 1\na:\n", ("CFG006", 2, 1, "null is not used, and a has no value"), {"b": 1}),
        ("a: [1, ~, 2]", ("CFG006", 1, 8, "null is not used, and an entry here is null"), {"a": [1, 2]}),
        ("~: 1", ("CFG006", 1, 1, "a key is null"), {}),
        ("a: .nan", ("CFG006", 1, 4, ".nan is not a figure"), {}),
        ("a: -.inf", ("CFG006", 1, 4, "-.inf is not a figure"), {}),
        ("a: 1e999", ("CFG005", 1, 4, "the number 1e999 is too large"), {}),
        ("a: 9223372036854775808", ("CFG005", 1, 4, "the number 9223372036854775808 is too large"), {}),
        ("a: " + "9" * 5000, ("CFG005", 1, 4, f"the number {'9' * 59}… is too large"), {}),
        ("a: !!python/object/apply:os.system [x]",
         ("CFG007", 1, 4, "the tag !!python/object/apply:os.system is not used"), {"a": ["x"]}),
        ("a: !x 5", ("CFG007", 1, 4, "the tag !x is not used"), {"a": 5}),
        ("a: !!null", ("CFG007", 1, 4, "the tag !!null is not used"), {}),
        ("a: &x {p: 1}\nb:\n  <<: *x\n  q: 2", ("CFG007", 3, 3, "merge keys (<<) are not used"),
         {"a": {"p": 1}, "b": {"q": 2}}),
        ("true: 1", ("CFG003", 1, 1, "the key true is a flag, not a text"), {}),
        ("? [a]\n: 1\nb: 2", ("CFG003", 1, 3, "a key is not a plain text"), {"b": 2}),
        ("a: *x", ("CFG003", 1, 4, "*x refers to nothing"), {}),
        ('a: "\\e[31m"', ("CFG003", 1, 4, "the text holds the control character U+001B"), {"a": "\ufffd[31m"}),
        ("a: 1\n---\nb: 2\n", ("CFG003", 2, 1, "a second document starts here, and a file holds one"), {"a": 1}),
    ],
)  # fmt: skip
def test_what_is_refused_and_left_out(parser: type, text: str, expected: tuple[str, int, int, str], data: Any) -> None:
    document, findings = _load(text, "c.yaml", parser)
    assert told(findings) == [expected]
    assert document is not None
    assert document.data == data
    assert findings[0].fix is not None


def test_null_says_what_to_do() -> None:
    fix = "leave the key out if the figure is not known; write none, [] or 0 if there is known to be none"
    assert str(load_yaml("depth_mm: null", "c.yaml")[1][0].fix) == fix


def test_a_duplicate_key_names_both_places_and_the_first_one_counts() -> None:
    document, findings = load_yaml('a: 1\nb: 2\n"a": {x: 3}\n', "c.yaml")
    assert told(findings) == [("CFG004", 3, 1, "the key a is given twice")]
    assert [(str(place), reason) for place, reason in findings[0].related] == [("c.yaml:1:1", "first given here")]
    assert document is not None
    assert document.data == {"a": 1, "b": 2}
    assert set(document.locations.places) == {(), ("a",), ("b",)}


def test_the_number_300_and_the_text_300_are_the_same_key() -> None:
    assert told(load_yaml("{300: 1, '300': 2}", "c.yaml")[1]) == [("CFG004", 1, 10, "the key 300 is given twice")]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a:\n\tb: 1\n", 2, 1, "a tab is used for indentation"),
        ("a:\n  b: 1\n\tc: 2\n", 3, 1, "a tab is used for indentation"),
        ("a: 'x\nb: 1\n", 1, 4, "a quote is opened here and never closed"),
        ('a: "x\nb: 1\n', 1, 4, "a quote is opened here and never closed"),
        ("a: b: c\n", 1, 5, "a second colon on the line, or a key that is indented too far"),
        ("a: 1\n  b: 2\n", 2, 4, "a second colon on the line, or a key that is indented too far"),
        ("a: 1\nb\nc: 2\n", 2, 1, "a line without a colon stands where a key is expected"),
        ("a:\n  - 1\n -2\n", 3, 2, "the indentation fits no key above, or text follows a closed quote"),
        ("a: 'x' y\n", 1, 8, "the indentation fits no key above, or text follows a closed quote"),
        ("- a\nb: 1\n", 2, 1, "the indentation fits no list entry above"),
        ("a: [1, 2\nb: 3\n", 1, 4, "the list opened here with [ is not closed, or a comma is missing"),
        ("a: {x: 1\nb: 3\n", 1, 4, "the curly bracket opened here is not closed, or a comma is missing"),
        ("a: @x\n", 1, 4, "a value cannot start with @"),
        ("a: - 1\n", 1, 4, "a list starts with - where only a value can stand"),
        ("a: ]\n", 1, 4, "a bracket or comma stands where a value is expected"),
        ("a: *\n", 1, 4, "an asterisk starts a reference without a name"),
        ("a: &\n", 1, 4, "an ampersand starts a name without letters"),
        ("a: !f!b 1\n", 1, 4, "an exclamation mark starts a tag, and tags are not used"),
        ("a: |x\n b\n", 1, 5, "text follows | or > on the same line"),
        ("{a: 1}}\n", 1, 7, "the line belongs to nothing above it"),
        ("%\n", 1, 1, "a line starts with %"),
    ],
)
@pytest.mark.parametrize("parser", PARSERS)
def test_syntax_errors_in_plain_words(parser: type, text: str, line: int, column: int, message: str) -> None:
    document, findings = _load(text, "c.yaml", parser)
    assert (document, told(findings)) == (None, [("CFG003", line, column, message)])
    assert findings[0].fix is not None


def test_an_unclosed_bracket_also_shows_where_it_was_noticed() -> None:
    findings = load_yaml("a: [1, 2\nb: 3\n", "c.yaml")[1]
    assert [(str(place), reason) for place, reason in findings[0].related] == [("c.yaml:2:2", "noticed here")]


def test_a_backslash_in_double_quotes() -> None:
    message = "a backslash in double quotes starts an escape that YAML does not know"
    assert told(load_yaml('a: "C:\\prices"\n', "c.yaml")[1]) == [("CFG003", 1, 7, message)]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: 1\nb: \x1b", (2, 4), "the character U+001B is not allowed"),
        ("a: \ud800", (1, 4), "the character U+D800 is not allowed"),
        ("# nothing\n", (1, 1), "c.yaml holds no values, only comments or nothing"),
        ("", (1, 1), "c.yaml holds no values, only comments or nothing"),
    ],
)
def test_text_that_is_no_document(text: str, place: tuple[int, int], message: str) -> None:
    document, findings = load_yaml(text, "c.yaml")
    assert (document, told(findings)) == (None, [("CFG003", *place, message)])


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
TOO_MANY = "the file has more than 200 000 values, aliases written out"
TOO_DEEP = "lists and keys are nested more than 50 deep"


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        pytest.param(BOMB, (6, 11), TOO_MANY, id="bomb"),
        pytest.param("- " * 500_000, (1, 101), TOO_DEEP, id="deep_lists"),
        pytest.param("{a: " * 500_000, (1, 201), TOO_DEEP, id="deep_groups"),
        pytest.param("".join(" " * i + "a:\n" for i in range(999)), (51, 51), TOO_DEEP, id="deep_lines"),
        pytest.param("a: &x [*x]", (1, 8), "*x refers to the value that it stands in", id="recursive_list"),
        pytest.param("a: &x\n  b: {c: *x}", (2, 10), "*x refers to the value that it stands in", id="recursive_key"),
    ],
)
def test_bombs_end_in_one_finding(parser: type, text: str, place: tuple[int, int], message: str) -> None:
    document, findings = _load(text, "c.yaml", parser)
    assert (document, told(findings)) == (None, [("CFG005", *place, message)])


def test_brackets_without_end_are_refused() -> None:
    document, findings = load_yaml("[" * 1_000_000, "c.yaml")
    assert (document, len(findings)) == (None, 1)


def test_the_depth_of_aliases_counts_with_that_of_their_place() -> None:
    half = MAX_DEPTH // 2
    text = f"a: &a {'[' * half}1{']' * half}\nb: {'[' * (half + 1)}*a{']' * (half + 1)}\n"
    assert told(load_yaml(text, "c.yaml")[1])[0][3] == "aliases are nested more than 50 deep"


@pytest.mark.parametrize(("nodes", "codes"), [(MAX_NODES - 2, []), (MAX_NODES - 1, ["CFG005"])])
def test_the_budget_of_values_is_exact(nodes: int, codes: list[str]) -> None:
    text = "- [" + "1," * nodes + "]"
    assert [f.code for f in load_yaml(text, "c.yaml")[1]] == codes


def test_a_bomb_costs_no_more_than_the_budget() -> None:
    builder = _Builder(yaml.CSafeLoader(BOMB), "c.yaml")
    with pytest.raises(yaml_source._StopError):
        builder.document()
    assert builder.nodes == MAX_NODES + 1
    assert len(builder.places) <= MAX_NODES


def test_reading_stops_after_many_problems() -> None:
    document, findings = load_yaml("".join(f"k{n}:\n" for n in range(100_000)), "c.yaml")
    assert (document, len(findings)) == (None, MAX_FINDINGS + 1)
    assert told(findings)[-1] == ("CFG005", 201, 1, "more than 200 problems: the rest was not read")


YAML_TEXT = st.lists(
    st.sampled_from(["a", "b: ", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ",", "'", '"', "&x ", "*x", "!t ", "<<",
                     "|", ">", "~", "1", "0x", ".inf", "? ", "---\n", "...\n", "%", "\t", "#", "\\", "\x85", "\u2028"])
).map("".join)  # fmt: skip


@pytest.mark.parametrize("parser", PARSERS)
@given(text=st.one_of(st.text(), YAML_TEXT))
def test_any_text_ends_in_data_or_findings(parser: type, text: str) -> None:
    document, findings = _load(text, "c.yaml", parser)
    assert document is not None or findings
    for finding in findings:
        assert finding.at is not None
        assert Location("c.yaml") <= finding.at <= place_in(text, len(text), "c.yaml")
        assert str(finding.message).isprintable()
    if document is not None:
        assert set(document.key_locations.places) <= set(document.locations.places)


@given(content=st.binary())
def test_any_bytes_end_in_data_or_findings(content: bytes) -> None:
    document, findings = load_yaml(content.decode("utf-8", "surrogateescape"), "c.yaml")
    assert document is not None or findings


PLAIN = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**63) + 1, 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False),
              st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(data=PLAIN)
def test_json_is_read_back(data: Any) -> None:
    assert read(json.dumps(data, ensure_ascii=False)).data == data
