"""What the YAML parser stumbled over, in plain words."""

from __future__ import annotations

from typing import Any

import yaml

from rackwright.diagnostic import Finding, finding
from rackwright.readers.files import printable
from rackwright.source import Location

_CHECK = "check this line and the one above it"
_CLOSE = "close it, or put the text in quotes"
# (what the parser was doing, what it met) -> (message, fix, whether the place is where the thing began).
# The texts are those of libyaml and of PyYAML's own parser.
_SYNTAX: tuple[tuple[str, str, str, str, bool], ...] = (
    ("quoted scalar", "end of stream", "a quote is opened here and never closed", "close the quote", True),
    ("quoted scalar", "document", "a quote is opened here and never closed", "close the quote", True),
    ("quote", "escape", "a backslash in double quotes starts an escape that YAML does not know",
     "use single quotes, or write the backslash twice", False),
    ("flow sequence", "", "the list opened here with [ is not closed, or a comma is missing", _CLOSE, True),
    ("flow mapping", "", "the curly bracket opened here is not closed, or a comma is missing", _CLOSE, True),
    ("flow level", "nesting depth", "brackets are opened too deep inside each other", "write it flatter", False),
    ("simple key", "':'", "a line without a colon stands where a key is expected",
     "write key: value, or indent a text that goes on", True),
    ("", "mapping values are not allowed", "a second colon on the line, or a key that is indented too far",
     "put the value in quotes, or align the key with its neighbours", False),
    ("", "entries are not allowed", "a list starts with - where only a value can stand",
     "start it on a new line", False),
    ("block mapping", "", "the indentation fits no key above, or text follows a closed quote",
     "align the line with its neighbours; put the whole value in quotes", False),
    ("block collection", "", "the indentation fits no list entry above", "align the - with those above", False),
    ("tag", "", "an exclamation mark starts a tag, and tags are not used", "put the text in quotes", True),
    ("", "tag handle", "an exclamation mark starts a tag, and tags are not used", "put the text in quotes", False),
    ("alias", "", "an asterisk starts a reference without a name", "put the text in quotes", True),
    ("anchor", "", "an ampersand starts a name without letters", "put the text in quotes", True),
    ("block scalar", "", "text follows | or > on the same line", "start the text on the next line, indented", False),
    ("", "document start", "the line belongs to nothing above it", "align it with the first key", False),
    ("directive", "", "a line starts with %", "put the text in quotes", True),
    ("", "node content", "a bracket or comma stands where a value is expected", "put the text in quotes", False),
)  # fmt: skip


def place_of(mark: Any) -> tuple[int, int]:
    """Return line and column of a mark of the parser, counted from 1."""
    return mark.line + 1, mark.column + 1


def not_yaml(shown: str) -> Finding:
    """Say that a file is not YAML, where nothing more is known."""
    return finding("CFG003", "{file} is not YAML", Location(shown), fix=_CHECK, file=printable(shown))


def syntax_finding(error: yaml.MarkedYAMLError, text: str, shown: str) -> Finding:
    """Say in plain words what the parser stumbled over."""
    problem_mark = error.problem_mark or error.context_mark
    if problem_mark is None:
        return not_yaml(shown)
    here = Location(shown, *place_of(problem_mark))
    problem, context = error.problem or "", error.context or ""
    met = text[problem_mark.index : problem_mark.index + 1]
    if met == "\t" or "found a tab" in problem:
        return finding("CFG003", "a tab is used for indentation", here, fix="indent with spaces")
    if "cannot start any token" in problem:
        message = "a value cannot start with {met}"
        return finding("CFG003", message, here, fix="put the value in quotes", met=printable(met))
    for doing, meeting, message, fix, at_start in _SYNTAX:
        if doing in context and meeting in problem:
            if at_start and error.context_mark is not None:
                start = Location(shown, *place_of(error.context_mark))
                related = ((here, "noticed here"),) if here != start else ()
                return finding("CFG003", message, start, fix=fix, related=related)
            return finding("CFG003", message, here, fix=fix)
    return finding("CFG003", "this is not YAML", here, fix=_CHECK)
