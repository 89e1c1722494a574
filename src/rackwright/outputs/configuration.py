"""A configuration file from values: one line a part, with its title beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

_ALLOWANCE = "assumed for fans, board and small parts, whose draw no maker states: put your own figure here"


def write_configuration(
    head: Mapping[str, Any], node: Any, extras: Sequence[Any], titles: Mapping[str, str], comments: Sequence[str]
) -> str:
    """Return the text of a configuration with one kind of node.

    `head` are the records above the nodes by their keys, `node` is the record of the node; both are dataclasses or
    plain values; what has its default is left out. `extras` are parts of the whole
    order. `titles` are the names of parts for people, `comments` stand first.
    """
    lines = [f"# {text}" for text in comments]
    for key, value in head.items():
        plain = _plain(value)
        if plain:
            lines.append(f"{key}: {_inline(plain)}")
    data = _plain(node)
    lines.append("nodes:")
    order = ("id", "title", "count", "rack", "racks", "chassis", "mode", "redundancy", "allowance_w")
    for index, key in enumerate(name for name in order if name in data):
        note = f"  # {_ALLOWANCE}" if key == "allowance_w" else ""
        lines.append(f"{'  - ' if index == 0 else '    '}{key}: {_inline(data[key])}{note}")
    lines.append("    parts:")
    width = max((len(_part(line)) for line in data["parts"]), default=0)
    lines += [f"      - {_part(line):<{width}}  # {titles.get(line['part'], '')}".rstrip() for line in data["parts"]]
    if "workload" in data:
        lines.append("    workload:")
        lines += _block(data["workload"], "      ")
    if extras:
        lines.append("extras:")
        lines += [f"  - {_inline(_plain(line))}  # {titles.get(line.part, '')}".rstrip() for line in extras]
    return "\n".join(lines) + "\n"


def _block(data: Mapping[str, Any], indent: str) -> list[str]:
    """A record with one line a key; the entries of a list of records have a line each."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            lines += [f"{indent}{key}:", *(f"{indent}  - {_inline(item)}" for item in value)]
        else:
            lines.append(f"{indent}{key}: {_inline(value)}")
    return lines


def _part(line: Mapping[str, Any]) -> str:
    return f"{{part: {line['part']}, count: {line.get('count', 1)}}}"


def _plain(value: Any) -> Any:
    """Return a record as plain data without what has its default."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            own = getattr(value, field.name)
            if own is None or own == field.default or own in ([], {}):
                continue
            found[field.name] = _plain(own)
        return found
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _inline(value: Any) -> str:
    """Return a value as YAML on one line; what could be read as something else is in quotes."""
    import yaml

    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=True, width=100_000)
    return text.removesuffix("\n").removesuffix("\n...")
