"""What a second question on a thread knows of the first."""

from collections.abc import Callable
from typing import Any

from policy.protocol import Plan
from tests.nodes.scripting import QUESTION, Script, World, finds, honest, passage, planned

Make = Callable[..., World]
FACT = "Nhân viên thử việc được nghỉ 6 ngày."
LATER = "Năm 2023 được nghỉ 5 ngày."
FOUND = {FACT: "6 ngày", LATER: "5 ngày"}


def two_questions(world: Make, **second: Any) -> tuple[World, Any]:
    search = finds()
    search.find = lambda query: [passage(LATER, "c2") if "2023" in query else passage(FACT)]
    here = world(Script(grade=honest(FOUND)), search)
    first = here.ask(QUESTION, user="an")
    assert first["status"] == "answered"
    state = here.ask("Còn năm 2023 thì sao?", **{"user": "an", **second})
    return here, state


def test_a_second_question_has_only_its_own_evidence(world: Make) -> None:
    _, state = two_questions(world)
    assert [item["quote"] for item in state["evidence"]] == [LATER]
    assert [one["quote"] for one in state["answer"]["citations"]] == [LATER]
    assert state["original_question"] == "Còn năm 2023 thì sao?"
    assert len(state["subgoals"]) == len(state["seen_queries"]) == 1


def test_a_second_question_has_a_fresh_budget_and_its_own_limits(world: Make) -> None:
    _, state = two_questions(world, steps=3)
    assert state["budget"]["spent"]["tool_calls"] == 1
    assert state["budget"]["spent"]["model_calls"] == 3
    assert state["budget"]["limits"]["steps"] == 3


def test_a_second_question_knows_the_conversation(world: Make) -> None:
    here, state = two_questions(world)
    turn = {"question": QUESTION, "answer": f"{FACT} [1]"}
    assert here.policy.views["plan"][1]["conversation"] == [turn]
    assert len(state["conversation"]) == 2


def test_another_identity_on_the_thread_sees_no_conversation(world: Make) -> None:
    here, state = two_questions(world, user="binh")
    assert here.policy.views["plan"][1]["conversation"] == []
    assert [turn["question"] for turn in state["conversation"]] == ["Còn năm 2023 thì sao?"]


def test_the_same_user_with_other_groups_is_another_identity(world: Make) -> None:
    here, _ = two_questions(world, groups=["hr"])
    assert here.policy.views["plan"][1]["conversation"] == []


def test_the_identity_of_the_context_reaches_the_tool(world: Make) -> None:
    search = finds(passage(FACT))
    here = world(Script(grade=honest(FOUND)), search)
    here.ask(user="an", groups=["hr", "ban giám đốc"], depth=9)
    _, identity, depth = search.calls[0]
    assert (identity.user, identity.groups, depth) == ("an", {"hr", "ban giám đốc"}, 9)


def test_the_same_question_of_another_identity_is_searched_again(world: Make) -> None:
    search = finds(passage(FACT))
    here = world(Script(grade=honest(FOUND)), search)
    here.ask(user="an")
    here.ask(user="binh")
    assert [identity.user for _, identity, _ in search.calls] == ["an", "binh"]


def test_the_same_question_asked_again_is_searched_again(world: Make) -> None:
    search = finds(passage(FACT))
    here = world(Script(grade=honest(FOUND)), search)
    assert here.ask()["answer"] == here.ask()["answer"]
    assert len(search.calls) == 2


def test_a_follow_up_made_self_contained_is_remembered_that_way(world: Make) -> None:
    plan = planned("Thử việc năm 2023 nghỉ mấy ngày?", question="Năm 2023 nghỉ mấy ngày?")
    here = world(Script(plan=[plan], grade=honest(FOUND)), finds(passage(LATER)))
    state = here.ask("Còn năm 2023?")
    assert state["original_question"] == "Còn năm 2023?"
    assert state["conversation"][0]["question"] == "Năm 2023 nghỉ mấy ngày?"


def test_small_talk_is_no_part_of_the_conversation(world: Make) -> None:
    talk = Plan(reason="greeting", route="direct", reply="Xin chào!")
    state = world(Script(plan=[talk])).ask("Chào bạn")
    assert state["conversation"] == []
