import unicodedata

import pytest

from state.language import detect_language


@pytest.mark.parametrize(
    "text",
    [
        "Nhân viên thử việc được nghỉ bao nhiêu ngày?",
        "Ai?\nQuy định nghỉ phép",
        "nhan vien thu viec duoc nghi bao nhieu ngay",
        "Mã lỗi ERR_4021 nghĩa là gì?",
        "Ai sáng lập Project Aurora?",
    ],
)
def test_vietnamese_is_told_with_and_without_accents(text: str) -> None:
    assert detect_language(text) == "vi"


def test_decomposed_vietnamese_is_vietnamese() -> None:
    assert detect_language(unicodedata.normalize("NFD", "Ai là giám đốc?")) == "vi"


@pytest.mark.parametrize(
    "text",
    [
        "Who founded the organisation that developed Project Aurora?",
        "What does ERR_4021 mean?",
        "Where does Minh Tran live?",
        "The café in Zürich opens at nine.",
    ],
)
def test_english_is_english_even_with_a_foreign_name(text: str) -> None:
    assert detect_language(text) == "en"


@pytest.mark.parametrize(
    ("text", "code"),
    [("谁创立了该组织？", "zh"), ("誰が設立しましたか", "ja"), ("ใครก่อตั้งองค์กร", "th")],
)
def test_other_scripts_are_told_by_their_letters(text: str, code: str) -> None:
    assert detect_language(text) == code


@pytest.mark.parametrize("text", ["", "   ", "12 + 30 = 42?", "…"])
def test_a_text_without_letters_has_no_language(text: str) -> None:
    assert detect_language(text) == "und"
