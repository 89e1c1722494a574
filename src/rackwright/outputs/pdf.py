"""The proposal as PDF/A-3: lays out the view model with the templates of a folder. Computes and translates nothing."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.errors import OutputError
from rackwright.outputs import drawings
from rackwright.outputs.drawings.metrics import capped, text_width
from rackwright.outputs.pdf_file import AttachmentLike, attached, fetcher_of, finisher_of, identifier_of
from rackwright.outputs.pdf_house import Look, markup, recoloured_by
from rackwright.proposal.house import HouseStyle
from rackwright.proposal.model import BomRow, BomView, FailureRow, FindingView, NodeView, Proposal, RackView
from rackwright.units import UNIT_SYMBOLS
from rackwright.verdict import Outcome, Status

if TYPE_CHECKING:
    from markupsafe import Markup

# From this many rows on the bill shows groups only; the spreadsheet has every line.
BOM_ROWS_MAX = 300
# Columns of the failure matrix that fit a page, beside the lost element and what the servers do.
MATRIX_COLUMNS_MAX = 9
# The first page: width of a text column in points at the size of the body, and lines that fit a list.
_COLUMN_PT, _BODY_PT = 228.0, 8.7
_LIST_LINES = 13
_NARROW_SPACE = "\u202f"
_UNITS = "|".join(re.escape(symbol) for symbol in sorted({*UNIT_SYMBOLS, "%", "TB", "TiB"}, key=len, reverse=True))
_BREAKS = re.compile(rf"(?<=\d) (?=(?:{_UNITS})(?![\w/]))|(?<=\d) (?=\d{{3}}(?!\d))")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that travels inside the PDF."""

    name: str
    data: bytes
    description: str
    relationship: str = "Data"


@dataclass(frozen=True, slots=True)
class Told:
    """A finding with all subjects of which the same is said."""

    view: FindingView
    subjects: str
    icon: str


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of a wide table that are printed together, by their numbers."""

    columns: tuple[int, ...]
    is_last: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """The head of a list on the first page, and how many entries did not fit."""

    shown: tuple[tuple[str, str], ...]
    more: int


def write_pdf(
    proposal: Proposal,
    templates: Path,
    *,
    attachments: Sequence[AttachmentLike] = (),
    house: HouseStyle | None = None,
) -> bytes:
    """Return the proposal as the bytes of a PDF that keeps to PDF/A-3a and PDF/UA-1.

    `templates` is the folder that holds `proposal/proposal.html.j2`.

    `house` brings logo, colours and fonts of the seller. Nothing is read but files of that folder. Same proposal,
    templates, fonts and attachments, same bytes.
    Errors: OutputError if a template is broken or refers to anything else, or two attachments have one name.
    """
    import weasyprint
    from jinja2 import TemplateError
    from weasyprint.urls import FatalURLFetchingError

    folder = (templates / "proposal").resolve()
    files = sorted(attachments, key=lambda file: file.name)
    if len({file.name for file in files}) != len(files):
        raise OutputError("two attachments have the same name")
    try:
        html = render_html(proposal, folder, attachments=files, house=house)
        fetcher = fetcher_of(folder, recoloured_by(house))
        document = weasyprint.HTML(string=html, base_url=folder.as_uri() + "/", url_fetcher=fetcher)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # WeasyPrint leaves its colour profile open
            data: bytes = document.write_pdf(
                pdf_variant="pdf/a-3a",
                pdf_identifier=identifier_of(proposal),
                attachments=attached(files, proposal.date_iso),
                finisher=finisher_of(files),
            )
    except TemplateError as error:
        place = f"{getattr(error, 'name', None) or 'proposal.html.j2'}:{getattr(error, 'lineno', None) or 0}"
        raise OutputError(f"the template {place} is broken: {error.message}") from error
    except FatalURLFetchingError as error:
        raise OutputError(f"the template refers to something outside of its folder: {error}") from error
    if fetcher.denied:  # inside drawings WeasyPrint goes on without the picture
        raise OutputError(f"the template refers to something outside of its folder: {fetcher.denied[0]}")
    return data


def render_html(
    proposal: Proposal,
    folder: Path,
    *,
    attachments: Sequence[AttachmentLike] = (),
    house: HouseStyle | None = None,
) -> str:
    """Return the page that the PDF is made of. `folder` holds the templates."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_glue,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["capped"] = capped
    environment.filters["filled"] = lambda text, **holes: _fill(text, holes)
    template = environment.get_template("proposal.html.j2")
    return template.render(
        p=proposal,
        t=proposal.labels,
        page=Layout(proposal, attachments),
        pictures=Pictures(proposal, recoloured_by(house)),
        house=Look(house or HouseStyle()),
    )


