"""Drafts of part files from device, module and rack types of the NetBox library.

A record says who makes a thing, how tall and heavy it is, and what plugs it has. What it does not say stays absent and
is a finding; what it says in a way that can be read in two ways is graded `unverified`, with a note.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from rackwright.diagnostic import Finding, Severity, finding
from rackwright.frozen import frozen
from rackwright.readers.catalog_part import check_part
from rackwright.readers.files import as_text, read_text
from rackwright.readers.yaml_source import load_yaml
from rackwright.source import Location

_KG = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523125}
_MM = {"mm": 1.0, "in": 25.4}
_AIRFLOW = {"front-to-rear": "front-to-back", "rear-to-front": "back-to-front"}
_OUTLETS = {
    "iec-60320-c13": "C13", "iec-60320-c15": "C15", "iec-60320-c19": "C19", "iec-60320-c21": "C21",
    "nema-5-15r": "5-15R", "nema-5-20r": "5-20R", "nema-l5-20r": "L5-20R", "nema-l6-20r": "L6-20R",
    "nema-l6-30r": "L6-30R",
}  # fmt: skip
_INLETS = {f"iec-60320-c{number}": f"C{number}" for number in (14, 16, 20, 22)}
# Twist-lock plugs with three phases, by their NEMA number: NEMA WD 6.
_THREE_PHASES = frozenset({"l15", "l21", "l22", "l23"})
_NEMA = re.compile(r"nema-(l?\d+)-(\d+)p")
_WATTS = re.compile(r"\b(\d[\d,]{2,6})\s?(?:W|Watts?)\b")
_KILOWATTS = re.compile(r"\b(\d{1,3}(?:\.\d+)?)\s?kW\b")
_VOLTS = re.compile(r"\b(\d{3})\s?V(?:AC|DC)?\b")
# What somebody who orders such a part needs, and a record of the library has no field for.
_WANTED = {
    "psu": ("output_w", "output", "efficiency_class", "inlet", "is_hot_swap"),
    "pdu": ("region", "phases", "wiring", "voltage_v", "circuit_a", "continuous_a", "power_max_w", "inlet_plug",
            "outlets", "banks", "mount"),
    "chassis": ("rack.height_u", "rack.depth_mm", "cpu.sockets", "cpu.families", "memory.dimms", "slots",
                "psu.bays", "psu.models", "psu.redundancy", "qualified_gpus", "gpu_power", "fans.gpu_module",
                "airflow", "inlet.max_c", "power_base_w"),
    "rack": ("height_u", "outer_width_mm", "outer_depth_mm", "mounting_depth_max_mm", "load_static_max_kg",
             "load_dynamic_max_kg", "door_perforation_ratio", "pdu_positions_0u"),
}  # fmt: skip

Record = Mapping[str, Any]


@frozen
class Draft:
    """A part file: its path below a catalog folder, and its text."""

    path: str
    text: str


class _Part:
    """A part that is being put together: its fields, and the evidence of those that are not plainly stated."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.evidence: dict[str, dict[str, str]] = {}

    def put(self, name: str, value: Any, note: str = "", grade: str = "secondary") -> None:
        """Set a field by its dotted name, if the value is known."""
        if value is None:
            return
        record = self.data
        *above, last = name.split(".")
        for step in above:
            record = record.setdefault(step, {})
        record[last] = int(value) if isinstance(value, float) and value.is_integer() else value
        if note or grade != "secondary":
            self.evidence[name] = {"source": "list", "grade": grade} | ({"note": note} if note else {})


def import_file(path: Path, *, kind: str | None = None, read: str) -> tuple[Draft | None, list[Finding]]:
    """Turn a record into a draft, and say what it lacks.

    Shapes: `kind` is psu, pdu, chassis or rack where the record does not show it; `read` is the ISO date of today.
    Units: pounds, ounces, grams and inches are converted, with a note.
    Errors: none raised. CFG… the file cannot be read; CAT041 it is no record of this library, or of no such kind.
    CAT042 (warning) a figure that is missing; CAT043 (advice) a figure that has to be confirmed.
    """
    shown = as_text(path)
    text, findings = read_text(path, shown)
    if text is None:
        return None, findings
    document, findings = load_yaml(text, shown)
    if findings or document is None:
        return None, findings
    record: Any = document.data
    if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in ("manufacturer", "model")):
        return None, [_no_record(shown)]
    found = kind or _kind_of(record)
    if found not in _FILLERS:
        return None, [_no_kind(shown, found)]
    part = _identity(record, found)
    _FILLERS[found](record, part)
    _weight(record, part, found)
    _sources(part, path, read)
    draft = Draft(f"{found}/{part.data['id']}.yaml", _written(part.data, found))
    return draft, [*_checked(draft), *_lacking(part, found, draft.path), *_doubtful(part, draft.path)]


