"""What a person is told when a file does not fit its model: place, sentence and fix, word for word."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from rackwright.diagnostic import Finding
from rackwright.readers.model_errors import MAX_FINDINGS, findings_from
from rackwright.readers.yaml_source import Document, load_yaml
from rackwright.source import Locations

Id = Annotated[str, Field(pattern=r"^[a-z/0-9-]+$", description="vendor/part, in small letters")]


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Airflow(StrEnum):
    FRONT = "front-to-back"
    BACK = "back-to-front"


class Power(Record):
    max_w: Annotated[float, Field(ge=0, le=2_000)] | None = None
    by_cable_level_w: dict[Annotated[str, Field(pattern="^[0-9]+$")], Annotated[float, Field(gt=0)]] = {}


class Gpu(Record):
    kind: Literal["gpu"]
    power: Power = Power()
    gpu: str = ""


class Cpu(Record):
    kind: Literal["cpu"]
    cores: Annotated[int, Field(ge=1, lt=1_000)]


class Clause(Record):
    that: str


class Line(Record):
    part: Id
    count: Annotated[int, Field(ge=1, le=8)] = 1
    price: Decimal | None = None


class Config(Record):
    id: str
    chassis: Id
    length_mm: float = 0
    airflow: Airflow = Airflow.FRONT
    form: Literal["pcie", "sxm5"] = "pcie"
    is_new: bool = False
    mpn: list[str] = []
    lines: Annotated[list[Line], Field(max_length=2)] = []
    parts: list[Annotated[Gpu | Cpu, Field(discriminator="kind")]] = []
    require: str | list[Clause] | None = None
    owner: str = "x"

    @field_validator("owner")
    @classmethod
    def known(cls, value: str) -> str:
        if value != "x":
            raise ValueError(f"{value} owns nothing")
        return value


def explain(text: str, **options: Any) -> list[Finding]:
    document, findings = load_yaml(text, "c.yaml")
    assert findings == []
    assert document is not None
    return explain_data(document, **options)


def explain_data(document: Document, **options: Any) -> list[Finding]:
    with pytest.raises(ValidationError) as caught:
        Config.model_validate(document.data)
    return findings_from(caught.value, document, code="CFG010", model=Config, **options)


def told(findings: list[Finding]) -> list[tuple[int, int, str, str]]:
    return [(f.at.line, f.at.column, str(f.message), str(f.fix)) for f in findings if f.at]


HEAD = "id: a\nchassis: dell/x\n"


@pytest.mark.parametrize(
    ("text", "column", "message", "fix"),
    [
        ("lines: [{part: a, count: four}]", 26, 'count: expected a whole number, found the text "four"',
         "write a number, with digits"),
        ("lines: [{part: a, count: 2.5}]", 26, "count: expected a whole number, found the number 2.5",
         "write a number without decimals"),
        ("lines: [{part: a, count: 4 pcs}]", 26, 'count: expected a whole number, found the text "4 pcs"',
         "write 4 alone, without a unit"),
        ("lines: [{part: a, count: -4}]", 26, "count is -4, below the least allowed 1", "write 1 or more"),
        ("lines: [{part: a, count: 90000}]", 26, "count is 90 000, above the most allowed 8", "write 8 or less"),
        ("lines: [{part: a, price: cheap}]", 26, 'price: expected an amount such as "12.50", found the text "cheap"',
         "None"),
        ("lines: [{}, {part: a}]", 9, "lines[0] lacks the key part", "add part (vendor/part, in small letters)"),
        ("lines: [{part: a}, {part: a}, {part: a}]", 8, "lines has 3 entries, more than 2", "give at most 2"),
        ("lines: [{part: a, count: x4}]", 26, 'count: expected a whole number, found the text "x4"', "write 4 alone"),
        ("lines: {part: a}", 8, "lines: expected a list, found keys with values",
         "write it as a list: [{part: …}]; the keys are part, count, price"),
        ("lines: dell/x", 8, 'lines: expected a list, found the text "dell/x"',
         "write it as a list: [{part: dell/x}]; the keys are part, count, price"),
        ("lines: [x]", 9, 'lines[0]: expected keys with values, found the text "x"',
         "write {part: x}; the keys are part, count, price"),
        ("lines: [5]", 9, "lines[0]: expected keys with values, found the number 5",
         "write lines of key: value; the keys are part (vendor/part, in small letters), count, price"),
        ("lenght-mm: 2", 1, "lenght-mm is not a key of the file", "did you mean length_mm?"),
        ("lines: [{part: a, zzz: 1}]", 19, "zzz is not a key of lines[0]",
         "remove it; the keys here are part (vendor/part, in small letters), count, price"),
        ("length_mm: 10 in", 12, 'length_mm: expected a number, found the text "10 in"',
         "write 254: 10 in are 254 mm"),
        ("length_mm: 10 parsec", 12, 'length_mm: expected a number, found the text "10 parsec"',
         "write the figure in mm: the unit is in the key's name (length_mm)"),
        ("length_mm: long", 12, 'length_mm: expected a number, found the text "long"', "write a number in mm"),
        ("length_mm: [1]", 12, "length_mm: expected a number, found a list of 1", "write a number in mm"),
        ("airflow: front-back", 10, 'airflow: the text "front-back" is none of the allowed values',
         "did you mean front-to-back? Allowed: front-to-back, back-to-front"),
        ("form: sxm-5", 7, 'form: the text "sxm-5" is none of the allowed values',
         "did you mean sxm5? Allowed: pcie, sxm5"),
        ("form: 5", 7, "form: the number 5 is none of the allowed values", "write one of: pcie, sxm5"),
        ("is_new: maybe", 9, 'is_new: expected true or false, found the text "maybe"', "None"),
        ("is_new: nein", 9, 'is_new: expected true or false, found the text "nein"', "write false"),
        ("mpn: [a, 845123]", 10, "mpn[1]: expected a text, found the number 845123", 'put it in quotes: "845123"'),
        ("mpn: [1.50]", 7, "mpn[0]: expected a text, found the number 1.5", "put it in quotes, as it is printed"),
        ("mpn: 900-21", 6, 'mpn: expected a list, found the text "900-21"', "write it as a list: [900-21]"),
        ("parts: [{kind: gpu, power: {max_w: 350 W}}]", 36, 'max_w: expected a number, found the text "350 W"',
         "write 350: the unit is in the key's name (max_w)"),
        ("parts: [{kind: gpu, power: {max_w: 9999}}]", 36, "max_w is 9 999 W, above the most allowed 2 000 W",
         "write 2 000 W or less"),
        ("parts: [{kind: gpu, gpu: 3}]", 26, "gpu: expected a text, found the number 3", 'put it in quotes: "3"'),
        ("parts: [{kind: gpu, power: {by_cable_level_w: {300: 0}}}]", 53, "300 is 0 W, and has to be above 0 W",
         "write more than 0 W"),
        ("parts: [{kind: gpu, power: {by_cable_level_w: {x: 5}}}]", 48, 'x: the text "x" has not the right form',
         "write it in this form: ^[0-9]+$"),
        ("parts: [{kind: cpu, core: 8}]", 21, "core is not a key of parts[0]", "did you mean cores?"),
        ("parts: [{kind: cpu, cores: 1000}]", 28, "cores is 1 000, and has to be below 1 000", "write less than 1 000"),
        ("parts: [{kind: gpv}]", 16, 'kind: the text "gpv" is none of the allowed values',
         "did you mean gpu? Allowed: gpu, cpu"),
        ("parts: [{cores: 8}]", 9, "parts[0] lacks the key kind", "add kind"),
        ("require: 5", 10, "require: expected a text or a list, found the number 5", 'put it in quotes: "5"'),
        ("require: {a: b}", 10, "require: expected a text or a list, found keys with values", "None"),
        ("require: [{thatt: x}]", 12, "thatt is not a key of require[0]", "did you mean that?"),
        ("owner: y", 8, "owner: y owns nothing", "None"),
    ],
)  # fmt: skip
def test_one_problem_is_one_sentence(text: str, column: int, message: str, fix: str) -> None:
    assert told(explain(HEAD + text)) == [(3, column, message, fix)]


def test_missing_keys_of_one_record_are_one_finding() -> None:
    findings = explain("length_mm: 3")
    hint = "add id, chassis (vendor/part, in small letters)"
    assert told(findings) == [(1, 1, "the file lacks the keys id, chassis", hint)]


def test_a_misspelt_key_is_not_reported_as_missing_too() -> None:
    expected = [(2, 1, "chasis is not a key of the file", "did you mean chassis?")]
    assert told(explain("id: a\nchasis: dell/x")) == expected


def test_a_key_that_was_null_is_not_reported_again() -> None:
    document, findings = load_yaml("id: a\nchassis: ~\nmpn: 5", "c.yaml")
    assert [f.code for f in findings] == ["CFG006"]
    assert document is not None
    assert [f.subject for f in explain_data(document)] == ["mpn"]


def test_known_values_from_outside_the_model_are_proposed() -> None:
    findings = explain("id: a\nchassis: Dell/R760xa", choices={"chassis": ["dell/r760", "dell/r760xa"]})
    message = 'chassis: the text "Dell/R760xa" has not the right form'
    assert told(findings) == [(2, 10, message, "did you mean dell/r760xa?")]


def test_the_form_is_explained_in_the_words_of_the_model() -> None:
    fix = "write it in this form: vendor/part, in small letters"
    assert told(explain("id: a\nchassis: R760"))[0][3] == fix


def test_findings_carry_code_severity_and_subject() -> None:
    finding = explain(HEAD + "lines: [{part: a}, {part: a, count: 0}]")[0]
    assert (finding.code, finding.severity, finding.subject) == ("CFG010", "error", "lines[1].count")


def test_a_value_below_another_key_of_the_document() -> None:
    document, _ = load_yaml("parts:\n  - {part: a, count: x}\n", "c.yaml")
    assert document is not None
    with pytest.raises(ValidationError) as caught:
        Line.model_validate({"part": "a", "count": "x"})
    findings = findings_from(caught.value, document, code="CAT010", model=Line, under=("parts", 0))
    assert [(f.code, str(f.at)) for f in findings] == [("CAT010", "c.yaml:2:22")]


def test_control_characters_and_long_values_are_made_harmless() -> None:
    data = {"id": "a", "chassis": "\x1b]0;x\x07" + "y" * 500, "\u202ekey\n": 1, "owner": "\x1b[2J"}
    document = Document(data, Locations("c.yaml"), Locations("c.yaml"))  # type: ignore[arg-type]
    messages = sorted(str(f.message) for f in explain_data(document))
    assert messages == [
        "\\u202ekey\\n is not a key of the file",
        f'chassis: the text "\\x1b]0;x\\x07{"y" * 37}…" has not the right form',
        "owner: \\x1b[2J owns nothing",
    ]


def test_many_problems_are_counted() -> None:
    text = HEAD + "mpn: [" + "1," * 1_000 + "]"
    findings = explain(text)
    assert len(findings) == MAX_FINDINGS + 1
    assert str(findings[0].message) == "800 more problems are not shown"


KEYS = st.sampled_from(["id", "chassis", "kind", "gpu", "part", "count", "lines", "parts", "require", "power", "max_w",
                        "[key]", "that", "mpn", "form", "by_cable_level_w", "300"])  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**63), 2**63), st.floats(allow_nan=False), st.text(), KEYS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(KEYS, st.text()), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(data=VALUES)
def test_any_data_is_explained_in_printable_words(data: Any) -> None:
    document = Document(data, Locations("c.yaml"), Locations("c.yaml"))
    try:
        Config.model_validate(data)
    except ValidationError as error:
        findings = findings_from(error, document, code="CFG010", model=Config)
        assert findings
        for finding in findings:
            text = f"{finding.message} {finding.fix}"
            assert text.isprintable()
            for jargon in ("Input should", "pydantic", "NoneType", "dict", "Extra inputs"):
                assert jargon not in text or jargon in str(data)
