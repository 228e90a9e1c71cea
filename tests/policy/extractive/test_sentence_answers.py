from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive import Extractive
from policy.extractive.answers import extract
from policy.extractive.objections import holds_anchor
from policy.language.questions import read

Run = Callable[..., Any]
Make = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("question", "sentence", "title"),
    [
        ("What does Lab Delta do with the old sensors?",
         "Lab Delta gives the old sensors to a school.", "Lab Delta"),
        ("Máy hỏng của Xưởng Hòa Khánh được xử lý thế nào?",
         "Máy hỏng của Xưởng Hòa Khánh được đổi máy tạm trong ngày.", "Xưởng Hòa Khánh"),
    ],
)  # fmt: skip
def test_without_a_sure_short_answer_the_sentence_itself_is_the_answer(
    grade: Run, passage: Make, question: str, sentence: str, title: str
) -> None:
    graded = grade(question, passage(sentence, title))
    assert (graded.covered, graded.answer) == ("yes", sentence)


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("Why did the mast of Lab Theta fall?",
         "The mast of Lab Theta fall was in January. The bolts broke because of the ice.",
         "Lab Theta"),
        ("Vì sao cột đo của Lab Theta đổ?",
         "Cột đo của Lab Theta đổ trong đêm gió mạnh. Nguyên nhân là băng.", "Lab Theta"),
    ],
)  # fmt: skip
def test_the_sentence_after_is_quoted_along_where_only_that_one_states_what_is_asked(
    grade: Run, passage: Make, question: str, text: str, title: str
) -> None:
    graded = grade(question, passage(text, title))
    assert graded.verdicts[0].quote == text


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What happens to old sensors?", "Old sensors go to a school."),
        ("Máy hỏng thì sao?", "Máy hỏng được đổi trong ngày."),
    ],
)
def test_an_answer_that_is_a_quote_has_no_short_form(
    policy: Extractive, question: str, quote: str
) -> None:
    view: Any = {
        "original_question": question,
        "subgoals": [
            {"id": "s1", "question": question, "status": "solved", "answer": quote,
             "evidence_ids": ["e1"]},
        ],
        "facts": [
            {"id": "e1", "subgoal_id": "s1", "quote": quote, "title": "", "source": "",
             "version": ""},
        ],
        "missing": [],
    }  # fmt: skip
    draft = policy.write(view)[0]
    assert draft.short == ""
    assert [one.text for one in draft.sentences] == [f"“{quote}”"]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Ai sáng lập tổ chức tài trợ Dự án Hải Vân?",
         "Tổ chức tài trợ lớn nhất của Dự án Hải Vân trong mấy năm qua là Quỹ Sao Mai."),
        ("Who founded the fund that paid for Project Halo?",
         "The fund that paid for most of Project Halo in its years was Varde Foundation."),
    ],
)  # fmt: skip
def test_the_next_hop_asks_about_the_name_in_a_sentence_that_was_the_answer(
    plan: Run, question: str, sentence: str
) -> None:
    subgoals: list[Any] = [
        {"id": "s1", "question": question.split(" ", 2)[-1], "status": "solved",
         "answer": sentence, "depends_on": []},
        {"id": "s2", "question": "Who founded {s1}?", "status": "pending", "depends_on": ["s1"]},
    ]  # fmt: skip
    planned = plan(question, subgoals=subgoals).subgoals
    assert len(planned[0].question.split()) <= 6
    assert ("Sao Mai" in planned[0].question) or ("Varde Foundation" in planned[0].question)


def test_another_row_than_the_named_one_does_not_answer(grade: Run, passage: Make) -> None:
    table = (
        "| Nhân viên | Ngày vào |\n|---|---|\n| Hồ Sỹ Long | 10/01/2019 |\n"
        "| Tống Khánh Vy | 27/05/2024 |\n"
    )
    graded = grade("Tống Khánh Vy vào công ty ngày nào?", passage(table, "Danh bạ"))
    assert graded.answer == "27/05/2024"


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("Công ước được thành lập khi nào?", "Công ước được thành lập năm 1950.", "năm 1950"),
        ("Việt Nam gia nhập khi nào?", "Việt Nam gia nhập vào 1995.", "1995"),
        ("Los Angeles có bao nhiêu đội?", "Los Angeles có hai đội.", "hai đội"),
    ],
)
def test_a_vietnamese_year_and_a_number_in_letters_are_answered_as_they_are_written(
    question: str, sentence: str, answer: str
) -> None:
    assert extract(read(question), sentence) == (answer, 1.0)


def test_a_name_with_a_hyphen_is_the_name_without_it() -> None:
    ask = read("Đồng vị Oxi 18 nặng bao nhiêu?")
    assert holds_anchor("Nước chứa oxi-18 nặng hơn.", "Oxi 18", ask)
    assert not holds_anchor("Nước chứa oxi-16 nặng hơn.", "Oxi 18", ask)


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("How often must an SPX-220 be recalibrated?",
         "An SPX-220 must be recalibrated every two years.", "every two years"),
        ("Bao lâu thì máy Cổng Trạm được bảo dưỡng một lần?",
         "Máy Cổng Trạm được bảo dưỡng mỗi 6 tháng.", "mỗi 6 tháng"),
        ("What is the volume of the smoke chamber?", "The smoke chamber holds 300 cubic metres.",
         "300 cubic metres"),
        ("Buồng khói rộng bao nhiêu?", "Buồng khói rộng 25 mét vuông.", "25 mét vuông"),
    ],
)  # fmt: skip
def test_an_interval_and_a_measure_are_answered_whole(
    question: str, sentence: str, answer: str
) -> None:
    assert extract(read(question), sentence)[0] == answer