def _kind_of(record: Record) -> str:
    if "outer_depth" in record or "mounting_depth" in record or "cabinet" in str(record.get("form_factor")):
        return "rack"
    if record.get("power-outlets"):
        return "pdu"
    if record.get("profile") == "Power supply" or ("u_height" not in record and record.get("power-ports")):
        return "psu"
    return "chassis" if "u_height" in record else ""


def _identity(record: Record, kind: str) -> _Part:
    maker, model = record["manufacturer"], record["model"]
    part = _Part()
    part.data |= {"kind": kind, "id": f"{_slug(maker).replace('.', '-')}/{_slug(model)}"}
    words = {"psu": " power supply", "pdu": " rack PDU", "rack": " rack"}.get(kind, "")
    part.data |= {"title": f"{maker} {model}{words}"[:120], "maker": maker}
    number = record.get("part_number")
    if isinstance(number, str) and len(number) >= 2:
        part.put("mpn", [number])
    return part


def _slug(text: str) -> str:
    plain = re.sub(r"[^a-z0-9.]+", "-", text.lower())
    return re.sub(r"[.-]*([.-])[.-]*", r"\1", plain).strip(".-") or "unnamed"


def _weight(record: Record, part: _Part, kind: str) -> None:
    weight, unit = record.get("weight"), record.get("weight_unit")
    if isinstance(weight, int | float) and unit in _KG:
        note = "" if unit == "kg" else f"{weight:g} {unit} in the record, converted"
        if kind == "chassis":
            note = "; ".join(filter(None, [note, "the record does not say how it is equipped"]))
        part.put("weight_kg", round(weight * _KG[str(unit)], 3), note)


def _prose(record: Record) -> str:
    return " ".join(str(record.get(key, "")) for key in ("model", "description", "comments"))


def _psu(record: Record, part: _Part) -> None:
    ports = [port for port in record.get("power-ports") or () if isinstance(port, dict)]
    inlets = {_INLETS.get(str(port.get("type"))) for port in ports} - {None}
    attributes = record.get("attributes") or {}
    drawn = max(
        (port["maximum_draw"] for port in ports if isinstance(port.get("maximum_draw"), int | float)), default=None
    )
    named = [float(text.replace(",", "")) for text in _WATTS.findall(_prose(record))]
    stated = attributes.get("wattage")
    if isinstance(stated, int | float):
        part.put("output_w", stated)
    elif named:
        part.put("output_w", named[0], "as the text of the record names it")
    elif drawn is not None:
        part.put("output_w", drawn, "maximum_draw of the record, which may be the input", "unverified")
    part.put("inlet", inlets.pop() if len(inlets) == 1 else None)
    part.put("is_hot_swap", attributes.get("hot_swappable"))


def _pdu(record: Record, part: _Part) -> None:
    ports = [port for port in record.get("power-ports") or () if isinstance(port, dict)]
    plugs = {str(port["type"]) for port in ports if port.get("type")}
    if len(plugs) == 1:
        _plug(plugs.pop(), part)
    prose = _prose(record)
    volts, kilowatts = _VOLTS.findall(prose), _KILOWATTS.findall(prose)
    part.put("voltage_v", float(volts[0]) if len(set(volts)) == 1 else None, "from the text of the record")
    part.put("power_max_w", round(float(kilowatts[0]) * 1000) if len(set(kilowatts)) == 1 else None,
             "from the text of the record")  # fmt: skip
    outlets = [outlet for outlet in record.get("power-outlets") or () if isinstance(outlet, dict)]
    counted = Counter(_OUTLETS[str(outlet.get("type"))] for outlet in outlets if str(outlet.get("type")) in _OUTLETS)
    legs = Counter(str(outlet["feed_leg"]) for outlet in outlets if outlet.get("feed_leg"))
    note = "feed legs in the record: " + ", ".join(f"{leg} {count}" for leg, count in sorted(legs.items()))
    part.put("outlets", [{"type": kind, "count": count} for kind, count in sorted(counted.items())] or None,
             note if legs else "")  # fmt: skip
    height = record.get("u_height")
    part.put("mount", f"{height:g}U" if isinstance(height, int | float) and height in (0, 1, 2, 3) else None)


def _plug(name: str, part: _Part) -> None:
    """What a plug tells: IEC 60309 the phases; NEMA and California plugs phases, region and circuit."""
    part.put("inlet_plug", name.upper() if name.startswith("cs") else name)
    if name.startswith("iec-60309"):
        part.put("phases", 3 if "-3p-" in name else 1, "from the plug")
        part.put("region", "iec", "from the plug")
    elif name.startswith("cs836"):
        part.put("phases", 3, "from the plug")
        part.put("region", "na", "from the plug")
        part.put("circuit_a", 50, "from the plug")
    elif match := _NEMA.fullmatch(name):
        part.put("phases", 3 if match[1] in _THREE_PHASES else 1, "from the plug")
        part.put("region", "na", "from the plug")
        part.put("circuit_a", int(match[2]), "from the plug")


