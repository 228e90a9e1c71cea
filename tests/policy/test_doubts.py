from collections.abc import Callable
from typing import Any

import pytest

from policy.doubts import of_other_part

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
