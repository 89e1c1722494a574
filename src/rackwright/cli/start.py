"""Entry point of the command line."""

from __future__ import annotations

import copy
import gc
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from typer import Typer


def main() -> None:
    """Run the command line.

    Exit codes: 0 clean. 1 there are findings at or above --fail-on, also if the configuration is no configuration at
    all. 2 the job could not be done: a file or folder that was named cannot be opened, an option cannot be served,
    the rules have errors, the output cannot be written, or rackwright itself failed. 128 and the number of the signal
    if it was interrupted (130 for Ctrl-C); nothing half-written is left then.
    """
    gc.disable()  # until all modules are there: none of it is garbage, and looking for it takes a tenth of the time
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), _interrupted)
    if hasattr(signal, "SIGPIPE"):  # the reader of our output went away: end as any other tool does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without these characters shows ?
            stream.reconfigure(errors="replace")
    try:
        run()
    finally:
        _drop_what_cannot_be_written()
        gc.freeze()  # or Python looks for garbage once more before it ends


def run() -> None:
    """Run the command that the arguments ask for, and tell what goes wrong in one line."""
    from rackwright.errors import RackwrightError

    plain = _plain_validate(sys.argv[1:])
    try:
        if plain is None:
            from rackwright.cli.commands import app
        else:
            from rackwright.cli.validate import validated

        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        try:
            if plain is None:
                _asked_of(app, sys.argv[1:2])(prog_name="rackwright")
            else:
                raise SystemExit(validated(plain))
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except RackwrightError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
    except Exception as error:
        if os.environ.get("RACKWRIGHT_TRACEBACK"):
            raise
        _fail(f"{_described(error)}. This is a defect of rackwright: please report it, with the output of the same "
              "command under RACKWRIGHT_TRACEBACK=1")  # fmt: skip


def _plain_validate(words: list[str]) -> Path | None:
    """Return the configuration if the command is `validate CONFIGURATION` without any option.

    That is what editors, hooks and loops in a shell start, and typer takes a third of its time (ADR 0006). Whatever has
    an option goes through typer, which ends in the same function.
    """
    if len(words) == 2 and words[0] == "validate" and words[1] and not words[1].startswith("-"):
        return Path(words[1])
    return None


def _asked_of(app: Typer, words: list[str]) -> Typer:
    """Return the app without the commands that were not asked for: typer inspects each that it knows, 1 ms a piece."""
    named = {command.name or getattr(command.callback, "__name__", ""): command for command in app.registered_commands}
    asked = [named[word] for word in words if word in named]
    if not asked:
        return app
    lean = copy.copy(app)  # the app itself stays whole: it may be run again in the same process
    lean.registered_commands, lean.registered_groups = asked, []
    return lean


def _interrupted(number: int, _frame: object) -> NoReturn:
    os.write(2, b"rackwright: interrupted\n")  # not through sys.stderr, which may be in use at this moment
    raise SystemExit(128 + number)


def _fail(reason: str) -> NoReturn:
    from rackwright.diagnostic import harmless

    print(f"rackwright: {harmless(reason)}", file=sys.stderr)
    raise SystemExit(2)


def _drop_what_cannot_be_written() -> None:
    """Let what is left in a stream go: Python would try it once more at the end, and complain in its own words."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _described(error: Exception) -> str:
    """Say what went wrong, and where in rackwright's own modules."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename.replace(os.sep, "/")
        if "/rackwright/" in file:
            place = f" ({file.rpartition('/rackwright/')[2]}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error}"[:300] + place
