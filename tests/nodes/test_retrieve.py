import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.types import Command, interrupt

from policy.protocol import PlannedSubgoal
from retrieval.errors import KnowledgeBaseError
from tests.nodes.scripting import (
    QUESTION,
    Script,
    Search,
    World,
    finds,
    honest,
    passage,
    planned,
    raises,
    rows,
)

Make = Callable[..., World]
FACT = "Nhân viên thử việc được nghỉ 6 ngày."
FOUND = {FACT: "6 ngày"}
ERRORS = [
    TimeoutError("hết giờ sau 30 giây"),
    sqlite3.OperationalError("database is locked"),
    ValueError("giá trị lạ"),
    KnowledgeBaseError("Both searches failed."),
]


def failing_first(error: Exception, times: int = 1) -> Search:
    """A search that fails so many times, and then finds the fact."""
    search = finds()

    def find(query: str) -> list[dict[str, Any]]:
        if len(search.calls) <= times:
            raise error
        return [passage(FACT)]

    search.find = find
    return search


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_tool_that_raises_is_recorded_and_charged_and_the_run_goes_on(
    world: Make, error: Exception
) -> None:
    search = failing_first(error)
    state = world(Script(grade=honest(FOUND)), search).ask()
    assert state["status"] == "answered"
    assert [row["error"] for row in rows(state, "tool_error")] == [str(error)]
    assert state["budget"]["spent"]["tool_calls"] == len(search.calls) == 2
    assert len(state["seen_queries"]) == 1


def test_an_error_is_shown_to_the_policy(world: Make) -> None:
    policy = Script(grade=honest(FOUND))
    world(policy, failing_first(TimeoutError("hết giờ"))).ask()
    assert policy.views["plan"][1]["subgoals"][0]["reason"] == "the search failed: hết giờ"


@pytest.mark.parametrize("limits", [{}, {"steps": 1}, {"tool_calls": 1}, {"rewrites": 0}])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_run_whose_every_call_fails_has_failed_and_does_not_say_nothing_found(
    world: Make, error: Exception, limits: dict[str, Any]
) -> None:
    state = world(Script(), raises(error)).ask(**limits)
    assert state["status"] == "failed"
    text = state["answer"]["text"]
    assert text.startswith("Việc tìm kiếm bị lỗi")
    assert "không tìm thấy" not in text.lower()
    assert str(error) in text
    assert state["answer"]["report"]["errors"]
    assert state["answer"]["report"]["searched"] == []


def test_one_tool_of_two_that_fails_leaves_the_other_part_answered(world: Make) -> None:
    def find(query: str) -> list[dict[str, Any]]:
        if "Lương" in query:
            raise TimeoutError("hết giờ")
        return [passage(FACT)]

    policy = Script(plan=lambda view: planned("Nghỉ mấy ngày?", "Lương bao nhiêu?"))
    policy._turns["grade"] = honest(FOUND)
    state = world(policy, Search(find)).ask()
    assert state["status"] == "partial"
    assert FACT in state["answer"]["text"]
    assert state["answer"]["missing"] == ["Lương bao nhiêu?"]
    assert len(rows(state, "tool_error")) >= 2


@pytest.mark.parametrize("name", ["serach", "web_search", ""])
def test_a_tool_that_does_not_exist_is_a_result_that_names_those_that_do(
    world: Make, name: str
) -> None:
    wrong = PlannedSubgoal(id="s1", question="Nghỉ mấy ngày?", tool=name)
    right = PlannedSubgoal(id="s1", question="Nghỉ mấy ngày?")
    policy = Script(plan=[planned(subgoals=[wrong]), planned(subgoals=[right])])
    policy._turns["grade"] = honest(FOUND)
    search = finds(passage(FACT))
    state = world(policy, search).ask()
    error = f"There is no tool {name!r}; the tools are: search_documents."
    assert rows(state, "tool_error")[0]["error"] == error
    assert error in policy.views["plan"][1]["subgoals"][0]["reason"]
    assert search.queries == ["Nghỉ mấy ngày?"]
    assert state["status"] == "answered"


def test_a_policy_that_insists_on_a_tool_that_does_not_exist_fails(world: Make) -> None:
    wrong = PlannedSubgoal(id="s1", question="Nghỉ mấy ngày?", tool="web_search")
    policy = Script(plan=lambda view: planned(subgoals=[wrong]))
    state = world(policy, finds(passage(FACT))).ask()
    assert (state["status"], state["stop_reason"]) == ("failed", "tools_failed")


def test_what_did_not_work_during_a_search_is_reported(world: Make) -> None:
    search = finds(passage("Lương."))
    search.degraded = ["vector search failed: hỏng tệp"]
    state = world(Script(), search).ask(steps=1)
    assert state["answer"]["report"]["degraded"] == ["vector search failed: hỏng tệp"]
    assert "vector search failed: hỏng tệp" in state["answer"]["text"]


def test_the_same_passage_twice_in_one_result_is_one_candidate(world: Make) -> None:
    policy = Script()
    state = world(policy, finds(passage("Lương."), passage("Lương."))).ask(steps=1)
    assert len(policy.views["grade"][0]["passages"]) == 1
    assert state["seen_queries"][0]["hits"] == 1


def test_a_search_that_finds_nothing_is_no_error(world: Make) -> None:
    state = world(Script(), finds()).ask(steps=1)
    assert state["status"] == "gave_up"
    assert rows(state, "tool_error") == []
    assert state["answer"]["report"]["searched"] == [
        {"query": QUESTION, "tool": "search_documents", "hits": 0}
    ]


def test_a_tool_that_asks_a_person_pauses_the_run_and_goes_on_with_the_reply(world: Make) -> None:
    replies: list[str] = []

    def find(query: str) -> list[dict[str, Any]]:
        replies.append(interrupt({"question": "Cho phép tìm?", "query": query}))
        return [passage(FACT)]

    here = world(Script(grade=honest(FOUND)), Search(find))
    state = here.ask()
    assert [one.value["question"] for one in here.waiting()] == ["Cho phép tìm?"]
    assert state["status"] == "running"
    assert state["budget"]["spent"]["tool_calls"] == 0
    state = here.go(Command(resume="được"))
    assert replies == ["được"]
    assert state["status"] == "answered"
    assert state["budget"]["spent"]["tool_calls"] == 1
    assert rows(state, "tool_error") == []
    assert len(here.policy.views["plan"]) == 1


def test_a_pause_of_one_search_does_not_repeat_its_finished_sister(world: Make) -> None:
    calls: list[str] = []

    def find(query: str) -> list[dict[str, Any]]:
        if "Lương" in query:
            interrupt("Cho phép tìm lương?")
        calls.append(query)
        return [passage(FACT)]

    policy = Script(plan=[planned("Nghỉ mấy ngày?", "Lương bao nhiêu?")], grade=honest(FOUND))
    here = world(policy, Search(find))
    here.ask()
    state = here.go(Command(resume="được"))
    assert sorted(calls) == ["Lương bao nhiêu?", "Nghỉ mấy ngày?"]
    assert state["budget"]["spent"]["tool_calls"] == 2
