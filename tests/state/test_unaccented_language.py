import pytest

from state.language import detect_language


@pytest.mark.parametrize(
    "question",
    [
        "Lương chuyển khoản vào ngày mấy hằng tháng?",
        "luong chuyen khoan vao ngay may hang thang",
        "lam them gio vao ngay nghi hang tuan duoc tra bao nhieu phan tram",
        "ma loi E042 la gi",
        "ai dung dau du an Aurora",
        "gui xe may o van phong Can Tho moi thang bao nhieu tien",
    ],
)
def test_vietnamese_is_told_with_and_without_accents(question):
    assert detect_language(question) == "vi"


@pytest.mark.parametrize(
    "question",
    [
        "Who leads Project Aurora?",
        "Which medal did Minh Tran get in 2022?",
        "When was the café in Hanoi opened?",
        "SPX-210 accuracy",
        "How old must a person be to apply?",
        "Minh Tran",
    ],
)
def test_english_stays_english_even_with_vietnamese_names(question):
    assert detect_language(question) == "en"


@pytest.mark.parametrize(
    ("text", "language"), [("12,5%", "und"), ("", "und"), ("東京はどこ", "ja")]
)
def test_other_text_is_left_to_the_general_rule(text, language):
    assert detect_language(text) == language
