"""Reads the checklist that comes with rackwright."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rackwright.errors import UsageError
from rackwright.proposal.checklist import Answer, Checklist, Question
from rackwright.readers.files import read_text
from rackwright.readers.shipped import shipped_folder
from rackwright.readers.yaml_source import load_yaml


def read_checklist(path: Path | None = None) -> Checklist:
    """Return the questions of a file, the shipped one by default. Raises UsageError if it cannot be read."""
    place = path or shipped_folder("templates") / "checklist" / "questions.yaml"
    text, findings = read_text(place, place.name)
    document, problems = load_yaml(text, place.name) if text is not None else (None, [])
    problems = [*findings, *problems]
    if document is None or problems or not isinstance(document.data, dict):
        raise UsageError(f"the checklist cannot be used: {problems[0].message if problems else place.name}")
    data: dict[str, Any] = document.data
    return Checklist(dict(data["groups"]), tuple(_question(item) for item in data["questions"]))


def _question(item: dict[str, Any]) -> Question:
    return Question(
        id=item["id"],
        group=item["group"],
        question=item["question"],
        answers=tuple(Answer(answer.get("when", ""), answer["text"]) for answer in item["answers"]),
        ask=item["ask"],
        tasks=tuple(item.get("for", ())),
        keys=tuple(item.get("keys", ())),
    )
