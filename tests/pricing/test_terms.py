"""Rates, discounts, margins, VAT categories, territories and options, on values worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from rackwright.bom import Bom, BomGroup, BomLine
from rackwright.catalog import Part
from rackwright.diagnostic import Finding
from rackwright.pricing import Adjustment, Price, PricedBom, Rate, Terms, VatGroup, price_bom, rounded

GPU = Part("a/gpu", "gpu", {"title": "GPU"})
CPU = Part("a/cpu", "cpu", {"title": "CPU"})
WORK = Part("own/1", "service", {"title": "Work", "unit": "day", "service": "installation"})
ECB = Rate("EUR", "USD", Decimal("1.0854"), "2026-11-30", "ECB")


def bill(*lines: BomLine, offered: tuple[BomLine, ...] = ()) -> Bom:
    groups = [BomGroup("1", "n", "n", 1, lines)]
    if offered:
        groups.append(BomGroup("2", "offered", "", 1, offered, is_offered=True))
    return Bom(tuple(groups))


def priced(bom: Bom, *prices: Price, vat: str | None = "0.19", **terms: object) -> tuple[PricedBom, list[Finding]]:
    rate = None if vat is None else Decimal(vat)
    return price_bom(bom, prices, "EUR", date="2026-12-01", vat_ratio=rate, terms=replace(Terms(), **terms))


def gpus(count: int = 4, position: str = "1.1") -> BomLine:
    return BomLine(position, GPU, count, count)


def price(amount: str | None, currency: str = "EUR", cost: str | None = None, **more: object) -> Price:
    plain = Price("a/gpu", None if amount is None else Decimal(amount), currency)
    return replace(plain, cost=None if cost is None else Decimal(cost), **more)  # type: ignore[arg-type]


def test_half_a_cent_goes_up() -> None:
    assert [str(rounded(Decimal(text))) for text in ("0.005", "0.0149", "2.675", "1.004999")] == [
        "0.01", "0.01", "2.68", "1.00"
    ]  # fmt: skip


def test_a_price_in_another_currency_is_converted_and_kept() -> None:
    """1145 / 1.0854 = 1054.9106…, a unit price is rounded where it arises; 4 pieces 4219.64."""
    made, found = priced(bill(gpus()), price("1145.00", "USD"), rates=(ECB,))
    (line,) = made.lines
    assert found == []
    assert (line.list_unit, line.net_total) == (Decimal("1054.91"), Decimal("4219.64"))
    assert line.foreign is not None
    assert (line.foreign.amount, line.foreign.currency, line.foreign.rate.origin) == (Decimal("1145.00"), "USD", "ECB")
    assert made.rates == (ECB,)


def test_a_rate_serves_both_ways() -> None:
    """1145 × 0.9213 = 1054.8885."""
    made, _ = priced(bill(gpus()), price("1145.00", "USD"), rates=(Rate("USD", "EUR", Decimal("0.9213"), "", ""),))
    assert made.lines[0].list_unit == Decimal("1054.89")


def test_without_a_rate_the_line_stays_on_request() -> None:
    made, found = priced(bill(gpus()), price("9.00", "CHF"), rates=(ECB,))
    assert made.lines[0].list_unit is None
    assert [str(item.message) for item in found] == [
        "the price of a/gpu is in CHF, the quote is in EUR; the line stays on request"
    ]


def test_a_margin_is_a_share_of_the_selling_price() -> None:
    """20 % margin on 80.00 is 100.00, not 96.00: that would be 20 % mark-up."""
    made, _ = priced(bill(gpus(1)), price(None, cost="80.00"), margins=(Adjustment(Decimal("0.2")),))
    (line,) = made.lines
    assert (line.net_unit, line.cost_unit, line.discount_ratio) == (Decimal("100.00"), Decimal("80.00"), 0)


def test_cost_in_another_currency_is_converted_before_the_margin() -> None:
    """7777.77 / 1.0854 = 7165.810… → 7165.81; / 0.9183 = 7803.343… → 7803.34. The rate is not the customer's."""
    margins = (Adjustment(Decimal("0.0817"), kind="gpu"),)
    made, _ = priced(bill(gpus(1)), price(None, "USD", "7777.77"), rates=(ECB,), margins=margins)
    (line,) = made.lines
    assert (line.cost_unit, line.net_unit) == (Decimal("7165.81"), Decimal("7803.34"))
    assert line.foreign is None
    assert made.rates == ()
    assert line.foreign_cost is not None


