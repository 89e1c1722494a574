"""The report on the terminal, word for word, as it was read and approved.

A change of catalog, rules or wording shows here as a difference to be read again. `RACKWRIGHT_UPDATE_GOLDEN=1 pytest
tests/examples/test_golden.py` writes the files anew; read the difference before it is committed.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from rackwright import api
from rackwright.outputs.text import write_text

from .running import example

GOLDEN = Path(__file__).parent / "golden"
WIDTH = 120

# The last line changes with every part file and rule, whether they concern the example or not.
_FOOT = re.compile(r"^\d+ checks by \d+ rules · catalog [0-9a-f]{16} · rules [0-9a-f]{16}$", re.MULTILINE)


def report(name: str) -> str:
    """The report of an example as `rackwright validate` prints it, in a terminal of fixed width."""
    run = example(name).run
    bill, _ = api.documents.priced(run)
    date = run.file.configuration.quote.date
    assert date is not None
    stream = io.StringIO()
    write_text(api.proposal_of(run, bill, date, plain=True), stream, width=WIDTH)
    text, feet = _FOOT.subn("<checks, rules and digests>", stream.getvalue())
    assert feet == 1
    return text


@pytest.mark.parametrize("name", ["inference-4x-l40s", "nvlink-4x-h100", "rack-ab"])
def test_report_on_the_terminal(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = report(name)
    if os.environ.get("RACKWRIGHT_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")

    assert text == path.read_text(encoding="utf-8")
