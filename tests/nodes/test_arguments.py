"""Tools that are called with more than a query, and what may not be had."""

from collections.abc import Callable
from typing import Any

import pytest

from policy.protocol import PlannedSubgoal
from retrieval.access import Identity
from retrieval.tools.registry import Tool, ToolResult
from tests.nodes.scripting import Script, World, finds, honest, passage, planned, rows

Make = Callable[..., World]
LEFT = "Năm 2026 bạn còn 11 ngày phép."
RULE = "Nhân viên được nghỉ 15 ngày."
ANSWERS = {LEFT: "11 ngày", RULE: "15 ngày"}
SCHEMA = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "parameters": {"type": "object"}},
    "required": ["query"],
}
BALANCE = {"query": "leave_left", "parameters": {"year": 2026}}


def database(calls: list[Any], refused: str = "") -> Tool:
    """A named query that finds the leave that is left, or that refuses."""

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        calls.append((arguments, identity.user))
        if refused:
            return ToolResult(refused=refused)
        row = {"kind": "rows", "statement": "SELECT …", "parameters": {"user_id": identity.user}}
        read = passage(LEFT, "r1", rows=[{"left": 11}], answer="11 ngày", start=0, **row)
        return ToolResult([read])

    return Tool("query_database", "Asks the database.", SCHEMA, run, private=True)


def part(name: str, question: str, **fields: Any) -> PlannedSubgoal:
    return PlannedSubgoal(id=name, question=question, **fields)


def left(name: str = "s1", **fields: Any) -> PlannedSubgoal:
    fields = {"arguments": BALANCE, **fields}
    return part(name, "Tôi còn mấy ngày phép?", tool="query_database", **fields)


def test_a_row_is_evidence_with_its_statement_its_parameters_and_the_time_it_was_read(
    world: Make,
) -> None:
    calls: list[Any] = []
    policy = Script(plan=[planned(subgoals=[left()])], grade=honest(ANSWERS))
    state = world(policy, database(calls)).ask(user="E042")
    assert state["status"] == "answered"
    assert calls == [(BALANCE, "E042")]
    (cited,) = state["answer"]["citations"]
    assert (cited["kind"], cited["quote"], cited["rows"]) == ("rows", LEFT, [{"left": 11}])
    assert (cited["statement"], cited["parameters"]) == ("SELECT …", {"user_id": "E042"})
    assert cited["retrieved_at"]
    assert state["seen_queries"][0]["query"] == "query=leave_left, year=2026"
    assert policy.views["grade"][0]["passages"][0]["kind"] == "rows"


def test_an_answer_that_arguments_wait_for_is_filled_in(world: Make) -> None:
    calls: list[Any] = []
    rule = "Nghỉ phép theo quy định năm 2026."
    waiting = left("s2", arguments={"query": "leave_left", "parameters": {"year": "{s1}"}})
    plans = [
        planned(subgoals=[part("s1", "Quy định năm nào?"), waiting]),
        planned(subgoals=[waiting]),
    ]
    policy = Script(plan=plans, grade=honest({rule: "2026", **ANSWERS}))
    state = world(policy, database(calls), finds(passage(rule))).ask()
    assert [arguments for arguments, _ in calls] == [
        {"query": "leave_left", "parameters": {"year": "2026"}}
    ]
    assert state["subgoals"][1]["depends_on"] == ["s1"]
    assert state["status"] == "answered"


def test_what_the_asker_may_not_have_is_missing_and_the_rest_is_answered(world: Make) -> None:
    calls: list[Any] = []
    why = "Số ngày phép còn lại cần biết ai hỏi."
    both = [part("s1", "Được nghỉ mấy ngày?"), left("s2")]
    policy = Script(plan=[planned(subgoals=both)], grade=honest(ANSWERS))
    state = world(policy, database(calls, refused=why), finds(passage(RULE))).ask()
    assert state["status"] == "partial"
    assert RULE in state["answer"]["text"]
    assert state["answer"]["missing"] == ["Tôi còn mấy ngày phép?"]
    assert [row["reason"] for row in rows(state, "not_allowed")] == [why]
    assert state["subgoals"][1]["status"] == "unanswerable"
    assert len(calls) == 1
    assert policy.views["rewrite"] == []
    assert rows(state, "tool_error") == []


def test_a_part_that_waits_for_a_refused_one_is_not_told_as_unfound(world: Make) -> None:
    waits = part("s2", "Với {s1} ngày tôi được nghỉ đến bao giờ?", depends_on=["s1"])
    policy = Script(plan=[planned(subgoals=[left("s1"), waits])])
    refused = database([], refused="Số ngày phép còn lại cần biết ai hỏi.")
    state = world(policy, refused, finds(passage(RULE))).ask("Tôi được nghỉ đến bao giờ?")
    assert state["status"] == "gave_up"
    assert state["answer"]["text"] == (
        "Không trả lời vì cần biết ai đang hỏi: Tôi còn mấy ngày phép?"
    )
    assert state["answer"]["denied"] == ["Tôi còn mấy ngày phép?"]


def test_a_call_that_costs_money_is_charged(world: Make) -> None:
    calls: list[Any] = []
    priced = database(calls)
    tool = Tool(**{**vars(priced), "cost": 0.5})
    policy = Script(plan=[planned(subgoals=[left()])], grade=honest(ANSWERS))
    spent = world(policy, tool).ask()["budget"]["spent"]
    model_calls = spent["model_calls"] * 0.25
    assert spent["money"] == model_calls + 0.5


def test_a_refusal_is_remembered_and_not_asked_for_again_after_another_round(world: Make) -> None:
    calls: list[Any] = []
    plans = [planned(subgoals=[left()]), planned(subgoals=[left()])]
    policy = Script(plan=plans)
    state = world(policy, database(calls, refused="Cần biết ai hỏi.")).ask()
    assert state["status"] == "gave_up"
    assert len(calls) == 1


@pytest.mark.parametrize("year", [10**30, float("nan"), float("inf"), "nested"])
def test_arguments_that_no_checkpoint_can_hold_do_not_end_the_thread(
    world: Make, year: Any
) -> None:
    for _ in range(400 if year == "nested" else 0):
        year = {"năm": year}
    calls: list[Any] = []
    odd = left(arguments={"query": "leave_left", "parameters": {"year": year}})
    policy = Script(plan=[planned(subgoals=[odd])], grade=honest(ANSWERS))
    state = world(policy, database(calls), finds(passage(RULE))).ask(rewrites=0)
    assert calls[0][0] == {"query": "Tôi còn mấy ngày phép?"}
    assert rows(state, "plan")[0]["notes"] == ["dropped the arguments of 's1': they cannot be kept"]
