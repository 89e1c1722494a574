"""Findings as text, for the cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rackwright.diagnostic import Figure, Finding, Message, Severity
from rackwright.source import Location
from rackwright.units import Unit


def findings_to_text(findings: Sequence[Finding]) -> str:
    """Write findings as JSON; an empty text for none."""
    return json.dumps([_plain(item) for item in findings]) if findings else ""


def findings_from_text(text: str) -> list[Finding]:
    """Read findings written by `findings_to_text`."""
    return [_finding(item) for item in json.loads(text)] if text else []


def _plain(item: Finding) -> dict[str, Any]:
    return {
        "code": item.code,
        "severity": item.severity.value,
        "message": _message_data(item.message),
        "fix": _message_data(item.fix) if item.fix else None,
        "at": _place_data(item.at),
        "subject": item.subject,
        "related": [[_place_data(place), why] for place, why in item.related],
    }


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(
        code=data["code"],
        severity=Severity(data["severity"]),
        message=_message(data["message"]),
        fix=_message(data["fix"]) if data["fix"] else None,
        at=_place(data["at"]),
        subject=data["subject"],
        related=tuple((place, why) for raw, why in data["related"] if (place := _place(raw)) is not None),
    )


def _message_data(message: Message) -> dict[str, Any]:
    figures = {name: [figure.value, figure.unit.atoms, figure.is_written] for name, figure in message.figures.items()}
    return {"template": message.template, "figures": figures}


def _message(data: dict[str, Any]) -> Message:
    figures = {
        name: Figure(value, Unit(tuple((atom, power) for atom, power in atoms)), is_written)
        for name, (value, atoms, is_written) in data["figures"].items()
    }
    return Message(data["template"], figures)


def _place_data(at: Location | None) -> list[Any] | None:
    return [at.file, at.line, at.column] if at else None


def _place(data: list[Any] | None) -> Location | None:
    return Location(*data) if data else None
