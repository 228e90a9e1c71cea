"""Normal forms, exact match and F1, in both languages."""

import unicodedata

import pytest

from groundhop.evaluation.wording import exact, f1, holds, normal, share_held


def test_f1_is_the_harmonic_mean_of_token_precision_and_recall() -> None:
    # 2 of 3 tokens given, 2 of 4 wanted: 2 * 2 / (3 + 4)
    assert f1("Lab Delta Huế", ["Lab Delta Đà Lạt"]) == pytest.approx(4 / 7)
    assert f1("mười lăm ngày", ["15 ngày", "mười lăm ngày"]) == 1
    assert f1("", ["15"]) == 0


def test_repeated_tokens_count_as_often_as_they_stand_in_both() -> None:
    assert f1("da da da", ["da"]) == pytest.approx(2 / 4)


def test_case_tone_marks_unicode_form_and_punctuation_make_no_difference() -> None:
    assert exact("Hoà Khánh.", ["hòa khánh"]) == 1
    assert exact(unicodedata.normalize("NFD", "Trần Thị Lan"), ["Trần Thị Lan"]) == 1
    assert exact("1.500.000 đồng", ["1500000 đồng"]) == 1
    assert exact("Lan Anh", ["Lan"]) == 0


def test_accents_make_a_difference() -> None:
    assert exact("ma", ["má"]) == 0


def test_english_articles_go_and_vietnamese_names_stay() -> None:
    assert exact("the Open Bench Grant", ["Open Bench Grant"], "en") == 1
    assert normal("An", "en") == "an"
    assert exact("An Bình", ["Bình"], "vi") == 0


def test_an_answer_is_held_as_whole_words_only() -> None:
    assert not holds("115 ngày", "15 ngày")
    assert share_held("15 ngày và Nguyễn Lan", [["15 ngày"], ["Lan Anh", "Nguyễn Lan"]]) == 1
    assert share_held("15 ngày", [["15 ngày"], ["Nguyễn Lan"]]) == 0.5
