from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from langgraph.types import Command, interrupt

from policy.protocol import Plan, PlannedSubgoal
from retrieval.access import Identity
from tests.nodes.scripting import (
    QUESTION,
    Script,
    Search,
    World,
    finds,
    graded,
    honest,
    passage,
    planned,
    rewritten,
    rows,
)

Make = Callable[..., World]
FACT = "Nhân viên thử việc được nghỉ 6 ngày."
FOUND = {FACT: "6 ngày"}


def direct(reply: str) -> Plan:
    return Plan(reason="small talk", route="direct", reply=reply)


@pytest.mark.parametrize("greeting", ["Xin chào!", "Hello, who are you?"])
def test_a_greeting_is_answered_without_any_search(world: Make, greeting: str) -> None:
    search = finds(passage(FACT))
    policy = Script(plan=[direct("Xin chào! Tôi là Groundhop.")])
    state = world(policy, search).ask(greeting)
    assert state["status"] == "answered"
    assert state["answer"]["text"] == "Xin chào! Tôi là Groundhop."
    assert state["answer"]["coverage"] == 1.0
    assert search.calls == []
    assert state["budget"]["spent"]["model_calls"] == 1
    assert not policy.views["write"]


@pytest.mark.parametrize("reply", ["Bạn được nghỉ 12 ngày.", "", "rất dài " * 100, "  "])
def test_a_direct_reply_with_figures_or_none_is_replaced_by_a_search(
    world: Make, reply: str
) -> None:
    search = finds(passage(FACT))
    state = world(Script(plan=[direct(reply)], grade=honest(FOUND)), search).ask()
    assert search.queries == [QUESTION]
    assert state["status"] == "answered"
    assert FACT in state["answer"]["text"]
    assert reply.strip() == "" or reply not in state["answer"]["text"]


def test_a_reply_in_the_middle_of_a_question_does_not_end_it(world: Make) -> None:
    parts = [
        PlannedSubgoal(id="s1", question="Ai quản lý phòng A?"),
        PlannedSubgoal(id="s2", question="{s1} ở đâu?", depends_on=["s1"]),
    ]
    plans = [planned(subgoals=parts), direct("Xong rồi!")]
    search = finds(passage("Phòng A do Minh Tran quản lý."))
    policy = Script(plan=plans, grade=honest({"Minh Tran quản lý": "Minh Tran"}))
    state = world(policy, search).ask()
    assert search.queries == ["Ai quản lý phòng A?", "Minh Tran ở đâu?"]
    assert "Xong rồi" not in state["answer"]["text"]


def test_an_empty_plan_becomes_the_question_itself(world: Make) -> None:
    search = finds(passage(FACT))
    state = world(Script(plan=[planned()], grade=honest(FOUND)), search).ask()
    assert search.queries == [QUESTION]
    assert rows(state, "plan")[0]["notes"] == [
        "no usable subgoal planned: the question itself is searched"
    ]


def test_a_huge_plan_is_cut_and_searched_in_rounds_of_four(world: Make) -> None:
    parts = [f"Phòng {number} ở đâu?" for number in range(30)]
    search = finds()
    state = world(Script(plan=lambda view: planned(*parts)), search).ask(rewrites=0)
    assert len(state["subgoals"]) == 8
    assert len(rows(state, "plan")[0]["queries"]) == 4
    assert len(search.calls) == 8
    assert any("more than 8" in note for note in rows(state, "plan")[0]["notes"])


def test_repeated_and_empty_parts_of_a_plan_are_dropped(world: Make) -> None:
    plan = planned("Phòng A ở đâu?", "phòng  A ở đâu", "   ", "Phòng B ở đâu?")
    search = finds()
    state = world(Script(plan=[plan]), search).ask(tool_calls=2)
    assert sorted(search.queries) == ["Phòng A ở đâu?", "Phòng B ở đâu?"]
    assert [item["id"] for item in state["subgoals"]] == ["s1", "s4"]


def test_a_part_that_depends_on_itself_or_on_a_later_one_is_searched_all_the_same(
    world: Make,
) -> None:
    parts = [
        PlannedSubgoal(id="s1", question="Phòng A ở đâu?", depends_on=["s1", "s2", "nowhere"]),
        PlannedSubgoal(id="s2", question="Phòng B ở đâu?", depends_on=["s1"]),
    ]
    search = finds(passage("Phòng A ở Huế. Phòng B ở Vinh."))
    policy = Script(plan=lambda view: planned(subgoals=parts), grade=honest({"A ở Huế": "Huế"}))
    state = world(policy, search).ask()
    assert state["subgoals"][0]["depends_on"] == []
    assert state["subgoals"][1]["depends_on"] == ["s1"]
    assert state["status"] == "answered"


