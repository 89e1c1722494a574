"""Drawings: their texts fit, all have a title, and nothing but the data is drawn."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont

from rackwright.outputs import drawings
from rackwright.outputs.drawings.metrics import fit, text_width, wrap
from rackwright.outputs.drawings.widths import CHARACTERS, WIDTHS
from rackwright.proposal.labels import LABELS
from rackwright.proposal.model import BarView, FailureRow, NodeView, PsuView, SlotView, TopologyView

from .sample import english_open, r760xa
from .sample_german import german_valid

FONTS = Path(__file__).parents[2] / "templates" / "proposal" / "fonts"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</title><script>alert("1")</script>&amp;\x00<image href="file:///etc/passwd"/>'


@pytest.mark.parametrize("weight", [400, 600])
def test_the_table_of_widths_is_that_of_the_font(weight: int) -> None:
    font = TTFont(FONTS / f"Inter-{weight}.ttf")
    glyphs, advances, unit = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    expected = {c: round(advances[glyphs[ord(c)]][0] * 1000 / unit) for c in CHARACTERS if ord(c) in glyphs}
    assert expected == {char: width for char, width in WIDTHS[weight].items() if ord(char) in glyphs}


def test_a_text_that_fits_stays_and_a_longer_one_ends_in_an_ellipsis() -> None:
    assert fit("GPU", 100, 7) == "GPU"
    short = fit("NVIDIA RTX PRO 6000 Blackwell Server Edition", 60, 7, 600)
    assert short.endswith("…")
    assert text_width(short, 7, 600) <= 60
    assert fit("GPU", 1, 7) == ""


def test_wrapped_lines_fit_and_the_last_one_holds_the_rest() -> None:
    lines = wrap("NVIDIA RTX PRO 6000 Blackwell Server Edition 96 GB", 50, 6.6, most=3)
    assert len(lines) == 3
    assert all(text_width(line, 6.6) <= 50 for line in lines)
    assert lines[-1].endswith("…")


def crowded() -> NodeView:
    """More slots, supplies and letters than any server has."""
    long = "Wasserkühlungsanschlussverteilerplatinenhalterung " * 3
    slots = tuple(
        SlotView(
            f"PCIE_SLOT_{n:02d}",
            "hinten" if n % 3 else "",
            "Gen5 x16 über Switch",
            str(n % 2 + 1),
            long if n % 4 else "",
            ("gpu", "nic", "storage_adapter")[n % 3],
            1 + n % 2,
            "kein Riser vorhanden",
            n % 5,
        )
        for n in range(40)
    )
    psus = tuple(PsuView(f"Netzteil {n}", long, f"Schacht {n}", "ABCD"[n % 4], "gpu") for n in range(12))
    return dataclasses.replace(r760xa(), title=long, slots=slots, psus=psus, modules=("OAM",) * 8)


def every_drawing() -> Iterator[tuple[str, str]]:
    for proposal in (english_open(), german_valid()):
        labels = proposal.labels
        for node in (*proposal.nodes, crowded()):
            yield "slots", drawings.slot_map(node, labels)
            yield "power", drawings.bars(node.power, "power", (labels["limit_after_loss"], labels["limit_full"]))
            for tree in node.topology:
                yield "topology", drawings.topology(tree, labels, node.title)
        for rack in proposal.racks:
            yield "rack", drawings.elevation(rack, labels)
            yield "feeds", drawings.feeds(rack, proposal.nodes, labels)
            yield "phases", drawings.short_bars(rack.phases, "phases")
            for row in rack.failures:
                yield "failure", drawings.failure_bar(row, row.lost)
    bare = dataclasses.replace(r760xa(), slots=(), modules=("H200 SXM 141 GB",) * 8)
    yield "modules", drawings.slot_map(bare, LABELS)
    yield "supplies alone", drawings.slot_map(dataclasses.replace(bare, modules=()), LABELS)
    deep = TopologyView(
        "CPU 1",
        "",
        "cpu",
        "",
        (
            TopologyView(
                "S" * 60, "x", "switch", "Gen5 x16", (TopologyView("9" * 60, "n" * 200, "gpu", "Gen5 x16 " * 9),)
            ),
        ),
    )
    yield "deep", drawings.topology(deep, LABELS, "n" * 300)
    yield "lone", drawings.topology(TopologyView("CPU 1", "EPYC", "cpu"), LABELS, "node")
    long = BarView("Domäne " * 30, 5.0, "5 kW " * 20, 1.0, "1 kW " * 40, 9.0, "9 kW " * 40, "500 %", True)
    yield "long bar", drawings.bars((long,), "power", ("after a loss", "all supplies"))
    yield "long short bar", drawings.short_bars((long,), "phases")
    for name in ("valid", "open", "invalid", "pass", "error", "warning", "advice", "unknown"):
        yield name, drawings.icon(name, name)


@pytest.mark.parametrize(("name", "svg"), list(every_drawing()))
def test_no_text_leaves_its_drawing(name: str, svg: str) -> None:
    root = ElementTree.fromstring(svg)
    width, height = (float(text) for text in root.attrib["viewBox"].split()[2:])
    for element in root.iter(f"{SVG}text"):
        left, top, right, bottom = box_of(element)
        assert left >= -0.5, element.text
        assert top >= -0.5, element.text
        assert right <= width + 0.5, element.text
        assert bottom <= height + 0.5, element.text


def box_of(element: ElementTree.Element) -> tuple[float, float, float, float]:
    """The box of a text as the bundled font draws it."""
    size, x, y = (float(element.attrib[key]) for key in ("font-size", "x", "y"))
    length = font_width(element.text or "", 600 if int(element.get("font-weight", "400")) > 400 else 400) * size
    start = x - length * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor", "start")]
    if "rotate(-90" in element.get("transform", ""):
        return y - 0.75 * size + x - y, y - length, x + 0.2 * size, y
    return start, y - 0.75 * size, start + length, y + 0.21 * size


FONT = {weight: TTFont(FONTS / f"Inter-{weight}.ttf") for weight in (400, 600)}
GLYPHS = {weight: font.getBestCmap() for weight, font in FONT.items()}


def font_width(text: str, weight: int) -> float:
    advances, unit = FONT[weight]["hmtx"], FONT[weight]["head"].unitsPerEm
    return math.fsum(advances[GLYPHS[weight].get(ord(char), ".notdef")][0] / unit for char in text)


@pytest.mark.parametrize(("name", "svg"), list(every_drawing()))
def test_every_drawing_has_a_title_first_and_is_an_image(name: str, svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text


@pytest.mark.parametrize(("name", "svg"), list(every_drawing()))
def test_texts_are_large_enough_to_read_on_paper(name: str, svg: str) -> None:
    root = ElementTree.fromstring(svg)
    millimetres = float(root.attrib["width"].removesuffix("mm")) / float(root.attrib["viewBox"].split()[2])
    for element in root.iter(f"{SVG}text"):
        assert float(element.attrib["font-size"]) * millimetres / 25.4 * 72 >= 6


def test_a_shortened_text_keeps_its_full_name_as_a_title() -> None:
    svg = drawings.slot_map(crowded(), LABELS)
    assert "…" in svg
    root = ElementTree.fromstring(svg)
    for group in root.iter(f"{SVG}g"):
        text = "".join(group.itertext())
        if "…" in text:
            assert group.find(f"{SVG}title") is not None


def test_moving_a_card_moves_it_in_the_map() -> None:
    node = german_valid().nodes[0]
    moved = [
        dataclasses.replace(slot, card="", card_kind="", state="frei") if slot.name == "17" else slot
        for slot in node.slots
    ]
    moved = [
        dataclasses.replace(slot, card="ConnectX-7", card_kind="nic", state="belegt") if slot.name == "18" else slot
        for slot in moved
    ]
    before, after = (drawings.slot_map(n, LABELS) for n in (node, dataclasses.replace(node, slots=tuple(moved))))
    assert before != after
    assert before.count("ConnectX") - before.count("<title>ConnectX") == after.count("ConnectX") == 1


def test_a_covered_slot_is_part_of_its_card() -> None:
    svg = drawings.slot_map(german_valid().nodes[0], LABELS)
    assert ">1–2<" in svg
    assert "verdeckt" not in svg


def test_joined_cards_carry_the_number_of_their_bridge() -> None:
    svg = drawings.slot_map(german_valid().nodes[0], LABELS)
    assert "Bridge 1" in svg
    assert "Bridge 2" in svg


def test_an_overload_is_hatched_and_not_only_coloured() -> None:
    bar = BarView("x", 2.0, "2 W", 1.0, "1 W")
    plain, over = (drawings.bars((dataclasses.replace(bar, is_over=is_over),), "t") for is_over in (False, True))
    assert over.count("<path") > plain.count("<path")


def test_what_is_not_known_is_not_drawn() -> None:
    empty = dataclasses.replace(r760xa(), slots=(), psus=(), modules=())
    assert drawings.slot_map(empty, LABELS) == ""
    assert drawings.bars((), "t") == ""
    assert drawings.short_bars((), "t") == ""
    rack = dataclasses.replace(german_valid().racks[0], height_u=0, feeds=())
    assert drawings.elevation(rack, LABELS) == ""
    assert drawings.feeds(rack, (), LABELS) == ""
    assert drawings.failure_bar(FailureRow("x", ("–",), (None,), 0), "t") == ""
    assert drawings.failure_bar(FailureRow("x", ("–",), (None,)), "t") == ""
    unknown = drawings.bars((BarView("x", None, "not known", 5.0, "5 W"),), "t")
    assert "not known" in unknown


def test_a_rack_of_a_foreign_node_shows_no_supplies() -> None:
    proposal = german_valid()
    rack = proposal.racks[0]
    assert "PSU 1, PSU 2" in drawings.feeds(rack, proposal.nodes, LABELS)
    bare = dataclasses.replace(rack, items=tuple(dataclasses.replace(item, node="") for item in rack.items))
    assert "PSU" not in drawings.feeds(bare, proposal.nodes, LABELS)


def test_hostile_texts_stay_texts() -> None:
    node = crowded()
    node = dataclasses.replace(
        node,
        title=HOSTILE,
        slots=tuple(dataclasses.replace(s, card=HOSTILE, name=HOSTILE, side=HOSTILE) for s in node.slots),
    )
    trees = (
        drawings.topology(TopologyView(HOSTILE, HOSTILE, "cpu", HOSTILE), LABELS, HOSTILE),
        drawings.slot_map(node, LABELS),
    )
    for svg in (*trees, drawings.icon("open", HOSTILE), drawings.watermark(HOSTILE)):
        tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "title", "g", "rect", "path", "text"}
        assert not re.search(r"href|script>", re.sub(r"&[a-z]+;", "", re.sub(r">[^<]*<", "><", svg)))
