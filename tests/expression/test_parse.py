"""What the language accepts, and how everything else ends."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rackwright.expression import caret, parse, text_of
from rackwright.source import Location

ACCEPTED = [
    "node.draw_peak_w <= node.psu_capacity_after_loss_w",
    "sum(p.count * p.part.power_max_w for p in node.parts) + node.chassis.power_base_w",
    "node.psus[0].part.output_w // 2 % 7 - -3 / 1.5",
    "0 < node.a <= 10 and not (node.kind in ['sxm', 'oam'] or node.is_on)",
    "node.a if node.is_on else node.b if node.c else 0",
    "max((g.x_w for g in node.gpus if g.is_on if g.x_w > 0), default=0)",
    "max(node.a, node.b, 3)",
    "round(node.a, 2) == abs(ceil(node.b) - floor(node.c))",
    "all(any(s.id == g.slot for s in node.slots) for g in node.gpus)",
    "count(g for g in node.gpus) == len(node.gpus)",
    "node.name == 'Größe # 1'",
    "node.a in [-1, 2.5]",
    "1 in sorted(node.sizes)",
    "node.gpus[-1].x_w > 0",
]

# text -> code of the finding. Every way out of a Python sandbox known to us, and every way to make it work hard.
HOSTILE = {
    "deep parentheses": ("(" * 10_000 + "1" + ")" * 10_000, "RUL011"),
    "deep parentheses within the length": ("(" * 990 + "1" + ")" * 990, "RUL010"),
    "deep lists": ("[" * 1990, "RUL010"),
    "deep minus": ("-" * 1999 + "1", "RUL011"),
    "deep not": ("not " * 490 + "a", "RUL011"),
    "deep attributes": ("a" + ".b" * 900, "RUL011"),
    "deep indices": ("a" + "[0]" * 600, "RUL011"),
    "deep choice": ("a if b else " * 150 + "c", "RUL011"),
    "long sum": ("a+" * 900 + "b", "RUL011"),
    "long chain": ("a<" * 900 + "b", "RUL011"),
    "wide list": ("[" + "1," * 900 + "]", "RUL011"),
    "a million characters": ("9" * 1_000_000, "RUL011"),
    "a million blanks": (" " * 1_000_000, "RUL011"),
    "2000 digits": ("1" * 1999, "RUL011"),
    "hex digits": ("0x" + "f" * 1990, "RUL011"),
    "infinite float": ("1e999", "RUL011"),
    "large constant": ("1000000000001", "RUL011"),
    "large negative in list": ("a in [-1e13]", "RUL011"),
    "large index": ("a[9999999999999]", "RUL011"),
    "long text": ("'" + "x" * 1900 + "'", "RUL011"),
    "power": ("10 ** 10 ** 10", "RUL011"),
    "shift": ("1 << 999999", "RUL011"),
    "text repeated": ("'a' * 999999999", "RUL011"),
    "list repeated": ("[1] * 999999999", "RUL011"),
    "list repeated from the right": ("999999999 * [1]", "RUL011"),
    "text added": ("'a' + 'b'", "RUL011"),
    "text formatted": ("'%1000000000d' % 5", "RUL011"),
    "four generators": ("all(all(all(all(w for w in a) for x in a) for y in a) for z in a)", "RUL011"),
    "two loops": ("sum(1 for x in a for y in a)", "RUL011"),
    "round to many digits": ("round(a, 999999999)", "RUL011"),
    "round to negative digits": ("round(a, -999999999)", "RUL011"),
    "NUL": ("a\x00b", "RUL011"),
    "surrogate": ("'\ud800'", "RUL011"),
    "surrogate name": ("\ud800", "RUL011"),
    "backslash": ("'\\x5f'", "RUL011"),
    "line continuation": ("a\\\n.b", "RUL011"),
    "form feed": ("\x0ca", "RUL011"),
    "direction mark": ("\u202ea", "RUL010"),
    "no-break space": ("a\u00a0+ b", "RUL010"),
    "class": ("a.__class__", "RUL011"),
    "class of a literal": ("().__class__.__bases__[0].__subclasses__()", "RUL011"),
    "class of a text": ("''.__class__", "RUL011"),
    "private": ("a._x", "RUL011"),
    "private root": ("__builtins__", "RUL011"),
    "private variable": ("sum(_x for _x in a)", "RUL011"),
    "wide underscore": ("a.\uff3f\uff3fclass\uff3f\uff3f", "RUL010"),
    "wide underscore inside": ("a.x\uff3f\uff3fclass", "RUL011"),
    "tie as underscore": ("a.x\ufe4d\ufe4fy", "RUL011"),
    "wide letters": ("\uff47\uff45\uff54attr", "RUL011"),
    "mathematical letters": ("node.\U0001d431_w", "RUL011"),
    "cyrillic letter": ("nod\u0435.a", "RUL011"),
    "getattr": ("getattr(a, '__class__')", "RUL011"),
    "import": ("__import__('os').system('id')", "RUL011"),
    "eval": ("eval('1')", "RUL011"),
    "open": ("open('/etc/passwd')", "RUL011"),
    "type": ("type(a)", "RUL011"),
    "vars": ("vars()", "RUL011"),
    "breakpoint": ("breakpoint()", "RUL011"),
    "range": ("sum(x for x in range(10))", "RUL011"),
    "method": ("a.b.clear()", "RUL011"),
    "format": ("'{0.__class__}'.format(a)", "RUL011"),
    "format_map": ("a.name.format_map(a)", "RUL011"),
    "attribute of a function": ("sum.__self__", "RUL011"),
    "call of a call": ("len(a)(b)", "RUL011"),
    "key argument": ("max(a, key=len)", "RUL011"),
    "starred argument": ("max(*a)", "RUL011"),
    "double starred argument": ("max(a, **b)", "RUL011"),
    "text as key": ("a['__class__']", "RUL011"),
    "fact as key": ("a[b.c]", "RUL011"),
    "slice": ("a[0:9]", "RUL011"),
    "flag as index": ("a[True]", "RUL011"),
    "lambda": ("(lambda: 1)()", "RUL011"),
    "lambda as default": ("max(a, default=lambda: 1)", "RUL011"),
    "walrus": ("(a := 1)", "RUL011"),
    "walrus in a generator": ("any((b := x) for x in a)", "RUL011"),
    "attribute as variable": ("sum(1 for a.b in c)", "RUL011"),
    "index as variable": ("sum(1 for a[0] in c)", "RUL011"),
    "pair as variable": ("sum(x for x, y in a)", "RUL011"),
    "function as variable": ("any(all for all in a)", "RUL011"),
    "variable taken": ("any(any(x for x in b) for x in a)", "RUL011"),
    "variable in its source": ("any(a.b for a in a.c)", "RUL011"),
    "async generator": ("sum(x async for x in a)", "RUL011"),
    "generator frame": ("(x for x in a).gi_frame", "RUL011"),
    "bare generator": ("(x for x in a)", "RUL011"),
    "f-string": ("f'{a.__class__}'", "RUL011"),
    "list comprehension": ("[x for x in a][0]", "RUL011"),
    "dict": ("{'a': 1}", "RUL011"),
    "set": ("{1, 2}", "RUL011"),
    "yield": ("any((yield) for x in a)", "RUL011"),
    "await": ("await a", "RUL011"),
    "starred": ("[*a]", "RUL011"),
    "ellipsis": ("...", "RUL011"),
    "none": ("a == None", "RUL011"),
    "bytes": ("b'a'", "RUL011"),
    "complex": ("1j", "RUL011"),
    "is": ("a is b", "RUL011"),
    "in as a link of a chain": ("a in b == c", "RUL011"),
    "comment": ("a.b # or not", "RUL011"),
    "statement": ("import os", "RUL010"),
    "two statements": ("a; b", "RUL010"),
    "assignment": ("a = 1", "RUL010"),
    "closing what was not opened": ("a) + (b", "RUL010"),
    "empty": ("", "RUL010"),
    "blank": (" \n", "RUL010"),
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted_text_is_its_own_canonical_form(text: str) -> None:
    expression, findings = parse(text)
    assert findings == []
    assert expression is not None
    assert text_of(expression.tree) == text


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_ends_in_a_finding_at_once(text: str, code: str) -> None:
    start = time.perf_counter()
    expression, findings = parse(text)
    assert time.perf_counter() - start < 1
    assert expression is None
    assert [finding.code for finding in findings] == [code]


def test_largest_accepted_text_is_read_at_once() -> None:
    start = time.perf_counter()
    expression, _ = parse(" and ".join(["node.aaa < 1"] * 59).ljust(2000))
    assert time.perf_counter() - start < 1
    assert expression is not None


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("node.a + node._b", 3, 16),
        ("  node.a ** 2", 3, 9),
        ("'ä' == a.b ** 2", 3, 14),
        ("node.a +", 3, 15),
    ],
)
def test_finding_points_at_the_place(text: str, line: int, column: int) -> None:
    _, [finding] = parse(text, Location("rules/PWR003.yaml", 3, 7))
    assert finding.at == Location("rules/PWR003.yaml", line, column)


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        ("a && b", "not an expression: invalid syntax", "write `and` for `&&`"),
        ("a = b", "not an expression: invalid syntax", "compare with `==`; `=` alone is no comparison"),
        ("node.a <=", "not an expression: it ends too early",
         "write it as in `len(node.gpus) > 0`; what can be read is listed in docs/facts.md"),
        ("node.a <= 205 W", "not an expression: invalid syntax", "write figures without their unit: 205"),
        ("node.a <= 2 GB/s", "not an expression: invalid syntax", "write figures without their unit: 205"),
        ("gpu count > 0", "not an expression: invalid syntax",
         "write it as in `len(node.gpus) > 0`; what can be read is listed in docs/facts.md"),
        ("coutn(a)", None, "did you mean count?"),
        ("len(x for x in a)", "len takes a list; count(… for …) counts what a generator yields", None),
        ("a.b ** 2", "`**` is not part of the rule language", None),
        ("x" * 3000, "the expression has 3 000 characters; 2 000 are allowed", None),
    ],
)  # fmt: skip
def test_finding_says_what_and_how(text: str, message: str | None, fix: str | None) -> None:
    _, [finding] = parse(text)
    assert message is None or str(finding.message) == message
    assert (str(finding.fix) if finding.fix else None) == fix


def test_caret_marks_the_place() -> None:
    assert caret("node.a + node.b", 9, 6) == "node.a + node.b\n         ^^^^^^"
    assert caret("ab", 7) == "ab\n  ^"


def test_lines_are_joined() -> None:
    expression, _ = parse("node.a\n  <= node.b\n")
    assert expression is not None
    assert text_of(expression.tree) == "node.a <= node.b"


def test_nothing_in_the_package_runs_text() -> None:
    folder = Path(__file__).parents[2] / "src" / "rackwright" / "expression"
    for path in folder.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert " eval(" not in source
        assert " exec(" not in source