def test_a_dependency_is_read_off_the_placeholder(world: Make) -> None:
    plan = planned("Ai phát triển Project Aurora?", "{s1} do ai sáng lập?")
    facts = {"do Lab Delta phát triển": "Lab Delta", "Minh Tran sáng lập": "Minh Tran"}
    search = finds(passage("Project Aurora do Lab Delta phát triển."))
    search.find = lambda query: [
        passage("Lab Delta: Minh Tran sáng lập.", "c2")
        if "sáng lập" in query
        else passage("Project Aurora do Lab Delta phát triển.")
    ]
    state = world(Script(plan=[plan, planned()], grade=honest(facts)), search).ask()
    assert search.queries == ["Ai phát triển Project Aurora?", "Lab Delta do ai sáng lập?"]
    assert state["status"] == "answered"
    assert state["budget"]["spent"]["steps"] == 2


@pytest.mark.parametrize("question", ["", "   ", "?!…", "x" * 4001])
def test_an_input_that_is_no_question_is_turned_down_in_a_sentence(
    world: Make, question: str
) -> None:
    search = finds()
    policy = Script()
    state = world(policy, search).ask(question)
    assert state["status"] == "failed"
    assert state["answer"]["text"].startswith("The question")
    assert search.calls == policy.views["plan"] == []


def test_an_empty_question_on_an_old_thread_does_not_repeat_the_earlier_one(world: Make) -> None:
    search = finds(passage(FACT))
    here = world(Script(grade=honest(FOUND)), search)
    here.ask()
    state = here.ask("")
    assert state["answer"]["text"] == "The question is empty: ask something in words."
    assert state["status"] == "failed"
    assert len(search.calls) == 1


def test_the_policy_sees_the_question_as_asked_and_the_tools(world: Make) -> None:
    policy = Script(grade=honest(FOUND))
    world(policy, finds(passage(FACT))).ask()
    view = policy.views["plan"][0]
    assert view["original_question"] == QUESTION
    assert view["tools"] == [{"name": "search_documents", "description": "Finds passages."}]
    assert view["facts"] == view["tried"] == view["conversation"] == []
    for role in ("grade", "write"):
        assert policy.views[role][0]["original_question"] == QUESTION


@pytest.mark.parametrize("given", [None, ["Nghỉ mấy ngày?"], 5])
def test_a_question_that_is_no_text_is_turned_down_in_a_sentence(world: Make, given: Any) -> None:
    state = world(Script(), finds()).ask(given)
    assert state["status"] == "failed"
    assert "question is empty" in state["answer"]["text"]


def test_a_plan_of_optional_parts_only_does_not_count_as_answered(world: Make) -> None:
    plan = planned("Nghỉ mấy ngày?")
    plan.subgoals[0].required = False
    script = Script(plan=[plan], grade=lambda view: graded(), rewrite=lambda view: rewritten())
    state = world(script, finds()).ask(QUESTION)
    assert state["status"] == "gave_up"


def test_a_run_without_a_context_asks_as_nobody(world: Make) -> None:
    search = finds()
    script = Script(plan=lambda view: planned("Nghỉ mấy ngày?"), rewrite=lambda view: rewritten())
    here = world(script, search)
    config = {"configurable": {"thread_id": "không"}}
    state = here.graph.invoke({"question": QUESTION}, config)
    assert state["status"] == "gave_up"
    assert search.calls[0][1] == Identity()


def test_the_day_of_asking_is_kept_when_the_run_goes_on_another_day(world: Make) -> None:
    asked: list[str] = []

    def find(query: str) -> list[dict[str, Any]]:
        if not asked:
            asked.append(interrupt("Cho phép tìm?"))
        return [passage(FACT)]

    first = PlannedSubgoal(id="s1", question="Năm nay thử việc nghỉ mấy ngày?")
    second = PlannedSubgoal(id="s2", question="Ai duyệt {s1}?", depends_on=["s1"])
    policy = Script(plan=lambda view: planned(subgoals=[first, second]), grade=honest(FOUND))
    here = world(policy, Search(find))
    here.ask(today="2026-12-31")
    state = here.go(Command(resume="được"), today="2027-01-01")
    assert state["asked_on"] == "2026-12-31"
    assert {view["today"] for view in policy.views["plan"]} == {"2026-12-31"}
    assert len(policy.views["plan"]) >= 2


def test_without_a_named_day_a_question_is_asked_today(world: Make) -> None:
    policy = Script(grade=honest(FOUND))
    state = world(policy, finds(passage(FACT))).ask()
    assert datetime.now(UTC).date() - date.fromisoformat(state["asked_on"]) <= timedelta(days=1)
