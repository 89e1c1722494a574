"""Each requirement on spreadsheet and proposal has tests that can fail: the table says which.

X is the spreadsheet, P the proposal. A test that is renamed or dropped makes this one fail.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
XLSX, PDF, SAFE = "outputs/test_xlsx.py", "outputs/test_pdf.py", "outputs/test_pdf_safety.py"
DRAWN = "outputs/test_drawings.py"
MONEY, TEXT, ENGINE = "cli/test_money.py", "outputs/test_xlsx_text.py", "outputs/test_second_engine.py"
GERMAN = "translations/test_german.py"

REQUIREMENTS: dict[str, list[tuple[str, str]]] = {
    "X1 same input, same bytes": [
        (XLSX, "test_the_same_proposal_gives_the_same_bytes_in_two_processes"),
        (XLSX, "test_the_file_has_no_clock"),
    ],
    "X2 cached values, two engines, a poisoned value is found": [
        (XLSX, "test_every_formula_has_a_stored_value"),
        (XLSX, "test_another_program_calculates_every_stored_value"),
        (XLSX, "test_a_wrong_stored_value_is_found"), (ENGINE, "test_it_calculates_every_stored_value"),
        (ENGINE, "test_it_finds_a_wrong_stored_value"),
    ],
    "X3 changing the number of systems is a fresh build": [
        (XLSX, "test_changing_the_number_of_nodes_gives_what_a_fresh_build_gives"),
        (ENGINE, "test_seven_nodes_give_what_a_fresh_build_gives"),
    ],
    "X4 totals equal to the cent, decimal, one rounding": [
        (MONEY, "test_the_customers_documents_agree_to_the_cent"),
        ("pricing/test_terms.py", "test_half_a_cent_goes_up"),
        ("pricing/test_terms.py", "test_money_is_decimal_everywhere"),
    ],
    "X5 no priced line without a price, included lines say so": [
        (MONEY, "test_a_line_without_a_price_stops_the_offer"),
        (XLSX, "test_a_price_of_zero_reads_as_included_and_says_in_what"),
    ],
    "X6 hierarchical positions, both quantities, sub-totals": [
        (XLSX, "test_per_node_and_total_quantities_and_sub_totals_are_shown"),
    ],
    "X7 text stays text": [
        (TEXT, "test_no_field_of_a_proposal_becomes_a_formula_or_a_link"),
        (TEXT, "test_only_web_addresses_become_links"),
        (XLSX, "test_hostile_text_is_the_same_text_after_another_program"),
        ("outputs/test_csv.py", "test_no_field_starts_a_formula_and_no_record_breaks"),
    ],
    "X8 twelve printed columns, one page wide, readable": [
        (XLSX, "test_pages_are_landscape_one_wide_and_large_enough_to_read"),
        (XLSX, "test_the_bill_is_laid_out_for_the_eye_and_the_page"),
    ],
    "X9 frozen, filter, outline, dates, codes": [
        (XLSX, "test_the_bill_is_laid_out_for_the_eye_and_the_page"), (XLSX, "test_dates_are_dates"),
    ],
    "X10 accessible": [
        (XLSX, "test_every_sheet_can_be_read_and_printed"), (XLSX, "test_every_text_has_enough_contrast"),
    ],
    "X11 trade facts as stated, else not stated": [(XLSX, "test_compliance_prints_what_is_stated_and_by_whom")],
    "X12 figures name their source": [(XLSX, "test_technical_figures_name_their_source")],
    "X13 VAT by category": [
        (XLSX, "test_vat_is_a_formula_for_each_category"),
        ("pricing/test_terms.py", "test_vat_by_category_and_reason"),
    ],
    "X14 5,000 lines": [(ENGINE, "test_five_thousand_lines_take_processor_time_and_memory_in_proportion")],
    "X15 the package is valid": [(XLSX, "test_the_package_keeps_to_the_standard")],
    "X16 both languages": [
        (XLSX, "test_every_sheet_can_be_read_and_printed"), (GERMAN, "test_no_english_is_left_in_a_proposal"),
    ],
    "X17 about": [(XLSX, "test_the_about_sheet_names_what_it_was_made_from")],
    "P1 sound, archived, tagged, claimed": [
        (PDF, "test_the_file_is_sound"), (PDF, "test_only_the_bundled_fonts_are_used_and_embedded"),
        (PDF, "test_it_is_an_archive_file_with_tags"),
        (PDF, "test_each_attachment_is_listed_once_with_its_relationship_and_type"),
    ],
    "P2 attachments, and the same verdict again": [
        (PDF, "test_attachments_come_out_as_they_went_in"),
        ("cli/test_verify.py", "test_a_proposal_is_the_same_with_what_it_was_made_with"),
    ],
    "P3 accessible": [
        (PDF, "test_a_checker_of_accessibility_finds_nothing"), (PDF, "test_heads_and_feet_of_pages_are_artifacts"),
        (PDF, "test_drawings_have_titles_and_headings_have_no_jumps"),
    ],
    "P4 same bytes": [(PDF, "test_same_bytes_in_another_process")],
    "P5 nothing from outside": [
        (SAFE, "test_a_template_reaches_nothing_outside_of_its_folder"),
        (SAFE, "test_hostile_texts_print_as_they_are"),
    ],
    "P6 heads, feet, repeated table heads": [
        (PDF, "test_head_and_foot_of_the_pages"),
        (PDF, "test_a_long_bill_repeats_its_head_and_a_very_long_one_is_summarised"),
    ],
    "P7 the first page alone": [
        (PDF, "test_the_first_page_answers_the_questions"),
        (PDF, "test_open_points_stand_on_the_first_page_of_an_open_proposal"),
    ],
    "P8 warnings name rule, number, limit, remedy": [
        ("examples/test_examples.py", "test_every_failure_says_what_is_wrong_and_what_to_do"),
    ],
    "P9 drawings come from the placement": [
        (DRAWN, "test_moving_a_card_moves_it_in_the_map"), (DRAWN, "test_what_is_not_known_is_not_drawn"),
    ],
    "P10 nothing is clipped": [(DRAWN, "test_no_text_leaves_its_drawing"), (PDF, "test_no_text_runs_over_the_margins")],
    "P11 grey print": [(DRAWN, "test_an_overload_is_hatched_and_not_only_coloured"),
        (PDF, "test_states_are_words_too")],
    "P12 numbers, part numbers and scripts": [
        (PDF, "test_a_number_and_its_unit_stay_together"), (PDF, "test_part_numbers_stay_whole"),
        (PDF, "test_greek_and_cyrillic_names_are_in_the_bundled_font"),
    ],
    "P13 size and time": [(PDF, "test_three_hundred_lines_stay_within_memory")],
    "P14 not stated, and drafts are marked": [
        (PDF, "test_what_nobody_stated_is_printed_as_that"), (PDF, "test_head_and_foot_of_the_pages"),
    ],
    "P15 German terms": [(MONEY, "test_the_offer_of_a_german_seller_is_complete")],
}  # fmt: skip


def test_every_number_is_there() -> None:
    numbers = [name.split()[0] for name in REQUIREMENTS]
    assert numbers == [f"X{number}" for number in range(1, 18)] + [f"P{number}" for number in range(1, 16)]


@pytest.mark.parametrize("requirement", list(REQUIREMENTS))
def test_its_tests_are_there(requirement: str) -> None:
    for file, name in REQUIREMENTS[requirement]:
        assert re.search(rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE), (file, name)
