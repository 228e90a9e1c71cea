from typing import Any

from state.coverage import (
    coverage,
    fill_in,
    hopeless,
    open_placeholders,
    pending,
    ready,
    solved,
)
from state.types import Subgoal


def subgoal(name: str, status: Any = "pending", **fields: Any) -> Subgoal:
    return {
        "id": name,
        "question": f"{name} ở đâu?",
        "status": status,
        "required": True,
        "depends_on": [],
        "answer": "",
        "rewrites": 0,
        **fields,  # type: ignore[typeddict-item]
    }


def test_coverage_is_the_solved_share_of_the_required_parts() -> None:
    parts = [
        subgoal("s1", "solved"),
        subgoal("s2"),
        subgoal("s3", "unanswerable"),
        subgoal("s4", "solved"),
        subgoal("n1", "solved", required=False),
    ]
    assert coverage(parts) == 0.5


def test_coverage_is_full_where_nothing_is_required() -> None:
    assert coverage([]) == 1.0
    assert coverage([subgoal("n1", required=False)]) == 1.0


def test_a_subgoal_without_the_field_is_required() -> None:
    assert coverage([{"id": "s1", "status": "pending"}]) == 0.0


def test_subgoals_are_sorted_by_what_became_of_them() -> None:
    parts = [subgoal("s1", "solved"), subgoal("s2"), subgoal("s3", "unanswerable")]
    assert [item["id"] for item in solved(parts)] == ["s1"]
    assert [item["id"] for item in pending(parts)] == ["s2"]


def test_a_subgoal_is_ready_once_all_that_it_needs_is_solved() -> None:
    parts = [
        subgoal("s1", "solved"),
        subgoal("s2"),
        subgoal("s3", depends_on=["s1"]),
        subgoal("s4", depends_on=["s1", "s2"]),
    ]
    assert [item["id"] for item in ready(parts)] == ["s2", "s3"]


def test_answers_are_filled_into_the_questions_that_wait_for_them() -> None:
    parts = [subgoal("s1", "solved", answer="Lab Delta"), subgoal("s2", answer="Huế")]
    assert fill_in("{s1} do ai sáng lập?", parts) == "Lab Delta do ai sáng lập?"
    assert fill_in("{s2}, {s9} và { s1 }", parts) == "{s2}, {s9} và { s1 }"


def test_an_answer_with_braces_is_filled_in_as_text() -> None:
    parts = [subgoal("s1", "solved", answer=r"{s2} \1"), subgoal("s2", "solved", answer="x")]
    assert fill_in("Mã {s1}?", parts) == r"Mã {s2} \1?"


def test_open_placeholders_are_listed() -> None:
    assert open_placeholders("{s1} và {s2} ở đâu?") == ["s1", "s2"]
    assert open_placeholders("Ở đâu?") == []


def test_a_subgoal_is_hopeless_after_its_last_rewrite_in_vain() -> None:
    parts = [subgoal("s1", rewrites=2, reason="tài liệu chỉ nói về năm 2025")]
    assert hopeless(parts, {"s1"}, 2) == [
        {"id": "s1", "status": "unanswerable", "reason": "tài liệu chỉ nói về năm 2025"}
    ]


def test_a_subgoal_is_not_hopeless_before_it_was_tried_or_while_it_may_be_rewritten() -> None:
    assert hopeless([subgoal("s1", rewrites=2)], set(), 2) == []
    assert hopeless([subgoal("s1", rewrites=1)], {"s1"}, 2) == []
    assert hopeless([subgoal("s1", "solved", rewrites=2)], {"s1"}, 2) == []


def test_a_whole_chain_is_hopeless_with_its_first_link() -> None:
    parts = [
        subgoal("s3", depends_on=["s2"]),
        subgoal("s2", depends_on=["s1"]),
        subgoal("s1", rewrites=0),
        subgoal("s4"),
    ]
    closed = {item["id"]: item["reason"] for item in hopeless(parts, {"s1"}, 0)}
    assert closed == {
        "s1": "nothing found supports an answer",
        "s2": "depends on s1, which was not found",
        "s3": "depends on s2, which was not found",
    }


def test_what_depends_on_an_unanswerable_subgoal_is_hopeless() -> None:
    parts = [subgoal("s1", "unanswerable"), subgoal("s2", depends_on=["s1"])]
    assert [item["id"] for item in hopeless(parts, set(), 2)] == ["s2"]
