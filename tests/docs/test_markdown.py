"""The pages hold together: links resolve, commands exist, the README says what the tests run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.docs.markdown import PAGES, ROOT, WRITTEN, anchors, blocks, commands, links, mentions, text

from rackwright.cli.commands import app


@pytest.mark.parametrize("page", WRITTEN)
def test_every_link_leads_to_a_file_and_to_a_heading_in_it(page: str) -> None:
    broken = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        place = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        name = place.relative_to(ROOT).as_posix()
        if not place.exists() or (anchor and anchor not in anchors(name)):
            broken.append(target)
    assert broken == []


def _problem(arguments: list[str]) -> str:
    """Return what is wrong with a command line: an unknown command or option; nothing if it is right."""
    command: Any = typer.main.get_command(app)
    rest = list(arguments)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        if name not in command.commands:
            return f"there is no command {name}"
        command = command.commands[name]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in rest:
        short = word[:2] if word.startswith("-v") else word.partition("=")[0]
        if word.startswith("-") and short not in known | {"--help"}:
            return f"there is no option {word}"
    return ""


@pytest.mark.parametrize("page", WRITTEN)
def test_every_command_and_option_that_is_named_exists(page: str) -> None:
    lines = [list(command.arguments) for command in commands(page)]
    lines += [shlex.split(mention.replace("…", "")) for mention in mentions(page)]
    assert [(line, problem) for line in lines if (problem := _problem(line))] == []


def _shell_blocks(page: str) -> list[str]:
    return [block.text.strip() for block in blocks(page) if block.language == "sh"]


def test_the_readme_has_one_command_for_the_job_and_one_for_the_tests() -> None:
    assert [len(block.splitlines()) for block in _shell_blocks("README.md")] == [1, 1]
    assert _shell_blocks("README.md")[1] == "bash .ci/test"


def test_the_test_command_of_the_readme_is_what_runs_on_a_clean_checkout() -> None:
    assert _shell_blocks("README.md")[1] in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_the_tests_install_every_system_package_that_the_first_command_needs() -> None:
    first = _shell_blocks("README.md")[0]
    needed = first.partition("--no-install-recommends ")[2].partition(" >")[0].split()
    assert needed[0] == "python3-venv"
    installed = next(
        line.partition('"')[2].rstrip('"').split()
        for line in (ROOT / ".ci/test").read_text(encoding="utf-8").splitlines()
        if line.startswith("packages=")
    )
    assert [name for name in needed if name not in installed] == []


def test_the_readme_fits_one_screen_to_the_first_success() -> None:
    before = text("README.md").partition("bash .ci/test")[0]
    assert len(before.splitlines()) <= 30


def test_every_link_of_a_generated_page_leads_to_a_file() -> None:
    generated = [(page, target.partition("#")[0]) for page in PAGES if page not in WRITTEN for target in links(page)]
    assert [entry for entry in generated if entry[1] and not ((ROOT / entry[0]).parent / entry[1]).exists()] == []


@pytest.mark.parametrize("page", WRITTEN)
def test_no_page_names_a_place_of_some_machine(page: str) -> None:
    # A path from the root of a file system; a link in the repository, an address or a unit (W/m) is none.
    assert re.findall(r"(?<![\w./:~<>})\]*-])/\w[\w.-]*/\S*|\b[A-Z]:\\\S*", text(page)) == []
    places = (*(f"/{folder}/" for folder in ("home", "root", "Users")), "C:\\", str(Path.home()))
    assert [word for word in places if word in text(page)] == []
