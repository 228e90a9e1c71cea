"""Which tools a run may call, what they cost, and what a person lets through."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from langgraph.types import Command

from graph import newer
from graph.asker import AnotherAskerError
from policy.protocol import PlannedSubgoal
from retrieval.access import Identity
from retrieval.tools.registry import Tool, ToolResult
from tests.nodes.scripting import Script, World, finds, honest, passage, planned, rows

Make = Callable[..., World]
TICKET = "Phiếu 42: máy in do Trần Thị Hoa phụ trách."
ANSWERS = {TICKET: "Trần Thị Hoa"}
SCHEMA = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["number"],
}


def desk(calls: list[Any], **traits: Any) -> Tool:
    """A tool of another system that finds a ticket by its number."""

    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        calls.append(arguments)
        return ToolResult([passage(TICKET, "t1", kind="external", start=0)])

    return Tool("desk.phiếu", "Một phiếu theo số.", SCHEMA, run, trusted=False, **traits)


def asking(*parts: PlannedSubgoal) -> Script:
    """Plans the same parts again and again."""
    return Script(plan=lambda view: planned(subgoals=list(parts)), grade=honest(ANSWERS))


def ticket(name: str = "s1", **fields: Any) -> PlannedSubgoal:
    return PlannedSubgoal(
        **{
            "id": name,
            "question": f"Ai phụ trách phiếu {name}?",
            "tool": "desk.phiếu",
            "arguments": {"number": 42},
            **fields,
        }
    )


def on_the_web(calls: list[Any]) -> Tool:
    fields = {"query": {"type": "string"}}
    schema = {"type": "object", "properties": fields, "required": ["query"]}
    return replace(desk(calls), name="web_search", parameters=schema, web=True)


WEB = PlannedSubgoal(id="s1", question="Ai phụ trách phiếu 42?", tool="web_search")


def test_a_planner_is_told_of_a_tool_what_is_for_the_asker(world: Make) -> None:
    told = replace(desk([]), described=lambda identity: f"Phiếu của {identity.user}.")
    policy = asking(ticket())
    world(policy, told).ask(user="E042")
    assert policy.views["plan"][0]["tools"][0]["description"] == "Phiếu của E042."


def test_the_web_is_neither_shown_nor_asked_where_the_run_does_not_allow_it(world: Make) -> None:
    calls: list[Any] = []
    policy = asking(WEB)
    state = world(policy, finds(), on_the_web(calls)).ask(rewrites=0)
    assert calls == []
    assert [tool["name"] for tool in policy.views["plan"][0]["tools"]] == ["search_documents"]
    error = "web_search may be called only by a run that allows the web (--web)."
    assert rows(state, "tool_error")[0]["error"] == error
    assert state["status"] == "failed"


def test_the_web_is_shown_and_asked_where_the_run_allows_it(world: Make) -> None:
    calls: list[Any] = []
    policy = asking(WEB)
    state = world(policy, finds(), on_the_web(calls)).ask(web=True)
    assert calls == [{"query": "Ai phụ trách phiếu 42?"}]
    shown = [tool["name"] for tool in policy.views["plan"][0]["tools"]]
    assert shown == ["search_documents", "web_search"]
    assert state["status"] == "answered"


def test_a_tool_that_is_off_is_not_shown_and_says_why_when_it_is_named(world: Make) -> None:
    calls: list[Any] = []
    policy = asking(ticket())
    here = world(policy, finds(), desk(calls, off="desk.phiếu is off: approve it."))
    state = here.ask(rewrites=0)
    assert calls == []
    assert [tool["name"] for tool in policy.views["plan"][0]["tools"]] == ["search_documents"]
    assert rows(state, "tool_error")[0]["error"] == "desk.phiếu is off: approve it."
    assert "desk.phiếu is off" in policy.views["plan"][1]["subgoals"][0]["reason"]


def test_nobody_is_asked_to_approve_a_call_of_a_tool_that_is_off(world: Make) -> None:
    calls: list[Any] = []
    tool = desk(calls, off="desk.phiếu is off: approve it.", needs_approval=True)
    state = world(asking(ticket()), finds(), tool).ask(rewrites=0)
    assert (calls, state["status"]) == ([], "failed")
    assert rows(state, "tool_error")[0]["error"] == "desk.phiếu is off: approve it."


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"tool": "desk.phiêu"}, "There is no tool 'desk.phiêu'; the tools are: desk.phiếu."),
        ({"tool": "tìm kiếm"}, "There is no tool 'tìm kiếm'; the tools are: desk.phiếu."),
        ({"arguments": {"số": 42}}, "desk.phiếu needs number."),
        ({"arguments": {"number": "bốn hai"}}, "must be a integer, not 'bốn hai'"),
        ({"arguments": {"number": 1, "user_id": "E042"}}, "does not know 'user_id'"),
    ],
)
def test_an_unknown_tool_and_wrong_arguments_are_results_that_the_planner_sees(
    world: Make, wrong: dict[str, Any], error: str
) -> None:
    calls: list[Any] = []
    plans = [planned(subgoals=[ticket(**wrong)]), planned(subgoals=[ticket()])]
    policy = Script(plan=plans, grade=honest(ANSWERS))
    state = world(policy, desk(calls)).ask()
    assert error in rows(state, "tool_error")[0]["error"]
    assert error in policy.views["plan"][1]["subgoals"][0]["reason"]
    assert calls == [{"number": 42}]
    assert state["status"] == "answered"


def test_an_exception_of_a_tool_is_a_result_that_the_planner_sees(world: Make) -> None:
    def run(arguments: dict[str, Any], identity: Identity, top_k: int) -> ToolResult:
        raise RuntimeError("kho phiếu bị hỏng")

    policy = asking(ticket())
    state = world(policy, replace(desk([]), run=run)).ask(rewrites=0)
    assert rows(state, "tool_error")[0]["error"] == "kho phiếu bị hỏng"
    assert "kho phiếu bị hỏng" in policy.views["plan"][1]["subgoals"][0]["reason"]
    assert state["status"] == "failed"


def test_what_another_system_replied_is_cited_as_such(world: Make) -> None:
    state = world(asking(ticket()), desk([])).ask()
    (cited,) = state["answer"]["citations"]
    assert (cited["kind"], cited["quote"]) == ("external", TICKET)
    assert cited["retrieved_at"]
    assert TICKET in state["answer"]["text"]


# What the scripted policy costs: 0.25 for each of its calls.


def test_a_call_that_costs_more_than_is_left_is_not_made(world: Make) -> None:
    calls: list[Any] = []
    state = world(asking(ticket()), desk(calls, cost=5.0)).ask(money=2.0, rewrites=0)
    assert calls == []
    (row,) = rows(state, "not_affordable")
    assert row["reason"] == "desk.phiếu costs 5, and 1.75 is left"
    assert state["subgoals"][0]["reason"] == row["reason"]
    assert state["budget"]["spent"]["money"] <= 2.0
    assert state["status"] == "gave_up"


def test_parallel_calls_share_what_is_left(world: Make) -> None:
    calls: list[Any] = []
    both = [ticket("s1"), ticket("s2", arguments={"number": 7})]
    state = world(asking(*both), desk(calls, cost=1.0)).ask(money=2.0, rewrites=0)
    assert calls == [{"number": 42}]
    assert [row["subgoal_id"] for row in rows(state, "not_affordable")] == ["s2"]
    assert state["status"] == "partial"


def test_a_run_without_a_limit_of_money_pays_what_a_call_costs(world: Make) -> None:
    calls: list[Any] = []
    state = world(asking(ticket()), desk(calls, cost=5.0)).ask()
    assert calls == [{"number": 42}]
    assert state["budget"]["spent"]["money"] >= 5.0


def test_a_person_sees_the_arguments_and_may_put_others_in_their_place(world: Make) -> None:
    calls: list[Any] = []
    here = world(asking(ticket()), desk(calls, needs_approval=True))
    here.ask()
    (waiting,) = here.waiting()
    assert waiting.value["arguments"] == {"number": 42}
    assert waiting.value["replies"]["edit"] == {"arguments": {"number": 42}}
    assert calls == []
    edited = {"number": 43, "note": "Gấp"}
    state = here.go(Command(resume={"arguments": edited}))
    assert calls == [edited]
    assert state["evidence"][0]["query"] == "number=43, note=Gấp"
    seen = {row["query"] for row in state["seen_queries"]}
    assert seen == {"number=42", "number=43, note=Gấp"}


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ({"arguments": {}}, "needs number"),
        ({"arguments": {"number": "42"}}, "must be a integer"),
        ({"arguments": {"number": 1, "x": 1}}, "does not know 'x'"),
        ({"arguments": "42"}, "no object"),
        ({"arguments": None}, "none of those that are possible"),
        ({"query": "phiếu 43"}, "none of those that are possible"),
    ],
)
def test_edited_arguments_that_do_not_fit_are_asked_for_again(
    world: Make, reply: Any, problem: str
) -> None:
    calls: list[Any] = []
    here = world(asking(ticket()), desk(calls, needs_approval=True))
    here.ask()
    here.go(Command(resume=reply))
    (waiting,) = here.waiting()
    assert problem in waiting.value["problem"]
    assert calls == []
    assert here.go(Command(resume="approve"))["status"] == "answered"
    assert calls == [{"number": 42}]


def test_nobody_is_asked_about_a_call_that_cannot_be_made(world: Make) -> None:
    wrong = ticket(arguments={"number": "bốn hai"})
    here = world(asking(wrong), desk([], needs_approval=True))
    state = here.ask(rewrites=0)
    assert here.waiting() == ()
    assert "must be a integer" in rows(state, "tool_error")[0]["error"]


def test_a_call_that_is_off_costs_nothing(world: Make) -> None:
    policy = asking(ticket())
    state = world(policy, desk([], cost=5.0, off="desk.phiếu is off.")).ask(rewrites=0)
    assert state["budget"]["spent"]["money"] == 0.25 * len(policy.views["plan"])


def test_a_graph_without_an_agent_goes_on_for_nobody_but_the_asker(world: Make) -> None:
    calls: list[Any] = []
    here = world(asking(ticket()), desk(calls, needs_approval=True))
    here.ask(user="E042", groups=["nhân sự"])
    for other in ({"user": "E051"}, {"user": "E042"}, {}):
        with pytest.raises(AnotherAskerError, match="begun by another identity"):
            here.go(Command(resume="approve"), **other)
    assert calls == []
    state = here.go(Command(resume="approve"), user="E042", groups=["nhân sự"])
    assert state["status"] == "answered"


def test_a_graph_without_an_agent_goes_on_with_no_call_that_a_newer_version_began(
    world: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []
    here = world(asking(ticket()), desk(calls, needs_approval=True))
    here.ask()
    monkeypatch.setattr(newer, "SCHEMA_VERSION", 0)
    with pytest.raises(newer.NewerThreadError, match="upgrade to resume it"):
        here.go(Command(resume="approve"))
    assert calls == []
