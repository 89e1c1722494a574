"""Certificates: made with the documents of a quote, and made again from a proposal to be compared."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from rackwright import __version__
from rackwright.api.runs import Run, Workshop, load_workshop, parts_of, validate_file
from rackwright.bom import Bom
from rackwright.diagnostic import Finding, finding
from rackwright.frozen import frozen
from rackwright.pricing import PricedBom
from rackwright.proposal.certificate import (
    NAME,
    BillMark,
    Certificate,
    Findings,
    LineMark,
    WaiverMark,
    bill_mark,
    certificate_of,
    read_certificate,
)
from rackwright.proposal.comparison import Change, differences, is_same
from rackwright.readers.files import printable, read_text
from rackwright.readers.pdf_attachments import read_attachments
from rackwright.readers.yaml_source import load_yaml
from rackwright.source import Location

CONFIGURATION = "configuration.yaml"
# Part files of catalogs that were laid on top, as they travel: number of the catalog, then the part.
_OVERLAY = re.compile(r"catalog([0-9]{1,2})\.[a-z0-9_.+-]{1,200}\.yaml")
_AT_HOME = frozenset({"notes", "sku"})
_HEAD = re.compile(r"^(kind|id):\s*([a-z0-9_./+-]+)\s*$", re.MULTILINE)


@frozen
class Verification:
    """What came out. `findings` say why it could not be done; then there is no certificate, or none made `again`."""

    findings: tuple[Finding, ...] = ()
    certificate: Certificate | None = None
    again: Certificate | None = None
    changes: tuple[Change, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether the two could be compared."""
        return self.again is not None

    @property
    def is_same(self) -> bool:
        """Whether verdict and bill are the same."""
        return self.is_done and is_same(self.changes)


def certify(run: Run, bill: BillMark, date: str) -> Certificate:
    """Make the certificate of a run."""
    assert run.placement is not None
    configuration = run.file.configuration
    return certificate_of(
        Findings(
            tool=f"rackwright {__version__}",
            number=configuration.quote.number or "",
            date=date,
            policy=run.policy.name,
            status=run.status.value,
            configuration_sha256=run.file.sha256,
            catalog_digest=run.workshop.catalog.digest,
            rules_digest=run.workshop.ruleset.digest,
            verdicts=run.verdicts,
            waivers=[
                WaiverMark(rule=w.rule, at=w.at, reason=w.reason, by=w.by, until=w.until) for w in configuration.waivers
            ],
            parts=parts_of(run.placement),
            bill=bill,
        )
    )


def certify_priced(run: Run, bill: PricedBom, date: str) -> Certificate:
    """Make the certificate of a quote."""
    return certify(run, bill_mark(bill), date)


def verify_file(
    path: Path, shown: str, *, catalogs: Sequence[Path] = (), rules: Path | None = None
) -> tuple[Verification, Workshop | None]:
    """Take the configuration out of a proposal, run it again and compare.

    The net unit prices are those of the proposal: price lists do not travel. Part files of catalogs on top travel,
    and are used unless `catalogs` are given. Returns the workshop too, whose own findings are to be told.
    Errors: none raised; see `Verification.findings`.
    """
    files, findings = read_attachments(path, shown)
    if files is None:
        return Verification(tuple(findings)), None
    before, problems = _certificate(files, shown)
    if before is None:
        return Verification(tuple(problems)), None
    with tempfile.TemporaryDirectory(prefix="rackwright-") as name:
        folder = Path(name)
        (folder / CONFIGURATION).write_bytes(files[CONFIGURATION])
        travelling = [] if catalogs else _unpack(files, folder)
        workshop = load_workshop(catalogs, rules, passing=[(place, place.name) for place in travelling])
        run, problems = validate_file(
            folder / CONFIGURATION, workshop, shown=CONFIGURATION, policy=before.policy, today=before.date, detail=True
        )
        if run is None or run.bom is None:
            problems = problems or list(run.findings if run is not None else ())
            return Verification((_not_run(shown), *problems), before), workshop
        again = certify(run, _priced_again(run.bom, before), before.date)
    again = again.model_copy(update={"configuration_sha256": _sha256(files[CONFIGURATION])})
    return Verification((), before, again, differences(before, again)), workshop


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _certificate(files: Mapping[str, bytes], shown: str) -> tuple[Certificate | None, list[Finding]]:
    missing = [name for name in (CONFIGURATION, NAME) if name not in files]
    if missing:
        return None, [
            finding("DOC004", "{file} carries no {name}: it is no proposal of rackwright, or of an older version",
                    Location(shown), fix="name a proposal that rackwright wrote", file=printable(shown),
                    name=" and no ".join(missing))
        ]  # fmt: skip
    certificate = read_certificate(files[NAME].decode("utf-8", "replace"))
    if certificate is None:
        return None, [
            finding("DOC005", "the certificate in {file} cannot be read", Location(shown),
                    fix="verify it with the version of rackwright that is named on its last page",
                    file=printable(shown))
        ]  # fmt: skip
    return certificate, []


