import unicodedata
from itertools import pairwise

import pytest

from state.sentences import sentences


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


MIXED = """# Quy chế nghỉ phép

Nhân viên chính thức được nghỉ 12 ngày mỗi năm. Nhân viên thử việc
không được nghỉ phép năm! Xem thêm Điều 7?

- Thai sản: 6 tháng.
- TP. Hồ Chí Minh: có xe đưa đón. Hà Nội: không.

| Bậc | Lương |
|-----|------:|
| 1   | 10.000.000đ |

2) Lương trả ngày 5. Thưởng trả quý
"""


@pytest.mark.parametrize(
    "text",
    [
        MIXED,
        MIXED.replace("\n", "\r\n"),
        MIXED.rstrip("\n"),
        unicodedata.normalize("NFD", MIXED),
        "Trang một.\x0cTrang hai.\u2028Dòng ba.",
        "  \n\n  Thụt lề. Hết.  \n",
    ],
)
def test_every_sentence_stands_in_the_text_where_it_says(text: str) -> None:
    found = sentences(text)
    assert found
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


def test_headings_paragraphs_items_and_rows_are_cut_apart() -> None:
    assert texts(MIXED) == [
        "Quy chế nghỉ phép",
        "Nhân viên chính thức được nghỉ 12 ngày mỗi năm.",
        "Nhân viên thử việc\nkhông được nghỉ phép năm!",
        "Xem thêm Điều 7?",
        "Thai sản: 6 tháng.",
        "TP. Hồ Chí Minh: có xe đưa đón.",
        "Hà Nội: không.",
        "| Bậc | Lương |",
        "| 1   | 10.000.000đ |",
        "Lương trả ngày 5.",
        "Thưởng trả quý",
    ]


def test_line_ends_of_windows_change_no_sentence() -> None:
    unified = [text.replace("\r\n", "\n") for text in texts(MIXED.replace("\n", "\r\n"))]
    assert unified == texts(MIXED)


@pytest.mark.parametrize("text", ["", "   \n\n", "---", "| --- | --- |", "...", "- \n- "])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Trụ sở ở TP. Hồ Chí Minh từ năm 2019.",
        "Công ty trả 1.000.000 đồng mỗi tháng.",
        "Tỉ lệ là 3.5 phần trăm.",
        "Có máy tính, bàn phím, v.v. và ghế.",
        "Giải do TS. Lê Minh và PGS. Trần An chấm.",
        "Dr. Smith met Mr. Brown in St. Louis.",
        "Tools, e.g. hammers, are in room 3.",
        "Anh ấy nghĩ… rồi đồng ý.",
    ],
)
def test_points_that_end_no_sentence_do_not_cut(sentence: str) -> None:
    assert texts(sentence) == [sentence]
    assert texts(f"Mở đầu.\n\n{sentence} Hết.")[1:] == [sentence, "Hết."]
    assert texts(f"- {sentence}") == [sentence]


def test_an_enumeration_that_closes_a_sentence_ends_it() -> None:
    assert texts("Có bàn, ghế v.v. Nhân viên tự chọn.") == [
        "Có bàn, ghế v.v.",
        "Nhân viên tự chọn.",
    ]


def test_a_closing_quote_belongs_to_its_sentence() -> None:
    assert texts('Ông nói: "Tôi đi." Rồi ông đi.') == ['Ông nói: "Tôi đi."', "Rồi ông đi."]


def test_chinese_stops_end_a_sentence_without_a_space() -> None:
    assert texts("你好。再见！") == ["你好。", "再见！"]


def test_an_underlined_heading_is_apart_from_its_text() -> None:
    assert texts("Nghỉ phép\n---------\nMười hai ngày.") == ["Nghỉ phép", "Mười hai ngày."]
    assert texts("Nghỉ phép\n=========\nMười hai ngày.") == ["Nghỉ phép", "Mười hai ngày."]


def test_long_rows_of_marks_are_read_in_reasonable_time() -> None:
    text = "-" * 20_000 + " Mục lục " + "." * 20_000 + "5"
    assert len(sentences(text)) == 1


def test_initials_and_about_do_not_end_a_sentence() -> None:
    text = "It was written by J.K. Rowe in the U.S. Army. Sir Tom (c. 1740 – 1815) read it. On "
    text += "Dec. 10, 1817 he sold it. Theo điểm a, b và c. Nhân viên ký. We are in the U.S. "
    text += "Employees get 10 days. Leave starts in Dec. 25 days are granted."
    assert [one.text for one in sentences(text)] == [
        "It was written by J.K. Rowe in the U.S. Army.",
        "Sir Tom (c. 1740 – 1815) read it.",
        "On Dec. 10, 1817 he sold it.",
        "Theo điểm a, b và c.",
        "Nhân viên ký.",
        "We are in the U.S.",
        "Employees get 10 days.",
        "Leave starts in Dec.",
        "25 days are granted.",
    ]


def test_sides_of_a_case_and_numbers_do_not_end_a_sentence() -> None:
    for text in ("Craig v. Boren, 429 U.S. 190, was decided.", "Boat no. 17 drifted away."):
        assert [one.text for one in sentences(text)] == [text]
    assert len(sentences("He said no. Then he left.")) == 2
