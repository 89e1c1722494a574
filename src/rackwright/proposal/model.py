"""The view model of all documents. Texts are in the language of the document and ready to print.

Where an output needs the number itself (cells of a spreadsheet, lengths in a drawing) it stands beside the text.
Outputs never compute, translate or round.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from rackwright.diagnostic import Severity
from rackwright.frozen import frozen
from rackwright.proposal.money_model import Cited, Compliance, OfferView, Share, VatRow
from rackwright.proposal.money_model import Labelled as Labelled  # noqa: PLC0414 - part of this model
from rackwright.proposal.operation_model import OperationView
from rackwright.proposal.power_model import ElementHead, PowerSheets, SourceRow
from rackwright.proposal.sizing_model import GroupView, SizingView
from rackwright.verdict import Outcome, Status


@frozen(slots=True)
class FindingView:
    """A finding or open point as it is printed. `severity_label` and `outcome_label` are words, never colour alone.

    `related` are further places: of the part field that sets a limit.
    """

    code: str
    severity: Severity
    severity_label: str
    outcome: Outcome
    outcome_label: str
    subject: str
    title: str
    message: str
    fix: str = ""
    place: str = ""
    arithmetic: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    grade: str = ""
    waived: str = ""
    line: int = 0
    column: int = 0
    file: str = ""
    related: tuple[str, ...] = ()


@frozen(slots=True)
class OpenPoint:
    """A figure that is missing: of which part, why it matters (rules), and what is said about it unverified."""

    part: str
    figure: str
    rules: str
    candidate: str = ""


@frozen(slots=True)
class BomRow:
    """A row of the bill. `is_group` rows head a node and carry no part. Money is None where a price is on request.

    `is_multiplied` is False on the head of a group that is not made of equal nodes (rack equipment, services).
    `included_text` says of which position an item of price zero is part. `foreign_text` is the price of the list in its
    own currency. `role_label` is a word for options, alternatives and spares.
    """

    position: str
    is_group: bool
    title: str
    note: str
    maker: str
    mpn: str
    part_id: str
    kind_label: str
    count: int
    group_count: int
    total: int
    list_unit: Decimal | None
    discount_ratio: Decimal
    net_unit: Decimal | None
    net_total: Decimal | None
    list_unit_text: str
    discount_text: str
    net_unit_text: str
    net_total_text: str
    weight_kg: float | None = None
    power_w: float | None = None
    grade: str = ""
    lifecycle: str = ""
    is_multiplied: bool = True
    role_label: str = ""
    included_text: str = ""
    vat_category: str = ""
    vat_word: str = ""
    lead_time_days: int | None = None
    valid_until_iso: str = ""
    foreign_text: str = ""
    weight_source: Cited = Cited()
    power_source: Cited = Cited()
    compliance: Compliance = Compliance()


@frozen(slots=True)
class BomView:
    """The bill with its totals as text and number.

    `offered` are options and alternatives: heads and lines that are in no total. `vat_rows` has an entry for each VAT
    category, `vat_ratio` is the standard rate. `rate_texts` are the exchange rates that prices were converted by.
    """

    rows: tuple[BomRow, ...]
    currency: str
    subtotal: Decimal
    subtotal_text: str
    vat_ratio: Decimal | None
    vat_label: str
    vat: Decimal | None
    vat_text: str
    total: Decimal
    total_text: str
    is_complete: bool
    has_prices: bool
    completeness_text: str
    offered: tuple[BomRow, ...] = ()
    vat_rows: tuple[VatRow, ...] = ()
    rate_texts: tuple[str, ...] = ()
    shares: tuple[Share, ...] = ()


@frozen(slots=True)
class SlotView:
    """A slot in a drawing. `group` is the number of its bridge group, 0 if none. `state` is a word for the legend.

    `covered_by` is the name of the slot whose wide card takes this one.
    """

    name: str
    side: str
    lanes_text: str
    cpu: str
    card: str
    card_kind: str
    width_slots: int
    state: str
    group: int = 0
    covered_by: str = ""


@frozen(slots=True)
class BarView:
    """A bar against limits: supply capacity against draw, a phase against its breaker."""

    label: str
    value: float | None
    value_text: str
    limit: float | None
    limit_text: str
    second_limit: float | None = None
    second_limit_text: str = ""
    ratio_text: str = ""
    is_over: bool = False


@frozen(slots=True)
class PsuView:
    """A power supply in a drawing: its name, what it is, its bay and its feed (`A`, `B`, or empty)."""

    name: str
    title: str
    bay: str
    feed: str
    domain: str = ""


@frozen(slots=True)
class TopologyView:
    """A node of the PCIe tree: a CPU, a switch, a card or a group of drives. `link_text` is the link to its parent."""

    label: str
    detail: str
    kind: str
    link_text: str = ""
    children: tuple[TopologyView, ...] = ()


@frozen(slots=True)
class PeerRow:
    """A GPU in the matrix of peers: where it sits, and the code of the way to each device (`X` itself)."""

    name: str
    place: str
    codes: tuple[str, ...]


@frozen(slots=True)
class PeersView:
    """How GPUs reach GPUs and NICs, in the codes of `nvidia-smi topo -m`. `names` are the columns.

    `legend` says what each code means and what it carries, `nearest` the NIC nearest to each GPU, `switches` how much
    bandwidth hangs below each PCIe switch and its uplink.
    """

    names: tuple[str, ...]
    rows: tuple[PeerRow, ...]
    legend: tuple[Labelled, ...]
    nearest: tuple[Labelled, ...]
    switches: tuple[Labelled, ...]


@frozen(slots=True)
class NodeView:
    """One kind of server. `topology` has one tree a CPU; it is empty if the chassis's slots are not known.

    `power_numbers` has an entry for each of `power_lines`: count, watts each, watts together; None where not known.
    """

    id: str
    title: str
    count: int
    chassis: str
    mode: str
    figures: tuple[Labelled, ...]
    slots: tuple[SlotView, ...]
    slot_note: str
    modules: tuple[str, ...]
    power: tuple[BarView, ...]
    power_lines: tuple[tuple[str, str, str, str], ...]
    power_note: str
    psus: tuple[PsuView, ...] = ()
    topology: tuple[TopologyView, ...] = ()
    peers: PeersView | None = None
    power_numbers: tuple[tuple[int | None, float | None, float | None], ...] = ()


@frozen(slots=True)
class CordView:
    """A supply's cord at the back of a rack: the lowest unit of its server, supply, feed, PDU, outlet, phase.

    Texts are empty where they are not known.
    """

    unit_low_u: int
    server: str
    psu: str
    feed: str
    pdu: str
    outlet: str
    phase: str


@frozen(slots=True)
class RackItem:
    """Something in a rack: its lowest unit and height. `node` is the id of its NodeView, empty if it is none."""

    label: str
    unit_low_u: int
    height_u: int
    detail: str = ""
    node: str = ""


@frozen(slots=True)
class FailureRow:
    """A row of the failure replay: what is lost, and the load of each remaining element in percent of its limit.

    `loads` are the loads themselves, `load_texts` the same in print. `nodes` says what the nodes do, `servers_down`
    how many servers are down. `worst` is the column with the least margin.
    """

    lost: str
    cells: tuple[str, ...]
    ratios: tuple[float | None, ...]
    worst: int | None = None
    nodes: str = ""
    loads: tuple[float | None, ...] = ()
    load_texts: tuple[str, ...] = ()
    servers_down: int = 0


@frozen(slots=True)
class RackView:
    """A rack."""

    id: str
    title: str
    height_u: int
    items: tuple[RackItem, ...]
    figures: tuple[Labelled, ...]
    phases: tuple[BarView, ...]
    feeds: tuple[tuple[str, str, str], ...]
    failure_columns: tuple[str, ...] = ()
    failures: tuple[FailureRow, ...] = ()
    elements: tuple[ElementHead, ...] = ()
    sheets: PowerSheets = PowerSheets()
    cords: tuple[CordView, ...] = ()


@frozen(slots=True)
class WaiverView:
    """A waiver as it is printed."""

    rule: str
    at: str
    reason: str
    by: str
    until: str


@frozen(slots=True)
class About:
    """What the document was made from, so that it can be made again."""

    version: str
    configuration_sha256: str
    catalog_digest: str
    rules_digest: str
    date: str
    parts: int
    rules: int
    verdicts: int
    weakest_grade: str = ""


@frozen(slots=True)
class CertificateView:
    """The certificate as it is printed: what was found, the digests that name it, and what it leaves open."""

    found: tuple[Labelled, ...]
    digests: tuple[Labelled, ...]
    unknown: tuple[str, ...]
    waivers: tuple[str, ...]


@frozen(slots=True)
class Proposal:
    """Everything that documents print. `source_urls` has the web address of each of `sources`, empty if it has none.

    `sizing` is what the task of the first node with a workload needs, None if it cannot be worked out; `checklist` are
    the questions before buying.
    """

    language: str
    labels: Mapping[str, str]
    number: str
    title: str
    customer: str
    project: str
    issuer: str
    contact: str
    date_text: str
    date_iso: str
    valid_until_text: str
    status: Status
    status_label: str
    status_sentence: str
    is_draft: bool
    draft_reason: str
    summary: tuple[Labelled, ...]
    needs_attention: tuple[str, ...]
    nodes: tuple[NodeView, ...]
    racks: tuple[RackView, ...]
    findings: tuple[FindingView, ...]
    open_points: tuple[OpenPoint, ...]
    checks: tuple[FindingView, ...]
    waivers: tuple[WaiverView, ...]
    bom: BomView
    terms: tuple[str, ...]
    sources: tuple[str, ...]
    about: About
    configuration_text: str = ""
    configuration_name: str = "configuration.yaml"
    valid_until_iso: str = ""
    source_urls: tuple[str, ...] = ()
    certificate: CertificateView | None = None
    power_sources: tuple[SourceRow, ...] = ()
    operation: OperationView | None = None
    sizing: SizingView | None = None
    checklist: tuple[GroupView, ...] = ()
    offer: OfferView = OfferView()
    address: str = ""
    cover_text: str = ""
    footer: str = ""
