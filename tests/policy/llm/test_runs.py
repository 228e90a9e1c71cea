"""Whole runs against the scripted server: calls, budgets, streams, failures, resuming."""

import contextvars
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodes.calls import JudgementError
from policy.llm import LLM
from policy.protocol import Allowance
from tests.nodes.scripting import World, rows
from tests.policy.llm.conftest import KEY
from tests.policy.llm.server import Request, Say, Server, as_json, error
from tests.policy.llm.views import plan_view
from tests.policy.llm.world import FACTS, chain, grade, library, questions_of, reader

Make = Callable[..., LLM]


@pytest.fixture
def world(tmp_path: Path, llm: Make) -> Any:
    """A function that makes a graph on the policy; its ledger is closed at the end."""
    made: list[World] = []

    def make(**options: Any) -> World:
        made.append(World(tmp_path / str(len(made)), llm(**options), library()))  # type: ignore[arg-type]
        return made[-1]

    return make


@pytest.mark.parametrize(("hops", "calls"), [(1, 3), (2, 4), (3, 5), (4, 6)])
def test_a_question_of_so_many_hops_is_answered_in_so_many_calls(
    world: Any, server: Server, hops: int, calls: int
) -> None:
    server.script = reader(hops)
    state = world().ask(questions_of(hops))
    assert state["status"] == "answered"
    assert state["answer"]["short"] == list(FACTS.values())[hops - 1][1]
    assert len(state["answer"]["citations"]) == hops
    assert len(server.requests) == calls == state["budget"]["spent"]["model_calls"]


def test_the_budget_is_the_sum_of_what_the_endpoint_was_asked(world: Any, server: Server) -> None:
    script = reader(2)
    spoilt = iter([True])

    def once_broken(request: Request) -> Say:
        if request.role == "grade" and next(spoilt, False):
            return Say(text="prose", usage=(300, 7))
        return script(request)

    server.script = once_broken
    state = world(endpoint={"price": (1.0, 2.0)}).ask(questions_of(2))
    spent = state["budget"]["spent"]
    assert spent["model_calls"] == len(server.requests) == 5
    assert spent["tokens"] == 4 * 120 + 307
    assert spent["money"] == pytest.approx((400 + 300 + 2 * (80 + 7)) / 1_000_000)
    costs = [row["cost"] for row in state["history"] if "cost" in row]
    assert sum(cost["calls"] for cost in costs) == 5
    assert sum(cost["input_tokens"] + cost["output_tokens"] for cost in costs) == spent["tokens"]
    assert costs[0]["model"] == "m"


def test_one_token_calls_are_counted_apart(world: Any, server: Server) -> None:
    script = reader(1)

    def with_probabilities(request: Request) -> Say:
        if request.role != "verdict":
            return script(request)
        hit = "developed by" in request.sections["passage"]
        return Say(text="x", top=(("yes" if hit else "no", -0.01),), usage=(40, 1))

    server.script = with_probabilities
    state = world(grading="auto").ask(questions_of(1))
    spent = state["budget"]["spent"]
    assert state["status"] == "answered"
    assert (spent["model_calls"], spent["one_token_calls"]) == (3, 6)
    assert len(server.requests) == 9
    assert spent["tokens"] == 3 * 120 + 6 * 41


def test_the_run_says_which_policy_judged_and_with_which_prompts(
    world: Any, server: Server
) -> None:
    server.script = reader(1)
    row = rows(world().ask(questions_of(1)), "plan")[0]
    assert row["policy"] == "llm:m"
    assert row["policy_version"].startswith("3.2.3.1.2.2.1.1.1.1-")


def chatty(script: Callable[[Request], Say]) -> Callable[[Request], Say]:
    """A model that has a token for three bytes it is sent, and uses its reply to the full."""

    def answer(request: Request) -> Say:
        size = len((request.system + request.user).encode()) // 3
        return Say(text=script(request).text, usage=(size, request.body["max_tokens"]))

    return answer


@pytest.mark.parametrize("tokens", [300, 1_000, 2_000, 3_000])
def test_a_hard_limit_of_tokens_holds_for_a_chatty_model(
    world: Any, server: Server, tokens: int
) -> None:
    server.script = chatty(reader(4))
    state = world().ask(questions_of(4), tokens=tokens)
    assert state["budget"]["spent"]["tokens"] <= tokens
    assert state["status"] in ("gave_up", "partial")


