"""Twenty of our rules in three engines: rackwright's fast path, Google's CEL (cel-expr-python) and clingo.

`python tests/benchmarks/engines.py` prints the ratios, and how long 100,000 configurations take: their verdicts
alone, and in one call of the engine with every failure explained (a minute, 1 GB). The two
packages are needed for this alone: `pip install cel-expr-python clingo`.

All engines get the same facts: the record of the node of examples/hgx-8x-h200, reduced to what the rules read. They
must agree on every verdict of several hundred variants of it before anything is timed. Where there was a choice, it
favours the others: CEL gets plain dicts and the faster of two ways to call it, clingo gets its facts as finished text.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent / "src")]

from benchmarks.measure import STEPS, cpu_s, loop
from benchmarks.ratios import DAY, EIGHT_GPUS, _file, _NoWitness
from rackwright import api
from rackwright.api.runs import subjects_of
from rackwright.expression import MISSING, free_names
from rackwright.rules.compiled import compile_group
from rackwright.rules.evaluate import Engine
from rackwright.rules.model import Rule

Facts = Mapping[str, Any]
Verdicts = list[str]  # in the order of CEL: p(ass), f(ail), n(ot applicable), u(nknown)
Judging = Callable[[Facts, Facts], Verdicts]  # of the record of a node, and the policy

COUNT = 100_000
COMPARED = 400
ROUNDS = 7
REPEATS = 100
ALIKE = "node.{0}.all(x, x.part.{1} == node.{0}[0].part.{1})"

# Condition and clauses of each rule in CEL. It knows no product of a whole number and a fraction: hence double().
CEL: dict[str, tuple[str, ...]] = {
    "CPU005": ('size(node.cpus) > 1 && node.chassis.mixed_cpus != "allowed"', ALIKE.format("cpus", "id")),
    "CPU006": ("size(node.cpus) > 0", "size(node.cpus) >= node.chassis.part.cpu.sockets"),
    "FIT012": (
        "node.gpus.exists(g, g.is_module)",
        "size(node.gpus.filter(g, g.is_module)) in node.chassis.part.gpu_limits.module_counts",
    ),
    "FIT013": ("node.gpus.exists(g, !g.is_module)", 'node.chassis.pcie_gpus != "excluded"'),
    "FIT018": ("size(node.gpus) > 1", ALIKE.format("gpus", "id")),
    "FIT020": ("true", "node.chassis.is_mode_known", "node.chassis.has_mode"),
    "MEM001": ("size(node.dimms) > 0", "node.dimms.all(d, d.part.type in node.chassis.part.memory.types)"),
    "MEM004": ("size(node.cpus) > 1 && size(node.dimms) > 0", "node.is_dimm_count_even"),
    "MEM006": ("size(node.dimms) > 1", ALIKE.format("dimms", "type")),
    "MEM009": ('size(node.dimms) > 1 && node.chassis.mixed_dimms != "excluded"', ALIKE.format("dimms", "id")),
    "MEM011": (
        "size(node.dimms) > 0 && size(node.cpus) > 0",
        "size(node.dimms) * node.chassis.part.cpu.sockets <= node.chassis.part.memory.dimms * size(node.cpus)",
    ),
    "MEM013": ("node.chassis.has_memory_limit", "node.memory_gb <= node.chassis.part.memory.capacity_max_gb"),
    "MEM014": (
        "size(node.gpus) > 0 && size(node.dimms) > 0",
        "node.memory_gb >= node.gpu_memory_gb * double(policy.ram_per_vram_ratio)",
    ),
    "MEM015": (
        "size(node.gpus) > 0 && size(node.dimms) > 0",
        "node.memory_gb >= node.gpu_memory_gb * double(policy.memory_per_gpu_memory_advised_ratio)",
        "node.memory_gb >= double(node.gpu_processors) * double(policy.memory_per_gpu_min_gb)",
    ),
    "NVL007": ("size(node.bridges) > 0", "node.bridges_left <= 0"),
    "PWR001": ("true", "node.is_redundancy_stated"),
    "PWR009": ("size(node.psus) > 0", ALIKE.format("psus", "id")),
    "PWR011": ("size(node.psus) > 0", "node.psus.all(psu, psu.has_bay)"),
    "PWR016": ("size(node.psus) > 1", "node.psus.all(psu, psu.input_voltage_v == node.psus[0].input_voltage_v)"),
    "PWR018": (
        'node.site.region == "eu" && node.chassis.part.cpu.sockets <= 4 && size(node.psus) > 0',
        'node.psus.all(psu, psu.part.efficiency_class == "titanium")',
    ),
}

# The same for clingo, which knows whole numbers alone: GB and V are given in thousandths, so are the policy's ratios.
CLINGO = """
size(cpus,N) :- N = #count { I : is(cpus,I,id,_) }.
size(gpus,N) :- N = #count { I : is(gpus,I,id,_) }.
size(dimms,N) :- N = #count { I : is(dimms,I,id,_) }.
size(psus,N) :- N = #count { I : is(psus,I,id,_) }.
modules(N) :- N = #count { I : is(gpus,I,is_module,true) }.
differ(L,F) :- is(L,0,F,A), is(L,_,F,B), A != B.
applies(cpu005) :- size(cpus,N), N > 1, not node(mixed_cpus,"allowed").
broken(cpu005) :- differ(cpus,id).
applies(cpu006) :- size(cpus,N), N > 0.
broken(cpu006) :- size(cpus,N), node(sockets,S), N < S.
applies(fit012) :- modules(N), N > 0.
broken(fit012) :- modules(N), not node(module_counts,N).
applies(fit013) :- is(gpus,_,is_module,false).
broken(fit013) :- node(pcie_gpus,"excluded").
applies(fit018) :- size(gpus,N), N > 1.
broken(fit018) :- differ(gpus,id).
applies(fit020).
broken(fit020) :- not node(is_mode_known,true).
broken(fit020) :- not node(has_mode,true).
applies(mem001) :- size(dimms,N), N > 0.
broken(mem001) :- is(dimms,_,type,T), not node(memory_types,T).
applies(mem004) :- size(cpus,N), N > 1, size(dimms,M), M > 0.
broken(mem004) :- not node(is_dimm_count_even,true).
applies(mem006) :- size(dimms,N), N > 1.
broken(mem006) :- differ(dimms,type).
applies(mem009) :- size(dimms,N), N > 1, not node(mixed_dimms,"excluded").
broken(mem009) :- differ(dimms,id).
applies(mem011) :- size(dimms,N), N > 0, size(cpus,M), M > 0.
broken(mem011) :- size(dimms,N), node(sockets,S), node(dimms_max,D), size(cpus,M), N * S > D * M.
applies(mem013) :- node(has_memory_limit,true).
broken(mem013) :- node(memory_gb,M), node(capacity_max_gb,C), M > C.
applies(mem014) :- size(gpus,N), N > 0, size(dimms,M), M > 0.
broken(mem014) :- node(memory_gb,M), node(gpu_memory_gb,G), policy(ram_per_vram_ratio,R), M < G / 1000 * R.
applies(mem015) :- size(gpus,N), N > 0, size(dimms,M), M > 0.
broken(mem015) :- node(memory_gb,M), node(gpu_memory_gb,G), policy(memory_per_gpu_memory_advised_ratio,R),
                  M < G / 1000 * R.
