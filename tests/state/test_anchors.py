import unicodedata

import pytest

from state.anchors import (
    anchors,
    conditions,
    contains_anchor,
    hard_anchors,
    lost_anchors,
    names,
    negated,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ai sáng lập Project Aurora?", ["Project Aurora"]),
        ("Công ty Minh Long ở đâu?", ["Minh Long"]),
        ("Khi nào Nguyễn Văn An nghỉ?", ["Nguyễn Văn An"]),
        ("Người sáng lập Lab Delta và Lab Echo là ai?", ["Lab Delta", "Lab Echo"]),
        ("Who founded the University of Bergen in Norway?", ["University of Bergen", "Norway"]),
        ("Which year did Halo 2 come out?", ["Halo 2"]),
        ("What is OpenAI's first model, GPT-4?", ["OpenAI", "GPT-4"]),
        ("Nhân viên được nghỉ mấy ngày?", []),
        ("Employees get how many days?", []),
    ],
)
def test_names_are_runs_of_capitals_without_question_words(text: str, expected: list[str]) -> None:
    assert names(text) == expected
    assert names(unicodedata.normalize("NFD", text)) == expected


@pytest.mark.parametrize("code", ["ERR_4021", "SPX-210", "E042", "Q3", "COVID-19"])
def test_a_code_is_an_anchor_as_a_whole(code: str) -> None:
    assert code in anchors(f"Mã {code} nghĩa là gì?")
    assert not [one for one in anchors(f"Mã {code} nghĩa là gì?") if one.isdigit()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("năm 2026", ["2026"]),
        ("từ 2024-07-15", ["2024", "07", "15"]),
        ("12-15 ngày", ["12", "15"]),
        ("lương 10.000.000đ", ["10.000.000"]),
        ("tăng 12,5%.", ["12,5%"]),
        ("chạy 10km", ["10"]),
    ],
)
def test_years_and_amounts_are_anchors(text: str, expected: list[str]) -> None:
    assert anchors(text) == expected


def test_conditions_are_found_with_and_without_accents() -> None:
    assert conditions("Nhân viên Thử Việc") == ["thử việc"]
    assert conditions("nhan vien thu viec") == ["thử việc"]
    assert conditions("Part-time staff on probation") == ["part-time", "probation"]
    assert conditions("Việc thử nghiệm") == []


def test_an_accented_text_names_a_condition_only_with_its_accents() -> None:
    assert conditions("thư viện, thu việc") == []


def test_anchors_come_once_each() -> None:
    assert anchors("Lab Delta năm 2024, LAB DELTA năm 2024") == ["Lab Delta", "2024"]
    assert anchors("") == []


@pytest.mark.parametrize(
    ("rewritten", "lost"),
    [
        ("nghỉ phép nhân viên thử việc 2026", []),
        ("nghi phep nhan vien thu viec 2026", []),
        ("nghỉ phép nhân viên 2026", ["thử việc"]),
        ("nghỉ phép thử việc", ["2026"]),
        ("nghỉ phép thử việc 2025", ["2026"]),
        ("số ngày nghỉ", ["2026", "thử việc"]),
    ],
)
def test_a_rewrite_loses_what_it_no_longer_holds(rewritten: str, lost: list[str]) -> None:
    assert lost_anchors("Nhân viên thử việc năm 2026 được nghỉ mấy ngày?", rewritten) == lost


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("Trụ sở ở Đà Nẵng.", "Da Nang"),
        ("xã Hòa Bình", "Hoà Bình"),
        (unicodedata.normalize("NFD", "ở Đà Nẵng"), "Đà Nẵng"),
        ("Quãng đường 10km", "10"),
        ("a fee of 1,200 dollars", "1.200"),
        ("tăng 30% mỗi năm", "30%"),
        ("mã err_4021", "ERR_4021"),
    ],
)
def test_an_anchor_is_found_in_another_spelling(text: str, anchor: str) -> None:
    assert contains_anchor(text, anchor)


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("lương 10.000.000đ", "10.000"),
        ("lương 10.000.000đ", "000"),
        ("năm 2024", "202"),
        ("12,5%", "5"),
        ("mã E0421", "E042"),
        ("Minhtran", "Minh"),
        ("", "2024"),
    ],
)
def test_a_piece_of_another_word_or_number_is_not_the_anchor(text: str, anchor: str) -> None:
    assert not contains_anchor(text, anchor)


@pytest.mark.parametrize("amount", ["12,5", "12.5", "1.200", "11"])
def test_the_beginning_of_a_number_after_a_capital_is_no_name(amount: str) -> None:
    assert hard_anchors(f"Còn {amount} ngày phép.") == [amount]


def test_an_amount_with_its_unit_is_a_hard_anchor() -> None:
    assert hard_anchors("Mức phạt là 5.000.000đ.") == ["5.000.000"]
    assert not contains_anchor("Mức phạt là 5.000.200đ.", "5.000.000")


@pytest.mark.parametrize("word", ["Huế", "Hanoi.", " Paris "])
def test_one_capitalised_word_alone_is_a_name(word: str) -> None:
    assert hard_anchors(word) == [word.strip(" .")]


@pytest.mark.parametrize("word", ["Có.", "Không", "Yes", "No.", "Đúng", "huế", "…", ""])
def test_a_bare_yes_or_no_names_nothing(word: str) -> None:
    assert hard_anchors(word) == []


@pytest.mark.parametrize(
    "text",
    [
        "Nhân viên thử việc không được nghỉ phép.",
        "Ai không được nghỉ phép không?",
        "Không ai được vào.",
        "Tất cả, trừ thực tập sinh.",
        "nhan vien thu viec khong duoc nghi",
        "Interns may not travel.",
        "It isn't allowed.",
        "They cannot travel",
    ],
)
def test_a_negation_inside_is_seen(text: str) -> None:
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "Nhân viên có được nghỉ phép không?",
        "Nhân viên được nghỉ hay không?",
        "Anh đã ký hợp đồng chưa?",
        "nhan vien co duoc nghi khong",
        "Nhân viên được nghỉ 12 ngày.",
        "Interns may travel.",
        "Notable knots",
        "",
    ],
)
def test_a_final_particle_only_asks(text: str) -> None:
    assert not negated(text)


def test_long_words_are_read_in_reasonable_time() -> None:
    assert anchors("điền tên: a" + "_" * 4000) == []
    assert anchors("a-" * 2000) == []
    assert anchors("1." * 2000) != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was directed by Scott R. Dunn in 1920.", ["Scott R. Dunn"]),
        ("J.K. Rowe and T. R. Rao wrote it.", ["J.K. Rowe", "T. R. Rao"]),
        ("See Appendix A. Employees must sign.", ["See Appendix A"]),
        ("Option A. Option B. Option C.", ["Option A", "Option B", "Option C"]),
        ("Ông Nguyễn Văn A. Bà Trần Thị B ký.", ["Ông Nguyễn Văn A", "Bà Trần Thị B"]),
        ("Phòng A.\nLan quản lý.", []),
    ],
)
def test_initials_belong_to_a_name_and_labels_end_one(text: str, expected: list[str]) -> None:
    assert names(text) == expected
