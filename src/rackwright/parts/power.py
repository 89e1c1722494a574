"""Power and rack parts: PSUs, cords, cables, PDUs, racks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from rackwright.parts.base import Amps, Count, Kilograms, Millimetres, Part, PartId, Shape, Volts, Watts, no_flag

Coupler = Literal["C14", "C16", "C20", "C22", "anderson-saf-d-grid", "app-2006g1", "fixed-dc"]
Outlet = Literal["C13", "C15", "C19", "C21", "C13-C19-combo", "5-15R", "5-20R", "L5-20R", "L6-20R", "L6-30R"]
Ratio = Annotated[float, Field(gt=0, le=1)]


class PsuOutput(Shape):
    """What a PSU delivers in a range of input voltage."""

    voltage_min_v: Volts = Field(description="lowest input voltage of the range")
    voltage_max_v: Volts = Field(description="highest input voltage of the range")
    output_w: Watts = Field(description="output in this range")
    current: Literal["ac", "dc"] = Field("ac", description="ac or dc")


class InputRange(Shape):
    """A range of input voltage that a PSU accepts."""

    voltage_min_v: Volts = Field(description="lowest input voltage")
    voltage_max_v: Volts = Field(description="highest input voltage")
    current: Literal["ac", "dc"] = Field("ac", description="ac or dc")


class EfficiencyPoint(Shape):
    """Efficiency at a share of the rated load."""

    load_ratio: Ratio = Field(description="share of the rated output: 0.5 for 50 %")
    efficiency_ratio: Ratio = Field(description="output divided by input: 0.96 for 96 %")


class Psu(Part):
    """A power supply unit. `output` by input voltage; outside these ranges it must not be used."""

    kind: Literal["psu"] = Field(description="kind of part")
    output_w: Watts = Field(description="rated output on the best of its ranges, as in its name")
    output: list[PsuOutput] | None = Field(None, description="output by range of input voltage")
    input_ranges: list[InputRange] | None = Field(
        None, description="voltages that the unit accepts, where its output is stated for some of them only"
    )
    efficiency_class: Literal["bronze", "silver", "gold", "platinum", "titanium"] | None = Field(
        None, description="80 PLUS class"
    )
    efficiency: list[EfficiencyPoint] | None = Field(None, description="the maker's own curve")
    inlet: Coupler | None = Field(None, description="inlet on the unit")
    current: list[Literal["ac", "dc"]] | None = Field(None, description="kinds of input: ac, dc")
    is_hot_swap: bool | None = Field(None, description="true: it can be changed while the node runs")


class Cable(Part):
    """A cable that feeds a card (GPU power) or connects parts inside a node."""

    kind: Literal["cable"] = Field(description="kind of part")
    purpose: Literal["gpu-power", "data", "other"] = Field(description="what the cable carries")
    from_connector: str | None = Field(None, description="side of the riser, board or PSU")
    to_connector: Literal["eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"] | None = Field(
        None, description="plug on the side of the card"
    )
    level_w: Watts | None = Field(None, description="power level that a 16-pin cable signals: 150, 300, 450 or 600")
    capacity_w: Watts | None = Field(None, description="what an EPS or PCIe cable carries, as its maker states it")
    cards: Count | None = Field(None, description="cards that one piece feeds")
    chassis: list[PartId] = Field(default_factory=list, description="chassis that the maker names for it; empty = any")


class Cord(Part):
    """A power cord between a PDU outlet and a PSU inlet."""

    kind: Literal["cord"] = Field(description="kind of part")
    plug: str = Field(description="side of the PDU, e.g. C14 or C20")
    connector: Literal["C13", "C15", "C19", "C21"] = Field(description="side of the PSU")
    rating_a: Amps | None = Field(None, description="current that the cord carries")
    length_mm: Annotated[float, Field(gt=0, le=20_000)] | None = Field(None, description="length of the cord")


class OutletGroup(Shape):
    """Outlets of one kind on a PDU. `section` names the phase or bank that feeds them; absent = not known."""

    type: Outlet = Field(description="kind of outlet")
    count: Annotated[int, Field(ge=1, le=100)] = Field(description="outlets in this group")
    section: str | None = Field(None, description="L1, L2, L3, L1-L2, L2-L3, L3-L1")
    bank: str | None = Field(None, description="name of the bank whose breaker protects them")


class Bank(Shape):
    """A breaker inside a PDU."""

    name: str = Field(description="name of the bank, as outlets refer to it")
    breaker_a: Amps = Field(description="rating of the breaker")


class Pdu(Part):
    """A rack power distribution unit. Both its current limits are kept: circuit and continuous."""

    kind: Literal["pdu"] = Field(description="kind of part")
    region: Literal["na", "iec", "jp"] | None = Field(
        None, description="na: North American ratings, with the 80 % rule; iec: IEC ratings; jp: Japan"
    )
    phases: Annotated[Literal[1, 3], BeforeValidator(no_flag)] | None = Field(None, description="1 or 3")
    wiring: Literal["wye", "delta"] | None = Field(None, description="how the outlets of a three-phase unit are wired")
    voltage_v: Volts | None = Field(None, description="nominal: line to line on three phases")
    circuit_a: Amps | None = Field(None, description="circuit that the plug is made for")
    continuous_a: Amps | None = Field(None, description="current that may flow for three hours and more, per line")
    power_max_w: Watts | None = Field(None, description="maker's stated maximum, where he prints one")
    inlet_plug: str | None = Field(None, description="plug of the inlet as the maker prints it")
    outlets: list[OutletGroup] | None = Field(None, description="outlets by kind and section; absent = not known")
    banks: list[Bank] | None = Field(None, description="breakers inside; [] = known to have none")
    mount: Literal["0U", "1U", "2U", "3U"] | None = Field(None, description="vertical (0U) or rack units")
    is_metered: bool | None = Field(None, description="true: it measures current")
    is_switched: bool | None = Field(None, description="true: outlets can be switched")


class Rack(Part):
    """A rack cabinet."""

    kind: Literal["rack"] = Field(description="kind of part")
    height_u: Annotated[int, Field(ge=1, le=60)] | None = Field(None, description="rack units inside")
    outer_width_mm: Millimetres | None = Field(None, description="outer width")
    outer_depth_mm: Millimetres | None = Field(None, description="outer depth")
    mounting_depth_max_mm: Millimetres | None = Field(None, description="largest distance that rails can span")
    load_static_max_kg: Kilograms | None = Field(None, description="load at rest at most")
    load_dynamic_max_kg: Kilograms | None = Field(None, description="shipped or rolled loaded")
    door_perforation_ratio: Ratio | None = Field(None, description="open share of the door: 0.8 for 80 %")
    pdu_positions_0u: Count | None = Field(None, description="places for vertical PDUs")