broken(mem015) :- node(memory_gb,M), node(gpu_processors,P), policy(memory_per_gpu_min_gb,R), M < P * R.
applies(nvl007) :- node(bridges,N), N > 0.
broken(nvl007) :- node(bridges_left,N), N > 0.
applies(pwr001).
broken(pwr001) :- not node(is_redundancy_stated,true).
applies(pwr009) :- size(psus,N), N > 0.
broken(pwr009) :- differ(psus,id).
applies(pwr011) :- size(psus,N), N > 0.
broken(pwr011) :- is(psus,_,has_bay,false).
applies(pwr016) :- size(psus,N), N > 1.
broken(pwr016) :- differ(psus,input_voltage_v).
applies(pwr018) :- node(region,"eu"), node(sockets,S), S <= 4, size(psus,N), N > 0.
broken(pwr018) :- is(psus,_,efficiency_class,C), C != "titanium".
verdict(R,"p") :- applies(R), not broken(R).
verdict(R,"f") :- applies(R), broken(R).
#show verdict/2.
"""

# What the rules read: `*` stands for each entry of a list.
READ = [
    "bridges",
    "bridges_left",
    "cpus.*.part.id",
    "dimms.*.part.id",
    "dimms.*.part.type",
    "gpu_memory_gb",
    "gpu_processors",
    "gpus.*.is_module",
    "gpus.*.part.id",
    "is_dimm_count_even",
    "is_redundancy_stated",
    "memory_gb",
    "psus.*.has_bay",
    "psus.*.input_voltage_v",
    "psus.*.part.efficiency_class",
    "psus.*.part.id",
    "site.region",
    "chassis.has_memory_limit",
    "chassis.has_mode",
    "chassis.is_mode_known",
    "chassis.mixed_cpus",
    "chassis.mixed_dimms",
    "chassis.part.cpu.sockets",
    "chassis.part.gpu_limits.module_counts",
    "chassis.part.memory.capacity_max_gb",
    "chassis.part.memory.dimms",
    "chassis.part.memory.types",
    "chassis.pcie_gpus",
]
POLICY = ("ram_per_vram_ratio", "memory_per_gpu_memory_advised_ratio", "memory_per_gpu_min_gb")


def reduced(record: Any, paths: Iterable[list[str]]) -> Any:
    """Copy the facts at `paths` from a record into plain dicts and lists."""
    groups: dict[str, list[list[str]]] = {}
    for head, *rest in paths:
        groups.setdefault(head, []).append(rest)
    if "*" in groups:
        return [reduced(item, groups["*"]) for item in record]
    return {key: reduced(record[key], rest) if rest[0] else record[key] for key, rest in groups.items()}


def variants(node: Facts) -> Iterator[Facts]:
    """Endless variants of a node: memory, GPUs, modules, and a supply or a module that is unlike the others."""
    odd_dimm = {"part": {**node["dimms"][0]["part"], "id": "other"}}
    odd_psu = {**node["psus"][0], "input_voltage_v": 115.0}
    for number in itertools.count():
        gpus, dimms = 1 + number % 8, 1 + number % len(node["dimms"])
        yield {
            **node,
            "memory_gb": 128.0 * (1 + number % 31),
            "gpu_memory_gb": 141.0 * gpus,
            "gpu_processors": gpus,
            "gpus": node["gpus"][:gpus],
            "dimms": [*node["dimms"][: dimms - 1], odd_dimm if number % 3 == 0 else node["dimms"][0]],
            "is_dimm_count_even": dimms % len(node["cpus"]) == 0,
            "psus": [*node["psus"][:-1], odd_psu if number % 5 == 0 else node["psus"][-1]],
            "bridges_left": number % 2,
        }


def rackwright_engine(rules: list[Rule]) -> tuple[Callable[..., Any], Judging]:
    """The function of compile_group for the rules, and one that reads the verdicts from its values."""
    function = compile_group(rules, "node")

    def verdicts(node: Facts, policy: Facts) -> Verdicts:
        found = []
        for value in function(node, policy):
            if value is True:
                found.append("p")
            elif value is False:
                found.append("n")
            else:
                applies, *clauses = value
                is_open = applies is MISSING or (MISSING in clauses and False not in clauses)
                found.append("u" if is_open else "f")
        return found

    return function, verdicts


def cel_engines() -> tuple[list[Judging], Callable[[Facts, Facts], list[bool]]]:
    """CEL in two ways: a program a rule on one activation, and one program for the list of all verdicts.

    And one program for what compile_many returns: the values of all conditions and clauses.
    """
    from cel_expr_python import cel

    env = cel.NewEnv(variables={"node": cel.Type.DYN, "policy": cel.Type.DYN})
    texts = [f'!({when}) ? "n" : (({") && (".join(those)})) ? "p" : "f"' for when, *those in CEL.values()]
    programs = [env.compile(text) for text in texts]
    whole = env.compile(f"[{', '.join(texts)}]")
    flat = env.compile(f"[{', '.join(itertools.chain.from_iterable(CEL.values()))}]")

    def each(node: Facts, policy: Facts) -> Verdicts:
        activation = env.Activation({"node": node, "policy": policy})
        return [program.eval(activation).value() for program in programs]

    def at_once(node: Facts, policy: Facts) -> Verdicts:
        found: Verdicts = whole.eval(data={"node": node, "policy": policy}).plain_value()
        return found

    def values(node: Facts, policy: Facts) -> list[bool]:
        found: list[bool] = flat.eval(data={"node": node, "policy": policy}).plain_value()
        return found

    return [each, at_once], values


def clingo_engine(facts: str) -> Verdicts:
    """Ground and solve the rules with the facts of one configuration."""
    import clingo

    control = clingo.Control(["--warn=none"])
    control.add("base", [], CLINGO + facts)
    control.ground([("base", [])])
    found = dict.fromkeys(CEL, "n")
    with control.solve(yield_=True) as handle:
        for model in handle:
            for symbol in model.symbols(shown=True):
                found[symbol.arguments[0].name.upper()] = symbol.arguments[1].string
    return list(found.values())


def clingo_facts(node: Facts, policy: Facts) -> str:
    """Write the facts of a configuration for clingo."""
    chassis, part = node["chassis"], node["chassis"]["part"]
    single: dict[str, Any] = {key: value for key, value in node.items() if not isinstance(value, list | dict)}
    single |= {key: value for key, value in chassis.items() if key != "part"}
    single |= {"sockets": part["cpu"]["sockets"], "dimms_max": part["memory"]["dimms"]}
    single |= {"capacity_max_gb": float(part["memory"]["capacity_max_gb"]), "region": node["site"]["region"]}
    single |= {"bridges": len(node["bridges"])}
    lines = [f"node({key},{_term(value)})." for key, value in single.items()]
    lines += [f"node(module_counts,{count})." for count in part["gpu_limits"]["module_counts"]]
    lines += [f"node(memory_types,{_term(kind)})." for kind in part["memory"]["types"]]
    lines += [f"policy({key},{_term(float(policy[key]))})." for key in POLICY]
    for name in ("cpus", "gpus", "dimms", "psus"):
        for index, item in enumerate(node[name]):
            flat = {key: value for key, value in item.items() if key != "part"} | item["part"]
            lines += [f"is({name},{index},{key},{_term(value)})." for key, value in flat.items()]
    return "\n".join(lines)


def _term(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(round(value * 1000))
    return f'"{value}"' if isinstance(value, str) else str(value)


def measure() -> None:
    """Compare the verdicts, measure, and print the table."""
    workshop = api.load_workshop()
    run = api.validate(_file(EIGHT_GPUS), workshop, today=DAY)
    assert run.order is not None
    assert run.book is not None
    (whole,), book = workshop.engines.values(), run.book
    policy = whole._policy
    by_id = {rule.id: rule for rule in workshop.ruleset.rules}
    rules = [by_id[name] for name in CEL]
    assert all(free_names(clause.expression.tree) <= {"node", "policy"} for rule in rules for clause in rule.require)
    node = reduced(subjects_of(run.order)["node"][0], [path.split(".") for path in READ])
    facts = {key: policy.facts[key] for key in POLICY}
    function, ours = rackwright_engine(rules)
    cels, cel_values = cel_engines()
    assert cel_values(node, facts) == list(function(node, facts))
    expected = compare([node, *itertools.islice(variants(node), COMPARED)], facts, ours, cels)

    text = clingo_facts(node, facts)
    works = [partial(_repeat, engine, node, facts) for engine in (function, ours, *cels, cel_values)]
    works += [partial(_repeat, lambda *_: clingo_engine(text), node, facts)]
    values_s, ours_s, *cel_s, clingo_s = in_turn_s(works)
    steps = cpu_s(loop, 9)
    records = list(itertools.islice(variants(node), COUNT))
    all_s = cpu_s(lambda: [ours(record, facts) for record in records], 1)
    engine = Engine(rules, {"node": "node"}, policy)
    judged = {"node": [{"id": f"n{number}", **record} for number, record in enumerate(records)]}
    judged_s = cpu_s(lambda: engine.run(judged, book, _NoWitness()), 1)

    better = min(*cel_s[:2], clingo_s)
    against = f"loop of {STEPS:,} steps"
    print(f"the same verdicts on {COMPARED + 1} configurations; on the example: {expected}")
    print(f"{'20 rules on a node with 8 GPUs':44} {'against':22} {'ratio':>9} {'wanted':>9} {'here':>12}")
    _line("rackwright, values (compile_many)", "CEL, values", values_s / cel_s[2], values_s, 0.2)
    _line("rackwright, values (compile_many)", "the better of others", values_s / better, values_s, 0.2)
    _line("rackwright, verdicts", "the better of others", ours_s / better, ours_s, 0.2)
    _line("CEL, values, one program", "rackwright, values", cel_s[2] / values_s, cel_s[2])
    for name, spent in zip(
        ("CEL, a program a rule", "CEL, one program", "clingo"), (*cel_s[:2], clingo_s), strict=True
    ):
        _line(f"{name}, verdicts", "rackwright, verdicts", spent / ours_s, spent)
    _line(f"{COUNT:,} configurations, verdicts", against, all_s / steps, all_s)
    _line("  one of them", against, all_s / COUNT / steps, all_s / COUNT)
    _line(f"{COUNT:,} in one Engine.run, explained", against, judged_s / steps, judged_s)
    _line("  one of them", against, judged_s / COUNT / steps, judged_s / COUNT)


def compare(
    nodes: list[Facts],
    facts: Facts,
    ours: Judging,
    cels: list[Judging],
) -> str:
    """Let all engines judge all nodes; return the verdicts on the first. Raises AssertionError if they differ."""
    found = []
    for node in nodes:
        verdicts = ours(node, facts)
        answers = [cel(node, facts) for cel in cels] + [clingo_engine(clingo_facts(node, facts))]
        for answer in answers:
            unlike = [names for names in zip(CEL, verdicts, answer, strict=True) if names[1] != names[2]]
            assert not unlike, unlike
        found.append(verdicts)
    return "".join(found[0])


def in_turn_s(works: list[partial[None]]) -> list[float]:
    """The least CPU time in seconds of a call in each of `works`, measured in turn: all see the same machine."""
    rounds = [[cpu_s(work, 1) / REPEATS for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def _repeat(engine: Callable[[Facts, Facts], object], node: Facts, policy: Facts) -> None:
    for _ in range(REPEATS):
        engine(node, policy)


def _line(name: str, against: str, ratio: float, spent: float, wanted: float | None = None) -> None:
    bound = f"{wanted:.2f}" if wanted is not None else ""
    print(f"{name:44} {against:22} {ratio:9.3f} {bound:>9} {spent * 1e6:9,.0f} µs")


def main() -> int:
    """Measure if the other engines are there."""
    try:
        import cel_expr_python  # noqa: F401
        import clingo  # noqa: F401
    except ImportError as error:
        print(f"{error.name} is not installed; this benchmark needs: pip install cel-expr-python clingo")
        return 1
    measure()
    return 0


if __name__ == "__main__":
    sys.exit(main())
