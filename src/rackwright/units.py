"""Units of measure: which unit a field name carries, how units combine, how figures print.

The unit of a numeric field is the last token of its name (`draw_peak_w`, `depth_mm`); DESIGN section 5.
A unit is a product of atoms with integer exponents. Atoms of different scale (`mm`, `m`) are different
units on purpose: nothing is converted silently. The one physical identity that is known is W = V x A.
"""

from __future__ import annotations

from functools import lru_cache

from rackwright.frozen import frozen


@frozen(slots=True)
class Unit:
    """A product of unit atoms; `Unit()` is a pure number (counts, ratios)."""

    atoms: tuple[tuple[str, int], ...] = ()

    def __mul__(self, other: Unit) -> Unit:
        return _product(self, other, 1)

    def __truediv__(self, other: Unit) -> Unit:
        return _product(self, other, -1)

    @property
    def symbol(self) -> str:
        """The unit as it is printed, e.g. `W`, `GB/s`; an empty text for a pure number."""
        return _SYMBOL_OF[self] if self in _SYMBOL_OF else _composed_symbol(self)


def _unit(**atoms: int) -> Unit:
    return Unit(tuple(sorted((name, power) for name, power in atoms.items() if power)))


@lru_cache(maxsize=4096)
def _product(left: Unit, right: Unit, sign: int) -> Unit:
    powers = dict(left.atoms)
    for name, power in right.atoms:
        powers[name] = powers.get(name, 0) + sign * power
    return _unit(**powers)


def _composed_symbol(unit: Unit) -> str:
    above = [_power_text(name, power) for name, power in unit.atoms if power > 0]
    below = [_power_text(name, -power) for name, power in unit.atoms if power < 0]
    return ("·".join(above) or "1") + ("/" + "·".join(below) if below else "")


