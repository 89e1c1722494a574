"""What the tests of the documentation share: the pages, their links, their code blocks, the commands in them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
)
# Pages that somebody wrote, not `rackwright rules docs`.
WRITTEN = [page for page in PAGES if not (ROOT / page).read_text(encoding="utf-8").startswith("<!-- written by")]
GUIDES = [page for page in PAGES if page.startswith("docs/guides/")]

_BLOCK = re.compile(r"^( *)```(\S*)[ ]?([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_EXIT = re.compile(r"#.*exit code (\d)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, its text without the indent of a list."""

    language: str
    words: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Command:
    """A line of a shell block that runs rackwright, and the exit code that the guide promises (0 if it is silent)."""

    arguments: tuple[str, ...]
    exit_code: int


@cache
def text(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page in their order."""
    found = []
    for indent, language, words, body in _BLOCK.findall(text(page)):
        lines = [line.removeprefix(indent) for line in body.splitlines()]
        found.append(Block(language, tuple(words.split()), "\n".join(lines) + "\n"))
    return found


def files(page: str) -> list[tuple[str, str, str]]:
    """Return (what it is, path, text) of the blocks that stand for files: ```yaml part PATH, ```csv PATH."""
    found = []
    for block in blocks(page):
        if block.language == "yaml" and len(block.words) == 2:
            found.append((block.words[0], block.words[1], block.text))
        if block.language == "csv":
            found.append(("csv", block.words[0], block.text))
    return found


def commands(page: str) -> list[Command]:
    """Return the lines of shell blocks that begin with rackwright."""
    lines = [line for block in blocks(page) if block.language == "sh" for line in block.text.splitlines()]
    found = []
    for line in lines:
        if line.startswith("rackwright "):
            promised = _EXIT.search(line)
            words = shlex.split(re.sub(r"\s#\s.*", "", line))
            found.append(Command(tuple(words[1:]), int(promised[1]) if promised else 0))
    return found


def mentions(page: str) -> list[str]:
    """Return every `rackwright …` in backticks of the running text."""
    running = _BLOCK.sub("", text(page))
    return re.findall(r"`rackwright ([^`\n]+)`", running)


def links(page: str) -> list[str]:
    """Return the targets of all links and pictures that stay inside the repository."""
    running = _BLOCK.sub("", text(page))
    targets = [one or other for one, other in _LINK.findall(running)]
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
