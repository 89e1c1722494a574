"""Workloads: what they are, which models they run, and the arithmetic of memory and speed. Pure, no parts of nodes."""
