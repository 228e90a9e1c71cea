from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive import LIMITS, Extractive

Run = Callable[..., Any]


@pytest.mark.parametrize(
    "message",
    ["hi there!", "Hello", "thanks a lot", "Who are you?", "what can you do for me?",
     "how are you?",
     "Chào bạn", "xin chao", "cảm ơn nhiều", "Chào bạn, bạn giúp được gì cho mình?", "Bạn là ai?"],
)  # fmt: skip
def test_small_talk_is_answered_at_once(plan: Run, message: str) -> None:
    answered = plan(message)
    assert (answered.route, answered.subgoals) == ("direct", [])
    assert answered.reply


@pytest.mark.parametrize(
    "question",
    ["Who is Minh Tran?", "Xin chào, nhân viên thử việc được nghỉ mấy ngày?", "What is 2 + 2?",
     "hi, who founded Lab Delta?", "Giám đốc công ty là ai?", "can you help me find the budget?"],
)  # fmt: skip
def test_whatever_asks_for_a_fact_is_looked_up(plan: Run, question: str) -> None:
    assert plan(question).route == "retrieve"


def test_small_talk_is_answered_in_its_own_language(plan: Run) -> None:
    assert "tài liệu" in plan("Chào bạn").reply
    assert "documents" in plan("hello").reply


@pytest.mark.parametrize(
    ("before", "now", "meant"),
    [
        ("Ngân sách năm 2024 là bao nhiêu?", "còn năm 2025 thì sao?",
         "Ngân sách năm 2025 là bao nhiêu?"),
        ("How many students enrolled in 2022?", "And in 2023?",
         "How many students enrolled in 2023?"),
        ("Ai sáng lập Lab Delta?", "còn của Lab Sigma?", "Ai sáng lập Lab Sigma?"),
        ("Who founded Lab Delta?", "What about Lab Sigma?", "Who founded Lab Sigma?"),
        ("Nhân viên chính thức được nghỉ mấy ngày?", "thế nhân viên thử việc thì sao?",
         "Nhân viên thử việc được nghỉ mấy ngày?"),
        ("Doanh thu quý 1 là bao nhiêu?", "còn quý 2?", "Doanh thu quý 2 là bao nhiêu?"),
        ("ngan sach nam 2024 la bao nhieu", "con nam 2025 thi sao",
         "ngan sach nam 2025 la bao nhieu"),
    ],
)  # fmt: skip
def test_a_follow_up_takes_the_earlier_question_with_the_changed_part(
    plan: Run, before: str, now: str, meant: str
) -> None:
    assert plan(now, [{"question": before, "answer": ""}]).question == meant


def test_a_pronoun_stands_for_the_earlier_answer(plan: Run) -> None:
    earlier = [{"question": "Who founded Lab Delta?", "answer": "Minh Tran. “Lab Delta was …” [1]"}]
    assert plan("Where was he born?", earlier).question == "Where was Minh Tran born?"
    earlier = [{"question": "Ai phụ trách Dự án Hải Vân?", "answer": "Trương Gia Minh. “…” [1]"}]
    assert plan("Quản lý của người đó là ai?", earlier).question == (
        "Quản lý của Trương Gia Minh là ai?"
    )


def test_a_full_question_is_not_changed_by_the_conversation(plan: Run) -> None:
    earlier = [{"question": "Ai sáng lập Lab Delta?", "answer": "Minh Tran."}]
    assert plan("Ngân sách Dự án Hải Vân là bao nhiêu?", earlier).question == (
        "Ngân sách Dự án Hải Vân là bao nhiêu?"
    )


def test_the_next_hop_is_filled_in_with_what_was_found(plan: Run) -> None:
    subgoals = [
        {"id": "s1", "question": "Tổ chức nào?", "status": "solved", "answer": "Lab Delta"},
        {"id": "s2", "question": "Ai sáng lập {s1}?", "status": "pending", "depends_on": ["s1"]},
        {"id": "s3", "question": "{s2} sinh ở đâu?", "status": "pending", "depends_on": ["s2"]},
    ]
    planned = plan("…?", subgoals=subgoals).subgoals
    assert [(one.id, one.question) for one in planned] == [("s2", "Ai sáng lập Lab Delta?")]
    assert planned[0].query == "Ai sáng lập Lab Delta"


def test_an_empty_question_does_not_crash(plan: Run) -> None:
    for nothing in ("", "   ", "???"):
        assert plan(nothing).route == "direct"


def test_the_policy_says_what_it_cannot_see() -> None:
    assert "missing evidence, not altered questions" in LIMITS
    assert (Extractive.name, bool(Extractive.version)) == ("extractive", True)
