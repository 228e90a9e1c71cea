"""Parts of a question go to the calls that were prepared for them, and nothing else does."""

from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive import Extractive, routing
from policy.extractive.ready_calls import choose, speaks_of_asker
from policy.extractive.routing import with_calls
from policy.extractive.row_answers import quoted
from policy.extractive.verdicts import planned_parts
from tests.policy.extractive.conftest import overlap

Json = dict[str, Any]
YEAR = {"type": "integer", "default": 2026, "minimum": 2025, "maximum": 2026}
PARAMETERS = {"properties": {"query": {}, "parameters": {}, "language": {}}}


def ready(name: str, asks: list[str], own: bool = False, **parameters: Json) -> Json:
    return {
        "name": name, "description": name, "asks": asks, "arguments": {"query": name},
        "parameters": parameters, "own": own,
    }  # fmt: skip


LEAVE = ready(
    "leave_left",
    ["Tôi còn bao nhiêu ngày phép?", "How many days of leave do I have left?"],
    own=True,
    year=YEAR,
)
MANAGER = ready("my_manager", ["Quản lý trực tiếp của tôi là ai?", "Who is my manager?"], own=True)
PROJECT = ready("my_projects", ["Tôi đang tham gia dự án nào?"], own=True)
SPENT = ready(
    "project_spent",
    ["{project} đã chi bao nhiêu tiền?"],
    project={"type": "string", "enum": ["Dự án Hải Vân", "Dự án Sơn Trà"]},
)
MONTH = ready(
    "revenue_of_month",
    ["Doanh thu tháng {month} năm {year} là bao nhiêu?", "What was the revenue in {month} {year}?"],
    month={"type": "integer", "minimum": 1, "maximum": 12},
    year={"type": "integer"},
)
ORDERS = ready(
    "orders_of_customer",
    ["{customer} đã đặt bao nhiêu đơn hàng?"],
    customer={"type": "string", "enum": ["Kho lạnh Đèo Ngang"]},
    year=YEAR,
)
TOOLS: list[Any] = [
    {"name": "search_documents", "description": ""},
    {
        "name": "query_database", "description": "", "parameters": PARAMETERS,
        "ready": [LEAVE, MANAGER, PROJECT, SPENT, MONTH, ORDERS],
    },
]  # fmt: skip


def call(part: str, whole: str = "") -> Json | None:
    chosen = choose(part, whole or part, TOOLS, overlap)
    return chosen.arguments if chosen else None


def plan(question: str) -> list[tuple[str, Any]]:
    parts = with_calls(question, TOOLS, overlap, planned_parts)
    return [(one.question, one.arguments.get("query")) for one in parts]


@pytest.mark.parametrize(
    ("question", "query", "parameters"),
    [
        ("Tôi còn bao nhiêu ngày phép?", "leave_left", None),
        ("Em còn bao nhiêu ngày phép ạ?", "leave_left", None),
        ("toi con bao nhieu ngay phep", "leave_left", None),
        ("Năm 2025 tôi còn bao nhiêu ngày phép?", "leave_left", {"year": 2025}),
        ("How many days of leave do I have left?", "leave_left", None),
        ("Quản lý trực tiếp của mình là ai?", "my_manager", None),
        ("Dự án Hải Vân đã chi bao nhiêu tiền?", "project_spent", {"project": "Dự án Hải Vân"}),
        ("du an hai van da chi bao nhieu tien?", "project_spent", {"project": "Dự án Hải Vân"}),
        ("Doanh thu tháng 8 năm 2025 là bao nhiêu?", "revenue_of_month",
         {"month": 8, "year": 2025}),
        ("What was the revenue in August 2025?", "revenue_of_month", {"month": 8, "year": 2025}),
    ],
)  # fmt: skip
def test_a_question_that_a_call_answers_is_given_to_it(
    question: str, query: str, parameters: Json | None
) -> None:
    found = call(question)
    assert found is not None
    assert (found["query"], found.get("parameters")) == (query, parameters)


def test_a_call_is_made_in_the_language_of_the_question() -> None:
    assert (call("Tôi còn bao nhiêu ngày phép?") or {})["language"] == "vi"
    assert (call("How many days of leave do I have left?") or {})["language"] == "en"


