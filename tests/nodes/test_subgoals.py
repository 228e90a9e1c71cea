import pytest

from nodes.subgoals import (
    MAX_QUERY_CHARACTERS,
    MAX_SUBGOALS,
    accept_plan,
    follow_lead,
    next_round,
    search_for,
    untried,
)
from policy.protocol import Lead, PlannedSubgoal
from state.budget import new_budget
from state.queries import normal_query
from state.types import SeenQuery, Subgoal


def part(name: str, question: str = "Ở đâu?", **fields: object) -> PlannedSubgoal:
    return PlannedSubgoal(id=name, question=question, **fields)  # type: ignore[arg-type]


def known(name: str, **fields: object) -> Subgoal:
    updates, _ = accept_plan([part(name, f"{name} ở đâu?")], [], "Hỏi")
    return {**updates[0], **fields}  # type: ignore[typeddict-item]


def seen(name: str, query: str) -> SeenQuery:
    return {
        "normal": normal_query(query),
        "query": query,
        "subgoal_id": name,
        "tool": "search_documents",
        "hits": 1,
    }


def test_a_later_plan_makes_a_pending_subgoal_concrete() -> None:
    updates, notes = accept_plan([part("s1", "Lab A ở đâu?", query="Lab A")], [known("s1")], "Hỏi")
    assert notes == []
    assert updates == [
        {
            "id": "s1",
            "question": "Lab A ở đâu?",
            "query": "Lab A",
            "tool": "search_documents",
            "depends_on": [],
        }
    ]


@pytest.mark.parametrize("status", ["solved", "unanswerable"])
def test_a_later_plan_cannot_reopen_a_closed_subgoal(status: str) -> None:
    updates, _ = accept_plan([part("s1", "Lab A ở đâu?")], [known("s1", status=status)], "Hỏi")
    assert updates == []


def test_a_later_plan_cannot_tie_subgoals_into_a_knot() -> None:
    before = [known("s1"), known("s2"), known("s3", depends_on=["s2"])]
    plan = [part("s1", "A?", depends_on=["s3"]), part("s2", "B?", depends_on=["s1"])]
    updates, _ = accept_plan(plan, before, "Hỏi")
    assert {item["id"]: item["depends_on"] for item in updates} == {"s1": ["s3"], "s2": []}


def test_a_later_plan_cannot_make_a_subgoal_wait_for_itself_by_a_placeholder() -> None:
    updates, _ = accept_plan([part("s1", "{s1} ở đâu?")], [known("s1")], "Hỏi")
    assert updates[0]["depends_on"] == []


def test_two_parts_with_one_id_are_one_subgoal() -> None:
    updates, notes = accept_plan([part("s1", "A ở đâu?"), part("s1", "B ở đâu?")], [], "Hỏi")
    assert [item["question"] for item in updates] == ["A ở đâu?"]
    assert notes == ["dropped subgoal 's1': empty or repeated"]


def test_a_long_question_is_cut() -> None:
    updates, _ = accept_plan([part("s1", "dài " * 1000, query="x" * 9999)], [], "Hỏi")
    assert len(updates[0]["question"]) <= MAX_QUERY_CHARACTERS
    assert len(updates[0]["query"]) == MAX_QUERY_CHARACTERS


def test_the_search_of_a_subgoal_is_its_query_with_answers_filled_in() -> None:
    parts = [known("s1", status="solved", answer="Lab Delta"), known("s2", question="{s1} ở đâu?")]
    assert search_for(parts[1], parts)["query"] == "Lab Delta ở đâu?"
    asked = {**parts[1], "query": "trụ sở {s1}"}
    assert search_for(asked, parts)["query"] == "trụ sở Lab Delta"  # type: ignore[arg-type]


def test_a_round_leaves_out_what_was_searched_and_what_waits() -> None:
    parts = [known("s1"), known("s2"), known("s3", depends_on=["s2"])]
    done = [seen("s1", "S1 ở đâu")]
    assert [one["subgoal_id"] for one in next_round(parts, done, new_budget())] == ["s2"]
    assert [item["id"] for item in untried(parts, done)] == ["s2"]


def test_a_round_has_no_more_searches_than_the_budget_affords() -> None:
    parts = [known(f"s{number}") for number in range(6)]
    assert len(next_round(parts, [], new_budget())) == 4
    assert len(next_round(parts, [], new_budget({"tool_calls": 3}))) == 3
    assert next_round(parts, [], new_budget({"model_calls": 0})) == []


@pytest.mark.parametrize(
    ("planned", "rest", "followed"),
    [(1, 1, True), (MAX_SUBGOALS - 1, 1, True), (MAX_SUBGOALS, 1, False), (1, 0, False)],
)
def test_a_lead_is_followed_where_something_is_left_to_ask_and_the_plan_has_room(
    planned: int, rest: int, followed: bool
) -> None:
    plan = [known(f"s{number}") for number in range(1, planned + 1)]
    left = [part(f"r{number}", "Minh Tran sinh năm nào?") for number in range(rest)]
    lead = Lead(part="Ai lập Lab Delta?", answer="Minh Tran", rest=left)
    updates = follow_lead(lead, plan[0], plan, ["e1"])
    assert bool(updates) is followed
    assert len({item["id"] for item in [*plan, *updates]}) <= MAX_SUBGOALS
