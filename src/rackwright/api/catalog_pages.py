"""The pages of the catalog: what each says, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from rackwright.catalog import Catalog, Part
from rackwright.diagnostic import Figure
from rackwright.outputs.catalog_pages import KindPage, Pages, PartPage, Row, Rule, write_pages
from rackwright.parts import PART_KINDS
from rackwright.readers.catalog_check import references
from rackwright.readers.catalog_overlay import NOT_FIGURES
from rackwright.readers.shipped import shipped_folder
from rackwright.source import Citation
from rackwright.units import unit_of

_BESIDE = frozenset({"kind", "id", "title", "maker", "notes", "evidence", "is_generic"})
_NO_BREAK = "\u00a0"
# The figures by which somebody chooses, in the table of a kind.
_COLUMNS: dict[str, tuple[str, ...]] = {
    "gpu": ("form_factor", "memory.capacity_gb", "power.max_w", "card.width_slots", "cooling.type"),
    "chassis": ("rack.height_u", "cpu.sockets", "gpu_limits.double_width_max", "psu.bays", "rack.depth_mm"),
    "cpu": ("family", "cores", "power.max_w", "pcie_lanes", "sockets_max"),
    "psu": ("output_w", "efficiency_class", "inlet"),
    "pdu": ("region", "phases", "voltage_v", "circuit_a", "continuous_a", "power_max_w"),
    "memory": ("type", "capacity_gb", "speed_mt_s"),
    "nic": ("form_factor", "ports", "port_gbit_s", "power.max_w"),
    "drive": ("form_factor", "protocol", "capacity_gb"),
    "rack": ("height_u", "outer_width_mm", "outer_depth_mm", "load_static_max_kg"),
    "cable": ("purpose", "to_connector", "level_w", "cards"),
    "nvlink_bridge": ("cards", "pitch_slots", "link_gb_s"),
    "licence": ("product", "metric", "term_years"),
    "model": ("family", "parameters_billion", "active_parameters_billion", "layers", "context_max"),
}


def pages(catalog: Catalog, only: Sequence[str] | None = None) -> dict[str, str]:
    """Return the pages of all parts, or of some, by their path below the folder for them."""
    ids = (
        sorted(catalog.parts) if only is None else sorted({found.id for name in only if (found := catalog.find(name))})
    )
    parts = [catalog.parts[part_id] for part_id in ids]
    places = {part.id: f"{part.kind}/{part.id}.html" for part in parts}
    users: dict[str, set[str]] = {}
    for part in parts:
        for _, value in references(part):
            users.setdefault(value, set()).add(part.id)
    made = [_page(part, places, sorted(users.get(part.id, set()) - {part.id})) for part in parts]
    kinds = [_kind(kind, [part for part in parts if part.kind == kind]) for kind in PART_KINDS]
    return write_pages(
        Pages(tuple(made), tuple(page for page in kinds if page.rows)), shipped_folder("templates") / "catalog"
    )


def _kind(kind: str, parts: Iterable[Part]) -> KindPage:
    columns = _COLUMNS.get(kind, ())
    rows = [
        (
            part.title,
            f"{part.id}.html",
            (part.id, ", ".join(part.data.get("mpn", ())), *(_words(part.get(name), name) for name in columns)),
        )
        for part in parts
    ]
    return KindPage(kind, ("id", "part number", *map(_plain_name, columns)), tuple(rows))


def _plain_name(name: str) -> str:
    unit = unit_of(name.rpartition(".")[2]).symbol
    bare = name.removesuffix("_" + name.rpartition("_")[2]) if unit and "_" in name.rpartition(".")[2] else name
    return bare.replace("_", " ").replace(".", ", ")


def _page(part: Part, places: Mapping[str, str], users: Sequence[str]) -> PartPage:
    top = "../" * (part.id.count("/") + 1)
    groups: dict[str, list[Row]] = {}
    for name, value in _leaves(part.data, ""):
        if name in part.places:
            head = name.partition(".")[0]
            groups.setdefault(head if isinstance(part.data[head], dict | list) else "", []).append(
                _row(part, name, value, places, top)
            )
    return PartPage(
        id=part.id,
        kind=part.kind,
        title=part.title,
        maker=str(part.data["maker"]),
        file=part.file,
        top=top,
        groups=tuple((head.replace("_", " "), tuple(rows)) for head, rows in sorted(groups.items())),
        open=tuple(part.candidates.items()),
        rules=tuple(_rule(part, item) for item in part.constraints),
        notes=tuple(part.data.get("notes", ())),
        sources=tuple((key, _cited(source), source.get("url") or "") for key, source in part.sources.items()),
        used_by=tuple((user, top + places[user]) for user in users if user in places),
    )


def _leaves(data: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Fields with their values; entries of a list of records one by one."""
    for key, value in data.items():
        name = f"{prefix}{key}"
        if not prefix and key in _BESIDE:
            continue
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{name}.")
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            yield from ((f"{name}.{index}", item) for index, item in enumerate(value))
        else:
            yield name, value


