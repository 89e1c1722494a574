"""The PDF file around the pages: what may be fetched, attachments, identifier, repairs of what the writer leaves."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from rackwright.outputs.pdf_ua import claim_accessibility
from rackwright.proposal.model import Proposal

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xml": "text/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


class AttachmentLike(Protocol):
    """A file that travels inside the PDF. `relationship` is a PDF word: Source, Data, Alternative, Supplement."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def data(self) -> bytes: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    @property
    def relationship(self) -> str: ...  # noqa: D102


def attached(files: Sequence[AttachmentLike], date_iso: str) -> list[Any]:
    """Return the files as the writer takes them, dated with the day of the document."""
    from weasyprint import Attachment as File

    when = datetime.datetime.fromisoformat(date_iso).replace(tzinfo=datetime.UTC)
    return [
        File(string=file.data, name=file.name, description=file.description, created=when, modified=when)
        for file in files
    ]


def fetcher_of(folder: Path, recoloured: Callable[[str], str] = str) -> Any:
    """A fetcher that knows `data:` and the files below `folder`; anything else stops the document.

    `recoloured` is applied to style sheets.
    """
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class Fetcher(URLFetcher):  # type: ignore[misc]
        """Denies by default and remembers what it denied."""

        def __init__(self) -> None:
            super().__init__(allowed_protocols=("data",), allow_redirects=False, fail_on_errors=True)
            self.denied: list[str] = []

        def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Any:
            """Return a file of the folder or the content of a data address."""
            parts = urlsplit(url)
            if parts.scheme == "data":
                return super().fetch(url, headers)
            path = Path(unquote(parts.path)).resolve()
            if parts.scheme != "file" or parts.netloc or not path.is_relative_to(folder) or not path.is_file():
                self.denied.append(url)
                raise FatalURLFetchingError(url)
            kind = {".css": "text/css", ".svg": "image/svg+xml", ".ttf": "font/ttf"}.get(path.suffix, "")
            data = path.read_bytes()
            if kind == "text/css":
                data = recoloured(data.decode()).encode()
            return URLFetcherResponse(url, data, {"Content-Type": kind} if kind else {})

    return Fetcher()


def identifier_of(proposal: Proposal) -> bytes:
    """Return what tells this file from others: made of what it was made from, not of the clock."""
    about = proposal.about
    text = "\n".join(
        (about.configuration_sha256, about.catalog_digest, about.rules_digest, about.version, proposal.number)
    )
    return hashlib.sha256(text.encode()).digest()[:16]


def finisher_of(files: Sequence[AttachmentLike]) -> Callable[[Any, Any], None]:
    """Repair what WeasyPrint leaves: attachments named twice, media types by system, heads without scope."""
    by_name = {file.name: file for file in files}

    def finish(_document: Any, pdf: Any) -> None:
        if "AF" in pdf.catalog:
            pdf.catalog["AF"][:] = list(dict.fromkeys(pdf.catalog["AF"]))
        for item in pdf.objects:
            if not isinstance(item, dict):
                continue
            if item.get("Type") == "/Filespec":
                file = by_name[item["UF"].string]
                suffix = Path(file.name).suffix.lower()
                kind = MEDIA_TYPES.get(suffix, "application/octet-stream").replace("/", "#2F")
                _object(pdf, item["EF"]["F"]).extra["Subtype"] = f"/{kind}"
                item["AFRelationship"] = f"/{file.relationship}"
            elif item.get("S") == "/TH":
                section = _object(pdf, _object(pdf, item["P"])["P"])
                item["A"]["Scope"] = "/Column" if section["S"] == "/THead" else "/Row"
        claim_accessibility(pdf)

    return finish


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]
