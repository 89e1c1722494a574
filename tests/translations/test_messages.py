"""The collector of texts finds them wherever code keeps them."""

from __future__ import annotations

import ast

from rackwright.testing.messages import _in_module, source_texts


def found(code: str, name: str = "placement/lines.py") -> list[str]:
    return list(_in_module(ast.parse(code), name))


def test_texts_in_a_call_and_both_branches_of_a_choice() -> None:
    code = "def f(texts, n):\n    return texts.text('one') if n else texts.text('two' if n == 2 else 'three', n='4')\n"
    assert sorted(found(code)) == ["one", "three", "two"]


def test_texts_of_drawings_and_readers_are_not_taken_for_texts_of_documents() -> None:
    assert found("def f(drawing, event):\n    drawing.text('x y', 1)\n    event.text('z')\n") == []


def test_texts_that_a_variable_holds() -> None:
    code = """
_LATER = "named above"

def f(n):
    text, fix = "two words", "do this"
    if n:
        text = "other words" if n > 1 else _LATER
    return finding("CFG099", text, None, fix=fix if n else None)
"""
    assert sorted(found(code)) == ["do this", "named above", "other words", "two words"]


def test_labels_at_the_head_of_rows() -> None:
    code = """
def f(texts, value):
    rows = [("heat", value), ("weight", value)]
    rows.append(("air volume", texts.text("not known")))
    return [(texts.text(label), value) for label, value in rows]
"""
    assert sorted(found(code)) == ["air volume", "heat", "not known", "weight"]


def test_codes_of_files_that_no_document_is_made_of_stay_out() -> None:
    code = "def f():\n    return finding('RUL001', 'a rule', fix='mend it'), finding('BOM001', 'a price', fix='pay')\n"
    assert found(code) == ["a price", "pay"]


def test_values_of_tables_and_not_their_keys() -> None:
    code = "KIND_LABELS = {'gpu': 'GPU', 'cord': 'power cord'}\nOTHER = {'a': 'b c'}\n"
    assert found(code) == ["GPU", "power cord"]
    assert found("LABELS: dict[str, str] = {'key': 'Some text'}\n", "proposal/labels.py") == ["Some text"]


def test_patterns_of_phrases() -> None:
    code = (
        "LOSS_PHRASES = ('feed {f} lost',)\n\ndef f(texts, note):\n    return texts.phrase(note, 'cap {w} W', *MORE)\n"
    )
    assert sorted(found(code)) == ["cap {w} W", "feed {f} lost"]


def test_the_default_of_a_look_up() -> None:
    assert found("def f(texts, k):\n    return texts.text(TABLE.get(k, 'Items'))\n") == ["Items"]


def test_texts_of_every_origin() -> None:
    texts = source_texts()
    assert texts["Proposal"] == "proposal/labels.py"
    assert texts["Rack units"] == "proposal/labels_sheet.py"
    assert texts["maximum power"] == "proposal/figure_names.py"
    assert texts["rack units"] == "proposal/nodes.py"
    assert texts["slots of this chassis: {known}"] == "placement/lines.py"
    assert texts["the waiver of {rule} covers nothing"] == "rules/waive.py"
    assert texts["no processor is named"] == "rule BOM001"
    assert texts["MI210 needs EPYC 7003"] == "part lenovo/thinksystem-sr655"
    assert texts["wye"] == "word of the data"
    assert texts["a chassis"] == "word of the data"


def test_no_text_is_empty_or_a_code() -> None:
    assert [text for text in source_texts() if not text.strip() or text.startswith(("CFG", "BOM0", "RUL"))] == []
