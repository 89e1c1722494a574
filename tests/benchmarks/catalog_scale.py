"""A catalog of 5,000 part files: read cold, from the cache, and with one file changed. And JSON parts by the tens of
thousands, against jsonschema-rs where it is installed.

`python tests/benchmarks/catalog_scale.py` prints the ratios and, for orientation, seconds of this machine.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent), str(Path(__file__).resolve().parent.parent.parent / "src")]

from benchmarks.measure import STEPS, Row, cpu_s, loop
from benchmarks.ratios import cached_in, table
from rackwright.readers.catalog_dir import read_catalog
from rackwright.readers.shipped import shipped_folder

COUNT = 5_000
JSON_COUNT = 47_551  # files of the public catalog of PC parts whose shape `pc_parts` has
LOOP = f"loop of {STEPS:,} steps"


def write_catalog(folder: Path, count: int = COUNT) -> Path:
    """Write `count` part files: the shipped ones, again and again under new ids and without their references."""
    shipped = shipped_folder("catalog")
    sources = sorted(shipped.glob("*/*/*.yaml"))
    for number in range(count):
        source = sources[number % len(sources)]
        round_, place = number // len(sources), source.relative_to(shipped)
        text = source.read_text(encoding="utf-8")
        if round_:
            place = place.with_name(f"{place.stem}-g{round_}.yaml")
            text = re.sub(r"^(id: \S+)$", rf"\1-g{round_}", text, count=1, flags=re.MULTILINE)
            text = re.sub(r"^aliases: .*\n", "", text, flags=re.MULTILINE)
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder


def reading(folder: Path) -> list[Row]:
    """The 5,000 files without a cache, from it, and after a change of one."""
    place = write_catalog(folder / "parts")
    steps = cpu_s(loop, 9)

    def read() -> None:
        catalog, findings = read_catalog([(place, "parts")])
        assert (len(catalog.parts), findings) == (COUNT, [])

    def cold() -> None:
        read_catalog([(place, "parts")], is_kept=False)

    changed = next(iter(sorted(place.glob("gpu/*/*.yaml"))))

    def one_changed() -> None:
        changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        read()

    with cached_in(folder / "cache"):
        whole, warm, one = cpu_s(cold, 2), cpu_s(read, 5), cpu_s(one_changed, 5)
        start = time.perf_counter()
        cold()
        passed = time.perf_counter() - start
    # processor time of this process; of 2,000 files and more a second process reads every other one
    sys.stdout.write(
        f"cold {whole:.2f} s ({passed:.2f} s on the clock), warm {warm * 1000:.0f} ms, "
        f"one file changed {one * 1000:.0f} ms\n"
    )
    return [
        Row(f"{COUNT:,} parts, no cache", LOOP, whole / steps, 450.0, 2_000.0),  # 3 s
        Row(f"{COUNT:,} parts, from the cache", LOOP, warm / steps, 23.0, 120.0),  # 150 ms
        Row("one file changed", "nothing changed", one / warm, 1.5, 4.0),
    ]


def pc_parts(count: int) -> Iterator[dict[str, Any]]:
    """Made-up PC parts in the shape of that catalog: metadata, a few figures, most of them may be null."""
    for number in range(count):
        yield {
            "opendb_id": f"{number:08x}-0000-4000-8000-000000000000",
            "metadata": {"name": f"Card {number}", "manufacturer": "Maker", "part_numbers": [f"P-{number}"]},
            "chipset": "X100",
            "memory": 8 + number % 40,
            "memory_type": "GDDR6",
            "core_base_clock": 1500 + number % 900,
            "length": 240.0 + number % 90 if number % 7 else None,
            "tdp": 75 + number % 375,
            "general_product_information": {"amazon_sku": None, "newegg_sku": None, "other_sku": f"S{number}"},
        }


_MAY = {"type": ["number", "null"], "minimum": 0}
PC_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["opendb_id", "metadata"],
    "properties": {
        "opendb_id": {"type": "string", "pattern": "^[0-9a-f-]{36}$"},
        "metadata": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "manufacturer": {"type": ["string", "null"]},
                "part_numbers": {"type": "array", "items": {"type": "string"}},
            },
        },
        "chipset": {"type": ["string", "null"]},
        "memory": _MAY,
        "memory_type": {"enum": ["GDDR5", "GDDR6", "GDDR6X", "GDDR7", None]},
        "core_base_clock": _MAY,
        "length": _MAY,
        "tdp": _MAY,
        "general_product_information": {
            "type": "object",
            "additionalProperties": {"type": ["string", "null"]},
        },
    },
}


def json_parts(folder: Path) -> list[Row]:
    """Schema checks of JSON parts: pydantic, as it checks our part files, against jsonschema-rs on the schema."""
    try:
        import jsonschema_rs
    except ImportError:
        sys.stdout.write("jsonschema-rs is not installed: no comparison with it\n")
        return []
    from typing import Literal

    from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

    strict = ConfigDict(extra="forbid", strict=True)

    class Metadata(BaseModel):
        model_config = strict
        name: str = Field(min_length=1)
        manufacturer: str | None = None
        part_numbers: list[str] = []

    class PcPart(BaseModel):
        model_config = strict
        opendb_id: str = Field(pattern="^[0-9a-f-]{36}$")
        metadata: Metadata
        chipset: str | None = None
        memory: float | None = Field(None, ge=0)
        memory_type: Literal["GDDR5", "GDDR6", "GDDR6X", "GDDR7"] | None = None
        core_base_clock: float | None = Field(None, ge=0)
        length: float | None = Field(None, ge=0)
        tdp: float | None = Field(None, ge=0)
        general_product_information: dict[str, str | None] = {}

    texts = [json.dumps(part) for part in pc_parts(JSON_COUNT)]
    adapter, validator = TypeAdapter(PcPart), jsonschema_rs.validator_for(PC_SCHEMA)

    def ours() -> None:
        for text in texts:
            adapter.validate_json(text)

    def theirs() -> None:
        assert all(validator.is_valid(json.loads(text)) for text in texts)

    mine, others = cpu_s(ours, 3), cpu_s(theirs, 3)
    sys.stdout.write(f"{JSON_COUNT:,} JSON parts: pydantic {mine:.2f} s, jsonschema-rs {others:.2f} s\n")
    return [Row(f"{JSON_COUNT:,} JSON parts", "json and jsonschema-rs", mine / others, 2.0, 4.0)]


def main() -> None:
    """Measure, and print the table."""
    rows = []
    for measured in (reading, json_parts):
        with tempfile.TemporaryDirectory() as folder:
            rows += measured(Path(folder))
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
