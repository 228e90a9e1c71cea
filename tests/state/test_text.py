import unicodedata

import pytest

from state.text import clean, comparable, fold_accents, has_accents, nfc, unify_tone_marks

SENTENCE = "Nhân viên thử việc được nghỉ phép mấy ngày, ở Đà Nẵng?"


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def test_both_unicode_forms_have_one_composed_form() -> None:
    assert nfc(nfd(SENTENCE)) == nfc(SENTENCE) == SENTENCE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hòa", "hoà"),
        ("thủy", "thuỷ"),
        ("khỏe", "khoẻ"),
        ("HÒA BÌNH", "HOÀ BÌNH"),
        ("Ủy ban", "Uỷ ban"),
        ("xã Hòa, tỉnh Hòa", "xã Hoà, tỉnh Hoà"),
    ],
)
def test_the_tone_of_a_final_vowel_pair_moves_to_its_second_vowel(old: str, new: str) -> None:
    assert unify_tone_marks(old) == new
    assert unify_tone_marks(new) == new


@pytest.mark.parametrize("word", ["hoàn", "quý", "Quý", "của", "mùa", "toán", "hoài", "thuế"])
def test_a_tone_that_can_only_stand_in_one_place_stays(word: str) -> None:
    assert unify_tone_marks(word) == word


def test_folding_takes_every_accent_and_the_barred_d() -> None:
    assert fold_accents("Đường đi Hợp đồng") == "Duong di Hop dong"
    assert fold_accents(nfd("Đường đi Hợp đồng")) == "Duong di Hop dong"


def test_a_text_has_accents_only_if_folding_changes_it() -> None:
    assert has_accents("đi")
    assert has_accents(nfd("nghỉ"))
    assert not has_accents("nghi phep 12 days")


def test_spellings_of_the_same_words_are_comparable() -> None:
    spellings = ["Hòa  Bình", "hoà bình", nfd("HÒA\nBÌNH"), " hoà\u00a0bình "]
    assert {comparable(spelling) for spelling in spellings} == {"hoà bình"}


def test_words_that_differ_in_an_accent_are_not_comparable() -> None:
    assert comparable("ma") != comparable("má") != comparable("mã")
    assert comparable("đường") != comparable("dương")


def test_clean_text_can_be_stored_anywhere() -> None:
    dirty = "nghỉ\x00phép\ud800"
    assert clean(dirty) == "nghỉ phép?"
    clean(dirty).encode("utf-8")


def test_clean_leaves_ordinary_text_as_it_is() -> None:
    assert clean(SENTENCE) == SENTENCE
    assert clean("") == ""