def _not_run(shown: str) -> Finding:
    return finding("DOC006", "the configuration in {file} does not run any more", Location(shown),
                   fix="see what follows", file=printable(shown))  # fmt: skip


def overlays_of(run: Run) -> dict[str, bytes]:
    """The part files of catalogs on top that this order uses, by the names under which they travel.

    Notes and the seller's own numbers stay at home: no verdict rests on them.
    """
    import yaml

    assert run.placement is not None
    found = {}
    for number, folder in enumerate(run.workshop.catalogs, start=1):
        for part in parts_of(run.placement):
            place = folder / part.kind / f"{part.id}.yaml"
            text, _ = read_text(place, part.id) if place.is_file() else (None, [])
            document, _ = load_yaml(text, part.id) if text is not None else (None, [])
            if document is not None and isinstance(document.data, dict):
                name = f"catalog{number}.{part.kind}.{part.id.replace('/', '.')}.yaml"
                kept = {key: value for key, value in document.data.items() if key not in _AT_HOME}
                found[name] = yaml.safe_dump(kept, sort_keys=False, allow_unicode=True).encode()
    return found


def _unpack(files: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write the part files that travel into one catalog folder a layer; their places follow from what they say."""
    layers: dict[int, Path] = {}
    for name, content in sorted(files.items()):
        found = _OVERLAY.fullmatch(name)
        head = dict(_HEAD.findall(content.decode("utf-8", "replace"))) if found else {}
        kind, part_id = head.get("kind", ""), head.get("id", "")
        if found is None or "/" in kind or not kind or not _is_plain(part_id):
            continue
        layer = layers.setdefault(int(found[1]), folder / f"catalog{found[1]}")
        place = layer / kind / f"{part_id}.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return [layers[number] for number in sorted(layers)]


def _is_plain(part_id: str) -> bool:
    steps = part_id.split("/")
    return all(step and step not in (".", "..") for step in steps)


def _priced_again(bom: Bom, before: Certificate) -> BillMark:
    """The bill as it is now, at the net unit prices of the proposal; a part that is new has none."""
    prices = {line.part: line.net_unit for line in before.bom if line.net_unit is not None}
    of_lines = {(line.position, line.part): line.net_unit for line in before.bom}
    lines = []
    for line in bom.ordered:
        unit = of_lines.get((line.position, line.part.id), prices.get(line.part.id))
        total = None if unit is None else format(Decimal(unit) * line.total, "f")
        lines.append(
            LineMark(
                position=line.position,
                part=line.part.id,
                count=line.count,
                total=line.total,
                net_unit=unit,
                net_total=total,
            )
        )
    known = [Decimal(line.net_total) for line in lines if line.net_total is not None]
    net = format(sum(known, Decimal("0.00")), "f") if known else None
    return BillMark(
        lines=tuple(lines),
        currency=before.currency,
        net_subtotal=net,
        total=before.total if net == before.net_subtotal else None,
        is_price_complete=len(known) == len(lines),
    )
