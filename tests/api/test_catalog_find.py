"""Conditions of `catalog find`: which field is meant, what is refused, which parts meet them."""

from __future__ import annotations

import pytest

from rackwright.api.catalog_find import conditions, matching
from rackwright.catalog import Part, index
from rackwright.errors import UsageError


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("kind=gpu memory_gb>=80 form_factor=pcie", ["kind", "memory.capacity_gb", "form_factor"]),
        ("kind=gpu memory.capacity_gb>=80", ["kind", "memory.capacity_gb"]),
        ("kind=cpu tdp<=225", ["kind", "power.max_w"]),
        ("vendor=Lenovo", ["maker"]),
        ("kind=chassis psu.bays>=4", ["kind", "psu.bays"]),
    ],
)
def test_the_field_that_is_meant(query: str, fields: list[str]) -> None:
    assert [item.field for item in conditions([query])] == fields


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("memory", "'memory' is not a condition: write FIELD=VALUE, FIELD>=VALUE …"),
        ("kind=gpo", "there is no kind gpo; the kinds are cable, chassis,"),
        ("kind=gpu memory_gb>=80GB", "'80GB' is not a number: write memory_gb>=80"),
        ("kind=gpu memory.colour=red", "no part has the field memory.colour"),
        ("nonsense=3", "no part has the field nonsense; `rackwright catalog show PART` shows some"),
    ],
)
def test_a_condition_that_nothing_could_meet_is_refused(query: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        conditions([query])
    assert str(caught.value).startswith(message)


def test_parts_that_meet_all_conditions() -> None:
    """A figure that is not known meets nothing, not even `!=`."""
    catalog = index(
        [
            Part("us/a", "gpu", {"kind": "gpu", "memory": {"capacity_gb": 80}, "mpn": ["A-1", "A-2"]}),
            Part("us/b", "gpu", {"kind": "gpu", "memory": {"capacity_gb": 48}, "is_generic": True}),
            Part("us/c", "gpu", {"kind": "gpu", "memory": {}}),
        ]
    )

    def found(*query: str) -> list[str]:
        return [part.id for part in matching(catalog, conditions(query))]

    assert found("kind=gpu", "memory_gb>=80") == ["us/a"]
    assert found("kind=gpu memory_gb<80") == ["us/b"]
    assert found("kind=gpu memory_gb!=80") == ["us/b"]
    assert found("mpn=a-2") == ["us/a"]
    assert found("is_generic=true") == ["us/b"]
