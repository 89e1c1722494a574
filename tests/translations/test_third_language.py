"""A language is one message file: nothing else has to know of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import api
from rackwright.api.documents import priced, proposal_of, texts_of
from rackwright.readers import translations

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "rack-ab" / "configuration.yaml"
FRENCH = """\
msgid ""
msgstr ""
"Language: fr\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Bill of materials and prices"
msgstr "Nomenclature et prix"

msgid "GPUs"
msgstr "Processeurs graphiques"
"""


def test_a_message_file_makes_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fr.po").write_text(FRENCH, encoding="utf-8")
    monkeypatch.setattr(translations, "_FOLDER", tmp_path)
    assert translations.languages() == ["en", "fr"]
    run, _ = api.validate_file(EXAMPLE, api.load_workshop())
    assert run is not None
    bill, _ = priced(run)
    texts = texts_of("fr")
    proposal = proposal_of(run, bill, "2026-12-01", texts=texts)
    assert proposal.language == "fr"
    assert proposal.labels["bom"] == "Nomenclature et prix"
    assert proposal.labels["sheet.bom"] == "BOM"  # what the file does not have yet stays English, and is known
    assert "BOM" in texts.untranslated
    assert [figure.label for figure in proposal.summary][1] == "Processeurs graphiques"
    assert proposal.date_text == "1 décembre 2026"
    assert proposal.bom.subtotal_text.replace("\u202f", " ").replace("\xa0", " ") == "234 623,20 €"