def test_the_limit_holds_where_the_model_has_more_tokens_than_were_estimated(
    llm: Make, server: Server
) -> None:
    server.turns(Say(text=reader(1)(_plan_request()).text, usage=(5_000, 20)))
    policy = llm()
    policy.plan(plan_view(questions_of(1)))
    bounded = policy.within(Allowance(tokens=4_000))
    assert bounded.plan(plan_view(questions_of(1)))[1]["calls"] == 0
    assert len(server.requests) == 1


def _plan_request() -> Request:
    return Request({"messages": [{"content": "You plan look-ups"}, {"content": ""}]}, {})


@pytest.mark.parametrize("calls", [1, 2, 3, 4])
def test_a_hard_limit_of_calls_holds_for_a_model_that_must_be_repaired(
    world: Any, server: Server, calls: int
) -> None:
    server.turns(Say(text="I would rather talk."))
    state = world().ask(questions_of(2), model_calls=calls)
    assert len(server.requests) == state["budget"]["spent"]["model_calls"] <= calls
    assert state["status"] == "gave_up"


def test_a_hard_limit_of_seconds_holds_for_a_slow_model(world: Any, server: Server) -> None:
    script = reader(4)
    server.script = lambda request: Say(text=script(request).text, pause=0.4)
    state = world().ask(questions_of(4), seconds=1.0)
    assert state["budget"]["spent"]["seconds"] < 2.5
    assert state["status"] in ("gave_up", "partial")


@pytest.mark.parametrize("money", [0.001, 2.0, 4.0])
def test_a_hard_limit_of_money_holds(world: Any, server: Server, money: float) -> None:
    server.script = chatty(reader(4))
    state = world(endpoint={"price": (1_000.0, 1_000.0)}).ask(questions_of(4), money=money)
    assert state["budget"]["spent"]["money"] <= money
    assert state["status"] in ("gave_up", "partial")


def test_a_model_that_talks_nonsense_ends_in_a_refusal_that_says_so(
    world: Any, server: Server
) -> None:
    server.turns(Say(text="yes"))
    state = world().ask(questions_of(2))
    assert state["status"] == "gave_up"
    assert state["evidence"] == []
    assert "unparseable reply" in rows(state, "graded")[0]["rejected"][0]["reason"]
    assert rows(state, "graded")[0]["rejected"][0]["verdict"] == "unknown"


def test_a_yes_man_leaves_a_trace_and_no_false_quote(world: Any, server: Server) -> None:
    script = reader(1)

    def yes_man(request: Request) -> Say:
        if request.role != "grade":
            return script(request)
        labels = [name for name in request.sections if name[0] == "P"]
        said = [
            {"passage": one, "reason": "sure", "relevant": "yes", "quote": "x", "supports": "yes"}
            for one in labels
        ]
        return as_json(passages=said, reason="sure", covered="yes", answer="Lab Delta")

    server.script = yes_man
    state = world().ask(questions_of(1), rewrites=0)
    assert state["evidence"] == []
    assert state["status"] == "gave_up"
    reasons = {row["reason"] for row in rows(state, "graded")[0]["rejected"]}
    assert reasons == {"the quote does not stand in the passage (sure)"}


def test_parallel_subgoals_are_judged_side_by_side_and_merged_in_order(
    world: Any, server: Server
) -> None:
    questions = list(FACTS)[:4]
    parts = [{"id": f"s{n}", "question": one} for n, one in enumerate(questions, 1)]
    all_there = threading.Barrier(4, timeout=30)

    def script(request: Request) -> Say:
        if request.role == "plan":
            return as_json(reason="four", route="search", subgoals=parts)
        if request.role == "grade":
            slow = questions.index(request.sections["subgoal"])
            text = grade(request.sections).text
            return Say(text=text, before=all_there.wait, pause=(3 - slow) / 20)
        return reader(4)(request)

    server.script = script
    state = world().ask(
        "Aurora, Lab Delta, Minh Tran and Huế: who, who, where and in which country?"
    )
    assert state["status"] == "answered"
    assert server.most_running == 4
    graded = [row["subgoal_id"] for row in rows(state, "graded")]
    assert graded == ["s1", "s2", "s3", "s4"]
    assert [item["id"] for item in state["evidence"]] == ["e1", "e2", "e3", "e4"]