def _row(part: Part, name: str, value: Any, places: Mapping[str, str], top: str) -> Row:
    citation, grade = part.evidence_of(name) if name not in NOT_FIGURES else (None, None)
    entry: Mapping[str, Any] = _entry(part, name)
    others = [
        f"{part.sources[other['source']]['doc']} has {_words(other['value'], name)}"
        for other in entry.get("others") or ()
    ]
    files = [f"from {part.at(name)}"] if name in part.files else []
    was = [f"the catalog below has {_words(old, name)}" for changed, old, _ in part.replaced if changed == name]
    named = [text for text in _texts(value) if text in places]
    return Row(
        name=name,
        about=_about(part.kind, name),
        value=_words(value, name),
        grade=str(grade or ""),
        document=str(citation or ""),
        url=citation.url or "" if citation else "",
        note="; ".join([*filter(None, [entry.get("note")]), *others, *was, *files]),
        links=tuple((text, top + places[text]) for text in dict.fromkeys(named)),
    )


def _entry(part: Part, name: str) -> Mapping[str, Any]:
    """The evidence of a figure itself, or of the record that it stands in."""
    steps = name.split(".")
    above = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
    return next((part.evidence[path] for path in above if path in part.evidence), {})


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _words(value: Any, name: str) -> str:
    """A value as a person reads it, figures with their unit."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(Figure(value, unit_of(name.rpartition(".")[2]))).replace(" ", _NO_BREAK)
    if isinstance(value, Mapping):
        return "; ".join(f"{key.replace('_', ' ')}: {_words(item, key)}" for key, item in value.items())
    if isinstance(value, list):
        items = (f"({_words(item, name)})" if isinstance(item, list) else _words(item, name) for item in value)
        return ", ".join(items) or "none"
    return str(value)


def _about(kind: str, name: str) -> str:
    """What the model says of a field; of an entry of a list what it says of the list."""
    model: Any = PART_KINDS[kind]
    said = ""
    for step in name.split("."):
        field = model.model_fields.get(step) if model is not None else None
        if field is None:
            break
        said = field.description or ""
        model = _model_in(field.annotation)
    return said


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _model_in(inner)) is not None), None)


def _rule(part: Part, item: Mapping[str, Any]) -> Rule:
    require = item.get("require")
    clauses = [(require, item.get("message") or "")] if isinstance(require, str) else []
    clauses += [(clause["that"], clause["message"]) for clause in require] if isinstance(require, list) else []
    adds = item.get("adds")
    entry = item.get("source", {})
    source = part.sources.get(entry.get("id", ""))
    return Rule(
        name=item["id"],
        title=item.get("title") or item["id"].replace("-", " "),
        severity=item.get("severity", "error"),
        when=item.get("when") or "",
        clauses=tuple(clauses),
        adds=f"{adds['quantity']} × {adds['part']}: {adds['reason']}" if adds else "",
        fix=item.get("fix") or "",
        source=", ".join(filter(None, [_cited(source) if source else "", entry.get("where", "")])),
    )


def _cited(source: Mapping[str, str]) -> str:
    return str(Citation(doc=source["doc"], number=source.get("number"), date=source.get("date")))