def test_the_closest_of_line_part_kind_and_all_counts() -> None:
    rules = (
        Adjustment(Decimal("0.1")),
        Adjustment(Decimal("0.2"), kind="gpu"),
        Adjustment(Decimal("0.3"), part="a/gpu"),
        Adjustment(Decimal("0.4"), line="1.1"),
    )
    for number, net in enumerate(("90.00", "80.00", "70.00", "60.00"), start=1):
        made, found = priced(bill(gpus(1)), price("100"), discounts=rules[:number])
        assert (str(made.lines[0].net_unit), found) == (net, [])
    other, _ = priced(bill(gpus(1, "1.2")), price("100"), discounts=rules)
    assert str(other.lines[0].net_unit) == "70.00"


def test_a_closer_discount_beats_a_margin_and_a_closer_margin_a_discount() -> None:
    both = price("100", cost="60")
    discount, margin = Adjustment(Decimal("0.1"), part="a/gpu"), Adjustment(Decimal("0.25"), kind="gpu")
    made, found = priced(bill(gpus(1)), both, discounts=(discount,), margins=(margin,))
    assert (str(made.lines[0].net_unit), found) == ("90.00", [])
    made, found = priced(bill(gpus(1)), both, discounts=(replace(discount, part=None),), margins=(margin,))
    assert (str(made.lines[0].net_unit), found) == ("80.00", [])
    made, found = priced(bill(gpus(1)), both, discounts=(discount,), margins=(replace(margin, part="a/gpu"),))
    assert str(made.lines[0].net_unit) == "90.00"
    assert [item.code for item in found] == ["BOM099"]


def test_a_cost_alone_makes_no_price() -> None:
    made, found = priced(bill(gpus(1)), price(None, cost="80.00"))
    assert made.lines[0].net_unit is None
    assert [(item.code, str(item.message)) for item in found] == [
        ("BOM098", "the list has no selling price for a/gpu; the line stays on request")
    ]


def test_vat_is_rounded_once_a_category() -> None:
    """Three lines of 0.03: 0.09 × 0.19 = 0.0171 → 0.02; each alone, 0.0057 → 0.01, would sum to 0.03."""
    lines = tuple(gpus(1, f"1.{number}") for number in (1, 2, 3))
    made, _ = priced(bill(*lines), price("0.03"))
    assert (made.subtotal, made.vat, made.total) == (Decimal("0.09"), Decimal("0.02"), Decimal("0.11"))


def test_vat_by_category_and_reason() -> None:
    """100 standard: 19.00. 200 reverse charge: none. 50 exempt: none. Gross 369.00."""
    cpus = BomLine("1.2", CPU, 1, 1)
    work = replace(BomLine("1.3", WORK, 1, 1), own_price="50.00")
    rules = (
        Adjustment(word="reverse_charge", kind="cpu", reason="§ 13b"),
        Adjustment(word="exempt", kind="installation"),
    )
    made, _ = priced(bill(gpus(1), cpus, work), price("100"), Price("a/cpu", Decimal(200), "EUR"), vat_rules=rules)
    assert made.vat_groups == (
        VatGroup("standard", Decimal("100.00"), Decimal("0.19"), Decimal("19.00")),
        VatGroup("reverse_charge", Decimal("200.00"), Decimal(0), Decimal("0.00"), ("§ 13b",)),
        VatGroup("exempt", Decimal("50.00"), Decimal(0), Decimal("0.00")),
    )
    assert made.total == Decimal("369.00")


