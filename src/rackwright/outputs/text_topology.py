"""Drawings for the terminal as plain lines: the PCIe tree, the matrix of peers, and a rack with its cords."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rackwright.proposal.model import Labelled, NodeView, PeersView, RackView, TopologyView


def topology_lines(node: NodeView, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the tree and of the matrix; none if nothing is known."""
    if node.topology:
        yield labels["topology"]
        for tree in node.topology:
            yield f"  {tree.label}  {tree.detail}".rstrip()
            yield from _below(tree, "  ")
    if node.peers is not None:
        yield labels["peers"]
        yield from _matrix(node.peers)
        yield from _labelled(node.peers.legend, "")
        yield from _labelled(node.peers.nearest, f"{labels['nearest_nic']}: ")
        yield from _labelled(node.peers.switches, "")


def rack_lines(rack: RackView, labels: Mapping[str, str]) -> Iterator[str]:
    """Yield a rack from the top down: the units of each server, what it is, and where its cords are plugged."""
    if not rack.items:
        return
    yield labels["elevation"]
    for item in sorted(rack.items, key=lambda item: -item.unit_low_u):
        top = item.unit_low_u + item.height_u - 1
        units = f"{item.unit_low_u}–{top}" if item.height_u > 1 else str(item.unit_low_u)
        yield f"  {units:>5} │ {item.label}  {item.detail}".rstrip()
        for cord in rack.cords:
            if (cord.unit_low_u, cord.server) == (item.unit_low_u, item.label):
                place = " ".join(part for part in (cord.pdu, cord.outlet, cord.phase) if part)
                yield f"        │   {cord.psu} → {place}"


def _below(tree: TopologyView, indent: str) -> Iterator[str]:
    for number, child in enumerate(tree.children, start=1):
        is_last = number == len(tree.children)
        text = "  ".join(part for part in (child.link_text, child.label, child.detail) if part)
        yield f"{indent}{'└─' if is_last else '├─'} {text}"
        yield from _below(child, indent + ("   " if is_last else "│  "))


def _matrix(peers: PeersView) -> Iterator[str]:
    columns = zip(peers.names, *(row.codes for row in peers.rows), strict=True)
    widths = [max(map(len, column)) + 2 for column in columns]
    first = max(len(row.name) for row in peers.rows) + 2
    yield "  " + " " * first + "".join(map(str.ljust, peers.names, widths)).rstrip()
    for row in peers.rows:
        yield f"  {row.name.ljust(first)}{''.join(map(str.ljust, row.codes, widths))}{row.place}".rstrip()


def _labelled(rows: tuple[Labelled, ...], before: str) -> Iterator[str]:
    width = max((len(row.label) for row in rows), default=0)
    for row in rows:
        note = f"  {row.note}" if row.note else ""
        yield f"  {row.label.ljust(width)}  {before}{row.value}{note}"
