"""Renew the pictures of the README. Run it in the root of a checkout, with poppler-utils installed:

.venv/bin/python docs/images/make.py
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

EXAMPLE = "examples/inference-4x-l40s"
HERE = Path(__file__).resolve().parent
WIDTH = 118
DOTS_PER_INCH = 110

_PAPER, _INK = (16, 24, 32), (214, 222, 230)
_COLOURS = [(240, 110, 110), (120, 200, 140), (235, 190, 95), (110, 165, 240), (200, 140, 230), (95, 200, 215)]
_THEME = TerminalTheme(_PAPER, _INK, [_PAPER, *_COLOURS, _INK], [(110, 125, 140), *_COLOURS, (255, 255, 255)])
# As rich writes it, without the web font: a picture fetches nothing.
_SVG = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def _rackwright(*arguments: str) -> str:
    """Run rackwright and return what it prints, with colours."""
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "rackwright", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def report() -> None:
    """Draw what the terminal shows."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ rackwright validate {EXAMPLE}", style="bold"))
    console.print(Text.from_ansi(_rackwright("validate", EXAMPLE)))
    svg = console.export_svg(title="rackwright", theme=_THEME, code_format=_SVG, unique_id="report")
    (HERE / "report.svg").write_text(svg, encoding="utf-8")


def proposal() -> None:
    """Draw the first page of the proposal."""
    with tempfile.TemporaryDirectory() as folder:
        _rackwright("quote", EXAMPLE, "-q", "-o", folder)
        page = Path(folder) / "page"
        pdf = page.with_name("proposal.pdf")
        subprocess.run(["pdftoppm", "-r", str(DOTS_PER_INCH), "-png", "-singlefile", pdf, page], check=True)
        picture = Image.open(page.with_suffix(".png")).convert("P", palette=Image.Palette.ADAPTIVE, colors=64)
        picture.save(HERE / "proposal.png", optimize=True)


if __name__ == "__main__":
    report()
    proposal()
