"""rackwright as a library: load, validate, make documents. The command line is built on these functions alone.

from pathlib import Path
from rackwright import api

workshop = api.load_workshop()
run, findings = api.validate_file(Path("configuration.yaml"), workshop)
if run is not None:
    print(run.status, [str(finding.message) for finding in run.reported])
"""

from rackwright.api.documents import (
    INTERNAL,
    QUOTE,
    Documents,
    make_documents,
    proposal_of,
)
from rackwright.api.house import house_of
from rackwright.api.reports import report_of, report_of_findings
from rackwright.api.runs import Run, Workshop, load_workshop, validate, validate_file

__all__ = [
    "INTERNAL",
    "QUOTE",
    "Documents",
    "Run",
    "Workshop",
    "house_of",
    "load_workshop",
    "make_documents",
    "proposal_of",
    "report_of",
    "report_of_findings",
    "validate",
    "validate_file",
]
