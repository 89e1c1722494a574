"""The files for other programs: CycloneDX, UBL, NetBox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rackwright.api.runs import Run, parts_of
from rackwright.diagnostic import Finding, Severity, finding
from rackwright.proposal.exchange import part_views
from rackwright.proposal.model import Proposal

if TYPE_CHECKING:
    from rackwright.proposal.netbox import NetboxTypes

# What may be asked for -> the files that it makes. A new format is an output module and a line here.
FORMATS: dict[str, tuple[str, ...]] = {
    "xlsx": ("bom.xlsx",),
    "csv": ("bom.csv",),
    "cyclonedx": ("bom.cdx.json",),
    "cyclonedx-1.7": ("bom-1.7.cdx.json",),
    "ubl": ("quotation.xml",),
    "netbox": ("netbox-device-types.yaml", "netbox-module-types.yaml"),
}


def interchange_files(run: Run, proposal: Proposal, names: Sequence[str]) -> tuple[dict[str, bytes], list[Finding]]:
    """Make those of `names` that are for programs. Raises OutputError where a format cannot take what there is."""
    assert run.placement is not None
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    wanted = set(names)
    parts = part_views(parts_of(run.placement))
    for name, version in (("bom.cdx.json", "1.6"), ("bom-1.7.cdx.json", "1.7")):
        if name in wanted:
            from rackwright.outputs.cyclonedx import write_cyclonedx

            files[name] = write_cyclonedx(proposal, parts, version)
    if "quotation.xml" in wanted:
        from rackwright.outputs.ubl import write_ubl

        files["quotation.xml"] = write_ubl(proposal, parts)
    if wanted & set(FORMATS["netbox"]):
        from rackwright.outputs.netbox import write_device_types, write_module_types
        from rackwright.proposal.netbox import netbox_types

        types = netbox_types(run.placement)
        files |= {
            "netbox-device-types.yaml": write_device_types(types),
            "netbox-module-types.yaml": write_module_types(types),
        }
        findings += _left_out(types)
    return files, findings


def _left_out(types: NetboxTypes) -> list[Finding]:
    return [
        finding(
            "BOM110",
            "{part} is not among the device types: {field} is not known, and NetBox must know it",
            severity=Severity.WARNING,
            fix="add the figure to the part file, with its source",
            part=part,
            field=field,
        )
        for part, field in types.left_out
    ]
