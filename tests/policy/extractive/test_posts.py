"""A post is not yet the person who holds it."""

from collections.abc import Callable
from typing import Any

import pytest

from policy.extractive import Extractive
from policy.extractive.answer_names import is_title, is_vague_title
from policy.extractive.holders import with_holder
from policy.extractive.verdicts import planned_parts
from policy.protocol import PlannedSubgoal


def test_the_head_of_one_department_is_not_taken_for_that_of_another(
    grade: Callable[..., Any], passage: Callable[..., Any]
) -> None:
    text = "Phạm Tuấn là Giám đốc Công nghệ, làm việc tại Đà Nẵng."
    assert grade("Ai là Giám đốc Công nghệ?", passage(text, "Giới thiệu")).covered == "yes"
    assert grade("Ai là Giám đốc Sản xuất?", passage(text, "Giới thiệu")).covered == "no"


def test_posts_are_told_from_names() -> None:
    assert is_title("Trưởng phòng Kế toán")
    assert not is_vague_title("Trưởng phòng Kế toán")
    assert is_vague_title("Trưởng phòng")
    assert not is_title("Trịnh Công Bằng")


def test_a_name_asked_for_is_sought_behind_the_post_that_was_found(policy: Extractive) -> None:
    asked = "Hồ sơ thai sản được người nào ký duyệt, cho mình xin họ tên cụ thể."
    first, second = _plan(policy, asked, []).subgoals
    assert second.depends_on == [first.id]
    for answer, then in (
        ("Trưởng phòng Kế toán", "Ai là Trưởng phòng Kế toán?"),
        ("Vũ Hà", first.question),
    ):
        known = [_known(first, answer), _known(second, "")]
        assert _plan(policy, asked, known).subgoals[0].question == then


def test_a_hop_that_leans_on_a_post_first_asks_who_holds_it(policy: Extractive) -> None:
    asked = "Người bảo trợ Dự án Sao Mai làm việc ở đâu?"
    first, second = _plan(policy, asked, []).subgoals
    known = [_known(first, "Giám đốc Công nghệ"), _known(second, "")]
    holder, after = _plan(policy, asked, known).subgoals
    assert holder.question == "Ai là Giám đốc Công nghệ?"
    assert holder.id in after.depends_on
    assert f"{{{holder.id}}}" in after.question


def test_a_vague_answer_leads_to_no_next_hop(
    policy: Extractive, passage: Callable[..., Any]
) -> None:
    view: Any = {
        "original_question": "Người duyệt phiếu làm thêm làm việc ở đâu?",
        "subgoal": {"id": "s1", "question": "Ai duyệt phiếu làm thêm?"},
        "passages": [passage("Trưởng phòng duyệt phiếu làm thêm.", "Làm thêm")],
        "facts": [],
    }
    assert policy.grade(view)[0].covered == "no"


def test_an_answer_is_filled_in_without_accents_where_none_were_typed(policy: Extractive) -> None:
    asked = "nguoi phu trach du an Cuu Long vao lam ngay nao?"
    first, second = _plan(policy, asked, []).subgoals
    known = [_known(first, "Châu Ngọc Ánh"), _known(second, "")]
    (hop,) = _plan(policy, asked, known).subgoals
    assert hop.question == "Chau Ngoc Anh vao lam ngay nao?"


def _plan(policy: Extractive, question: str, subgoals: list[Any]) -> Any:
    view: Any = {
        "original_question": question, "conversation": [], "subgoals": subgoals,
        "facts": [], "tried": [], "tools": [],
    }  # fmt: skip
    return policy.plan(view)[0]


def _known(part: Any, answer: str) -> dict[str, Any]:
    return {
        "id": part.id, "question": part.question, "depends_on": part.depends_on,
        "status": "solved" if answer else "pending", "answer": answer,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("questions", "asked"),
    [
        (["Ai duyệt chi?"], ["Ai duyệt chi?", "Ai là {s1}?"]),
        (["Ai duyệt chi?", "Ai ký hợp đồng?"], ["Ai duyệt chi?", "Ai ký hợp đồng?"]),
    ],
)
def test_the_holder_of_a_post_is_asked_for_only_where_the_parts_are_one_chain(
    questions: list[str], asked: list[str]
) -> None:
    parts = [PlannedSubgoal(id=f"s{n}", question=one) for n, one in enumerate(questions, 1)]
    plan = with_holder(parts, f"{' và '.join(questions)} Cho xin tên cụ thể.")
    assert [one.question for one in plan] == asked


@pytest.mark.parametrize(
    "question",
    [
        "Phố Cầu Muối được đặt theo tên của ai?",
        "pho cau muoi duoc dat theo ten cua ai",
        "Giải thưởng Sao Biển đặt theo tên ai vậy?",
    ],
)
def test_whom_something_is_named_after_is_one_question(question: str) -> None:
    parts = planned_parts(question)
    assert len(parts) == 1


def test_the_holder_is_still_asked_for_where_a_name_only_orders_something() -> None:
    assert len(planned_parts("Nhân viên được xếp ca theo tên ai?")) == 2