@pytest.mark.parametrize(
    "question",
    [
        "Nhân viên chính thức có bao nhiêu ngày phép?",
        "Công ty mình còn bao nhiêu ngày phép?",
        "Năm 2026 nhân viên thử việc còn bao nhiêu ngày phép?",
        "Ngân sách Dự án Hải Vân là bao nhiêu?",
        "Ai phụ trách Dự án Hải Vân?",
        "Doanh thu quý 3 năm 2025 là bao nhiêu?",
        "Doanh thu năm 2025 là bao nhiêu?",
        "Cho em hỏi quản lý trực tiếp của Lương Thị Hạnh là ai?",
        "Dự án Bạch Mã đã chi bao nhiêu tiền?",
        "Who is the manager of Lan?",
    ],
)
def test_a_question_about_documents_is_not_captured(question: str) -> None:
    assert call(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Năm 2019 tôi còn bao nhiêu ngày phép?",
        "Tôi còn bao nhiêu ngày phép của năm 2025 và 2026?",
        "Trong quý 3 tôi còn bao nhiêu ngày phép?",
    ],
)
def test_a_default_that_the_question_contradicts_is_not_used_silently(question: str) -> None:
    assert call(question) is None


def test_what_a_part_leaves_out_stands_in_the_rest_of_the_question() -> None:
    whole = "Nghỉ phép 2026 khác 2025 thế nào, và tôi còn bao nhiêu ngày?"
    assert (call("tôi còn bao nhiêu ngày?", whole) or {}).get("query") == "leave_left"
    assert call("tôi còn bao nhiêu ngày?", "Tạm ứng thế nào, và tôi còn bao nhiêu ngày?") is None


def test_the_leave_question_is_two_searches_and_one_call() -> None:
    assert plan("Nghỉ phép 2026 khác 2025 thế nào, và tôi còn bao nhiêu ngày?") == [
        ("Nghỉ phép năm 2026 bao nhiêu ngày?", None),
        ("Nghỉ phép năm 2025 bao nhiêu ngày?", None),
        ("Tôi còn bao nhiêu ngày?", "leave_left"),
    ]


def test_the_leave_question_in_english_counts_years_from_the_day_of_asking(
    policy: Extractive,
) -> None:
    question = (
        "How does this year's leave policy differ from last year's, and how many days have I left?"
    )
    view: Any = {
        "original_question": question, "conversation": [], "subgoals": [], "facts": [],
        "tried": [], "tools": TOOLS, "today": "2026-02-28",
    }  # fmt: skip
    made, _ = policy.plan(view)
    assert [one.question for one in made.subgoals] == [
        "How many days of annual leave are there in 2026?",
        "How many days of annual leave are there in 2025?",
        "How many days have I left?",
    ]
    assert made.subgoals[2].arguments == {"query": "leave_left", "language": "en"}


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Ngân sách Dự án Hải Vân là bao nhiêu và dự án đã chi bao nhiêu tiền?",
         [("Ngân sách Dự án Hải Vân là bao nhiêu?", None),
          ("Dự án đã chi bao nhiêu tiền?", "project_spent")]),
        ("Tôi đang tham gia dự án nào, và dự án đó bắt đầu khi nào?",
         [("Tôi đang tham gia dự án nào?", "my_projects"), ("{s1} bắt đầu khi nào?", None)]),
        ("Quản lý trực tiếp của tôi ngồi ở đâu?",
         [("Quản lý trực tiếp của tôi là ai?", "my_manager"), ("{s1} ngồi ở đâu?", None)]),
        ("Khách hàng lớn ở Hà Tĩnh đã đặt bao nhiêu đơn hàng?",
         [("Khách hàng lớn ở Hà Tĩnh là ai?", None), ("{s1} đã đặt bao nhiêu đơn hàng?", None)]),
        ("Tôi là E042. Tôi còn bao nhiêu ngày phép?",
         [("Tôi còn bao nhiêu ngày phép?", "leave_left")]),
    ],
)  # fmt: skip
def test_parts_of_a_question_go_where_their_answers_are(
    question: str, parts: list[tuple[str, Any]]
) -> None:
    assert plan(question) == parts


def test_the_work_of_planning_does_not_grow_with_a_question_of_hundreds_of_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []
    real = routing.choose

    def counted(part: str, *rest: Any) -> Any:
        tried.append(part)
        return real(part, *rest)

    monkeypatch.setattr(routing, "choose", counted)
    plan("Khách hàng ở Hà Tĩnh đã đặt mấy đơn hàng " * 90)
    assert len(tried) < 100