def _power_text(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


NUMBER = Unit()

# suffix of a field name -> (unit, printed symbol). W and VA are both volts times amps.
_SUFFIXES: dict[str, tuple[Unit, str]] = {
    "w": (_unit(V=1, A=1), "W"),
    "va": (_unit(V=1, A=1), "VA"),
    "kw": (_unit(kV=1, A=1), "kW"),
    "a": (_unit(A=1), "A"),
    "v": (_unit(V=1), "V"),
    "hz": (_unit(Hz=1), "Hz"),
    "ghz": (_unit(GHz=1), "GHz"),
    "mm": (_unit(mm=1), "mm"),
    "m": (_unit(m=1), "m"),
    "u": (_unit(U=1), "U"),
    "kg": (_unit(kg=1), "kg"),
    "g": (_unit(g=1), "g"),
    "c": (_unit(degC=1), "°C"),
    "c_per_m": (_unit(degC=1, m=-1), "°C/m"),
    "m3_h": (_unit(m3=1, h=-1), "m³/h"),
    "btu_h": (_unit(BTU=1, h=-1), "BTU/h"),
    "db": (_unit(dB=1), "dB"),
    "gb": (_unit(GB=1), "GB"),
    "gib": (_unit(GiB=1), "GiB"),
    "gb_s": (_unit(GB=1, s=-1), "GB/s"),
    "gbit_s": (_unit(Gbit=1, s=-1), "Gbit/s"),
    "gt_s": (_unit(GT=1, s=-1), "GT/s"),
    "mt_s": (_unit(MT=1, s=-1), "MT/s"),
    "tflops": (_unit(TFLOPS=1), "TFLOPS"),
    "tops": (_unit(TOPS=1), "TOPS"),
    "s": (_unit(s=1), "s"),
    "ms": (_unit(ms=1), "ms"),
    "h": (_unit(h=1), "h"),
    "ratio": (NUMBER, ""),
}
_SYMBOL_OF: dict[Unit, str] = {}
for _entry, _symbol in _SUFFIXES.values():
    _SYMBOL_OF.setdefault(_entry, _symbol)

# Figures in these units may be below zero; all others count something that cannot be negative.
SIGNED_SUFFIXES = frozenset({"c", "db", "c_per_m"})


@lru_cache(maxsize=4096)
def suffix_of(name: str) -> str | None:
    """Return the unit suffix of a field name, or None for a count, a text or a flag.

    The longest suffix wins: `bandwidth_gb_s` is GB/s, not s.
    """
    tokens = name.split("_")
    for length in (3, 2, 1):
        if len(tokens) > length:
            suffix = "_".join(tokens[-length:])
            if suffix in _SUFFIXES:
                return suffix
    return name if name in _SUFFIXES and len(name) > 1 else None


@lru_cache(maxsize=4096)
def unit_of(name: str) -> Unit:
    """Return the unit that a field name carries; a pure number where it carries none."""
    suffix = suffix_of(name)
    return _SUFFIXES[suffix][0] if suffix else NUMBER


def unit_by_symbol(symbol: str) -> Unit | None:
    """Return the unit that is printed as `symbol` (`W`, `GB/s`), or None if there is no such unit."""
    if symbol in ("", "1", "ratio", "count"):
        return NUMBER
    return next((unit for unit, printed in _SUFFIXES.values() if printed == symbol), None)


UNIT_SYMBOLS: tuple[str, ...] = tuple(sorted({printed for _, printed in _SUFFIXES.values() if printed}))


def format_number(value: float) -> str:
    """Print a figure for the terminal: spaces between thousands, at most three decimals, no trailing zeros.

    `12000` -> `12 000`, `0.125` -> `0.125`, `17.32050` -> `17.321`.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}".replace(",", " ")
    return f"{value:,.3f}".replace(",", " ").rstrip("0").rstrip(".")


def format_quantity(value: float, unit: Unit) -> str:
    """Print a figure with its unit: `1 400 W`."""
    symbol = unit.symbol
    return f"{format_number(value)} {symbol}" if symbol else format_number(value)


# Conversions to units that exist on the page only. Source of each factor in its docstring.


def btu_h_from_w(power_w: float) -> float:
    """Heat in BTU/h of a power in watts: 3.412 BTU/h per W (rule PR-40; Dell R240 manual, table 6)."""
    return 3.412 * power_w


def cfm_from_m3_h(flow_m3_h: float) -> float:
    """Air volume in cubic feet per minute: 1 ft = 0.3048 m exactly, so 1 m3/h = 0.588578 CFM."""
    return flow_m3_h / (0.3048**3 * 60)


# What makers print instead of our units, by the text after the number: factor to the unit of the suffix.
# 1 in = 25.4 mm, 1 lb = 0.45359237 kg and 1 oz = 1/16 lb exactly (international yard and pound); decimal prefixes.
_PRINTED: dict[tuple[str, str], float] = {
    **dict.fromkeys((("in", "mm"), ("in.", "mm"), ("inch", "mm"), ("inches", "mm"), ('"', "mm"), ("”", "mm")), 25.4),
    ("cm", "mm"): 10,
    ("m", "mm"): 1000,
    ("ft", "mm"): 304.8,
    **dict.fromkeys((("lb", "kg"), ("lbs", "kg"), ("lb.", "kg"), ("lbs.", "kg"), ("pounds", "kg")), 0.45359237),
    ("oz", "kg"): 0.45359237 / 16,
    ("g", "kg"): 0.001,
    ("kg", "g"): 1000,
    ("kw", "w"): 1000,
    ("kva", "va"): 1000,
    ("tib", "gib"): 1024,
    ("tb/s", "gb_s"): 1000,
    ("mb/s", "gb_s"): 0.001,
    ("gbps", "gbit_s"): 1,
    ("mbit/s", "gbit_s"): 0.001,
    ("mhz", "ghz"): 0.001,
    ("cfm", "m3_h"): 0.3048**3 * 60,
    ("ghz", "hz"): 1e9,
    ("khz", "hz"): 1000,
    ("%", "ratio"): 0.01,
    ("us", "ms"): 0.001,
    ("µs", "ms"): 0.001,
    ("btu/h", "w"): 1 / 3.412,
    ("btu/hr", "w"): 1 / 3.412,
}


def is_same_unit(printed: str, symbol: str) -> bool:
    """Tell whether a maker's text is our unit: capitals do not count, except that b is a bit and B a byte."""
    return printed.casefold() == symbol.casefold() and ("b" in printed) == ("b" in symbol)


def converted(value: float, printed: str, suffix: str) -> float | None:
    """Return a printed figure in the unit of a field's suffix, rounded to a tenth; None if that is not known.

    Terabytes are not turned into gigabytes: of memory a maker means 1024, of drives 1000.
    Shapes: `printed` is the unit as a maker prints it (`in`, `lb`, `CFM`, `°F`); `suffix` the end of a field's name.
    Units: figures below 10 keep three decimals, ratios and bandwidths as well.
    """
    unit = printed.strip().casefold()
    if suffix == "c" and unit in ("f", "°f"):
        return round((value - 32) / 1.8, 1)
    if suffix in ("gb", "gib", "gb_s") and "B" not in printed:  # Gb are bits
        return None
    factor = _PRINTED.get((unit, suffix))
    if factor is None:
        return None
    figure = value * factor
    return round(figure, 1 if abs(figure) >= 10 and suffix in ("mm", "kg", "g", "w", "m3_h") else 4)
