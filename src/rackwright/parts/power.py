"""Power and rack parts: PSUs, cords, cables, PDUs, racks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.parts.base import Amps, Count, Kilograms, Millimetres, Part, PartId, Shape, Volts, Watts

Coupler = Literal["C14", "C16", "C20", "C22", "anderson-saf-d-grid", "app-2006g1", "fixed-dc"]
Outlet = Literal["C13", "C15", "C19", "C21", "C13-C19-combo", "5-15R", "5-20R", "L5-20R", "L6-20R", "L6-30R"]
Ratio = Annotated[float, Field(gt=0, le=1)]


class PsuOutput(Shape):
    """What a PSU delivers in a range of input voltage."""

    voltage_min_v: Volts
    voltage_max_v: Volts
    output_w: Watts
    current: Literal["ac", "dc"] = "ac"


class InputRange(Shape):
    """A range of input voltage that a PSU accepts."""

    voltage_min_v: Volts
    voltage_max_v: Volts
    current: Literal["ac", "dc"] = "ac"


class EfficiencyPoint(Shape):
    """Efficiency at a share of the rated load."""

    load_ratio: Ratio
    efficiency_ratio: Ratio


class Psu(Part):
    """A power supply unit. `output` by input voltage; outside these ranges it must not be used."""

    kind: Literal["psu"]
    output_w: Watts = Field(description="rated output on the best of its ranges, as in its name")
    output: list[PsuOutput] | None = None
    input_ranges: list[InputRange] | None = Field(
        None, description="voltages that the unit accepts, where its output is stated for some of them only"
    )
    efficiency_class: Literal["bronze", "silver", "gold", "platinum", "titanium"] | None = None
    efficiency: list[EfficiencyPoint] | None = Field(None, description="the maker's own curve")
    inlet: Coupler | None = None
    current: list[Literal["ac", "dc"]] | None = None
    is_hot_swap: bool | None = None


class Cable(Part):
    """A cable that feeds a card (GPU power) or connects parts inside a node."""

    kind: Literal["cable"]
    purpose: Literal["gpu-power", "data", "other"]
    from_connector: str | None = Field(None, description="side of the riser, board or PSU")
    to_connector: Literal["eps-8pin", "pcie-6pin", "pcie-8pin", "pcie-16pin"] | None = None
    level_w: Watts | None = Field(None, description="power level that a 16-pin cable signals: 150, 300, 450 or 600")
    capacity_w: Watts | None = Field(None, description="what an EPS or PCIe cable carries, as its maker states it")
    cards: Count | None = Field(None, description="cards that one piece feeds")
    chassis: list[PartId] = Field(default_factory=list)


class Cord(Part):
    """A power cord between a PDU outlet and a PSU inlet."""

    kind: Literal["cord"]
    plug: str = Field(description="side of the PDU, e.g. C14 or C20")
    connector: Literal["C13", "C15", "C19", "C21"] = Field(description="side of the PSU")
    rating_a: Amps | None = None
    length_mm: Annotated[float, Field(gt=0, le=20_000)] | None = None


class OutletGroup(Shape):
    """Outlets of one kind on a PDU. `section` names the phase or bank that feeds them; absent = not known."""

    type: Outlet
    count: Annotated[int, Field(ge=1, le=100)]
    section: str | None = Field(None, description="L1, L2, L3, L1-L2, L2-L3, L3-L1")
    bank: str | None = None


class Bank(Shape):
    """A breaker inside a PDU."""

    name: str
    breaker_a: Amps


class Pdu(Part):
    """A rack power distribution unit. Both its current limits are kept: circuit and continuous."""

    kind: Literal["pdu"]
    region: Literal["na", "iec", "jp"] | None = None
    phases: Literal[1, 3] | None = None
    wiring: Literal["wye", "delta"] | None = Field(None, description="how the outlets of a three-phase unit are wired")
    voltage_v: Volts | None = Field(None, description="nominal: line to line on three phases")
    circuit_a: Amps | None = Field(None, description="circuit that the plug is made for")
    continuous_a: Amps | None = Field(None, description="current that may flow for three hours and more, per line")
    power_max_w: Watts | None = Field(None, description="maker's stated maximum, where he prints one")
    inlet_plug: str | None = None
    outlets: list[OutletGroup] | None = None
    banks: list[Bank] | None = None
    mount: Literal["0U", "1U", "2U", "3U"] | None = None
    is_metered: bool | None = None
    is_switched: bool | None = None


class Rack(Part):
    """A rack cabinet."""

    kind: Literal["rack"]
    height_u: Annotated[int, Field(ge=1, le=60)] | None = None
    outer_width_mm: Millimetres | None = None
    outer_depth_mm: Millimetres | None = None
    mounting_depth_max_mm: Millimetres | None = Field(None, description="largest distance that rails can span")
    load_static_max_kg: Kilograms | None = None
    load_dynamic_max_kg: Kilograms | None = Field(None, description="shipped or rolled loaded")
    door_perforation_ratio: Ratio | None = None
    pdu_positions_0u: Count | None = None
