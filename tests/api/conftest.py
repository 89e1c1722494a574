"""One workshop for all tests of the api; the cache is that of the whole test run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import api

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def workshop() -> api.Workshop:
    return api.load_workshop()


@pytest.fixture(scope="session")
def pairs(workshop: api.Workshop) -> api.Run:
    """Four H100 as two bridged pairs: 2 x 350 W + 4 x 350 W + 450 W on two supplies of 2 800 W, one of them spare."""
    path = ROOT / "examples/nvlink-4x-h100/configuration.yaml"
    run, _ = api.validate_file(path, workshop, shown="configuration.yaml", today="2026-12-01", detail=True)
    assert run is not None
    return run