def _glue(value: Any) -> Any:
    """Keep a number and its unit, and the groups of a number, on one line. Ready markup passes untouched."""
    if type(value) is str:
        return _BREAKS.sub(_NARROW_SPACE, value)
    return value


def _fill(text: str, holes: Mapping[str, object]) -> str:
    for name, value in holes.items():
        text = text.replace("{" + name + "}", str(value))
    return text


class Layout:
    """What stands where: selections and groupings of the view model, no figures of its own."""

    def __init__(self, proposal: Proposal, attachments: Sequence[AttachmentLike]) -> None:
        self._proposal = proposal
        self.attachments = tuple(attachments)
        failed = [view for view in proposal.findings if view.outcome is not Outcome.UNKNOWN]
        self.failed = _told(failed, lambda view: (view.code, view.message, view.fix, view.waived))
        undecided = [view for view in proposal.findings if view.outcome is Outcome.UNKNOWN]
        self.undecided = _told(undecided, lambda view: (view.code, view.message))
        self.checks = _told(proposal.checks, lambda view: (view.code, view.title, view.outcome, view.waived))

    @property
    def sections(self) -> tuple[str, ...]:
        """Sections that have content, in their order: ids, which are also the keys of their labels."""
        p = self._proposal
        bom = "bom" if p.bom.has_prices else "bom_plain"
        present = {
            bom: p.bom.rows,
            "terms": p.terms or self.has_offer or (p.bom.rows and p.bom.has_prices),
            "sizing": p.sizing,
            "configuration": p.nodes,
            "racks": p.racks,
            "findings": self.failed,
            "unknown": p.open_points or self.undecided,
            "waivers": p.waivers,
            "operation": p.operation,
            "checklist": p.checklist,
            "checks": p.checks,
            "sources": p.sources,
            "certificate": p.certificate,
            "about": True,
        }
        return tuple(name for name, content in present.items() if content)

    @property
    def points(self) -> Listed:
        """Open points for the first page."""
        entries = [(point.figure, point.part) for point in self._proposal.open_points]
        return _listed(entries, self._list_lines)

    @property
    def attention(self) -> Listed:
        """What needs attention, for the first page: code and text apart."""
        entries = []
        for text in self._proposal.needs_attention:
            code, separator, rest = text.partition(": ")
            is_code = bool(separator) and " " not in code
            entries.append((code, rest) if is_code else ("", text))
        return _listed(entries, self._list_lines)

    @property
    def _list_lines(self) -> int:
        """Lines of a list on the first page: fewer where words of the house and terms want room."""
        p = self._proposal
        return _LIST_LINES - len(p.offer.head) - -(-len(p.cover_text) // 110)

    @property
    def is_open(self) -> bool:
        """Whether figures are to be confirmed."""
        return self._proposal.status is Status.OPEN and bool(self._proposal.open_points)

    @property
    def bom_rows(self) -> tuple[BomRow, ...]:
        """The rows of the bill that are printed."""
        rows = self._proposal.bom.rows
        return tuple(row for row in rows if row.is_group) if self.is_bom_long else rows

    @property
    def offered_rows(self) -> tuple[BomRow, ...]:
        """Options and alternatives, without a head."""
        return tuple(row for row in self._proposal.bom.offered if not row.is_group)

    @property
    def has_lead_times(self) -> bool:
        """Whether the delivery time of any line is stated."""
        return any(row.lead_time_days is not None for row in self._proposal.bom.rows)

    @property
    def has_offer(self) -> bool:
        """Whether the terms of the offer are printed: where somebody stated any."""
        return bool(self._proposal.offer.rows) and self._proposal.offer.is_stated

    @property
    def is_bom_long(self) -> bool:
        """Whether the bill is too long for a page document."""
        return len(self._proposal.bom.rows) > BOM_ROWS_MAX

    @property
    def has_discounts(self) -> bool:
        """Whether a list price differs from a net price anywhere."""
        return any(row.discount_text for row in self._proposal.bom.rows)

    def failure_blocks(self, rack: RackView) -> tuple[Block, ...]:
        """The columns of the failure matrix in blocks that fit a page; the last block says what the servers do."""
        columns = range(len(rack.elements))
        blocks = -(-len(columns) // MATRIX_COLUMNS_MAX) or 1
        size = -(-len(columns) // blocks) or 1
        parts = [tuple(columns[start : start + size]) for start in range(0, len(columns), size)]
        return tuple(Block(part, part is parts[-1]) for part in parts)

    @property
    def fingerprint(self) -> tuple[str, ...]:
        """The hash of the configuration in groups that can be compared by eye."""
        text = self._proposal.about.configuration_sha256
        return tuple(text[index : index + 8] for index in range(0, len(text), 8))


def _told(views: Iterable[FindingView], same: Callable[[FindingView], tuple[object, ...]]) -> tuple[Told, ...]:
    """Join findings that say the same of several subjects, in the order of their first."""
    groups: dict[tuple[object, ...], list[FindingView]] = {}
    for view in views:
        groups.setdefault(same(view), []).append(view)
    return tuple(
        Told(group[0], _joined(dict.fromkeys(view.subject for view in group if view.subject)), _icon_of(group[0]))
        for group in groups.values()
    )


def _joined(subjects: Iterable[str]) -> str:
    """List subjects; what lies in one node names it once: `infer/gpu1, gpu2`."""
    texts: list[str] = []
    before = ""
    for subject in subjects:
        head, slash, tail = subject.rpartition("/")
        texts.append(tail if slash and head == before else subject)
        before = head
    return ", ".join(texts)


def _icon_of(view: FindingView) -> str:
    if view.outcome is Outcome.PASS:
        return "pass"
    return "unknown" if view.outcome is Outcome.UNKNOWN else view.severity.value


def _listed(entries: list[tuple[str, str]], lines: int) -> Listed:
    """Take as many entries as fit the lines, one at least."""
    shown: list[tuple[str, str]] = []
    for entry in entries:
        lines -= -int(-text_width(" ".join(entry), _BODY_PT) // _COLUMN_PT)
        if shown and lines < (0 if len(shown) + 1 == len(entries) else 1):
            break
        shown.append(entry)
    return Listed(tuple(shown), len(entries) - len(shown))


class Pictures:
    """The drawings as markup; their texts were escaped when they were drawn."""

    def __init__(self, proposal: Proposal, recoloured: Callable[[str], str]) -> None:
        self._proposal = proposal
        self._labels = proposal.labels
        self._recoloured = recoloured

    def _markup(self, svg: str) -> Markup:
        return markup(self._recoloured(svg))

    def slot_map(self, node: NodeView) -> Markup:
        """Slots, modules and supplies of a server."""
        return self._markup(drawings.slot_map(node, self._labels))

    def topology(self, node: NodeView) -> tuple[Markup, ...]:
        """The PCIe tree of each CPU of a server."""
        return tuple(self._markup(drawings.topology(tree, self._labels, node.title)) for tree in node.topology)

    def power(self, node: NodeView) -> Markup:
        """Supplies against the draw."""
        title = f"{self._labels['power_bars']}: {node.title}"
        names = (self._labels["limit_after_loss"], self._labels["limit_full"])
        return self._markup(drawings.bars(node.power, title, names))

    def shares(self, bom: BomView) -> Markup:
        """What the money goes to."""
        return self._markup(drawings.shares(bom.shares, self._labels["shares"]))

    def phases(self, rack: RackView) -> Markup:
        """Load of each phase against its limit."""
        title = f"{self._labels['phases']}: {rack.title}"
        return self._markup(drawings.short_bars(rack.phases, title))

    def elevation(self, rack: RackView) -> Markup:
        """The front of a rack."""
        return self._markup(drawings.elevation(rack, self._labels))

    def rear(self, rack: RackView) -> Markup:
        """Draw the back of a rack with its cords."""
        return self._markup(drawings.rear(rack, self._labels))

    def feeds(self, rack: RackView) -> Markup:
        """From the circuits to the supplies."""
        return self._markup(drawings.feeds(rack, self._proposal.nodes, self._labels))

    def failure(self, rack: RackView, row: FailureRow) -> Markup:
        """The tightest element after a loss."""
        column = rack.failure_columns[row.worst] if row.worst is not None else ""
        text = row.cells[row.worst] if row.worst is not None else ""
        return self._markup(drawings.failure_bar(row, f"{row.lost}: {column} {text}"))

    def icon(self, name: str, title: str, size: float = 9.0) -> Markup:
        """A mark of state."""
        return self._markup(drawings.icon(name, title, size))

    def watermark(self) -> str:
        """The word of a draft as an address that stands in a style sheet."""
        image = drawings.watermark(self._labels["draft"]).encode()
        return "data:image/svg+xml;base64," + base64.b64encode(image).decode()