def test_only_the_words_of_the_writer_are_streamed(world: Any, server: Server) -> None:
    server.script = reader(2)
    graph = world().graph
    from graph.context import Context

    config: Any = {"configurable": {"thread_id": "s"}}
    said, tokens = [], []
    for mode, event in graph.stream(
        {"question": questions_of(2)}, config, context=Context(), stream_mode=["custom", "messages"]
    ):
        if mode == "custom" and event["event"] == "writing":
            said.append(event["text"])
        elif mode == "messages":
            tokens.append((event[0].content, event[1]["langgraph_node"]))
    written = reader(2)(server.of("write")[0]).text
    assert "".join(said) == written
    assert {node for _, node in tokens} == {"generate"}
    assert "".join(text for text, _ in tokens) == written


@pytest.mark.parametrize("role", ["plan", "grade", "write"])
def test_a_run_that_an_endpoint_ends_can_be_resumed(world: Any, server: Server, role: str) -> None:
    script = reader(2)
    server.script = lambda request: (
        error(401, f"Incorrect API key provided: {KEY}")
        if request.role == role
        else script(request)
    )
    made = world()
    with pytest.raises(JudgementError) as caught:
        made.ask(questions_of(2), thread="broken")
    sentence = str(caught.value)
    assert "m at http://127.0.0.1" in sentence
    assert "GROUNDHOP_API_KEY" in sentence
    assert "`groundhop resume broken`" in sentence
    assert KEY not in sentence
    before = len(server.requests)
    server.script = script
    state = made.go(None, "broken")
    assert state["status"] == "answered"
    again = [request.role for request in server.requests[before:]]
    assert again.count("plan") == (role == "plan")
    assert again[0] == role


def test_a_key_is_neither_in_state_nor_in_ledger(world: Any, server: Server) -> None:
    server.script = reader(2)
    made = world()
    state = made.ask(questions_of(2))
    assert KEY not in json.dumps(state, default=str)
    assert KEY not in json.dumps(made.ledger.rows("t"), default=str)


def test_a_plan_without_subgoals_searches_the_question_itself(world: Any, server: Server) -> None:
    script = reader(1)
    empty = as_json(reason="?", route="search", subgoals=[])
    server.script = lambda request: empty if request.role == "plan" else script(request)
    assert world().ask(questions_of(1))["status"] == "answered"


def test_a_huge_plan_is_cut(world: Any, server: Server) -> None:
    parts = [
        {"id": f"x{n}", "question": f"Who made thing {n} of Project Aurora?"} for n in range(8)
    ]
    script = reader(1)
    huge = as_json(reason="?", route="search", subgoals=parts)
    server.script = lambda request: huge if request.role == "plan" else script(request)
    state = world().ask(questions_of(1))
    assert len(state["subgoals"]) <= 8
    assert state["budget"]["spent"]["tool_calls"] <= 12


def test_a_forgotten_part_is_looked_up_before_the_answer_leaves(world: Any, server: Server) -> None:
    question = "Who developed Project Aurora? Where was Minh Tran born?"
    script = reader(1)

    def forgetful(request: Request) -> Say:
        if request.role == "plan":
            return as_json(reason="one", route="search", subgoals=chain(1))
        if request.role == "write" and "Huế" not in request.sections["evidence"]:
            text = script(request).text
            return Say(text=f"{text}\nFORGOTTEN: Where was Minh Tran born?")
        return script(request)

    server.script = forgetful
    state = world().ask(question)
    assert [item["question"] for item in state["subgoals"]][-1] == "Where was Minh Tran born?"
    assert state["status"] == "answered"
    assert "Huế" in state["answer"]["text"]


def test_the_context_of_the_caller_reaches_parallel_judgements(world: Any, server: Server) -> None:
    seen: list[str] = []
    mark: contextvars.ContextVar[str] = contextvars.ContextVar("mark", default="lost")
    script = reader(1)
    made = world()
    policy = made.policy
    whole = policy.within

    def within(allowance: Any) -> Any:
        bounded = whole(allowance)
        inner = bounded.grade

        def watched(view: Any) -> Any:
            seen.append(mark.get())
            return inner(view)

        bounded.grade = watched
        return bounded

    policy.within = within
    server.script = script
    mark.set("kept")
    made.ask(questions_of(1))
    assert seen == ["kept"]
