"""Lines on a terminal: in colour where the stream shows colours, else as plain text. Nothing in them is obeyed."""

from __future__ import annotations

import os
from typing import Self, TextIO

from rackwright.diagnostic import harmless


class Line:
    """A line for the terminal. Whatever text goes in, the terminal obeys nothing in it.

    `pieces` are texts with their styles; the style of the first is that of the whole line.
    """

    def __init__(self, text: str = "", style: str = "") -> None:
        self.pieces = [(harmless(text), style)]

    def append(self, text: str, style: str = "") -> Self:
        """Add a piece of text with its own style."""
        self.pieces.append((harmless(text), style))
        return self


class Screen:
    """Prints lines: through rich where a stream shows colours, else as plain text, without the cost of loading rich."""

    def __init__(self, stream: TextIO, width: int | None = None) -> None:
        self._stream = stream
        self._console = None
        # rich decides about colours by more than this, but never shows them without it
        if stream.isatty() or os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE"):
            from rich.console import Console

            self._console = Console(file=stream, highlight=False, width=width, soft_wrap=True)

    def print(self, line: Line | None = None) -> None:
        """Print a line, an empty one by default."""
        first, *others = line.pieces if line is not None else [("", "")]
        if self._console is None:
            self._stream.write("".join([first[0], *(text for text, _ in others)]) + "\n")
            return
        from rich.text import Text

        whole = Text(*first)
        for text, style in others:
            whole.append(text, style)
        self._console.print(whole)
