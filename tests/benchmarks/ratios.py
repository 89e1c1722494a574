"""What is measured: each function takes a folder for caches and returns rows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import ROOT, STEPS, Row, cpu_s, loop, middle_cpu_s, processes_cpu_s
from placement.racking import POLICY, WYE_32, configuration, in_racks, node_record, placed, rack
from rackwright import api
from rackwright.api.runs import subjects_of
from rackwright.configuration import ConfigurationFile
from rackwright.facts.failures import replay
from rackwright.facts.racks import build_racks
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.configuration_file import read_configuration
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.shipped import shipped_folder

EXAMPLE = ROOT / "examples/inference-4x-l40s/configuration.yaml"
EIGHT_GPUS = ROOT / "examples/hgx-8x-h200/configuration.yaml"
DAY = "2026-12-01"
LOOP = f"loop of {STEPS:,} steps"


@contextmanager
def cached_in(folder: Path) -> Iterator[Path]:
    """Let rackwright keep its caches in `folder`."""
    before = os.environ.get("RACKWRIGHT_CACHE")
    os.environ["RACKWRIGHT_CACHE"] = str(folder)
    try:
        yield folder
    finally:
        os.environ.pop("RACKWRIGHT_CACHE")
        if before is not None:
            os.environ["RACKWRIGHT_CACHE"] = before


def process_start(folder: Path) -> list[Row]:
    """A whole process of `validate` with warm caches, against one that imports its given libraries and ends."""
    imports = ["-c", "import typer, pydantic, yaml"]
    example = str(EXAMPLE.parent.relative_to(ROOT))
    text = ["-m", "rackwright", "validate", example]
    bare, plain, machine = processes_cpu_s([imports, text, [*text, "-f", "json"]], folder, 7)
    against = "import typer, pydantic, yaml"
    return [
        Row("validate, process", against, plain / bare, 1.5, 3.0),
        Row("validate -f json, process", against, machine / bare, None, 6.0),
    ]


def validation(folder: Path) -> list[Row]:
    """Validation in a process that has loaded catalog and rules, placement and facts included."""
    workshop, steps = api.load_workshop(), cpu_s(loop, 9)
    file = _file(EXAMPLE)
    spent = middle_cpu_s(lambda: api.validate(file, workshop, today=DAY), 30)
    # 1 ms where the loop takes 6.6 ms
    return [Row("validate, in process", LOOP, spent / steps, 0.15, 5.0)]


def rules(folder: Path) -> list[Row]:
    """The rules from their cache, and the whole set on one node with eight GPUs."""
    steps = cpu_s(loop, 9)
    place = shipped_folder("rules")
    loaded = cpu_s(lambda: read_rules(place, "rules"), 9)
    workshop = api.load_workshop()
    run = api.validate(_file(EIGHT_GPUS), workshop, today=DAY)
    assert run.order is not None
    assert run.book is not None
    (engine,), subjects, book = workshop.engines.values(), subjects_of(run.order), run.book
    judged = middle_cpu_s(lambda: engine.run(subjects, book, _NoWitness()), 20)
    return [
        Row(f"{len(workshop.ruleset.rules)} rules from the cache", LOOP, loaded / steps, 4.5, 15.0),  # 30 ms
        Row("all rules on 8 GPUs", LOOP, judged / steps, None, 8.0),
    ]


def catalog(folder: Path) -> list[Row]:
    """The whole catalog without a cache, and from it."""
    place = [(shipped_folder("catalog"), "catalog")]
    fresh = folder / "fresh"

    def cold() -> None:
        shutil.rmtree(fresh, ignore_errors=True)
        with cached_in(fresh):
            read_catalog(place)

    spent = cpu_s(cold, 1)
    with cached_in(fresh):
        warm = cpu_s(lambda: read_catalog(place), 9)
    return [Row("catalog from the cache", "catalog without", warm / spent, None, 0.1)]


def failures(folder: Path) -> list[Row]:
    """The replay of power failures over 60 racks with 500 nodes."""
    feeds = {"A": {**WYE_32, "count": 2}, "B": {**WYE_32, "count": 2}}
    racks = [rack(f"R{number}", feeds=feeds) for number in range(60)]
    nodes = [{"id": f"n{i}", "rack": f"R{i}", "count": 9 if i < 20 else 8} for i in range(60)]
    config = configuration(racks, nodes, region="eu")
    made = [placed(config, number, "AAABBB") for number in range(60)]
    placement = in_racks(config, *made)
    records = [node_record(node, 6000) for node in made]

    def work() -> int:
        return len(replay(placement, records, build_racks(placement, records, lambda _, data: data, POLICY), POLICY))

    return [Row("failures of 60 racks, 500 nodes", LOOP, cpu_s(work, 1) / cpu_s(loop, 9), None, 450.0)]  # 3 s


def documents(folder: Path) -> list[Row]:
    """All documents of a quote, against WeasyPrint alone on the same HTML and the spreadsheet."""
    import weasyprint

    from rackwright.api.documents import priced
    from rackwright.outputs.pdf import render_html
    from rackwright.outputs.xlsx import write_xlsx

    workshop, file = api.load_workshop(), _file(EXAMPLE)
    templates = shipped_folder("templates") / "proposal"

    def ours() -> None:
        run = api.validate(file, workshop, today=DAY, detail=True)
        api.make_documents(run, priced(run)[0], DAY, language="en")

    run = api.validate(file, workshop, today=DAY, detail=True)
    proposal = api.proposal_of(run, priced(run)[0], DAY)
    html = render_html(proposal, templates)

    def bare() -> None:
        write_xlsx(proposal)
        weasyprint.HTML(string=html, base_url=templates.as_uri() + "/").write_pdf(pdf_variant="pdf/a-3a")

    return [Row("documents of a quote", "WeasyPrint and the spreadsheet", cpu_s(ours, 1) / cpu_s(bare, 1), 1.5, 2.0)]


ALL: tuple[Callable[[Path], list[Row]], ...] = (process_start, validation, rules, catalog, failures, documents)


def rows_of(measured: Callable[[Path], list[Row]], folder: Path) -> list[Row]:
    """Measure with warm caches below `folder`."""
    with cached_in(folder / "cache"):
        api.load_workshop()
        return measured(folder)


def table(rows: list[Row]) -> str:
    """Print rows as a table."""
    lines = [f"{'what':34} {'against':32} {'ratio':>8} {'wanted':>8} {'bound':>8}"]
    for row in rows:
        wanted = f"{row.wanted:.2f}" if row.wanted is not None else ""
        lines.append(f"{row.name:34} {row.against:32} {row.ratio:8.2f} {wanted:>8} {row.bound:8.2f}")
    return "\n".join(lines)


def _file(path: Path) -> ConfigurationFile:
    file, findings = read_configuration(path)
    assert file is not None, findings
    return file


class _NoWitness:
    """Knows nothing about figures and choices: only the rules are measured."""

    def evidence(self, part_id: str, field: str) -> tuple[None, None]:
        return None, None

    def candidate(self, part_id: str, field: str) -> None:
        return None

    def place(self, record: object) -> None:
        return None

    def part_place(self, part_id: str, field: str) -> None:
        return None

    def origin(self, read: object) -> str:
        return ""
