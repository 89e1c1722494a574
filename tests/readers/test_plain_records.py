"""The fast way into a configuration takes what pydantic would take unchanged, and gives the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rackwright.configuration import Configuration, Feed, Node, PartLine, Quote
from rackwright.readers.configuration_file import configuration_of
from rackwright.readers.configuration_shape import model_of
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import load_yaml

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
NODE: dict[str, Any] = {"id": "n", "chassis": "test/box"}


def slow(data: dict[str, Any]) -> Configuration | None:
    """What pydantic makes of the data, as a record; None if it refuses it."""
    try:
        checked = model_of(Configuration).model_validate(data)
    except ValidationError:
        return None
    return record_of(Configuration, checked.model_dump())


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("configuration.yaml")), ids=lambda path: path.parent.name)
def test_examples_are_read_the_fast_way_as_pydantic_reads_them(path: Path) -> None:
    document, _ = load_yaml(path.read_text(), "c.yaml")
    assert document is not None
    found = record_of(Configuration, document.data)
    assert found is not None
    assert isinstance(document.data, dict)
    assert found == slow(document.data)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Node, {**NODE, "count": 0}),
        (Node, {**NODE, "count": 10_001}),
        (Node, {**NODE, "count": True}),
        (Node, {**NODE, "count": 2.0}),
        (Node, {**NODE, "other": 1}),
        (Node, {"id": "n"}),
        (Node, {**NODE, "id": "-n"}),
        (Node, {**NODE, "id": "n" * 41}),
        (Node, {**NODE, "id": "n\n"}),
        (Node, {**NODE, "bridged": [["1"]]}),
        (Node, {**NODE, "redundancy": "N+2"}),
        (PartLine, {"part": "ab"}),
        (PartLine, {"part": "test/x", "cap_w": 0}),
        (PartLine, {"part": "test/x", "cap_w": float("inf")}),
        (PartLine, {"part": "test/x", "cap_w": "300"}),
        (PartLine, {"part": "test/x", "is_factory_fitted": 1}),
        (Quote, {"language": "french"}),
        (Quote, {"date": "2026-02-30"}),
        (Feed, {"pdu": "test/pdu", "breaker_a": 16, "wiring": "star"}),
        (Configuration, {"nodes": []}),
        (Configuration, {"nodes": [NODE], "policies": {"x" * 61: 1}}),
        (Configuration, [NODE]),
    ],
)
def test_what_does_not_fit_as_it_stands_is_left_to_pydantic(kind: type[Any], data: Any) -> None:
    assert record_of(kind, data) is None


def test_whole_numbers_become_numbers_where_numbers_are_wanted() -> None:
    found = record_of(Feed, {"pdu": "test/pdu", "breaker_a": 16})
    assert found == Feed(pdu="test/pdu", breaker_a=16.0)
    assert found is not None
    assert isinstance(found.breaker_a, float)


def test_what_pydantic_mends_is_a_record_too() -> None:
    assert configuration_of({"nodes": [{**NODE, "count": 2.0}]}).nodes[0] == Node(id="n", chassis="test/box", count=2)
    with pytest.raises(ValidationError):
        configuration_of({"nodes": []})


SCALARS = st.one_of(
    st.integers(-3, 3), st.floats(allow_nan=False), st.booleans(), st.text(max_size=3), st.just("2026-12-01")
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "A", "pdu"]), inner)
)
NODES = st.fixed_dictionaries(
    {"id": st.sampled_from(["n", "n 1", ""]), "chassis": st.just("test/box")},
    optional=dict.fromkeys(("count", "rack", "racks", "unit", "bridged", "allowance_w", "redundancy"), VALUES),
)


@given(
    data=st.fixed_dictionaries(
        {"nodes": st.lists(NODES, max_size=2)},
        optional={
            "policies": st.dictionaries(st.text(max_size=3), SCALARS, max_size=2),
            "quote": st.fixed_dictionaries({}, optional=dict.fromkeys(("date", "terms", "vat_ratio"), VALUES)),
            "policy": VALUES,
        },
    )
)
def test_the_fast_way_agrees_with_pydantic(data: dict[str, Any]) -> None:
    found = record_of(Configuration, data)
    assert found is None or repr(found) == repr(slow(data))  # 1, 1.0 and True are equal, but not the same