def _chassis(record: Record, part: _Part) -> None:
    height = record.get("u_height")
    part.put("rack.height_u", int(height) if isinstance(height, int | float) and height >= 1 else None)
    part.put("airflow", _AIRFLOW.get(str(record.get("airflow"))))
    names = [
        str(bay.get("name", "")) for bay in (*(record.get("module-bays") or ()), *(record.get("power-ports") or ()))
    ]
    supplies = {name for name in names if re.match(r"(?i)(psu|ps|power supply|pwr)\b|(?i:psu)", name)}
    part.put("psu.bays", len(supplies) or None)


def _rack(record: Record, part: _Part) -> None:
    part.put("height_u", record.get("u_height"))
    scale, unit = _MM.get(str(record.get("outer_unit"))), record.get("outer_unit")
    for ours, theirs in (("outer_width_mm", "outer_width"), ("outer_depth_mm", "outer_depth")):
        size = record.get(theirs)
        if scale is not None and isinstance(size, int | float):
            part.put(ours, round(size * scale, 1), "" if unit == "mm" else f"{size:g} {unit} in the record, converted")
    most, weight = record.get("max_weight"), record.get("weight_unit")
    if isinstance(most, int | float) and weight in _KG:
        note = "max_weight of the record, which may be the static or the dynamic rating"
        part.put("load_static_max_kg", round(most * _KG[str(weight)], 1), note, "unverified")


_FILLERS: dict[str, Callable[[Record, _Part], None]] = {"psu": _psu, "pdu": _pdu, "chassis": _chassis, "rack": _rack}


def _sources(part: _Part, path: Path, read: str) -> None:
    parts = path.resolve().parts
    start = next((at for at, name in enumerate(parts) if name in ("device-types", "module-types", "rack-types")), None)
    name = "/".join(parts[start:]) if start is not None else path.name
    part.data["notes"] = ["Draft from a community record: confirm every figure with the maker's document."]
    part.data["sources"] = {"list": {"doc": f"NetBox device type library: {name}", "read": read}}
    part.data["evidence"] = {"*": {"source": "list", "grade": "secondary"}, **part.evidence}


class _Dumper(yaml.SafeDumper):
    """Writes part files: texts that a reader of YAML 1.2 could take for numbers in quotes, lists indented."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    looks_like_number = re.match(r"[-+.0-9]", text) is not None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if looks_like_number else None)


_Dumper.add_representer(str, _represent)


def _written(data: Mapping[str, Any], kind: str) -> str:
    head = f"# yaml-language-server: $schema=../../schema/{kind}.schema.json\n"
    return head + yaml.dump(dict(data), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def _checked(draft: Draft) -> list[Finding]:
    document, findings = load_yaml(draft.text, draft.path)
    return findings if document is None else [*findings, *check_part(document, draft.path)[1]]


def _lacking(part: _Part, kind: str, shown: str) -> Iterator[Finding]:
    from rackwright.parts import PART_KINDS

    for name in _WANTED[kind]:
        record: Any = part.data
        model: Any = PART_KINDS[kind]
        about = ""
        for step in name.split("."):
            field = model.model_fields[step]
            about, model, record = field.description or "", field.annotation, (record or {}).get(step)
        if record is None:
            yield finding(
                "CAT042",
                "the record does not say {field}",
                Location(shown),
                severity=Severity.WARNING,
                fix="look it up in the maker's document: {about}" if about else "look it up in the maker's document",
                subject=name,
                field=name,
                about=about,
            )


def _doubtful(part: _Part, shown: str) -> Iterator[Finding]:
    for name, entry in part.evidence.items():
        if entry["grade"] == "unverified":
            yield finding(
                "CAT043",
                "{field} is not certain: {note}",
                Location(shown),
                severity=Severity.ADVICE,
                fix="confirm it and change its grade; until then it counts as not known",
                subject=name,
                field=name,
                note=entry["note"],
            )


def _no_record(shown: str) -> Finding:
    return finding("CAT041", "{file} is no device, module or rack type: it has no manufacturer and model",
                   Location(shown), fix="name a file of the NetBox device type library", file=shown)  # fmt: skip


def _no_kind(shown: str, kind: str) -> Finding:
    message = "'{kind}' cannot be imported" if kind else "the record does not show what kind of part it is"
    return finding("CAT041", message, Location(shown), fix="say it: --kind psu, pdu, chassis or rack", kind=kind)
