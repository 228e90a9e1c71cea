"""Persons in the loop: approval of tools, a choice of readings, more budget."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph.agent import Agent
from graph.context import Context
from retrieval.errors import UsageError
from retrieval.tools.registry import Tool
from tests.graph.scenes import ANSWER, QUESTION, TEXT, Documents, agent_on, honest_script
from tests.nodes.scripting import Search, honest, planned, rewritten

ASKING = Context(pause=True)


def guarded_agent(home: Path, *questions: str) -> tuple[Agent, Search]:
    """An agent whose one tool needs approval, and a plan of these questions."""
    search = Search(Documents(d=TEXT).found)
    tool: Tool = replace(search.tool(), needs_approval=True)
    plan = planned(*(questions or (QUESTION,)))
    script = honest_script(plan=lambda view: plan, rewrite=lambda view: rewritten("Lab Delta"))
    return agent_on(home, script, tool), search


def test_a_tool_that_needs_approval_is_not_called_before_a_person_agrees(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path)
    paused = agent.ask(QUESTION, thread="t")
    assert paused.status == "paused"
    assert search.calls == []
    (pause,) = paused.pauses
    assert (pause["kind"], pause["tool"], pause["query"]) == (
        "approval",
        "search_documents",
        QUESTION,
    )
    assert {info.thread: info.status for info in agent.threads()} == {"t": "paused"}

    result = agent.resume("t", reply="approve")
    agent.close()
    assert result.status == "answered"
    assert search.queries == [QUESTION]
    assert result.state["budget"]["spent"]["model_calls"] == 3


def test_an_edited_query_is_what_is_searched_and_recorded(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path)
    agent.ask(QUESTION, thread="t")
    result = agent.resume("t", reply={"query": "Người sáng lập Lab Delta"})
    agent.close()
    assert search.queries == ["Người sáng lập Lab Delta"]
    assert result.state["evidence"][0]["query"] == "Người sáng lập Lab Delta"
    seen = {row["query"] for row in result.state["seen_queries"]}
    assert seen == {QUESTION, "Người sáng lập Lab Delta"}


def test_a_refused_call_is_not_made_and_the_run_ends_with_the_reason(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path)
    context = Context(rewrites=0)
    agent.ask(QUESTION, thread="t", context=context)
    result = agent.resume("t", reply={"refuse": "dữ liệu mật"}, context=context)
    agent.close()
    assert search.calls == []
    assert result.status == "gave_up"
    assert result.state["budget"]["spent"]["tool_calls"] == 0
    assert "dữ liệu mật" in result.state["subgoals"][0]["reason"]


@pytest.mark.parametrize("reply", ["yes", "ok", True, 1, {}, {"approve": "no"}, "", ["approve"]])
def test_a_reply_that_is_none_of_the_possible_ones_is_asked_again(
    tmp_path: Path, reply: Any
) -> None:
    agent, search = guarded_agent(tmp_path)
    agent.ask(QUESTION, thread="t")
    again = agent.resume("t", reply=reply)
    assert again.status == "paused"
    assert "none of those that are possible" in again.pauses[0]["problem"]
    assert search.calls == []
    assert agent.resume("t", reply="approve").status == "answered"
    agent.close()


def test_resuming_without_a_reply_says_what_is_waited_for(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path)
    agent.ask(QUESTION, thread="t")
    waiting = agent.resume("t")
    assert waiting.status == "paused"
    assert f"May search_documents be called with “{QUESTION}”?" in waiting.notes[0]
    assert search.calls == []
    with pytest.raises(UsageError, match="waits for a reply"):
        agent.ask("Câu khác?", thread="t")
    agent.close()


def test_parallel_calls_are_approved_together_or_one_by_one(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path, QUESTION, "Lab Delta lập năm nào?")
    paused = agent.ask(QUESTION, thread="t", context=Context(rewrites=0))
    assert len(paused.pauses) == 2
    replies: dict[str, Any] = {pause["id"]: "refuse" for pause in paused.pauses}
    first = next(pause for pause in paused.pauses if pause["query"] == QUESTION)
    replies[first["id"]] = "approve"
    result = agent.resume("t", reply=replies, context=Context(rewrites=0))
    agent.close()
    assert search.queries == [QUESTION]
    assert result.status in ("partial", "answered")


def test_a_pause_survives_the_process(tmp_path: Path) -> None:
    agent, _ = guarded_agent(tmp_path)
    agent.ask(QUESTION, thread="t")
    agent.close()
    agent, search = guarded_agent(tmp_path)
    assert agent.resume("t", reply="approve").status == "answered"
    assert search.queries == [QUESTION]
    agent.close()


def ambiguous(view: Any) -> Any:
    """Two readings, until one was chosen."""
    if "clarified" not in view:
        readings = ["Ai sáng lập Lab Delta ở Huế?", "Ai sáng lập Lab Delta ở Hà Nội?"]
        return planned(view["original_question"], clarify=readings)
    return planned(view["clarified"], question=view["clarified"])


def test_an_ambiguous_question_is_put_to_the_asker(tmp_path: Path) -> None:
    search = Search(Documents(d=TEXT).found)
    agent = agent_on(tmp_path, honest_script(plan=ambiguous), search.tool())
    paused = agent.ask(QUESTION, thread="t", context=ASKING)
    assert paused.status == "paused"
    assert paused.pauses[0]["kind"] == "choice"
    assert len(paused.pauses[0]["options"]) == 2
    assert search.calls == []
    result = agent.resume("t", reply="2", context=ASKING)
    rows = agent._services.ledger.rows("t")  # type: ignore[attr-defined]
    agent.close()
    assert result.status == "answered"
    assert search.queries == ["Ai sáng lập Lab Delta ở Hà Nội?"]
    assert result.state["original_question"] == QUESTION
    assert result.state["resolved_question"] == "Ai sáng lập Lab Delta ở Hà Nội?"
    assert (
        sum(row["kind"] == "policy" for row in rows)
        == (result.state["budget"]["spent"]["model_calls"])
    )


def test_a_reply_is_taken_also_where_the_context_of_the_resume_does_not_allow_pauses(
    tmp_path: Path,
) -> None:
    agent = agent_on(tmp_path, honest_script(plan=ambiguous))
    agent.ask(QUESTION, thread="t", context=ASKING)
    result = agent.resume("t", reply="2", context=Context())
    agent.close()
    assert result.state["resolved_question"] == "Ai sáng lập Lab Delta ở Hà Nội?"


def test_nobody_is_asked_where_the_context_does_not_allow_it(tmp_path: Path) -> None:
    agent = agent_on(tmp_path, honest_script(plan=ambiguous))
    assert agent.ask(QUESTION).status == "answered"
    agent.close()


def endless(home: Path) -> Agent:
    """An agent that finds the answer only in the fifth search."""
    found = Documents(e=TEXT)
    searches: list[str] = []

    def find(query: str) -> list[dict[str, Any]]:
        searches.append(query)
        if len(searches) == 5:
            return Documents(e=TEXT).found(query)
        return Documents(**{f"d{len(searches)}": "Không có gì."}).found(query)

    numbers = iter(range(100))
    script = honest_script(
        grade=honest({TEXT: ANSWER}),
        rewrite=lambda view: rewritten(f"{QUESTION} lần {next(numbers)}"),
    )
    return agent_on(home, script, Search(find).tool(), documents=found)


PATIENT = {"steps": 2, "rewrites": 10, "barren_rounds": 20}


def test_a_used_up_budget_is_extended_by_resuming_with_more_steps(tmp_path: Path) -> None:
    agent = endless(tmp_path)
    context = Context(**PATIENT)
    first = agent.ask(QUESTION, thread="t", context=context)
    assert (first.status, first.stop_reason) == ("gave_up", "budget_exhausted")
    result = agent.resume("t", context=context, add_steps=4)
    assert result.status == "answered"
    assert result.notes == ["The budget of thread t is extended by 4 steps."]
    spent, limits = result.state["budget"]["spent"], result.state["budget"]["limits"]
    assert (spent["steps"], limits["steps"]) == (5, 6)
    assert len(result.state["conversation"]) == 1, "the refusal is no turn of the conversation"
    rows = agent._services.ledger.rows("t")  # type: ignore[attr-defined]
    assert spent["tool_calls"] == sum(row["kind"] == "tool" for row in rows) == 5
    agent.close()


def test_more_steps_that_are_used_up_too_end_the_run_and_are_given_once(tmp_path: Path) -> None:
    agent = endless(tmp_path)
    context = Context(**PATIENT)
    agent.ask(QUESTION, thread="t", context=context)
    result = agent.resume("t", context=context, add_steps=2)
    agent.close()
    assert (result.status, result.stop_reason) == ("gave_up", "budget_exhausted")
    assert result.notes == ["The budget of thread t is extended by 2 steps."]
    assert result.state["budget"]["limits"]["steps"] == 4


def test_the_extension_is_offered_where_the_asker_may_be_asked(tmp_path: Path) -> None:
    agent = endless(tmp_path)
    context = Context(**PATIENT, pause=True)
    paused = agent.ask(QUESTION, thread="t", context=context)
    assert paused.pauses[0]["kind"] == "budget"
    assert paused.pauses[0]["offer"] == 4
    result = agent.resume("t", context=context, add_steps=4)
    agent.close()
    assert result.status == "answered"


def test_an_offer_that_is_turned_down_ends_the_run(tmp_path: Path) -> None:
    agent = endless(tmp_path)
    context = Context(**PATIENT, pause=True)
    agent.ask(QUESTION, thread="t", context=context)
    result = agent.resume("t", context=context, reply="stop")
    agent.close()
    assert (result.status, result.stop_reason) == ("gave_up", "budget_exhausted")


def test_more_steps_are_refused_where_steps_were_not_what_was_missing(tmp_path: Path) -> None:
    agent = agent_on(tmp_path)
    agent.ask(QUESTION, thread="t")
    with pytest.raises(UsageError, match="did not stop for want of budget"):
        agent.resume("t", add_steps=4)
    agent.close()


def test_a_reply_that_cannot_be_kept_is_refused_and_the_run_waits_on(tmp_path: Path) -> None:
    agent, search = guarded_agent(tmp_path)
    agent.ask(QUESTION, thread="t")
    with pytest.raises(UsageError, match="a number that is too large"):
        agent.resume("t", reply={"arguments": {"query": 10**30}})
    assert agent.resume("t", reply="approve").status == "answered"
    agent.close()
    assert search.queries == [QUESTION]
