"""Print all ratios: `python tests/benchmarks/run.py`.

engines.py, run likewise, compares twenty rules with CEL and clingo, which it needs installed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent / "src")]


def main() -> None:
    """Measure, and print the table."""
    from benchmarks.ratios import ALL, rows_of, table

    with tempfile.TemporaryDirectory() as folder:
        rows = [row for measured in ALL for row in rows_of(measured, Path(folder))]
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