def test_without_a_rate_standard_lines_have_no_vat_but_exempt_ones_have_none_to_pay() -> None:
    made, _ = priced(bill(gpus(1)), price("100"), vat=None)
    assert (made.vat, made.total) == (None, Decimal("100.00"))
    made, _ = priced(bill(gpus(1)), price("100"), vat=None, vat_rules=(Adjustment(word="exempt"),))
    assert (made.vat, made.total) == (Decimal("0.00"), Decimal("100.00"))


def test_the_category_of_the_list_counts_unless_the_quote_says_otherwise() -> None:
    listed = replace(price("100"), vat="exempt")
    made, _ = priced(bill(gpus(1)), listed)
    assert made.lines[0].vat_category == "exempt"
    made, _ = priced(bill(gpus(1)), listed, vat_rules=(Adjustment(word="standard", kind="gpu"),))
    assert made.lines[0].vat_category == "standard"


def test_a_price_for_the_place_of_delivery_counts_before_one_for_everywhere() -> None:
    here = replace(price("90"), territory=("AT", "DE"))
    made, found = priced(bill(gpus(1)), price("100"), here, places=frozenset({"DE", "EU"}))
    assert (made.lines[0].list_unit, found) == (Decimal(90), [])
    made, found = priced(bill(gpus(1)), price("100"), here, places=frozenset({"FR", "EU"}))
    assert (made.lines[0].list_unit, found) == (Decimal(100), [])
    made, found = priced(bill(gpus(1)), here)
    assert made.lines[0].list_unit is None
    assert "the country of delivery is not known" in str(found[0].message)


def test_options_are_priced_and_in_no_total_and_do_not_add_to_the_quantity() -> None:
    """Four are ordered, four more offered: the price from eight on is not reached."""
    steps = (price("100"), replace(price("90"), quantity_min=8))
    made, _ = priced(bill(gpus(), offered=(replace(gpus(4, "2.1"), role="option"),)), *steps)
    ordered, offered = made.lines
    assert (ordered.net_total, offered.net_total) == (Decimal("400.00"), Decimal("400.00"))
    assert (made.subtotal, made.vat, made.is_complete) == (Decimal("400.00"), Decimal("76.00"), True)


def test_an_option_without_a_price_leaves_the_total_complete_and_the_offer_unfit() -> None:
    option = BomLine("2.1", CPU, 1, 1, role="option")
    made, found = priced(bill(gpus(), offered=(option,)), price("100"))
    assert (made.is_complete, made.is_fit_to_offer) == (True, False)
    assert [item.code for item in found] == ["BOM097"]
    assert priced(bill(gpus()))[0].is_fit_to_offer  # nobody asked for prices


def test_what_the_user_wrote_beside_an_own_item_is_net() -> None:
    work = replace(BomLine("1.1", WORK, 2, 2), own_price="1250.00")
    listed = Price("own/1", None, "EUR", unit="day", cost=Decimal("777.10"))
    made, found = priced(bill(work), listed, discounts=(Adjustment(Decimal("0.5")),))
    (line,) = made.lines
    assert (line.net_unit, line.net_total) == (Decimal("1250.00"), Decimal("2500.00"))
    assert line.cost_total == Decimal("1554.20")
    assert found == []


def test_money_is_decimal_everywhere() -> None:
    margins = (Adjustment(Decimal("0.07")),)
    made, _ = priced(bill(gpus(3)), price("1145.00", "USD", "900.01"), rates=(ECB,), margins=margins)
    (line,) = made.lines
    amounts = [line.list_unit, line.net_unit, line.net_total, line.cost_unit, line.cost_total, made.subtotal, made.vat]
    assert {type(amount) for amount in [*amounts, made.total, made.vat_groups[0].base]} == {Decimal}
