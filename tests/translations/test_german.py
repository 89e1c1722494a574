"""German is complete: every text of a document has one, with the same holes, and no English is left in a proposal."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from rackwright import api
from rackwright.api.documents import priced, proposal_of, texts_of
from rackwright.diagnostic import Figure
from rackwright.proposal.labels_sheet import SHEET_LABELS
from rackwright.proposal.model import Proposal
from rackwright.proposal.texts import Texts
from rackwright.readers.translations import languages, read_translations
from rackwright.testing import messages

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CONFIGURATIONS = sorted(EXAMPLES.rglob("configuration.yaml"))
CATALOG = Path(messages.__file__).resolve().parent.parent / "locales" / "de.po"
# Texts that are the same in German: names, abbreviations, words that German took over.
SAME = {
    "{breaker} × {use} = {allowed}; PDU {own}", "In VA", "Infinity Fabric", "Server",
    "1 {source} = {rate} {target}, {date}, {origin}", "CPU", "CPUs", "GPU", "GPUs", "NVLink", "PDU", "Pos.", "REACH",
    "Rack", "RoHS", "WEEE", "{term}, Incoterms {year}",
}  # fmt: skip
STOP_WORDS = re.compile(r"\b(the|and|with|of|is|not|for|are|this)\b", re.IGNORECASE)
HOLE = re.compile(r"\{[^{}]+\}")
# Fields of the view model that hold what the user wrote, titles of sources and parts, ids, places and formulas.
AS_WRITTEN = {
    "number", "customer", "project", "issuer", "contact", "terms", "configuration_text", "configuration_name",
    "sources", "source_urls", "waivers", "id", "subject", "place", "file", "arithmetic", "waived", "part_id", "mpn",
    "maker", "weight_source", "power_source", "stated_by", "seller", "address", "cover_text", "footer",
}  # fmt: skip
# Titles: of the quote and of nodes by the user, of parts and modes by the catalog.
TITLES = {"title", "chassis", "mode", "modules", "card", "part"}


@cache
def workshop() -> api.Workshop:
    return api.load_workshop()


@cache
def sources() -> Mapping[str, str]:
    return messages.source_texts()


@cache
def german(path: Path) -> tuple[Proposal | None, Texts]:
    """The German view model of a configuration; None if it could not be read."""
    texts = texts_of("de")
    run, _ = api.validate_file(path, workshop())
    if run is None or run.placement is None:
        return None, texts
    bill, _ = priced(run)
    return proposal_of(run, bill, "2026-12-01", texts=texts, is_draft=True), texts


def name_of(path: Path) -> str:
    return path.parent.relative_to(EXAMPLES).as_posix()


def test_german_is_a_language_of_documents() -> None:
    assert languages() == ["en", "de"]


def test_every_text_has_a_german_one() -> None:
    known = read_translations("de")
    assert [text for text in sources() if text not in known] == []


def test_the_catalog_holds_no_text_that_nothing_prints() -> None:
    assert [text for text in read_translations("de") if text not in sources()] == []


def test_holes_are_those_of_the_source() -> None:
    wrong = {
        text: german_text
        for text, german_text in read_translations("de").items()
        if set(HOLE.findall(text)) != set(HOLE.findall(german_text))
    }
    assert wrong == {}


def test_no_german_text_is_its_source() -> None:
    same = {text for text, german_text in read_translations("de").items() if text == german_text and HOLE.sub("", text)}
    assert same == SAME  # a text that is a figure alone has nothing to translate


def test_sentences_end_as_their_source() -> None:
    abbreviations = {"VAT", "Disc.", "Customs tariff no.", "VAT ID"}
    wrong = {
        text
        for text, german_text in read_translations("de").items()
        if text.endswith(".") != german_text.endswith(".") and text not in abbreviations
    }
    assert wrong == set()


def test_quotes_are_german() -> None:
    wrong = {text for text in read_translations("de").values() if re.search(r"\"|“[^„]*“|(?<=\s)'", HOLE.sub("", text))}
    assert wrong == set()


def test_names_of_sheets_fit() -> None:
    known = read_translations("de")
    names = [known[SHEET_LABELS[f"sheet.{key}"]] for key in
             ("summary", "bom", "options", "technical", "compliance", "checks",
              "open_points", "power", "racks", "failures", "terms", "sources",
              "about")]  # fmt: skip
    assert [name for name in names if len(name) > 31] == []
    assert len(set(names)) == 13


def test_an_update_changes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "de.po"
    copy.write_bytes(CATALOG.read_bytes())
    assert messages.update(copy, sources()) == 0
    assert copy.read_bytes() == CATALOG.read_bytes()


def test_an_update_adds_new_texts_and_drops_old_ones(tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    file.write_text('msgid "kept"\nmsgstr "behalten"\n\nmsgid "gone"\nmsgstr "weg"\n', encoding="utf-8")
    assert messages.update(file, {"new {n}": "somewhere.py", "kept": "elsewhere.py"}) == 1
    _, *entries = file.read_text(encoding="utf-8").split("\n\n")
    assert entries == [
        '#. elsewhere.py\nmsgid "kept"\nmsgstr "behalten"',
        '#. somewhere.py\n#, python-brace-format\nmsgid "new {n}"\nmsgstr ""',
        "",
    ]


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=name_of)
def test_nothing_is_left_untranslated(path: Path) -> None:
    _, texts = german(path)
    assert texts.untranslated == set()


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=name_of)
def test_no_english_is_left_in_a_proposal(path: Path) -> None:
    proposal, _ = german(path)
    assert _english(proposal) == []


def test_the_search_would_find_english() -> None:
    proposal, _ = german(EXAMPLES / "nvlink-4x-h100" / "configuration.yaml")
    assert proposal is not None
    spoilt = dataclasses.replace(proposal, status_sentence="No figure of this part is known.")
    assert _english(spoilt) == [spoilt.status_sentence]


def _english(proposal: Proposal | None) -> list[str]:
    texts = _printed(proposal) if proposal is not None else ()
    return [text for text in texts if STOP_WORDS.search(_titles().sub("", text))]


def _printed(value: object, field: str = "") -> Iterator[str]:
    """All texts of a view model, without what is printed as it was written."""
    if field in AS_WRITTEN | TITLES:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _printed(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _printed(item)
    elif dataclasses.is_dataclass(value):
        for item in dataclasses.fields(value):
            # titles of rules are texts, all others are as the user or the catalog wrote them
            is_rule_title = item.name == "title" and hasattr(value, "outcome_label")
            yield from _printed(getattr(value, item.name), "" if is_rule_title else item.name)


@cache
def _titles() -> re.Pattern[str]:
    """The titles of all parts and of their modes, with and without the maker, and ids of constraints."""
    found: set[str] = set()
    for part in workshop().catalog.parts.values():
        found |= {part.title, part.title.partition(" ")[2]}
        found |= {mode["title"] for mode in (part.data.get("modes") or {}).values() if "title" in mode}
    ordered = sorted((title for title in found if title), key=len, reverse=True)
    return re.compile("|".join([r"\S+#[\w-]+", *(re.escape(title) for title in ordered)]))


# Words that code puts together: what is lost, caps, waivers, units.


def german_texts() -> Texts:
    return texts_of("de")


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("feed B lost", "Ausfall der Einspeisung B"),
        ("PDU R1/A1 lost", "Ausfall der PDU R1/A1"),
        ("infer/psu1 lost in one server", "Ausfall von infer/psu1 in einem Server"),
        ("infer/psu1 of server 2 lost", "Ausfall von infer/psu1 in Server 2"),
        ("infer/psu1 lost", "Ausfall von infer/psu1"),
        ("nothing lost", "kein Ausfall"),
        ("front-to-back, back-to-front", "von vorn nach hinten, von hinten nach vorn"),
        ("an ISO date, as in 2027-01-31", "ein ISO-Datum wie 2027-01-31"),
        ("end_of_sale", "abgekündigt"),
        ("min of an empty list; division by zero in a / b", "min einer leeren Liste; Division durch null in a / b"),
        ("a number, 0 or more", "eine Zahl ab 0"),
        ("EPYC 9004, passive", "EPYC 9004, passiv"),
        ("infer", "infer"),
        (True, "ja"),
    ],
)
def test_words_of_the_data_are_german(value: str | bool, printed: str) -> None:
    assert german_texts().figure(Figure(value)) == printed


def test_what_is_to_be_written_in_a_file_is_the_same_in_every_language() -> None:
    assert german_texts().figure(Figure("front-to-back", is_written=True)) == "front-to-back"
    assert german_texts().figure(Figure("end_of_sale", is_written=True)) == "end_of_sale"


def test_rack_units_are_german() -> None:
    assert german_texts().quantity(4.0, "U") == "4\u202fHE"
    assert german_texts().quantity(1234.5, "W") == "1.234,5\u202fW"


def test_phrases_take_the_first_pattern_that_fits() -> None:
    patterns = ("power cap {watts} W; {note}", "power cap {watts} W")
    texts = german_texts()
    assert texts.phrase("power cap 350 W", *patterns) == "Leistungsgrenze 350 W"
    assert texts.phrase("power cap 350 W; quiet (at night)", *patterns) == "Leistungsgrenze 350 W; quiet (at night)"
    assert texts.phrase("spare", *patterns) == "spare"
    assert texts.phrase("", *patterns) == ""
    waived = "agreed (see mail) (J. Doe, until 2027-01-31)"
    assert texts.phrase(waived, "{reason} ({by}, until {until})") == "agreed (see mail) (J. Doe, bis 2027-01-31)"
    assert Texts("en", {}, texts.formats).phrase(waived, "{reason} ({by}, until {until})") == waived
