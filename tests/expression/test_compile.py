"""The fast path: values, isolation of failures, sharing, and the cache form."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright.expression import MISSING, Expression, LazyRecord, compile_expression, compile_many, dump, load, parse

NODE = {"a_w": 3, "b_w": 4, "kind": "sxm", "sizes": [1, 2], "gpus": [{"x_w": 5}, {"x_w": 7}]}


def read(*texts: str) -> list[Expression]:
    found = [parse(text)[0] for text in texts]
    assert all(found)
    return [expression for expression in found if expression is not None]


def test_one_expression_on_a_scope() -> None:
    [expression] = read("sum(g.x_w for g in node.gpus) <= policy.limit_w * 2 and node.kind in ['sxm']")
    function = compile_expression(expression)
    assert function({"node": NODE, "policy": {"limit_w": 6}}) is True
    assert function({"node": NODE, "policy": {"limit_w": 5}}) is False


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("node.x", KeyError),
        ("policy.x", KeyError),
        ("node.sizes[5]", IndexError),
        ("1 / (node.a_w - 3)", ZeroDivisionError),
        ("min(s for s in node.sizes if s > 9)", ValueError),
    ],
)
def test_one_expression_raises_what_is_missing(text: str, error: type[Exception]) -> None:
    [expression] = read(text)
    with pytest.raises(error):
        compile_expression(expression)({"node": NODE})


def test_one_failure_hides_nothing_else() -> None:
    function = compile_many(read("node.a_w + 1", "node.x", "1 / 0", "node.b_w > 3", "node.x > 1 or True"), ["node"])
    assert function(NODE) == (4, MISSING, MISSING, True, MISSING)


def test_shared_part_is_computed_once() -> None:
    calls: list[str] = []

    class Counting(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            calls.append(key)
            return super().__getitem__(key)

    total = "sum(g.x_w for g in node.gpus)"
    function = compile_many(read(f"{total} > 1", f"{total} > 11", f"{total} + node.a_w"), ["node"])
    assert function(Counting(NODE)) == (True, True, 15)
    assert calls == ["gpus", "a_w"]


def test_shared_part_that_fails_fails_only_where_it_is_needed() -> None:
    texts = (
        "node.x + 1 > 0 or node.a_w > 1",
        "node.a_w > 1 or node.x + 1 > 0",
        "any(node.x + 1 > g for g in node.none)",
    )
    function = compile_many(read(*texts), ["node"])
    assert function({"a_w": 3, "none": []}) == (MISSING, True, False)


def test_roots_must_be_parameters() -> None:
    with pytest.raises(ValueError, match="policy"):
        compile_many(read("policy.x"), ["node"])


def test_names_that_are_python_words_do_no_harm() -> None:
    names = ("print", "sum", "scope", "len", "MISSING", "Exception", "match", "type")
    expressions = read(*(f"{name}.{name} + sum(v_.{name} for v_ in {name}.l)" for name in names))
    facts = [{name: 1, "l": [{name: 2}]} for name in names]
    assert compile_many(expressions, names)(*facts) == (3,) * len(names)
    scope = dict(zip(names, facts, strict=True))
    assert [compile_expression(expression)(scope) for expression in expressions] == [3] * len(names)


def test_compiled_code_has_no_builtins() -> None:
    function: Any = compile_many(read("node.a_w"), ["node"])
    assert function.__globals__["__builtins__"] == {}


def test_cache_form_gives_the_same_function() -> None:
    function = compile_many(read("node.a_w + node.b_w", "node.x", "ceil(0.5) + count(node.sizes)"), ["node"])
    again = load(dump(function))
    assert again is not None
    assert again(NODE) == function(NODE) == (7, MISSING, 3)


@pytest.mark.parametrize("data", [b"", b"other", b"rackwright-expression-0:" + bytes(20)])
def test_cache_of_another_version_is_refused(data: bytes) -> None:
    assert load(data) is None


def test_damaged_cache_is_refused() -> None:
    data = dump(compile_many(read("node.a_w"), ["node"]))
    assert load(data[: len(data) // 2]) is None


def test_lazy_record_computes_once_when_read() -> None:
    calls: list[str] = []

    def total(node: LazyRecord) -> Any:
        calls.append("total_w")
        return node["a_w"] + node["b_w"]

    record = LazyRecord(NODE, {"total_w": total, "double_w": lambda node: 2 * node["total_w"]})
    function = compile_many(read("node.double_w", "node.total_w", "node.double_w > node.total_w"), ["node"])
    assert calls == []
    assert function(record) == (14, 7, True)
    assert calls == ["total_w"]
    assert record.is_quantity("total_w")
    assert not record.is_quantity("a_w")


@pytest.mark.parametrize(
    "quantity",
    [lambda node: node["absent"], lambda node: MISSING, lambda node: 1 / 0, lambda node: node["x_w"]],
    ids=["missing fact", "missing value", "division by zero", "cycle"],
)
def test_lazy_record_without_a_value_misses_its_key(quantity: Any) -> None:
    record = LazyRecord({}, {"x_w": quantity})
    for _ in range(2):
        with pytest.raises(KeyError):
            record["x_w"]


def test_lazy_record_passes_defects_on() -> None:
    record = LazyRecord({}, {"x_w": lambda node: None + 1})
    for _ in range(2):
        with pytest.raises(TypeError):
            record["x_w"]


def test_stated_figure_wins_over_its_quantity() -> None:
    record = LazyRecord({"x_w": 5}, {"x_w": lambda node: 6})
    assert record["x_w"] == 5
    assert not record.is_quantity("x_w")
