"""The rule language: a small part of Python's expressions over facts (DESIGN section 8).

Read with `parse`, checked for types and units with `check`, evaluated fast with `compile_many`, with three values with
`decider`, and with the missing facts and a trace with `evaluate`. `parse_template` reads messages with holes,
`mutants` makes the changes that the cases of a rule must notice. What only the check of rules needs is not imported
here: `expression.check` and `expression.mutate`.
"""

from rackwright.expression.budget import Budget, TooCostlyError
from rackwright.expression.compile import compile_expression, compile_many, compile_tests, dump, load, renew
from rackwright.expression.decide import Decider, decider
from rackwright.expression.evaluate import evaluate
from rackwright.expression.lazy import MISSING, LazyRecord, Quantity
from rackwright.expression.message import Template, parse_template
from rackwright.expression.parse import caret, parse
from rackwright.expression.render import lines, printed
from rackwright.expression.trace import unit_by_name
from rackwright.expression.tree import Expression, Node, free_names, text_of, walk
from rackwright.expression.types import Field, Flag, ListOf, Number, Record, Text, Type
from rackwright.expression.values import Read, Resolver, Result, Trace, Unknown, range_of

__all__ = [
    "MISSING",
    "Budget",
    "Decider",
    "Expression",
    "Field",
    "Flag",
    "LazyRecord",
    "ListOf",
    "Node",
    "Number",
    "Quantity",
    "Read",
    "Record",
    "Resolver",
    "Result",
    "Template",
    "Text",
    "TooCostlyError",
    "Trace",
    "Type",
    "Unknown",
    "caret",
    "compile_expression",
    "compile_many",
    "compile_tests",
    "decider",
    "dump",
    "evaluate",
    "free_names",
    "lines",
    "load",
    "parse",
    "parse_template",
    "printed",
    "range_of",
    "renew",
    "text_of",
    "unit_by_name",
    "walk",
]
