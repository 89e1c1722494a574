"""Load the catalog and the rules, and validate configurations. Nothing is kept between calls but the `Workshop`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from rackwright.api.selection import Selection
from rackwright.api.witness import CatalogWitness
from rackwright.bom import Bom, make_bom
from rackwright.catalog import Catalog, Part
from rackwright.configuration import ConfigurationFile
from rackwright.diagnostic import Finding, Severity, finding, in_order
from rackwright.facts.nodes import build_nodes
from rackwright.facts.vocabulary import SUBJECTS
from rackwright.frozen import frozen
from rackwright.placement.model import Placement
from rackwright.placement.nodes import place
from rackwright.quantities import Book
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.configuration_file import read_configuration
from rackwright.readers.files import as_text
from rackwright.readers.rules_dir import read_rules
from rackwright.readers.shipped import shipped_folder
from rackwright.rules.constraints import rules_of_part
from rackwright.rules.evaluate import Engine
from rackwright.rules.model import Policy, Rule, Ruleset
from rackwright.rules.waive import Accepted, apply_waivers, status_of
from rackwright.verdict import Outcome, Status, Verdict

Record = Mapping[str, Any]
_BOUND = {name: name for name in SUBJECTS}  # every subject binds its own name


@frozen
class Workshop:
    """What every run needs: the catalog and the rules. Loaded once, used for any number of configurations.

    `is_ruleset_whole` is False if rules were left out because of errors: a verdict without them is none. `catalogs`
    are the folders that were stacked on the shipped one.
    """

    catalog: Catalog
    ruleset: Ruleset
    findings: tuple[Finding, ...] = ()
    is_ruleset_whole: bool = True
    engines: dict[str, Engine] = field(default_factory=dict, compare=False, repr=False)
    catalogs: tuple[Path, ...] = ()


def load_workshop(
    catalogs: Sequence[Path] = (),
    rules: Path | None = None,
    *,
    with_cases: bool = False,
    passing: Sequence[tuple[Path, str]] = (),
) -> Workshop:
    """Load the shipped catalog and rules; `catalogs` are stacked on top, `rules` replaces the shipped rules.

    `passing` are catalogs on top of these that will not be read again, with the names to show for them.
    """
    folders = [(shipped_folder("catalog"), "catalog"), *((folder, as_text(folder)) for folder in catalogs), *passing]
    catalog, findings = read_catalog(folders, passing=[folder for folder, _ in passing])
    place = (rules, as_text(rules)) if rules is not None else (shipped_folder("rules"), "rules")
    ruleset, problems = read_rules(*place, with_cases=with_cases)
    is_whole = not any(item.severity is Severity.ERROR for item in problems)
    return Workshop(catalog, ruleset, (*findings, *problems), is_whole, catalogs=tuple(catalogs))


@frozen
class Run:
    """A validated configuration with everything that was found out about it.

    `nodes`, `racks` and `order` are records of facts (vocabulary.RECORDS), with quantities that are computed when read.
    """

    file: ConfigurationFile
    workshop: Workshop
    policy: Policy
    placement: Placement | None
    nodes: tuple[Record, ...]
    racks: tuple[Record, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    status: Status
    rules: tuple[Rule, ...] = ()
    book: Book | None = None
    order: Record | None = None

    @cached_property
    def reported(self) -> list[Finding]:
        """Everything that a person should be told: findings on files, failures and unknowns; passes are left out."""
        told = [finding_of(v) for v in self.verdicts if v.outcome in (Outcome.FAIL, Outcome.UNKNOWN)]
        return by_weight([*self.findings, *told])

    @cached_property
    def bom(self) -> Bom | None:
        """The bill of materials; None if parts could not be found."""
        return make_bom(self.placement) if self.placement is not None else None


def by_weight(findings: Sequence[Finding]) -> list[Finding]:
    """Sort findings for people: failures before unknowns, errors before warnings, then by place."""
    order = list(Severity)
    placed = in_order(list(findings))
    return sorted(placed, key=lambda f: (f.waived is not None, order.index(f.severity), f.outcome != "fail"))


def finding_of(verdict: Verdict) -> Finding:
    """Turn a verdict that is not a pass into a finding."""
    assert verdict.message is not None
    return Finding(
        code=verdict.rule,
        severity=verdict.severity,
        message=verdict.message,
        at=verdict.at,
        fix=verdict.fix,
        subject=verdict.subject,
        title=verdict.title,
        outcome=verdict.outcome.value,
        related=verdict.related,
        arithmetic=verdict.arithmetic,
        missing=tuple(str(item) for item in verdict.missing),
        sources=(*verdict.sources, *verdict.basis),
        grade=verdict.grade,
        waived=verdict.waived,
    )


def validate_file(
    path: Path,
    workshop: Workshop,
    *,
    shown: str | None = None,
    policy: str | None = None,
    today: str | None = None,
    detail: bool = False,
    selection: Selection | None = None,
) -> tuple[Run | None, list[Finding]]:
    """Read and validate a configuration file. Without a readable configuration there is no run, only findings."""
    file, findings = read_configuration(path, shown)
    if file is None:
        return None, findings
    run = validate(file, workshop, policy=policy, today=today, detail=detail, selection=selection)
    return run, findings


def validate(
    file: ConfigurationFile,
    workshop: Workshop,
    *,
    policy: str | None = None,
    today: str | None = None,
    detail: bool = False,
    selection: Selection | None = None,
) -> Run:
    """Validate a configuration: placement, facts, rules, waivers.

    `today` (ISO date) ends waivers; without it the quote's date does. With `detail` passes carry their arithmetic.
    `selection` leaves rules out; waivers of these rules then count neither as used nor as unused.
    """
    configuration = file.configuration
    if file.models:
        workshop = dataclasses.replace(workshop, catalog=workshop.catalog.with_models(file.models))
    chosen, findings = policy_for(file, workshop, policy)
    placement, problems = place(configuration, workshop.catalog, file.at)
    findings += problems
    findings += _on_workloads(file, workshop.catalog)
    if placement is None:
        status = status_of((), findings)
        return Run(file, workshop, chosen, None, (), (), (), tuple(in_order(findings)), status)
    book = Book(workshop.ruleset.quantities, chosen.facts)
    order = build_nodes(placement, workshop.catalog, book.make, chosen.facts)
    racks = _racks(placement, order["nodes"], book, chosen)
    order["racks"] = racks
    order["sources"] = _sources(placement, order["nodes"], book, chosen)
    rules = (*workshop.ruleset.rules, *part_rules(placement))
    left_out = selection.left_out(rules) if selection is not None else frozenset[str]()
    chosen = dataclasses.replace(chosen, ignore=chosen.ignore | left_out) if left_out else chosen
    engine = _engine(workshop, rules, chosen)
    witness = CatalogWitness(workshop.catalog, file, chosen)
    evaluation = engine.run(judged(subjects_of(order), placement), book, witness, detail=detail)
    findings += evaluation.findings
    waivers = [
        Accepted(w.rule, w.at, w.reason, w.by, w.until, file.at(("waivers", index)))
        for index, w in enumerate(configuration.waivers)
        if w.rule not in left_out
    ]
    ids = {name: rule.id for rule in rules for name in (rule.id, *rule.aliases)} if waivers else {}
    verdicts, problems = apply_waivers(evaluation.verdicts, waivers, today or configuration.quote.date, ids)
    findings += problems
    return Run(
        file=file,
        workshop=workshop,
        policy=chosen,
        placement=placement,
        nodes=tuple(order["nodes"]),
        racks=tuple(racks),
        verdicts=tuple(verdicts),
        findings=tuple(in_order(findings)),
        status=status_of(verdicts, findings),
        rules=rules,
        book=book,
        order=order,
    )


def _racks(placement: Placement, nodes: Sequence[dict[str, Any]], book: Book, policy: Policy) -> list[dict[str, Any]]:
    if not placement.racks:
        return []
    from rackwright.facts.racks import build_racks

    return build_racks(placement, nodes, book.make, policy.facts)


def _sources(placement: Placement, nodes: Sequence[dict[str, Any]], book: Book, policy: Policy) -> list[dict[str, Any]]:
    if not placement.configuration.site.sources:
        return []
    from rackwright.facts.sources import build_sources

    return build_sources(placement, nodes, book.make, policy.facts)


def _on_workloads(file: ConfigurationFile, catalog: Catalog) -> list[Finding]:
    """Findings on what the nodes are for: unknown models, figures that contradict them."""
    named = [(number, node.workload) for number, node in enumerate(file.configuration.nodes) if node.workload]
    if not named:
        return []
    from rackwright.workloads.checks import check_workload

    return [
        item
        for number, workload in named
        for item in check_workload(workload, ("nodes", number, "workload"), catalog, file.at)
    ]


def judged(subjects: Mapping[str, list[Record]], placement: Placement) -> Mapping[str, list[Record]]:
    """Leave out what cannot be judged: nodes with a part that the catalog does not have, and what depends on them.

    The part is a finding already; what rules would say of the rest of such a node is noise.
    """
    whole = {placed.node.id for placed in placement.nodes if len(placed.lines) == len(placed.node.parts)}
    if len(whole) == len(placement.configuration.nodes):
        return subjects
    beyond = ("order", "rack", "feed", "pdu", "phase", "bank", "source", "licence")
    return {
        subject: [record for record in records if str(record.get("id", "")).partition("/")[0] in whole]
        for subject, records in subjects.items()
        if subject not in beyond
    }


def _engine(workshop: Workshop, rules: tuple[Rule, ...], policy: Policy) -> Engine:
    """The compiled rules for this policy and these parts' constraints; kept for the next run of the same kind."""
    owned = ",".join(sorted({rule.owner for rule in rules if rule.owner}))
    settings = repr([sorted(policy.facts.items()), sorted(policy.severities.items()), sorted(policy.ignore)])
    key = f"{owned}|{settings}"
    if key not in workshop.engines:
        workshop.engines[key] = Engine(rules, _BOUND, policy, code=workshop.ruleset.code)
    return workshop.engines[key]


