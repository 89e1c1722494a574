"""What a PDF needs beside its tags to keep to PDF/UA-1: the claim in its metadata, and page furniture as artifacts.

Source: ISO 14289-1, 7.1 and 7.8; the extension schema as PDF/A-3 (ISO 19005-3, 6.6.2.3) wants it for the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_END = b"</rdf:RDF>"
_CLAIM = b"""\
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>\
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" \
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">\
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">\
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>\
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>\
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>\
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">\
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>\
<pdfaProperty:category>internal</pdfaProperty:category>\
<pdfaProperty:description>part of ISO 14289 that the file keeps to</pdfaProperty:description>\
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>"""


def claim_accessibility(pdf: Any) -> None:
    """Declare PDF/UA-1 and take heads and feet of pages out of what is read aloud.

    The writer (WeasyPrint 70) tags margin boxes, but hangs them on no parent: such elements are found and their content
    becomes an artifact of pagination.
    """
    metadata = _object(pdf, pdf.catalog["Metadata"])
    metadata.stream[:] = [_claimed(metadata.stream[0]), *metadata.stream[1:]]
    elements = {_number(item.reference): item for item in pdf.objects if _is_element(item)}
    read = set(_reached(pdf, elements))
    strays = {number: elements[number] for number in elements.keys() - read}
    pages: dict[int, set[int]] = {}
    for element in strays.values():
        marks = {entry for entry in element.get("K", ()) if isinstance(entry, int)}
        if marks:
            pages.setdefault(_number(element["Pg"]), set()).update(marks)
    for page, marks in pages.items():
        _make_artifacts(_object_of(pdf, page), pdf, marks)
    root = _object(pdf, pdf.catalog["StructTreeRoot"])
    _forget(_object(pdf, root["ParentTree"])["Nums"], set(strays))


def _claimed(xml: bytes) -> bytes:
    before, found, after = xml.partition(_END)
    return before + _CLAIM + found + after


def _is_element(item: Any) -> bool:
    return isinstance(item, dict) and item.get("Type") == "/StructElem"


def _reached(pdf: Any, elements: dict[int, Any]) -> Iterator[int]:
    """The elements below the root, by their numbers."""
    waiting = list(_object(pdf, pdf.catalog["StructTreeRoot"])["K"])
    while waiting:
        reference = waiting.pop()
        number = _number(reference) if isinstance(reference, bytes) else 0
        if number in elements:
            yield number
            waiting += elements[number].get("K", ())


def _make_artifacts(page: Any, pdf: Any, marks: set[int]) -> None:
    """Turn marked content into artifacts: tag, properties and operator stand one after the other."""
    tokens = _object(pdf, page["Contents"]).stream
    for place, token in enumerate(tokens):
        if isinstance(token, dict) and token.get("MCID") in marks:
            tokens[place - 1], tokens[place] = "/Artifact", b"<</Type /Pagination>>"


def _forget(nums: list[Any], strays: set[int]) -> None:
    """Take elements out of the tree that leads from content to them."""
    for entry in nums:
        if isinstance(entry, list):
            entry[:] = [b"null" if _number(reference) in strays else reference for reference in entry]


def _number(reference: bytes) -> int:
    return int(reference.split()[0]) if reference != b"null" else 0


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[_number(reference)]


def _object_of(pdf: Any, number: int) -> Any:
    return pdf.objects[number]
