"""A message with several questions, and marks inside a question that do not end it."""

import pytest

from policy.language.comparing import read_comparison
from policy.language.decompose import decompose
from policy.language.openings import read_message, read_messages


def plan(question: str) -> list[str]:
    return [part.question for part in decompose(question)]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("What is the budget of Aurora? What is the budget of Borealis?",
         ["What is the budget of Aurora?", "What is the budget of Borealis?"]),
        ("Who founded Lab Theta? And when?",
         ["Who founded Lab Theta?", "When was Lab Theta founded?"]),
        ("Lab Theta is in Varn. Who founded it? When?",
         ["Who founded Lab Theta?", "When was Lab Theta founded?"]),
        ("How many days of leave do I get? Who approves it?",
         ["How many days of leave do I get?",
          "Who approves it (How many days of leave do I get)?"]),
        ("Phép năm bao nhiêu ngày? Và ai duyệt?",
         ["Phép năm bao nhiêu ngày?", "Ai duyệt (Phép năm bao nhiêu ngày)?"]),
        ("Ai là trưởng phòng Kế toán? Lương của người đó bao nhiêu?",
         ["Ai là trưởng phòng Kế toán?", "Lương của {s1} bao nhiêu?"]),
        ("Dự án Sơn Trà do ai phụ trách? Ngân sách bao nhiêu? Bắt đầu khi nào?",
         ["Dự án Sơn Trà do ai phụ trách?", "Ngân sách của Dự án Sơn Trà bao nhiêu?",
          "Bắt đầu khi nào (Dự án Sơn Trà)?"]),
        ("Du an Son Tra do ai phu trach? Ngan sach bao nhieu?",
         ["Du an Son Tra do ai phu trach?", "Ngan sach cua Son Tra bao nhieu?"]),
        ("Who wrote dc? And who wrote bc?", ["Who wrote dc?", "Who wrote bc?"]),
        ("Ai viết dc? Ai viết bc?", ["Ai viết dc?", "Ai viết bc?"]),
        ("Who founded Lab Theta? Which version of bash is described?",
         ["Who founded Lab Theta?", "Which version of bash is described?"]),
        ("What is the timeout of Gateway A/B? Who set it?",
         ["What is the timeout of Gateway A/B?", "Who set the timeout of Gateway A/B?"]),
        ("Can I ask for unpaid leave? Who approves it?",
         ["Can I ask for unpaid leave?", "Who approves it (Can I ask for unpaid leave)?"]),
        ("Câu 1: Ai phụ trách Aurora? Câu 2: Ngân sách là bao nhiêu?",
         ["Ai phụ trách Aurora?", "Ngân sách của Aurora là bao nhiêu?"]),
    ],
)  # fmt: skip
def test_every_question_of_a_message_is_asked(message: str, parts: list[str]) -> None:
    assert plan(message) == parts


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("Can you help me? How many days of leave do I get?",
         ["How many days of leave do I get?"]),
        ("Is anyone there? Who leads Aurora?", ["Who leads Aurora?"]),
        ("Who leads Aurora? Can you help me?", ["Who leads Aurora?"]),
        ("Thanks! who leads Aurora?", ["Who leads Aurora?"]),
        ("Can you explain the leave policy? How many days is it?",
         ["How many days is the leave policy?"]),
        ("Do you know Lab Theta? Who founded it?", ["Who founded Lab Theta?"]),
        ("Mình hỏi chút được không? Phép năm bao nhiêu ngày?", ["Phép năm bao nhiêu ngày?"]),
        ("Minh hoi chut duoc khong? Phep nam bao nhieu ngay?", ["Phep nam bao nhieu ngay?"]),
        ("Công ty mình ở Huế đúng không? Văn phòng ở đâu?", ["Văn phòng ở đâu (Huế)?"]),
    ],
)  # fmt: skip
def test_what_only_asks_to_be_heard_or_agreed_with_is_no_question_of_its_own(
    message: str, parts: list[str]
) -> None:
    assert plan(message) == parts


@pytest.mark.parametrize(
    "message",
    [
        "Who leads Aurora? Which is older, Aurora or Borealis?",
        "Which is older, Aurora or Borealis? Who leads Aurora?",
    ],
)
def test_a_comparison_beside_another_question_is_taken_apart_as_well(message: str) -> None:
    assert plan(message) == [
        "When was Aurora founded?",
        "When was Borealis founded?",
        "Who leads Aurora?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Did Apple Inc. buy Beats Electronics in 2014?",
        "Who won Craig v. Boren in the end?",
        "How far did boat no. 17 drift?",
        'Who is the author of the story behind "Act of War; Direct Action"?',
        "Which film is shorter than Help! or Stop?",
        "Ai viết “Đi! Về!” của nhóm Sao?",
    ],
)
def test_marks_of_names_titles_and_quotations_end_no_question(question: str) -> None:
    assert read_message(question).question == question.rstrip("?")
    assert len(read_messages(question)) == 1


def test_the_two_sides_of_a_case_are_one_name() -> None:
    comparison = read_comparison("Which case came first, Craig v. Boren or Ames v. Dale Mills?")
    assert comparison is not None
    assert comparison.names == ("Craig v. Boren", "Ames v. Dale Mills")
