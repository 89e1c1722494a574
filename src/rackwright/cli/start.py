"""Entry point of the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. Exit codes: 0 clean, 1 findings at or above --fail-on, 2 could not do the job."""
    try:
        from rackwright.cli.commands import app

        app()
    except KeyboardInterrupt:
        print("interrupted; nothing was written", file=sys.stderr)
        raise SystemExit(130) from None
    except BrokenPipeError:  # the reader of our output went away: not our failure
        sys.stderr.close()
        raise SystemExit(0) from None
