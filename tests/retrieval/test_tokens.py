import unicodedata

import pytest

from retrieval.tokens import codes, folded, tokens


@pytest.mark.parametrize("text", ["Hợp đồng lao động", "Nghiễm, Hoà và Thuỷ: 12,5%", "Café Zürich"])
def test_both_unicode_forms_give_the_same_tokens(text):
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


def test_both_places_of_the_tone_mark_give_the_same_tokens():
    assert tokens("hòa thuận, thủy lợi, khỏe") == tokens("hoà thuận, thuỷ lợi, khoẻ")


def test_vietnamese_syllables_are_paired_but_not_across_punctuation():
    assert tokens("Hợp đồng. Lao động") == ["hợp", "đồng", "hợp đồng", "lao", "động", "lao động"]


def test_english_has_no_pairs_and_no_function_words():
    assert tokens("The annual report of the lab") == ["annual", "report", "lab"]


@pytest.mark.parametrize("code", ["ERR_4021", "SPX-210", "E042", "12,5%", "1.250.000", "v2.0"])
@pytest.mark.parametrize("frame", ["Mã lỗi {} là gì?", "What does {} mean?", "({})"])
def test_a_code_stays_whole(code, frame):
    assert code.lower() in tokens(frame.format(code))


def test_a_code_is_found_by_its_parts_as_well():
    assert {"err", "4021"} <= set(tokens("ERR_4021"))
    assert "2024" in tokens("ngày 12/03/2024")
    assert "12,5" in tokens("tăng 12,5%")


def test_codes_open_with_a_letter_and_hold_a_digit():
    text = "Mã lỗi ERR_4021 trên SPX-210, năm 2025, tăng 12,5%, the 19th of May"
    assert codes(text) == {"err_4021", "spx-210"}


def test_a_number_with_a_comma_is_not_cut_into_other_numbers():
    assert "12" not in tokens("tăng 12,5%")


def test_the_unaccented_form_of_a_token_is_told_apart_from_the_accented_one():
    assert folded("đường") == folded("duong") == "~duong"
    assert folded("duong") != "duong"


def test_scripts_without_spaces_give_characters_and_their_pairs():
    assert tokens("東京 tower") == ["東", "京", "東京", "tower"]


@pytest.mark.parametrize("text", ["", "   ", "?!", "—"])
def test_text_without_words_has_no_tokens(text):
    assert tokens(text) == []
