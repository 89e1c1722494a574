"""The view model of operating cost. Texts are in the language of the document and ready to print."""

from __future__ import annotations

from rackwright.frozen import frozen


@frozen(slots=True)
class UseRow:
    """What one kind of node costs at one utilisation."""

    node: str
    utilisation_text: str
    energy_text: str
    energy_cost_text: str
    yearly_text: str
    gpu_hour_text: str


@frozen(slots=True)
class ComparisonView:
    """One large node against several smaller ones. Rows: use, GPUs at work, smaller nodes, both costs, the cheaper."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    conclusion: str


@frozen(slots=True)
class OperationView:
    """What running the order costs. `figures` are labels with values."""

    figures: tuple[tuple[str, str], ...]
    rows: tuple[UseRow, ...]
    comparisons: tuple[ComparisonView, ...] = ()
    notes: tuple[str, ...] = ()
