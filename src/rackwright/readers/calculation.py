"""Reads a calculation file: the margins by which selling prices are made from cost. It never reaches a customer."""

# Without annotations from __future__: the records are read by their types.

from dataclasses import field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from rackwright.commerce import Position
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.limits import Limits, Name, PartId, told
from rackwright.pricing import Adjustment
from rackwright.readers.files import read_text
from rackwright.readers.plain_records import record_of
from rackwright.readers.yaml_source import load_yaml
from rackwright.source import Location

if TYPE_CHECKING:
    from pydantic import ValidationError


@frozen(kw_only=True)
class Margin:
    """A margin on the selling price, of a line, of a part, of a kind of part, or of all. The closest one counts."""

    margin_ratio: Annotated[float, Limits(ge=0, lt=1, description="0.20: cost is 80 % of the selling price")]
    line: Position | None = field(default=None, metadata=told("a position of the bill, as in '1.3'"))
    part: PartId | None = None
    kind: Name | None = field(default=None, metadata=told("a kind of part: gpu, cpu, memory, service …"))


@frozen(kw_only=True)
class Calculation:
    """How selling prices are made from the costs of price lists."""

    margins: Annotated[list[Margin], Limits(max_length=500)] = field(default_factory=list)
    margin_min_ratio: Annotated[float, Limits(ge=0, lt=1)] | None = field(
        default=None, metadata=told("lines below are marked in the internal calculation")
    )


def read_calculation(path: Path, shown: str) -> tuple[Calculation | None, tuple[Adjustment, ...], list[Finding]]:
    """Read a calculation file; every problem is a finding with its place (CFG…). None if it cannot be used."""
    text, findings = read_text(path, shown)
    if text is None:
        return None, (), findings
    document, problems = load_yaml(text, shown)
    if document is None or not isinstance(document.data, dict):
        told_anyway = finding("CFG011", "the file is not a calculation: it has no keys", Location(shown),
                              fix="start with `margins:`")  # fmt: skip
        return None, (), problems or [told_anyway]
    calculation = record_of(Calculation, document.data)
    if calculation is None:
        from rackwright.readers.configuration_shape import model_of
        from rackwright.readers.model_errors import findings_from

        try:
            model_of(Calculation).model_validate(document.data)
        except ValueError as refused:
            error = cast("ValidationError", refused)
            found = findings_from(error, document, code="CFG010", model=model_of(Calculation))
            return None, (), [*problems, *found]
        return None, (), problems
    margins = tuple(
        Adjustment(Decimal(str(rule.margin_ratio)), line=rule.line, part=rule.part, kind=rule.kind,
                   at=document.locations.at(("margins", number)))
        for number, rule in enumerate(calculation.margins)
    )  # fmt: skip
    return calculation, margins, problems
