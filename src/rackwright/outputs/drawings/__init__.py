"""Drawings of a proposal as SVG text: pure functions of the view model. They scale lengths and compute nothing else."""

from __future__ import annotations

from rackwright.outputs.drawings.bars import bars, failure_bar, short_bars
from rackwright.outputs.drawings.icons import icon
from rackwright.outputs.drawings.rack import elevation, feeds
from rackwright.outputs.drawings.rear import rear
from rackwright.outputs.drawings.shares import shares
from rackwright.outputs.drawings.slots import slot_map
from rackwright.outputs.drawings.topology import topology
from rackwright.outputs.drawings.watermark import watermark

__all__ = [
    "bars",
    "elevation",
    "failure_bar",
    "feeds",
    "icon",
    "rear",
    "shares",
    "short_bars",
    "slot_map",
    "topology",
    "watermark",
]
