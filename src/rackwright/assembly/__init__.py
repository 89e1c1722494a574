"""A complete node from a GPU and a number: chassis, host, power and what must come along, all chosen from the catalog.

Choices rest on fields of part files alone; no part is named in code. What is chosen here is proposed, never judged:
every node that comes out goes through the same validation as a configuration that a person wrote.
"""

from rackwright.assembly.assemble import Assembled, assemble
from rackwright.assembly.chassis import Offer, offers
from rackwright.assembly.need import Adapters, Choices, NodeNeed
from rackwright.assembly.stock import Stock

__all__ = ["Adapters", "Assembled", "Choices", "NodeNeed", "Offer", "Stock", "assemble", "offers"]
