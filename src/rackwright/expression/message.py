"""Messages with holes: `peak draw {node.draw_peak_w} exceeds {policy.limit_w}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rackwright.diagnostic import Figure, Finding, Message
from rackwright.expression import tree
from rackwright.expression.evaluate import evaluate
from rackwright.expression.parse import parse
from rackwright.expression.problem import problem
from rackwright.expression.render import printed
from rackwright.expression.trace import unit_by_name
from rackwright.expression.tree import Expression
from rackwright.expression.types import ListOf, Number, Type
from rackwright.expression.values import Resolver, Unknown
from rackwright.frozen import frozen
from rackwright.source import Location
from rackwright.units import NUMBER, Unit


@frozen(slots=True)
class Template:
    """A message text and its holes: source text of the hole -> expression. The text is the key for translation."""

    text: str
    holes: Mapping[str, Expression]

    @property
    def keys(self) -> tuple[str, ...]:
        """The texts of the holes in the order in which they first stand in the message."""
        return tuple(self.holes)

    def check(self, scope: Mapping[str, Type]) -> list[Finding]:
        """Check types and units of all holes; a hole may be of any type."""
        from rackwright.expression.check import check

        return [finding for hole in self.holes.values() for finding in check(hole, scope)[1]]

    def fill(
        self,
        scope: Mapping[str, Any],
        shapes: Mapping[str, Type] | None = None,
        *,
        resolver: Resolver | None = None,
    ) -> Message:
        """Evaluate the holes on facts. A hole without a value prints `unknown`, a list its elements with commas."""
        figures = {}
        for key, hole in self.holes.items():
            value = evaluate(hole, scope, shapes, resolver=resolver).value
            figures[key] = _figure(value, _unit(hole, shapes))
        return Message(self.text, figures)


def parse_template(text: str, at: Location | None = None) -> tuple[Template | None, list[Finding]]:
    """Read a message. `{{` and `}}` stand for single braces; a hole holds one expression without braces.

    Returns the template, or None and what is wrong: RUL010 and RUL011 as for expressions.
    """
    plain: list[str] = []
    holes: dict[str, Expression] = {}
    findings: list[Finding] = []
    position = 0
    while position < len(text):
        char = text[position]
        if char in "{}" and text[position : position + 2] == char * 2:
            plain.append(char)
            position += 2
        elif char == "{":
            end = text.find("}", position)
            if end < 0:
                findings.append(problem("RUL010", "a hole is never closed", tree.shifted(at, position)))
                break
            key = text[position + 1 : end]
            expression, found = parse(key, tree.shifted(at, position + 1))
            findings += found
            if expression is not None:
                holes[key] = expression
            plain.append("{" + key + "}")
            position = end + 1
        elif char == "}":
            findings.append(problem("RUL010", "a brace closes no hole", tree.shifted(at, position), "write }} for one"))
            position += 1
        else:
            plain.append(char)
            position += 1
    return (None, findings) if findings else (Template("".join(plain), holes), [])


def _unit(hole: Expression, shapes: Mapping[str, Type] | None) -> Unit:
    if shapes is None:
        return unit_by_name(hole.tree)
    from rackwright.expression.check import check

    found = check(hole, shapes)[0]
    while isinstance(found, ListOf):
        found = found.element
    return found.unit if isinstance(found, Number) else NUMBER


def _figure(value: Any, unit: Unit) -> Figure:
    if isinstance(value, Unknown | list | dict):
        return Figure(printed(value, unit))
    return Figure(value, unit)
