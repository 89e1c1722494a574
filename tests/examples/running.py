"""What the tests of the examples share: the folders, one workshop, a run of each example, its figures by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rackwright import api
from rackwright.diagnostic import Finding
from rackwright.proposal.nodes import read
from rackwright.readers.yaml_source import load_yaml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FOLDERS = sorted(path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("**/configuration.yaml"))
GOOD = [name for name in FOLDERS if not name.startswith("broken/")]


@dataclass(frozen=True)
class Example:
    """An example that was run, with everything that a reader is told of it."""

    name: str
    run: api.Run
    findings: tuple[Finding, ...]

    def codes(self, outcome: str, severity: str) -> list[str]:
        """The rules of that outcome and severity, each once, sorted; findings on the file count as failures."""
        told = (item for item in self.findings if item.waived is None)
        return sorted(
            {
                item.code
                for item in told
                if (item.outcome == "unknown") is (outcome == "unknown") and item.severity.value == severity
            }
        )


@cache
def workshop() -> api.Workshop:
    """The shipped catalog and rules, loaded once for all examples."""
    return api.load_workshop()


@cache
def example(name: str) -> Example:
    """Run an example; its places carry the path that a user in the repository would type."""
    path = EXAMPLES / name / "configuration.yaml"
    run, findings = api.validate_file(path, workshop(), shown=f"examples/{name}/configuration.yaml", detail=True)
    assert run is not None, [str(item.message) for item in findings]
    return Example(name, run, (*findings, *run.reported))


def expected(name: str) -> Mapping[str, Any]:
    """What the folder says that rackwright must say."""
    path = EXAMPLES / name / "expected.yaml"
    document, findings = load_yaml(path.read_text(encoding="utf-8"), str(path))
    assert document is not None, [str(item.message) for item in findings]
    assert isinstance(document.data, dict)
    return document.data


def figure(run: api.Run, key: str) -> Any:
    """The figure `<id of a record>.<field>`: nodes, power domains, racks, PDUs and phases have ids."""
    record_id, _, field = key.rpartition(".")
    pdus = [pdu for rack in run.racks for feed in rack.get("feeds", ()) for pdu in feed.get("pdus", ())]
    records = [
        *run.nodes,
        *(domain for node in run.nodes for domain in node.get("psu_domains", ())),
        *run.racks,
        *pdus,
        *(phase for pdu in pdus for phase in pdu.get("phases", ())),
    ]
    found = [record for record in records if record["id"] == record_id]
    assert len(found) == 1, f"{len(found)} records are called {record_id}"
    return read(found[0], field)


def slots(run: api.Run) -> dict[str, str | None]:
    """The slot of every expansion card, by the name of the card."""
    assert run.placement is not None
    return {card.id: card.slot for node in run.placement.nodes for card in node.cards}
