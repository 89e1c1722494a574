"""A real YAML language server completes, explains and checks part files, because they name their schema.

Run by `.ci/editors`, which installs the server (node and npm); not part of the usual tests.
YAML_LANGUAGE_SERVER is the path of its program.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rackwright.readers.schemas import schema_texts

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "yaml": {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}, "schemas": {}}
}
PART = """\
# yaml-language-server: $schema=../../schema/gpu.schema.json
kind: gpu
id: acme/x
title: Acme X
maker: Acme
form_factor: pcie
card: {length_mm: 267, width_slots: 2}
power:
  max_w: 350
sources: {sheet: {doc: Acme datasheet}}
evidence: {"*": {source: sheet, grade: vendor}}
"""


class Server:
    """The server, spoken to as an editor does: JSON-RPC over its standard input and output."""

    def __init__(self, program: str, root: Path) -> None:
        self.process = subprocess.Popen(["node", program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.told: dict[str, list[str]] = {}
        capabilities = {
            "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}},
            "textDocument": {"publishDiagnostics": {}, "completion": {"completionItem": {}}, "hover": {}},
        }
        self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": capabilities})
        self.say("initialized", {})
        self.say("workspace/didChangeConfiguration", {"settings": SETTINGS})

    def say(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        number = self.number
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                return message.get("result")

    def diagnostics(self, place: Path, text: str) -> list[str]:
        """Open a file and wait for what the server says of it."""
        uri = place.as_uri()
        self.told.pop(uri, None)
        self.say(
            "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}}
        )
        while uri not in self.told:
            self._next()
        return self.told[uri]

    def labels(self, place: Path, line: int, character: int) -> list[str]:
        where = {"textDocument": {"uri": place.as_uri()}, "position": {"line": line, "character": character}}
        found = self.ask("textDocument/completion", where)
        return [item["label"] for item in (found["items"] if isinstance(found, dict) else found)]

    def hover(self, place: Path, line: int, character: int) -> str:
        where = {"textDocument": {"uri": place.as_uri()}, "position": {"line": line, "character": character}}
        return str(self.ask("textDocument/hover", where)["contents"]["value"])

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        """Read a message; answer what the server asks its editor, and keep its diagnostics."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            assert line or self.process.poll() is None, "the server has ended"
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        method = message.get("method")
        if method == "workspace/configuration":
            answer: Any = [SETTINGS.get(item.get("section", ""), {}) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": answer})
        elif method == "textDocument/publishDiagnostics":
            self.told[message["params"]["uri"]] = [item["message"] for item in message["params"]["diagnostics"]]
        elif method is not None and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vendor's folder: schemas as `rackwright catalog schema` writes them, and a place for part files."""
    root = tmp_path_factory.mktemp("vendor")
    for name, text in schema_texts().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "catalog/gpu/acme").mkdir(parents=True)
    return root


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    started = Server(os.environ["YAML_LANGUAGE_SERVER"], folder)
    yield started
    started.process.terminate()
    started.process.communicate()  # closes its streams


def test_a_good_file_has_no_diagnostics(server: Server, folder: Path) -> None:
    assert server.diagnostics(folder / "catalog/gpu/acme/x.yaml", PART) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("width_slots: 2", "width_slotz: 2", "Property width_slotz is not allowed."),
        ("max_w: 350", "max_w: 350 W", 'Incorrect type. Expected "number'),
        ("pcie", "pci", 'Value is not accepted. Valid values: "pcie", "sxm2", "sxm4", "sxm5", "sxm6", "oam".'),
        ("title: Acme X\n", "", 'Missing property "title".'),
    ],
)
def test_a_mistake_is_marked(old: str, new: str, told: str, server: Server, folder: Path) -> None:
    place = folder / f"catalog/gpu/acme/wrong-{abs(hash(old))}.yaml"  # a file of its own: the server answers late
    found = server.diagnostics(place, PART.replace(old, new))
    assert [message for message in found if message.startswith(told)] != [], found


def test_names_and_values_are_offered(server: Server, folder: Path) -> None:
    place = folder / "catalog/gpu/acme/new.yaml"
    server.diagnostics(place, PART.replace("form_factor: pcie", "form_factor: ").replace("  max_w: 350\n", "  \n"))
    assert {"cooling", "compute", "weight_kg", "lifecycle"} <= set(server.labels(place, 11, 0))
    assert {"max_w", "peak_w", "by_cable_level_w"} <= set(server.labels(place, 8, 2))
    assert {"pcie", "sxm5", "oam"} <= set(server.labels(place, 5, 13))


def test_a_field_is_explained(server: Server, folder: Path) -> None:
    place = folder / "catalog/gpu/acme/explained.yaml"
    server.diagnostics(place, PART)
    assert "sustained maximum; TDP for a CPU, board power for a GPU" in server.hover(place, 8, 4)


@pytest.mark.parametrize("name", ["gpu/nvidia/l40s", "chassis/hpe/dl380a-gen12", "pdu/apc/ap7516", "cpu/amd/epyc-7203"])
def test_shipped_part_files_have_no_diagnostics(name: str, server: Server) -> None:
    place = ROOT / "catalog" / f"{name}.yaml"
    assert server.diagnostics(place, place.read_text(encoding="utf-8")) == []
