"""Workload sizing: from the task to GPUs and nodes, with the sum on the table."""

from rackwright.sizing.decide import size
from rackwright.sizing.model import Assignment, CountAdvice, Link, Option, Sizing, Speed, Stance

__all__ = ["Assignment", "CountAdvice", "Link", "Option", "Sizing", "Speed", "Stance", "size"]