@pytest.mark.parametrize(
    "question",
    [
        "Sếp tôi còn bao nhiêu ngày phép?", "Đồng nghiệp của tôi còn bao nhiêu ngày phép?",
        "Vợ mình còn bao nhiêu ngày phép?", "Con tôi còn bao nhiêu ngày phép?",
        "dong nghiep cua toi con bao nhieu ngay phep", "sếp cũ của em còn bao nhiêu ngày phép",
        "How many days of leave does my manager have left?",
        "How many days of leave has my former boss left?",
    ],
)  # fmt: skip
def test_what_is_asked_about_somebody_of_the_asker_is_not_answered_with_the_askers_own_row(
    question: str,
) -> None:
    assert "leave_left" not in [call for _, call in plan(question)]


def test_a_later_hop_becomes_a_call_once_its_value_is_known(policy: Extractive) -> None:
    first = {
        "id": "s1", "question": "Khách hàng lớn ở Hà Tĩnh là ai?", "status": "solved",
        "answer": "Kho lạnh Đèo Ngang", "depends_on": [], "evidence_ids": ["e1"],
    }  # fmt: skip
    second = {
        "id": "s2", "question": "{s1} đã đặt bao nhiêu đơn hàng?", "status": "pending",
        "depends_on": ["s1"], "tool": "search_documents",
    }  # fmt: skip
    view: Any = {
        "original_question": "Khách hàng lớn ở Hà Tĩnh đã đặt bao nhiêu đơn hàng?",
        "conversation": [], "subgoals": [first, second], "facts": [], "tried": [], "tools": TOOLS,
    }  # fmt: skip
    made, _ = policy.plan(view)
    assert made.subgoals[0].arguments["parameters"] == {"customer": "Kho lạnh Đèo Ngang"}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Sếp của em là ai?", True), ("em còn mấy ngày phép", True), ("toi con may ngay", True),
        ("How many days have I left?", True), ("what's my balance", True),
        ("công ty mình thành lập năm nào", False), ("đầu mối bên mình là ai", False),
        ("Who founded Lab Delta?", False), ("Ai sáng lập Lab Delta?", False),
    ],
)  # fmt: skip
def test_whether_a_text_speaks_of_the_asker(text: str, own: bool) -> None:
    assert speaks_of_asker(text) is own


Make = Callable[..., Json]


def rows(text: str, answer: str = "") -> Json:
    return {
        "id": "r", "text": text, "title": "leave", "heading": "leave_left", "version": "",
        "source": "hr database", "language": "vi", "kind": "rows", "answer": answer,
    }  # fmt: skip


def grade(policy: Extractive, *passages: Json) -> Any:
    subgoal = {"id": "s1", "question": "Tôi còn bao nhiêu ngày phép?"}
    view: Any = {
        "original_question": subgoal["question"], "subgoal": subgoal, "passages": list(passages),
        "facts": [],
    }  # fmt: skip
    return policy.grade(view)[0]


def test_the_rows_that_were_asked_for_are_the_answer(policy: Extractive) -> None:
    made = grade(policy, rows("Năm 2026 bạn còn 11 ngày.", "11 ngày"))
    assert (made.covered, made.answer) == ("yes", "11 ngày")
    assert made.verdicts[0].quote == "Năm 2026 bạn còn 11 ngày."


def test_several_rows_are_quoted_line_by_line(policy: Extractive) -> None:
    made = grade(policy, rows("Bạn nghỉ 1 ngày từ 12/01.\nBạn nghỉ 2 ngày từ 12/02."))
    assert made.answer == "Bạn nghỉ 1 ngày từ 12/01. Bạn nghỉ 2 ngày từ 12/02."


def test_of_many_rows_a_run_that_stands_in_the_text_is_quoted(policy: Extractive) -> None:
    text = "\n".join(f"Dòng {number}." for number in range(40))
    made = grade(policy, rows(text))
    assert made.verdicts[0].quote in text
    assert len(made.verdicts[0].quote.split("\n")) == 12


@pytest.mark.parametrize("question", ["Dự án Bạch Mã ở đâu?", "Where is Bạch Mã?"])
def test_of_many_rows_those_with_the_words_of_the_question_are_quoted(question: str) -> None:
    text = "\n".join([*(f"Dòng {number}." for number in range(40)), "Dự án Bạch Mã."])
    assert quoted(text, question).endswith("Dự án Bạch Mã.")
