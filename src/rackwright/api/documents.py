"""From a run to its documents: prices, the view model, bytes of xlsx and PDF."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rackwright import __version__
from rackwright.api.prices import priced
from rackwright.api.runs import Run
from rackwright.diagnostic import Finding
from rackwright.frozen import frozen
from rackwright.pricing import PricedBom
from rackwright.proposal.build import Material, make_proposal
from rackwright.proposal.model import Proposal
from rackwright.proposal.texts import LocaleFormats, PlainFormats, Texts
from rackwright.readers.shipped import shipped_folder
from rackwright.readers.translations import read_translations
from rackwright.verdict import without_support

if TYPE_CHECKING:
    from rackwright.facts.failures import FailureTable
    from rackwright.proposal.house import HouseStyle

__all__ = (
    "QUOTE", "Documents", "failures_of", "make_documents", "priced", "proposal_of", "texts_of"
)  # fmt: skip

# What each attached file is for.
_PURPOSES = {
    "configuration.yaml": "configuration",
    "certificate.json": "certificate, for rackwright verify",
    "bom.xlsx": "bill of materials",
    "bom.cdx.json": "bill of materials as CycloneDX",
    "report.json": "report with every verdict",
    "": "part file of a catalog on top",
}
QUOTE = ("bom.xlsx", "proposal.pdf", "report.json")
# Written on request alone; it never travels inside another document.
INTERNAL = "internal.xlsx"


@frozen
class Documents:
    """The finished documents of a quote, by file name, and what was found on the way (prices)."""

    files: dict[str, bytes]
    findings: tuple[Finding, ...]


def texts_of(language: str) -> Texts:
    """Return the words and figures of documents in a language."""
    return Texts(language, read_translations(language), LocaleFormats(language))


def proposal_of(
    run: Run,
    bill: PricedBom,
    date: str,
    *,
    language: str = "en",
    plain: bool = False,
    brief: bool = False,
    is_draft: bool = False,
    texts: Texts | None = None,
    house: HouseStyle | None = None,
) -> Proposal:
    """Build the view model. `plain` is for the terminal: figures without the conventions of a language.

    `brief` leaves out what verdicts rest on, arithmetic and documents, which takes as long to find as the verdicts.
    `texts` may be given instead of `language` by who wants to know which texts had no translation.
    """
    assert run.placement is not None
    if texts is None:
        texts = Texts(language, read_translations(language), PlainFormats()) if plain else texts_of(language)
    material = Material(
        file=run.file,
        catalog=run.workshop.catalog,
        rules_digest=run.workshop.ruleset.digest,
        rules=len(run.rules),
        placement=run.placement,
        nodes=run.nodes,
        racks=run.racks,
        verdicts=tuple(without_support(verdict) for verdict in run.verdicts) if brief else run.verdicts,
        findings=run.findings,
        status=run.status,
        priced=bill,
        version=__version__,
        date=date,
        configuration_name=run.file.locations.file,
        failures=failures_of(run),
        sources=run.order["sources"] if run.order is not None else (),
        is_brief=brief,
    )
    proposal = make_proposal(material, texts, is_draft=is_draft, house=house)
    return proposal if plain else _with_workload(proposal, run, texts)


def _with_workload(proposal: Proposal, run: Run, texts: Texts) -> Proposal:
    """Add what the task needs, and the questions before buying; nothing where no node says what it is for."""
    if not any(record.get("has_workload") for record in run.nodes):
        return proposal
    from rackwright.api.checklist import checklist_of, sizing_facts
    from rackwright.api.sizing_need import need_of_run, need_view

    found = need_of_run(run)
    return dataclasses.replace(
        proposal,
        sizing=need_view(*found, texts) if found is not None else None,
        checklist=checklist_of(run, texts, sizing_facts(found[1]) if found is not None else None),
    )


def failures_of(run: Run) -> tuple[FailureTable, ...]:
    """Replay each failure in every rack of a run; empty without racks."""
    if not run.racks:
        return ()
    from rackwright.facts.failures import replay

    assert run.placement is not None
    return replay(run.placement, run.nodes, run.racks, run.policy.facts)


def make_documents(
    run: Run,
    bill: PricedBom,
    date: str,
    *,
    language: str,
    names: Sequence[str] = QUOTE,
    is_draft: bool = False,
    house: HouseStyle | None = None,
    report: str = "",
    progress: Callable[[str], None] | None = None,
) -> Documents:
    """Make the documents `names` of a run: report.json, proposal.pdf and what interchange.FORMATS lists.

    Nothing is written. The PDF carries the configuration, bom.xlsx, bom.cdx.json and `report` (the report as JSON
    text) as attachments. Raises OutputError where a format cannot take what there is.
    """
    from rackwright.api.certificates import CONFIGURATION, certify_priced, overlays_of
    from rackwright.api.interchange import interchange_files
    from rackwright.proposal.certificate import NAME as CERTIFICATE
    from rackwright.proposal.certificate import write_certificate
    from rackwright.proposal.certificate_page import certificate_view

    told = progress or (lambda _: None)
    texts = texts_of(language)
    proposal = proposal_of(run, bill, date, is_draft=is_draft, texts=texts, house=house)
    certificate = certify_priced(run, bill, date)
    proposal = dataclasses.replace(proposal, certificate=certificate_view(certificate, proposal, texts))
    is_with_pdf = "proposal.pdf" in names
    wanted = [*names, "bom.cdx.json"] if is_with_pdf else names
    exchanged, findings = interchange_files(run, proposal, wanted)
    files = {"report.json": report.encode(), **exchanged}
    if "bom.csv" in names:
        from rackwright.outputs.csv import write_csv

        files["bom.csv"] = write_csv(proposal)
    if "bom.xlsx" in names or is_with_pdf:
        from rackwright.outputs.xlsx import write_xlsx

        if "bom.xlsx" in names:
            told("bom.xlsx")
        files["bom.xlsx"] = write_xlsx(proposal)
    if INTERNAL in names:
        from rackwright.outputs.xlsx.internal import write_internal
        from rackwright.proposal.internal import internal_view

        files[INTERNAL] = write_internal(proposal, internal_view(bill))
    if is_with_pdf:
        from rackwright.outputs.pdf import Attachment, write_pdf

        told("proposal.pdf")
        attachments = [
            Attachment(name, data, texts.text(_PURPOSES.get(name, _PURPOSES[""])), relationship)
            for name, data, relationship in (
                (CONFIGURATION, run.file.text.encode(), "Source"),
                (CERTIFICATE, write_certificate(certificate), "Data"),
                *((name, files[name], "Data") for name in ("bom.xlsx", "bom.cdx.json", "report.json")),
                *((name, data, "Source") for name, data in overlays_of(run).items()),
            )
        ]
        files["proposal.pdf"] = write_pdf(proposal, shipped_folder("templates"), attachments=attachments, house=house)
    return Documents({name: files[name] for name in names}, tuple(findings))
