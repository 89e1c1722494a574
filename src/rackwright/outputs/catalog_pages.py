"""Pages of the catalog: one a part, one a kind, and an index. Plain HTML without scripts, readable from a disk."""

from __future__ import annotations

from pathlib import Path

from rackwright.frozen import frozen


@frozen
class Row:
    """A figure: dotted name, what the field is, value with unit, grade, document with its address, place in it, note.

    `links` are ids of parts that the value names, with the addresses of their pages.
    """

    name: str
    about: str
    value: str
    grade: str = ""
    document: str = ""
    url: str = ""
    note: str = ""
    links: tuple[tuple[str, str], ...] = ()


@frozen
class Rule:
    """A constraint in words: conditions with the sentence that is shown if they do not hold."""

    name: str
    title: str
    severity: str
    when: str
    clauses: tuple[tuple[str, str], ...]
    adds: str
    fix: str
    source: str


@frozen
class PartPage:
    """All that the catalog knows of a part. `top` leads from the page to the folder of all pages."""

    id: str
    kind: str
    title: str
    maker: str
    file: str
    top: str
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    open: tuple[tuple[str, str], ...]
    rules: tuple[Rule, ...]
    notes: tuple[str, ...]
    sources: tuple[tuple[str, str, str], ...]
    used_by: tuple[tuple[str, str], ...]


@frozen
class KindPage:
    """All parts of a kind: names of columns, and a row for each part with the address of its page."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]


@frozen
class Pages:
    """Everything that is written."""

    parts: tuple[PartPage, ...]
    kinds: tuple[KindPage, ...]


def write_pages(pages: Pages, folder: Path) -> dict[str, str]:
    """Return the pages by their path. `folder` holds the templates; figures and texts of parts are never markup."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made = {"index.html": environment.get_template("index.html.j2").render(kinds=pages.kinds, top="")}
    template = environment.get_template("kind.html.j2")
    made |= {f"{page.kind}/index.html": template.render(page=page, top="../") for page in pages.kinds}
    template = environment.get_template("part.html.j2")
    made |= {f"{page.kind}/{page.id}.html": template.render(page=page, top=page.top) for page in pages.parts}
    return made
