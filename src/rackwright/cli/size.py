"""`rackwright size`: from a workload to GPUs, servers and complete configurations."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from rackwright import api
from rackwright.cli.common import print_findings, say, shown_path, workshop
from rackwright.cli.options import CatalogOption, LanguageOption, PricesOption, RulesOption, VerboseOption
from rackwright.configuration import SizingFile
from rackwright.diagnostic import Severity
from rackwright.errors import UsageError

# From when on progress is told, in seconds.
_PATIENCE_S = 0.5


class SizeFormat(StrEnum):
    """Formats of the answer."""

    TEXT = "text"
    JSON = "json"


def size(
    workload: Annotated[
        Path | None, typer.Argument(metavar="[WORKLOAD]", help="Workload file, or a configuration with a workload.")
    ] = None,
    task: Annotated[
        str | None, typer.Option("--task", help="llm-inference, fine-tuning, training, rendering or vdi.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Model of the catalog, or a Hugging Face config.json.")
    ] = None,
    precision: Annotated[
        str | None, typer.Option("--precision", help="Number format of the weights: bf16, fp8, int4 …")
    ] = None,
    context: Annotated[
        int | None, typer.Option("--context", help="Tokens of prompt and answer that 95 of 100 requests stay below.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option("--concurrency", help="Requests at the same time.")] = None,
    method: Annotated[str | None, typer.Option("--method", help="Fine-tuning: full, lora or qlora.")] = None,
    scene_gb: Annotated[
        float | None, typer.Option("--scene-gb", help="Rendering: memory of the largest scene.")
    ] = None,
    engine: Annotated[str | None, typer.Option("--engine", help="Rendering: the render engine.")] = None,
    profile: Annotated[
        list[str] | None, typer.Option("--profile", metavar="PROFILE=USERS", help="VDI: 4Q=20; repeatable.")
    ] = None,
    gpu: Annotated[list[str] | None, typer.Option("--gpu", metavar="ID", help="Only this GPU; repeatable.")] = None,
    chassis: Annotated[
        list[str] | None, typer.Option("--chassis", metavar="ID", help="Only this chassis; repeatable.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Follow up every option, which takes longer.")] = False,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write the configuration of a variant to FILE.")
    ] = None,
    variant: Annotated[
        str, typer.Option("--variant", metavar="NUMBER", help="The variant to write: its number or its key.")
    ] = "1",
    format_: Annotated[SizeFormat, typer.Option("-f", "--format", help="Format of the answer.")] = SizeFormat.TEXT,
    language: LanguageOption = None,
    prices: PricesOption = None,
    catalog: CatalogOption = None,
    rules: RulesOption = None,
    verbose: VerboseOption = 0,
) -> None:
    """Work out what a task needs, and compare complete servers for it."""
    said = {
        "task": task, "model": model, "precision": precision, "context_tokens": context,
        "concurrent_requests": concurrency, "method": method, "scene_gb": scene_gb, "engine": engine,
        "profiles": _profiles(profile),
    }  # fmt: skip
    loaded = workshop(catalog, rules)
    file = _request(workload, said, gpu or ())
    _check_chassis(chassis or (), loaded)
    from rackwright.api.sizing import VARIANTS, size_request

    answer = size_request(
        file,
        loaded,
        prices=prices or (),
        variants=None if every else VARIANTS,
        chassis=chassis or (),
        progress=_Progress(),
    )
    errors = [item for item in answer.sizing.findings if item.severity is Severity.ERROR]
    print_findings([*answer.findings, *(errors if format_ is SizeFormat.TEXT else ())], sys.stderr)
    _print(answer, loaded, format_, language or file.request.quote.language, verbose)
    if write is not None:
        _write(answer, variant, write)
    raise typer.Exit(1 if errors or answer.best is None else 0)


def _print(answer: Any, loaded: api.Workshop, format_: SizeFormat, language: str, verbose: int) -> None:
    from rackwright.api.sizing_documents import sizing_report_of, sizing_view_of

    view, labels = sizing_view_of(answer, language, plain=format_ is SizeFormat.TEXT)
    if format_ is SizeFormat.JSON:
        if isinstance(sys.stdout, TextIOWrapper):  # for programs: no character may be lost
            sys.stdout.reconfigure(encoding="utf-8")
        print(sizing_report_of(answer, view, loaded).model_dump_json(indent=2))
    else:
        from rackwright.outputs.sizing_text import write_sizing

        write_sizing(view, labels, sys.stdout, verbose=verbose)


def _request(path: Path | None, said: dict[str, Any], gpus: list[str] | tuple[str, ...]) -> SizingFile:
    """Read the workload file, or put the request together from options. Exits with 1 and the findings if it is none."""
    from rackwright.readers.sizing_file import read_sizing, sizing_of

    stated = {name: value for name, value in said.items() if value is not None and value != []}
    if path is not None:
        if stated:
            raise UsageError("give a workload file or options that describe the task, not both")
        place = path / "workload.yaml" if path.is_dir() else path
        file, findings = read_sizing(place, shown_path(place))
        if file is not None and gpus:
            from rackwright.api.sizing_documents import with_gpus

            file = with_gpus(file, gpus)
    else:
        if not stated:
            raise UsageError(
                "name a workload file, or describe the task: rackwright size --model MODEL --context TOKENS"
            )
        stated.setdefault("task", _task_of(stated))
        file, findings = sizing_of({"workload": stated, "limits": {"gpus": list(gpus)}})
    if file is None:
        print_findings(findings, sys.stderr)
        raise typer.Exit(2 if any(item.code == "CFG001" for item in findings) else 1)
    return file


def _task_of(stated: dict[str, Any]) -> str:
    """The kind of task that options stand for where none is named."""
    if "method" in stated:
        return "fine-tuning"
    if "profiles" in stated:
        return "vdi"
    return "rendering" if "scene_gb" in stated or "engine" in stated else "llm-inference"


def _profiles(texts: list[str] | None) -> list[dict[str, Any]]:
    profiles = []
    for text in texts or ():
        name, _, users = text.partition("=")
        if not users.isdecimal():
            raise UsageError(f"'{text}' is no profile: write PROFILE=USERS, e.g. 4Q=20")
        profiles.append({"profile": name, "users": int(users)})
    return profiles


def _check_chassis(names: list[str] | tuple[str, ...], loaded: api.Workshop) -> None:
    for name in names:
        part = loaded.catalog.find(name)
        if part is None or part.kind != "chassis":
            near = [item for item in loaded.catalog.nearest(name, 8) if loaded.catalog.parts[item].kind == "chassis"]
            raise UsageError(f"there is no chassis {name}" + (f"; did you mean {', '.join(near[:3])}?" if near else ""))


def _write(answer: Any, wanted: str, place: Path) -> None:
    from rackwright.api.sizing_documents import configuration_text, variant_named
    from rackwright.outputs.files import write_bytes_atomic

    chosen = variant_named(answer, wanted)
    if chosen is None:
        keys = ", ".join(f"{n} ({v.option.key})" for n, v in enumerate(answer.variants, 1) if v.run is not None)
        raise UsageError(f"there is no variant {wanted} to write" + (f"; there are {keys}" if keys else ""))
    path = place / "configuration.yaml" if place.is_dir() else place
    if path.exists() or path.is_symlink():
        raise UsageError(f"{path} is there already")
    write_bytes_atomic(path, configuration_text(answer, chosen).encode())
    say(str(path), sys.stderr)
    say(f"next: rackwright quote {path}", sys.stderr)


class _Progress:
    """Tells on a terminal what is being done, once it takes longer than a moment."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, step: str) -> None:
        if self._is_shown and time.monotonic() - self._start > _PATIENCE_S:
            say(f"… {step}", sys.stderr)
