"""What a node must have beside its GPUs, before any part is chosen."""

from __future__ import annotations

from rackwright.catalog import Part
from rackwright.configuration import PartLine, Site
from rackwright.frozen import frozen
from rackwright.workloads.shape import Workload


@frozen(slots=True)
class Adapters:
    """So many equal network adapters, each with at least these ports at this rate."""

    count: int
    ports: int
    port_gbit_s: float


@frozen(slots=True)
class NodeNeed:
    """The request for one kind of node.

    `memory_gb`: main memory at least. `cores`: processor cores of the node at least. `clock_min_ghz`: base clock that
    is preferred, 0 if any. `storage_gb`: what must be kept on drives. `joined` GPUs exchange data all the time and are
    joined by bridges where there are any; 1 = each works alone. `allowance_ratio` and `allowance_min_w`: the assumed
    draw of fans, board and small parts, as a share of the stated draw, and at least. `redundancy` is what the user
    asks for, None = the best that the chassis's maker offers.
    """

    id: str
    title: str
    gpu: Part
    gpus: int
    nodes: int
    workload: Workload | None
    site: Site
    memory_gb: float
    cores: int
    clock_min_ghz: float
    storage_gb: float
    adapters: tuple[Adapters, ...]
    joined: int
    allowance_ratio: float
    allowance_min_w: float
    headroom_ratio: float
    redundancy: str | None = None
    racks: tuple[str, ...] = ()


@frozen(slots=True)
class Choices:
    """What checks of an earlier attempt have settled: further lines, a mode, supplies, processor families.

    Empty texts and tuples settle nothing. `psu_skip` takes the next larger supplies.
    """

    lines: tuple[PartLine, ...] = ()
    mode: str = ""
    psus: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    psu_skip: int = 0


NOTHING_SETTLED = Choices()