def policy_for(file: ConfigurationFile, workshop: Workshop, name: str | None) -> tuple[Policy, list[Finding]]:
    """The policy of a run: the shipped default, then the named one, then what the configuration itself sets."""
    policies = workshop.ruleset.policies
    configuration = file.configuration
    findings: list[Finding] = []
    wanted = name or configuration.policy or "default"
    policy = policies.get(wanted)
    if policy is None:
        policy = policies.get("default", Policy("default", {}))
        if wanted != "default":
            findings.append(
                finding(
                    "CFG031",
                    "there is no policy '{name}'",
                    file.at(("policy",)) if configuration.policy else None,
                    fix="policies are {known}",
                    name=wanted,
                    known=", ".join(sorted(policies)),
                )
            )
    parameters = dict(policy.parameters)
    for parameter, value in configuration.policies.items():
        from rackwright.rules.load import set_parameter

        findings += set_parameter(parameters, parameter, value, "this configuration", file.at(("policies", parameter)))
    return dataclasses.replace(policy, parameters=parameters), findings


def part_rules(placement: Placement) -> list[Rule]:
    """The constraints that the parts of this order own, as rules. Each part's are taken once."""
    rules: list[Rule] = []
    for part in parts_of(placement):
        if part.constraints:
            places = {item["id"]: part.at(f"constraints.{index}") for index, item in enumerate(part.constraints)}
            rules += rules_of_part(part.id, part.constraints, part.sources, places)
    return rules


