from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive.answers import extract
from policy.extractive.doubts import of_other_part, other_deed, unrelated_row
from policy.language.questions import read

Run = Callable[..., Any]
Make = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("question", "sentence", "title"),
    [
        ("Who is the director of Lab Sigma?",
         "Lab Sigma was founded in 2016 by Helena Brandt.", "Lab Sigma"),
        ("Ai là giám đốc của Lab Sigma?",
         "Lab Sigma do Trần Văn Hải sáng lập năm 2016.", "Lab Sigma"),
    ],
)  # fmt: skip
def test_who_founded_a_thing_is_no_answer_to_who_leads_it(
    grade: Run, passage: Make, question: str, sentence: str, title: str
) -> None:
    assert grade(question, passage(sentence, title)).covered == "no"


@pytest.mark.parametrize(
    ("quote", "question", "other", "expected"),
    [
        ("The prize for the best paper went to Linh Pham.",
         "Who won the best-demonstration prize?", "Who won the best-paper prize?", True),
        ("The prize for the best paper went to Linh Pham.",
         "Who won the best-paper prize?", "Who won the best-demonstration prize?", False),
        ("Trưởng phòng Kế toán là Nguyễn Thị Lan Anh.",
         "Trưởng phòng Sản xuất là ai?", "Trưởng phòng Kế toán là ai?", True),
        ("| Kế toán | Nguyễn Thị Lan Anh |",
         "Ai phụ trách phòng này?", "Kế toán là ai?", False),
    ],
)  # fmt: skip
def test_a_sentence_about_the_other_part_of_a_question_is_told_apart(
    quote: str, question: str, other: str, expected: bool
) -> None:
    assert of_other_part(quote, question, other) is expected


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What is Project Cinder's annual budget?",
         "The budget is reviewed each autumn by the board."),
        ("Ngân sách của Project Cinder là bao nhiêu?", "Ngân sách do hội đồng xét vào mùa thu."),
    ],
)  # fmt: skip
def test_a_sentence_without_a_number_states_no_budget(
    grade: Run, passage: Make, question: str, sentence: str
) -> None:
    assert grade(question, passage(sentence, "Project Cinder")).covered == "no"


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("On which day may visitors come to Lab Delta?",
         "Visitors may come to Lab Delta on the last Thursday of the month.",
         "the last Thursday of the month"),
        ("Khách được đến Lab Delta vào buổi nào?",
         "Khách được đến Lab Delta vào chiều thứ Năm.", "chiều thứ Năm"),
    ],
)  # fmt: skip
def test_a_day_of_the_week_answers_on_which_day(
    grade: Run, passage: Make, question: str, sentence: str, answer: str
) -> None:
    assert grade(question, passage(sentence, "Lab Delta")).answer == answer


@pytest.mark.parametrize(
    ("question", "part", "both"),
    [
        ("Who founded the body that awarded the Ferrel Medal?",
         "The Ferrel Medal was awarded by the Corvane Society.",
         "The Corvane Society, founded by Oren Castell, awarded the Ferrel Medal."),
        ("Ai sáng lập tổ chức trao Giải Ferrel?",
         "Hội Corvane trao Giải Ferrel hằng năm.",
         "Hội Corvane do Trần Văn Hải sáng lập trao Giải Ferrel."),
    ],
)  # fmt: skip
def test_where_two_deeds_are_asked_about_one_of_them_is_not_enough(
    question: str, part: str, both: str
) -> None:
    ask = read(question)
    assert (other_deed(ask, part), other_deed(ask, both)) == (True, False)


@pytest.mark.parametrize(
    ("question", "vague", "named"),
    [
        ("When was Lab Delta founded?", "Lab | Year | Lab Delta | 2016",
         "Lab | Founded | Lab Delta | 2016"),
        ("Lab Delta thành lập năm nào?", "Phòng | Năm | Lab Delta | 2016",
         "Phòng | Năm thành lập | Lab Delta | 2016"),
    ],
)  # fmt: skip
def test_a_year_in_a_table_answers_when_something_was_founded_only_if_a_column_says_so(
    question: str, vague: str, named: str
) -> None:
    ask = read(question)
    assert (unrelated_row(ask, vague), unrelated_row(ask, named)) == (True, False)


@pytest.mark.parametrize(
    ("question", "month", "day", "answer"),
    [
        ("On which day do visitors come to Lab Delta?", "Visitors come to Lab Delta in May 2024.",
         "Visitors come to Lab Delta on 3 May 2024.", "3 May 2024"),
        ("Khách đến Lab Delta vào ngày nào?", "Khách đến Lab Delta từ tháng 5 năm 2024.",
         "Khách đến Lab Delta ngày 3/5/2024.", "ngày 3/5/2024"),
    ],
)  # fmt: skip
def test_a_month_is_no_answer_to_on_which_day(
    question: str, month: str, day: str, answer: str
) -> None:
    ask = read(question)
    assert extract(ask, month)[0] == ""
    assert extract(ask, day)[0] == answer


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Dự án Sao Mai khép lại ngày nào?", "Dự án bắt đầu ngày 15/05/2025."),
        ("In what year did Lab Tau shut down?", "Lab Tau opened its doors in 2017."),
        ("Nhà có tang thì nhân viên mất cha được nghỉ mấy ngày?",
         "Khi kết hôn, nhân viên được nghỉ 3 ngày."),
        ("Where was Samuel Wirth born?", "Samuel Wirth studied agronomy at Halvorsen University."),
    ],
)  # fmt: skip
def test_another_end_event_or_deed_is_no_answer(question: str, sentence: str) -> None:
    assert other_deed(read(question), sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "title"),
    [
        ("Tính đến nay Dự án Sao Mai ký được mấy khách hàng?",
         "Dự án Sao Mai đặt mục tiêu ký hợp đồng với 40 khách hàng.", "Dự án Sao Mai"),
        ("How many buoys has Project Orion moored so far?",
         "Project Orion aims to moor 40 buoys.", "Project Orion"),
    ],
)  # fmt: skip
def test_an_aim_does_not_tell_what_has_come_of_it(
    grade: Run, passage: Make, question: str, sentence: str, title: str
) -> None:
    assert grade(question, passage(sentence, title)).covered == "no"


def test_words_that_only_look_alike_without_accents_are_not_shared() -> None:
    assert not of_other_part(
        "Ngân sách Dự án Sao Mai là 3 tỷ đồng.",
        "Dự án Sao Mai được cấp bao nhiêu tiền?", "bao giờ khởi động Dự án Sao Mai?",
    )  # fmt: skip
