"""The report for the terminal: the verdict in one line, findings with place and fix, one screen of key figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TextIO

from rackwright.outputs.screen import Line as _Line
from rackwright.outputs.screen import Screen as _Screen
from rackwright.outputs.text_topology import rack_lines, topology_lines
from rackwright.proposal.model import BarView, FailureRow, FindingView, NodeView, Proposal, RackView, SlotView
from rackwright.proposal.operation_model import OperationView
from rackwright.verdict import Outcome, Status

# shape, colour: a status is never told by colour alone
_STATUS = {Status.VALID: ("●", "green"), Status.OPEN: ("▲", "yellow"), Status.INVALID: ("■", "red")}
_SEVERITY = {"error": "bold red", "warning": "yellow", "advice": "cyan"}
_BAR_CELLS = 28


def write_text(proposal: Proposal, stream: TextIO, *, verbose: int = 0, width: int | None = None) -> None:
    """Print the report. `verbose` 1 adds arithmetic, sources, topology and racks, 2 every check that passed."""
    console = _Screen(stream, width)
    _head(console, proposal)
    lines = proposal.configuration_text.splitlines()
    for view in proposal.findings:
        if view.outcome is not Outcome.UNKNOWN or view.waived or verbose:
            _finding(console, view, lines, proposal.configuration_name, verbose)
    _open_points(console, proposal)
    if not verbose:
        _undecided(console, proposal)
    for node in proposal.nodes:
        _node(console, node, proposal, verbose)
    for source in proposal.power_sources:
        worst = f"{source.worst_text} / {source.limit_text} ({source.worst_loss})"
        line = f"{source.line_text} / {source.line_limit_text}"
        text = f"{source.label}  {source.normal_text} · {worst} · {line}"
        console.print(_Line(text, style="red" if source.is_over else ""))
    for rack in proposal.racks:
        _rack(console, rack, proposal.labels, verbose)
    if proposal.operation is not None:
        _operation(console, proposal.operation, proposal.labels)
    if verbose > 1:
        _checks(console, proposal.checks)
    _foot(console, proposal)


def write_findings(findings: Sequence[FindingView], stream: TextIO, text: str = "", name: str = "") -> None:
    """Print findings alone: for a file that could not be used."""
    console = _Screen(stream)
    for view in findings:
        _finding(console, view, text.splitlines(), name, 0)


def _head(console: _Screen, proposal: Proposal) -> None:
    shape, colour = _STATUS[proposal.status]
    title = " · ".join(part for part in (proposal.configuration_name, proposal.number, proposal.title) if part)
    console.print(_Line(title, style="bold"))
    line = _Line()
    line.append(f"{shape} {proposal.status_label.upper()}", style=f"bold {colour}")
    line.append(f"  {proposal.status_sentence}")
    console.print(line)
    if proposal.is_draft:
        console.print(_Line(f"DRAFT  {proposal.draft_reason}", style="bold red"))
    console.print()


def _finding(console: _Screen, view: FindingView, lines: list[str], name: str, verbose: int) -> None:
    head = _Line()
    label = view.severity_label
    if view.outcome is Outcome.UNKNOWN:
        label = f"{view.outcome_label} ({view.severity_label})"
    if view.waived:
        label = f"waived {view.severity_label}"
    head.append(label, style="dim" if view.waived else _SEVERITY[view.severity.value])
    head.append(f" {view.code}", style="bold")
    if view.subject:
        head.append(f"  {view.subject}")
    console.print(head)
    if view.title:
        console.print(_Line(f"  {view.title}", style="dim"))
    console.print(_Line(f"  {view.message}"))
    if view.place:
        console.print(_Line(f"  --> {view.place}", style="blue"))
        _caret(console, view, lines, name)
    for place in view.related:
        console.print(_Line(f"  ... {place}", style="blue"))
    if view.fix:
        console.print(_Line(f"  fix: {view.fix}"))
    if view.waived:
        console.print(_Line(f"  waived: {view.waived}"))
    if verbose:
        for line in view.arithmetic:
            console.print(_Line(f"      {line}", style="dim"))
        for source in view.sources:
            console.print(_Line(f"      source: {source}", style="dim"))
    console.print()


def _caret(console: _Screen, view: FindingView, lines: list[str], name: str) -> None:
    if view.file != name or not 1 <= view.line <= len(lines):
        return
    source = lines[view.line - 1].replace("\t", " ")
    if len(source) > 160:
        return
    number = f"{view.line:>6}"
    console.print(_Line(f"{number} | {source}", style="dim"))
    console.print(_Line(f"{'':>6} | {' ' * max(view.column - 1, 0)}^", style="dim"))


def _open_points(console: _Screen, proposal: Proposal) -> None:
    if not proposal.open_points:
        return
    console.print(_Line(proposal.labels["points_to_confirm"], style="bold"))
    for point in proposal.open_points:
        line = _Line(f"  ▲ {point.figure}")
        line.append(f"  {point.part}", style="dim")
        if point.candidate:
            line.append(f"  {proposal.labels['candidate'].lower()}: {point.candidate}", style="dim")
        line.append(f"  [{point.rules}]", style="dim")
        console.print(line)
    console.print()


def _undecided(console: _Screen, proposal: Proposal) -> None:
    """One line for what could not be decided and would not stop the order: -v prints each."""
    unknown = [view for view in proposal.findings if view.outcome is Outcome.UNKNOWN and not view.waived]
    lesser = [view for view in unknown if view.severity.value != "error"]
    if lesser:
        codes = ", ".join(dict.fromkeys(view.code for view in lesser))
        text = f"{len(lesser)} checks of lesser weight could not be decided (-v shows them): {codes}"
        console.print(_Line(text, style="dim"))
        console.print()


def _node(console: _Screen, node: NodeView, proposal: Proposal, verbose: int) -> None:
    title = _Line(f"{node.id}", style="bold")
    title.append(f"  {node.count} × {node.chassis}" + (f", {node.mode}" if node.mode else ""))
    console.print(title)
    width = max((len(figure.label) for figure in node.figures), default=0)
    for figure in node.figures:
        console.print(_Line(f"  {figure.label:<{width}}  {figure.value}"))
    if node.modules:
        console.print(_Line(f"  {len(node.modules)} × {node.modules[0]}"))
    if node.slot_note:
        console.print(_Line(f"  {node.slot_note}", style="dim"))
    for line in _slot_lines(node.slots):
        console.print(line)
    for bar in node.power:
        console.print(_bar(bar.label, bar.value, bar.limit, _bar_text(bar, proposal), bar.ratio_text))
    if verbose:
        for text in topology_lines(node, proposal.labels):
            console.print(_Line(f"  {text}"))
    console.print()


def _slot_lines(slots: Sequence[SlotView]) -> list[_Line]:
    lines = []
    for slot in slots:
        if slot.state == "free" and not slot.card:
            continue
        line = _Line(f"  {slot.name:>4} ")
        line.append(f"{slot.lanes_text:<10}", style="dim")
        line.append(slot.card or f"({slot.state})")
        if slot.cpu:
            line.append(f"  CPU {slot.cpu}", style="dim")
        if slot.group:
            line.append(f"  ⇄ {slot.group}", style="cyan")
        lines.append(line)
    return lines


def _bar_text(bar: BarView, proposal: Proposal) -> str:
    """`2 300 W / 2 400 W after a loss, 4 800 W all supplies`; the second limit only where it is another one."""
    text = f"{bar.value_text} / {bar.limit_text}"
    if bar.second_limit is not None and bar.second_limit != bar.limit:
        labels = proposal.labels
        text += f" {labels['limit_after_loss']}, {bar.second_limit_text} {labels['limit_full']}"
    return text


def _bar(label: str, value: float | None, limit: float | None, text: str, ratio: str) -> _Line:
    line = _Line(f"  {label:<22} ")
    if value is not None and limit:
        filled = min(round(value / limit * _BAR_CELLS), _BAR_CELLS)
        line.append("█" * filled, style="red" if value > limit else "green")
        line.append("░" * (_BAR_CELLS - filled), style="dim")
        line.append(" ")
    line.append(f"{text}  {ratio}".rstrip())
    return line


def _rack(console: _Screen, rack: RackView, labels: Mapping[str, str], verbose: int) -> None:
    console.print(_Line(f"{rack.id}  {rack.title}", style="bold"))
    for figure in rack.figures:
        line = _Line(f"  {figure.label}  {figure.value}")
        console.print(line.append(f"  {figure.note}" if figure.note else "", style="dim"))
    for feed, pdu, circuit in rack.feeds:
        console.print(_Line(f"  {feed}: {pdu}, {circuit}"))
    for bar in rack.phases:
        console.print(_bar(bar.label, bar.value, bar.limit, f"{bar.value_text} / {bar.limit_text}", bar.ratio_text))
    for text in rack_lines(rack, labels) if verbose else ():
        console.print(_Line(f"  {text}"))
    if rack.elements:
        _failures(console, rack, labels, verbose)
    console.print()


def _failures(console: _Screen, rack: RackView, labels: Mapping[str, str], verbose: int) -> None:
    """The failure replay: losses with the same tightest element together; with -v each alone with all loads."""
    console.print(_Line(f"  {labels['failures']}", style="bold"))
    groups: dict[tuple[str, str], list[FailureRow]] = {}
    for row in rack.failures:
        groups.setdefault((_tightest(rack, row), row.nodes), []).append(row)
    for (tightest, nodes), rows in groups.items():
        is_over = any(ratio is not None and ratio > 1 for row in rows for ratio in row.ratios)
        console.print(_Line(f"  {tightest}  {nodes}", style="red" if is_over else ""))
        if not verbose:
            console.print(_Line(f"    {', '.join(row.lost for row in rows)}", style="dim"))
            continue
        for row in rows:
            loads = zip(rack.elements, row.load_texts, row.cells, strict=True)
            texts = [f"{head.label} {load} {head.unit} {cell}".rstrip() for head, load, cell in loads]
            console.print(_Line(f"    {row.lost}: {' · '.join(texts)}", style="dim"))


def _tightest(rack: RackView, row: FailureRow) -> str:
    """`R1/A1/L1 22.00 / 32.00 A  68.7 %`."""
    if row.worst is None:
        return "–"
    head = rack.elements[row.worst]
    return f"{head.label} {row.load_texts[row.worst]} / {head.limit_text} {head.unit}  {row.cells[row.worst]}"


def _operation(console: _Screen, operation: OperationView, labels: Mapping[str, str]) -> None:
    console.print(_Line(labels["operation"], style="bold"))
    for label, value in operation.figures:
        console.print(_Line(f"  {label}  {value}"))
    for row in operation.rows:
        hour = f"{labels['gpu_hour']} {row.gpu_hour_text}"
        costs = " · ".join((row.energy_text, row.energy_cost_text, row.yearly_text, hour))
        console.print(_Line(f"  {row.node} {row.utilisation_text:>6}  {costs}"))
    for comparison in operation.comparisons:
        console.print(_Line(f"  {comparison.title}", style="bold"))
        for cells in comparison.rows:
            console.print(_Line(f"  {' · '.join(cells)}"))
        console.print(_Line(f"  {comparison.conclusion}"))
    for note in operation.notes:
        console.print(_Line(f"  {note}", style="dim"))
    console.print()


def _checks(console: _Screen, checks: Sequence[FindingView]) -> None:
    for check in checks:
        if check.outcome is Outcome.PASS:
            line = _Line(f"  {check.outcome_label} {check.code}", style="green")
            line.append(f"  {check.subject}  {check.title}", style="dim")
            console.print(line)
    console.print()


def _foot(console: _Screen, proposal: Proposal) -> None:
    about = proposal.about
    bom = proposal.bom
    if bom.has_prices:
        console.print(_Line(f"{bom.subtotal_text}  {bom.completeness_text}"))
    digests = f"catalog {about.catalog_digest} · rules {about.rules_digest}"
    console.print(_Line(f"{about.verdicts} checks by {about.rules} rules · {digests}", style="dim"))