def parts_of(placement: Placement) -> list[Part]:
    """All parts of an order, each once, in the order of their ids."""
    found: dict[str, Part] = {}
    for node in placement.nodes:
        found[node.chassis.id] = node.chassis
        found.update({line.part.id: line.part for line in node.lines})
    for rack in placement.racks:
        found[rack.part.id] = rack.part
        found.update({pdu.part.id: pdu.part for pdu in rack.pdus})
    found.update({line.part.id: line.part for line in placement.extras})
    return [found[part_id] for part_id in sorted(found)]


def subjects_of(order: Record) -> dict[str, list[Record]]:
    """The records of every kind of subject, in order."""
    nodes: list[Record] = list(order["nodes"])
    racks: list[Record] = list(order["racks"])
    feeds = [feed for rack in racks for feed in rack.get("feeds", ())]
    pdus = [pdu for feed in feeds for pdu in feed.get("pdus", ())]
    subjects: dict[str, list[Record]] = {"order": [order], "node": nodes, "rack": racks, "feed": feeds, "pdu": pdus}
    subjects["phase"] = [phase for pdu in pdus for phase in pdu.get("phases", ())]
    subjects["source"] = list(order.get("sources", ()))
    subjects["bank"] = [bank for pdu in pdus for bank in pdu.get("banks", ())]
    inside = {
        "card": "cards",
        "gpu": "gpus",
        "bridge_group": "bridge_groups",
        "cpu": "cpus",
        "drive": "drives",
        "nic": "nics",
        "psu": "psus",
        "psu_domain": "psu_domains",
        "switch": "switches",
    }
    for subject, name in inside.items():
        subjects[subject] = [record for node in nodes for record in node.get(name, ())]
    subjects["licence"] = list(order.get("licences", ()))
    return subjects
